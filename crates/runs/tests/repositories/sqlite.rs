//! Tests repositories in files, through the command line.

use std::fs;
use std::process::Command;

use prophet_testing::{assert_says, skip, stderr};
use rusqlite::Connection;

use crate::common::{add, keeps_what_it_is_given, loses_nothing, printed, refused, result, sweep};
use crate::common::{survives_kills, text};

#[test]
fn a_file_keeps_what_it_is_given() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = |name: &str| folder.path().join(name);
    keeps_what_it_is_given(text(&path("a.sqlite")), text(&path("b.sqlite")));
}

#[test]
fn programs_that_write_a_file_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("there is room");
    loses_nothing(text(&folder.path().join("runs.sqlite")));
}

#[test]
fn a_file_survives_kills() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("runs.sqlite");
    survives_kills(text(&path));
    let database = Connection::open(&path).expect("it is there");
    let check = database.query_row("PRAGMA integrity_check", [], |row| row.get(0));
    assert_eq!(check, Ok("ok".to_owned()));
    assert_eq!(
        fs::read_dir(folder.path()).expect("it is there").count(),
        1,
        "one file"
    );
}

#[test]
fn files_that_are_no_repository_stay_as_they_are() {
    let folder = tempfile::tempdir().expect("there is room");
    let result = sweep(folder.path(), "M", 1);
    let add = add(&result);

    let missing = folder.path().join("missing.sqlite");
    refused(&missing, "list", &["there is no repository", "--save"]);
    assert!(!missing.exists());
    let json = folder.path().join("runs.json");
    refused(
        &json,
        &add,
        &["which is a SQLite file; name it", "runs.sqlite"],
    );
    assert!(!json.exists());

    let prose = folder.path().join("prose.txt");
    fs::write(&prose, "It was a dark and stormy night. ".repeat(100)).expect("it can be written");
    for line in [&*add, "list"] {
        refused(&prose, line, &["prose.txt", "is not a database of runs"]);
    }

    let foreign = folder.path().join("foreign.sqlite");
    let database = Connection::open(&foreign).expect("it can be made");
    database
        .execute_batch("CREATE TABLE run (id)")
        .expect("it can be written");
    let before = fs::read(&foreign).expect("it is there");
    for line in [&*add, "list"] {
        refused(&foreign, line, &["a database of another program"]);
    }
    assert_eq!(fs::read(&foreign).expect("it is there"), before);

    let empty = folder.path().join("empty.sqlite");
    fs::write(&empty, "").expect("it can be written");
    refused(&empty, "list", &["contains no runs yet"]);
    printed(&empty, &add);

    let newer = folder.path().join("newer.sqlite");
    printed(&newer, &add);
    let database = Connection::open(&newer).expect("it is there");
    database
        .execute_batch("INSERT INTO migration VALUES (99)")
        .expect("it can be written");
    for line in [&*add, "list", "delete 1"] {
        refused(
            &newer,
            line,
            &["a newer version of Performance Prophet", "99"],
        );
    }

    let nowhere = folder.path().join("no folder/runs.sqlite");
    refused(&nowhere, &add, &["cannot open "]);
    refused(
        folder.path(),
        &add,
        &["is not a file: a repository must be a file of its own"],
    );
}

#[test]
fn a_truncated_file_is_told() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("runs.sqlite");
    printed(&path, &add(&sweep(folder.path(), "M", 200)));
    let bytes = fs::read(&path).expect("it is there");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("it can be written");
    refused(&path, "export", &["is damaged"]);
}

#[test]
fn files_that_are_no_results_are_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let repository = folder.path().join("runs.sqlite");
    let file = folder.path().join("result.json");
    let mut without_time = result("M", 1, 1.0);
    without_time
        .as_object_mut()
        .expect("it is an object")
        .remove("predicted_time_s");
    for (content, words) in [
        ("", "it is empty"),
        ("[]", "does not contain a run"),
        ("<html>", "it is not JSON"),
        ("{\"model\": ", "it is not JSON"),
        ("{\"model\": \"M\"}", "not the result of a run"),
        (&without_time.to_string(), "missing key `predicted_time_s`"),
        (&"[".repeat(100_000), "it is not JSON"),
    ] {
        fs::write(&file, content).expect("it can be written");
        refused(&repository, &add(&file), &["result.json", words]);
    }
    for key in ["parameters", "machine", "seed", "evaluation", "elements"] {
        let mut without = result("M", 1, 1.0);
        without.as_object_mut().and_then(|it| it.remove(key));
        fs::write(&file, without.to_string()).expect("it can be written");
        let words = format!("missing key `{key}`");
        refused(&repository, &add(&file), &[&words]);
    }
    // A valid file doesn't make up for an invalid one.
    let right = sweep(folder.path(), "M", 1);
    refused(
        &repository,
        &format!("add {} {}", text(&right), text(&file)),
        &["result.json"],
    );
    assert!(!repository.exists());
}

