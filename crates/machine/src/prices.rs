//! Stores the prices of operations.

use std::collections::BTreeMap;

/// How long each of a machine's operations takes, in seconds.
///
/// ```
/// use prophet_runtime::Prices;
///
/// let mut prices = Prices::default();
/// prices.set("IADD", 0.127e-6);
/// assert_eq!(prices.get("IADD"), Some(0.127e-6));
/// assert_eq!(prices.get("DILG"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(BTreeMap<String, f64>);

impl Prices {
    /// Sets the price of an operation. It must be finite and not negative.
    pub fn set(&mut self, opcode: &str, price_s: f64) {
        self.0.insert(opcode.to_owned(), price_s);
    }

    /// Returns the price of an operation, in seconds; `None` if it has no price.
    #[inline]
    pub fn get(&self, opcode: &str) -> Option<f64> {
        self.0.get(opcode).copied()
    }

    /// Returns the operations and their prices, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, price_s)| (&**name, *price_s))
    }
}
