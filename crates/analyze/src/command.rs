//! The command line of `analyze`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use prophet_targets::form::{ModelForm, refuse_existing};
use prophet_text::{Context as _, Problem, counted, problem};

use crate::compiler::SourceFile;
use crate::facts::Facts;
use crate::program::Program;
use crate::tree::Tree;
use crate::write::Costs;
use crate::{compiler, lower, prices, write};

/// Maximum size of a source file, in bytes.
const TEXT_MAX: u64 = 64 << 20;

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
        let texts = texts(&tree, source);
        let line =
            |file: &str, line: u64| line_of(texts.get(file).map_or("", String::as_str), line);
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

/// Returns the texts of the user's files.
fn texts(tree: &Tree, source: &SourceFile) -> BTreeMap<String, String> {
    let own: BTreeSet<usize> = tree.declarations.iter().map(|it| it.place.file).collect();
    let read = |file: usize| {
        let name = &tree.files[file];
        let bytes = prophet_files::read(&source.path(name), TEXT_MAX).ok()?;
        Some((name.clone(), String::from_utf8_lossy(&bytes).into_owned()))
    };
    own.into_iter().filter_map(read).collect()
}

/// Returns a line of a text, with the lines that continue it.
fn line_of(text: &str, line: u64) -> String {
    let at = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let mut whole = String::new();
    for part in text.lines().skip(at) {
        let more = part.strip_suffix('\\');
        whole += more.unwrap_or(part);
        if more.is_none() {
            break;
        }
    }
    whole
}
