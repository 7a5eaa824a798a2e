//! The skeletons in C with MPI and OpenMP: they compile without warnings, and execute what the
//! simulation executes. Skipped where MPI is missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Failure, Request, generate};
use prophet_codegen::workspace::Workspace;
use prophet_runtime::{Simulation, System};
use prophet_targets::mpi_c::MpiC;
use prophet_targets::validate::Mpi;
use prophet_tests::{models, root, stem};
use serde_json::Value;

const WARNINGS: &str = "CFLAGS=-std=c11 -O1 -Wall -Wextra -Werror";

/// Whether a program is there.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no {program}");
    }
    found
}

fn workspace() -> Workspace {
    Workspace {
        root: root(),
        runtime: root().join("prophet-runtime"),
    }
}

/// Writes the skeleton of a model to a folder.
fn write(model: &Path, folder: &Path) -> Result<(), Failure> {
    let rules = RuleSet::shipped();
    let request = Request {
        targets: &[&MpiC],
        out: Some(folder),
        ..Request::new(model, &rules)
    };
    generate(&request, &workspace()).map(|_| ())
}

/// Compiles what is in a folder.
fn make(folder: &Path) {
    let output = Command::new("make")
        .args(["-s", WARNINGS, "-C"])
        .arg(folder)
        .output()
        .expect("make can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", folder.display());
}

#[test]
fn skeletons_compile_without_warnings() {
    if !has("mpicc") || !has("make") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut support: Option<PathBuf> = None;
    for models_folder in [
        "sample-models",
        "tests/models/flow",
        "tests/models/machine",
        "tests/models/mpi",
        "tests/models/threads",
    ] {
        for model in models(models_folder) {
            if stem(&model) == "wait-all" {
                continue;
            }
            let out = folder.path().join(format!("{}-out", stem(&model)));
            if let Err(failure) = write(&model, &out) {
                panic!("{}: {failure:?}", model.display());
            }
            // The support is the same for all: compile it once.
            if let Some(support) = &support {
                for entry in fs::read_dir(support).expect("the folder is there") {
                    let path = entry.expect("it can be listed").path();
                    let name = path.file_name().expect("it has a name");
                    let is_support = name.to_string_lossy().starts_with("prophet_");
                    if is_support && path.extension().is_some_and(|it| it == "o") {
                        fs::copy(&path, out.join(name)).expect("it can be copied");
                    }
                }
            }
            make(&out);
            support.get_or_insert(out);
        }
    }
}

#[test]
fn a_posted_receive_without_a_size_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = root().join("tests/models/mpi/wait-all.uml");
    let Err(Failure::Model(checked)) = write(&model, folder.path()) else {
        panic!("it is generated");
    };
    let problem = &checked.diagnostics[0];
    assert_eq!(problem.code, "PM1001");
    let expected = "WaitAll::Program::Main::First has no size, and MPI_Irecv needs a buffer of one";
    assert_eq!(problem.message, expected);
}

/// Whether programs can be compiled and run with MPI.
fn has_mpi() -> bool {
    match Mpi::find() {
        Ok(_) => true,
        Err(missing) => {
            eprintln!("skipped: {missing}");
            false
        }
    }
}

/// A command that may start MPI as root, as tests in containers do.
fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command
}

/// Runs the skeleton in a folder; costs sleep for a millionth of their time.
fn run(folder: &Path, processes: u32, flags: &[&str]) -> Output {
    let mpi = Mpi::find().expect("MPI was there");
    command("mpirun")
        .args(mpi.flags(processes))
        .arg(folder.join("skeleton"))
        .args(["--costs=sleep", "--scale=1e-6"])
        .args(flags)
        .output()
        .expect("mpirun can be started")
}

/// How often each element is executed, by name and id.
type Counts = BTreeMap<(String, i64), u64>;

