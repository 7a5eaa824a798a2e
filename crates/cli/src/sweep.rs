//! Implements the `sweep` command: of programs, and of workflows.

use std::ffi::OsString;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_sweep::command::{Arguments, Called, Subject, run as sweep};
use prophet_sweep::{Models, Subjects};
use prophet_text::FileRole;
use prophet_workflow::command::Workflows;

use crate::kind::{is_workflow_plan, role};
use crate::{CommandOutcome, Door};

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let mut words = door.options();
    words.push(OsString::from("sweep"));
    let called = Called {
        program: &format!("{} sweep", door.program()),
        words: &words,
    };
    let is_workflow = is_of_workflow(arguments);
    let subjects: &dyn Subjects = if is_workflow { &Workflows } else { &Models };
    Ok(sweep(arguments, called, subjects)?)
}

/// Returns `true` if the subject is a workflow, or a plan in chunks of one. A drawing can be
/// incomplete.
fn is_of_workflow(arguments: &Arguments) -> bool {
    let (file, main) = match arguments.subject() {
        Some(Subject::Named(file, main)) => (file, main),
        Some(Subject::Chunks(plan)) => return is_workflow_plan(&plan),
        None => return false,
    };
    if role(&file) == FileRole::Workflow {
        return true;
    }
    let mut rules = RuleSet::shipped();
    rules.assume();
    let checked = check_by(&rules, &file, main.as_deref()).ok();
    let program = checked.and_then(|it| it.program);
    program.is_some_and(|it| it.is_workflow)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn plans_are_of_models_or_of_workflows() {
        let folder = tempfile::tempdir().expect("it can be made");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("it can be written");
            path.display().to_string()
        };
        let packed = |mark: &str| format!("{{\n  \"format\": \"{mark}\",\n");
        let workflow = write("w.plan", &packed(prophet_text::WORKFLOW_PLAN));
        let model = write("m.plan", &packed("prophet-sweep-plan-1"));
        let recorded = write("trace.txt", "task_id\tname\tstatus\trealtime\n");
        let planned = write("w.toml", "vary = []\nmodel = \"trace.txt\"\n");
        let text = "\"model\" = 'trace.txt' # the workflow\nvary = []\n";
        let commented = write("c.toml", text);
        let two = write(
            "two.puml",
            "@startuml\ntitle Prog\nstart\n:<<action+>> a\ncost = 1;\nstop\n@enduml\n\
             @startuml\ntitle <<workflow>> Flow\nstart\n:<<task>> b\ncost = 2;\nstop\n@enduml\n",
        );
        let rows = write("rows.csv", "");
        for (words, expected) in [
            (vec!["--main=Flow", &two], true),
            (vec!["--main", "Flow", &two], true),
            (vec!["--out", &rows, "--main", "Flow", &two], true),
            (vec!["--main=Prog", &two], false),
            (vec!["--main", "Prog", &two], false),
            (vec!["work", &workflow, "--chunk", "0"], true),
            (vec!["submit", &workflow, "--slurm"], true),
            (vec!["merge", &model, "--out", "rows.csv"], false),
            (vec!["plan", &recorded, "--out", "a.plan"], true),
            (vec!["plan", &planned, "--out", "a.plan"], true),
            (vec!["plan", &commented, "--out", "a.plan"], true),
            (vec!["--json", &planned], true),
            (vec![&rows], false),
        ] {
            let line = std::iter::once("sweep").chain(words.iter().copied());
            let arguments = Arguments::try_parse_from(line).expect("they are flags");
            assert_eq!(is_of_workflow(&arguments), expected, "{words:?}");
        }
    }
}
