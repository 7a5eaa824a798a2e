//! Command `sweep`: starts the tool for the subject of the command line, a model or a workflow.

use std::ffi::OsString;
use std::path::Path;

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::check_by;

use crate::kind::is_workflow;
use crate::tool::Tool;
use crate::{Door, Outcome};

/// Flags that have no value, which a file may follow.
const WITHOUT_VALUE: [&str; 3] = ["--json", "--assume", "--print-plan"];

/// First words that are commands of sweeps in chunks, whose files are plans.
const TASKS: [&str; 5] = ["plan", "work", "merge", "submit", "help"];

/// Sweeps a model or a workflow.
pub(crate) fn run(door: &dyn Door, arguments: &[OsString]) -> Outcome {
    let Some(file) = file(arguments) else {
        return Tool::Sweep.finish(door, arguments);
    };
    let mut words: Vec<OsString> = vec!["sweep".into()];
    if !is_workflow(file) {
        if !is_drawn(file, arguments) {
            return Tool::Sweep.finish(door, arguments);
        }
        words.push("--drawn".into());
    }
    words.extend(arguments.iter().cloned());
    Tool::Workflow.finish(door, &words)
}

/// The file that a command line names: its first word that is a file and no value of a flag.
fn file(arguments: &[OsString]) -> Option<&Path> {
    let first = arguments.first().and_then(|it| it.to_str());
    if first.is_some_and(|it| TASKS.contains(&it)) {
        return None;
    }
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

/// True if a model is a workflow, even if it leaves something open.
fn is_drawn(file: &Path, arguments: &[OsString]) -> bool {
    if file
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("toml"))
    {
        return false;
    }
    let mut words = arguments.iter().skip_while(|it| *it != "--main");
    let main = words.nth(1).and_then(|it| it.to_str());
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
        assert_eq!(found(&["merge", "--out", "ROWS"]), None);
        assert_eq!(found(&["work", "MODEL", "--chunk", "1/3"]), None);
    }
}
