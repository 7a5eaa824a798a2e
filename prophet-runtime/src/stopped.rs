//! What a process returns when the run can't go on.

use crate::fault::Fault;

/// The run can't go on: pass it up with `?`.
///
/// One byte, so that every `Result<(), Stopped>` on the way is small. What happened, where and
/// when lies in the simulation, which returns it as a [`Failure`](crate::Failure).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped(Reason);

/// Where the details are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// The simulation has them.
    Recorded,
    /// A fault in the model's own code, met at the element that the process named last.
    Fault(Fault),
}

impl Stopped {
    /// The simulation knows why.
    pub(crate) const RECORDED: Self = Self(Reason::Recorded);

    /// The fault that is not recorded yet, if that is the reason.
    pub(crate) fn fault(self) -> Option<Fault> {
        match self.0 {
            Reason::Recorded => None,
            Reason::Fault(fault) => Some(fault),
        }
    }
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self(Reason::Fault(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_one_byte() {
        assert_eq!(size_of::<Stopped>(), 1);
        assert_eq!(size_of::<Result<(), Stopped>>(), 1);
    }
}
