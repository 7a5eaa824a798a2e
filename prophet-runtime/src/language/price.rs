//! Defines the prices of elements.

use crate::language::fault::Fault;

/// The price of a communication that the machine's network determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByMachine;

/// The price of one execution of an element: a time in seconds, a result with a time or a fault, or
/// [`ByMachine`].
///
/// If the time is negative or not finite, the run stops when the element is executed.
pub trait Price {
    /// Evaluates the price.
    fn cost(self) -> Cost;
}

/// An evaluated price.
#[derive(Debug, Clone, PartialEq)]
pub enum Cost {
    /// The machine's network determines the price.
    ByMachine,
    /// A time in simulated seconds.
    Seconds(f64),
    /// The fault that the cost function returned.
    Fault(Fault),
}

/// A price as the futures of elements store it. It is plain data, so that dropping it takes no
/// code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Charge {
    ByMachine,
    Seconds(f64),
    /// The number, in this run, of the fault that the cost function returned.
    Fault(usize),
}

impl Price for f64 {
    fn cost(self) -> Cost {
        Cost::Seconds(self)
    }
}

impl Price for Result<f64, Fault> {
    fn cost(self) -> Cost {
        match self {
            Ok(seconds) => Cost::Seconds(seconds),
            Err(fault) => Cost::Fault(fault),
        }
    }
}

impl Price for ByMachine {
    fn cost(self) -> Cost {
        Cost::ByMachine
    }
}
