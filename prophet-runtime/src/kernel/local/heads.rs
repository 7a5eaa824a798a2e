//! Stops ranks at the heads of loops whose iterations can repeat, until all ranks have arrived. The
//! state of the run can then be compared with earlier ones.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// A rank that has stopped at the head of a loop whose iterations can repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) rank: u32,
    pub(crate) element: u32,
    pub(crate) name: &'static str,
    pub(crate) done: u64,
    pub(crate) left: u64,
    /// Minimum number of iterations that are simulated.
    pub(crate) least: u64,
    /// Number of iterations after which everything that depends on the iteration number repeats, or
    /// 0 if it never does.
    pub(crate) modulus: u64,
    /// A hash of the variables that iterations assign.
    pub(crate) state: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Heads {
    /// Whether iterations are compared. If not, ranks pass the heads of loops.
    watched: Cell<bool>,
    stopped: RefCell<Vec<Head>>,
    /// Number of iterations that ranks skip when they continue.
    computed: Cell<u64>,
    /// The loops at whose heads ranks no longer stop.
    passed: RefCell<BTreeSet<u32>>,
}

impl Heads {
    /// Sets whether iterations are compared.
    pub(crate) fn watch(&self, watched: bool) {
        self.watched.set(watched);
    }

    #[inline]
    pub(crate) fn are_watched(&self) -> bool {
        self.watched.get()
    }

    pub(crate) fn stop(&self, head: Head) {
        self.stopped.borrow_mut().push(head);
    }

    /// Lets ranks pass the heads of these loops without stopping from now on.
    pub(crate) fn pass(&self, loops: &BTreeSet<u32>) {
        self.passed.borrow_mut().extend(loops);
    }

    pub(crate) fn passes(&self, element: u32) -> bool {
        self.passed.borrow().contains(&element)
    }

    pub(crate) fn take(&self) -> Vec<Head> {
        self.stopped.take()
    }

    /// Sets the number of iterations that ranks skip when they continue.
    pub(crate) fn compute(&self, iterations: u64) {
        self.computed.set(iterations);
    }

    /// Returns the number of iterations that ranks skip when they continue.
    pub(crate) fn computed(&self) -> u64 {
        self.computed.get()
    }
}

/// Returns the least common multiple, or `None` if one of the numbers is 0 or the result is too
/// large.
pub(crate) fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    a.checked_mul(b.checked_div(divisor)?).filter(|it| *it > 0)
}
