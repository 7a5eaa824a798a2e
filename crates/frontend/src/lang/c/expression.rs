//! Translates C's expressions. Resolves names, and makes conversions explicit.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Expression as CExpression, TypeName,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::Node;

use super::CFront;
use crate::lang::check::{At, Checker, TypedExpression, cast, typed};
use crate::lang::clc;
use crate::lang::ir::{BinaryOp, Expression, ExpressionKind, Type, UnaryOp, Usage};
use crate::lang::scope::plain_string;
use prophet_model::diagnostic::catalogue::lang as rules;

impl<'a> CFront<'a, '_> {
    pub(super) fn expression(&mut self, node: &Node<CExpression>) -> Option<TypedExpression> {
        let at = self.at(&node.span);
        let expression = match &node.node {
            CExpression::Identifier(name) => self.identifier(&name.node.name, at)?,
            CExpression::Constant(constant) => self.literal(&constant.node, at)?,
            CExpression::Call(call) => self.call(&call.node, at)?,
            CExpression::UnaryOperator(unary) => self.unary(&unary.node, at)?,
            CExpression::BinaryOperator(binary) => self.binary(&binary.node, at)?,
            CExpression::Cast(node) => {
                let ty = self.type_name(&node.node.type_name)?;
                let operand = self.expression(&node.node.expression)?;
                cast(operand.expression, &ty)
            }
            CExpression::Conditional(node) => {
                let condition = self.expression(&node.node.condition);
                let then = self.expression(&node.node.then_expression);
                let otherwise = self.expression(&node.node.else_expression);
                let condition = cast(condition?.expression, &Type::Bool);
                let (then, otherwise) = balance(then?.expression, otherwise?.expression);
                let ty = then.ty.clone();
                let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
                typed(ExpressionKind::If(parts.0, parts.1, parts.2), ty)
            }
            other => return self.foreign_expression(other, at),
        };
        Some(TypedExpression { expression, at })
    }

    fn foreign_expression<T>(&mut self, expression: &CExpression, at: At) -> Option<T> {
        match expression {
            CExpression::Comma(_) => {
                let help = "write separate statements";
                self.checker.not_allowed(at, "the comma operator", help)
            }
            CExpression::StringLiteral(_) => {
                let inner = self.checker.text_at(at).trim_matches('"').trim();
                let help = match inner.parse::<f64>() {
                    Ok(_) => format!("write the number without quotes: `{inner}`"),
                    Err(_) => {
                        "write a number: only `interpolate` and `clc` take strings".to_owned()
                    }
                };
                self.checker.not_allowed(at, "strings", &help)
            }
            CExpression::Member(_) | CExpression::OffsetOf(_) => {
                self.checker.not_allowed(at, "structures", "")
            }
            CExpression::CompoundLiteral(_) => {
                self.checker.not_allowed(at, "compound literals", "")
            }
            CExpression::Statement(_) => {
                let what = "statements within expressions";
                self.checker.not_allowed(at, what, "")
            }
            _ => self.checker.not_allowed(at, "expressions of this kind", ""),
        }
    }

    /// Translates a name that isn't called as a function.
    fn identifier(&mut self, name: &str, at: At) -> Option<Expression> {
        let known = match name {
            "true" => Some((ExpressionKind::Bool(true), Type::Bool)),
            "false" => Some((ExpressionKind::Bool(false), Type::Bool)),
            "M_PI" => Some((real("3.141592653589793"), Type::Real)),
            "M_E" => Some((real("2.718281828459045"), Type::Real)),
            _ => None,
        };
        match known {
            Some((kind, ty)) if !self.checker.knows(name) => Some(typed(kind, ty)),
            _ => self.checker.variable(name, at),
        }
    }

    fn call(&mut self, call: &CallExpression, at: At) -> Option<Expression> {
        let CExpression::Identifier(name) = &call.callee.node else {
            let at = self.at(&call.callee.span);
            let message = "only functions can be called, and only by name";
            return self
                .checker
                .error(&rules::UNKNOWN_FUNCTION, at, message, "");
        };
        let name = &name.node.name;
        if self.checker.is_interpolate(name)
            && let Some(CExpression::StringLiteral(_)) = call.arguments.first().map(|a| &a.node)
        {
            return self.interpolate(call, at);
        }
        if self.checker.is_clc(name) {
            return self.clc(call, at);
        }
        if self.checker.is_rud(name) {
            return self.rud(call, at);
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            arguments.push(self.expression(argument));
        }
        let name_at = self.at(&call.callee.span);
        match arguments.into_iter().collect() {
            Some(arguments) => self.checker.call(name, name_at, arguments),
            None => None,
        }
    }

    fn clc(&mut self, call: &CallExpression, at: At) -> Option<Expression> {
        let opened = std::mem::take(&mut self.opened);
        let is_opened = self.checker.is_opened(at, &opened);
        self.opened = opened;
        is_opened?;
        let usages: Vec<Option<Usage>> = call.arguments.iter().map(|it| self.usage(it)).collect();
        Some(clc::time(usages.into_iter().collect::<Option<_>>()?))
    }

    fn rud(&mut self, call: &CallExpression, at: At) -> Option<Expression> {
        let usages: Vec<Option<Usage>> = call.arguments.iter().map(|it| self.usage(it)).collect();
        let usages = usages.into_iter().collect::<Option<_>>()?;
        let opened = std::mem::take(&mut self.opened);
        let read = self.checker.rud(at, &opened, usages);
        self.opened = opened;
        read
    }

    /// Translates an operation, with or without a count before it.
    fn usage(&mut self, node: &Node<CExpression>) -> Option<Usage> {
        match &node.node {
            CExpression::Identifier(name) => self.checker.usage(None, &name.node.name),
            CExpression::BinaryOperator(product)
                if product.node.operator.node == BinaryOperator::Multiply
                    && let CExpression::Identifier(name) = &product.node.rhs.node =>
            {
                let count = self.expression(&product.node.lhs)?;
                self.checker.usage(Some(count), &name.node.name)
            }
            _ => {
                let at = self.at(&node.span);
                self.checker.no_operation(at)
            }
        }
    }

    fn interpolate(&mut self, call: &CallExpression, at: At) -> Option<Expression> {
        let (file, numbers, curve) = match call.arguments.as_slice() {
            [file, numbers @ .., curve] if matches!(curve.node, CExpression::StringLiteral(_)) => {
                (file, numbers, Some(self.string(curve)))
            }
            [file, numbers @ ..] => (file, numbers, None),
            [] => return None,
        };
        let file = self.string(file);
        let arguments: Vec<_> = numbers.iter().map(|it| self.expression(it)).collect();
        let arguments = arguments.into_iter().collect::<Option<_>>()?;
        self.checker.interpolate(at, file, arguments, curve)
    }

    /// Returns the text and place of a string. The text is `None` unless it is a single literal
    /// without escapes.
    fn string(&self, node: &Node<CExpression>) -> (Option<&'a str>, At) {
        let at = self.at(&node.span);
        let whole = self.string_at(at).filter(|token| token.end() == at.end);
        (whole.and_then(plain_string), at)
    }

    fn unary(&mut self, unary: &UnaryOperatorExpression, at: At) -> Option<Expression> {
        if let (UnaryOperator::Minus, CExpression::Constant(constant)) =
            (&unary.operator.node, &unary.operand.node)
            && let Some(least) = Self::least(&constant.node)
        {
            return Some(least);
        }
        match unary.operator.node {
            UnaryOperator::Address | UnaryOperator::Indirection => {
                let help = "use the variable's name";
                return self.checker.not_allowed(at, "pointers", help);
            }
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => return self.checker.side_effect(at, None),
            _ => {}
        }
        let operand = self.expression(&unary.operand)?;
        let TypedExpression { expression, at } = operand;
        Some(match unary.operator.node {
            UnaryOperator::Minus => Checker::unary(UnaryOp::Negate, promote(expression)),
            UnaryOperator::Negate => Checker::unary(UnaryOp::Not, cast(expression, &Type::Bool)),
            UnaryOperator::Complement => {
                self.whole_number(&expression, at)?;
                Checker::unary(UnaryOp::Complement, promote(expression))
            }
            _ => promote(expression),
        })
    }

    /// Reports a real operand of an operator for integers.
    fn whole_number(&mut self, operand: &Expression, at: At) -> Option<()> {
        if operand.ty != Type::Real {
            return Some(());
        }
        let message = "this operator takes integers, found `double`";
        let help = "convert it with a cast, such as `(int) x`";
        self.checker.error(&rules::TYPE_MISMATCH, at, message, help)
    }

    fn binary(&mut self, binary: &BinaryOperatorExpression, at: At) -> Option<Expression> {
        if binary.operator.node == BinaryOperator::Index {
            let (name, name_at) = self.array_name(&binary.lhs)?;
            let index = self.expression(&binary.rhs)?;
            let binding = self.checker.binding(&name, name_at)?;
            let (ty, index) = self.checker.item(&name, name_at, &binding, index)?;
            let kind = ExpressionKind::Index(binding.variable, Box::new(index));
            return Some(typed(kind, ty));
        }
        let Some(op) = value_operator(&binary.operator.node) else {
            let assigns = binary.operator.node == BinaryOperator::Assign;
            let target = assigns.then(|| self.at(&binary.lhs.span));
            return self.checker.side_effect(at, target);
        };
        // Check both operands before returning, so that the problems of both are reported.
        let left = self.expression(&binary.lhs);
        let right = self.expression(&binary.rhs);
        self.operation(op, left?, right?)
    }

    pub(super) fn array_name(&mut self, array: &Node<CExpression>) -> Option<(String, At)> {
        let at = self.at(&array.span);
        if let CExpression::Identifier(name) = &array.node {
            return Some((name.node.name.clone(), at));
        }
        let message = "only variables can be indexed, and only once";
        self.checker.error(&rules::TYPE_MISMATCH, at, message, "")
    }

    /// Applies an operator to two operands after C's conversions.
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        left: TypedExpression,
        right: TypedExpression,
    ) -> Option<Expression> {
        let right_at = right.at;
        let (left, right) = match op {
            BinaryOp::And | BinaryOp::Or => (
                cast(left.expression, &Type::Bool),
                cast(right.expression, &Type::Bool),
            ),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::Remainder => {
                self.integers(op, &left, &right)?;
                (promote(left.expression), promote(right.expression))
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.integers(op, &left, &right)?;
                // With two truth values, the result is the same without C's promotion.
                balance(left.expression, right.expression)
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => balance(left.expression, right.expression),
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => {
                balance(promote(left.expression), promote(right.expression))
            }
        };
        self.checker.binary(op, left, right, right_at)
    }

    fn integers(
        &mut self,
        op: BinaryOp,
        left: &TypedExpression,
        right: &TypedExpression,
    ) -> Option<()> {
        let real = [left, right]
            .into_iter()
            .find(|o| o.expression.ty == Type::Real);
        if let (BinaryOp::Remainder, Some(operand)) = (op, real) {
            let message = "`%` takes integers, found `double`";
            let help = "write `fmod(x, y)`";
            let at = operand.at;
            return self.checker.error(&rules::TYPE_MISMATCH, at, message, help);
        }
        match real {
            Some(operand) if op == BinaryOp::BitXor => {
                let [base, power] = [left, right].map(|it| self.checker.text_at(it.at));
                let message = "`^` is exclusive or of integers, not a power";
                // In `c * N^2`, the left operand is the whole product.
                let base = base.rsplit([' ', '*', '/']).next().unwrap_or(base);
                let help = format!("write `pow({base}, {power})`");
                let at = operand.at;
                self.checker.error(&rules::TYPE_MISMATCH, at, message, help)
            }
            Some(operand) => self.whole_number(&operand.expression, operand.at),
            None => Some(()),
        }
    }

    fn type_name(&mut self, node: &Node<TypeName>) -> Option<Type> {
        let at = self.at(&node.span);
        if node.node.declarator.is_some() {
            return self
                .checker
                .not_allowed(at, "pointers or other derived types", "");
        }
        self.scalar_type(&node.node.specifiers, at)
    }
}

