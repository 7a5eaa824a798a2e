//! Traces of calls of MPI: the same program in two formats, and what is said of wrong ones.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::result::{SPEED, program, replay, replayed_s};
use crate::ring::{RANKS, actions};

/// Message about a wrong trace, without its folder.
fn refusal(path: &Path) -> String {
    let output = replay(path, &[]);
    assert!(!output.status.success(), "{output:?}");
    let folder = path.parent().expect("it has a folder").display();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.replace(&format!("{folder}/"), "")
}

/// Writer of the calls of a rank with their times.
struct Tracer {
    rank: u32,
    is_dumpi: bool,
    now_us: u64,
    text: String,
}

impl Tracer {
    fn new(rank: u32, is_dumpi: bool) -> Self {
        let mut tracer = Self {
            rank,
            is_dumpi,
            now_us: 1_296_777_956_000_000,
            text: String::new(),
        };
        if is_dumpi {
            tracer.text += "version=1.0.0\nhostname=here\nmeshdim=0\nmeshsize=[]\n";
            tracer.call("Init", "", "int argc=0\nstring argv[0]=<IGNORED>\n");
        } else {
            tracer.text += "# htor's PMPI Tracer 0.9 Output File\n\n";
            let _ = writeln!(tracer.text, "MPI_Init:-:7:8:{}", tracer.now_us);
        }
        tracer
    }

    fn compute(&mut self, us: u64) {
        self.now_us += us;
    }

    /// A call of 5 us with its arguments in both formats.
    fn call(&mut self, function: &str, line: &str, lines: &str) {
        let (start, end) = (self.now_us, self.now_us + 5);
        self.now_us = end;
        if self.is_dumpi {
            let at = |us: u64| format!("{}.{:06}000", us / 1_000_000, us % 1_000_000);
            let edge = |word: &str, us| {
                let time = at(us);
                format!(
                    "MPI_{function} {word} at walltime {time}, cputime 0.1 seconds in thread 0.\n"
                )
            };
            self.text += &edge("entering", start);
            self.text += lines;
            self.text += &edge("returning", end);
        } else {
            let colon = if line.is_empty() { "" } else { ":" };
            let _ = writeln!(self.text, "MPI_{function}:{start}{colon}{line}:{end}");
        }
    }

    fn message(&mut self, function: &str, end: &str, peer: u32, request: u32) {
        let rank = self.rank;
        self.call(
            function,
            &format!(
                "4096:1000:1,1,1:{peer}:7:5,{rank},{RANKS}:{}",
                6000 + 8 * request
            ),
            &format!(
                "int count=1000\nMPI_Datatype datatype=2 (MPI_CHAR)\nint {end}={peer}\nint tag=7\n\
                 MPI_Comm comm=2 (MPI_COMM_WORLD)\nMPI_Request request=[{request}]\n"
            ),
        );
    }

    fn finish(mut self) -> String {
        if self.is_dumpi {
            self.call("Finalize", "", "");
            self.text += "Total keyvals: 0\nMPI_Send called 0 times and ignored 0 times\n";
        } else {
            let _ = writeln!(
                self.text,
                "# Finalize clockdiff: 0.1\nMPI_Finalize:{}:-",
                self.now_us
            );
        }
        self.text
    }
}

/// A ring of messages, and a collective, ten times.
fn ring(rank: u32, is_dumpi: bool) -> String {
    let mut tracer = Tracer::new(rank, is_dumpi);
    let (next, before) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
    for _ in 0..10 {
        tracer.compute(1000);
        tracer.message("Irecv", "source", before, 2);
        tracer.message("Isend", "dest", next, 3);
        tracer.call(
            "Waitall",
            "2:6016:0",
            "int count=2\nMPI_Request requests[2]=[2, 3]\nMPI_Status statuses[2]=<IGNORED>\n",
        );
        tracer.compute(500);
        tracer.call(
            "Allreduce",
            &format!("1:2:1:11,8,8:3:5,{rank},{RANKS}"),
            "int count=1\nMPI_Datatype datatype=14 (MPI_DOUBLE)\nMPI_Op op=3 (MPI_SUM)\n\
             MPI_Comm comm=2 (MPI_COMM_WORLD)\n",
        );
    }
    tracer.finish()
}

