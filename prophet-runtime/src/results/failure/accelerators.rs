//! Describes requests that a machine's accelerators can't fulfill.

use prophet_machine::accelerator::{Accelerator, Precision};
use prophet_machine::machine::Machine;
use prophet_text::decimal_bytes;

use std::fmt;

/// Why an accelerator can't do what an element requests.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfit {
    /// The machine has no accelerators.
    NoAccelerators,
    /// The process's node has no accelerators, but other nodes do.
    NoneOnNode {
        /// The node of the process.
        node: u32,
    },
    /// The node has no accelerator with this number.
    Device {
        /// The device number in the model.
        value: i64,
        /// Number of accelerators on the node.
        devices: u32,
    },
    /// The number of a stream or an event is out of range.
    Number {
        /// The name of the tag: `stream` or `event`.
        tag: &'static str,
        /// The number in the model.
        value: i64,
        /// The largest number allowed.
        most: i64,
    },
    /// An amount of work is negative or not finite.
    Amount {
        /// The name of the tag with the amount.
        tag: &'static str,
        /// The amount in the model.
        value: f64,
    },
    /// A kernel's share of a device is not above 0, or is above 1.
    Share(f64),
    /// The accelerator has no peak rate for the precision that a kernel uses.
    NoPeak {
        /// Name of the accelerator.
        name: String,
        /// Name of the precision.
        precision: &'static str,
    },
    /// The accelerator has no link to other accelerators.
    NoPeer {
        /// Name of the accelerator.
        name: String,
    },
    /// The processes that use a device need more memory than it has.
    Memory {
        /// Name of the accelerator.
        name: String,
        /// How much memory all processes of the device need, in bytes.
        needed: u128,
        /// Size of its memory, in bytes.
        size: u64,
    },
    /// Too many operations haven't ended yet.
    Pending {
        /// Number of operations that haven't ended yet.
        operations: usize,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAccelerators => write!(
                f,
                "the machine has no accelerators: choose another with --machine ({}), or add \
                 `[[accelerator]]` to its file",
                Machine::that_have(|it| !it.accelerators.is_empty())
            ),
            Self::NoneOnNode { node } => write!(
                f,
                "node {node} has no accelerators: place the process on another node with --mapping"
            ),
            Self::Device { value, devices } => {
                let last = devices.saturating_sub(1);
                write!(
                    f,
                    "device is {value}, but the accelerators are numbered 0 to {last}"
                )
            }
            Self::Number { tag, value, most } => {
                write!(f, "{tag} is {value}, which is out of range (0 to {most})")
            }
            Self::Amount { tag, value } => {
                write!(f, "{tag} is {value}, but must be a number of 0 or more")
            }
            Self::Share(value) => {
                write!(f, "share is {value}, but must be above 0 and at most 1")
            }
            Self::NoPeak { name, precision } => write!(
                f,
                "the accelerator `{name}` has no peak rate for {precision}: add one to the machine \
                 file, choose another machine with --machine ({}), or give the kernel a cost",
                with_accelerator(|it| {
                    let peak = Precision::of_name(precision);
                    peak.is_some_and(|peak| it.peak(peak).is_some())
                })
            ),
            Self::NoPeer { name } => write!(
                f,
                "the accelerator `{name}` has no link to other accelerators: add `peer-bandwidth` \
                 to its entry in the machine file, choose another machine with --machine ({}), or \
                 copy through the host",
                with_accelerator(|it| it.peer.is_some())
            ),
            Self::Memory { name, needed, size } => write!(
                f,
                "the processes of the accelerator `{name}` need {} together, but it has {}: use \
                 more nodes, or store less on each accelerator",
                decimal_bytes(*needed),
                decimal_bytes((*size).into()),
            ),
            Self::Pending { operations } => write!(
                f,
                "an accelerator has more than {operations} outstanding operations: synchronize \
                 more often"
            ),
        }
    }
}

/// Returns the names of built-in machines that have an accelerator which `has` accepts.
fn with_accelerator(has: impl Fn(&Accelerator) -> bool) -> String {
    Machine::that_have(|machine| machine.accelerators.iter().any(&has))
}
