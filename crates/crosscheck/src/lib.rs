//! Compares a prediction with the prediction of another simulator: the same model, on an equivalent
//! platform, and the costs of both runs.
//!
//! [`compare_simulators`] generates both programs, compiles and runs them; [`Comparison`] is the
//! result, as a table for people or in JSON.
//!
//! | module | is |
//! |---|---|
//! | `flags` | translation of a generated program's flags to flags of `SimGrid`'s program |
//! | `measure` | execution of a program, with measurement of its costs |
//! | `comparison` | two simulators side by side |
//! | `simgrid` | program of `SimGrid`'s actors: compilation where `SimGrid` is installed |
//! | `task` | a comparison, from the model to the result |
//! | `command` | command `compare` |

pub mod command;
mod comparison;
mod flags;
mod measure;
pub mod simgrid;
mod task;

pub use comparison::{Comparison, Costs};
pub use measure::{CompareFailure, Measured, SimGridResult, SimulatedProcess, StoppedProgram, run};
pub use task::{ComparisonTask, compare_simulators};

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