/// Promotes a truth value to an integer, as C does.
fn promote(operand: Expression) -> Expression {
    if operand.ty == Type::Bool {
        cast(operand, &Type::Int)
    } else {
        operand
    }
}

/// Converts two operands to a common type, as C does. Two truth values stay unchanged.
fn balance(left: Expression, right: Expression) -> (Expression, Expression) {
    let ty = if left.ty == right.ty {
        left.ty.clone()
    } else if left.ty == Type::Real || right.ty == Type::Real {
        Type::Real
    } else {
        Type::Int
    };
    (cast(left, &ty), cast(right, &ty))
}

fn real(digits: &str) -> ExpressionKind {
    ExpressionKind::Real(digits.to_owned())
}

/// Returns the operator; `None` if it assigns.
fn value_operator(operator: &BinaryOperator) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOperator::Multiply => BinaryOp::Multiply,
        BinaryOperator::Divide => BinaryOp::Divide,
        BinaryOperator::Modulo => BinaryOp::Remainder,
        BinaryOperator::Plus => BinaryOp::Add,
        BinaryOperator::Minus => BinaryOp::Subtract,
        BinaryOperator::ShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::ShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::Less => BinaryOp::Less,
        BinaryOperator::Greater => BinaryOp::Greater,
        BinaryOperator::LessOrEqual => BinaryOp::LessEqual,
        BinaryOperator::GreaterOrEqual => BinaryOp::GreaterEqual,
        BinaryOperator::Equals => BinaryOp::Equal,
        BinaryOperator::NotEquals => BinaryOp::NotEqual,
        BinaryOperator::BitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::BitwiseXor => BinaryOp::BitXor,
        BinaryOperator::BitwiseOr => BinaryOp::BitOr,
        BinaryOperator::LogicalAnd => BinaryOp::And,
        BinaryOperator::LogicalOr => BinaryOp::Or,
        _ => return None,
    })
}

