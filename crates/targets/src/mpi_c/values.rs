//! Values that messages carry, and where receives put what they have got.

use super::handler::Skeleton;
use prophet_codegen::lang::ir::{Expression, Type};
use prophet_codegen::program::action::{Assigned, Told};
use prophet_codegen::program::{ElementIndex, Program};

/// True if messages of a program carry values, or receives want some.
pub(super) fn carries_values(program: &Program) -> bool {
    let wants = |it: &Assigned| it.part.is_value();
    let mut actions = program.executions().map(|it| &it.action);
    actions.any(|it| it.sent().is_some() || it.results().iter().any(wants))
}

impl Skeleton<'_> {
    /// The value that an element sends.
    pub(super) fn carried(&self, element: ElementIndex, value: Option<&Expression>) -> String {
        let Some(value) = value else {
            return "prophet_no_value()".to_owned();
        };
        let kind = if value.ty == Type::Real {
            "real"
        } else {
            "int"
        };
        let text = self.value(element, value);
        format!("prophet_{kind}_value({text})")
    }

    /// Places where an element puts the values that it receives.
    pub(super) fn results(&self, results: &[Assigned]) -> String {
        let pointer = |result: &Assigned| {
            let field = match result.part {
                Told::Int => "into_int",
                Told::Real => "into_real",
                Told::Source => "source",
                Told::Tag => "tag",
                Told::Size => "size",
            };
            format!(".{field} = {}", self.names.pointer(&result.variable))
        };
        let pointers: Vec<String> = results.iter().map(pointer).collect();
        if pointers.is_empty() {
            return "prophet_no_results()".to_owned();
        }
        format!("(prophet_results){{{}}}", pointers.join(", "))
    }
}
