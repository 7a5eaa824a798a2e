//! Tests traces that the program replays, and the error messages about invalid ones.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use prophet_testing::Home;
use tempfile::TempDir;

use crate::result;

fn folder() -> TempDir {
    tempfile::tempdir().expect("there is room")
}

pub(crate) fn replay(trace: &Path, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-import"));
    command.arg("replay").arg(trace).arg("--").args(flags);
    command.output().expect("it runs")
}

fn written(name: &str, text: &str) -> (TempDir, std::path::PathBuf) {
    let folder = folder();
    let path = folder.path().join(name);
    fs::write(&path, text).expect("it can be written");
    (folder, path)
}

fn predicted(name: &str, text: &str, flags: &[&str]) -> f64 {
    let (_folder, path) = written(name, text);
    time_of(&replay(&path, &[&["--format", "json"], flags].concat()))
}

pub(crate) fn time_of(output: &Output) -> f64 {
    let text = String::from_utf8_lossy(&output.stdout);
    result::time_of(&text).unwrap_or_else(|| panic!("{output:?}"))
}

const HOCKNEY: [&str; 2] = ["--network", "hockney:latency=1s,bandwidth=10B/s"];
const SPEED: [&str; 2] = ["--flops-per-s", "10"];

#[test]
fn computing_and_messages_take_their_time() {
    let text = "0 init\n1 init\n0 compute 20\n0 send 1 0 30\n1 recv 0 0 30\n1 sleep 0.5\n\
                0 finalize\n1 finalize\n";
    let flags = [HOCKNEY, SPEED].concat();
    // 2 s of computing, the latency, 3 s for the bytes, and a sleep.
    assert!((predicted("a.ti", text, &flags) - 6.5).abs() < 1e-9);
}

#[test]
fn elements_have_the_size_of_their_type() {
    let of = |line: &str| {
        let text = format!("0 init 1\n1 init 1\n0 {line}\n1 recv 0 0 -1\n0 finalize\n1 finalize\n");
        predicted("a.ti", &text, &HOCKNEY)
    };
    assert!((of("send 1 0 10") - 9.0).abs() < 1e-9);
    assert!((of("send 1 0 10 1") - 5.0).abs() < 1e-9);
}

#[test]
fn waits_end_the_oldest_request_of_their_message() {
    let text = "0 init\n1 init\n0 isend 1 3 10\n0 isend 1 3 20\n0 waitall\n\
                1 irecv 0 3 10\n1 irecv 0 3 20\n1 wait 0 1 3\n1 compute 100\n1 wait 0 1 3\n\
                0 finalize\n1 finalize\n";
    let flags = [HOCKNEY, SPEED].concat();
    // The first message arrives after 2 s; the second arrives while rank 1 computes.
    assert!((predicted("a.ti", text, &flags) - 12.0).abs() < 1e-9);
}

#[test]
fn messages_to_no_process_take_no_time() {
    let text = "0 init\n1 init\n0 isend -333 3 10\n0 irecv -333 3 10\n0 wait -333 0 3\n\
                0 waitall\n1 compute 20\n0 finalize\n1 finalize\n";
    let flags = [HOCKNEY, SPEED].concat();
    assert!((predicted("a.ti", text, &flags) - 2.0).abs() < 1e-9);
}

#[test]
fn ranks_of_a_folder_are_those_of_one_file() {
    let lines = |rank: u32| {
        let other = 1 - rank;
        let actions = [
            "init",
            &format!("isend {other} 0 5"),
            &format!("recv {other} 0 5"),
        ];
        let actions = actions
            .into_iter()
            .chain(["waitall", "allreduce 7 3", "finalize"]);
        let lines = actions.map(|it| format!("{rank} {it}\n"));
        lines.collect::<String>()
    };
    let flags = [HOCKNEY, SPEED].concat();
    let one = predicted("a.ti", &(lines(0) + &lines(1)), &flags);
    let folder = folder();
    for rank in 0..2 {
        fs::write(folder.path().join(format!("rank{rank}")), lines(rank)).expect("written");
    }
    let all = [&["--format", "json"], flags.as_slice()].concat();
    assert!((time_of(&replay(folder.path(), &all)) - one).abs() < 1e-12);
    fs::write(folder.path().join("list.txt"), "rank0\nrank1\n").expect("written");
    let list = folder.path().join("list.txt");
    assert!((time_of(&replay(&list, &all)) - one).abs() < 1e-12);
    // SimGrid's own lists contain file names relative to the folder where it runs.
    let inner = folder.path().join("replay");
    fs::create_dir(&inner).expect("made");
    for rank in 0..2 {
        fs::write(inner.join(format!("rank{rank}")), lines(rank)).expect("written");
    }
    let list = inner.join("split_traces");
    fs::write(&list, "replay/rank0\nreplay/rank1\n").expect("written");
    assert!((time_of(&replay(&list, &all)) - one).abs() < 1e-12);
    fs::write(&list, "other/rank0\nother/rank1\n").expect("written");
    assert!(!replay(&list, &all).status.success());
}

