//! Defines the error that a process returns when the run can't continue.

use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The error that a process returns because the run can't continue: propagate it with `?`.
///
/// Any error converts to `Stopped`, so with `?`, an error in a process's own code ends the run just
/// like a problem found by the simulation. The run's [`Failure`](crate::Failure) then returns the
/// error.
///
/// A `Stopped` is as small as a pointer, which keeps every `Result<(), Stopped>` small. The
/// simulation itself stores the reason, place and time of the failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped(Option<Box<ProcessError>>);

impl Stopped {
    /// A stop whose reason the simulation has recorded.
    pub const RECORDED: Self = Self(None);

    /// Returns the process's own error, or `None` if the simulation recorded the reason.
    pub fn error(self) -> Option<ProcessError> {
        self.0.map(|error| *error)
    }
}

// `Stopped` can't implement `Error`: there would be two conversions from `Stopped` to itself.
impl<E: Error + Send + Sync + 'static> From<E> for Stopped {
    #[cold]
    fn from(error: E) -> Self {
        Self(Some(Box::new(ProcessError(Arc::new(error)))))
    }
}

/// An error from a process's own code.
///
/// Clones share the error and compare equal.
#[derive(Clone)]
pub struct ProcessError(Arc<dyn Error + Send + Sync>);

impl Deref for ProcessError {
    type Target = dyn Error + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for ProcessError {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ProcessError {}

impl fmt::Debug for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
