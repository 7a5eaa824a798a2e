//! Implements the `sweep` command, which starts the tool for the given model or workflow.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_text::FileRole;

use crate::kind::{is_workflow_plan, role};
use crate::tool::Tool;
use crate::{CommandOutcome, Door};

/// Flags without a value. The word after such a flag can be a file.
const WITHOUT_VALUE: [&str; 4] = ["--json", "--assume", "--print-plan", "--slurm"];
/// Maximum size in bytes of a plan in which to look for its subject.
const PLAN_MAX: u64 = 1 << 20;

pub(crate) fn run(door: &dyn Door, arguments: &[OsString]) -> CommandOutcome {
    if !is_of_workflow(arguments) {
        return Tool::Sweep.finish(door, arguments);
    }
    let mut words: Vec<OsString> = vec!["sweep".into()];
    words.extend(arguments.iter().cloned());
    Tool::Workflow.finish(door, &words)
}

/// Returns `true` if a command line is for a workflow, or for the plan of a workflow.
fn is_of_workflow(arguments: &[OsString]) -> bool {
    let first = arguments.first().and_then(|it| it.to_str());
    match first {
        Some("work" | "merge" | "submit") => file(&arguments[1..]).is_some_and(is_workflow_plan),
        Some("help") | None => false,
        Some("plan") => file(&arguments[1..]).is_some_and(|it| is_subject(it, arguments)),
        Some(_) => file(arguments).is_some_and(|it| is_subject(it, arguments)),
    }
}

/// Returns `true` if a file is a workflow, or a plan for a workflow.
fn is_subject(file: &Path, arguments: &[OsString]) -> bool {
    let main = || main(arguments).and_then(|it| it.into_string().ok());
    let (file, main) = match (role(file) == FileRole::Plan)
        .then(|| subject(file))
        .flatten()
    {
        Some((file, of_plan)) => (file, of_plan.or_else(main)),
        None => (file.to_owned(), main()),
    };
    role(&file) == FileRole::Workflow || is_drawn(&file, main.as_deref())
}

fn subject(plan: &Path) -> Option<(PathBuf, Option<String>)> {
    let text = String::from_utf8(prophet_files::read(plan, PLAN_MAX).ok()?).ok()?;
    let entries: toml::Table = text.parse().ok()?;
    let text = |key: &str| entries.get(key)?.as_str();
    Some((
        plan.with_file_name(text("model")?),
        text("main").map(str::to_owned),
    ))
}

fn main(arguments: &[OsString]) -> Option<OsString> {
    let mut words = arguments.iter();
    words
        .find_map(|word| match word.to_str()?.strip_prefix("--main")? {
            "" => Some(None),
            value => value.strip_prefix('=').map(|it| Some(it.into())),
        })?
        .or_else(|| words.next().cloned())
}

/// Returns the first word on a command line that is a file, not the value of a flag.
fn file(arguments: &[OsString]) -> Option<&Path> {
    let mut is_value = false;
    for word in arguments {
        let text = word.to_string_lossy();
        if text == "--" {
            return None;
        }
        let path = Path::new(word);
        if !is_value && !text.starts_with('-') && path.is_file() {
            return Some(path);
        }
        let is_whole = text.contains('=') || WITHOUT_VALUE.contains(&&*text);
        is_value = text.starts_with('-') && !is_whole;
    }
    None
}

/// Returns `true` if the model is a workflow. It can be incomplete.
fn is_drawn(file: &Path, main: Option<&str>) -> bool {
    let mut rules = RuleSet::shipped();
    rules.assume();
    let checked = check_by(&rules, file, main).ok();
    let program = checked.and_then(|it| it.program);
    program.is_some_and(|it| it.is_workflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_no_value_of_a_flag() {
        let folder = tempfile::tempdir().expect("it can be made");
        let [model, rows] = ["m.puml", "rows.csv"].map(|it| folder.path().join(it));
        for path in [&model, &rows] {
            std::fs::write(path, "").expect("it can be written");
        }
        let found = |words: &[&str]| {
            let path = |it: &&str| match *it {
                "MODEL" => model.clone().into(),
                "ROWS" => rows.clone().into(),
                word => OsString::from(word),
            };
            let words: Vec<OsString> = words.iter().map(path).collect();
            file(&words).map(Path::to_owned)
        };
        let model = Some(model.clone());
        assert_eq!(found(&["--out", "ROWS", "MODEL", "--vary", "a=1"]), model);
        assert_eq!(found(&["--vary=a=1", "MODEL"]), model);
        assert_eq!(found(&["--assume", "MODEL"]), model);
        assert_eq!(found(&["--vary", "a=1", "--", "MODEL"]), None);
    }

    #[test]
    fn plans_are_of_models_or_of_workflows() {
        let folder = tempfile::tempdir().expect("it can be made");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("it can be written");
            OsString::from(path)
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
        for (words, expected) in [
            (["--main=Flow", ""], true),
            (["--main", "Flow"], true),
            (["--main=Prog", ""], false),
            (["--main", "Prog"], false),
        ] {
            let words = { words.iter() }.filter(|it| !it.is_empty());
            let words: Vec<OsString> = words.map(OsString::from).chain([two.clone()]).collect();
            assert_eq!(is_of_workflow(&words), expected, "{words:?}");
        }
        for (task, file, expected) in [
            ("work", &workflow, true),
            ("submit", &workflow, true),
            ("merge", &model, false),
            ("plan", &recorded, true),
            ("plan", &planned, true),
            ("plan", &commented, true),
            ("--json", &planned, true),
            ("help", &planned, false),
        ] {
            let words = [task.into(), file.clone()];
            assert_eq!(is_of_workflow(&words), expected, "{task} {file:?}");
        }
    }
}
