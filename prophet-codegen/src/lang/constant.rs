//! Stand-in: the cost language's session writes this.

/// A value known before the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// An integer.
    Int(i64),
    /// A real number.
    Real(f64),
    /// True or false.
    Bool(bool),
}