/// The counts of a skeleton's run.
fn measured(model: &Path, processes: u32, threads: u32) -> Counts {
    let folder = tempfile::tempdir().expect("a folder can be made");
    if let Err(failure) = write(model, folder.path()) {
        panic!("{}: {failure:?}", model.display());
    }
    make(folder.path());
    let output = run(folder.path(), processes, &[&format!("--threads={threads}")]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", model.display());
    let result: Value = serde_json::from_slice(&output.stdout).expect("the result is JSON");
    assert_eq!(result["system"]["processes"], processes);
    let elements = result["elements"].as_array().expect("it has elements");
    let count = |it: &Value| it["count"].as_u64().expect("an element has a count");
    let key = |it: &Value| {
        let name = it["name"].as_str().expect("an element has a name");
        (name.to_owned(), it["id"].as_i64().expect("it has an id"))
    };
    elements.iter().map(|it| (key(it), count(it))).collect()
}

/// The counts that the simulation of a sample predicts, beside those of its skeleton.
macro_rules! compare {
    ($sample:ident, $processes:literal, $threads:literal) => {{
        let mut system = System::new(1, $processes * $threads, $processes, $threads);
        system.parameters = $sample::MODEL.defaults();
        let outcome = Simulation::new(&$sample::MODEL, system)
            .run($sample::program)
            .unwrap_or_else(|failure| panic!("{failure}"));
        let elements = outcome.elements.iter();
        let predicted: Counts = elements
            .map(|it| ((it.name.clone(), it.id), it.count))
            .collect();
        let model = concat!("sample-models/", stringify!($sample), ".uml");
        let measured = measured(&root().join(model), $processes, $threads);
        assert_eq!(predicted, measured, "{model}");
    }};
}

#[test]
fn skeletons_execute_what_the_simulation_executes() {
    if !has_mpi() {
        return;
    }
    compare!(contention, 1, 3);
    compare!(halo, 3, 1);
    compare!(hybrid, 2, 2);
    compare!(jacobi2d, 4, 1);
    compare!(kernel6, 1, 1);
    compare!(lapw0, 4, 1);
    compare!(oversubscribed, 4, 1);
    compare!(pingpong, 2, 1);
    compare!(sample, 2, 1);
    compare!(schedules, 1, 4);
    compare!(stream, 2, 1);
    compare!(summa, 4, 1);
    compare!(wavefront, 4, 1);
}

#[test]
fn what_cannot_go_on_ends_with_the_element() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (model, words) in [
        ("division-by-zero", "integer division by zero"),
        ("endless-function", "took too many steps"),
        ("negative-cost", "negative cost: -1 s"),
        ("negative-iterations-late", "iterations is negative: -1"),
        ("no-such-process", "but the processes are 0 to 0"),
        ("no-true-branch", "no guard holds"),
        ("zero-chunk-late", "a chunk has one iteration at least"),
        ("zero-threads-late", "a team has one thread at least"),
    ] {
        let out = folder.path().join(model);
        let path = root().join(format!("tests/models/wrong/{model}.uml"));
        if let Err(failure) = write(&path, &out) {
            panic!("{model}: {failure:?}");
        }
        make(&out);
        // A process alone needs no mpirun, of which some versions may hang when one aborts.
        let output = command(out.join("skeleton"))
            .output()
            .expect("it can be started");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{model}: {errors}");
        assert!(errors.contains(words), "{model}: {errors}");
        assert!(
            errors.contains("(id "),
            "{model} names no element: {errors}"
        );
    }
}

#[test]
fn a_wrong_command_line_is_told() {
    if !has_mpi() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = root().join("sample-models/pingpong.uml");
    write(&model, folder.path()).expect("it is generated");
    make(folder.path());
    for (flag, words) in [
        ("--nn=3", "there is no such flag: `--nn=3`"),
        ("--size=big", "no such value: `big`"),
        ("--set=NONE=1", "the model has no such parameter: `NONE=1`"),
        (
            "--processes=7",
            "mpirun did not start so many processes: `7`",
        ),
        ("--costs=free", "costs pass by spin or sleep: `free`"),
    ] {
        let output = run(folder.path(), 2, &[flag]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag}: {errors}");
        assert!(errors.contains(words), "{flag}: {errors}");
        assert!(output.stdout.is_empty(), "{flag}");
    }
}

/// Runs `cargo xtask validate`.
fn validate(model: &str, flags: &[&str]) -> Output {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    command(cargo)
        .args(["xtask", "validate", model])
        .args(flags)
        .current_dir(root())
        .output()
        .expect("cargo can be started")
}

#[test]
fn validate_shows_prediction_and_run() {
    if !has_mpi() {
        return;
    }
    let two = ["--", "--processes", "2", "--cpus-per-node", "2"];
    for (model, scale, elements) in [
        ("pingpong", "1", 4),
        ("jacobi2d", "1", 8),
        ("sample", "1e-4", 5),
    ] {
        let model = format!("sample-models/{model}.uml");
        let mut flags = vec!["--costs", "sleep", "--format", "json", "--scale", scale];
        flags.extend(two);
        let output = validate(&model, &flags);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{model}: {errors}");
        let result: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON alone");
        for key in ["predicted_time_s", "measured_time_s"] {
            assert!(result[key].as_f64().is_some_and(|it| it > 0.0), "{result}");
        }
        let rows = result["elements"].as_array().expect("it has elements");
        assert_eq!(rows.len(), elements, "{result}");
        for row in rows {
            assert_eq!(row["predicted_count"], row["measured_count"], "{row}");
            assert!(
                row["measured_s"].as_f64().is_some_and(|it| it > 0.0),
                "{row}"
            );
        }
        assert_eq!(result["processes"].as_array().map(Vec::len), Some(2));
    }
    let table = validate("sample-models/pingpong.uml", &two);
    let text = String::from_utf8_lossy(&table.stdout);
    for words in ["Predicted", "measured", "ReceivePong", "Error"] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    let wrong = validate("sample-models/pingpong.uml", &["--", "--no-such-flag"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn validate_says_what_is_missing() {
    // Builds the command, which then is started where it finds no other program.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["xtask", "--version"])
        .current_dir(root())
        .output();
    assert!(built.is_ok_and(|it| it.status.success()));
    let tests = std::env::current_exe().expect("this test is a program");
    let folder = tests.ancestors().nth(2).expect("in a folder of cargo's");
    let output = Command::new(folder.join("xtask"))
        .args(["validate", "sample-models/sample.uml"])
        .current_dir(root())
        .env("CARGO_MANIFEST_DIR", root().join("xtask"))
        .env("PATH", "/nonexistent")
        .output()
        .expect("the command can be started");
    assert_eq!(output.status.code(), Some(0));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("skipped: there is no make"),
        "{message}"
    );
    assert!(output.stdout.is_empty());
}
