//! Prediction of a recorded workflow, which `run` takes in place of a model.

use std::ffi::OsString;

use super::{Arguments, Evaluate};
use crate::tool::Tool;
use crate::{Door, Outcome, Stop};

/// Predicts the workflow.
pub(super) fn predict(door: &dyn Door, arguments: &Arguments) -> Outcome {
    if arguments.evaluate == Evaluate::Native {
        return Err(Stop::input("a workflow is simulated, not compiled"));
    }
    if arguments.save.is_some() {
        return Err(Stop::input(
            "results of workflows are not kept; `-- --format json` prints them",
        ));
    }
    let mut words: Vec<OsString> = vec![arguments.model.clone().into()];
    words.extend(arguments.flags.iter().cloned());
    Tool::Workflow.finish(door, &words)
}