/// A folder with the files of all ranks, in one of the formats.
fn ranks(is_dumpi: bool, text: impl Fn(u32) -> String) -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for rank in 0..RANKS {
        let name = name(is_dumpi, rank);
        fs::write(folder.path().join(name), text(rank)).expect("it can be written");
    }
    folder
}

fn name(is_dumpi: bool, rank: u32) -> String {
    if is_dumpi {
        format!("dumpi-2026.11.23-{rank:04}.txt")
    } else {
        format!("pmpi-trace-rank-{rank}.txt")
    }
}

#[test]
fn formats_of_one_program_take_the_same_time() {
    let folder = tempfile::tempdir().expect("there is room");
    let actions_s = replayed_s(&actions(folder.path(), ""), &SPEED);
    for is_dumpi in [false, true] {
        let folder = ranks(is_dumpi, |rank| ring(rank, is_dumpi));
        let difference = replayed_s(folder.path(), &[]) - actions_s;
        assert!(difference.abs() < 1e-9, "{is_dumpi}: {difference}");
        // The file of one rank leads to the files of the others.
        let file = folder.path().join(name(is_dumpi, 3));
        assert!((replayed_s(&file, &[]) - actions_s).abs() < 1e-9);
        let model = folder.path().join("model.puml");
        let words = ["--out", model.to_str().expect("it is text")];
        let output = program(&[], &folder.path().join(name(is_dumpi, 0)), &words);
        let said = String::from_utf8_lossy(&output.stderr);
        let text = fs::read_to_string(model).expect("it was written");
        assert!(said.contains("of 8 ranks in 7 elements"), "{said} {text}");
        assert!(!said.contains("note:"), "{said}");
        assert!(text.contains("(pid + 1) % NUM_PROCESSES"), "{text}");
    }
}

#[test]
fn cut_and_wrong_traces_are_refused_with_their_places() {
    for is_dumpi in [false, true] {
        let whole = ring(7, is_dumpi);
        let of = |text: &str| {
            let folder = ranks(is_dumpi, |rank| match rank {
                7 => text.to_owned(),
                _ => ring(rank, is_dumpi),
            });
            refusal(&folder.path().join(name(is_dumpi, 7)))
        };
        let cut = whole.rfind("MPI_Finalize").expect("it is there");
        let cut = whole[..cut].rfind("MPI_Finalize").unwrap_or(cut);
        let said = of(&whole[..cut]);
        let message = "the trace of rank 7 is cut off: it has no `MPI_Finalize`";
        assert!(said.contains(message) && said.contains("7.txt:"), "{said}");
        let (from, to) = if is_dumpi {
            ("int dest=0", "int dest=9")
        } else {
            (":0:7:5,7,8:", ":9:7:5,7,8:")
        };
        assert!(whole.contains(from), "{whole}");
        let said = of(&whole.replace(from, to));
        assert!(said.contains("there is no rank 9: there are 8"), "{said}");
        let said = of(&whole.replace("MPI_Allreduce", "MPI_Win_fence"));
        assert!(said.contains("`MPI_Win_fence` can't be read yet"), "{said}");
        let (from, to) = if is_dumpi {
            ("comm=2 (MPI_COMM_WORLD)", "comm=5 (user-defined-comm)")
        } else {
            ("5,7,8", "6,3,4")
        };
        let said = of(&whole.replace(from, to));
        assert!(said.contains("is a call of some of the ranks"), "{said}");
    }
}

#[test]
fn a_missing_rank_is_told() {
    let folder = ranks(false, |rank| ring(rank, false));
    fs::remove_file(folder.path().join(name(false, 2))).expect("it is there");
    let said = refusal(&folder.path().join(name(false, 0)));
    let message = "pmpi-trace-rank-3.txt: the file of rank 2 is missing before the one of 3";
    assert!(said.contains(message), "{said}");
}