/// Runs a shell script in its own namespace, where it can mount file systems; `None` if this system
/// doesn't allow that.
fn mounted(script: &str, folder: &std::path::Path) -> Option<std::process::Output> {
    let shell = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        command
            .current_dir(folder)
            .env("RUNS", env!("CARGO_BIN_EXE_prophet-runs"))
            .output()
    };
    let works = shell("mkdir -p try && mount -t tmpfs none try");
    if !works.is_ok_and(|output| output.status.success()) {
        skip("this system does not let us mount a small disk");
        return None;
    }
    shell(script).ok()
}

#[test]
fn a_full_disk_and_a_read_only_folder_are_told() {
    let folder = tempfile::tempdir().expect("there is room");
    sweep(folder.path(), "Small", 1);
    sweep(folder.path(), "Large", 2000);
    let script = "
        mkdir disk && mount -t tmpfs -o size=256k none disk
        $RUNS --repository disk/runs.sqlite add Small.json || exit 90
        $RUNS --repository disk/runs.sqlite add Large.json && exit 91
        echo then
        $RUNS --repository disk/runs.sqlite list | wc -l
        mount -o remount,ro disk
        $RUNS --repository disk/runs.sqlite add Small.json && exit 92
        $RUNS --repository disk/new.sqlite add Small.json && exit 93
        $RUNS --repository disk/runs.sqlite list | wc -l";
    let Some(output) = mounted(script, folder.path()) else {
        return;
    };
    let message = stderr(&output);
    assert!(output.status.success(), "{:?}: {message}", output.status);
    assert_eq!(output.stdout, b"then\n2\n2\n", "{message}");
    for words in [
        "error: cannot write disk/runs.sqlite: the disk is full",
        "error: cannot write disk/runs.sqlite: it is read-only",
        "error: cannot open disk/new.sqlite: does its folder exist, and is it writable?",
    ] {
        assert!(message.contains(words), "{words}: {message}");
    }
}

#[test]
fn a_file_that_brings_other_things_along_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let run = sweep(folder.path(), "M", 1);
    let forever = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)";
    let renamed = "ALTER TABLE run RENAME TO kept;";
    for (number, (changes, words)) in (0..).zip([
        (
            format!("{renamed} CREATE VIEW run AS {forever} SELECT kept.* FROM kept, more"),
            "has changed its view `run`",
        ),
        (
            format!(
                "DROP TABLE migration; CREATE VIEW migration AS {forever} \
                 SELECT n AS version FROM more"
            ),
            "has changed its view `migration`",
        ),
        (
            "CREATE TRIGGER late AFTER INSERT ON run BEGIN DELETE FROM run; END".to_owned(),
            "has changed its trigger `late`",
        ),
        (
            "ALTER TABLE run ADD COLUMN wide AS (zeroblob(1000000000))".to_owned(),
            "has changed its table `run`",
        ),
        (
            "CREATE TABLE \"a\u{1b}[2J\u{202e}\" (x)".to_owned(),
            "has changed its table `a\\u{1b}[2J\\u{202e}`",
        ),
        (
            "DROP INDEX run_by_model".to_owned(),
            "has changed its index `run_by_model`",
        ),
    ]) {
        let path = folder.path().join(format!("{number}.sqlite"));
        printed(&path, &add(&run));
        let database = Connection::open(&path).expect("it is there");
        database
            .execute_batch(&changes)
            .expect("anybody may change it");
        drop(database);
        for line in ["list", "show 1", &add(&run), "delete 1"] {
            refused(&path, line, &[words]);
        }
    }
}

#[test]
fn names_of_strangers_are_no_formulas_and_are_not_obeyed() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("runs.sqlite");
    let file = folder.path().join("evil.json");
    let mut evil = result("=HYPERLINK(\"x\")\u{1b}]0;\u{202e}", 1, -1.5);
    evil["machine"] = "@SUM(1)".into();
    fs::write(&file, evil.to_string()).expect("it can be written");
    printed(&path, &add(&file));
    let csv = printed(&path, "export --format csv");
    assert!(csv.contains(",\"'=HYPERLINK(\"\"x\"\")"), "{csv}");
    assert_says(&csv, &[",'@SUM(1),18446744073709551615,-1.5,"]);
    for line in ["list", "show 1", "compare 1 1"] {
        let shown = printed(&path, line);
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    }
}
