//! Compiles the recorder, a library that a program loads before its MPI library. The user's `mpicc`
//! compiles the C sources, so the recorder works with any MPI implementation. The compiled library
//! is kept in the cache.

use prophet_text::{Context as _, Problem, problem};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Files of the library with their texts. The files to compile come first.
const FILES: [(&str, &str); 11] = [
    ("calls.c", include_str!("../library/calls.c")),
    ("clocks.c", include_str!("../library/clocks.c")),
    ("fortran.c", include_str!("../library/fortran.c")),
    ("openmp.c", include_str!("../library/openmp.c")),
    ("recorder.c", include_str!("../library/recorder.c")),
    ("regions.c", include_str!("../library/regions.c")),
    ("writer.c", include_str!("../library/writer.c")),
    ("counted.h", include_str!("../library/counted.h")),
    ("named.h", include_str!("../library/named.h")),
    ("record.h", include_str!("../library/record.h")),
    ("record.map", include_str!("../library/record.map")),
];
/// Number of the files to compile.
const COMPILED: usize = 7;
/// Compiler flags before and after the files. With these flags, a call ends when a C++ exception
/// passes through it.
const FLAGS: [&str; 7] = [
    "-std=gnu11",
    "-O2",
    "-fPIC",
    "-fexceptions",
    "-shared",
    "-Wl,--version-script=record.map",
    "-o",
];
const LIBRARIES: [&str; 2] = ["-ldl", "-lpthread"];

/// Returns the library for an MPI compiler. Compiles it unless it is in the cache.
///
/// # Errors
///
/// Returns an error if there is no such compiler, if it fails, or if the cache can't be written.
pub(crate) fn library(compiler: &OsStr) -> Result<PathBuf, Problem> {
    let name = compiler.to_string_lossy();
    let shown = started(Command::new(compiler).arg("-show")).map_err(|error| {
        problem!(
            "cannot start {name}: {error}; install MPI with its compiler, such as Debian's \
             openmpi-bin and libopenmpi-dev, or choose a compiler with --mpicc PATH"
        )
    })?;
    let key = key(&name, &shown.stdout);
    let folder = cache()?.join(format!("{key:016x}"));
    let library = folder.join("librecord.so");
    if library.is_file() {
        return Ok(library);
    }
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).cannot("write", folder.display())?;
    }
    prophet_text::tell!("note: compiling the recorder with {name}; this happens once");
    let made = prophet_files::Folder::beside(&folder).cannot("write", folder.display())?;
    for (name, text) in FILES {
        prophet_files::write(&made.path().join(name), text).cannot("write", folder.display())?;
    }
    compile(compiler, made.path())?;
    match made.replace(&folder) {
        // Another process may have created it in the meantime.
        replaced if !library.is_file() => {
            replaced.cannot("write", folder.display()).map(|()| library)
        }
        _ => Ok(library),
    }
}

fn compile(compiler: &OsStr, folder: &Path) -> Result<(), Problem> {
    let sources = FILES[..COMPILED].iter().map(|it| it.0);
    let mut command = Command::new(compiler);
    command.current_dir(folder).args(FLAGS).arg("librecord.so");
    let output = started(command.args(sources).args(LIBRARIES));
    let name = compiler.to_string_lossy();
    let output = output.cannot("start", &name)?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let first = text.lines().find(|it| it.contains("error"));
    let why = first.or_else(|| text.lines().next()).unwrap_or_default();
    Err(problem!(
        "{name} could not compile the recorder: {why}; check that it compiles a program of your \
         own, or choose another compiler with --mpicc PATH"
    ))
}

fn started(command: &mut Command) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).output()
}

/// Returns the library's cache key: a hash of everything that the library is made from (Fowler,
/// Noll and Vo's FNV-1a).
fn key(compiler: &str, shown: &[u8]) -> u64 {
    let texts = FILES
        .iter()
        .flat_map(|it| [it.0.as_bytes(), it.1.as_bytes()]);
    let flags = FLAGS.iter().chain(&LIBRARIES).map(|it| it.as_bytes());
    let all = texts.chain(flags).chain([compiler.as_bytes(), shown]);
    all.flatten().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the cache folder for libraries, as defined by the XDG Base Directory Specification.
fn cache() -> Result<PathBuf, Problem> {
    let folder = |name: &str| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|it| it.is_absolute())
    };
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    let caches = caches.ok_or(
        "cannot find a folder for the cache: set \
         XDG_CACHE_HOME",
    )?;
    Ok(caches.join("performance-prophet").join("recorder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_cover_the_compiler() {
        let key = |compiler, shown: &str| key(compiler, shown.as_bytes());
        assert_eq!(key("mpicc", "gcc -lmpi"), key("mpicc", "gcc -lmpi"));
        assert_ne!(key("mpicc", "gcc -lmpi"), key("mpicc", "gcc -lmpich"));
        assert_ne!(key("mpicc", "gcc -lmpi"), key("/opt/mpicc", "gcc -lmpi"));
    }
}
