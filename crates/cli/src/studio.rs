//! Implements the `studio` command.

use prophet_studio::command::Arguments;

use crate::{CommandOutcome, Door, Stop};

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    if arguments.rules.assume {
        return Err(Stop::usage(
            "the studio does not support --assume, because you can draw there what is missing; to \
             write assumptions into the model, use `check --assume --fix`",
        ));
    }
    // Without a cache, unsaved work isn't kept. Without the runtime's sources, crates can't be
    // exported.
    let unsaved = door.cache().ok();
    let unsaved = unsaved.map(|cache| cache.folder().join("unsaved"));
    let workspace = door.workspace().ok();
    Ok(prophet_studio::command::run(
        arguments,
        unsaved.as_deref(),
        workspace,
    )?)
}
