//! How this target writes the cost language.

use super::handler::{GLOBALS, UNIT};
use super::names::Names;
use prophet_codegen::lang::ir::{BinaryOp, Builtin, System, Type, UnaryOp, Variable, Variate};
use prophet_codegen::program::Function;
use prophet_codegen::target::c::Dialect;

/// The cost language with `prophet_cost.h`, in a function that has a `unit` and its `globals`.
pub(super) struct Cpp<'n> {
    pub(super) names: &'n Names,
    pub(super) functions: &'n [Function],
    pub(super) taken: &'n [&'n str],
    /// What draws random numbers.
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

    fn function(&self, index: usize) -> String {
        self.names.functions[index].clone()
    }

    fn leading_arguments(&self, function: usize) -> Vec<String> {
        let mut arguments = vec!["unit".to_owned(), "globals".to_owned()];
        if self.functions[function].needs.stream {
            arguments.push(self.stream.clone());
        }
        arguments
    }

    fn leading_parameters(&self, function: usize) -> Vec<String> {
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

    fn reserved(&self) -> &[&str] {
        self.taken
    }

    fn cast(&self, from: &Type, to: &Type, operand: &str) -> Option<String> {
        let truncates = (from, to) == (&Type::Real, &Type::Int);
        truncates.then(|| format!("prophet_truncate({operand})"))
    }

    fn unary(&self, _op: UnaryOp, _ty: &Type, _operand: &str) -> Option<String> {
        None
    }

    fn binary(&self, op: BinaryOp, ty: &Type, left: &str, right: &str) -> Option<String> {
        // A literal above 0 needs no look at it.
        let harmless = right.bytes().all(|byte| byte.is_ascii_digit()) && right != "0";
        let name = match (op, ty) {
            (BinaryOp::Divide, Type::Int) if !harmless => "prophet_div",
            (BinaryOp::Remainder, Type::Int) if !harmless => "prophet_rem",
            (BinaryOp::ShiftLeft, _) => "prophet_shl",
            (BinaryOp::ShiftRight, _) => "prophet_shr",
            _ => return None,
        };
        Some(format!("{name}({left}, {right})"))
    }

    fn item(&self, array: &str, index: &str) -> String {
        format!("prophet::item({array}, {index})")
    }

    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = match builtin {
            Builtin::AbsInt => "prophet_abs".to_owned(),
            Builtin::MaxInt => "prophet_max".to_owned(),
            Builtin::MinInt => "prophet_min".to_owned(),
            other => format!("std::{}", other.name()),
        };
        format!("{name}({})", arguments.join(", "))
    }

    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        let mut all = vec![self.stream.clone()];
        all.extend_from_slice(arguments);
        format!("prophet_{}({})", variate.name(), all.join(", "))
    }

    fn interpolate(&self, table: usize, x: &str) -> String {
        format!("prophet_interpolate(&{}, {x})", self.names.tables[table])
    }

    fn turn(&self) -> Option<String> {
        Some("prophet::turn(unit);".to_owned())
    }
}
