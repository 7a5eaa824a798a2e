//! Prints C text, and tracks the names that this text declares.

use std::collections::BTreeSet;

use super::{Dialect, Names};

/// Prints code: an expression, a fragment, or a function.
pub struct Printer<'d> {
    pub(super) dialect: &'d dyn Dialect,
    /// The variables declared so far, innermost last, with their names in the model and in C.
    pub(super) visible: Vec<(String, String)>,
    pub(super) taken: Names,
    /// The variables of this code that it reads.
    pub(super) read: BTreeSet<String>,
}

impl std::fmt::Debug for Printer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Printer")
            .field("visible", &self.visible)
            .finish_non_exhaustive()
    }
}

impl<'d> Printer<'d> {
    /// Creates a printer for expressions, which don't declare anything.
    pub fn new(dialect: &'d dyn Dialect) -> Self {
        Self {
            dialect,
            visible: Vec::new(),
            taken: Names::default(),
            read: BTreeSet::new(),
        }
    }

    pub(super) fn own_name(&self, name: &str) -> String {
        let found = self.visible.iter().rev().find(|(model, _)| model == name);
        found.map_or_else(|| self.dialect.own(name), |(_, c)| c.clone())
    }
}
