//! From UML activity diagrams of parallel programs to simulation crates.

pub mod check;
pub mod content_handler;
pub mod diagnostic;
pub mod flow;
pub mod generate;
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
