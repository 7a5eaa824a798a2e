//! From UML activity diagrams of parallel programs to simulation crates.

#![expect(dead_code, reason = "under construction")]

pub mod diagnostic;
pub mod flow;
pub mod lang;
pub mod model;
pub mod source;
pub mod xmi;
