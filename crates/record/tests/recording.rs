//! Tests that every call of a program is recorded with its partners and sizes, however the program
//! makes it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use prophet_import::{ImportedTrace, Recording, fold};
use prophet_testing::{assert_says, stderr, succeeded};

use crate::programs::{
    compiled, compiled_fortran, events, folder, record, recorded, recording, source,
};

fn repeated(step: &[String], times: usize) -> Vec<String> {
    let steps = std::iter::repeat_n(step, times);
    steps.flatten().cloned().collect()
}

#[test]
fn a_halo_is_recorded_replayed_and_folded() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo1d");
    let out = folder.path().join("halo.4");
    let words = [program.to_str().expect("a name"), "4096", "20"];
    let output = recorded(folder.path(), &out, 4, &words);
    let told = stderr(&output);
    assert!(output.status.success(), "{told}");
    assert!(
        String::from_utf8_lossy(&output.stdout).starts_with("change "),
        "{output:?}"
    );
    // Three pairs of neighbors, a sum, and the end.
    let calls = 20 * (3 * 4 + 4 + 4) + 4;
    assert_says(&told, &[&format!(": {calls} calls of 4 ranks in ")]);
    assert_says(&told, &["\noverhead  ", "MPI_Isend 120"]);

    let all = events(&out);
    let step = |rank: u32| {
        let mut step: Vec<String> = Vec::new();
        let mut with = |peer: u32, own: u32, other: u32| {
            step.push(format!("irecv {peer}#{own}"));
            step.push(format!("isend {peer}#{other} 8B"));
        };
        if rank > 0 {
            with(rank - 1, 1, 2);
        }
        if rank < 3 {
            with(rank + 1, 2, 1);
        }
        step.push("waitall".into());
        step.push("allreduce 8B".into());
        step
    };
    for (events, rank) in all.iter().zip(0..) {
        assert_eq!(*events, repeated(&step(rank), 20), "{rank}");
    }

    told_in_recording(&out, &words);
    replayed_and_folded(&out);
}

fn told_in_recording(out: &Path, words: &[&str]) {
    let recording = Recording::open(out).expect("a recording");
    let first = &recording.ranks()[0];
    assert_eq!(first.program, words[0]);
    assert_eq!(first.command, words);
    assert_eq!(first.parameters["n"], "4096");
    assert!(first.computing_ns > 0 && first.computing_ns < first.wall_ns);
    assert!(
        (50..5_000).contains(&first.overhead_ns),
        "{}",
        first.overhead_ns
    );
}

/// Checks that a halo exchange can be replayed, and folds into few elements.
fn replayed_and_folded(out: &Path) {
    let flags = ["--network", "hockney:latency=1us,bandwidth=1GB/s"].map(OsString::from);
    let code = prophet_import::command::replay(out, &flags).expect("it is replayed");
    assert_eq!(
        format!("{code:?}"),
        format!("{:?}", std::process::ExitCode::SUCCESS)
    );

    let folded = fold(&ImportedTrace::open(out).expect("a trace"), "Halo").expect("it repeats");
    assert!(folded.elements < 20, "{}", folded.text);
    // The times of ranks that share a CPU can differ by more than the tolerance.
    let mut listed = folded.listed.iter();
    assert!(
        listed.all(|it| it.starts_with("Compute")),
        "{:?}",
        folded.listed
    );
    assert!(folded.text.contains("iterations=\"20\""), "{}", folded.text);
    assert_says(&folded.text, &["pid &lt; NUM_PROCESSES - 1"]);
}

