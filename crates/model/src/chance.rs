//! Builds the conditions of flows that are chosen with a probability.
//!
//! Flows are tried in order, and a token takes the first flow whose condition holds. Each condition
//! therefore holds with the flow's probability, given that no earlier flow was taken.

use crate::source::Text;

/// Returns the condition of a flow with the weight `weight`. `rest` is the total weight of this
/// flow and all later ones; `None` means 1. A weight above `rest` counts as `rest`.
pub fn condition(weight: &Text, rest: Option<&Text>) -> Text {
    let mut text = Text::new("bernoulli(", weight.span);
    match rest {
        None => text.push(weight),
        Some(rest) => {
            text.push_str("min(1.0, ");
            push_operand(&mut text, weight);
            text.push_str(" / ");
            push_operand(&mut text, rest);
            text.push_str(")");
        }
    }
    text.push_str(")");
    text
}

/// Returns the sum of weights as an expression.
pub fn sum(weights: &[Text]) -> Text {
    let first = weights.first();
    let mut text = Text::new("", first.map(|it| it.span).unwrap_or_default());
    for (number, weight) in weights.iter().enumerate() {
        if number > 0 {
            text.push_str(" + ");
        }
        push_operand(&mut text, weight);
    }
    text
}

/// Appends an operand, in parentheses unless it is a name or a number.
fn push_operand(text: &mut Text, operand: &Text) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    if operand.value.chars().all(is_part) {
        return text.push(operand);
    }
    text.push_str("(");
    text.push(operand);
    text.push_str(")");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn a_condition_is_the_share_of_what_is_left() {
        let text = |value: &str| Text::new(value, Span::default());
        let weights = ["a", "0.5 * b", "1.0"].map(text);
        assert_eq!(sum(&weights).value, "a + (0.5 * b) + 1.0");
        assert_eq!(condition(&weights[0], None).value, "bernoulli(a)");
        let rest = sum(&weights[1..]);
        assert_eq!(
            condition(&weights[1], Some(&rest)).value,
            "bernoulli(min(1.0, (0.5 * b) / ((0.5 * b) + 1.0)))"
        );
    }
}
