//! Tests messages about changes that are wrong: where they are, and what to do.

use prophet_testing::assert_cases;

use super::lines::{STAR, following};
use super::*;

/// Returns the first line of the failure that this line of changes causes.
fn told(line: &[u8]) -> String {
    let first = b"{\"at_s\": 1, \"link\": \"node0.up\", \"background\": 0.5}\n";
    let lines = [first, line].concat();
    let (folder, system) = following(&lines, STAR);
    let run = Simulation::new(&MODEL, system).run(async |ctx| WORK.execute(ctx, 20.0).await);
    let message = run.expect_err("it is wrong").to_string();
    let folder = format!("{}/", folder.path().display());
    let message = message.replace(&folder, "");
    message.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn wrong_lines_are_told() {
    assert_cases("changes/lines.txt", |case| told(case.input.as_bytes()));
}

#[test]
fn what_is_no_text_and_what_is_too_long_is_told() {
    let no_text = told(b"{\"at_s\": 2, \"link\": \"\xff\"}");
    assert_eq!(no_text, "changes.jsonl:2:22: the line is not UTF-8 text");
    let long = told(&vec![b' '; 100 << 20]);
    assert_eq!(long, "changes.jsonl:2: the line is longer than 65536 bytes");
}

#[track_caller]
fn assert_refused(entries: &str, expected: &str) {
    let text = machine(2, entries);
    let error = Machine::parse(&text, "machine.toml").expect_err(&text);
    assert_eq!(error.to_string(), expected);
}

#[test]
fn wrong_entries_of_a_machine_file_are_told_with_their_lines() {
    assert_refused(
        &change("1s", "node2", "speed = 1"),
        "machine.toml:4: a change at 1 s names the node `node2`, but the machine has `node0` to \
         `node1`",
    );
    assert_refused(
        &change("1s", "node1", "background = 1"),
        "machine.toml:4: the background 1 is out of range (from 0 to below 1)",
    );
    assert_refused(
        &change("-1s", "node1", "background = 0"),
        "machine.toml:4: `-1s` is negative; expected a time of 0 or more",
    );
    assert_refused(
        "[[change]]\nat = \"1s\"\noperation = \"IADD\"\ncost = \"1us\"\n",
        "machine.toml:4: a change at 1 s names the operation `IADD`, which has no price on the \
         machine: add it to `[operations]`",
    );
    assert_refused(
        "[[change]]\nat = \"1s\"\nlink = \"node0.up\"\nbackground = 0.5\n",
        "machine.toml:4: only shared links can change: use the network model `shared`",
    );
}

#[test]
fn what_is_not_yet_there_is_said() {
    let changes = change("1s", "node0", "speed = 0.5");
    let run = |entry: &str| {
        let text = machine(2, &format!("{entry}\n{changes}"));
        let run = Simulation::new(&MODEL, system(&text, 2)).run(async |_| Ok(()));
        run.expect_err("it is not there").to_string()
    };
    assert_eq!(
        run("discipline = \"round-robin\""),
        "a change to a node's speed is not supported with the discipline round-robin yet; use fcfs \
         or processor-sharing"
    );
    assert_eq!(
        run("memory-bandwidth = \"10GB/s\""),
        "a change to a node's speed is not supported with a memory bandwidth yet; remove one of \
         the two"
    );
}
