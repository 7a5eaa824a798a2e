//! Provides the targets of a checked model, except the crate that simulates it.
//!
//! Each is a [`prophet_codegen::target::Target`], as one outside of this project would be;
//! [`shipped`] has all that the command line offers. They are a crate of their own so that a first
//! prediction, which needs none of them, does not wait for an optimizing compiler on their behalf.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `family` | names, costs and the flow of diagrams | text, for the three targets in C and C++ |
//! | `cpp` | the handler's calls | the papers' C++ representation |
//! | `mpi_c` | the handler's calls | the real program's skeleton: C with MPI and OpenMP |
//! | `simgrid` | the handler's calls | the same program as actors of SimGrid |
//! | `graph_text` | a drawing | lines of a text that draws graphs |
//! | `mermaid` | a drawing | each diagram as text |
//! | `uml` | `model` | the model drawn again in UML 2 |
//! | `read_back` | a text of a model | what of it would be another program |
//! | `xml` | `model` | our own XML form, which `xmi::structured` reads |
//! | `plantuml` | `model` | the model as text, which `plantuml` of the reader reads |
//! | `form` | a model | a file in XML, text or UML 2, read back |
//! | `validate` | the results of a simulation and of a skeleton that was run | both, side by side |
//! | `outside` | a crate of the user's own | a target, whose program is asked for the files |

pub mod cpp;
mod family;
pub mod form;
mod graph_text;
pub mod mermaid;
pub mod mpi_c;
pub mod outside;
pub mod plantuml;
pub mod read_back;
pub mod simgrid;
pub mod uml;
pub mod validate;
pub mod xml;

pub use prophet_codegen::build;
use prophet_codegen::target::Targets;

/// Returns the command line's targets, in listing order.
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