#[test]
fn many_kinds_of_calls_are_recorded() {
    let Some(folder) = folder() else { return };
    let (out, output) = recording(folder.path(), "every", 4, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let all = events(&out);
    let expected = [
        "isend 1#1 4B",
        "isend 1#2 8B",
        "irecv 3#1",
        "waitall",
        "receive any#2",
        "irecv 3#3",
        "send 1#3 16B",
        "wait",
        "irecv 3#4",
        "isend 1#4 20B",
    ];
    assert_eq!(all[0][..expected.len()], expected, "{:?}", all[0]);
    let behind: Vec<&str> = { all[0][expected.len()..].iter() }
        .map(String::as_str)
        .skip_while(|it| it.starts_with("wait"))
        .collect();
    let expected = [
        "exchange 1#5 24B 3#5 24B",
        "irecv 3#7",
        "isend 1#7 28B",
        "wait",
        "wait",
        "broadcast from 1 32B",
        "reduce from 2 36B",
        "gather from 0 8B",
        "allgather 12B",
        "alltoall 16B",
        "allgather 10B [4, 4, 4, 4] [4, 8, 12, 16]",
        "reducescatter 40B",
        "allreduce 20B of [0, 1]",
        "broadcast from 1 24B of [2, 0]",
        "barrier 0B",
        "receive 2#9",
    ];
    assert_eq!(behind, expected);
    let last = |rank: usize, count: usize| all[rank][all[rank].len() - count..].to_vec();
    let grid = [
        "allreduce 20B of [2, 3]",
        "broadcast from 1 24B of [3, 1]",
        "barrier 0B",
    ];
    assert_eq!(last(3, 4), [&grid[..], &["send 1#9 12B"]].concat());

    // Rows and columns become values that separate the ranks.
    let folded = fold(&ImportedTrace::open(&out).expect("a trace"), "Every").expect("it folds");
    assert_says(
        &folded.text,
        &["comm=\"pid / Columns()\"", "comm=\"pid % Columns()\""],
    );
    let code = prophet_import::command::replay(&out, &[]).expect("it is replayed");
    assert_eq!(
        format!("{code:?}"),
        format!("{:?}", std::process::ExitCode::SUCCESS)
    );
}

#[test]
fn collectives_that_do_not_block_come_with_their_waits() {
    let Some(folder) = folder() else { return };
    let (out, output) = recording(folder.path(), "begun", 4, &["2"]);
    let told = stderr(&output);
    assert!(
        output.status.success() && !told.contains("do not support"),
        "{told}"
    );
    let last = [
        "broadcast from 0 32B",
        "gather from 3 4B",
        "barrier 0B",
        "allgather 4B",
    ];
    for (events, rank) in events(&out).iter().zip(0..) {
        let (next, before) = ((rank + 1) % 4, (rank + 3) % 4);
        let step = [
            format!("irecv {before}#1"),
            format!("isend {next}#1 8B"),
            "allreduce 8B".to_owned(),
            "waitall".to_owned(),
        ];
        let expected = [&repeated(&step, 2)[..], &last.map(str::to_owned)].concat();
        assert_eq!(*events, expected, "{rank}");
    }
}

#[test]
fn calls_that_are_not_read_are_counted() {
    let Some(folder) = folder() else { return };
    let (out, output) = recording(folder.path(), "every", 4, &["window"]);
    let told = stderr(&output);
    assert!(output.status.success(), "{told}");
    let note = "note: these calls are counted, but `import` and `run` do not support them: \
                MPI_Win_fence 8, MPI_Put 4, MPI_Win_create 4, MPI_Win_free 4\n";
    assert!(told.contains(note), "{told}");
    let trace = ImportedTrace::open(&out).expect("a trace");
    let read = trace.for_each(|_, _| Ok(()));
    let why = read.expect_err("it has one-sided messages").to_string();
    assert_says(
        &why,
        &["rank-0.calls: call ", "`MPI_Win_create` is not supported"],
    );
}

#[test]
fn programs_in_fortran_are_recorded() {
    let Some(folder) = folder() else { return };
    let Some(program) = compiled_fortran(folder.path(), "ring") else {
        return;
    };
    let out = folder.path().join("ring.3");
    let output = recorded(folder.path(), &out, 3, &[program.to_str().expect("a name")]);
    assert!(output.status.success(), "{}", stderr(&output));
    for (events, rank) in events(&out).iter().zip(0_u32..) {
        let (next, before) = ((rank + 1) % 3, (rank + 2) % 3);
        let step = [
            format!("irecv {before}#1"),
            format!("isend {next}#1 800B"),
            "waitall".to_owned(),
            "allreduce 8B".to_owned(),
        ];
        let mut expected = repeated(&step, 10);
        expected.push("broadcast from 0 56B".to_owned());
        assert_eq!(*events, expected, "{rank}");
    }
}

#[test]
fn a_library_is_compiled_once_wherever_the_cache_is() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo1d");
    let cache = folder.path().join("a \"cache\": mine's");
    let made = cache.join("performance-prophet/recorder");
    for out in ["one: \"first\" run's", "two"] {
        let mut command = record(folder.path());
        command.env("XDG_CACHE_HOME", &cache);
        command.args(["--out", out, "--", "mpirun", "-n", "1"]);
        succeeded(command.arg(&program).args(["64", "1"]));
        assert!(folder.path().join(out).join("rank-0.calls").is_file());
        assert_eq!(fs::read_dir(&made).expect("the cache").count(), 1);
    }
    let mut entries = fs::read_dir(made).expect("the cache");
    let library = entries
        .next()
        .and_then(Result::ok)
        .expect("a folder")
        .path();
    only_interfaces_are_visible(&library.join("librecord.so"));
}

