//! The cost language in C: in 64 bits that wrap, with checks that stop the run.

use super::names::{Names, Variables, c_name};
use crate::cost_support;
use prophet_codegen::lang::ir::{BinaryOp, Builtin, System, Type, Variable, Variate};
use prophet_codegen::program::{FunctionIndex, Functions, TableIndex};
use prophet_codegen::target::c::{Dialect, Divisor};

/// Names and places that code is written with.
pub(super) struct MpiDialect<'d> {
    pub(super) names: &'d Names,
    pub(super) functions: &'d Functions,
    pub(super) variables: &'d Variables,
    /// Source of random numbers, a pointer to a stream.
    pub(super) stream: String,
}

/// Names that no variable of a piece of code may hide.
const RESERVED: &[&str] = &["globals", "parameters", "process", "stream"];

impl Dialect for MpiDialect<'_> {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => format!("globals.{}", self.names.globals[*index]),
            Variable::Parameter(index) => format!("parameters.{}", self.names.parameters[*index]),
            Variable::Local(name) | Variable::Own(name) => self.variables.place(name),
            Variable::System(system) => match system {
                System::Uid => "prophet_uid()".to_owned(),
                System::Tid => "prophet_tid()".to_owned(),
                System::Any => "PROPHET_ANY".to_owned(),
                other => format!("process.{}", other.name().to_ascii_lowercase()),
            },
        }
    }

    fn function(&self, index: FunctionIndex) -> String {
        self.names.functions[index].clone()
    }

    fn leading_arguments(&self, function: FunctionIndex) -> Vec<String> {
        let draws = self.functions[function].needs.stream;
        draws.then(|| self.stream.clone()).into_iter().collect()
    }

    fn leading_parameters(&self, function: FunctionIndex) -> Vec<String> {
        let draws = self.functions[function].needs.stream;
        let stream = draws.then(|| "prophet_stream *stream".to_owned());
        stream.into_iter().collect()
    }

    fn no_parameters(&self) -> &'static str {
        "void"
    }

    fn ty(&self, ty: &Type) -> &'static str {
        c_type(ty)
    }

    fn own(&self, name: &str) -> String {
        c_name(name)
    }

    fn is_reserved(&self, name: &str) -> bool {
        RESERVED.contains(&name)
    }

    fn cast(&self, from: &Type, to: &Type, operand: &str) -> Option<String> {
        cost_support::cast(from, to, operand)
    }

    fn binary(&self, op: BinaryOp, ty: &Type, left: &str, right: Divisor<'_>) -> Option<String> {
        cost_support::binary(op, ty, left, right)
    }

    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[prophet_index({index}, PROPHET_LENGTH({array}))]")
    }

    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = cost_support::builtin(builtin).unwrap_or(builtin.name());
        format!("{name}({})", arguments.join(", "))
    }

    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        cost_support::draw(variate, &self.stream, arguments)
    }

    fn interpolate(&self, table: TableIndex, x: &str) -> String {
        cost_support::interpolate(&self.names.tables[table], x)
    }

    fn turn(&self) -> Option<String> {
        Some("prophet_turn();".to_owned())
    }
}

/// Text behind the name of a variable of a type.
pub(super) fn c_length(ty: &Type) -> String {
    match ty {
        Type::Array(_, length) => format!("[{length}]"),
        Type::Int | Type::Real | Type::Bool => String::new(),
    }
}

/// A scalar type.
pub(super) fn c_type(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "int64_t",
        Type::Real => "double",
        Type::Bool => "bool",
        Type::Array(item, _) => c_type(item),
    }
}
