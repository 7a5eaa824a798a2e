//! Writes branches as `if`, `else if` and `else`.

use prophet_frontend::program::{Branch, ElementIndex, Step};

/// The branches around the current step, for languages with `else if`.
#[derive(Debug, Default)]
pub struct Branches {
    open: Vec<Open>,
    /// Whether the next branch continues the enclosing branch's `if`.
    chain: bool,
}

#[derive(Debug)]
struct Open {
    element: ElementIndex,
    begun: bool,
    chained: bool,
}

impl Branches {
    /// Starts a branch; returns whether it continues the enclosing branch's `if`.
    pub fn begin(&mut self, branch: &Branch) -> bool {
        let chained = std::mem::take(&mut self.chain);
        self.open.push(Open {
            element: branch.element,
            begun: false,
            chained,
        });
        chained
    }

    /// Starts an arm; returns the branching node, and whether the arm is an `else if`; `None`
    /// outside branches.
    pub fn arm(&mut self) -> Option<(ElementIndex, bool)> {
        let open = self.open.last_mut()?;
        let is_else = std::mem::replace(&mut open.begun, true) || open.chained;
        Some((open.element, is_else))
    }

    /// Starts the steps for when no guard holds; returns whether they need their own `else`.
    pub fn otherwise(&mut self, steps: &[Step]) -> bool {
        self.chain = goes_on(steps);
        has_else(steps)
    }

    /// Ends a branch; returns whether it continued the enclosing branch's `if`.
    pub fn end(&mut self) -> bool {
        self.open.pop().is_some_and(|open| open.chained)
    }
}

/// Returns `true` if the steps for when no guard holds need their own `else`.
pub fn has_else(steps: &[Step]) -> bool {
    !steps.is_empty() && !goes_on(steps)
}

/// Returns `true` if the steps are one branch that can continue as `else if`. If its guards can
/// fail or draw random numbers, their element must be marked first, so it cannot.
fn goes_on(steps: &[Step]) -> bool {
    let [Step::Branch(inner)] = steps else {
        return false;
    };
    !inner.needs.fallible && !inner.needs.stream
}
