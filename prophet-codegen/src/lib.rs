//! Generates simulation crates from UML activity diagrams of parallel programs.
//!
//! `prophet_model` reads the model file, and `prophet_frontend` turns it into a checked program.
//! This crate handles everything after that.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `split` | `program` | the same, in functions small enough for compilers |
//! | `text` | names and texts of a model | the same, safe in generated text |
//! | `ident` | names of a model | identifiers |
//! | `navigator` | `program` | its parts, in order |
//! | `content_handler` | parts of `program` | calls of the handler interface |
//! | `traverser` | a navigator | calls of a handler, in order |
//! | `emit` | lines and their subjects | text, and a map of its lines |
//! | `output` | files | files on disk, if they changed |
//! | `rustfmt` | Rust code | the same, formatted by rustfmt |
//! | `workspace` | | the folders of the project, or of the installed program's user |
//! | `build` | a crate | an executable, compiled by cargo |
//! | `trace_map` | words of a generated file | a map of its lines: `lib.rs.map.json` |
//! | `target` | a checked model | files: the target interface, and a list of targets |
//! | `target::rust` | the handler's calls | the files of a crate |
//! | `target::c` | `lang::ir` | C text, shared by the targets in C and C++ |
//! | `target::drawing` | `model` | the content of all pictures: diagrams, captions, guards, ids |
//! | `target::svg` | a drawing | a picture of each diagram, as drawn or laid out in layers |
//! | `place` | a request | each target's folder; no crate replaces another model's |
//! | `generate` | the stages above, in order | |

#![deny(missing_docs)]
#![cfg_attr(
    not(feature = "generation"),
    allow(
        dead_code,
        unused_imports,
        reason = "some of it is for what is generated"
    )
)]

pub mod build;
#[cfg(feature = "generation")]
pub mod content_handler;
#[cfg(feature = "generation")]
pub mod emit;
pub mod generate;
pub mod ident;
#[cfg(feature = "generation")]
pub mod navigator;
pub mod output;
#[cfg(feature = "generation")]
mod place;
#[cfg(feature = "generation")]
pub mod rustfmt;
pub mod split;
#[cfg(feature = "generation")]
pub mod target;
pub mod text;
pub mod trace_map;
#[cfg(feature = "generation")]
pub mod traverser;
pub mod workspace;

// Types of models and programs for the target interface.
pub use prophet_frontend::{
    assume, check, flow, index, lang, program, resolve, tables, working_sets,
};
pub use prophet_model::{diagnostic, model, source, vocabulary};

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
