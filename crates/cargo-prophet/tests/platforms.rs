//! Compares the programs for other platforms, run in emulators, with the program for this machine.
//!
//! | variable | meaning |
//! |---|---|
//! | `PROPHET_WINE`, `PROPHET_QEMU` | Wine and qemu, if they are not found by their usual names |
//! | `PROPHET_WINE_DLLS` | a folder with what Wine lacks: before 8.13, `bcryptprimitives.dll` |

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use prophet_testing::{Home, assert_says, has, skip, stderr, succeeded};

use crate::home::stdout;

/// Calls that print the same and write the same files on all systems.
const CALLS: &str = include_str!("cases/platforms.txt");

struct Platform {
    triple: &'static str,
    /// Extension of programs.
    ending: &'static str,
    build: &'static str,
    /// What runs the platform's programs: the variable that can name it, its usual names, and the
    /// Debian package.
    variable: &'static str,
    runners: &'static [&'static str],
    package: &'static str,
}

/// Debian's `wine64` installs Wine only in its own folder.
const WINDOWS: Platform = Platform {
    triple: "x86_64-pc-windows-gnu",
    ending: ".exe",
    build: "cargo build -p cargo-prophet --target x86_64-pc-windows-gnu",
    variable: "PROPHET_WINE",
    runners: &["wine64", "wine", "/usr/lib/wine/wine64"],
    package: "wine64",
};

const AARCH64: Platform = Platform {
    triple: "aarch64-unknown-linux-musl",
    ending: "",
    build: "cargo zigbuild -p cargo-prophet --target aarch64-unknown-linux-musl",
    variable: "PROPHET_QEMU",
    runners: &["qemu-aarch64-static", "qemu-aarch64"],
    package: "qemu-user-static",
};

/// Two systems, with the same files in a folder on each.
struct Systems {
    here: Home,
    there: Home,
    runner: String,
    program: PathBuf,
}

impl Systems {
    /// Skips the test if the platform's program or its emulator is missing.
    fn found(platform: &Platform) -> Option<Self> {
        let here = Path::new(env!("CARGO_BIN_EXE_performance-prophet"));
        let profile = here.parent()?;
        let target = profile.parent()?.join(platform.triple);
        let name = format!("performance-prophet{}", platform.ending);
        let program = target.join(profile.file_name()?).join(name);
        if !program.is_file() {
            skip(format_args!(
                "there is no {}: `{}` builds it",
                program.display(),
                platform.build
            ));
            return None;
        }
        let named = std::env::var(platform.variable).ok();
        let usual = platform.runners.iter().copied();
        let mut names = named.iter().map(String::as_str).chain(usual);
        let starts = |it: &&str| Command::new(it).arg("--version").output().is_ok();
        let Some(runner) = names.find(starts).map(str::to_owned) else {
            skip(format_args!(
                "nothing runs it: Debian has the package {}",
                platform.package
            ));
            return None;
        };
        let mut here = Home::of(here);
        here.set_variable("XDG_CACHE_HOME", Some(here.path(".cache")));
        let mut there = Home::of(&*runner);
        there.set_variable("XDG_CACHE_HOME", Some(there.path(".cache")));
        there.set_variable("WINEPREFIX", Some(there.path(".wine")));
        there.set_variable("WINEDEBUG", Some("-all"));
        if let Some(folder) = std::env::var_os("PROPHET_WINE_DLLS") {
            there.set_variable("WINEPATH", Some(folder));
        }
        Some(Self {
            here,
            there,
            runner,
            program,
        })
    }

    fn homes(&self) -> [&Home; 2] {
        [&self.here, &self.there]
    }

    /// Returns calls of the program on this machine and on the other platform.
    fn commands(&self, line: &str) -> [Command; 2] {
        let there = format!("'{}' {line}", self.program.display());
        [
            self.here.command(line),
            self.there.command_of(&self.runner, &there),
        ]
    }

    fn outputs(&self, line: &str) -> [Output; 2] {
        self.commands(line).map(|mut command| {
            let output = command.stdin(Stdio::null()).output();
            output.expect("the program starts")
        })
    }
}

/// Writes the initial files of both systems. Some have Windows line endings.
fn fill(home: &Home) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
    let sample = fs::read_to_string(samples.join("lapw0.uml")).expect("it is there");
    home.copy(samples.join("workflows/genome.puml"));
    let texts = [
        ("lapw0.uml", &*sample),
        ("costs.csv", "n,time_s\n1,1\n2,2\n4,4\n8,8\n"),
        ("calls.ti", "0 init\n0 compute 1e6\n0 finalize\n"),
        ("m.toml", "name = \"m\"\nsource = \"made up\"\nnodes = 2\n"),
    ];
    for (name, text) in texts {
        home.write(name, text);
        home.write(&format!("crlf/{name}"), text.replace('\n', "\r\n"));
    }
}

