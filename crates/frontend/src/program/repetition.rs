//! Describes whether a loop's iterations can repeat earlier ones.

use super::{Program, Repeat, Step};
use crate::lang::ir::{Expression, Variable};

/// Whether a loop's iterations can repeat earlier ones, which then don't have to be simulated
/// again.
#[derive(Debug, Clone, PartialEq)]
pub enum Repetition {
    /// All iterations are simulated, because the model says so, or because an enclosing loop may
    /// repeat.
    Off,
    /// All iterations are simulated, for this reason.
    Differs(String),
    /// Iterations may repeat: they depend on nothing that changes, except for these variables,
    /// which they assign to, and remainders of the iteration's number.
    MayRepeat {
        /// Minimum number of iterations to simulate.
        least: i64,
        /// The variables.
        variables: Vec<Variable>,
        /// Numbers of iterations after which remainders repeat. Each is a product of factors that
        /// are known before the loop starts and contain no diagram variables.
        periods: Vec<Vec<Expression>>,
    },
}

impl Program {
    /// Returns the outermost loops whose iterations all have to be simulated, and the reasons.
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

/// Maximum number of loops for which a program states reasons.
const DIFFERING_MAX: usize = 16;
