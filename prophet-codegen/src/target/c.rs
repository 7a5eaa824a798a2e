//! Writes the cost language's expressions, statements and functions as C text, for targets in C and
//! C++.
//!
//! A [`Printer`] writes C operators, with parentheses only where C needs them or compilers
//! recommend them. A [`Dialect`] provides the target's names. It can replace operators with
//! function calls, for example to stop the run at a division by zero. By default, the text is what
//! the model's author would write, such as `a / b`, and `prophet_frontend::lang` can read it back
//! with the same meaning.

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

/// The right operand of an operator that may be a division.
#[derive(Debug, Clone, Copy)]
pub struct Divisor<'t> {
    /// The text of the operand.
    pub text: &'t str,
    /// Whether the operand is a positive literal, so that a division by it can't fail.
    pub is_positive: bool,
}

/// A target's way of writing the cost language in C.
///
/// Methods receive operands and arguments without parentheses around them. A text that replaces an
/// operator must bind as tightly as a call. Every text of type int has 64 bits.
pub trait Dialect {
    /// Returns the name of a variable that isn't declared in the code itself.
    fn variable(&self, variable: &Variable) -> String;

    /// Returns the name of a cost function.
    fn function(&self, index: FunctionIndex) -> String;

    /// Returns the arguments that a call of a cost function passes before its usual ones.
    fn leading_arguments(&self, _function: FunctionIndex) -> Vec<String> {
        Vec::new()
    }

    /// Returns the parameters that a cost function declares before its usual ones.
    fn leading_parameters(&self, _function: FunctionIndex) -> Vec<String> {
        Vec::new()
    }

    /// Returns the text between the parentheses in the head of a cost function without parameters.
    fn no_parameters(&self) -> &'static str {
        ""
    }

    /// Returns the C name of a scalar type, or of an array's elements.
    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Int | Type::Array(..) => "long",
            Type::Real => "double",
            Type::Bool => "bool",
        }
    }

    /// Returns the name of a variable or argument that is declared in the code. The printer then
    /// makes it unique.
    fn own(&self, name: &str) -> String {
        identifier(name, "x")
    }

    /// Returns `true` if variables in the code must not have this name.
    fn is_reserved(&self, _name: &str) -> bool {
        false
    }

    /// Writes a non-negative int. `wide` means that C would otherwise compute with it in 32 bits.
    fn int(&self, value: u64, wide: bool) -> String {
        let suffix = if wide { "L" } else { "" };
        format!("{value}{suffix}")
    }

    /// Writes a conversion. By default, returns `None` for C's own conversion, which is omitted
    /// where it is implicit.
    fn cast(&self, _from: &Type, _to: &Type, _operand: &str) -> Option<String> {
        None
    }

    /// Writes a unary operator on type `ty`. By default, returns `None` for C's own operator.
    fn unary(&self, _op: UnaryOp, _ty: &Type, _operand: &str) -> Option<String> {
        None
    }

    /// Writes a binary operator on type `ty`. By default, returns `None` for C's own operator or
    /// `fmod`.
    fn binary(
        &self,
        _op: BinaryOp,
        _ty: &Type,
        _left: &str,
        _right: Divisor<'_>,
    ) -> Option<String> {
        None
    }

    /// Writes an array element, to be read or assigned.
    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[{index}]")
    }

    /// Writes a call of a runtime function.
    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = match builtin {
            Builtin::AbsInt => "labs",
            other => other.name(),
        };
        format!("{name}({})", arguments.join(", "))
    }

    /// Writes a draw from a distribution.
    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        format!("{}({})", variate.name(), arguments.join(", "))
    }

    /// Writes the rank of a process's neighbor on a grid. The arguments are the process, one to
    /// three sizes of the grid, and whether it is periodic.
    fn neighbor(&self, of: Neighbor, arguments: &[String]) -> String {
        format!("{}({})", of.name(), arguments.join(", "))
    }

    /// Writes `interpolate` with one of the program's tables.
    fn interpolate(&self, table: TableIndex, curve: Curve, at: &[String]) -> String;

    /// Writes the time of operations, in seconds. Each comes with its count, which binds as tightly
    /// as a product; without a count, the operation is executed once.
    fn clc(&self, usages: &[(Option<String>, &str)]) -> String;

    /// Returns a statement to put at the start of each loop iteration, for example to count
    /// iterations.
    fn turn(&self) -> Option<String> {
        None
    }
}

/// Writes costs and guards for people, with the names in the model.
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
