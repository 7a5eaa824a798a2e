//! Tests the times that learned models predict: on this machine, and at four times the largest
//! recorded size. There, they are compared with `SMPI`, which runs the programs themselves with the
//! same costs on the same network.

use std::fs;
use std::path::Path;

use prophet_testing::{skip, stderr, succeeded};
use serde_json::Value;

use crate::analyzing::analyzed;
use crate::learning::{learned, recordings_of, run};
use crate::programs::{compiled_by, folder, record, recorded, smpi};

const RANKS: u32 = 64;
/// Largest difference, and how many programs can exceed it.
const OFF_MAX: f64 = 0.05;
const MORE: usize = 2;
/// The same for models from source code.
const SOURCE_OFF_MAX: f64 = 0.15;

/// Programs, the sizes to record, and their arguments.
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

/// Algorithms of collectives, by our name and by `SMPI`'s.
const ALGORITHMS: [[&str; 2]; 4] = [
    ["allreduce=recursive-doubling", "allreduce:rdb"],
    ["reduce=binomial", "reduce:binomial"],
    ["broadcast=binomial", "bcast:binomial_tree"],
    ["alltoall=linear", "alltoall:basic_linear"],
];

/// A network with shared links and without corrections for TCP, in which messages don't wait for
/// their receives.
const NETWORK: [&str; 6] = [
    "--cfg=network/model:CM02",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/TCP-gamma:0",
    "--cfg=smpi/send-is-detached-thresh:1000000000",
    "--cfg=smpi/async-small-thresh:1000000000",
    "--cfg=smpi/display-timing:yes",
];

fn number(text: &str, word: &str) -> f64 {
    let (_, behind) = text.split_once(word).expect("the word is there");
    let is_part = |it: char| it.is_ascii_digit() || ".-+eE".contains(it);
    let number = behind.trim_start().split(|it| !is_part(it)).next();
    number.and_then(|it| it.parse().ok()).expect("a number")
}

/// Returns the seconds that we and `SMPI` predict for this number of ranks.
fn predicted(
    folder: &Path,
    (name, model): (&str, &Path),
    ranks: u32,
    arguments: &[&str],
) -> [f64; 2] {
    let far = folder.join(format!("far.{ranks}"));
    fs::create_dir(&far).expect("there is room");
    let program = compiled_by("smpicc", &far, name, &["-DPRICED_WORK"]);
    let theirs = ALGORITHMS.map(|[_, it]| format!("--cfg=smpi/{it}"));
    let flags = NETWORK.into_iter().chain(theirs.iter().map(String::as_str));
    let output = smpi(&program, ranks, arguments, &flags.collect::<Vec<_>>());
    let machine = far.join("machine.xml");
    let mut flags = vec!["--machine", machine.to_str().expect("a name")];
    flags.extend(ALGORITHMS.iter().flat_map(|[it, _]| ["--collective", it]));
    let result = run(model, ranks, &flags);
    [
        number(&result, "\"predicted_time_s\":"),
        number(&stderr(&output), "Simulated time:"),
    ]
}

fn row(name: &str, [ours, theirs]: [f64; 2]) -> (f64, String) {
    let off = ours / theirs - 1.0;
    let [ours, theirs] = [ours, theirs].map(|it| 1e3 * it);
    let row = format!("| {name} | {ours:.3} | {theirs:.3} | {:+.1} |", 100.0 * off);
    eprintln!("{row}");
    (off, row)
}

#[test]
#[ignore = "minutes, and needs SimGrid: cargo test -p prophet-record times_far_away -- --ignored"]
fn times_far_away_are_predicted() {
    let mut far = Vec::new();
    for (name, sizes, arguments) in PROGRAMS {
        let Some(folder) = folder() else { return };
        let folder = folder.path();
        let program = compiled_by("mpicc", folder, name, &["-g", "-DPRICED_WORK"]);
        let (model, _) = learned(folder, &recordings_of(&program, sizes, arguments));
        let (off, row) = row(name, predicted(folder, (name, &model), RANKS, arguments));
        far.extend((off.abs() > OFF_MAX).then_some(row));
    }
    assert!(far.len() <= MORE, "{far:#?}");
}

/// Models from source code get their costs from recordings with 1 and 2 ranks.
#[test]
#[ignore = "minutes, and needs SimGrid: cargo test -p prophet-record times_of_source -- --ignored"]
fn times_of_source_are_predicted() {
    if prophet_analyze::clang().is_err() {
        return skip(format_args!("there is no clang"));
    }
    let more = [("blocks", &[][..], &["262144", "10"][..])];
    let mut far = Vec::new();
    for (name, _, arguments) in PROGRAMS.into_iter().chain(more) {
        let Some(folder) = folder() else { return };
        let folder = folder.path();
        let program = compiled_by("mpicc", folder, name, &["-g", "-DPRICED_WORK"]);
        let recordings = recordings_of(&program, &[1, 2], arguments);
        let flags = recordings
            .iter()
            .flat_map(|it| ["--recording", it.to_str().expect("a name")]);
        let model = analyzed(folder, name, &flags.collect::<Vec<_>>());
        for ranks in [4, 8] {
            let times = predicted(folder, (name, &model), ranks, arguments);
            let (off, row) = row(&format!("{name} {ranks}"), times);
            far.extend((off.abs() > SOURCE_OFF_MAX).then_some(row));
        }
    }
    assert!(far.len() <= MORE, "{far:#?}");
}

