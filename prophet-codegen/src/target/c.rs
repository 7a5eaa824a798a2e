//! Expressions, statements and functions of the cost language as C text, for targets in C and C++.
//!
//! A [`Printer`] writes C's operators with no more parentheses than C needs and compilers ask for;
//! a [`Dialect`] says how the target names things, and can put its own function in the place of any
//! operator, say to stop the run at a division by zero. With the defaults the text is what the
//! model's author would write: `a / b`. Read again by `prophet_frontend::lang`, it means the same.

mod expression;
mod names;
mod printer;
mod statement;
#[cfg(test)]
pub(crate) mod tests;

use prophet_frontend::index::{FunctionIndex, TableIndex};
use prophet_frontend::lang::ir::{
    BinaryOp, Builtin, Curve, Neighbor, Type, UnaryOp, Usage, Variable, Variate,
};

pub use expression::CPrecedence;
pub use names::{Names, identifier};
pub use printer::Printer;
use prophet_frontend::program::Program;

/// The right operand of an operator, by which that may divide.
#[derive(Debug, Clone, Copy)]
pub struct Divisor<'t> {
    /// Text of the operand.
    pub text: &'t str,
    /// True for a literal above 0, by which no division fails.
    pub is_positive: bool,
}

/// A target's way to write the cost language in C.
///
/// Operands and arguments come as finished texts without parentheses around them; an answer in
/// place of an operator has to bind as tightly as a call. All texts of type int are 64 bits wide.
pub trait Dialect {
    /// The name of a variable, other than one that a piece of code declares itself.
    fn variable(&self, variable: &Variable) -> String;

    /// The name of a cost function, by its index in the program.
    fn function(&self, index: FunctionIndex) -> String;

    /// Arguments that a call of a cost function passes before its own.
    fn leading_arguments(&self, _function: FunctionIndex) -> Vec<String> {
        Vec::new()
    }

    /// Parameters that the head of a cost function declares before its own.
    fn leading_parameters(&self, _function: FunctionIndex) -> Vec<String> {
        Vec::new()
    }

    /// Text between the parentheses of a cost function without parameters.
    fn no_parameters(&self) -> &'static str {
        ""
    }

    /// A scalar type.
    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Int | Type::Array(..) => "long",
            Type::Real => "double",
            Type::Bool => "bool",
        }
    }

    /// The name of a variable that a piece of code declares, or of an argument, before it is made
    /// unique there.
    fn own(&self, name: &str) -> String {
        identifier(name, "x")
    }

    /// True for a name that no variable of a piece of code may have.
    fn is_reserved(&self, _name: &str) -> bool {
        false
    }

    /// An int that is not negative; `wide` where C's rules would compute in 32 bits with it.
    fn int(&self, value: u64, wide: bool) -> String {
        let suffix = if wide { "L" } else { "" };
        format!("{value}{suffix}")
    }

    /// A conversion; `None` to use C's own, which is left out where C converts implicitly.
    fn cast(&self, _from: &Type, _to: &Type, _operand: &str) -> Option<String> {
        None
    }

    /// An operator on one operand of type `ty`; `None` for C's own.
    fn unary(&self, _op: UnaryOp, _ty: &Type, _operand: &str) -> Option<String> {
        None
    }

    /// An operator on two operands of type `ty`; `None` for C's own, or `fmod`.
    fn binary(
        &self,
        _op: BinaryOp,
        _ty: &Type,
        _left: &str,
        _right: Divisor<'_>,
    ) -> Option<String> {
        None
    }

    /// The place of an array's element, to be read or assigned to.
    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[{index}]")
    }

    /// A call of a function of the runtime.
    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = match builtin {
            Builtin::AbsInt => "labs",
            other => other.name(),
        };
        format!("{name}({})", arguments.join(", "))
    }

    /// A draw from a distribution.
    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        format!("{}({})", variate.name(), arguments.join(", "))
    }

    /// The neighbor of a process on a grid: the process, one to three sizes, and whether the grid
    /// is periodic.
    fn neighbor(&self, of: Neighbor, arguments: &[String]) -> String {
        format!("{}({})", of.name(), arguments.join(", "))
    }

    /// `interpolate`, of the table of that index in the program.
    fn interpolate(&self, table: TableIndex, curve: Curve, at: &[String]) -> String;

    /// The seconds of operations, each with the text of its count, which binds like a product; one
    /// without a count is used once.
    fn clc(&self, usages: &[(Option<String>, &str)]) -> String;

    /// A statement at the begin of each turn of a loop, say to count them.
    fn turn(&self) -> Option<String> {
        None
    }
}

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
