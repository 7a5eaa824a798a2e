//! Times that learned models predict at four times the largest recorded size, and the times of
//! `SMPI`, which runs the programs themselves with equal costs on an equal network.

use std::fs;

use crate::learning::{learned, recordings_of, run};
use crate::programs::{compiled_by, folder, smpi, stderr};

/// Number of ranks that is predicted.
const RANKS: u32 = 64;
/// Largest difference, and the number of programs that may be off by more.
const OFF_MAX: f64 = 0.05;
const MORE: usize = 2;

/// Programs, the sizes that are recorded, and their arguments.
const PROGRAMS: [(&str, &[u32], &[&str]); 10] = [
    ("halo1d", &[4, 8, 16], &["262144", "20"]),
    ("halo2d", &[4, 8, 16], &["960", "10"]),
    ("halo3d", &[2, 4, 8, 16], &["96", "10"]),
    ("gradients", &[4, 8, 16], &["262144", "12"]),
    ("wavefront", &[4, 6, 8, 16], &["100", "4"]),
    ("workers", &[4, 6, 8, 16], &["5", "1000"]),
    ("transpose", &[4, 8, 16], &["1024", "6"]),
    ("multigrid", &[2, 4, 8, 16], &["16384", "5"]),
    ("buckets", &[4, 8, 16], &["65536", "4"]),
    ("particles", &[4, 8, 16], &["200000", "10"]),
];

/// Algorithms of collectives, by our names and `SMPI`'s.
const ALGORITHMS: [[&str; 2]; 4] = [
    ["allreduce=recursive-doubling", "allreduce:rdb"],
    ["reduce=binomial", "reduce:binomial"],
    ["broadcast=binomial", "bcast:binomial_tree"],
    ["alltoall=linear", "alltoall:basic_linear"],
];

/// Network of shared links without corrections for TCP, on which no message waits for its receive.
const NETWORK: [&str; 6] = [
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/TCP-gamma:0",
    "--cfg=smpi/send-is-detached-thresh:1000000000",
    "--cfg=smpi/async-small-thresh:1000000000",
    "--cfg=smpi/display-timing:yes",
];

/// The number after a word in a text.
fn number(text: &str, word: &str) -> f64 {
    let (_, behind) = text.split_once(word).expect("the word is there");
    let is_part = |it: char| it.is_ascii_digit() || ".-+eE".contains(it);
    let number = behind.trim_start().split(|it| !is_part(it)).next();
    number.and_then(|it| it.parse().ok()).expect("a number")
}

/// Seconds that we predict, and that `SMPI` does.
fn predicted(name: &str, sizes: &[u32], arguments: &[&str]) -> Option<[f64; 2]> {
    let folder = folder()?;
    let folder = folder.path();
    let program = compiled_by("mpicc", folder, name, &["-g", "-DPRICED_WORK"]);
    let (model, _) = learned(folder, &recordings_of(&program, sizes, arguments));
    let far = folder.join("far");
    fs::create_dir(&far).expect("there is room");
    let program = compiled_by("smpicc", &far, name, &["-DPRICED_WORK"]);
    let theirs = ALGORITHMS.map(|[_, it]| format!("--cfg=smpi/{it}"));
    let flags = NETWORK.into_iter().chain(theirs.iter().map(String::as_str));
    let output = smpi(&program, RANKS, arguments, &flags.collect::<Vec<_>>());
    let machine = far.join("machine.xml");
    let mut flags = vec!["--machine", machine.to_str().expect("a name")];
    flags.extend(ALGORITHMS.iter().flat_map(|[it, _]| ["--collective", it]));
    let result = run(&model, RANKS, &flags);
    Some([
        number(&result, "\"predicted_time_s\":"),
        number(&stderr(&output), "Simulated time:"),
    ])
}

#[test]
#[ignore = "minutes, and needs SimGrid: cargo test -p prophet-record times_far_away -- --ignored"]
fn times_far_away_are_predicted() {
    let mut far = Vec::new();
    for (name, sizes, arguments) in PROGRAMS {
        let Some([ours, theirs]) = predicted(name, sizes, arguments) else {
            return;
        };
        let off = ours / theirs - 1.0;
        let [ours, theirs] = [ours, theirs].map(|it| 1e3 * it);
        let row = format!("| {name} | {ours:.3} | {theirs:.3} | {:+.1} |", 100.0 * off);
        eprintln!("{row}");
        far.extend((off.abs() > OFF_MAX).then_some(row));
    }
    assert!(far.len() <= MORE, "{far:#?}");
}
