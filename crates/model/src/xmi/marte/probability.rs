//! Choices by chance: guards that take each of several flows with a probability.

use super::super::values::c_code;
use crate::chance;
use crate::model::Guard;
use crate::source::Text;

/// Maximum number of flows among which chance decides: each guard names all weights after it.
pub(super) const CHOICES_MAX: usize = 32;

/// Guards by which a token takes each of several flows with a probability that is its weight's
/// share of the sum. They hold in this order, each with its probability given that no earlier guard
/// held; the last is `else`.
pub(super) fn guards(weights: &[Text]) -> Vec<Guard> {
    let last = weights.len().saturating_sub(1);
    let guard = |index: usize| {
        if index == last {
            return Guard::Else;
        }
        let rest = chance::sum(&weights[index..]);
        let text = chance::condition(&weights[index], Some(&rest));
        Guard::When(c_code(text))
    };
    (0..weights.len()).map(guard).collect()
}
