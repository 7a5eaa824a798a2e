//! Describes whether a loop's iterations may repeat earlier ones.

use super::{Program, Repeat, Step};
use crate::lang::ir::{Expression, Variable};

/// Whether a loop's iterations may repeat earlier ones, so that not all of them need to be
/// simulated.
#[derive(Debug, Clone, PartialEq)]
pub enum Repetition {
    /// All iterations are simulated, because the model asks for it or an enclosing loop may repeat.
    Off,
    /// All iterations are simulated, for the reason given.
    Differs(String),
    /// Iterations may repeat. They depend only on values that don't change, on `variables`, and on
    /// remainders of the iteration's number.
    MayRepeat {
        /// Minimum number of iterations to simulate.
        least: i64,
        /// The variables that iterations depend on and assign to.
        variables: Vec<Variable>,
        /// After how many iterations remainders repeat. Each number is a product of factors that
        /// are known before the loop starts, and contain no diagram variables.
        periods: Vec<Vec<Expression>>,
    },
}

impl Program {
    /// Returns the names of loops whose iterations must all be simulated, with the reasons. Loops
    /// inside such a loop aren't included.
    pub fn differing_loops(&self) -> Vec<(&str, &str)> {
        let mut found = Vec::new();
        let mut open: Vec<&Step> = self.diagrams.iter().flat_map(|it| &it.steps).collect();
        open.reverse();
        while let Some(step) = open.pop() {
            if let Step::Repeat(Repeat {
                element,
                repetition: Repetition::Differs(why),
                ..
            }) = step
            {
                found.push((&*self.elements[*element].name, &**why));
            } else {
                let blocks = step.blocks().into_iter().rev();
                open.extend(blocks.flat_map(|block| block.iter().rev()));
            }
        }
        found.truncate(DIFFERING_MAX);
        found
    }
}

/// Maximum number of loops to give reasons for.
const DIFFERING_MAX: usize = 16;
