//! What-if: one element of a run takes another time of its own.

use crate::language::element::Element;
use crate::language::price::Cost;
use crate::machine::network::Sent;

/// An element whose own time is multiplied by a factor.
///
/// Its own time is its cost, the bytes that it moves through memory, and, where the machine prices
/// its messages, what they take from their sends on. What it waits for is not its own, nor is what
/// the machine charges a receive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scaled {
    element: u32,
    factor: f64,
}

impl Scaled {
    /// None where nothing changes.
    pub(crate) fn new(element: u32, factor: f64) -> Option<Self> {
        #[expect(clippy::float_cmp, reason = "just this number changes nothing")]
        let changes = factor != 1.0;
        changes.then_some(Self { element, factor })
    }

    /// The cost of an element.
    #[cold]
    pub(crate) fn cost(self, element: &Element, cost: Cost) -> Cost {
        match cost {
            Cost::Seconds(cost_s) if element.index == self.element => {
                Cost::Seconds(cost_s * self.factor)
            }
            _ => cost,
        }
    }

    /// The bytes that an element moves.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a what-if needs no last byte, and casts saturate"
    )]
    #[cold]
    pub(crate) fn bytes(self, element: &Element, bytes: u64) -> u64 {
        if element.index == self.element {
            (bytes as f64 * self.factor) as u64
        } else {
            bytes
        }
    }

    /// What becomes of a message of an element that is sent at `start_s`.
    #[cold]
    pub(crate) fn sent(self, element: u32, start_s: f64, sent: Sent) -> Sent {
        if element != self.element {
            return sent;
        }
        let scaled = |time_s: f64| start_s + (time_s - start_s) * self.factor;
        Sent {
            sender_free_s: scaled(sent.sender_free_s),
            envelope_s: scaled(sent.envelope_s),
            arrival_s: scaled(sent.arrival_s),
        }
    }
}
