//! Interprets models, to compare the results with the results of compiled programs.

use std::ffi::OsString;
use std::path::Path;
use std::process::Output;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub code: u8,
    pub stdout: String,
    pub stderr: String,
}

/// Interprets a model with these flags, as if it were the compiled program `name`. As in a crate
/// without a source map, error messages don't mention lines of the model.
///
/// # Panics
///
/// Panics if the model has errors, or can't be interpreted.
pub fn run(model: &Path, name: &str, flags: &[&str]) -> Ran {
    run_by(&RuleSet::empty(), model, name, flags)
}

/// Interprets a model as [`run`] does, but checks it with other rules.
///
/// # Panics
///
/// Panics under the same conditions as [`run`].
pub fn run_by(rules: &RuleSet, model: &Path, name: &str, flags: &[&str]) -> Ran {
    let mut checked = check_by(rules, model, None).expect("the model can be read");
    checked.model = None;
    let interpreted = Interpreted::new(&checked, "", false).unwrap_or_else(|why| panic!("{why}"));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let arguments = [&[name], flags].concat();
    let arguments = arguments.into_iter().map(OsString::from);
    let code = interpreted.run_to(arguments, &mut stdout, &mut stderr);
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    Ran {
        code,
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

/// Interprets a model that is checked with `rules`, and asserts that the result equals the compiled
/// program's output.
///
/// # Panics
///
/// Panics if they differ in anything except the cost of the evaluation.
pub fn compare(rules: &RuleSet, model: &Path, name: &str, flags: &[&str], output: &Output) {
    let ran = run_by(rules, model, name, flags);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let shown = format!("{} {}", model.display(), flags.join(" "));
    assert_eq!(ran.stderr, text(&output.stderr), "messages of {shown}");
    assert_eq!(
        Some(ran.code.into()),
        output.status.code(),
        "code of {shown}"
    );
    let (ours, theirs) = (settled(&ran.stdout), settled(&text(&output.stdout)));
    assert_eq!(ours, theirs, "result of {shown}");
}

/// Returns a result without the numbers that describe its own evaluation.
fn settled(result: &str) -> String {
    let Ok(mut json) = serde_json::from_str::<Value>(result) else {
        // The last line of a table describes the evaluation.
        let lines = result.lines().filter(|line| !line.starts_with("Evaluat"));
        return lines.collect::<Vec<_>>().join("\n");
    };
    let mut took = vec!["wall_s", "cpu_s", "peak_memory_bytes", "evaluated"];
    if json["evaluation"]["threads"].as_u64() > Some(1) {
        // With several threads, the number of events depends on timing.
        took.push("events");
    }
    if let Some(evaluation) = json["evaluation"].as_object_mut() {
        evaluation.retain(|key, _| !took.contains(&key.as_str()));
    }
    json.to_string()
}
