//! Compares a prediction with another simulator's, for the same model on an equivalent platform,
//! and compares the costs of the two simulations.
//!
//! [`compare_simulators`] generates, compiles and runs both programs. The result is a
//! [`Comparison`], which can be printed as a table for people or as JSON.
//!
//! | module | is |
//! |---|---|
//! | `flags` | translating a generated program's flags to flags of `SimGrid`'s program |
//! | `measure` | running a program and measuring its costs |
//! | `comparison` | two simulators side by side |
//! | `simgrid` | compiling the program with `SimGrid`'s actors, if `SimGrid` is installed |
//! | `task` | a comparison, from the model to the result |
//! | `command` | the command `compare` |

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
