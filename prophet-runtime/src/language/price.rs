//! Defines the prices of elements.

use crate::language::fault::Fault;

/// The price of a communication whose time the machine's network determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByMachine;

/// The price of one execution of an element: a number of seconds, a result with a number of seconds
/// or a fault, or [`ByMachine`].
///
/// If the number of seconds is negative or not finite, the run stops when the element is executed.
pub trait Price {
    /// Evaluates the price.
    fn cost(self) -> Cost;
}

/// An evaluated price.
#[derive(Debug, Clone, PartialEq)]
pub enum Cost {
    /// The machine's network determines the price.
    ByMachine,
    /// A number of simulated seconds.
    Seconds(f64),
    /// The cost function met a fault.
    Fault(Fault),
}

/// A price as stored in the futures of elements: plain data, so dropping it runs no code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Charge {
    ByMachine,
    Seconds(f64),
    /// The cost function met the fault with this number in the run.
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
