//! From UML activity diagrams of parallel programs to simulation crates.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `source` | the bytes of a file | text, and places in it |
//! | `xmi` | a file of any dialect, packed or not | `model`: what the file says, untyped |
//! | `xmi::uml14` | activity graphs of UML 1.x | the same `model` |
//! | `xmi::structured` | our own XML form | the same `model` |
//! | `xmi::summary` | what the reader made | counts of what was read and skipped |
//! | `lang` | text of a cost, guard or fragment | `lang::ir`: typed expressions, statements |
//! | `flow` | a control flow graph | structured statements |
//! | `index` | places in the lists of a program | types that nobody confuses |
//! | `resolve` | `model` | `program`: names resolved, types checked, flow structured |
//! | `check` | `model`, rules (`rules/*.mcl.xml`) | problems that keep no crate from being made |
//! | `vocabulary` | a stereotype, also of the user's own | its tags, its type in the runtime |
//! | `navigator`, `traverser`, `content_handler` | `program` | calls of a handler, in order |
//! | `emit` | lines, and what they speak of | text, and the map of its lines |
//! | `target` | a checked model | files: the interface of targets, and a list of them |
//! | `target::rust` | the handler's calls | the files of a crate |
//! | `target::c` | `lang::ir` | C text; what targets in C and C++ share |
//! | `target::drawing` | `model` | what all pictures show: diagrams, captions, guards, ids |
//! | `target::svg` | a drawing | a picture of each diagram, as it was drawn or laid out in layers |
//! | `trace_map` | words of a generated file | the map of its lines: `lib.rs.map.json` |
//! | `place` | a request | the folder of each target; no crate takes the place of another model's |
//! | `output`, `rustfmt`, `workspace` | files | files on disk, only where they changed |
//! | `generate` | the stages above, in their order | |
//! | `diagnostic` | problems from all stages | text, JSON or SARIF, with code, place, help |

pub mod check;
pub mod content_handler;
pub mod diagnostic;
pub mod emit;
pub mod flow;
pub mod generate;
pub mod index;
pub mod lang;
pub mod map;
pub mod model;
pub mod navigator;
pub mod output;
mod place;
pub mod program;
pub mod resolve;
pub mod rustfmt;
mod similar;
pub mod source;
pub mod tables;
pub mod target;
pub mod trace_map;
pub mod traverser;
pub mod vocabulary;
pub mod workspace;
pub mod xmi;