/// Records an MPI program with 2 and 4 ranks on this machine, for both systems. Returns whether MPI
/// is installed.
fn record(systems: &Systems) -> bool {
    if !has("mpicc", "-show") || !has("mpirun", "--version") {
        return false;
    }
    let [here, there] = systems.homes();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/wavefront.c");
    let mut compile = here.command_of("mpicc", "-o wavefront");
    succeeded(compile.arg(source).arg("-lm"));
    for ranks in ["2", "4"] {
        let run = format!("mpirun --oversubscribe -n {ranks} ./wavefront 40 2");
        let line = format!("record --out wave.{ranks} --param n=40 -- {run}");
        let mut command = here.command(&line);
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
        succeeded(command.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
        let folder = format!("wave.{ranks}");
        for name in here.names(&folder) {
            let name = format!("{folder}/{name}");
            there.write(&name, fs::read(here.path(&name)).expect("it is there"));
        }
    }
    fs::remove_file(here.path("wavefront")).expect("it is there");
    true
}

/// Lists the files below a folder, except hidden files, databases, and pages, which contain the
/// program's run time.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') {
            files(&path, found);
        } else if path.is_file() && !name.ends_with(".sqlite") && !name.ends_with(".html") {
            found.push(path);
        }
    }
    found.sort();
}

/// Returns the lines of an output that don't mention the time and memory of this run, or Rust,
/// which is only installed here.
fn lasting(text: &str) -> String {
    const CHANGES: [&str; 7] = [
        "Evaluation ",
        "wall_s",
        "cpu_s",
        "peak_memory",
        "Run  ",
        "Crate hash",
        "crate_hash",
    ];
    let lasts = |line: &&str| !CHANGES.iter().any(|it| line.contains(it));
    let lines = text.lines().filter(lasts);
    lines.collect::<Vec<_>>().join("\n")
}

/// A program that is killed at the end of the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a studio's answer to a browser that opens it, without the head.
fn page(mut command: Command) -> Vec<u8> {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut served = Served(child.expect("the program starts"));
    let mut address = String::new();
    let printed = served.0.stdout.take().expect("a pipe");
    BufReader::new(printed)
        .read_line(&mut address)
        .expect("it prints an address");
    let (host, path) = { address.trim() }
        .strip_prefix("http://")
        .and_then(|it| it.split_once('/'))
        .unwrap_or_else(|| panic!("no address: {address:?}"));
    let mut stream = TcpStream::connect(host).expect("the studio listens");
    let asked = format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    assert!(
        answer.starts_with(b"HTTP/1.1 200"),
        "{}",
        answer.escape_ascii()
    );
    // The head before the page contains the time.
    let head = answer.windows(4).position(|it| it == b"\r\n\r\n");
    answer.split_off(head.expect("a head"))
}

#[test]
fn the_studio_opens_without_flags() {
    let home = Home::of(env!("CARGO_BIN_EXE_performance-prophet"));
    fill(&home);
    assert!(page(home.command("studio lapw0.uml")).len() > 100);
}

#[test]
#[ignore = "needs Wine, and the program for Windows"]
fn the_program_for_windows_does_the_same() {
    if let Some(systems) = Systems::found(&WINDOWS) {
        compare(&systems);
        let doctor = systems.outputs("doctor").map(|it| stdout(&it));
        assert_says(&doctor[1], &["AppData\\Local\\performance-prophet"]);
    }
}

#[test]
#[ignore = "needs qemu, and the program for aarch64"]
fn the_program_for_aarch64_does_the_same() {
    if let Some(systems) = Systems::found(&AARCH64) {
        compare(&systems);
    }
}

/// Makes all calls on both systems, and checks that they print the same text and write the same
/// files.
fn compare(systems: &Systems) {
    for home in systems.homes() {
        fill(home);
    }
    let mut calls: Vec<&str> = CALLS.lines().collect();
    if record(systems) {
        calls.extend([
            "learn wave.2 wave.4 --out wave.uml",
            "run wave.uml --processes 4",
        ]);
    }
    // Wine creates its folder, and reports that.
    let _ = systems.outputs("--version");
    // Programs can print absolute paths.
    let roots = systems.homes().map(|it| it.path("").display().to_string());
    let told = |output: &Output| {
        let text = stderr(output).replace("Z:", "").replace('\\', "/");
        roots.iter().fold(text, |text, root| text.replace(root, ""))
    };
    for call in calls {
        let [here, there] = systems.outputs(call);
        let printed = lasting(&stdout(&there));
        assert_eq!(
            printed,
            lasting(&stdout(&here)),
            "{call}: {}",
            stderr(&there)
        );
        assert_eq!(told(&there), told(&here), "{call}");
        assert_eq!(there.status.code(), here.status.code(), "{call}");
    }
    let [here, there] = systems.homes().map(|home| {
        let (root, mut paths) = (home.path(""), Vec::new());
        files(&root, &mut paths);
        let contents = paths.into_iter().map(|path| {
            let name = path.strip_prefix(&root).expect("it is in it").to_owned();
            (name, fs::read(path).expect("it is there"))
        });
        contents.collect::<Vec<_>>()
    });
    let names = |files: &[(PathBuf, Vec<u8>)]| -> Vec<PathBuf> {
        files.iter().map(|it| it.0.clone()).collect()
    };
    assert_eq!(names(&there), names(&here));
    for ((name, there), (_, here)) in there.iter().zip(&here) {
        assert!(there == here, "{}", name.display());
    }
    let [here, there] = systems.commands("studio lapw0.uml").map(page);
    assert_eq!(there, here);
}
