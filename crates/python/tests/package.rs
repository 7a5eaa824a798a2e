//! Tests the package in Python, built from its sources and the library that cargo compiled.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use prophet_testing::has;

/// Creates a folder with the package: its sources, and the library next to this program.
pub(crate) fn made() -> Option<tempfile::TempDir> {
    if !has("python3", "--version") {
        return None;
    }
    let program = env::current_exe().expect("a path");
    let built = program.parent().expect("a folder");
    let library = format!("{DLL_PREFIX}prophet_python{DLL_SUFFIX}");
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("performance_prophet");
    fs::create_dir(&package).expect("it can be made");
    let sources = root().join("crates/python/performance_prophet");
    for entry in fs::read_dir(sources).expect("the sources") {
        let source = entry.expect("an entry").path();
        if source.is_file() {
            let name = source.file_name().expect("its name");
            fs::copy(&source, package.join(name)).expect("it can be copied");
        }
    }
    let native = package.join("_native.abi3.so");
    fs::copy(built.join(library), native).expect("it can be copied");
    Some(folder)
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn python(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.args(arguments).current_dir(folder);
    command
        .env("PYTHONPATH", folder)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command.output().expect("python3 starts")
}
