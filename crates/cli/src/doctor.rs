//! Implements the `doctor` command, which lists the programs and libraries that commands use, and
//! which of them are missing on this machine.

mod known;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use prophet_files::Folder;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::RunHandle;
use prophet_text::{Align, Context as _, Problem, plain, table};
use serde_json::{Value, json};

use crate::format::Format;
use crate::format::print;
use crate::{CommandOutcome, Door, new};
use known::{Find, Known, PARTS};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Format of the findings: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    format: Format,
}

/// Oldest version of Rust that can compile models' crates.
const RUST: &str = prophet_runtime::RUST_VERSION;

/// A C++ file. After preprocessing, its last line is the version of `SimGrid`.
const SIMGRID: &str = "#include <simgrid/version.h>\n\
                       SIMGRID_VERSION_MAJOR.SIMGRID_VERSION_MINOR\n";

/// A program or library, and what was found.
#[derive(Debug)]
struct Part {
    known: &'static Known,
    state: CheckState,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum CheckState {
    Found(String),
    TooOld(String),
    Missing,
}

#[derive(Debug, Clone, Copy)]
struct Call<'a> {
    program: &'a str,
    arguments: &'a [&'a str],
    input: &'a str,
}

/// Returns the output of a program; `None` if the program doesn't exist or fails.
type Ask = dyn Fn(Call<'_>) -> Option<String>;

#[derive(Debug)]
struct Findings {
    /// Why predictions fail; `None` if they work.
    trouble: Option<String>,
    cache: Option<PathBuf>,
    parts: Vec<Part>,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let findings = Findings {
        trouble: predict().err().map(String::from),
        cache: door.cache().ok().map(|cache| cache.folder().to_owned()),
        parts: parts(&output),
    };
    print(&match arguments.format {
        Format::Human => text(&findings),
        Format::Json => plain::json(&serde_json::to_string_pretty(&as_json(&findings)).told()?),
    })?;
    Ok(ExitCode::from(u8::from(findings.trouble.is_some())))
}

/// Predicts the first sample model, to check whether predictions work.
fn predict() -> Result<(), Problem> {
    let folder = Folder::temporary("prophet-doctor").context("cannot create a temporary folder")?;
    let model = folder.path().join("model.uml");
    prophet_files::write(&model, new::MODEL)
        .context(format_args!("cannot write to {}", model.display()))?;
    let checked = check_by(&RuleSet::shipped(), &model, None)?;
    let program = Interpreted::new(&checked, "", false).told()?;
    program.evaluate(["model".into()], &RunHandle::default())?;
    Ok(())
}

fn output(call: Call<'_>) -> Option<String> {
    let mut child = Command::new(call.program)
        .args(call.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    if let Some(mut input) = child.stdin.take() {
        // A program that doesn't read its input ends anyway.
        let _ = input.write_all(call.input.as_bytes());
    }
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

fn parts(ask: &Ask) -> Vec<Part> {
    let parts = PARTS.iter().map(|known| Part {
        known,
        state: state(&known.find, ask),
    });
    parts.collect()
}

fn state(find: &Find, ask: &Ask) -> CheckState {
    let version = match *find {
        Find::Programs(programs) => programs.iter().find_map(|program| version(program, ask)),
        Find::Rust(program) => version(program, ask),
        Find::SimGrid => simgrid(ask),
    };
    match version {
        Some(version) if matches!(find, Find::Rust(_)) && !is_enough(&version) => {
            CheckState::TooOld(version)
        }
        Some(version) => CheckState::Found(version),
        None => CheckState::Missing,
    }
}

fn version(program: &str, ask: &Ask) -> Option<String> {
    let said = ask(Call {
        program,
        arguments: &["--version"],
        input: "",
    })?;
    let mut words = said.split_whitespace();
    let number = words.find(|word| {
        // The version of the package is in parentheses, before or after the program's version.
        word.starts_with(|it: char| it.is_ascii_digit())
            && word.contains('.')
            && !word.contains(')')
    });
    Some(number.unwrap_or("unknown").to_owned())
}

fn simgrid(ask: &Ask) -> Option<String> {
    let said = ask(Call {
        program: "g++",
        arguments: &["-std=c++17", "-E", "-P", "-x", "c++", "-"],
        input: SIMGRID,
    })?;
    let number = said.lines().next_back()?.replace(' ', "");
    number
        .starts_with(|it: char| it.is_ascii_digit())
        .then_some(number)
}

/// Returns `true` if this version of Rust can compile models' crates.
fn is_enough(version: &str) -> bool {
    let numbers = |text: &str| -> Vec<u32> {
        let parts = text.split(['.', '-']);
        parts.map_while(|part| part.parse().ok()).collect()
    };
    numbers(version) >= numbers(RUST)
}

impl Part {
    fn is_found(&self) -> bool {
        matches!(self.state, CheckState::Found(_))
    }
}

fn text(findings: &Findings) -> String {
    let mut text = match &findings.trouble {
        None => "This machine can predict models.\n".to_owned(),
        Some(reason) => format!("This machine cannot predict models: {reason}\n"),
    };
    let cache = findings
        .cache
        .as_ref()
        .map(|folder| folder.display().to_string());
    let cache = cache.unwrap_or_else(|| "none; choose a folder with --cache DIR".to_owned());
    let heading = ["part", "version", "for"].map(|title| (title, Align::Left));
    let rows = findings.parts.iter().map(|part| {
        let version = match &part.state {
            CheckState::Found(version) => version.clone(),
            CheckState::TooOld(version) => format!("{version}, too old"),
            CheckState::Missing => "missing".to_owned(),
        };
        let Known { name, purpose, .. } = part.known;
        [*name, &version, *purpose].map(str::to_owned).to_vec()
    });
    let table = table(&heading, &rows.collect::<Vec<_>>());
    write!(text, "Cache: {cache}\n\n{table}").expect("text can always grow");
    for part in findings.parts.iter().filter(|part| !part.is_found()) {
        let Known { name, install, .. } = part.known;
        let least = match part.known.find {
            Find::Rust(_) => format!(", {RUST} or later"),
            Find::Programs(_) | Find::SimGrid => String::new(),
        };
        write!(text, "\n{name}: {install}{least}").expect("text can always grow");
    }
    text
}

fn as_json(findings: &Findings) -> Value {
    let parts = findings.parts.iter().map(|part| {
        let (state, version) = match &part.state {
            CheckState::Found(version) => ("found", Some(version)),
            CheckState::TooOld(version) => ("too old", Some(version)),
            CheckState::Missing => ("missing", None),
        };
        json!({
            "name": part.known.name,
            "state": state,
            "version": version,
            "for": part.known.purpose,
            "install": part.known.install,
        })
    });
    json!({
        "ready": findings.trouble.is_none(),
        "trouble": findings.trouble,
        "cache": findings.cache,
        "rust_needed": RUST,
        "parts": parts.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests;
