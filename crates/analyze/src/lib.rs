//! Turns the source code of C programs into models, with clang's syntax tree.
//!
//! | module | is |
//! |---|---|
//! | `tree` | clang's syntax tree, from its JSON |
//! | `compiler` | running clang |
//! | `pragma` | clauses of directives of OpenMP |
//! | `program` | functions, statements and expressions |
//! | `lower` | a syntax tree as a program |
//! | `mpi` | calls of MPI: where their arguments are |
//! | `facts` | functions and variables that decide what is sent |
//! | `counts` | operations of code without messages |
//! | `write` | a program as a model |
//! | `prices` | prices and open parameters from recordings |
//! | [`command`] | the command line |

pub mod command;
mod compiler;
mod counts;
mod facts;
mod lower;
mod mpi;
mod pragma;
mod prices;
mod program;
mod tree;
mod write;

pub use compiler::{NAMES as CLANG_NAMES, installed as clang};
