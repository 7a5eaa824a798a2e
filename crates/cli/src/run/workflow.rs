//! Prediction of workflows: recorded ones, which `run` takes in place of a model, and drawn ones.

use std::ffi::OsString;

use prophet_codegen::generate::check_by;

use super::{Arguments, Evaluate};
use crate::tool::Tool;
use crate::{Door, Outcome, Stop};

/// True if a model is a workflow.
pub(super) fn is_drawn(arguments: &Arguments) -> bool {
    let Ok(rules) = arguments.rules.read() else {
        return false;
    };
    let checked = check_by(&rules, &arguments.model, arguments.main.as_deref());
    checked.is_ok_and(|it| it.program.is_some_and(|program| program.is_workflow))
}

/// Predicts a workflow that is drawn.
pub(super) fn predict_drawn(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let mut words = vec![OsString::from("--drawn")];
    if let Some(main) = &arguments.main {
        words.extend(["--main".into(), main.into()]);
    }
    if arguments.rules.assumes() {
        words.push("--assume".into());
    }
    finish(door, arguments, words)
}

/// Predicts a recorded workflow.
pub(super) fn predict(door: &dyn Door, arguments: &Arguments) -> Outcome {
    finish(door, arguments, Vec::new())
}

fn finish(door: &dyn Door, arguments: &Arguments, own: Vec<OsString>) -> Outcome {
    if arguments.evaluate == Evaluate::Native {
        return Err(Stop::input("a workflow is simulated, not compiled"));
    }
    if arguments.save.is_some() {
        return Err(Stop::input(
            "results of workflows are not kept; `-- --format json` prints them",
        ));
    }
    let mut words: Vec<OsString> = vec![arguments.model.clone().into()];
    words.extend(own);
    words.extend(arguments.flags.iter().cloned());
    Tool::Workflow.finish(door, &words)
}