/// How an assignment uses the old value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assignment {
    /// The new value replaces the old one.
    Plain,
    /// The old value is the operator's left operand.
    Compound(BinaryOp),
}

/// Returns what kind of assignment an operator is; `None` if it only computes a value.
pub(super) fn assignment_operator(operator: &BinaryOperator) -> Option<Assignment> {
    let op = match operator {
        BinaryOperator::Assign => return Some(Assignment::Plain),
        BinaryOperator::AssignMultiply => BinaryOp::Multiply,
        BinaryOperator::AssignDivide => BinaryOp::Divide,
        BinaryOperator::AssignModulo => BinaryOp::Remainder,
        BinaryOperator::AssignPlus => BinaryOp::Add,
        BinaryOperator::AssignMinus => BinaryOp::Subtract,
        BinaryOperator::AssignShiftLeft => BinaryOp::ShiftLeft,
        BinaryOperator::AssignShiftRight => BinaryOp::ShiftRight,
        BinaryOperator::AssignBitwiseAnd => BinaryOp::BitAnd,
        BinaryOperator::AssignBitwiseXor => BinaryOp::BitXor,
        BinaryOperator::AssignBitwiseOr => BinaryOp::BitOr,
        _ => return None,
    };
    Some(Assignment::Compound(op))
}
