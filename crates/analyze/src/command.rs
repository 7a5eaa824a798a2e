//! The command line of `analyze`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use prophet_targets::form::{ModelForm, refuse_existing};
use prophet_text::{Context as _, Problem, counted, problem};

use crate::facts::Facts;
use crate::program::Program;
use crate::write::Costs;
use crate::{compiler, lower, prices, write};

/// Create a model from the source code of a C program
#[derive(Debug, clap::Parser)]
#[command(name = "analyze", version)]
pub struct Arguments {
    /// The program's files in C, or in C++ without classes that decide about messages
    #[arg(required_unless_present = "compile_commands", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take files and their flags from this list, which build tools write (`compile_commands.json`)
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    compile_commands: Option<PathBuf>,
    /// The model to write: FILE.uml as UML 2, FILE.puml as text, FILE.prophet.xml in plain XML
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Set the default of a parameter, such as cells=1000. Can be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, f64)>,
    /// Count operations by kind, for machines that price them (`calibrate cpu`)
    #[arg(long)]
    operations: bool,
    /// Take costs, and what the source leaves open, from this recording. Can be repeated
    #[arg(
        long = "recording",
        value_name = "FOLDER",
        conflicts_with = "operations"
    )]
    recordings: Vec<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
    /// Ask this compiler for MPI's headers
    #[arg(long, value_name = "PROGRAM", default_value = "mpicc")]
    mpicc: OsString,
    /// Flags that the files are compiled with, such as -Iinclude
    #[arg(last = true, value_name = "FLAG")]
    flags: Vec<OsString>,
}

fn setting(text: &str) -> Result<(String, f64), Problem> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let number = value.parse::<f64>().ok().filter(|it| it.is_finite());
    let number = number.ok_or_else(|| problem!("expected NAME=NUMBER, found `{text}`"))?;
    Ok((name.to_owned(), number))
}

/// Runs the command.
///
/// # Errors
///
/// Returns an error if clang is missing or rejects a file, or if the model can't be written.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Problem> {
    let out = &arguments.out;
    let form = ModelForm::of(out)?;
    if !arguments.force {
        refuse_existing(out)?;
    }
    let clang = compiler::installed()?;
    let mut program = Program::default();
    let sources = match &arguments.compile_commands {
        Some(list) => compiler::listed(list, &arguments.flags)?,
        None => compiler::given(&arguments.files, &arguments.flags),
    };
    for source in &sources {
        let tree = compiler::tree(clang, &arguments.mpicc, source)?;
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for file in &tree.files {
            let is_own = tree
                .declarations
                .iter()
                .any(|it| tree.files[it.place.file] == *file);
            if is_own && let Ok(text) = std::fs::read_to_string(file) {
                texts.insert(file.clone(), text);
            }
        }
        let line = |file: &str, line: u64| {
            let text = texts.get(file).map_or("", String::as_str);
            let at = usize::try_from(line).unwrap_or(1).saturating_sub(1);
            let mut whole = String::new();
            for part in text.lines().skip(at) {
                let (part, goes_on) = match part.strip_suffix('\\') {
                    Some(part) => (part, true),
                    None => (part, false),
                };
                whole += part;
                if !goes_on {
                    break;
                }
            }
            whole
        };
        lower::add(&mut program, &tree, &line);
    }
    let facts = Facts::of(&program);
    let stem = out.file_name().unwrap_or_default().to_string_lossy();
    let name = stem.split('.').next().unwrap_or_default().to_owned();
    let recordings = &arguments.recordings;
    let costs = match (arguments.operations, recordings.is_empty()) {
        (true, _) => Costs::Operations,
        (false, false) => Costs::Each,
        (false, true) => Costs::Seconds,
    };
    let mut written = write::model(&facts, &name, &arguments.settings, costs)?;
    if !recordings.is_empty() {
        let found = prices::found(&written, &arguments.settings, recordings, out)?;
        let names: Vec<&str> = found.settings.iter().map(|it| it.0.as_str()).collect();
        let mut settings = found.settings.clone();
        settings.extend(arguments.settings.iter().cloned());
        let is_open = |note: &String| !names.iter().any(|it| note.contains(&format!(" {it} (")));
        written = write::model(&facts, &name, &settings, costs)?;
        written.notes.retain(is_open);
        written.notes.extend(found.notes);
    }
    let names: Vec<String> = sources
        .iter()
        .map(|it| it.file.display().to_string())
        .collect();
    let from = format!("{} by `analyze`", names.join(", "));
    let text = form.of_xml(written.text, &from);
    let text = text.cannot("write", out.display())?;
    form.write(out, text)?;
    let elements = counted(written.elements, "element", "elements");
    prophet_text::tell!("wrote {}: {elements}", out.display());
    for note in &written.notes {
        prophet_text::tell!("note: {}", prophet_text::plain::line(note));
    }
    Ok(ExitCode::SUCCESS)
}
