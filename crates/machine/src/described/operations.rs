//! Reads the `[operations]` table of a machine file.

use std::collections::BTreeMap;

use toml::{Spanned, Value};

use super::words::{Placed as _, SpannedProblem};
use crate::prices::Prices;
use crate::quantity::{quoted, seconds};

/// The table as written: its unit, and a number for each operation.
pub(super) type Operations = BTreeMap<Spanned<String>, Spanned<Value>>;

/// The key that doesn't name an operation.
const UNIT: &str = "unit";

pub(super) fn prices(table: Option<&Spanned<Operations>>) -> Result<Prices, SpannedProblem> {
    let mut prices = Prices::default();
    let Some(table) = table else {
        return Ok(prices);
    };
    let unit = unit(table)?;
    let operations = table.get_ref().iter();
    for (name, value) in operations.filter(|(name, _)| name.get_ref() != UNIT) {
        if !is_identifier(name.get_ref()) {
            let shown = quoted(name.get_ref());
            let message =
                format!("`{shown}` is not a valid operation name: use letters, digits and `_`");
            return Err(message).at(name);
        }
        prices.set(name.get_ref(), price_s(value.get_ref(), unit).at(value)?);
    }
    Ok(prices)
}

fn unit(table: &Spanned<Operations>) -> Result<&str, SpannedProblem> {
    let entry = table.get_ref().iter().find(|it| it.0.get_ref() == UNIT);
    let Some((_, value)) = entry else {
        return Err("the operations need a unit: add unit = \"us\", for example").at(table);
    };
    let Value::String(unit) = value.get_ref() else {
        return Err("expected the unit as a text, such as \"us\"").at(value);
    };
    match seconds(&format!("1{unit}")) {
        Ok(_) if unit.chars().all(char::is_alphabetic) && !unit.is_empty() => Ok(unit),
        _ => {
            let unit = quoted(unit);
            Err(format!(
                "`{unit}` is not a unit of time; use ns, us, ms or s"
            ))
            .at(value)
        }
    }
}

/// Converts a number in this unit to seconds.
fn price_s(number: &Value, unit: &str) -> Result<f64, String> {
    let number = match number {
        Value::Integer(number) => number.to_string(),
        Value::Float(number) if number.is_finite() => format!("{number:?}"),
        _ => return Err("expected the price of an operation as a finite number".to_owned()),
    };
    if number.starts_with('-') {
        return Err(format!(
            "the price {number} is negative; expected 0 or more"
        ));
    }
    seconds(&format!("{number}{unit}")).map_err(|error| error.to_string())
}

/// Returns `true` if the cost language allows the name.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    let is_letter = |it: char| it == '_' || it.is_ascii_alphabetic();
    letters.next().is_some_and(is_letter) && letters.all(|it| is_letter(it) || it.is_ascii_digit())
}
