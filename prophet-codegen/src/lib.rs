//! Turns UML activity diagrams of parallel programs into simulation crates.
//!
//! `prophet_model` reads the file of a model, and `prophet_frontend` makes a checked program of it;
//! all that follows is here.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `split` | `program` | the same in functions that compilers bear |
//! | `text` | names and texts of a model | the same in generated text |
//! | `ident` | names of a model | identifiers |
//! | `navigator` | `program` | its parts, in order |
//! | `content_handler` | parts of `program` | the interface of handlers |
//! | `traverser` | a navigator | calls of a handler, in order |
//! | `emit` | lines, and what they speak of | text, and the map of its lines |
//! | `output` | files | files on disk, only where they changed |
//! | `rustfmt` | Rust | the same as rustfmt lays it out |
//! | `workspace` | | the folders of the project, or of who uses the installed program |
//! | `build` | a crate | the program, by cargo |
//! | `trace_map` | words of a generated file | the map of its lines: `lib.rs.map.json` |
//! | `target` | a checked model | files: the interface of targets, and a list of them |
//! | `target::rust` | the handler's calls | the files of a crate |
//! | `target::c` | `lang::ir` | C text; what targets in C and C++ share |
//! | `target::drawing` | `model` | what all pictures show: diagrams, captions, guards, ids |
//! | `target::svg` | a drawing | a picture of each diagram, as it was drawn or laid out in layers |
//! | `place` | a request | the folder of each target; no crate takes the place of another model's |
//! | `generate` | the stages above, in their order | |

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

// The types of models and programs that the target interface uses.
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
