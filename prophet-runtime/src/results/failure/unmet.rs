//! Describes decisions whose guards are all false.

use std::fmt;

/// What is known, apart from its name, about a decision whose guards are all false.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unmet {
    /// If the decision's only guard compares two numbers, these numbers with the C operator between
    /// them; otherwise `None`.
    pub compared: Option<(f64, &'static str, f64)>,
    /// The decision's comment in the model. Empty if it has none.
    pub comment: String,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, line) in self.comment.lines().enumerate() {
            let before = ["", "\n"][usize::from(number > 0)];
            write!(f, "{before}{}", prophet_text::plain::line(line.trim()))?;
        }
        let is_explained = !self.comment.is_empty();
        if is_explained && self.compared.is_none() {
            return Ok(());
        }
        if is_explained {
            f.write_str("\n  ")?;
        }
        if let Some((left, operator, right)) = self.compared {
            // Six digits, unless the numbers differ only in later ones.
            let [short_left, short_right] = [left, right].map(six_digits);
            let says_so = short_left.total_cmp(&short_right) == left.total_cmp(&right);
            let numbers = [short_left, short_right];
            let [left, right] = if says_so { numbers } else { [left, right] };
            write!(f, "{left} {operator} {right} is false")?;
        } else {
            f.write_str("no guard holds")?;
        }
        // The comment says what to do.
        if is_explained {
            return Ok(());
        }
        f.write_str(", and there is no else branch: draw one, or a guard that holds here")
    }
}

fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
