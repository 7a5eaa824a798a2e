//! Learns models from programs recorded at small sizes, and compares every message at larger sizes
//! with a recording.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use prophet_frontend::checked::check;
use prophet_interpreter::Interpreted;

use prophet_testing::{assert_says, stderr, succeeded};
use tempfile::TempDir;

use crate::programs::{compiled, compiled_by, events, folder, record, recorded, smpi};

fn recordings(folder: &Path, name: &str, ranks: &[u32], arguments: &[&str]) -> Vec<PathBuf> {
    recordings_of(&compiled(folder, name), ranks, arguments)
}

/// Records a compiled program in its own folder.
pub(crate) fn recordings_of(program: &Path, ranks: &[u32], arguments: &[&str]) -> Vec<PathBuf> {
    let folder = program.parent().expect("it is in a folder");
    let mut words = vec![program.to_str().expect("a name")];
    words.extend(arguments);
    let one = |ranks: &u32| {
        let out = program.with_extension(ranks.to_string());
        let output = recorded(folder, &out, *ranks, &words);
        assert!(output.status.success(), "{}", stderr(&output));
        out
    };
    ranks.iter().map(one).collect()
}

pub(crate) fn learned(folder: &Path, recordings: &[PathBuf]) -> (PathBuf, String) {
    let out = folder.join("learned.prophet.xml");
    let told = learned_by(folder, recordings, &["--force"], &out);
    (out, told.unwrap_or_else(|told| panic!("{told}")))
}

/// Learns a model, which is written or rejected. Returns the messages about it.
pub(crate) fn learned_by(
    folder: &Path,
    recordings: &[PathBuf],
    flags: &[&str],
    out: &Path,
) -> Result<String, String> {
    let mut command = record(folder);
    command.arg("learn").args(recordings).args(flags);
    let output = command.arg("--out").arg(out).output();
    let output = output.expect("the command starts");
    let told = stderr(&output);
    if output.status.success() {
        Ok(told)
    } else {
        Err(told)
    }
}

pub(crate) fn traced(folder: &Path, model: &Path, ranks: u32) -> PathBuf {
    let trace = folder.join(format!("learned.{ranks}.arrow"));
    let file = trace.to_str().expect("a name");
    let network = "hockney:latency=1us,bandwidth=1GB/s";
    run(model, ranks, &["--network", network, "--trace", file]);
    trace
}

pub(crate) fn run(model: &Path, ranks: u32, flags: &[&str]) -> String {
    let text = fs::read_to_string(model).expect("the model");
    let checked = check(model, None).expect("it is a model");
    let errors = checked.diagnostics.iter();
    let known = ["PM0904", "PM0920", "PM0945"];
    let errors: Vec<_> = errors.filter(|it| !known.contains(&&*it.code)).collect();
    assert!(errors.is_empty(), "{errors:?} {text}");
    let program = Interpreted::new(&checked, "model", false).expect("it can be interpreted");
    let nodes = ranks.to_string();
    let words = ["model", "--nodes", &nodes, "--format", "json"];
    let words = words.iter().chain(flags).map(OsString::from);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = program.run_to(words.collect::<Vec<_>>(), &mut out, &mut err);
    assert_eq!(code, 0, "{} {text}", String::from_utf8_lossy(&err));
    String::from_utf8(out).expect("it is a text")
}

/// Returns a rank's sends and collectives in order, and its receives sorted.
fn messages(events: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut sent, mut received) = (Vec::new(), Vec::new());
    for event in events {
        let words: Vec<&str> = event.split(' ').collect();
        match words.as_slice() {
            ["send" | "isend", to, bytes] => sent.push(format!("{to} {bytes}")),
            ["receive" | "irecv", from, ..] => received.push((*from).to_owned()),
            ["exchange", to, bytes, from, ..] => {
                sent.push(format!("{to} {bytes}"));
                received.push((*from).to_owned());
            }
            ["wait" | "waitall"] => {}
            _ => sent.push(event.clone()),
        }
    }
    received.sort();
    (sent, received)
}

