//! The files of the crate, through their templates.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tera::{Context, Tera};

use super::CrateOptions;
use super::handler::{Parts, RustHandler};
use crate::target::text::{plain, shell_word};

/// Only of crates that have drawings.
const DRAWINGS: &str = "src/drawings.rs";

/// The templates by the file that each makes.
const TEMPLATES: [(&str, &str); 4] = [
    (
        "Cargo.toml",
        include_str!("../../../../templates/rust/Cargo.toml.tera"),
    ),
    (
        DRAWINGS,
        include_str!("../../../../templates/rust/drawings.rs.tera"),
    ),
    (
        "src/lib.rs",
        include_str!("../../../../templates/rust/lib.rs.tera"),
    ),
    (
        "src/main.rs",
        include_str!("../../../../templates/rust/main.rs.tera"),
    ),
];

/// A crate of the user's own.
#[derive(Serialize)]
struct Dependency<'v> {
    name: &'v str,
    path: String,
}

/// What all templates get.
#[derive(Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "templates ask for each by itself"
)]
struct Values<'v> {
    crate_name: &'v str,
    model_name: String,
    model_file: String,
    command_file: String,
    runtime_path: String,
    crates: Vec<Dependency<'v>>,
    standalone: bool,
    has_globals: bool,
    default_globals: bool,
    model_literal: String,
    drawings: Vec<DrawingValues>,
    mapped: bool,
    parts: &'v Parts,
}

/// A drawing that the crate includes, as literals.
#[derive(Serialize)]
struct DrawingValues {
    name: String,
    file: String,
}

/// The files, and the parts that they were made of.
pub(super) fn render(
    handler: RustHandler<'_>,
    options: &CrateOptions,
) -> (BTreeMap<PathBuf, String>, Parts) {
    let has_globals = handler.has_globals();
    let mut parts = handler.parts;
    parts.functions.retain(|function| !function.code.is_empty());
    let literal = |text: &str| proc_macro2::Literal::string(text).to_string();
    let drawings = options.drawings.iter().map(|picture| DrawingValues {
        name: literal(&picture.title),
        file: literal(&format!("../drawings/{}.svg", picture.name)),
    });
    let values = Values {
        crate_name: &options.name,
        model_name: plain(&parts.model),
        model_file: plain(&options.model_file),
        command_file: plain(&command_arguments(options)),
        runtime_path: toml_string(&options.runtime_path),
        crates: crates(options),
        standalone: options.standalone,
        has_globals,
        default_globals: parts.constructor.as_ref().is_none_or(|c| c.rest),
        model_literal: literal(&parts.model),
        drawings: drawings.collect(),
        mapped: options.mapped,
        parts: &parts,
    };
    let mut tera = Tera::default();
    let rendered = tera.add_raw_templates(TEMPLATES).and_then(|()| {
        let context = Context::from_serialize(&values)?;
        TEMPLATES
            .iter()
            .filter(|(file, _)| *file != DRAWINGS || !options.drawings.is_empty())
            .map(|(file, _)| Ok((PathBuf::from(file), tera.render(file, &context)?)))
            .collect::<Result<Vec<_>, tera::Error>>()
    });
    let tables = std::mem::take(&mut parts.table_files);
    let tables = tables
        .into_iter()
        .map(|(file, text)| (Path::new("src").join(file), text));
    match rendered {
        Ok(files) => (tables.chain(files).collect(), parts),
        // The templates are compiled in and their values typed: only a bug here can get here.
        Err(error) => panic!("a template of the Rust target failed: {error}"),
    }
}

/// The arguments of the command that makes the crate.
fn command_arguments(options: &CrateOptions) -> String {
    let mut arguments = shell_word(&options.model_file);
    if let Some(main) = &options.main {
        let _ = write!(arguments, " --main {}", shell_word(main));
    }
    for file in &options.vocabulary_files {
        let _ = write!(arguments, " --vocabulary {}", shell_word(file));
    }
    arguments
}

/// The names and paths of the user's own crates, as a manifest has them.
fn crates(options: &CrateOptions) -> Vec<Dependency<'_>> {
    let crates = options.crates.iter();
    crates
        .map(|(name, path)| Dependency {
            name,
            path: toml_string(path),
        })
        .collect()
}

/// `text` as a TOML basic string.
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
