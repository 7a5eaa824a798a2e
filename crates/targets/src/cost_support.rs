//! Functions of `templates/c/prophet_cost.h`: the cost language's arithmetic, with its checks.

use prophet_codegen::lang::ir::{BinaryOp, Builtin, Type, Variate};
use prophet_codegen::target::c::Divisor;

/// A cast that the header makes instead of C.
pub(crate) fn cast(from: &Type, to: &Type, operand: &str) -> Option<String> {
    let truncates = (from, to) == (&Type::Real, &Type::Int);
    truncates.then(|| format!("prophet_truncate({operand})"))
}

/// An operation of integers that the header does instead of C.
pub(crate) fn binary(op: BinaryOp, ty: &Type, left: &str, right: Divisor<'_>) -> Option<String> {
    if *ty != Type::Int {
        return None;
    }
    let name = match op {
        BinaryOp::Divide | BinaryOp::Remainder if right.is_positive => return None,
        BinaryOp::Divide => "prophet_div",
        BinaryOp::Remainder => "prophet_rem",
        BinaryOp::ShiftLeft => "prophet_shl",
        BinaryOp::ShiftRight => "prophet_shr",
        _ => return None,
    };
    Some(format!("{name}({left}, {})", right.text))
}

/// The header's function of integers, where C has none.
pub(crate) fn builtin(builtin: Builtin) -> Option<&'static str> {
    match builtin {
        Builtin::AbsInt => Some("prophet_abs"),
        Builtin::MaxInt => Some("prophet_max"),
        Builtin::MinInt => Some("prophet_min"),
        _ => None,
    }
}

/// A draw from `stream`.
pub(crate) fn draw(variate: Variate, stream: &str, arguments: &[String]) -> String {
    let mut all = vec![stream.to_owned()];
    all.extend_from_slice(arguments);
    format!("prophet_{}({})", variate.name(), all.join(", "))
}

/// The value of a table, which has this name, at `x`.
pub(crate) fn interpolate(table: &str, x: &str) -> String {
    format!("prophet_interpolate(&{table}, {x})")
}
