//! Scales an element's own time, for a what-if analysis.

use prophet_machine::network::Sent;

use crate::language::element::Element;

/// An element whose own time is multiplied by a factor.
///
/// The own time consists of the element's cost and the time to move its bytes through memory. If
/// the machine determines the price of its messages, their time from sending on is part of it too.
/// It includes neither waits nor what the machine charges for receives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scaled {
    element: u32,
    factor: f64,
}

impl Scaled {
    /// Creates the change, or returns `None` if it has no effect.
    pub(crate) fn new(element: u32, factor: f64) -> Option<Self> {
        #[expect(clippy::float_cmp, reason = "just this number changes nothing")]
        let changes = factor != 1.0;
        changes.then_some(Self { element, factor })
    }

    #[cold]
    pub(crate) fn cost_s(self, element: &Element, cost_s: f64) -> f64 {
        if element.index == self.element {
            cost_s * self.factor
        } else {
            cost_s
        }
    }

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

    #[cold]
    pub(crate) fn factor_of(self, element: u32) -> f64 {
        if element == self.element {
            self.factor
        } else {
            1.0
        }
    }

    /// Returns the times of a message that an element sends at `start_s`, scaled if it is this
    /// element.
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
