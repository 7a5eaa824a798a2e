//! Writes the crate's files. Templates contain what all crates have in common, and sections contain
//! what the model does.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use tera::{Context, Tera};

use super::CrateOptions;
use super::handler::RustHandler;
use crate::target::Files;
use crate::text::{plain, shell_word};
use prophet_frontend::program::{Device, DiagramIndex, Opcode};

const HEAD: &str = prophet_templates::rust::HEAD;
/// The function that runs the model. It comes before the diagrams.
const PROGRAM: &str = prophet_templates::rust::PROGRAM;
/// `drawings.rs`, for crates that embed drawings.
const DRAWINGS: &str = prophet_templates::rust::DRAWINGS;
const MANIFEST: &str = prophet_templates::rust::MANIFEST;
const MAIN: &str = prophet_templates::rust::MAIN;

#[derive(Serialize)]
struct Dependency<'v> {
    name: &'v str,
    path: String,
}

#[derive(Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "templates ask for each by itself"
)]
struct LibraryValues<'v> {
    model_name: String,
    model_file: String,
    model_literal: String,
    command_file: String,
    uses: Vec<&'static str>,
    uses_cell: bool,
    parameters: &'v [String],
    element_count: usize,
    waits_for_any: bool,
    simulated: Vec<String>,
    costs: Option<String>,
    assumptions: Vec<String>,
    opcodes: Vec<&'v str>,
    devices: Vec<&'v str>,
    hardware: &'v [String],
    drawings: Vec<DrawingValues>,
    mapped: bool,
    has_globals: bool,
    has_constructor: bool,
    fallible: bool,
    main: &'v str,
}

#[derive(Serialize)]
struct DrawingValues {
    name: String,
    file: String,
}

#[derive(Serialize)]
struct FrameValues<'v> {
    crate_name: &'v str,
    model_name: String,
    model_file: String,
    runtime_path: String,
    crates: Vec<Dependency<'v>>,
    standalone: bool,
}

/// Returns the library's files, which don't depend on the crate's name and place.
pub(super) fn library(handler: RustHandler<'_>, options: &CrateOptions) -> Files {
    let program = handler.program;
    let main = handler.names.diagrams.get(DiagramIndex::MAIN);
    let library = &handler.library;
    let constructor = library.constructor.as_ref();
    let drawings = options.drawings.iter().map(|picture| DrawingValues {
        name: literal(&picture.title),
        file: literal(&format!("../drawings/{}.svg", picture.name)),
    });
    let simulated = program.differing_loops().into_iter();
    let simulated = simulated.map(|(name, why)| format!("({}, {})", literal(name), literal(why)));
    let constant = |it: &Opcode| handler.names.opcodes[&it.name].as_str();
    let opcodes = program.opcodes.iter().map(constant);
    let constant = |it: &Device| handler.names.devices[&it.usage].as_str();
    let devices = program.devices.iter().map(constant);
    let values = LibraryValues {
        model_name: plain(&program.name),
        model_file: plain(&options.model_file),
        model_literal: literal(&program.name),
        command_file: plain(&command_arguments(options, program.assumed_step_s)),
        uses: handler.uses.all(),
        uses_cell: library.uses_cell,
        parameters: &library.parameters,
        element_count: library.element_count,
        waits_for_any: program.waits_for_any(),
        simulated: simulated.collect(),
        costs: (!program.costs.is_empty()).then(|| literal(&program.costs)),
        assumptions: program.assumptions.iter().map(|it| literal(it)).collect(),
        opcodes: opcodes.collect(),
        devices: devices.collect(),
        hardware: &options.hardware,
        drawings: drawings.collect(),
        mapped: options.mapped,
        has_globals: handler.has_globals(),
        has_constructor: constructor.is_some(),
        fallible: constructor.is_some_and(|it| it.fallible),
        main: main.map_or("", String::as_str),
    };
    let text = library.put_together(render(HEAD, &values), &render(PROGRAM, &values));
    let mut files = Files::from([(PathBuf::from("src/lib.rs"), text)]);
    if !options.drawings.is_empty() {
        let drawings = render(DRAWINGS, &values);
        files.insert(PathBuf::from("src/drawings.rs"), drawings.into());
    }
    files.extend(handler.library.table_files);
    files
}

/// Returns the other files for the model `model`: the manifest and a short `main.rs`.
pub(super) fn frame(model: &str, options: &CrateOptions) -> Files {
    let values = FrameValues {
        crate_name: &options.name,
        model_name: plain(model),
        model_file: plain(&options.model_file),
        runtime_path: toml_string(&options.runtime_path),
        crates: crates(options),
        standalone: options.standalone,
    };
    let files = [("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)];
    let files =
        files.map(|(file, template)| (PathBuf::from(file), render(template, &values).into()));
    files.into()
}

fn render(template: &str, values: &impl Serialize) -> String {
    let context = Context::from_serialize(values);
    let rendered = context.and_then(|context| Tera::one_off(template, &context, false));
    // Templates are compiled in, and their values have types, so only a bug can cause this.
    rendered.unwrap_or_else(|error| panic!("a template of the Rust target failed: {error}"))
}

fn literal(text: &str) -> String {
    proc_macro2::Literal::string(text).to_string()
}

/// Returns the arguments of the command that generates the crate.
fn command_arguments(options: &CrateOptions, assumed_step_s: Option<f64>) -> String {
    let mut arguments = shell_word(&options.model_file);
    if let Some(main) = &options.main {
        let _ = write!(arguments, " --main {}", shell_word(main));
    }
    for file in &options.vocabulary_files {
        let _ = write!(arguments, " --vocabulary {}", shell_word(file));
    }
    if let Some(step_s) = assumed_step_s {
        arguments.push_str(&prophet_frontend::assume::flags(step_s));
    }
    arguments
}

fn crates(options: &CrateOptions) -> Vec<Dependency<'_>> {
    let crates = options.crates.iter();
    crates
        .map(|(name, path)| Dependency {
            name,
            path: toml_string(path),
        })
        .collect()
}

fn toml_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