/// Checks that programs can use any function names except the names of MPI, Caliper
/// and OMPT functions.
fn only_interfaces_are_visible(library: &Path) {
    let mut nm = Command::new("nm");
    let output = succeeded(nm.args(["-D", "--defined-only"]).arg(library));
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|it| it.split(' ').nth(2));
    let (known, others): (Vec<&str>, Vec<&str>) = names.partition(|name| {
        let prefixes = ["MPI_", "mpi_", "cali_", "_ZN4cali"];
        *name == "ompt_start_tool" || prefixes.iter().any(|it| name.starts_with(it))
    });
    assert!(
        known.contains(&"MPI_Send") && known.contains(&"mpi_send_"),
        "{known:?}"
    );
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn sleep_is_no_computing() {
    let Some(folder) = folder() else { return };
    let (out, output) = recording(folder.path(), "every", 4, &["asleep"]);
    let told = stderr(&output);
    assert_says(
        &told,
        &["note: between calls, a rank slept or waited for files for up to 3"],
    );
    let recording = Recording::open_early(&out).expect("a recording");
    for rank in recording.ranks() {
        assert!(rank.computing_ns < 100_000_000, "{rank:?}");
        assert!(rank.blocked_ns > 290_000_000, "{rank:?}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn counters_of_the_processor_are_recorded() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo1d");
    let library = folder.path().join("counters.so");
    let mut compiler = Command::new("mpicc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library);
    let status = compiler.arg(source("counters.c")).arg("-ldl").status();
    assert!(status.is_ok_and(|it| it.success()));
    let counted = |preload: &str, out: &str| {
        let mut command = record(folder.path());
        command.env("LD_PRELOAD", preload).args(["--out", out]);
        command.args(["--", "mpirun", "-n", "1"]);
        let output = command.arg(&program).args(["64", "10"]).output();
        stderr(&output.expect("the command starts"))
    };

    // A sum and a wait in each step, and the end.
    let told = counted(library.to_str().expect("a name"), "counted");
    let line = "counters  21,000 instructions, 210 cache misses between calls\n";
    assert!(told.contains(line), "{told}");
    let out = folder.path().join("counted");
    let recording = Recording::open(&out).expect("a recording");
    let rank = &recording.ranks()[0];
    assert_eq!(
        (rank.counts.instructions, rank.counts.cache_misses),
        (21_000, 210)
    );

    let told = counted("", "here");
    assert!(told.contains("\ncounters  "), "{told}");
}
