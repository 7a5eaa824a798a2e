//! Turns a model into a checked program: parses costs, structures the control flow, resolves names,
//! and applies rules.
//!
//! [`checked::check`] does all of this for a file. This crate reports all problems in a user's
//! model, except problems that appear while the file is read or in a target.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `index` | places in a program's lists | a separate index type for each list |
//! | `lang` | text of a cost, guard or fragment | `lang::ir`: typed expressions, statements |
//! | `flow` | a control flow graph | structured statements |
//! | `program` | | the checked program: elements, diagrams, costs |
//! | `working_sets` | `program`, values of its parameters | working sets, before each run |
//! | `tables` | tables of `interpolate` | CSV files next to the model |
//! | `resolve` | `model` | `program`: names resolved, types checked, flow structured |
//! | `check` | `model`, rules (`rules/*.mcl.xml`) | problems that do not prevent generation |
//! | `assume` | `model`, if requested | the same with assumptions, and a report |
//! | `rule_flags` | flags of a command line | the rules of a check |
//! | `checked` | a file | a checked program, and all problems |

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

// Programs and problems refer to these parts of a model.
pub use prophet_model::{diagnostic, model, source, vocabulary};

// Test files that crates share refer to the crate by this name.
#[cfg(test)]
extern crate self as prophet_frontend;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
