//! Provides helpers for tests of all databases, and tests that run with every database.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use prophet_testing::{assert_says, stderr, succeeded, words};
use serde_json::{Value, json};

/// Returns a call of the program that names the repository.
pub(crate) fn program(repository: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-runs"));
    command.env_remove("PROPHET_REPOSITORY");
    command.arg("--repository").arg(repository);
    command
}

pub(crate) fn runs(repository: impl AsRef<OsStr>, line: &str) -> Output {
    let output = program(repository).args(words(line)).output();
    output.expect("the program can be started")
}

/// Runs the program, which must end with exit code 1, print no result, and report all of `parts`.
#[track_caller]
pub(crate) fn refused(repository: impl AsRef<OsStr>, line: &str, parts: &[&str]) {
    let output = runs(repository, line);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{line}: {message}");
    assert!(output.stdout.is_empty(), "{line} prints a result");
    assert_says(&message, parts);
}

#[track_caller]
pub(crate) fn printed(repository: impl AsRef<OsStr>, line: &str) -> String {
    let output = succeeded(program(repository).args(words(line)));
    String::from_utf8(output.stdout).expect("it prints text")
}

pub(crate) fn add(file: &Path) -> String {
    format!("add {}", text(file))
}

pub(crate) fn listed(repository: &str) -> Vec<Value> {
    let list = printed(repository, "list --format json");
    serde_json::from_str(&list).expect("it is an array")
}

pub(crate) fn result(model: &str, processes: u32, time_s: f64) -> Value {
    json!({
        "model": model,
        "system": {"nodes": 1, "cpus_per_node": processes, "processes": processes, "threads": 1},
        "parameters": {"NAT": 32},
        "machine": "default",
        "seed": u64::MAX,
        "predicted_time_s": time_s,
        "evaluation": {
            "engine": "local", "wall_s": 0.001, "cpu_s": 0.001, "events": 1, "messages": 0,
            "peak_memory_bytes": 0,
        },
        "elements": [{
            "name": "A1", "id": 1, "type": "action+", "count": processes, "total_s": time_s,
            "mean_s": time_s, "max_s": time_s,
        }],
    })
}

/// Returns a file with `count` results of this model.
pub(crate) fn sweep(folder: &Path, model: &str, count: u32) -> PathBuf {
    let path = folder.join(format!("{model}.json"));
    let results = (1..=count).map(|processes| result(model, processes, 1.0).to_string());
    let text = results.collect::<Vec<_>>().join("\n");
    fs::write(&path, text).expect("the folder can be written");
    path
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// Checks that a repository lists, shows, exports and deletes added runs, exact to the last bit.
pub(crate) fn keeps_what_it_is_given(repository: &str, other: &str) {
    let folder = tempfile::tempdir().expect("there is room");
    // These numbers can't be represented exactly, are the smallest, or need many digits.
    let times = [0.1 + 0.2, 5e-324, 114.723_309_920_000_22];
    let array: Vec<Value> = times
        .iter()
        .map(|time| result("É'\";--", 4, *time))
        .collect();
    let (first, second) = (folder.path().join("1.json"), folder.path().join("2.json"));
    fs::write(&first, json!(array).to_string()).expect("the folder can be written");
    let pretty = serde_json::to_string_pretty(&result("Other", 8, 2.0)).expect("it is JSON");
    fs::write(&second, &pretty).expect("the folder can be written");
    let [one, two] = [&first, &second].map(|it| text(it));
    let both = format!("add {one} {two} --model {two}");
    printed(repository, &both);

    let list = listed(repository);
    let ids: Vec<i64> = list.iter().filter_map(|run| run["id"].as_i64()).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    for (run, time) in list.iter().zip(times) {
        assert_eq!(run["model"], "É'\";--");
        assert_eq!(run["seed"], u64::MAX);
        let kept = run["predicted_time_s"].as_f64().expect("it is a number");
        assert_eq!(kept.to_bits(), time.to_bits());
    }
    let last = printed(repository, "list --model \"É'\"'\";--' --last 1");
    assert_eq!(last.lines().count(), 2, "{last}");

    let shown = printed(repository, "show 4 --format json");
    assert!(shown.contains(&pretty), "as the program wrote it: {shown}");
    let alone = printed(repository, "show 4 --format result");
    assert_eq!(alone.trim_end(), pretty);
    let shown: Value = serde_json::from_str(&shown).expect("it is JSON");
    assert_eq!(shown["model_file"], text(&second));
    assert_eq!(shown["model_hash"].as_str().map(str::len), Some(64));

    // Exported runs can be read back unchanged.
    let exported = printed(repository, "export");
    let file = folder.path().join("exported.json");
    printed(repository, &format!("export --out {}", text(&file)));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), exported);
    printed(other, &add(&file));
    let without_times = |text: &str| -> Value {
        let mut runs: Value = serde_json::from_str(text).expect("it is JSON");
        for run in runs.as_array_mut().expect("it is an array") {
            run["saved_at"] = Value::Null;
        }
        runs
    };
    assert_eq!(
        without_times(&printed(other, "export")),
        without_times(&exported)
    );

    refused(repository, "show 9", &["no run 9"]);
    refused(repository, "delete 1 9", &["no run 9"]);
    assert_eq!(listed(repository).len(), 4, "all or nothing");
    printed(repository, "delete 4 2");
    printed(repository, &add(&second));
    let ids: Vec<Value> = listed(repository)
        .iter()
        .map(|run| run["id"].clone())
        .collect();
    assert_eq!(ids, [1, 3, 5], "a number is not given twice");
}

/// Checks that nothing is lost when programs write at the same time, and that each program's runs
/// stay together.
pub(crate) fn loses_nothing(repository: &str) {
    const PROGRAMS: usize = 6;
    const RUNS: u32 = 40;
    let folder = tempfile::tempdir().expect("there is room");
    // They also create the repository at the same time.
    let children: Vec<_> = (0..PROGRAMS)
        .map(|number| {
            let file = sweep(folder.path(), &format!("M{number}"), RUNS);
            let mut command = program(repository);
            command.arg("add").args([&file, &file, &file]);
            command.spawn().expect("the program can be started")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let list = listed(repository);
    let total = PROGRAMS * 3 * RUNS as usize;
    assert_eq!(list.len(), total);
    for (run, id) in list.iter().zip(1..) {
        assert_eq!(run["id"], id);
    }
    let models = list.chunk_by(|a, b| a["model"] == b["model"]);
    assert_eq!(models.count(), PROGRAMS, "each transaction is in one piece");
}

/// Checks that a program that is killed while writing leaves all of its runs or none.
#[expect(clippy::disallowed_methods, reason = "the kill comes at some time")]
pub(crate) fn survives_kills(repository: &str) {
    const RUNS: u32 = 3000;
    let folder = tempfile::tempdir().expect("there is room");
    let file = sweep(folder.path(), "Killed", RUNS);
    printed(repository, &add(&sweep(folder.path(), "Before", 1)));
    let mut killed = 0;
    for milliseconds in (0..).map(|n| n * n) {
        let mut command = program(repository);
        let mut child = command
            .arg("add")
            .arg(&file)
            .spawn()
            .expect("it can be started");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("it can be killed");
        let ended = child.wait().expect("it ends");
        let runs = listed(repository).len() - 1;
        assert_eq!(runs % RUNS as usize, 0, "killed after {milliseconds} ms");
        if ended.success() {
            break;
        }
        killed += 1;
    }
    assert!(killed >= 3, "only {killed} were killed");
    // The repository can still be written.
    printed(repository, &add(&file));
}
