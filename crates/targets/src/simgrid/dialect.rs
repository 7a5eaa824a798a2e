//! The cost language in this target's C++.

use std::collections::BTreeSet;

use super::handler::{GLOBALS, UNIT};
use super::names::Names;
use crate::cost_support;
use prophet_codegen::lang::ir::{BinaryOp, Builtin, System, Type, Variable, Variate};
use prophet_codegen::program::{FunctionIndex, Functions, TableIndex};
use prophet_codegen::target::c::{Dialect, Divisor};

/// The cost language with `prophet_cost.h`, in a function that has a `unit` and its `globals`.
pub(super) struct Cpp<'n> {
    pub(super) names: &'n Names,
    pub(super) functions: &'n Functions,
    pub(super) taken: &'n BTreeSet<&'n str>,
    /// Source of random numbers.
    pub(super) stream: String,
}

impl Dialect for Cpp<'_> {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => format!("globals.{}", self.names.globals[*index]),
            Variable::Parameter(index) => format!("parameters.{}", self.names.parameters[*index]),
            Variable::Local(name) => self.names.local(name),
            Variable::Own(name) => self.own(name),
            Variable::System(System::Any) => "prophet::ANY".to_owned(),
            Variable::System(system) => format!("unit.{}()", system.name().to_lowercase()),
        }
    }

    fn function(&self, index: FunctionIndex) -> String {
        self.names.functions[index].clone()
    }

    fn leading_arguments(&self, function: FunctionIndex) -> Vec<String> {
        let mut arguments = vec!["unit".to_owned(), "globals".to_owned()];
        if self.functions[function].needs.stream {
            arguments.push(self.stream.clone());
        }
        arguments
    }

    fn leading_parameters(&self, function: FunctionIndex) -> Vec<String> {
        let mut parameters = vec![UNIT.to_owned(), GLOBALS.to_owned()];
        if self.functions[function].needs.stream {
            parameters.push("prophet_stream *stream".to_owned());
        }
        parameters
    }

    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Int | Type::Array(..) => "int64_t",
            Type::Real => "double",
            Type::Bool => "bool",
        }
    }

    fn is_reserved(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    fn cast(&self, from: &Type, to: &Type, operand: &str) -> Option<String> {
        cost_support::cast(from, to, operand)
    }

    fn binary(&self, op: BinaryOp, ty: &Type, left: &str, right: Divisor<'_>) -> Option<String> {
        cost_support::binary(op, ty, left, right)
    }

    fn item(&self, array: &str, index: &str) -> String {
        format!("prophet::item({array}, {index})")
    }

    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let arguments = arguments.join(", ");
        match cost_support::builtin(builtin) {
            Some(name) => format!("{name}({arguments})"),
            None => format!("std::{}({arguments})", builtin.name()),
        }
    }

    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        cost_support::draw(variate, &self.stream, arguments)
    }

    fn interpolate(&self, table: TableIndex, x: &str) -> String {
        cost_support::interpolate(&self.names.tables[table], x)
    }

    fn turn(&self) -> Option<String> {
        Some("prophet::turn(unit);".to_owned())
    }
}
