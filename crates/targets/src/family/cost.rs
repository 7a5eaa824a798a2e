//! Writes the cost language for `templates/c/prophet_cost.h`, with wrapping 64-bit arithmetic, and
//! checks that can stop the run.

use super::Names;
use prophet_codegen::target::c::{Dialect, Divisor};
use prophet_codegen::target::text::c_string;
use prophet_frontend::lang::ir::{
    BinaryOp, Builtin, Curve, Expression, Neighbor, System, Type, Variable, Variate,
};
use prophet_frontend::program::{FunctionIndex, Functions, Opcode, Program, TableIndex};
use prophet_frontend::resolve::needs_with_calls;

#[derive(Debug)]
pub(crate) struct Idiom {
    /// Parameters of every cost function, before its own.
    pub(crate) leading_parameters: &'static [&'static str],
    pub(crate) leading_arguments: &'static [&'static str],
    /// What is between the parentheses of a function without parameters.
    pub(crate) no_parameters: &'static str,
    pub(crate) turn: &'static str,
    /// Writes a system-defined name.
    pub(crate) system: fn(System) -> String,
}

#[derive(Debug)]
pub(crate) struct Cost<'d> {
    pub(crate) idiom: &'static Idiom,
    pub(crate) names: &'d Names,
    pub(crate) functions: &'d Functions,
    pub(crate) stream: String,
}

impl Cost<'_> {
    fn leading(&self, of_all: &[&str], function: FunctionIndex, stream: &str) -> Vec<String> {
        let draws = self.functions[function].needs.stream;
        let stream = draws.then_some(stream);
        let all = of_all.iter().copied().chain(stream);
        all.map(str::to_owned).collect()
    }
}

impl Dialect for Cost<'_> {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => format!("globals.{}", self.names.globals[*index]),
            Variable::Parameter(index) => format!("parameters.{}", self.names.parameters[*index]),
            Variable::Local(name) | Variable::Own(name) => self.names.local(name),
            Variable::System(system) => (self.idiom.system)(*system),
        }
    }

    fn function(&self, index: FunctionIndex) -> String {
        self.names.functions[index].clone()
    }

    fn leading_arguments(&self, function: FunctionIndex) -> Vec<String> {
        self.leading(self.idiom.leading_arguments, function, &self.stream)
    }

    fn leading_parameters(&self, function: FunctionIndex) -> Vec<String> {
        let stream = "prophet_stream *stream";
        self.leading(self.idiom.leading_parameters, function, stream)
    }

    fn no_parameters(&self) -> &'static str {
        self.idiom.no_parameters
    }

    fn ty(&self, ty: &Type) -> &'static str {
        scalar(ty)
    }

    fn own(&self, name: &str) -> String {
        self.names.identifier(name)
    }

    fn is_reserved(&self, name: &str) -> bool {
        self.names.has(name)
    }

    fn cast(&self, from: &Type, to: &Type, operand: &str) -> Option<String> {
        let truncates = (from, to) == (&Type::Real, &Type::Int);
        truncates.then(|| format!("prophet_truncate({operand})"))
    }

    fn binary(&self, op: BinaryOp, ty: &Type, left: &str, right: Divisor<'_>) -> Option<String> {
        if *ty != Type::Int {
            return None;
        }
        let name = match op {
            BinaryOp::Divide | BinaryOp::Remainder if right.is_positive => return None,
            BinaryOp::Divide => "prophet_div",
            BinaryOp::Remainder => "prophet_rem",
            BinaryOp::ShiftLeft => "prophet_shl",
            BinaryOp::ShiftRight => "prophet_shr",
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::And
            | BinaryOp::Or => return None,
        };
        Some(format!("{name}({left}, {})", right.text))
    }

    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[prophet_index({index}, PROPHET_LENGTH({array}))]")
    }

    /// Calls functions of the header for integers, because C doesn't have them.
    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = match builtin {
            Builtin::AbsInt => "prophet_abs",
            Builtin::MaxInt => "prophet_max",
            Builtin::MinInt => "prophet_min",
            of_reals => of_reals.name(),
        };
        format!("{name}({})", arguments.join(", "))
    }

    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        let mut all = vec![self.stream.clone()];
        all.extend_from_slice(arguments);
        format!("prophet_{}({})", variate.name(), all.join(", "))
    }

    /// Adds 1 for missing sizes, because C functions have no optional arguments.
    fn neighbor(&self, of: Neighbor, arguments: &[String]) -> String {
        let mut all = arguments.to_vec();
        while all.len() < Neighbor::DIMENSIONS_MAX + 2 {
            all.insert(all.len() - 1, "1".to_owned());
        }
        format!("prophet_{}({})", of.name(), all.join(", "))
    }

    fn interpolate(&self, table: TableIndex, curve: Curve, at: &[String]) -> String {
        let table = &self.names.tables[table];
        let function = match at.len() {
            2 => "surface",
            _ => "table",
        };
        let curve = curve.name();
        format!("prophet_{function}_{curve}(&{table}, {})", at.join(", "))
    }

    /// Uses the variable that contains each operation's price.
    fn clc(&self, usages: &[(Option<String>, &str)]) -> String {
        sum_of_prices(usages, |opcode| {
            format!("{}.price", self.names.opcodes[opcode])
        })
    }

    fn turn(&self) -> Option<String> {
        Some(self.idiom.turn.to_owned())
    }
}

/// Writes the sum of each count times its price, in parentheses.
pub(crate) fn sum_of_prices(
    usages: &[(Option<String>, &str)],
    price: impl Fn(&str) -> String,
) -> String {
    let term = |(count, opcode): &(Option<String>, &str)| match count {
        Some(count) => format!("{count} * {}", price(opcode)),
        None => price(opcode),
    };
    let terms: Vec<String> = usages.iter().map(term).collect();
    format!("({})", terms.join(" + "))
}

/// Writes the declarations of a program's operations, and the list of their names.
pub(crate) fn operations(program: &Program, names: &Names) -> Vec<String> {
    let declaration = |opcode: &Opcode| {
        let user = opcode.user.map(|it| program.elements[it].name.as_str());
        format!(
            "static prophet_operation {} = {{{}, {}, NAN}};",
            names.opcodes[&opcode.name],
            c_string(&opcode.name),
            c_string(user.unwrap_or("first values of variables")),
        )
    };
    program.opcodes.iter().map(declaration).collect()
}

pub(crate) fn declared(ty: &Type, name: &str) -> String {
    let item = scalar(ty);
    match ty {
        Type::Array(_, length) => format!("{item} {name}[{length}]"),
        Type::Int | Type::Real | Type::Bool => format!("{item} {name}"),
    }
}

/// Returns `true` if evaluating any of the values can fail or draws random numbers.
pub(crate) fn can_fail<'v>(
    values: impl IntoIterator<Item = &'v Expression>,
    functions: &Functions,
) -> bool {
    let mut needs = values.into_iter().map(|it| needs_with_calls(it, functions));
    needs.any(|it| it.fallible || it.stream)
}

/// Returns the C type of a scalar or of an array's items.
pub(crate) fn scalar(ty: &Type) -> &'static str {
    match ty {
        Type::Int => "int64_t",
        Type::Real => "double",
        Type::Bool => "bool",
        Type::Array(item, _) => scalar(item),
    }
}
