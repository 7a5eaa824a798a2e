//! Writes the cost language's expressions, statements and functions as C text, for targets in C and
//! C++.
//!
//! A [`Printer`] writes C operators with only the parentheses that C needs or compilers ask for. A
//! [`Dialect`] provides the target's names, and can replace any operator with a function, for
//! example to stop the run at a division by zero. By default, the text is what the model's author
//! would write, such as `a / b`. `prophet_frontend::lang` reads it back with the same meaning.

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

/// The right operand of an operator that may divide by it.
#[derive(Debug, Clone, Copy)]
pub struct Divisor<'t> {
    /// Text of the operand.
    pub text: &'t str,
    /// Whether it is a positive literal, by which division cannot fail.
    pub is_positive: bool,
}

/// A target's way of writing the cost language in C.
///
/// Operands and arguments are complete texts without parentheses around them. A text that replaces
/// an operator must bind as tightly as a call. All texts of type int are 64 bits wide.
pub trait Dialect {
    /// Returns the name of a variable that the code does not declare itself.
    fn variable(&self, variable: &Variable) -> String;

    /// Returns the name of a cost function.
    fn function(&self, index: FunctionIndex) -> String;

    /// Returns the arguments that a call of a cost function passes before its own.
    fn leading_arguments(&self, _function: FunctionIndex) -> Vec<String> {
        Vec::new()
    }

    /// Returns the parameters that a cost function declares before its own.
    fn leading_parameters(&self, _function: FunctionIndex) -> Vec<String> {
        Vec::new()
    }

    /// Returns the text between the parentheses of a cost function without parameters.
    fn no_parameters(&self) -> &'static str {
        ""
    }

    /// Returns the C name of a scalar type.
    fn ty(&self, ty: &Type) -> &'static str {
        match ty {
            Type::Int | Type::Array(..) => "long",
            Type::Real => "double",
            Type::Bool => "bool",
        }
    }

    /// Returns the name of a variable declared by the code, or of an argument, before it is made
    /// unique.
    fn own(&self, name: &str) -> String {
        identifier(name, "x")
    }

    /// Returns `true` if no variable in the code may have this name.
    fn is_reserved(&self, _name: &str) -> bool {
        false
    }

    /// Writes a non-negative int; `wide` if C would otherwise compute with it in 32 bits.
    fn int(&self, value: u64, wide: bool) -> String {
        let suffix = if wide { "L" } else { "" };
        format!("{value}{suffix}")
    }

    /// Writes a conversion; `None` for C's own, which is omitted if C converts implicitly.
    fn cast(&self, _from: &Type, _to: &Type, _operand: &str) -> Option<String> {
        None
    }

    /// Writes a unary operator on type `ty`; `None` for C's own.
    fn unary(&self, _op: UnaryOp, _ty: &Type, _operand: &str) -> Option<String> {
        None
    }

    /// Writes a binary operator on type `ty`; `None` for C's own, or `fmod`.
    fn binary(
        &self,
        _op: BinaryOp,
        _ty: &Type,
        _left: &str,
        _right: Divisor<'_>,
    ) -> Option<String> {
        None
    }

    /// Writes an array element that is read or assigned.
    fn item(&self, array: &str, index: &str) -> String {
        format!("{array}[{index}]")
    }

    /// Calls a runtime function.
    fn builtin(&self, builtin: Builtin, arguments: &[String]) -> String {
        let name = match builtin {
            Builtin::AbsInt => "labs",
            other => other.name(),
        };
        format!("{name}({})", arguments.join(", "))
    }

    /// Draws from a distribution.
    fn draw(&self, variate: Variate, arguments: &[String]) -> String {
        format!("{}({})", variate.name(), arguments.join(", "))
    }

    /// Writes a process's neighbor on a grid. The arguments are the process, one to three sizes,
    /// and whether the grid is periodic.
    fn neighbor(&self, of: Neighbor, arguments: &[String]) -> String {
        format!("{}({})", of.name(), arguments.join(", "))
    }

    /// Writes `interpolate` for a table of the program.
    fn interpolate(&self, table: TableIndex, curve: Curve, at: &[String]) -> String;

    /// Writes the seconds of operations, each with the text of its count, which binds like a
    /// product; without a count, an operation is used once.
    fn clc(&self, usages: &[(Option<String>, &str)]) -> String;

    /// Returns a statement for the start of each loop iteration, for example to count iterations.
    fn turn(&self) -> Option<String> {
        None
    }
}

/// Costs and guards with the model author's names, as text for people.
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
