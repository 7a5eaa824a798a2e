//! Implements the `studio` command, whose page only this computer can open.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::tool::Tool;
use crate::{CommandOutcome, Door, Stop};
use prophet_frontend::rule_flags::RuleFlags;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI), which is created if it does not exist, or a folder of models [default:
    /// the current folder]
    #[arg(
        value_name = "MODEL|FOLDER",
        default_value = ".",
        hide_default_value = true
    )]
    path: PathBuf,
    /// Listen on this port, which only this computer can reach [default: a free port]
    #[arg(
        long,
        value_name = "PORT",
        value_parser = |it: &str| prophet_text::whole_number::<u16>(it, 1..=65_535),
    )]
    port: Option<u16>,
    #[command(flatten)]
    rules: RuleFlags,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    if arguments.rules.assume {
        return Err(Stop::usage(
            "the studio does not support --assume, because you can draw there what is missing; to \
             write assumptions into the model, use `check --assume --fix`",
        ));
    }
    // Without a cache, unsaved work isn't kept.
    let unsaved = door
        .cache()
        .ok()
        .map(|cache| cache.folder().join("unsaved"));
    let unsaved = unsaved.unwrap_or_default();
    // Without the runtime's sources, crates can't be exported.
    let workspace = door.workspace().ok();
    let workspace = workspace.and_then(|it| serde_json::to_string(&it).ok());
    let mut words: Vec<OsString> = vec![
        (&arguments.path).into(),
        arguments.port.unwrap_or(0).to_string().into(),
        unsaved.into(),
        workspace.unwrap_or_default().into(),
    ];
    words.extend(arguments.rules.again());
    Tool::Studio.finish(door, &words)
}
