//! The skeletons in C with MPI and OpenMP: they compile without warnings, and execute what the
//! simulation executes. Skipped where MPI is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Failure, Request, generate};
use prophet_codegen::target::mpi_c::MpiC;
use prophet_codegen::workspace::Workspace;
use prophet_tests::{models, root, stem};

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
