//! Tests changes that arrive as lines.

use std::fs;

use super::*;

/// A machine with a link of 1 GB/s between two nodes, and with a price.
pub(super) const STAR: &str = "[network]\nmodel = \"shared\"\nbandwidth = \"1GB/s\"\n\
                               latency = \"0\"\n[operations]\nunit = \"s\"\nIADD = 1\n";

/// A system of two processes that reads changes from a file. The file exists as long as the
/// returned folder.
pub(super) fn following(lines: &[u8], entries: &str) -> (tempfile::TempDir, System) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("changes.jsonl");
    fs::write(&path, lines).expect("a file can be written");
    let mut system = system(&machine(2, entries), 2);
    let path = path.to_str().expect("it is text");
    system.follow_changes(path).expect("it is there");
    (folder, system)
}

#[test]
fn lines_say_what_a_machine_file_says() {
    let lines = br#"{"at_s": 1, "node": "node0", "background": 0.5}

{"at": "1s", "operation": "IADD", "cost": "3s"}
{"at_s": 5.0, "node": "*", "speed": 2}
"#;
    let (_folder, system) = following(lines, STAR);
    let outcome = run_on(&PRICED, system, async |ctx| {
        WORK.execute(ctx, 5.0).await?;
        WORK.execute(ctx, ctx.clc(&[(2.0, IADD)])).await
    });
    // The six seconds that are left run at twice the speed.
    assert_eq!(ends(&outcome), [9.0, 8.0]);
}

#[test]
fn a_file_is_read_for_each_run() {
    let (_folder, system) = following(b"{\"at_s\": 0, \"node\": \"node1\", \"speed\": 0.5}", "");
    for _ in 0..2 {
        assert_eq!(ends(&run_block(system.clone(), 1.0)), [1.0, 2.0]);
    }
}

#[test]
fn changes_of_the_machine_file_come_first() {
    let listed = change("1s", "node0", "speed = 0.25");
    let (_folder, system) = following(
        b"{\"at_s\": 1, \"node\": \"node0\", \"speed\": 0.5}",
        &listed,
    );
    assert_eq!(ends(&run_block(system, 2.0)), [3.0, 2.0]);
}