/// Number of elements that a person would draw for each program: loops, activity calls, computing,
/// messages, waits and collectives.
pub(crate) const DRAWN: [(&str, usize); 12] = [
    // A loop, computing and a sum. For the exchange: its call, two messages each way, and a wait.
    ("halo1d", 3 + 6),
    // A loop, computing and a maximum. For the exchange: its call, four messages each way, and a
    // wait.
    ("halo2d", 3 + 10),
    // As before, with six messages each way.
    ("halo3d", 3 + 14),
    // A broadcast, a loop, three computations; a product of vectors in two elements, called three
    // times; a product with the matrix in three elements, called once.
    ("gradients", 5 + 5 + 4),
    // A loop and a sum. For each direction: its call, a loop, four messages, and computing.
    ("wavefront", 2 + 2 * 7),
    // A loop, computing; a sum with its loop, three messages and computing, called twice; an
    // exchange with three.
    ("blocks", 2 + 2 + 5 + 4),
    // A loop and two calls; an exchange; two loops of computing and a call; four elements, twice.
    ("stages", 3 + 1 + 5 + 8),
    // A loop and two calls; two loops of the master with a message each; three elements of the
    // worker.
    ("workers", 3 + 4 + 3),
    // A loop, computing, an all-to-all exchange, and a broadcast.
    ("transpose", 4),
    // Loops over cycles, down and up, and a norm; three activities with six, two and two elements,
    // called four times.
    ("multigrid", 4 + 4 + 10),
    // A loop, two sorts, the largest bucket. For the exchange: its call and two collectives.
    ("buckets", 4 + 3),
    // A loop, two computations, a sum; an exchange with two elements, called twice.
    ("particles", 4 + 4),
];
/// Maximum number of elements in a learned model, as a multiple of what a person would draw.
pub(crate) const DRAWN_FACTOR: usize = 3;

/// Fails if a model has many more elements than a person would draw, according to the messages
/// about it.
fn assert_few_elements(name: &str, told: &str) {
    let Some((_, drawn)) = DRAWN.iter().find(|it| it.0 == name) else {
        return;
    };
    let before = told.split(" elements\n").next().unwrap_or_default();
    let elements: usize = before
        .rsplit(' ')
        .next()
        .unwrap_or_default()
        .parse()
        .expect("a number");
    eprintln!("{name}: {elements} elements, {drawn} drawn");
    assert!(elements <= DRAWN_FACTOR * drawn, "{name}: {told}");
}

/// Learns a program from small sizes. Returns the folder and the model.
fn learned_from(name: &str, from: &[u32], arguments: &[&str]) -> Option<(TempDir, PathBuf)> {
    let folder = folder()?;
    let small = recordings(folder.path(), name, from, arguments);
    let (model, told) = learned(folder.path(), &small);
    assert!(
        !told.contains("no general rule"),
        "{told} {}",
        fs::read_to_string(&model).unwrap()
    );
    assert_few_elements(name, &told);
    Some((folder, model))
}

/// Compares all messages in a model's run and in a trace, after applying `change` to all events.
pub(crate) fn assert_messages(
    folder: &Path,
    model: &Path,
    ranks: u32,
    trace: &Path,
    change: fn(&mut String),
) {
    let (mut predicted, mut expected) = (events(&traced(folder, model, ranks)), events(trace));
    for event in predicted.iter_mut().chain(&mut expected).flatten() {
        change(event);
    }
    assert_eq!(predicted.len(), expected.len());
    for (rank, (predicted, expected)) in predicted.iter().zip(&expected).enumerate() {
        let (predicted, expected) = (messages(predicted), messages(expected));
        assert_eq!(
            predicted,
            expected,
            "{}, {rank} of {ranks}",
            trace.display()
        );
    }
}

/// Learns a program from small sizes, and compares all messages in a larger run.
fn compare(name: &str, from: &[u32], to: &[u32], arguments: &[&str]) {
    let Some((folder, model)) = learned_from(name, from, arguments) else {
        return;
    };
    for (ranks, recording) in to
        .iter()
        .zip(recordings(folder.path(), name, to, arguments))
    {
        assert_messages(folder.path(), &model, *ranks, &recording, |_| {});
    }
}

/// Removes tags, which `SMPI` doesn't report for all messages.
fn without_tags(event: &mut String) {
    let words = event.split(' ');
    let words = words.map(|it| it.split('#').next().unwrap_or_default());
    *event = words.collect::<Vec<_>>().join(" ");
}

/// Like [`compare`], but with `SMPI` traces of 64 and 256 ranks.
fn compare_far(name: &str, from: &[u32], arguments: &[&str]) {
    let Some((folder, model)) = learned_from(name, from, arguments) else {
        return;
    };
    for ranks in [64, 256] {
        let trace = simulated(folder.path(), name, ranks, arguments);
        assert_messages(folder.path(), &model, ranks, &trace, without_tags);
    }
}

