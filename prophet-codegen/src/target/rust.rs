//! Writes the Rust target: a standalone crate that simulates the program.
//!
//! Templates provide the layout of files. `quote` writes expressions and names, and prettyplease
//! formats functions without comments. At the end, the caller runs rustfmt.

mod comment;
mod declarations;
mod execute;
mod expression;
mod files;
mod flow;
mod function;
mod handler;
mod library;
mod names;
mod region;
mod trace;

use std::path::Path;

use super::drawing::Drawing;
use super::{Files, Input, Target, svg};
use crate::trace_map::map_path;
use crate::traverser::show;
pub use crate::{ident, split};
use handler::RustHandler;
use prophet_frontend::program::Program;

/// Generates a crate that simulates the model.
#[derive(Debug, Clone, Copy)]
pub struct Rust;

impl Target for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn about(&self) -> &'static str {
        "a crate that simulates the model"
    }

    fn folder(&self) -> &'static str {
        ""
    }

    fn knows_own_stereotypes(&self) -> bool {
        true
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let mut files = library(input);
        files.extend(frame(input));
        files
    }

    fn sidecars(&self, input: &Input<'_>, files: &Files) -> Files {
        let library = Path::new("src/lib.rs");
        let map = files.get(library).map(|text| {
            let map = trace::map(input, text);
            (map_path(library), map.to_json().into())
        });
        map.into_iter().collect()
    }
}

/// Returns the crate's files that don't depend on its name and place, including drawings.
pub(crate) fn library(input: &Input<'_>) -> Files {
    let drawings = svg::carried(&Drawing::new(input.model, input.program));
    let mut files = svg::files(&drawings, input.model_file);
    let options = CrateOptions {
        drawings,
        ..options(input)
    };
    files.extend(library_files(input.program, &options));
    files
}

/// Returns the crate's other files: its manifest and `main.rs`.
pub(crate) fn frame(input: &Input<'_>) -> Files {
    files::frame(&input.program.name, &options(input))
}

fn options(input: &Input<'_>) -> CrateOptions {
    let workspace = input.workspace;
    let crates = input.vocabulary.crates.iter().map(|own| {
        let path = workspace.path_from(input.folder, &own.path);
        (own.name.clone(), path)
    });
    let hardware = input.vocabulary.crates.iter();
    let hardware = hardware.filter_map(|own| own.models.as_ref());
    let files = input.vocabulary.files.iter();
    CrateOptions {
        name: input.name.to_owned(),
        model_file: input.model_file.to_owned(),
        main: input.main.map(str::to_owned),
        runtime_path: workspace.path_from(input.folder, &workspace.runtime),
        crates: crates.collect(),
        hardware: hardware.cloned().collect(),
        vocabulary_files: files.map(|file| workspace.file_name(file)).collect(),
        standalone: !workspace.has_member(input.folder),
        drawings: Vec::new(),
        mapped: true,
    }
}

/// What a crate needs in addition to the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrateOptions {
    /// The crate's name.
    pub name: String,
    /// Path of the model file relative to the workspace, for the header.
    pub model_file: String,
    /// The activity to start with, if the user chose one.
    pub main: Option<String>,
    /// The path of `prophet-runtime`, for the manifest.
    pub runtime_path: String,
    /// The names and paths of the user's crates that it needs.
    pub crates: Vec<(String, String)>,
    /// The paths of constants that contain the user's hardware models.
    pub hardware: Vec<String>,
    /// The vocabulary files that the user added, for the header.
    pub vocabulary_files: Vec<String>,
    /// Whether the crate is its own workspace.
    pub standalone: bool,
    /// The drawings that the crate embeds. The caller must write their files.
    pub drawings: Vec<svg::Picture>,
    /// Whether the crate embeds the map of its code. The caller must write the map's file.
    pub mapped: bool,
}

/// Returns the files of a crate for `program` by path. They aren't formatted.
///
/// # Panics
///
/// Panics if the text isn't valid Rust. That is always a bug in this tool, never in the model.
pub fn crate_files(program: &Program, options: &CrateOptions) -> Files {
    let mut files = library_files(program, options);
    files.extend(files::frame(&program.name, options));
    files
}

fn library_files(program: &Program, options: &CrateOptions) -> Files {
    let (program, origins) = split::split(program);
    let mut handler = RustHandler::new(&program, &origins);
    show(&program, &mut handler);
    files::library(handler, options)
}
