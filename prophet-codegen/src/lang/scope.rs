//! Which names a piece of code can see.

use std::collections::BTreeMap;

use super::ir::{Signature, Type, Variable};

/// The names in scope, besides the system's names, C's functions and the variates, which are always
/// there and which these shadow.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Variables: what each name stands for, its type, and whether it can be assigned to.
    pub variables: BTreeMap<String, Binding>,
    /// Cost functions by name: their index in the program and signature.
    pub functions: BTreeMap<String, (usize, Signature)>,
    /// Tables for `interpolate` by file name: their index in the program. All that exist are here.
    pub tables: BTreeMap<String, usize>,
}

/// What a variable's name stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Binding {
    /// What it stands for.
    pub variable: Variable,
    /// Its type.
    pub ty: Type,
    /// Whether it can be assigned to.
    pub writable: bool,
}

/// The type that a name of a type stands for, whatever language it comes from: `double`, `Real`,
/// `EDouble`, `f64`; `int`, `long`, `Integer`, `EInt`, `i64`; `bool`, `Boolean`, `EBoolean`.
pub fn type_by_name(_name: &str) -> Option<Type> {
    unimplemented!()
}

/// The file names of all calls `interpolate("…", …)` in the text of a piece of code, so that the
/// tables can be read before the code is checked.
pub fn table_names(_text: &str) -> Vec<String> {
    unimplemented!()
}
