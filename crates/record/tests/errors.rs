//! Tests error messages about missing, incomplete and invalid recordings.

use std::fs;
use std::path::Path;
use std::process::Command;

use prophet_import::{ImportedTrace, Recording, fold};
use prophet_testing::{assert_says, stderr, write_script};

use crate::programs::{compiled, folder, record, recorded, recording};

/// Returns the error message of a command without MPI. The command gets a folder for its outputs.
fn refusal(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("there is room");
    let out = folder.path().join("out");
    let mut command = record(folder.path());
    let output = command.arg("--out").arg(&out).args(arguments).output();
    let output = output.expect("the command starts");
    assert!(!output.status.success(), "{output:?}");
    assert!(!out.exists(), "nothing is left");
    stderr(&output)
}

#[test]
fn a_missing_compiler_is_said() {
    let told = refusal(&["--mpicc", "/nowhere/mpicc", "--", "true"]);
    assert!(
        told.starts_with("error: cannot start /nowhere/mpicc: ")
            && told.contains("such as Debian's openmpi-bin"),
        "{told}"
    );
    let folder = tempfile::tempdir().expect("there is room");
    let compiler = folder.path().join("mpicc");
    write_script(
        &compiler,
        "#!/bin/sh\necho 'mpi.h: error: no such file' >&2\nexit 1\n",
    );
    let told = refusal(&["--mpicc", compiler.to_str().expect("a name"), "--", "true"]);
    assert_says(
        &told,
        &["could not compile the recorder: mpi.h: error: no such file; check that it"],
    );
}

#[test]
fn programs_without_mpi_are_said() {
    let Some(_) = folder() else { return };
    let told = refusal(&["--", "true"]);
    let expected = "error: nothing was recorded: no program in `true` called MPI_Init, or its \
                    launcher does not pass on LD_PRELOAD; start an MPI program, such as `record \
                    -- mpirun -n 4 ./app`\n";
    assert_eq!(told, expected);
    let told = refusal(&["--", "/nowhere/program"]);
    assert!(
        told.starts_with("error: cannot start /nowhere/program: there is no such file\nhelp: pass"),
        "{told}"
    );
}

#[test]
fn a_static_program_is_said() {
    let Some(folder) = folder() else { return };
    let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
    fs::write(&source, "int main(void) { return 0; }\n").expect("it can be written");
    let status = Command::new("cc")
        .arg("-static")
        .arg("-o")
        .args([&program, &source])
        .status();
    assert!(status.is_ok_and(|it| it.success()));
    let told = refusal(&["--", program.to_str().expect("a name")]);
    assert_says(&told, &["a is linked statically", "without `-static`"]);
}

#[test]
fn parameters_are_checked() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut command = record(folder.path());
    let output = command
        .args(["--out", "x", "--param", "n=ten", "--", "true"])
        .output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    assert_says(stderr(&output), &["expected a number, found `ten`"]);
}

#[test]
fn a_recording_has_a_folder_by_default() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo1d");
    let mut command = record(folder.path());
    let words = ["--", "mpirun", "--oversubscribe", "-n", "2"];
    let output = command.args(words).arg(&program).args(["64", "1"]).output();
    let told = stderr(&output.expect("the command starts"));
    assert!(told.contains("wrote recording: "), "{told}");
    assert!(folder.path().join("recording/rank-1.calls").is_file());
}

/// Tests that the recorder returns the program's exit code, whether or not anyone reads its output.
#[test]
fn a_full_standard_error_changes_no_exit_code() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo1d");
    let full = fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("it is here");
    let mut command = record(folder.path());
    let words = ["--", "mpirun", "--oversubscribe", "-n", "2"];
    command
        .args(words)
        .arg(&program)
        .args(["64", "1"])
        .stderr(full);
    assert_eq!(command.status().expect("it starts").code(), Some(0));
    assert!(folder.path().join("recording/functions.json").is_file());
}

#[test]
fn folders_are_replaced_only_by_force() {
    let Some(folder) = folder() else { return };
    let program = compiled(folder.path(), "halo1d");
    let out = folder.path().join("out");
    let words = [program.to_str().expect("a name"), "64", "1"];
    assert!(recorded(folder.path(), &out, 2, &words).status.success());
    let told = stderr(&recorded(folder.path(), &out, 2, &words));
    assert_says(
        &told,
        &["out already contains a recording; pass `--force` to replace it"],
    );
    fs::write(out.join("notes.txt"), "mine").expect("it can be written");
    let told = stderr(&recorded(folder.path(), &out, 2, &words));
    assert_says(
        &told,
        &["contains files that do not belong to a recording, such as notes.txt"],
    );
}

