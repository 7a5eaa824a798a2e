//! Tests traces of MPI calls: a program traced by liballprof, and error messages about invalid
//! traces.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::result::{SPEED, program, replay, replayed_s};
use crate::ring::{RANKS, actions};

/// Returns the message about an invalid trace, without the name of its folder.
fn refusal(path: &Path) -> String {
    let output = replay(path, &[]);
    assert!(!output.status.success(), "{output:?}");
    let folder = path.parent().expect("it has a folder").display();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.replace(&format!("{folder}/"), "")
}

struct Tracer {
    rank: u32,
    now_us: u64,
    text: String,
}

impl Tracer {
    fn new(rank: u32) -> Self {
        let now_us = 1_296_777_956_000_000;
        let text = format!("# htor's PMPI Tracer 0.9 Output File\n\nMPI_Init:-:7:8:{now_us}\n");
        Self { rank, now_us, text }
    }

    fn compute(&mut self, us: u64) {
        self.now_us += us;
    }

    /// Adds a call that takes 5 us.
    fn call(&mut self, function: &str, arguments: &str) {
        let (start, end) = (self.now_us, self.now_us + 5);
        self.now_us = end;
        let _ = writeln!(self.text, "MPI_{function}:{start}:{arguments}:{end}");
    }

    fn message(&mut self, function: &str, peer: u32, request: u32) {
        let (rank, address) = (self.rank, 6000 + 8 * request);
        let arguments = format!("4096:1000:1,1,1:{peer}:7:5,{rank},{RANKS}:{address}");
        self.call(function, &arguments);
    }

    fn finish(mut self) -> String {
        let now_us = self.now_us;
        let end = format!("# Finalize clockdiff: 0.1\nMPI_Finalize:{now_us}:-\n");
        self.text += &end;
        self.text
    }
}

/// Returns a rank's trace: messages around a ring and a collective, ten times.
fn ring(rank: u32) -> String {
    let mut tracer = Tracer::new(rank);
    let (next, before) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
    for _ in 0..10 {
        tracer.compute(1000);
        tracer.message("Irecv", before, 2);
        tracer.message("Isend", next, 3);
        tracer.call("Waitall", "2:6016:0");
        tracer.compute(500);
        tracer.call("Allreduce", &format!("1:2:1:11,8,8:3:5,{rank},{RANKS}"));
    }
    tracer.finish()
}

fn ranks(text: impl Fn(u32) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for rank in 0..RANKS {
        fs::write(folder.path().join(name(rank)), text(rank)).expect("it can be written");
    }
    folder
}

fn name(rank: u32) -> String {
    format!("pmpi-trace-rank-{rank}.txt")
}

#[test]
fn calls_of_a_program_take_as_long_as_its_actions() {
    let folder = tempfile::tempdir().expect("there is room");
    let actions_s = replayed_s(&actions(folder.path(), ""), &SPEED);
    let folder = ranks(ring);
    let difference = replayed_s(folder.path(), &[]) - actions_s;
    assert!(difference.abs() < 1e-9, "{difference}");
    // The file of one rank is enough to find the others.
    let file = folder.path().join(name(3));
    assert!((replayed_s(&file, &[]) - actions_s).abs() < 1e-9);
    let model = folder.path().join("model.puml");
    let words = ["--out", model.to_str().expect("it is text")];
    let output = program(&[], &folder.path().join(name(0)), &words);
    let said = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(model).expect("it was written");
    assert!(said.contains("of 8 ranks in 7 elements"), "{said} {text}");
    assert!(!said.contains("note:"), "{said}");
    assert!(text.contains("(pid + 1) % NUM_PROCESSES"), "{text}");
}

#[test]
fn cut_and_wrong_traces_are_refused_with_their_places() {
    let whole = ring(7);
    let of = |text: &str| {
        let folder = ranks(|rank| match rank {
            7 => text.to_owned(),
            _ => ring(rank),
        });
        refusal(&folder.path().join(name(7)))
    };
    let cut = whole.rfind("MPI_Finalize").expect("it is there");
    let said = of(&whole[..cut]);
    let message = "the trace of rank 7 is cut off: it has no `MPI_Finalize`";
    assert!(said.contains(message) && said.contains("7.txt:"), "{said}");
    let wrong = [
        (
            ":0:7:5,7,8:",
            ":9:7:5,7,8:",
            "unknown rank 9: the trace has 8 ranks",
        ),
        (
            "MPI_Allreduce",
            "MPI_Win_fence",
            "`MPI_Win_fence` is not supported yet",
        ),
        ("5,7,8", "6,3,4", "on a communicator of only some ranks"),
    ];
    for (from, to, message) in wrong {
        assert!(whole.contains(from), "{whole}");
        let said = of(&whole.replace(from, to));
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_missing_rank_is_told() {
    let folder = ranks(ring);
    fs::remove_file(folder.path().join(name(2))).expect("it is there");
    let said = refusal(&folder.path().join(name(0)));
    let message =
        "pmpi-trace-rank-3.txt: the file of rank 2 is missing, but there is a file of rank 3";
    assert!(said.contains(message), "{said}");
}
