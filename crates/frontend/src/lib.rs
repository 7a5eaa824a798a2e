//! Turns a model into a checked program: parses costs, structures flow, resolves names, and applies
//! rules.
//!
//! [`checked::check`] does all of it for a file. What it says of a model is for its user: every
//! complaint about a model comes from here.
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
//! | `checked` | a file | the same, read, checked, and with all that is said of it |

#![deny(missing_docs)]

pub mod assume;
pub mod check;
pub mod checked;
pub mod flow;
pub mod index;
pub mod lang;
pub mod program;
pub mod resolve;
#[cfg(feature = "command")]
pub mod rule_flags;
pub mod tables;
pub mod working_sets;

// The parts of a model that a program and its problems refer to.
pub use prophet_model::{diagnostic, model, source, vocabulary};

// Test files shared with other crates use this name.
#[cfg(test)]
extern crate self as prophet_frontend;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