/// Programs that compute, the ranks for the small recordings, and the first arguments, which are
/// the parameter `n`: a small one, a larger one, and the one to predict.
const COMPUTING: [(&str, &[u32], &str); 5] = [
    ("halo1d", &[1, 2, 4, 8], "40000 400000 4000000"),
    ("halo2d", &[1, 2, 4, 8], "240 720 2160"),
    // A single rank would be its own neighbor on both sides.
    ("gradients", &[2, 4, 8], "10000 100000 1000000"),
    ("transpose", &[1, 2, 4, 8], "128 512 2048"),
    ("buckets", &[1, 2, 4, 8], "20000 200000 2000000"),
];

/// Rounds of recordings, each over all sizes. Their medians are compared.
const ROUNDS: usize = 3;

fn computing(folder: &Path, model: &Path, recording: &Path, size: &str) -> [f64; 2] {
    let mut command = record(folder);
    command.args(["validate", "--json"]).arg(model);
    command.arg("--recording").arg(recording).arg("--");
    command.args(["--processes=4", "--cpus-per-node=4", "--n", size]);
    let output = succeeded(&mut command);
    let compared: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let regions = compared["regions"].as_array().expect("a list");
    ["predicted", "recorded"].map(|of| {
        let of_one = |region: &Value| region[of]["computing_s"].as_f64().expect("a time");
        regions.iter().map(of_one).sum()
    })
}

/// Predicts the computing of 4 ranks from recordings with 1 and 2 ranks, and from recordings with
/// more ranks but little computing, which show the partners. Known prices show what our laws miss,
/// and measured ones test this machine. If 4 ranks share fewer CPUs, only the CPU time of computing
/// is meaningful.
#[test]
#[ignore = "5 minutes: cargo test -p prophet-record times_here -- --ignored --nocapture"]
fn times_here_are_predicted() {
    let Some(folder) = folder() else { return };
    let (folder, mut far) = (folder.path(), false);
    for (name, ranks, sizes) in COMPUTING {
        let sizes: Vec<&str> = sizes.split(' ').collect();
        let few = ranks.iter().map(|it| (*it, sizes[0]));
        let at_most_two = ranks.iter().filter(|it| **it <= 2);
        let large = at_most_two.flat_map(|it| [(*it, sizes[1]), (*it, sizes[2])]);
        let runs: Vec<_> = few.chain(large).chain([(4, sizes[2])]).collect();
        for (costs, flags) in [("priced", &["-g", "-DPRICED_WORK"][..]), ("here", &["-g"])] {
            let program = compiled_by("mpicc", folder, name, flags);
            let recorded = |round: usize, (ranks, size): (u32, &str)| {
                let out = folder.join(format!("{name}.{costs}.{ranks}.{size}.{round}"));
                let words = [program.to_str().expect("a name"), size, "10"];
                let output = recorded(folder, &out, ranks, &words);
                assert!(output.status.success(), "{}", stderr(&output));
                out
            };
            let rounds = (0..ROUNDS).map(|round| runs.iter().map(move |it| (round, *it)));
            let mut known: Vec<_> = rounds.flatten().map(|it| recorded(it.0, it.1)).collect();
            let last = (1..=ROUNDS).rev().map(|it| it * runs.len() - 1);
            let unknown: Vec<_> = last.map(|it| known.remove(it)).collect();
            let (model, _) = learned(folder, &known);
            let times = unknown
                .iter()
                .map(|it| computing(folder, &model, it, sizes[2]));
            let mut times: Vec<_> = times.collect();
            times.sort_by(|one, other| one[1].total_cmp(&other[1]));
            let [ours, theirs] = times[ROUNDS / 2];
            let [least, most] = [times[0][1], times[ROUNDS - 1][1]].map(|it| 1e3 * it);
            let off = ours / theirs - 1.0;
            far |= costs == "priced" && off.abs() > OFF_MAX;
            let off = 100.0 * off;
            let [ours, theirs] = [ours, theirs].map(|it| 1e3 * it);
            let theirs = format!("{theirs:.2} ({least:.2} to {most:.2})");
            eprintln!("| {name} | {costs} | {ours:.2} | {theirs} | {off:+.1} |");
        }
    }
    assert!(!far, "costs are given");
}
