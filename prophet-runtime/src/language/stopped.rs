//! Return value of a process when the run cannot continue.

use crate::language::fault::Fault;

/// Signal that the run cannot continue: pass it up with `?`.
///
/// The type is as small as a pointer, so that every `Result<(), Stopped>` on the way is small. The
/// simulation keeps the cause, place and time, and returns them as a [`Failure`](crate::Failure); a
/// fault in the model's own code, met at the element that the process named last, is carried there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped(Option<Fault>);

impl Stopped {
    /// The cause is recorded in the simulation.
    pub(crate) const RECORDED: Self = Self(None);

    /// Takes the fault that is not recorded yet, if that is the reason.
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
