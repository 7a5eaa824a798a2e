//! Branches as `if`, `else if` and `else`.

use prophet_frontend::program::{Branch, ElementIndex, Step};

/// The branches around the current step, for handlers whose languages have `else if`.
#[derive(Debug, Default)]
pub struct Branches {
    open: Vec<Open>,
    /// True if the next branch continues with the `if` of the branch around it.
    chain: bool,
}

#[derive(Debug)]
struct Open {
    element: ElementIndex,
    /// True once its first arm has begun.
    begun: bool,
    chained: bool,
}

impl Branches {
    /// Begins a branch, and says whether it continues with the `if` of the branch around it.
    pub fn begin(&mut self, branch: &Branch) -> bool {
        let chained = std::mem::take(&mut self.chain);
        self.open.push(Open {
            element: branch.element,
            begun: false,
            chained,
        });
        chained
    }

    /// Begins an arm: the node that asks, and whether the arm is an `else if`; `None` outside of
    /// branches.
    pub fn arm(&mut self) -> Option<(ElementIndex, bool)> {
        let open = self.open.last_mut()?;
        let is_else = std::mem::replace(&mut open.begun, true) || open.chained;
        Some((open.element, is_else))
    }

    /// Begins what happens if no guard holds, and says whether that is an `else` of its own.
    pub fn otherwise(&mut self, steps: &[Step]) -> bool {
        self.chain = goes_on(steps);
        has_else(steps)
    }

    /// Ends a branch, and says whether it went on with the `if` of the branch around it.
    pub fn end(&mut self) -> bool {
        self.open.pop().is_some_and(|open| open.chained)
    }
}

/// Returns `true` if the steps in case that no guard holds are an `else` of their own.
pub fn has_else(steps: &[Step]) -> bool {
    !steps.is_empty() && !goes_on(steps)
}

/// An else that is one branch continues as `else if`, unless its guards can fail or draw: then it
/// must first be said whose they are.
fn goes_on(steps: &[Step]) -> bool {
    let [Step::Branch(inner)] = steps else {
        return false;
    };
    !inner.needs.fallible && !inner.needs.stream
}
