//! Predicts workflows: recorded ones, which `run` accepts in place of a model, and drawn ones.

use std::ffi::OsString;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;

use super::{Arguments, Evaluate};
use crate::tool::{self, Tool};
use crate::{CommandOutcome, Door, Stop};

pub(super) fn is_drawn(checked: &Checked) -> bool {
    checked.program.as_ref().is_some_and(|it| it.is_workflow)
}

pub(super) fn predict_drawn(
    door: &dyn Door,
    arguments: &Arguments,
    checked: (&Checked, &RuleSet),
) -> CommandOutcome {
    let mut own = vec![OsString::from("--drawn")];
    if let Some(main) = &arguments.main {
        own.extend(["--main".into(), main.into()]);
    }
    own.extend(arguments.rules.again());
    let words = words(arguments, own)?;
    tool::finish_drawn(door, &words, checked)
}

pub(super) fn predict(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    Tool::Workflow.finish(door, &words(arguments, Vec::new())?)
}

fn words(arguments: &Arguments, own: Vec<OsString>) -> Result<Vec<OsString>, Stop> {
    if arguments.evaluate == Evaluate::Native {
        return Err(Stop::input("workflows are simulated, not compiled"));
    }
    if arguments.save.is_some() {
        return Err(Stop::input(
            "results of workflows are not kept; print them with `-- --format json`",
        ));
    }
    let mut words: Vec<OsString> = vec![arguments.model.clone().into()];
    words.extend(own);
    words.extend(arguments.flags.iter().cloned());
    Ok(words)
}
