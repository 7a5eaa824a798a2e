//! Writes expressions as C text.

use super::{Divisor, Printer};
use prophet_frontend::lang::constant::{self, Constant};
use prophet_frontend::lang::ir::{
    BinaryOp, Builtin, Expression, ExpressionKind as Kind, Type, UnaryOp, Usage, Variable,
};

/// Precedence of the outermost operator of a text. Larger values bind more tightly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are C's own levels")]
pub enum CPrecedence {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relational,
    Shift,
    Sum,
    Product,
    /// `!x`, apart from the other prefix operators, because compilers recommend parentheses around
    /// it.
    Not,
    Prefix,
    /// Calls, names and literals.
    Tight,
}

/// The width in which C computes: 32 bits for expressions made up of small literals, otherwise 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    /// A constant that C computes in 32 bits.
    Narrow(i64),
    Small,
    Wide,
}

#[derive(Debug)]
struct WrittenExpression {
    text: String,
    binding: CPrecedence,
    width: Width,
}

impl WrittenExpression {
    fn new(text: String, binding: CPrecedence) -> Self {
        let width = Width::Wide;
        Self {
            text,
            binding,
            width,
        }
    }

    fn tight(text: String) -> Self {
        Self::new(text, CPrecedence::Tight)
    }

    fn beside(self, fits: bool) -> String {
        if fits {
            self.text
        } else {
            format!("({})", self.text)
        }
    }

    /// Returns the text as the operand of a sign or cast, in parentheses if needed.
    fn prefixed(self) -> String {
        let fits = self.binding >= CPrecedence::Not;
        self.beside(fits)
    }
}

