//! Replay of a trace, which `run` takes in place of a model.

use std::ffi::OsString;

use super::{Arguments, Evaluate};
use crate::tool::Tool;
use crate::{CommandOutcome, Door, Stop};

/// Replays the trace.
pub(super) fn replay(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    if arguments.evaluate == Evaluate::Native {
        return Err(Stop::input("a trace is replayed, not compiled"));
    }
    if arguments.save.is_some() {
        return Err(Stop::input(
            "results of traces are not kept; `-- --record FILE` writes them to a file",
        ));
    }
    let mut words: Vec<OsString> = vec!["replay".into(), arguments.model.clone().into()];
    words.push("--".into());
    words.extend(arguments.flags.iter().cloned());
    Tool::Import.finish(door, &words)
}
