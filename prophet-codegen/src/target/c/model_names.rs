//! The simplest dialect, which keeps the names of the model.

use super::Dialect;
use prophet_frontend::lang::ir::{Curve, Usage, Variable};
use prophet_frontend::program::{FunctionIndex, Program, TableIndex};

/// Costs and guards with the names that the model's author gave, as text for people.
///
/// A language in which such a name could mean something else needs its own dialect.
#[derive(Debug, Clone, Copy)]
pub struct ModelNames<'p>(pub &'p Program);

impl Dialect for ModelNames<'_> {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => self.0.globals[*index].name.clone(),
            Variable::Parameter(index) => self.0.parameters[*index].name.clone(),
            Variable::Local(name) | Variable::Own(name) => name.clone(),
            Variable::System(system) => system.name().to_owned(),
        }
    }

    fn function(&self, index: FunctionIndex) -> String {
        self.0.functions[index].signature.name.clone()
    }

    fn interpolate(&self, table: TableIndex, curve: Curve, at: &[String]) -> String {
        let curve = match curve {
            Curve::Linear => String::new(),
            Curve::Monotone => format!(", {}", curve.name()),
        };
        format!(
            "interpolate({}, {}{curve})",
            self.0.tables[table].file,
            at.join(", ")
        )
    }

    fn clc(&self, usages: &[(Option<String>, &str)]) -> String {
        format!("clc(\"{}\")", Usage::list(usages.iter().cloned()))
    }
}
