//! Provides the targets that a checked model can be written as, except the crate that simulates it.
//!
//! Each target is a [`prophet_codegen::target::Target`], like targets in users' crates. [`shipped`]
//! returns the targets that the command line offers. They are in a separate crate so that a first
//! prediction, which doesn't need them, doesn't have to wait until they're compiled.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `family` | names, costs and the flow of diagrams | text, for the three targets in C and C++ |
//! | `cpp` | the handler's calls | the papers' C++ representation |
//! | `mpi_c` | the handler's calls | the real program's skeleton: C with MPI and OpenMP |
//! | `simgrid` | the handler's calls | the same program as SimGrid actors |
//! | `graph_text` | a drawing | the text of a graph language |
//! | `mermaid` | a drawing | each diagram as text |
//! | `uml` | `model` | the model redrawn in UML 2 |
//! | `read_back` | a model's text | how it differs from the model's program, if it does |
//! | `xml` | `model` | our own XML format, which `xmi::structured` reads |
//! | `plantuml` | `model` | the model as text, which the reader's `plantuml` reads |
//! | `form` | a model | a file in XML, text or UML 2, read back |
//! | `validate` | the results of a simulation and of a skeleton run | both, side by side |
//! | `outside` | a user's crate | a target that lets the crate's program generate the files |

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

/// Returns the targets that the command line offers, in the order in which it lists them.
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