/// Returns the trace of a program that `SMPI` runs. Its times don't matter.
fn simulated(folder: &Path, name: &str, ranks: u32, arguments: &[&str]) -> PathBuf {
    let program = compiled_by("smpicc", folder, name, &[]);
    let trace = folder.join(format!("{name}.{ranks}.ti"));
    let file = format!("--cfg=tracing/filename:{}", trace.display());
    smpi(&program, ranks, arguments, &["-trace-ti", &file]);
    trace.with_extension("ti_files")
}

#[test]
fn a_halo_is_learned() {
    compare("halo1d", &[2, 4, 8], &[16, 31], &["4096", "20"]);
}

#[test]
fn sums_are_learned() {
    compare("gradients", &[2, 4, 8], &[16, 24], &["4096", "7"]);
    // A single rank sends to itself.
    compare("gradients", &[1, 2, 4, 8], &[24], &["4096", "7"]);
}

#[test]
fn a_wavefront_is_learned() {
    compare("wavefront", &[4, 6, 8, 16], &[24, 32], &["40", "3"]);
}

#[test]
fn a_grid_is_learned() {
    compare("halo2d", &[4, 8, 16], &[32], &["480", "10"]);
    compare("halo2d", &[1, 2, 4, 8, 16], &[32], &["480", "10", "torus"]);
}

#[test]
fn collectives_of_neighbors_are_learned() {
    compare("neighbors", &[4, 8, 16], &[32], &["16", "4"]);
}

#[test]
fn blocks_of_a_matrix_are_learned() {
    compare("transpose", &[2, 4, 8], &[16], &["256", "6"]);
}

#[test]
fn a_master_is_learned() {
    compare("workers", &[4, 6, 8], &[16, 20], &["5", "100"]);
}

#[test]
fn a_transposed_grid_is_learned() {
    compare("blocks", &[2, 4, 8], &[16], &["1024", "4"]);
    compare("blocks", &[4, 8, 16], &[32], &["1024", "4"]);
}

#[test]
fn stages_are_learned() {
    compare("stages", &[4, 9, 16], &[25, 36], &["720", "3"]);
}

#[test]
fn buckets_are_few_elements() {
    learned_from("buckets", &[2, 4, 8], &["16384", "4"]);
}

#[test]
fn neighbors_at_corners_are_learned() {
    compare("neighbors", &[8, 12, 27], &[36], &["16", "3", "cube"]);
}

#[test]
fn a_cube_is_learned() {
    compare("halo3d", &[2, 4, 8, 16], &[12], &["36", "4"]);
}

#[test]
fn multigrid_is_learned() {
    compare("multigrid", &[2, 4, 6], &[12], &["4096", "5"]);
}

#[test]
fn trees_are_learned() {
    compare("trees", &[2, 4, 8], &[16], &["1024", "4"]);
    compare("trees", &[2, 4, 8, 16], &[32], &["1024", "4"]);
}

#[test]
fn sizes_that_data_decide_are_means() {
    let Some(folder) = folder() else { return };
    let small = recordings(folder.path(), "particles", &[2, 4, 8], &["20000", "12"]);
    let (model, told) = learned(folder.path(), &small);
    assert!(!told.contains("no general rule"), "{told}");
    assert_few_elements("particles", &told);
    assert_says(
        &told,
        &["message sizes depend on the program's data, so the model uses"],
    );
    let text = fs::read_to_string(model).expect("the model");
    assert_says(&text, &["dest=\"(pid + 1) % NUM_PROCESSES\" size=\"Size"]);
}

/// Tests that all ranks compute in the same step, although a single rank has no neighbors and ranks
/// at edges lack some.
#[test]
fn ranks_without_neighbors_compute_as_others_do() {
    let Some(folder) = folder() else { return };
    let small = recordings(folder.path(), "halo2d", &[1, 2, 4, 8], &["240", "10"]);
    let (model, _) = learned(folder.path(), &small);
    let text = fs::read_to_string(model).expect("the model");
    assert!(!text.contains("Allreduce2"), "{text}");
    assert!(text.matches("name=\"Compute").count() <= 4, "{text}");
}

