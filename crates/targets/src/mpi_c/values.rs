//! Values that messages carry, and where receives put what they have got.

use super::handler::MpiHandler;
use prophet_codegen::lang::ir::{Type, Variable};
use prophet_codegen::program::{Assigned, Execute, Program, Step, Told};

/// Whether messages of a program carry values, or receives want some.
pub(super) fn carries_values(program: &Program) -> bool {
    let mut open: Vec<&Step> = program.diagrams.iter().flat_map(|it| &it.steps).collect();
    while let Some(step) = open.pop() {
        open.extend(step.blocks().into_iter().flatten());
        if let Step::Execute(execute) = step {
            let mut arguments = execute.arguments.iter();
            let wants = |it: &Assigned| it.part == Told::Value;
            if arguments.any(|it| it.tag == "value" && it.value.is_some())
                || execute.results.iter().any(wants)
            {
                return true;
            }
        }
    }
    false
}

impl MpiHandler<'_> {
    /// The value that an element sends.
    pub(super) fn carried(&self, execute: &Execute) -> String {
        let mut arguments = execute.arguments.iter();
        let value = arguments
            .find(|it| it.tag == "value")
            .and_then(|it| it.value.as_ref());
        match value {
            None => "prophet_no_value()".to_owned(),
            Some(value) => {
                let kind = if value.ty == Type::Real {
                    "real"
                } else {
                    "int"
                };
                let text = self.value(execute.element, value);
                format!("prophet_{kind}_value({text})")
            }
        }
    }

    /// A pointer to a variable that is assigned to.
    pub(super) fn pointer(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => format!("&globals.{}", self.names.globals[*index]),
            Variable::Local(name) | Variable::Own(name) => self.variables.pointer(name),
            // Nothing else can be assigned to.
            Variable::Parameter(_) | Variable::System(_) => "NULL".to_owned(),
        }
    }

    /// Where an element puts what it receives.
    pub(super) fn results(&self, execute: &Execute) -> String {
        let pointer = |result: &Assigned| {
            let field = match (result.part, &result.ty) {
                (Told::Value, Type::Real) => "into_real",
                (Told::Value, _) => "into_int",
                (Told::Source, _) => "source",
                (Told::Tag, _) => "tag",
                (Told::Size, _) => "size",
                (Told::Index, _) => "index",
            };
            format!(".{field} = {}", self.pointer(&result.variable))
        };
        let pointers: Vec<String> = execute.results.iter().map(pointer).collect();
        if pointers.is_empty() {
            return "prophet_no_results()".to_owned();
        }
        format!("(prophet_results){{{}}}", pointers.join(", "))
    }
}
