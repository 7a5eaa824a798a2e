//! How far times that were measured on a machine lie from predictions by its prices.

/// What programs of the same kind took, as multiples of their predictions: 90 % of them took
/// between [`low`](Self::low) and [`high`](Self::high) times as long.
///
/// ```
/// use prophet_runtime::Machine;
///
/// let a100 = Machine::preset("a100").expect("there is one of that name");
/// let accuracy = a100.accuracy.expect("its prices were compared with measurements");
/// assert!(accuracy.low < 1.0 && accuracy.high > 1.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// The 5th percentile of measured over predicted times.
    pub low: f64,
    /// Their 95th percentile.
    pub high: f64,
    /// What was measured.
    pub source: String,
}