#[test]
fn a_killed_program_leaves_what_it_had() {
    let Some(folder) = folder() else { return };
    let (out, output) = recording(folder.path(), "every", 4, &["killed"]);
    let told = stderr(&output);
    assert!(!output.status.success(), "{told}");
    assert_says(&told, &["ended without `MPI_Finalize` (0, 1, 2, 3)"]);
    let early = Recording::open_early(&out).expect("it is there");
    assert_eq!(early.ranks()[1].calls["Allgatherv"], 1);
    let why = ImportedTrace::open(&out)
        .expect_err("it has no end")
        .to_string();
    assert_says(
        &why,
        &[
            "rank-0.calls: the recording ends after ",
            " before `MPI_Finalize`: the program was killed",
        ],
    );
}

/// Changes a file, and returns the message about its folder.
fn said(folder: &Path, file: &str, bytes: &[u8]) -> Option<String> {
    let path = folder.join(file);
    let before = fs::read(&path).expect("the file");
    fs::write(&path, bytes).expect("it can be written");
    let opened = ImportedTrace::open(folder);
    let read = opened.and_then(|trace| trace.for_each(|_, _| Ok(())));
    fs::write(&path, before).expect("it can be written");
    read.err().map(|it| it.to_string())
}

/// Changes each byte of a rank's file in turn. The result must be another valid recording, or be
/// rejected.
pub(crate) fn survives_changes(recording: &Path) {
    let path = recording.join("rank-1.calls");
    let file = fs::read(&path).expect("the file");
    for place in (0..file.len()).step_by(13) {
        for change in [1, 130] {
            let mut other = file.clone();
            other[place] ^= change;
            fs::write(&path, &other).expect("it can be written");
            if let Ok(trace) = ImportedTrace::open(recording) {
                let _ = fold(&trace, "Changed");
            }
        }
    }
    fs::write(&path, &file).expect("it can be written");
}

#[test]
fn a_wrong_recording_is_refused() {
    let Some(folder) = folder() else { return };
    let (out, output) = recording(folder.path(), "every", 4, &[]);
    assert!(output.status.success());
    let file = fs::read(out.join("rank-2.calls")).expect("the file");

    // Cut the file anywhere before the end of the last call.
    let end = file
        .windows(10)
        .rposition(|it| it == b"blocked_ns")
        .expect("the record behind it")
        - 2;
    for length in 0..end {
        let why = said(&out, "rank-2.calls", &file[..length]);
        let why = why.unwrap_or_else(|| panic!("{length} bytes"));
        assert!(why.contains("rank-2.calls: "), "{why}");
        let is_told = why.contains("before `MPI_Finalize`") || why.contains("not the recording");
        assert!(is_told, "{length}: {why}");
    }
    survives_changes(&out);

    let other = fs::read(out.join("rank-1.calls")).expect("the file");
    let why = said(&out, "rank-2.calls", &other).expect("it is of another rank");
    assert_says(
        &why,
        &["the file contains rank 1 of 4, but its name says rank 2 of 4"],
    );

    for missing in ["rank-3.calls", "rank-0.calls"] {
        let (path, aside) = (out.join(missing), folder.path().join("aside"));
        fs::rename(&path, &aside).expect("it can be moved");
        let why = ImportedTrace::open(&out)
            .expect_err("a file is missing")
            .to_string();
        assert_says(&why, &[" is missing", "copy all files"]);
        fs::rename(&aside, &path).expect("it can be moved");
    }
}

#[test]
fn a_clock_that_runs_backwards_is_said() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = |text: &str| {
        let length = u8::try_from(text.len()).expect("short");
        [&[length], text.as_bytes()].concat()
    };
    let file = |before: u8| {
        let mut file = b"prophet recording 1\n".to_vec();
        for (key, value) in [("rank", "0"), ("ranks", "1")] {
            file.extend([&[1][..], &text(key), &text(value)].concat());
        }
        file.extend([&[4][..], &text("Finalize"), &text("")].concat());
        file.extend([&[3, 1, 0][..], &text("")].concat());
        file.extend([6, 0, 0, before, 4, 2]);
        file
    };
    let path = folder.path().join("rank-0.calls");
    fs::write(&path, file(6)).expect("it can be written");
    assert!(ImportedTrace::open(folder.path()).is_ok());
    fs::write(&path, file(5)).expect("it can be written");
    let why = ImportedTrace::open(folder.path())
        .expect_err("time is negative")
        .to_string();
    assert!(
        why.ends_with(
            "rank-0.calls: call 1: the clock runs backwards or jumps: -3 ns between two calls; \
             record again on a machine with a steady clock"
        ),
        "{why}"
    );
}
