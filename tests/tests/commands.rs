//! Tests the command lines as users type them.

use std::fs;
use std::path::Path;
use std::process::Output;

use prophet_testing::{assert_says, stderr};
use prophet_tests::programs::json;
use prophet_tests::{built, listing, root};
use serde_json::Value;

fn xtask(arguments: &[&str]) -> Output {
    let mut command = built::xtask(&root());
    command.args(arguments).output().expect("it can be started")
}

/// Runs the program. Fails unless it exits with `code` and prints all `words`, but no result.
fn expect(arguments: &[&str], code: i32, words: &[&str]) {
    let output = xtask(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?} prints a result");
    for word in words {
        assert!(
            message.contains(word),
            "{arguments:?} does not say {word:?} but:\n{message}"
        );
    }
}

/// Checks the calls in `lines`. Each line has an exit code, a command and expected words of its
/// output.
fn assert_calls(lines: &str) {
    for line in lines.lines() {
        let columns: Vec<&str> = line.split(" | ").collect();
        let arguments: Vec<&str> = columns[1].split(' ').collect();
        expect(
            &arguments,
            columns[0].parse().expect("a code"),
            &columns[2..],
        );
    }
}

const SAMPLE: &str = "sample-models/sample.uml";
const WRONG: &str = "tests/models/wrong";

#[test]
fn wrong_input_and_wrong_command_lines_are_told_apart() {
    assert_calls(include_str!("cases/calls.txt"));
    assert!(!root().join("generated/not_xml").exists());
    assert!(!root().join("generated/bad_guard").exists());
}

fn texts(folder: &Path) -> Vec<(String, String)> {
    let files = listing(folder).into_iter().filter(|path| path.is_file());
    let text = |path: &Path| fs::read_to_string(path).expect("the file is text");
    files
        .map(|path| (path.display().to_string(), text(&path)))
        .collect()
}

#[test]
fn check_compares_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let out = folder.path().join("crate");
    let name = out.to_str().expect("its name is text");
    expect(&["gen", SAMPLE, "--check"], 0, &["up to date"]);
    expect(
        &["gen", SAMPLE, "--check", "--out", name],
        1,
        &["missing: src/lib.rs"],
    );
    assert!(!out.exists());
    expect(&["gen", SAMPLE, "--out", name], 0, &["wrote", name]);
    expect(
        &["gen", SAMPLE, "--check", "--out", name],
        0,
        &["up to date"],
    );

    let library = out.join("src/lib.rs");
    let text = fs::read_to_string(&library).expect("it was written");
    fs::write(&library, text.replace("212.0", "213.0")).expect("it can be changed");
    let before = texts(folder.path());
    let words = [name, "stale: src/lib.rs", "cargo xtask gen"];
    expect(&["gen", SAMPLE, "--check", "--out", name], 1, &words);
    assert_eq!(texts(folder.path()), before);

    let changed = ["was changed after it was generated", "--force"];
    expect(&["gen", SAMPLE, "--out", name], 1, &changed);
    assert_eq!(texts(folder.path()), before);
    expect(&["gen", SAMPLE, "--out", name, "--force"], 0, &["wrote"]);
    assert_eq!(fs::read_to_string(&library).expect("it is there"), text);
}

#[test]
fn what_others_wrote_is_kept() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let name = folder.path().to_str().expect("its name is text");
    let library = folder.path().join("src/lib.rs");
    fs::create_dir(folder.path().join("src")).expect("a folder can be made");
    fs::write(&library, "//! My own work.\n").expect("a file can be written");
    fs::write(folder.path().join("notes.txt"), "mine").expect("a file can be written");
    let before = texts(folder.path());
    expect(
        &["gen", SAMPLE, "--out", name],
        1,
        &["src/lib.rs", "--force"],
    );
    assert_eq!(texts(folder.path()), before);

    expect(&["gen", SAMPLE, "--out", name, "--force"], 0, &["wrote"]);
    let text = fs::read_to_string(&library).expect("it is there");
    assert!(text.starts_with("// @generated"), "{text}");
    let notes = fs::read_to_string(folder.path().join("notes.txt"));
    assert_eq!(notes.expect("it is there"), "mine");
}

#[test]
fn a_file_that_cannot_be_read_is_told_in_the_format_that_is_asked_for() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unreadable");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let drawing = folder.join("a.drawio");
    std::fs::write(&drawing, "<mxfile/>").expect("a file can be written");
    let missing = folder.join("missing.uml");
    for (file, reason) in [(&drawing, "draw.io"), (&missing, "cannot read")] {
        let file = file.display().to_string();
        let output = xtask(&["check", &file, "--format", "json"]);
        assert_eq!(output.status.code(), Some(1));
        let problems: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let [problem] = problems.as_array().expect("an array").as_slice() else {
            panic!("{problems:#}");
        };
        assert_eq!(problem["code"], "PM0015");
        assert_eq!(problem["file"], file);
        let message = problem["message"].as_str().expect("a text");
        assert!(message.contains(reason), "{message}");
        let output = xtask(&["check", &file, "--format", "sarif"]);
        assert_eq!(output.status.code(), Some(1));
        let log: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!(log["runs"][0]["results"][0]["ruleId"], "PM0015");
    }
}

