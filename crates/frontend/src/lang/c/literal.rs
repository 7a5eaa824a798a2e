//! Translates C literals.

use lang_c::ast::{Constant, Float, FloatBase, FloatFormat, Integer, IntegerBase};

use super::CFront;
use crate::lang::check::{At, int, typed};
use crate::lang::ir::{Expression, ExpressionKind, Type};
use crate::lang::literal::{hexadecimal, real_digits};
use prophet_model::diagnostic::catalogue::lang as rules;

impl CFront<'_, '_> {
    pub(super) fn literal(&mut self, constant: &Constant, at: At) -> Option<Expression> {
        match constant {
            Constant::Integer(integer) => self.integer(integer, at),
            Constant::Float(float) => self.float(float, at),
            Constant::Character(_) => {
                let help = "write the number";
                self.checker.not_allowed(at, "characters", help)
            }
        }
    }

    fn integer(&mut self, integer: &Integer, at: At) -> Option<Expression> {
        if integer.suffix.imaginary {
            return self.checker.not_allowed(at, "complex numbers", "");
        }
        match magnitude(integer).and_then(|value| i64::try_from(value).ok()) {
            Some(value) => Some(int(value)),
            None => self.too_large(at),
        }
    }

    fn too_large<T>(&mut self, at: At) -> Option<T> {
        let message = "the number does not fit in a 64-bit signed integer";
        self.checker.error(&rules::NUMBER_RANGE, at, message, "")
    }

    /// Translates the digits of the smallest integer. Without the sign, they are 1 too large for an
    /// integer.
    pub(super) fn least(constant: &Constant) -> Option<Expression> {
        match constant {
            Constant::Integer(integer) if !integer.suffix.imaginary => {
                (magnitude(integer)? == 1 << 63).then(|| int(i64::MIN))
            }
            _ => None,
        }
    }

    fn float(&mut self, float: &Float, at: At) -> Option<Expression> {
        if float.suffix.imaginary {
            return self.checker.not_allowed(at, "complex numbers", "");
        }
        if let FloatFormat::TS18661Format(_) = float.suffix.format {
            return self.checker.not_allowed(at, "numbers of this kind", "");
        }
        let digits = match float.base {
            FloatBase::Decimal => real_digits(&float.number),
            FloatBase::Hexadecimal => hexadecimal(&float.number),
        };
        let Some(digits) = digits else {
            let message = "the number does not fit in a double";
            return self.checker.error(&rules::NUMBER_RANGE, at, message, "");
        };
        Some(typed(ExpressionKind::Real(digits), Type::Real))
    }
}

fn magnitude(integer: &Integer) -> Option<u64> {
    let radix = match integer.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    if integer.number.is_empty() {
        return Some(0);
    }
    u64::from_str_radix(&integer.number, radix).ok()
}
