//! Tests that programs behave the same with and without the recorder, including their exit codes.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use prophet_import::Recording;
use prophet_testing::{assert_says, send_signal, stderr};

use crate::programs::{as_root, compiled_by, folder, record};
use crate::regions::made;

/// Programs: compiler, name and flags, number of ranks, and arguments. Zero ranks means without
/// `mpirun`, which has its own exit codes.
const PROGRAMS: &[(&str, &str, &[&str], u32, &str)] = &[
    ("mpicc", "errors", &["-w"], 1, ""),
    ("mpicc", "errors", &["-w"], 0, "jump"),
    ("mpicxx", "throws", &[], 1, ""),
    ("mpicc", "clashes", CLASHES, 1, ""),
    ("mpicc", "ends", &[], 0, "error"),
    ("mpicc", "ends", &[], 0, "fork"),
    ("mpicc", "ends", &[], 0, "file"),
    ("mpicc", "ends", &[], 0, "room"),
    ("mpicc", "ends", &[], 0, "name"),
    ("mpicc", "ends", &[], 0, "exit 0"),
    ("mpicc", "ends", &[], 0, "exit 5"),
    ("mpicc", "ends", &[], 0, "return 3"),
    ("mpicc", "ends", &[], 0, "signal 9"),
    ("mpicc", "ends", &[], 0, "signal 11"),
    ("mpicc", "ends", &[], 0, "abort 6"),
    ("mpicc", "ends", &[], 2, "exit 5"),
    ("mpicc", "ends", &[], 2, "signal 15"),
    ("mpicc", "begun", &[], 2, "2"),
    ("mpicc", "buckets", &[], 2, "4096 2"),
    ("mpicc", "every", &[], 4, "window"),
    ("mpicc", "gradients", &[], 2, "1024 3"),
    ("mpicc", "halo1d", &[], 2, "1024 3"),
    ("mpicc", "halo2d", &[], 4, "96 3"),
    ("mpicc", "halo3d", &[], 4, "24 3"),
    ("mpicc", "multigrid", &[], 2, "1024 2"),
    ("mpicc", "neighbors", &[], 4, "16 2"),
    ("mpicc", "particles", &[], 2, "2000 3"),
    ("mpicc", "transpose", &[], 2, "64 2"),
    ("mpicc", "trees", &[], 4, "256 2"),
    ("mpicc", "wavefront", &[], 4, "40 2"),
    ("mpicc", "workers", &[], 3, "2 100"),
];
/// Flags for the program that exports its functions and has a library.
const CLASHES: &[&str] = &["-rdynamic", "-L.", "-lclashes", "-Wl,-rpath,$ORIGIN"];

fn code(output: &Output) -> i32 {
    let status = output.status;
    status
        .code()
        .or(status.signal().map(|it| 128 + it))
        .expect("it ended")
}

fn row(folder: &Path, (compiler, name, flags, ranks, arguments): (&str, &str, &[&str], u32, &str)) {
    let program = compiled_by(compiler, folder, name, flags);
    let count = ranks.to_string();
    let mut words = vec!["mpirun", "--oversubscribe", "-n", &count];
    words.truncate(if ranks > 0 { words.len() } else { 0 });
    words.push(program.to_str().expect("a name"));
    words.extend(arguments.split_ascii_whitespace());
    let bare = as_root(Command::new(words[0]).current_dir(folder))
        .args(&words[1..])
        .output();
    let bare = bare.expect("the program starts");
    let out = folder.join(format!("{name} {arguments} {ranks}"));
    let mut command = record(folder);
    let recorded = command
        .arg("--out")
        .arg(&out)
        .arg("--")
        .args(&words)
        .output();
    let recorded = recorded.expect("the command starts");
    let [ours, theirs] =
        [&recorded, &bare].map(|it| (String::from_utf8_lossy(&it.stdout), code(it)));
    assert_eq!(ours, theirs, "{name} {arguments}: {}", stderr(&recorded));
    let recording = Recording::open_early(&out);
    let recording = recording.unwrap_or_else(|why| panic!("{name} {arguments}: {why}"));
    assert_eq!(recording.ranks().len(), ranks.max(1) as usize);
    recorded_of(name, arguments, &recording, &stderr(&recorded));
}