#[test]
fn blocks_of_collectives_have_their_own_sizes() {
    let text = "0 init\n1 init\n0 alltoallv 9 0 50 9 0 10\n1 alltoallv 9 10 0 9 50 0\n\
                0 finalize\n1 finalize\n";
    assert!((predicted("a.ti", text, &HOCKNEY) - 6.0).abs() < 1e-9);
}

#[test]
fn collectives_take_the_algorithms_of_simgrid() {
    let ranks = |action: &str| {
        let of = |rank: u32| format!("{rank} init\n{rank} {action}\n{rank} finalize\n");
        (0..16).map(of).collect::<String>()
    };
    let time_s = |action: &str, choice: &str| {
        let choice = ["--collective", choice];
        let choice: &[&str] = if choice[1].is_empty() { &[] } else { &choice };
        predicted("a.ti", &ranks(action), &[&HOCKNEY, choice].concat())
    };
    for (action, algorithm) in [
        // SimGrid and MPICH choose different algorithms for all except the first.
        ("alltoall 100 100", "alltoall=bruck"),
        ("alltoall 2 2", "alltoall=linear"),
        ("alltoall 400 400", "alltoall=bruck"),
        ("alltoall 40000 40000", "alltoall=linear"),
        ("bcast 600000", "broadcast=binomial"),
        ("allreduce 8 0", "allreduce=simgrid"),
    ] {
        let replayed_s = time_s(action, "");
        assert!(
            (replayed_s - time_s(action, algorithm)).abs() <= 1e-12 * replayed_s,
            "{action}"
        );
        let is_mpich = (replayed_s - time_s(action, "rule=mpich")).abs() <= 1e-12 * replayed_s;
        assert_eq!(
            is_mpich,
            algorithm == "alltoall=bruck" && action.ends_with("100"),
            "{action}"
        );
    }
    // A flag from the user overrides the choice.
    let (linear, pairwise) = ("alltoall=linear", "alltoall=pairwise");
    let action = "alltoall 100 100";
    assert!(time_s(action, linear) < time_s(action, pairwise));
}

#[test]
fn wrong_traces_are_refused_with_their_place() {
    let home = Home::of(env!("CARGO_BIN_EXE_prophet-import"));
    home.assert_transcripts("tests/cases/wrong.txt");
}

/// Returns a broadcast down a tree: each rank receives from the one whose number lacks its highest
/// bit.
fn tree(ranks: u32, bytes: u32) -> String {
    let mut text = format!("num_ranks {ranks}\n");
    for rank in 0..ranks {
        let _ = writeln!(text, "\nrank {rank} {{ // of the tree");
        let level = 32 - rank.leading_zeros();
        if rank > 0 {
            let from = rank & !(1 << (level - 1));
            let _ = writeln!(text, "in: recv {bytes}b from {from} tag 4");
        }
        for bit in (level..31).take_while(|bit| rank + (1 << bit) < ranks) {
            let to = rank + (1 << bit);
            let _ = writeln!(text, "l{bit}: send {bytes}b to {to} tag 4 cpu 0 nic 0");
            if rank > 0 {
                let _ = writeln!(text, "l{bit} requires in");
            }
        }
        text += "}\n";
    }
    text
}

#[test]
fn schedules_receive_from_any_rank_and_of_any_tag() {
    let text = "num_ranks 3\nrank 0 {\na: recv 1b from -1 tag 1\nb: recv 1b from -1 tag -1\n}\n\
                rank 1 {\na: calc 500\nb: send 1b to 0 tag 1\nb requires a\n}\n\
                rank 2 {\na: send 1b to 0 tag 1\n}\n";
    // The second message ends 500 units after the first one, at its o + L + o.
    let flags = ["--network", "loggp:L=100ns,o=10ns,g=0ns,G=0"];
    let time_s = predicted("a.goal", text, &flags);
    assert!((time_s - 620e-9).abs() < 1e-15, "{time_s}");
}

#[test]
fn schedules_run_on_the_engine() {
    // The end time that LogGOPSim gives for its `binary_tree_32.goal`, with its defaults.
    let flags = ["--network", "loggp:L=2500ns,o=1500ns,g=1000ns,G=6ns"];
    let time_s = predicted("a.goal", &tree(32, 1), &flags);
    assert!((time_s - 27.5e-6).abs() < 1e-12, "{time_s}");
}
