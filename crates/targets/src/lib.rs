//! What a checked model can become besides the crate that simulates it.
//!
//! Each is a [`prophet_codegen::target::Target`], as one outside of this project would be;
//! [`shipped`] has all that the command line offers. They are a crate of their own so that a first
//! prediction, which needs none of them, does not wait for an optimizing compiler on their behalf.

pub mod build;
mod cost_support;
pub mod cpp;
mod graph_text;
pub mod mermaid;
pub mod mpi_c;
pub mod plantuml;
pub mod simgrid;
pub mod validate;
pub mod xml;

use prophet_codegen::target::Targets;

/// The targets that the command line offers, in the order in which it lists them.
pub fn shipped() -> Targets {
    let mut targets = Targets::default();
    targets.add(Box::new(cpp::Cpp));
    targets.add(Box::new(mpi_c::MpiC));
    targets.add(Box::new(mermaid::Mermaid));
    targets.add(Box::new(plantuml::PlantUml));
    targets.add(Box::new(xml::Xml));
    targets.add(Box::new(simgrid::SimGrid));
    targets
}
