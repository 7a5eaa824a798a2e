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

/// The value of `expression`, where it is known before the run.
pub fn constant(_expression: &super::ir::Expression) -> Option<Constant> {
    unimplemented!()
}