/// Checks the recordings of programs that do something unusual.
fn recorded_of(name: &str, arguments: &str, recording: &Recording, told: &str) {
    let first = &recording.ranks()[0];
    let calls = |function: &str| first.calls.get(function).copied().unwrap_or(0);
    match (name, arguments) {
        ("errors", "") => {
            // Messages that are too long have arrived.
            let of = [
                "Barrier", "Recv", "Isend", "Waitall", "Wait", "Bcast", "Finalize",
            ];
            assert_eq!(of.map(calls), [1, 1, 2, 1, 1, 0, 1], "{:?}", first.calls);
            assert_says(
                told,
                &["note: 36 calls to MPI failed; the recording omits them"],
            );
        }
        ("errors", "jump") => assert_eq!((calls("Barrier"), first.failed), (4, 1)),
        ("throws", _) => {
            let counts = (calls("Barrier"), calls("Allreduce"), first.failed);
            assert_eq!(counts, (3, 10, 2));
        }
        ("ends", "fork") => assert_eq!((calls("Barrier"), first.regions.len()), (31, 1)),
        ("ends", "room") => assert_says(told, &["files may not be larger (`ulimit -f`)"]),
        ("ends", "name") => {
            let long = first
                .regions
                .keys()
                .max_by_key(|it| it.len())
                .expect("a region");
            assert!(
                long.len() > 65_000 && long.ends_with('\u{e9}'),
                "{}",
                long.len()
            );
            assert!(told.lines().all(|it| it.chars().count() < 200), "{told}");
        }
        ("ends", "exit 0") => assert_says(told, &["ended without `MPI_Finalize` (0)"]),
        _ => {}
    }
}

#[test]
fn programs_do_the_same_with_the_recorder() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    made(
        folder,
        "libclashes.so",
        "clashes.c",
        &["-DLIBRARY", "-shared", "-fPIC"],
    );
    for program in PROGRAMS {
        row(folder, *program);
    }
    let mut command = record(folder);
    let output = command.args(["--", "sh", "-c", "exit 7"]).output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(7));
    assert_says(
        stderr(&output),
        &["nothing was recorded", "failed (exit status: 7)"],
    );
    // Nobody reads the messages about the recording.
    let full = fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let mut command = record(folder);
    command
        .args(["--out", "full", "--", "./ends", "exit", "5"])
        .stderr(full);
    let status = as_root(&mut command).status().expect("the command starts");
    assert_eq!(status.code(), Some(5));
}

/// Returns `true` if a process has this text in its command line.
fn runs(text: &Path) -> bool {
    let text = text.to_str().expect("a name").as_bytes();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut commands = entries.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    commands.any(|it| it.windows(text.len()).any(|it| it == text))
}

#[test]
fn a_signal_ends_the_program_and_two_commands_share_no_folder() {
    let Some(folder) = folder() else { return };
    let folder = folder.path();
    let program = compiled_by("mpicc", folder, "ends", &[]);
    let started = |command: &mut Command| {
        let words = [
            "--force",
            "--out",
            "out",
            "--",
            "mpirun",
            "--oversubscribe",
            "-n",
            "2",
        ];
        let command = command.args(words).arg(&program).arg("wait");
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.spawn().expect("the command starts")
    };
    let mut first = started(&mut record(folder));
    let mut lines = BufReader::new(first.stdout.take().expect("it is piped")).lines();
    for _ in 0..2 {
        let line = lines.next().and_then(Result::ok);
        assert_eq!(line.as_deref(), Some("waits"));
    }

    let second = started(&mut record(folder)).wait_with_output();
    let second = second.expect("the command ends");
    assert_eq!(second.status.code(), Some(1));
    let expected = "error: another `record` is writing out\nhelp: wait for it, or choose another \
                    folder, such as `--out other`\n";
    assert_eq!(stderr(&second), expected);

    assert!(send_signal(first.id(), "TERM"));
    let first = first.wait_with_output().expect("the command ends");
    assert!(code(&first) > 0, "{first:?}");
    assert_says(
        stderr(&first),
        &["wrote out: ", "ended without `MPI_Finalize` (0, 1)"],
    );
    assert!(!runs(&program), "the program runs on");
}
