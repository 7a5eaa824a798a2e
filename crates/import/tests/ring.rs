//! Defines a program to record in several formats: a ring of processes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const RANKS: u32 = 8;

/// Writes the program's time-independent trace. `last` is what each rank does after its loop;
/// `{next}` and `{before}` stand for its neighbors.
pub(crate) fn actions(folder: &Path, last: &str) -> PathBuf {
    let mut text = String::new();
    for rank in 0..RANKS {
        let (next, before) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
        let _ = writeln!(text, "{rank} init");
        for _ in 0..10 {
            let _ = write!(
                text,
                "{rank} compute 1000\n{rank} irecv {before} 7 1000\n{rank} isend {next} 7 1000\n\
                 {rank} waitall\n{rank} compute 500\n{rank} allreduce 8 0\n"
            );
        }
        if !last.is_empty() {
            let last = last.replace("{next}", &next.to_string());
            let last = last.replace("{before}", &before.to_string());
            let _ = writeln!(text, "{rank} {last}");
        }
        let _ = writeln!(text, "{rank} finalize");
    }
    let path = folder.join("ring.ti");
    fs::write(&path, text).expect("it can be written");
    path
}