impl Printer<'_> {
    /// Writes an expression so that its C type is the expression's type.
    pub fn value(&self, expression: &Expression) -> String {
        self.write(expression).text
    }

    /// Writes an expression where C implicitly converts it to the right type: as an argument, an
    /// initial value, or a result.
    pub fn converted(&self, expression: &Expression) -> String {
        self.write_converted(expression).text
    }

    /// Writes a condition.
    pub fn condition(&self, expression: &Expression) -> String {
        self.converted(expression)
    }

    /// Writes an expression as an operand of an operator with this precedence.
    pub fn operand(&self, expression: &Expression, operator: CPrecedence) -> String {
        self.write(expression).operand_of(operator, false)
    }

    fn write(&self, expression: &Expression) -> WrittenExpression {
        match &expression.kind {
            Kind::Int(value) => self.int(*value, false),
            Kind::Real(digits) => WrittenExpression::tight(digits.clone()),
            Kind::Bool(value) => WrittenExpression::tight(value.to_string()),
            Kind::Variable(variable) => WrittenExpression::tight(self.variable(variable)),
            Kind::Index(array, index) => WrittenExpression::tight(self.item(array, index)),
            Kind::Cast(inside) => self.explicit(inside, &expression.ty),
            Kind::Unary(op, inside) => self.unary(*op, inside),
            Kind::Binary(op, left, right) => self.binary(*op, left, right),
            Kind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            Kind::Call(function, arguments) => {
                let mut all = self.dialect.leading_arguments(*function);
                all.extend(arguments.iter().map(|it| self.converted(it)));
                let name = self.dialect.function(*function);
                WrittenExpression::tight(format!("{name}({})", all.join(", ")))
            }
            Kind::Builtin(builtin, arguments) => {
                let arguments = arguments.iter().map(|it| self.argument(*builtin, it));
                let arguments: Vec<String> = arguments.collect();
                WrittenExpression::tight(self.dialect.builtin(*builtin, &arguments))
            }
            Kind::Draw(variate, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|it| self.converted(it)).collect();
                WrittenExpression::tight(self.dialect.draw(*variate, &arguments))
            }
            Kind::Neighbor(of, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|it| self.converted(it)).collect();
                WrittenExpression::tight(self.dialect.neighbor(*of, &arguments))
            }
            Kind::Clc(usages) => {
                let usages: Vec<_> = usages.iter().map(|it| self.usage(it)).collect();
                WrittenExpression::tight(self.dialect.clc(&usages))
            }
            // Only pictures show this; other targets reject it.
            Kind::Rud(device, usages) => {
                let usages = usages.iter().map(|it| self.usage(it));
                WrittenExpression::tight(format!("rud({device}, \"{}\")", Usage::list(usages)))
            }
            Kind::Interpolate(table, curve, at) => {
                let at: Vec<_> = at.iter().map(|it| self.converted(it)).collect();
                WrittenExpression::tight(self.dialect.interpolate(*table, *curve, &at))
            }
        }
    }

    fn usage<'u>(&self, usage: &'u Usage) -> (Option<String>, &'u str) {
        let count = || {
            self.write_converted(&usage.count)
                .operand_of(CPrecedence::Product, true)
        };
        let count = (!usage.is_single()).then(count);
        (count, &usage.opcode)
    }

    /// Writes an argument of a builtin. Some builtins have the same name for int and real, so the
    /// argument's type decides between them.
    fn argument(&self, builtin: Builtin, argument: &Expression) -> String {
        match builtin {
            Builtin::AbsInt | Builtin::MaxInt | Builtin::MinInt => self.value(argument),
            _ => self.converted(argument),
        }
    }

    pub(super) fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Own(name) => self.own_name(name),
            other => self.dialect.variable(other),
        }
    }

    pub(super) fn item(&self, array: &Variable, index: &Expression) -> String {
        self.dialect
            .item(&self.variable(array), &self.converted(index))
    }

    fn int(&self, value: i64, wide: bool) -> WrittenExpression {
        let small = i32::try_from(value).is_ok();
        let width = if small && !wide {
            Width::Narrow(value)
        } else {
            Width::Wide
        };
        let magnitude = value.unsigned_abs();
        let (text, binding) = if value == i64::MIN {
            // C has no literal for the smallest int.
            let text = self.dialect.int(magnitude - 1, true);
            (format!("-{text} - 1"), CPrecedence::Sum)
        } else if value < 0 {
            let text = self.dialect.int(magnitude, wide);
            (format!("-{text}"), CPrecedence::Prefix)
        } else {
            (self.dialect.int(magnitude, wide), CPrecedence::Tight)
        };
        WrittenExpression {
            text,
            binding,
            width,
        }
    }

    fn explicit(&self, inside: &Expression, to: &Type) -> WrittenExpression {
        let written = self.write(inside);
        if let Some(text) = self.dialect.cast(&inside.ty, to, &written.text) {
            return WrittenExpression::tight(text);
        }
        if *to == Type::Bool {
            return not_zero(written);
        }
        let ty = self.dialect.ty(to);
        WrittenExpression::new(format!("({ty}){}", written.prefixed()), CPrecedence::Prefix)
    }

    /// Writes an expression, but leaves its outermost conversion to C.
    fn write_converted(&self, expression: &Expression) -> WrittenExpression {
        let Kind::Cast(inside) = &expression.kind else {
            return self.write(expression);
        };
        let written = self.write(inside);
        if let Some(text) = self.dialect.cast(&inside.ty, &expression.ty, &written.text) {
            return WrittenExpression::tight(text);
        }
        // In conditions, compilers warn that these may be mistakes.
        let doubtful = matches!(
            written.binding,
            CPrecedence::Product | CPrecedence::Shift | CPrecedence::Conditional
        );
        if expression.ty == Type::Bool && doubtful {
            return not_zero(written);
        }
        written
    }

    fn unary(&self, op: UnaryOp, inside: &Expression) -> WrittenExpression {
        let written = if op == UnaryOp::Not {
            self.write_converted(inside)
        } else {
            self.write(inside)
        };
        if let Some(text) = self.dialect.unary(op, &inside.ty, &written.text) {
            return WrittenExpression::tight(text);
        }
        let width = match (op, written.width) {
            (UnaryOp::Negate, Width::Narrow(value)) => narrow(value.wrapping_neg()),
            (UnaryOp::Complement, Width::Narrow(value)) => narrow(!value),
            (_, width) => width,
        };
        let (symbol, binding) = match op {
            UnaryOp::Negate => ("-", CPrecedence::Prefix),
            UnaryOp::Complement => ("~", CPrecedence::Prefix),
            UnaryOp::Not => ("!", CPrecedence::Not),
        };
        // With two signs, this would be C's `--`.
        let fits = written.binding >= CPrecedence::Not && !written.text.starts_with('-');
        WrittenExpression {
            text: format!("{symbol}{}", written.beside(fits)),
            binding,
            width,
        }
    }

    fn conditional(
        &self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> WrittenExpression {
        let condition = self.write_converted(condition);
        let (then, otherwise) = self.pair(then, otherwise);
        let width = if then.width == Width::Wide || otherwise.width == Width::Wide {
            Width::Wide
        } else {
            Width::Small
        };
        let above = |written: WrittenExpression| {
            let fits = written.binding > CPrecedence::Conditional;
            written.beside(fits)
        };
        let (condition, then) = (above(condition), above(then));
        WrittenExpression {
            text: format!("{condition} ? {then} : {}", otherwise.text),
            binding: CPrecedence::Conditional,
            width,
        }
    }

    /// Writes two operands, which C converts to a common type.
    fn pair(
        &self,
        left: &Expression,
        right: &Expression,
    ) -> (WrittenExpression, WrittenExpression) {
        let real = |it: &Expression| {
            let Kind::Cast(inside) = &it.kind else {
                return false;
            };
            it.ty == Type::Real && inside.ty == Type::Int
        };
        match (real(left), real(right)) {
            (true, false) => (self.write_converted(left), self.write(right)),
            (_, true) => (self.write(left), self.write_converted(right)),
            (false, false) => (self.write(left), self.write(right)),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expression, right: &Expression) -> WrittenExpression {
        let ty = &left.ty;
        let (left_written, right_written) = match op {
            BinaryOp::And | BinaryOp::Or => {
                (self.write_converted(left), self.write_converted(right))
            }
            _ => self.pair(left, right),
        };
        let divisor = divisor(right, &right_written.text);
        if let Some(text) = self.dialect.binary(op, ty, &left_written.text, divisor) {
            return WrittenExpression::tight(text);
        }
        if op == BinaryOp::Remainder && *ty == Type::Real {
            let arguments = [left_written.text, right_written.text];
            return WrittenExpression::tight(self.dialect.builtin(Builtin::Fmod, &arguments));
        }
        let width = if *ty == Type::Int {
            width(op, left_written.width, right_written.width)
        } else {
            Some(Width::Wide)
        };
        let left_written = match width {
            Some(_) => left_written,
            None => self.widened(left, left_written),
        };
        let (symbol, binding) = (op.name(), binding(op));
        let left = left_written.operand_of(binding, true);
        let right = right_written.operand_of(binding, false);
        WrittenExpression {
            text: format!("{left} {symbol} {right}"),
            binding,
            width: width.unwrap_or(Width::Wide),
        }
    }

    /// Widens an int to 64 bits if C would compute it in 32 bits.
    fn widened(&self, expression: &Expression, written: WrittenExpression) -> WrittenExpression {
        if let Kind::Int(value) = expression.kind {
            return self.int(value, true);
        }
        let ty = self.dialect.ty(&Type::Int);
        WrittenExpression::new(format!("({ty}){}", written.prefixed()), CPrecedence::Prefix)
    }
}

impl WrittenExpression {
    fn operand_of(self, operator: CPrecedence, is_left: bool) -> String {
        let inside = self.binding;
        let chains = !matches!(operator, CPrecedence::Equality | CPrecedence::Relational);
        let fits = is_left && chains && inside == operator
            || match operator {
                // Compilers recommend parentheses where few people know C's precedence.
                CPrecedence::Or | CPrecedence::And => inside > CPrecedence::And,
                CPrecedence::BitOr | CPrecedence::BitXor | CPrecedence::BitAnd => {
                    matches!(inside, CPrecedence::Shift | CPrecedence::Product)
                        || inside >= CPrecedence::Prefix
                }
                CPrecedence::Equality | CPrecedence::Relational => {
                    inside >= CPrecedence::Shift && inside != CPrecedence::Not
                }
                CPrecedence::Shift => inside >= CPrecedence::Product,
                CPrecedence::Conditional
                | CPrecedence::Sum
                | CPrecedence::Product
                | CPrecedence::Not
                | CPrecedence::Prefix
                | CPrecedence::Tight => inside > operator,
            };
        self.beside(fits)
    }
}

fn not_zero(written: WrittenExpression) -> WrittenExpression {
    let text = written.operand_of(CPrecedence::Equality, true);
    WrittenExpression::new(format!("{text} != 0"), CPrecedence::Equality)
}

fn narrow(value: i64) -> Width {
    if i32::try_from(value).is_ok() {
        Width::Narrow(value)
    } else {
        Width::Wide
    }
}

/// Returns the width in which C computes an operator, or `None` if it could be too narrow for the
/// result.
fn width(op: BinaryOp, left: Width, right: Width) -> Option<Width> {
    let shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
    match (left, right) {
        (Width::Wide, _) => Some(Width::Wide),
        (_, Width::Wide) if !shift => Some(Width::Wide),
        (Width::Narrow(left), Width::Narrow(right)) if !shift || (0..32).contains(&right) => {
            match constant::binary(op, Constant::Int(left), Constant::Int(right)) {
                Some(Constant::Int(value)) => match narrow(value) {
                    Width::Wide => None,
                    width => Some(width),
                },
                _ => Some(Width::Small),
            }
        }
        _ => match op {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => Some(Width::Small),
            _ if binding(op) <= CPrecedence::Relational => Some(Width::Small),
            _ => None,
        },
    }
}

pub(super) fn divisor<'t>(operand: &Expression, text: &'t str) -> Divisor<'t> {
    Divisor {
        text,
        is_positive: matches!(operand.kind, Kind::Int(value) if value > 0),
    }
}

fn binding(op: BinaryOp) -> CPrecedence {
    match op {
        BinaryOp::Add | BinaryOp::Subtract => CPrecedence::Sum,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => CPrecedence::Product,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => CPrecedence::Shift,
        BinaryOp::BitAnd => CPrecedence::BitAnd,
        BinaryOp::BitOr => CPrecedence::BitOr,
        BinaryOp::BitXor => CPrecedence::BitXor,
        BinaryOp::Equal | BinaryOp::NotEqual => CPrecedence::Equality,
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
            CPrecedence::Relational
        }
        BinaryOp::And => CPrecedence::And,
        BinaryOp::Or => CPrecedence::Or,
    }
}

/// Returns the compound assignment operator for `op`, such as `+=`, if there is one.
pub(super) fn assigning(op: BinaryOp) -> Option<String> {
    let assigns = !matches!(
        binding(op),
        CPrecedence::Equality | CPrecedence::Relational | CPrecedence::And | CPrecedence::Or
    );
    assigns.then(|| format!("{}=", op.name()))
}