#[test]
#[ignore = "about a minute, and needs SimGrid: cargo test -p prophet-record far_away -- --ignored"]
fn messages_far_away_are_predicted() {
    compare_far("halo1d", &[2, 4, 8], &["4096", "20"]);
    compare_far("halo3d", &[2, 4, 8, 16], &["48", "4"]);
    compare_far("gradients", &[2, 4, 8], &["4096", "7"]);
    compare_far("wavefront", &[4, 6, 8, 16], &["40", "3"]);
    compare_far("workers", &[4, 6, 8], &["5", "100"]);
    compare_far("transpose", &[2, 4, 8], &["256", "6"]);
    compare_far("multigrid", &[2, 4, 8, 16], &["4096", "5"]);
    compare_far("trees", &[2, 4, 8], &["1024", "4"]);
    // SMPI doesn't report the messages of persistent requests.
    compare("halo2d", &[4, 8, 16], &[64], &["480", "10"]);
}

#[test]
fn sizes_depend_on_parameters() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo2d");
    let recorded = |ranks: u32, cells: u32| {
        let out = folder.path().join(format!("cells{cells}.{ranks}"));
        let mut command = record(folder.path());
        command
            .arg("--out")
            .arg(&out)
            .args(["--param", &format!("cells={cells}")]);
        command.args(["--", "mpirun", "--oversubscribe", "-n", &ranks.to_string()]);
        succeeded(command.arg(&program).args([&cells.to_string(), "5"]));
        out
    };
    let runs = [(4, 240), (8, 240), (8, 480), (16, 480)].map(|it| recorded(it.0, it.1));
    let (model, told) = learned(folder.path(), &runs);
    assert!(!told.contains("no general rule"), "{told}");
    let text = fs::read_to_string(model).expect("the model");
    assert_says(
        &text,
        &["<parameter name=\"cells\" type=\"long\" value=\"480\"/>"],
    );
    for size in [
        "size=\"8 * (cells / Columns())\"",
        "size=\"8 * (cells / Rows())\"",
    ] {
        assert!(text.contains(size), "{size} {text}");
    }
}

#[test]
fn recordings_that_do_not_belong_together_are_refused() {
    let Some(folder) = folder() else { return };
    let halo = recordings(folder.path(), "halo1d", &[2, 4], &["64", "2"]);
    let other = recordings(folder.path(), "workers", &[4], &["1", "8"]);
    let refused = |words: &[&Path]| {
        let out = folder.path().join("refused.puml");
        let mut command = record(folder.path());
        command.arg("learn").args(words).arg("--out").arg(&out);
        let output = command.output().expect("the command starts");
        assert!(!output.status.success() && !out.exists());
        stderr(&output)
    };
    let told = refused(&[&halo[0], &other[0]]);
    assert_says(
        &told,
        &[
            "halo1d.2 is a recording of ",
            ": pass recordings of one program",
        ],
    );
    let told = refused(&[&halo[0], &halo[0]]);
    assert_says(
        &told,
        &["all recordings have 2 ranks: also record the program with other numbers of ranks"],
    );
    let trace = folder.path().join("a.ti");
    fs::write(&trace, "0 init\n0 finalize\n").expect("it can be written");
    let told = refused(&[&halo[0], &trace]);
    assert_says(
        &told,
        &["a.ti: this is a trace of another tool; `learn` only reads"],
    );
    let mut command = record(folder.path());
    let out = folder.path().join("other.4");
    command
        .arg("--out")
        .arg(&out)
        .args(["--", "mpirun", "--oversubscribe", "-n", "4"]);
    let program = folder.path().join("halo1d");
    assert!(command.arg(program).status().is_ok_and(|it| it.success()));
    let told = refused(&[&halo[0], &out]);
    assert_says(
        &told,
        &[
            "halo1d.2 has n, but ",
            "other.4 has no parameters: record all",
        ],
    );
}

/// Tests that the paths in a recording aren't followed, because it can come from a stranger.
#[test]
fn programs_that_a_recording_names_are_not_looked_for() {
    let Some(folder) = folder() else { return };
    let all = recordings(folder.path(), "halo1d", &[2, 3, 4], &["1000", "3"]);
    let marked = folder.path().join("looked");
    let script = format!("#!/bin/sh\necho >> {}\n", marked.display());
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).expect("there is room");
    prophet_testing::write_script(&tools.join("addr2line"), &script);
    let out = folder.path().join("model.puml");
    let mut command = record(folder.path());
    command
        .arg("learn")
        .args(&all)
        .arg("--out")
        .arg(&out)
        .env("PATH", &tools);
    prophet_testing::succeeded(&mut command);
    assert!(!marked.exists());
    // Debug information was read when the program was recorded.
    let model = fs::read_to_string(&out).expect("the model");
    assert!(model.contains("exchange"), "{model}");
}
