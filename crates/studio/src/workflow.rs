//! Predicts, reports and animates drawn workflows, as other modules do for programs.

use prophet_text::{Context as _, Problem, problem};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_workflow::command::{Drawing, PredictedWorkflow, predict as predict_workflow};
use prophet_workflow::schedulers::NAMES;
use serde_json::{Value, json};

use crate::words::{Flag, may_set};

pub(crate) fn is_workflow(checked: &Checked) -> bool {
    checked.program.as_ref().is_some_and(|it| it.is_workflow)
}

/// Returns the workflow flags that a page can set. None of them reads or writes files.
pub(crate) fn flags() -> Vec<Flag> {
    let flag = |name: &str, kind, default: Option<&str>, about: &str| Flag {
        name: name.to_owned(),
        kind,
        default: default.map(str::to_owned),
        about: about.to_owned(),
        values: None,
        min: (kind == "integer").then_some(1),
    };
    let schedulers = NAMES.iter().map(|it| it.0.to_owned()).collect();
    let about = NAMES.iter().map(|it| format!("{}: {}", it.0, it.1));
    let about: Vec<String> = about.collect();
    vec![
        flag("hosts", "integer", Some("1"), "Number of hosts"),
        flag(
            "cores",
            "integer",
            None,
            "Cores of each host [default: as many as the largest task needs]",
        ),
        Flag {
            values: Some(schedulers),
            ..flag("scheduler", "choice", Some("fcfs"), &about.join("; "))
        },
        flag(
            "speed",
            "number",
            Some("1"),
            "Speed of each host, as a factor",
        ),
        flag(
            "bandwidth",
            "number",
            None,
            "Bytes per second between two hosts [default: files take no time]",
        ),
        flag("seed", "integer", Some("1"), "Seed for random values"),
    ]
}

/// Predicts the workflow in a file with these flags, which can include parameters. Flags for
/// systems of processes are ignored, because a page may still send them.
pub(crate) fn predicted(
    checked: &Checked,
    values: &BTreeMap<String, String>,
    file: &Path,
) -> Result<PredictedWorkflow, Problem> {
    let Some(program) = &checked.program else {
        return Err("the model has problems".into());
    };
    let own = flags();
    let mut words: Vec<OsString> = Vec::new();
    if !values.contains_key("hosts") {
        words.push("--hosts=1".into());
    }
    for (name, value) in values {
        if program.parameters.iter().any(|it| it.name == *name) {
            words.push(format!("--set={name}={value}").into());
        } else if let Some(flag) = own.iter().find(|it| it.name == *name) {
            let is_one = !value.contains(',') && value != "all";
            if !is_one || flag.values.as_ref().is_some_and(|it| !it.contains(value)) {
                return Err(problem!("`{name}` cannot be set to `{value}` here"));
            }
            words.push(format!("--{name}={value}").into());
        } else if !may_set(name, value) {
            return Err(problem!("`{name}` cannot be set to `{value}` here"));
        }
    }
    let drawing = Drawing {
        checked,
        rules: &RuleSet::shipped(),
        rule_files: &[],
    };
    predict_workflow(file, &words, Some(drawing))
}

/// Returns the result of a workflow's prediction, in the same form as the result of a program.
pub(crate) fn predict(
    checked: &Checked,
    values: &BTreeMap<String, String>,
    file: &Path,
) -> Result<Value, Problem> {
    let predicted = predicted(checked, values, file)?;
    let (hosts, cores) = (predicted.hosts(), predicted.cores());
    let mut result = predicted.result().to_value().told()?;
    // The names of the flags, for the fields of the page.
    result["system"]["hosts"] = hosts.into();
    result["system"]["cores"] = (cores / hosts as u64).into();
    result["workflow"] = json!({
        "tasks": predicted.tasks(),
        "hosts": hosts,
        "cores": cores,
        "utilization": predicted.utilization(),
        "facts": predicted.facts(),
    });
    Ok(result)
}
