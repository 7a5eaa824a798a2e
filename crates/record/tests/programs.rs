//! Compiles and records MPI programs on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_import::ImportedTrace;
use prophet_import::event::{Collective, Message, RankEvent};
use prophet_testing::{has, succeeded};
use tempfile::TempDir;

/// Returns a folder for compiling and recording programs; `None` if MPI isn't installed.
pub(crate) fn folder() -> Option<TempDir> {
    let is_there = has("mpicc", "--version") && has("mpirun", "--version");
    is_there.then(|| tempfile::tempdir().expect("there is room"))
}

pub(crate) fn source(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    root.join(name)
}

pub(crate) fn compiled(folder: &Path, name: &str) -> PathBuf {
    compiled_by("mpicc", folder, name, &["-g"])
}

/// Compiles a C or C++ program with an MPI compiler and flags.
pub(crate) fn compiled_by(compiler: &str, folder: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let program = folder.join(name);
    let mut command = Command::new(compiler);
    let sources = ["c", "cc"].map(|it| source(&format!("{name}.{it}")));
    let source = sources.iter().find(|it| it.is_file());
    command
        .current_dir(folder)
        .args(["-O2", "-o"])
        .arg(&program);
    succeeded(command.args(source).args(flags).arg("-lm"));
    program
}

/// Compiles a Fortran program; `None` if there is no compiler.
pub(crate) fn compiled_fortran(folder: &Path, name: &str) -> Option<PathBuf> {
    let program = folder.join(name);
    for compiler in ["gfortran", "gfortran-12", "gfortran-13", "gfortran-14"] {
        let mut command = Command::new("mpifort");
        command
            .env("OMPI_FC", compiler)
            .args(["-O2", "-g", "-o"])
            .arg(&program);
        let output = command.arg(source(&format!("{name}.f90"))).output();
        if output.is_ok_and(|it| it.status.success()) {
            return Some(program);
        }
    }
    eprintln!("skipped: there is no compiler of Fortran for MPI");
    None
}

/// Returns the command `record` in a folder. All tests share a cache, so that they compile the
/// recorder only once.
pub(crate) fn record(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-record"));
    command
        .current_dir(folder)
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    as_root(&mut command);
    command
}

pub(crate) fn as_root(command: &mut Command) -> &mut Command {
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
}

/// Records a program with this number of processes. If the first argument is a number, it becomes
/// the parameter `n`.
pub(crate) fn recorded(folder: &Path, out: &Path, ranks: u32, words: &[&str]) -> Output {
    let number = words.get(1).filter(|it| it.parse::<u32>().is_ok());
    let parameter = format!("n={}", number.unwrap_or(&"256"));
    let mut command = record(folder);
    command
        .arg("--out")
        .arg(out)
        .args(["--param", &parameter, "--", "mpirun", "--oversubscribe"]);
    command.args(["-n", &ranks.to_string()]).args(words);
    command.output().expect("the command starts")
}

/// Compiles and records a C program. Returns the recording and the command's output.
pub(crate) fn recording(
    folder: &Path,
    name: &str,
    ranks: u32,
    arguments: &[&str],
) -> (PathBuf, Output) {
    let program = compiled(folder, name);
    let mut words = vec![program.to_str().expect("a name")];
    words.extend(arguments);
    let out = folder.join(format!("{name}.{ranks}"));
    let output = recorded(folder, &out, ranks, &words);
    (out, output)
}

/// A machine with 256 nodes for `SMPI`.
const PLATFORM: &str = "<?xml version='1.0'?>\n\
    <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n  \
    <cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-255\" speed=\"1Gf\" bw=\"1.25GBps\" \
    lat=\"1us\"/>\n</platform>\n";

/// Runs a program with `SMPI`, where only work with known prices takes time. The machine's file,
/// `machine.xml`, is next to the program.
pub(crate) fn smpi(program: &Path, ranks: u32, arguments: &[&str], flags: &[&str]) -> Output {
    let folder = program.parent().expect("it is in a folder");
    let hosts: Vec<String> = (0..256).map(|it| format!("n{it}")).collect();
    fs::write(folder.join("hosts"), hosts.join("\n")).expect("there is room");
    fs::write(folder.join("machine.xml"), PLATFORM).expect("there is room");
    let mut command = Command::new("smpirun");
    command
        .current_dir(folder)
        .args(["-hostfile", "hosts", "-platform", "machine.xml"]);
    command.args([
        "-np",
        &ranks.to_string(),
        "--cfg=smpi/simulate-computation:no",
    ]);
    succeeded(command.args(flags).arg(program).args(arguments))
}

/// Returns the events of all ranks in short form, without computing.
pub(crate) fn events(recording: &Path) -> Vec<Vec<String>> {
    let trace = ImportedTrace::open(recording).expect("a trace");
    let mut all = vec![Vec::new(); trace.ranks() as usize];
    let read = trace.for_each(|rank, event| {
        all[rank as usize].extend(shown(&event));
        Ok(())
    });
    read.expect("it can be read");
    all
}

fn shown(event: &RankEvent) -> Option<String> {
    Some(match event {
        RankEvent::Compute(_) => return None,
        RankEvent::Send(message) => format!("send {}", of(message)),
        RankEvent::Receive(message) => format!("receive {}", of(message)),
        RankEvent::BeginSend(message, _) => format!("isend {}", of(message)),
        RankEvent::BeginReceive(message, _) => format!("irecv {}", of(message)),
        RankEvent::Wait(_) => "wait".to_owned(),
        RankEvent::WaitAll => "waitall".to_owned(),
        RankEvent::Exchange { to, from } => format!("exchange {} {}", of(to), of(from)),
        RankEvent::Collective(collective) => called(collective),
    })
}

fn of(message: &Message) -> String {
    let peer = message.peer.map_or("any".to_owned(), |it| it.to_string());
    let tag = message.tag.map_or("any".to_owned(), |it| it.to_string());
    let bytes = message.bytes.map_or(String::new(), |it| format!(" {it}B"));
    format!("{peer}#{tag}{bytes}")
}

fn called(collective: &Collective) -> String {
    let Collective {
        kind, root, bytes, ..
    } = collective;
    let root = if kind.is_rooted() {
        format!(" from {root}")
    } else {
        String::new()
    };
    let group = collective
        .group
        .as_ref()
        .map_or(String::new(), |it| format!(" of {:?}", it.members));
    let blocks = collective.blocks.as_ref();
    let blocks = blocks.map_or(String::new(), |it| {
        format!(" {:?} {:?}", it.sent, it.received)
    });
    format!("{}{root} {bytes}B{blocks}{group}", kind.name())
}