#[test]
fn check_prints_one_array() {
    let output = xtask(&["check", SAMPLE, "--format", "json"]);
    assert_eq!(json(&output), Value::Array(Vec::new()));

    let model = format!("{WRONG}/bad-guard.uml");
    let output = xtask(&["check", &model, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let problems: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let problem = &problems.as_array().expect("it is an array")[0];
    let mut keys: Vec<&String> = problem.as_object().expect("of objects").keys().collect();
    keys.sort();
    let expected = [
        "code", "column", "element", "file", "help", "line", "message", "severity",
    ];
    assert_eq!(keys, expected);
    assert_eq!(problem["severity"], "error");
    assert!(
        problem["code"]
            .as_str()
            .is_some_and(|code| code.starts_with("PM"))
    );
    assert!(problem["line"].as_u64().is_some_and(|line| line > 1));
    assert!(
        problem["file"]
            .as_str()
            .is_some_and(|file| file.ends_with("bad-guard.uml"))
    );
}

#[test]
fn check_summarizes_what_was_read() {
    let summary = xtask(&["check", SAMPLE, "--summary"]);
    assert_eq!(summary.status.code(), Some(0), "{}", stderr(&summary));
    let text = String::from_utf8_lossy(&summary.stdout).into_owned();
    for words in [
        "       2  activities",
        "OpaqueAction 5",
        "Class",
        "has no meaning",
    ] {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
    let arguments = ["check", SAMPLE, "--summary", "--format", "json"];
    let summary = json(&xtask(&arguments));
    assert_eq!(summary["uml"], "UML 2");
    assert_eq!(summary["read"]["stereotypes"]["action+"], 4);
    assert_eq!(summary["read"]["guards"], 2);
    let skipped = summary["skipped"].as_array().expect("a list");
    assert!(
        skipped
            .iter()
            .any(|it| it["kind"] == "PrimitiveType" && it["count"] == 2)
    );
    let broken = xtask(&["check", "tests/models/wrong/cut-off.uml", "--summary"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(stderr(&broken).contains("PM0001"), "{}", stderr(&broken));
}

fn run_sample() -> Value {
    let command = "run sample-models/sample.uml -- --nodes 1 --cpus-per-node 4 --processes 4 \
                   --format json";
    let arguments: Vec<&str> = command.split_whitespace().collect();
    json(&xtask(&arguments))
}

#[test]
fn run_prints_the_prediction() {
    let mut result = run_sample();
    let expected = [
        194.184_431_847_133_76,
        178.184_431_847_133_76,
        172.184_431_847_133_76,
        170.184_431_847_133_76,
    ];
    let close = |value: &Value, expected: f64| {
        value
            .as_f64()
            .is_some_and(|found| (found - expected).abs() <= 1e-9)
    };
    assert!(close(&result["predicted_time_s"], expected[0]), "{result}");
    for (pid, expected) in expected.into_iter().enumerate() {
        assert!(
            close(&result["processes"][pid]["end_s"], expected),
            "{result}"
        );
    }

    let mut again = run_sample();
    for result in [&mut result, &mut again] {
        let evaluation = result
            .as_object_mut()
            .and_then(|all| all.remove("evaluation"));
        assert!(evaluation.is_some_and(|evaluation| evaluation.is_object()));
    }
    assert_eq!(result.to_string(), again.to_string());

    let table = xtask(&["run", SAMPLE]);
    assert_eq!(table.status.code(), Some(0), "{}", stderr(&table));
    assert!(String::from_utf8_lossy(&table.stdout).contains("194.184"));
}

#[test]
fn run_passes_on_how_the_program_ends() {
    assert_calls(include_str!("cases/runs.txt"));
}

fn drawn(name: &str, sketch: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join(name);
    fs::write(&path, prophet_tests::sketch::xmi(sketch)).expect("the model can be written");
    let path = path.display().to_string();
    (folder, path)
}

const HOUSE: &str = "tests/models/rules/house.mcl.xml";

#[test]
fn rules_of_users_are_applied_beside_those_that_are_shipped() {
    let (_folder, model) = drawn(
        "house.uml",
        r#"start -> D -[pid == 0]-> S -> M -> end
           D: decision
           M: merge
           D -[pid == 1]-> R -> M
           D -[else]-> M
           S: bsend dest="1" size="2000000"
           R: brecv source="0""#,
    );
    expect(&["check", &model], 0, &[]);
    let findings = [
        "HOUSE-01",
        "S sends 2000000 bytes",
        "HOUSE-02",
        "1 error, 1 warning",
    ];
    expect(&["check", &model, "--rules", HOUSE], 1, &findings);
    expect(&["gen", &model, "--rules", HOUSE, "--check"], 1, &findings);
    expect(
        &["check", &model, "--rules", HOUSE, "--off", "HOUSE-01"],
        0,
        &["HOUSE-02", "0 errors, 1 warning"],
    );
}

#[test]
fn a_broken_rule_file_is_shown_with_its_places() {
    let broken = "tests/models/rules/broken.mcl.xml";
    let words = [
        "broken.mcl.xml:3:37",
        "`eror` is not one of error, warning",
        "broken.mcl.xml:7:37",
        "did you mean `above`?",
    ];
    expect(&["check", SAMPLE, "--rules", broken], 1, &words);
}

#[test]
fn broken_rules_of_the_severity_error_stop_the_generator() {
    let (folder, model) = drawn("endless.uml", "start -> M -> A -> M\nM: merge");
    let out = folder.path().join("crate").display().to_string();
    expect(
        &["gen", &model, "--out", &out],
        1,
        &["PM0817", "never ends"],
    );
    assert!(!Path::new(&out).exists());
    expect(
        &["gen", &model, "--out", &out, "--off", "PM0817"],
        0,
        &["wrote"],
    );
    assert!(Path::new(&out).exists());
}

#[test]
fn problems_are_written_as_json_and_sarif() {
    let (_folder, model) = drawn("warn.uml", "start -> A -> end\nB: plain");
    let output = xtask(&["check", &model, "--format", "json"]);
    let problems = json(&output);
    let problems = problems.as_array().expect("it is an array");
    let codes: Vec<&str> = problems
        .iter()
        .filter_map(|it| it["code"].as_str())
        .collect();
    assert_eq!(codes, ["PM0308", "PM0826"]);
    for key in [
        "severity", "message", "element", "file", "line", "column", "help",
    ] {
        assert!(problems[0].get(key).is_some(), "{key}");
    }
    let output = xtask(&["check", &model, "--format", "sarif"]);
    let log = json(&output);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"]
        .as_array()
        .expect("there are rules");
    assert!(run["tool"]["driver"]["name"].is_string());
    for result in run["results"].as_array().expect("there are results") {
        let index = result["ruleIndex"]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok());
        assert_eq!(rules[index.expect("an index")]["id"], result["ruleId"]);
        assert!(result["message"]["text"].is_string());
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64() >= Some(1));
        assert!(region["startColumn"].as_u64() >= Some(1));
    }
}

/// All processes sweep over a shared array, and process 1 then sweeps over another one.
const SWEEP: &str = "@startuml
title Main
legend
  model Sweep
  parameter int N = 10
end legend
start
:<<action+>> Sweep
cost = 1
bytes = 8 * N * N
working_set = 8 * N * N / NUM_PROCESSES;
if (pid == 1) then
  :<<action+>> Late
  cost = 1
  bytes = N
  working_set = 50 * N;
endif
stop
@enduml
";

#[test]
fn a_memory_that_is_too_small_is_told_before_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let model = file("sweep.puml", SWEEP);
    let machine = "name = \"small\"\nsource = \"made up\"\ncpus-per-node = 2\nmemory = \"1kB\"\n";
    let machine = file("small.toml", machine);
    let with = |command, flags: &[&'static str]| {
        let mut words = vec![command, &*model, "--machine", &*machine];
        words.extend(flags);
        xtask(&words)
    };
    let told = [
        "sweep.puml:8:1",
        "error[PM0450]: `Sweep`: node 0 has 1000 bytes of memory, but the working sets of its 2 \
         processes need 3200 (1600 bytes each)",
        "help: place fewer processes there with --nodes, --processes or --mapping",
    ];
    for command in ["check", "run"] {
        let output = with(command, &["--n", "20"]);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{command}: {message}");
        for word in told {
            assert!(
                message.contains(word),
                "{command}: {word:?} is not in\n{message}"
            );
        }
        assert!(output.stdout.is_empty());
        let output = with(command, &["--nodes", "4"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let output = with(command, &["--nodes", "none"]);
        assert_ne!(output.status.code(), Some(0));
    }
    // Errors that depend on flags are only reported during the run.
    let late = ["--n", "11", "--nodes", "1"];
    assert_eq!(with("check", &late).status.code(), Some(0));
    let output = with("run", &late);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert_says(&message, &["need 1100 (550 bytes each)"]);
}
