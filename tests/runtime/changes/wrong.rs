//! Changes that are wrong: the place, and what to do.

use super::lines::{STAR, following};
use super::*;

#[track_caller]
fn assert_line(line: &[u8], expected: &str) {
    let first = b"{\"at_s\": 1, \"link\": \"node0.up\", \"background\": 0.5}\n";
    let lines = [first, line].concat();
    let (folder, system) = following(&lines, STAR);
    let run = Simulation::new(&MODEL, system).run(async |ctx| WORK.execute(ctx, 20.0).await);
    let message = run.expect_err("it is wrong").to_string();
    let folder = format!("{}/", folder.path().display());
    let message = message.replace(&folder, "");
    let first = message.lines().next().unwrap_or_default();
    assert_eq!(first, format!("changes.jsonl:2{expected}"));
}

#[test]
fn what_is_not_there_is_told_with_its_line() {
    assert_line(
        b"{\"at_s\": 0.5, \"link\": \"node0.up\", \"background\": 0.5}",
        ": the change at 0.5 s comes after one at 1 s: lines are in the order of time",
    );
    assert_line(
        b"{\"at_s\": 2, \"link\": \"node7.up\", \"background\": 0.5}",
        ": a change at 2 s names the link `node7.up`, which the network does not have; its first \
         is `node0.up`",
    );
    assert_line(
        b"{\"at_s\": 2, \"node\": \"node2\", \"speed\": 0.5}",
        ": a change at 2 s names the node `node2`, but the machine has `node0` to `node1`",
    );
    assert_line(
        b"{\"at_s\": 2, \"operation\": \"IAD\", \"cost\": \"1s\"}",
        ": a change at 2 s names the operation `IAD`, which the machine does not price: add it to \
         `[operations]`; did you mean `IADD`?",
    );
}

#[test]
fn wrong_values_are_told_with_their_lines() {
    assert_line(
        b"{\"at_s\": 2, \"link\": \"*\", \"background\": 1}",
        ": the background 1 is not from 0 to below 1",
    );
    assert_line(
        b"{\"at_s\": -1, \"link\": \"*\", \"background\": 0}",
        ": `at_s` is -1, but a time is a number of seconds from 0 on",
    );
    assert_line(
        b"{\"link\": \"*\", \"background\": 0}",
        ": a change has one time: `at` with a unit, or `at_s` in seconds",
    );
    assert_line(
        b"{\"at_s\": 2, \"background\": 0}",
        ": a change names one of a `link`, a `node` and an `operation`",
    );
    assert_line(
        b"{\"at_s\": 2, \"link\": \"*\", \"node\": \"*\", \"background\": 0}",
        ": a change names one of a `link`, a `node` and an `operation`",
    );
    assert_line(
        b"{\"at_s\": 2, \"link\": \"*\", \"speed\": 2}",
        ": a change of a link has one of `background`, `bandwidth` and `latency`",
    );
    assert_line(
        b"{\"at_s\": 2, \"node\": \"*\", \"speed\": -1}",
        ": the speed -1 is not a multiple of the node's own, from 0 on",
    );
    assert_line(
        b"{\"at_s\": 2, \"node\": \"*\", \"speed\": 1, \"background\": 0}",
        ": a change of a node has one of `background` and `speed`",
    );
    assert_line(
        b"{\"at_s\": 2, \"operation\": \"IADD\", \"speed\": 1}",
        ": a change of an operation has a `cost`, such as \"0.2us\"",
    );
    assert_line(
        b"{\"at_s\": 2, \"link\": \"*\", \"bandwidth\": \"0\"}",
        ": `0`: a bandwidth is above 0",
    );
}

#[test]
fn what_is_no_change_is_told_with_its_column() {
    assert_line(
        b"{\"at_s\": 2, \"link\": \"node0.up\", \"bakground\": 0.5}",
        ":43: unknown field `bakground`, expected one of `at`, `at_s`, `link`, `node`, \
         `operation`, `background`, `bandwidth`, `latency`, `speed`, `cost`; did you mean \
         `background`?",
    );
    assert_line(
        b"{\"at_s\": 2, \"link\": \"*\", \"background\": NaN}",
        ":40: the line is not JSON: expected value",
    );
    assert_line(
        b"{\"at_s\": 1e999, \"link\": \"*\", \"background\": 0}",
        ":14: the line is not JSON: number out of range",
    );
    assert_line(
        b"{\"at_s\": 2, \"link\": \"\xff\"}",
        ":22: the line is not text in UTF-8",
    );
    assert_line(
        b"[1, 2]",
        ":1: a change is an object, such as {\"at_s\": 10, \"link\": \"node0.up\", \
         \"background\": 0.5}",
    );
    assert_line(
        b"{\"at_s\": 2",
        ":10: the line is not JSON: EOF while parsing an object",
    );
    assert_line(
        &vec![b' '; 100 << 20],
        ": the line is longer than 65536 bytes",
    );
}

#[track_caller]
fn assert_refused(entries: &str, expected: &str) {
    let text = machine(2, entries);
    let error = Machine::parse(&text, "machine.toml").expect_err(&text);
    assert_eq!(error, expected);
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
        "machine.toml:4: the background 1 is not from 0 to below 1",
    );
    assert_refused(
        &change("-1s", "node1", "background = 0"),
        "machine.toml:4: `-1s` is negative; a time is not",
    );
    assert_refused(
        "[[change]]\nat = \"1s\"\noperation = \"IADD\"\ncost = \"1us\"\n",
        "machine.toml:4: a change at 1 s names the operation `IADD`, which the machine does not \
         price: add it to `[operations]`",
    );
    assert_refused(
        "[[change]]\nat = \"1s\"\nlink = \"node0.up\"\nbackground = 0.5\n",
        "machine.toml:4: only links that messages share change: use the model `shared`",
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
        "a change of a node's speed with the discipline round-robin is not yet there; use fcfs or \
         processor-sharing"
    );
    assert_eq!(
        run("memory-bandwidth = \"10GB/s\""),
        "a change of a node's speed with a memory bandwidth is not yet there; leave out one of both"
    );
}
