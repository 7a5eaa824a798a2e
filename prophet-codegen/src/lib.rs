//! From UML activity diagrams of parallel programs to simulation crates.
//!
//! `prophet_model` reads the file of a model; all that follows is here.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `index` | places in the lists of a program | types that nobody confuses |
//! | `lang` | text of a cost, guard or fragment | `lang::ir`: typed expressions, statements |
//! | `flow` | a control flow graph | structured statements |
//! | `program` | | the checked program: elements, diagrams, costs |
//! | `working_sets` | `program`, values of its parameters | working sets of each run, before it |
//! | `tables` | tables of `interpolate` | CSV files beside the model |
//! | `resolve` | `model` | `program`: names resolved, types checked, flow structured |
//! | `check` | `model`, rules (`rules/*.mcl.xml`) | problems that keep no crate from being made |
//! | `assume` | `model`, where asked | the same with what its drawing leaves open, and a report |
//! | `rule_flags` | flags of a command line | the rules of a check |
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

pub mod assume;
pub mod build;
pub mod check;
#[cfg(feature = "generation")]
pub mod content_handler;
#[cfg(feature = "generation")]
pub mod emit;
pub mod flow;
pub mod generate;
pub mod ident;
pub mod index;
pub mod lang;
#[cfg(feature = "generation")]
pub mod navigator;
pub mod output;
#[cfg(feature = "generation")]
mod place;
pub mod program;
pub mod resolve;
#[cfg(feature = "command")]
pub mod rule_flags;
#[cfg(feature = "generation")]
pub mod rustfmt;
pub mod split;
pub mod tables;
#[cfg(feature = "generation")]
pub mod target;
pub mod text;
pub mod trace_map;
#[cfg(feature = "generation")]
pub mod traverser;
pub mod working_sets;
pub mod workspace;

// The parts of a model that the interface of targets speaks of.
pub use prophet_model::{diagnostic, model, source, vocabulary};

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
