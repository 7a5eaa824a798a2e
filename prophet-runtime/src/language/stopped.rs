//! What a process returns when the run can't go on.

use crate::language::fault::Fault;

/// The run can't go on: pass it up with `?`.
///
/// As small as a pointer, so that every `Result<(), Stopped>` on the way is small. What happened,
/// where and when lies in the simulation, which returns it as a [`Failure`](crate::Failure); a
/// fault in the model's own code, met at the element that the process named last, is on its way
/// there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped(Option<Fault>);

impl Stopped {
    /// The simulation knows why.
    pub(crate) const RECORDED: Self = Self(None);

    /// The fault that is not recorded yet, if that is the reason.
    pub(crate) fn fault(self) -> Option<Fault> {
        self.0
    }
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self(Some(fault))
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use super::*;

    #[test]
    fn a_result_fits_two_registers() {
        assert_eq!(size_of::<Stopped>(), size_of::<usize>());
        assert_eq!(size_of::<Poll<Result<(), Stopped>>>(), 16);
    }
}
