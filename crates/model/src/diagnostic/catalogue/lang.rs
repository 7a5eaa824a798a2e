//! The cost language: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

/// A text that is not valid C or Rust.
pub const SYNTAX: Rule = error("PM0201", "a piece of code does not parse");
/// A text that is longer or deeper than the limits.
pub const LIMIT: Rule = error("PM0202", "a piece of code is too long or nested too deeply");
/// C or Rust that is not part of the cost language.
pub const NOT_ALLOWED: Rule = error("PM0203", "a piece of code is not part of the cost language");
/// A variable that is not in scope.
pub const UNKNOWN_VARIABLE: Rule = error("PM0204", "a name stands for no variable in scope");
/// A function that does not exist.
pub const UNKNOWN_FUNCTION: Rule = error("PM0205", "a function does not exist");
/// Too many or too few arguments.
pub const ARGUMENT_COUNT: Rule = error("PM0206", "a call has the wrong number of arguments");
/// A value of one type where another is needed.
pub const TYPE_MISMATCH: Rule = error("PM0207", "a value has the wrong type");
/// An assignment to something read only.
pub const READ_ONLY: Rule = error("PM0208", "an assignment changes something read-only");
/// An assignment within an expression.
pub const SIDE_EFFECT: Rule = error("PM0209", "an expression changes a variable");
/// A function that can end without a result.
pub const MISSING_RETURN: Rule = error("PM0210", "a function can end without a result");
/// `break`, `continue` or `return` where there is nothing to leave.
pub const MISPLACED_JUMP: Rule = error("PM0211", "a jump stands where it has no meaning");
/// A division by a constant zero, or a constant index outside the array.
pub const CERTAIN_FAULT: Rule = error("PM0212", "an operation fails whenever it is executed");
/// Two declarations of one name in one block.
pub const DECLARED_TWICE: Rule = error("PM0213", "a name is declared twice in one block");
/// A table that is not in the model's folder.
pub const UNKNOWN_TABLE: Rule = error("PM0214", "a table does not exist");
/// A number that no 64-bit integer or double can hold.
pub const NUMBER_RANGE: Rule = error("PM0215", "a number is out of range");
/// A length of an array that is not a small positive constant, or too many initial values.
pub const ARRAY_LENGTH: Rule = error("PM0216", "an array's length is not usable");
/// A statement that does nothing.
pub const NO_EFFECT: Rule = warning("PM0217", "a statement has no effect");

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &SYNTAX,
    &LIMIT,
    &NOT_ALLOWED,
    &UNKNOWN_VARIABLE,
    &UNKNOWN_FUNCTION,
    &ARGUMENT_COUNT,
    &TYPE_MISMATCH,
    &READ_ONLY,
    &SIDE_EFFECT,
    &MISSING_RETURN,
    &MISPLACED_JUMP,
    &CERTAIN_FAULT,
    &DECLARED_TWICE,
    &UNKNOWN_TABLE,
    &NUMBER_RANGE,
    &ARRAY_LENGTH,
    &NO_EFFECT,
];
