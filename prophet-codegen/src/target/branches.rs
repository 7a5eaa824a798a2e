//! Writes branches as `if`, `else if`, and `else`.

use prophet_frontend::program::{Branch, ElementIndex, Step};

/// Keeps track of the branches around the current step, for languages with `else if`.
#[derive(Debug, Default)]
pub struct Branches {
    open: Vec<Open>,
    /// Whether the next branch continues the `if` of the enclosing branch.
    chain: bool,
}

#[derive(Debug)]
struct Open {
    element: ElementIndex,
    begun: bool,
    chained: bool,
}

impl Branches {
    /// Starts a branch. Returns `true` if it continues the `if` of the enclosing branch.
    pub fn begin(&mut self, branch: &Branch) -> bool {
        let chained = std::mem::take(&mut self.chain);
        self.open.push(Open {
            element: branch.element,
            begun: false,
            chained,
        });
        chained
    }

    /// Starts an arm. Returns the branching node, and whether the arm is an `else if`. Returns
    /// `None` outside of branches.
    pub fn arm(&mut self) -> Option<(ElementIndex, bool)> {
        let open = self.open.last_mut()?;
        let is_else = std::mem::replace(&mut open.begun, true) || open.chained;
        Some((open.element, is_else))
    }

    /// Starts what a branch does if no guard holds. Returns `true` if these steps need an `else` of
    /// their own.
    pub fn otherwise(&mut self, steps: &[Step]) -> bool {
        self.chain = goes_on(steps);
        has_else(steps)
    }

    /// Ends a branch. Returns `true` if it continued the `if` of the enclosing branch.
    pub fn end(&mut self) -> bool {
        self.open.pop().is_some_and(|open| open.chained)
    }
}

/// Returns `true` if the steps, which run if no guard holds, need an `else` of their own.
pub fn has_else(steps: &[Step]) -> bool {
    !steps.is_empty() && !goes_on(steps)
}

/// Returns `true` if the steps are a single branch that can be written as `else if`. That isn't
/// possible if its guards can fail or draw random numbers, because then a statement must come
/// first.
fn goes_on(steps: &[Step]) -> bool {
    let [Step::Branch(inner)] = steps else {
        return false;
    };
    !inner.needs.fallible && !inner.needs.stream
}
