//! How the cost language is written in C here: in 64 bits that wrap, with checks that stop the run.

use super::names::{Names, Variables, c_name};
use prophet_codegen::lang::ir::{BinaryOp, Builtin, System, Type, Variable, Variate};
use prophet_codegen::program::Function;
use prophet_codegen::target::c::Dialect;

/// What code is written with.
pub(super) struct MpiDialect<'d> {
    pub(super) names: &'d Names,
    pub(super) functions: &'d [Function],
    pub(super) variables: &'d Variables,
    /// What draws random numbers, a pointer to a stream.
    pub(super) stream: String,
}

/// What no variable of a piece of code may hide.
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

    fn function(&self, index: usize) -> String {
        self.names.functions[index].clone()
    }

    fn leading_arguments(&self, function: usize) -> Vec<String> {
        let draws = self.functions[function].needs.stream;
        draws.then(|| self.stream.clone()).into_iter().collect()
    }

    fn leading_parameters(&self, function: usize) -> Vec<String> {
        let draws = self.functions[function].needs.stream;
        let stream = draws.then(|| "prophet_stream *stream".to_owned());
        stream.into_iter().collect()
    }

    fn ty(&self, ty: &Type) -> &'static str {
        c_type(ty)
    }

    fn own(&self, name: &str) -> String {
        c_name(name)
    }

    fn reserved(&self) -> &[&str] {
        RESERVED
    }

    fn cast(&self, from: &Type, to: &Type, operand: &str) -> Option<String> {
        let truncates = (from, to) == (&Type::Real, &Type::Int);
        truncates.then(|| format!("prophet_truncate({operand})"))
    }

    fn binary(&self, op: BinaryOp, ty: &Type, left: &str, right: &str) -> Option<String> {
        if *ty != Type::Int {
            return None;
        }
        // By a literal above 0 nothing can go wrong.
        let digits = right.trim_end_matches('L').parse();
        let divides = !digits.is_ok_and(|divisor: i64| divisor > 0);
        let name = match op {
            BinaryOp::Divide if divides => "prophet_div",
            BinaryOp::Remainder if divides => "prophet_rem",
            BinaryOp::ShiftLeft => "prophet_shl",
            BinaryOp::ShiftRight => "prophet_shr",
            _ => return None,
        };
        Some(format!("{name}({left}, {right})"))
    }

    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[prophet_index({index}, PROPHET_LENGTH({array}))]")
    }

    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = match builtin {
            Builtin::AbsInt => "prophet_abs",
            Builtin::MaxInt => "prophet_max",
            Builtin::MinInt => "prophet_min",
            other => other.name(),
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
        Some("prophet_turn();".to_owned())
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
