//! Translates Rust's expressions. Resolves names, and compares types.

use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprIf, ExprUnary, Lit, UnOp};

use super::RustFront;
use crate::lang::check::{At, Checker, TypedExpression, cast, int, type_name, typed};
use crate::lang::clc;
use crate::lang::ir::{BinaryOp, Builtin, Expression, ExpressionKind, Type, UnaryOp, Usage};
use crate::lang::literal::real_digits;
use crate::lang::names;
use crate::lang::scope::plain_string;
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::model::Language;

impl<'a> RustFront<'a, '_> {
    pub(super) fn value(&mut self, node: &Expr) -> Option<TypedExpression> {
        let at = self.at(node);
        let expression = match node {
            Expr::Paren(paren) => return self.value(&paren.expr),
            Expr::Group(group) => return self.value(&group.expr),
            Expr::Lit(literal) => self.literal(&literal.lit, at)?,
            Expr::Path(_) => {
                let (name, at) = self.name(node)?;
                self.checker.variable(&name, at)?
            }
            Expr::Unary(unary) => self.unary(unary)?,
            Expr::Binary(binary) => self.binary(binary, at)?,
            Expr::Cast(cast) => self.cast(cast)?,
            Expr::Call(call) => self.call(call)?,
            Expr::MethodCall(call) => self.method_call(call)?,
            Expr::Index(index) => {
                let (name, name_at) = self.name(&index.expr)?;
                let position = self.index(&index.index)?;
                let binding = self.checker.binding(&name, name_at)?;
                let (ty, position) = self.checker.item(&name, name_at, &binding, position)?;
                typed(
                    ExpressionKind::Index(binding.variable, Box::new(position)),
                    ty,
                )
            }
            Expr::If(node) => self.conditional(node, at)?,
            Expr::Block(block) => return self.block_value(&block.block, at),
            other => return self.foreign(other, at),
        };
        Some(TypedExpression { expression, at })
    }

    fn foreign<T>(&mut self, node: &Expr, at: At) -> Option<T> {
        let (what, help) = match node {
            Expr::Assign(node) => {
                let target = self.at(&node.left);
                return self.checker.side_effect(at, Some(target));
            }
            Expr::Array(_) | Expr::Repeat(_) => {
                let help = "declare it with `let`";
                ("arrays within expressions", help)
            }
            Expr::Field(_) | Expr::Struct(_) => ("structures", ""),
            Expr::Tuple(_) => ("tuples", ""),
            Expr::Closure(_) => ("closures", ""),
            Expr::Macro(_) => ("macros", ""),
            Expr::Reference(_) | Expr::RawAddr(_) => ("references", "use the value"),
            Expr::Range(_) => ("ranges outside `for`", ""),
            Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) => (
                "loops within expressions",
                "write the loop before this statement",
            ),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                ("jumps within expressions", "write a statement")
            }
            Expr::Let(_) => ("`let` in a condition", ""),
            _ => ("expressions of this kind", ""),
        };
        self.checker.not_allowed(at, what, help)
    }

    pub(super) fn name(&mut self, node: &Expr) -> Option<(String, At)> {
        let at = self.at(node);
        if let Expr::Path(path) = node {
            if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
                return Some((name.to_string(), at));
            }
            return self.checker.not_allowed(at, "paths", "write only the name");
        }
        let message = "expected a name";
        self.checker.error(&rules::SYNTAX, at, message, "")
    }

    fn literal(&mut self, literal: &Lit, at: At) -> Option<Expression> {
        match literal {
            Lit::Bool(literal) => Some(typed(ExpressionKind::Bool(literal.value), Type::Bool)),
            Lit::Int(literal) => match literal.suffix() {
                "" | "i64" => {
                    if let Ok(value) = literal.base10_parse::<i64>() {
                        return Some(int(value));
                    }
                    let message = "the number does not fit in a 64-bit signed integer";
                    self.checker.error(&rules::NUMBER_RANGE, at, message, "")
                }
                "f64" => self.real(literal.base10_digits(), at),
                suffix => self.suffix(suffix, at),
            },
            Lit::Float(literal) => match literal.suffix() {
                "" | "f64" => self.real(literal.base10_digits(), at),
                suffix => self.suffix(suffix, at),
            },
            Lit::Str(_) => {
                let help = "write a number: only `interpolate` and `clc` take strings";
                self.checker.not_allowed(at, "strings", help)
            }
            _ => self.checker.not_allowed(at, "literals of this kind", ""),
        }
    }

    fn real(&mut self, digits: &str, at: At) -> Option<Expression> {
        if let Some(digits) = real_digits(digits) {
            return Some(typed(ExpressionKind::Real(digits), Type::Real));
        }
        let message = "the number does not fit in an `f64`";
        self.checker.error(&rules::NUMBER_RANGE, at, message, "")
    }

    fn suffix<T>(&mut self, suffix: &str, at: At) -> Option<T> {
        let what = format!("the type `{suffix}`");
        let help = "the supported types are `i64`, `f64` and `bool`";
        self.checker.not_allowed(at, &what, help)
    }

    fn unary(&mut self, unary: &ExprUnary) -> Option<Expression> {
        if let (UnOp::Neg(_), Expr::Lit(literal)) = (&unary.op, &*unary.expr)
            && let Lit::Int(digits) = &literal.lit
            && matches!(digits.suffix(), "" | "i64")
            && digits.base10_digits() == "9223372036854775808"
        {
            return Some(int(i64::MIN));
        }
        let operand = self.value(&unary.expr)?;
        let ty = &operand.expression.ty;
        let op = match (&unary.op, ty) {
            (UnOp::Neg(_), Type::Int | Type::Real) => UnaryOp::Negate,
            (UnOp::Not(_), Type::Bool) => UnaryOp::Not,
            (UnOp::Not(_), Type::Int) => UnaryOp::Complement,
            (op, ty) => {
                let sign = if matches!(op, UnOp::Not(_)) { "!" } else { "-" };
                let name = type_name(ty, Language::Rust);
                let message = format!("`{sign}` cannot be applied to `{name}`");
                let at = operand.at;
                return self.checker.error(&rules::TYPE_MISMATCH, at, message, "");
            }
        };
        Some(Checker::unary(op, operand.expression))
    }

    fn binary(&mut self, binary: &ExprBinary, at: At) -> Option<Expression> {
        let Some(op) = value_operator(binary.op) else {
            return self.checker.side_effect(at, None);
        };
        // Check both operands before returning, so that the problems of both are reported.
        let left = self.value(&binary.left);
        let right = self.value(&binary.right);
        self.operation(op, left?, right?)
    }

    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        left: TypedExpression,
        right: TypedExpression,
    ) -> Option<Expression> {
        let (a, b) = (&left.expression.ty, &right.expression.ty);
        let fits = a == b
            && match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Remainder => *a != Type::Bool,
                BinaryOp::ShiftLeft | BinaryOp::ShiftRight => *a == Type::Int,
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => *a != Type::Real,
                BinaryOp::And | BinaryOp::Or => *a == Type::Bool,
                _ => true,
            };
        if !fits {
            let (a, b) = (type_name(a, Language::Rust), type_name(b, Language::Rust));
            let message = format!("this operator cannot be applied to `{a}` and `{b}`");
            let help = match (a.as_str(), b.as_str()) {
                ("i64", "f64") | ("f64", "i64") => "convert one of them, as in `x as f64`",
                _ => "",
            };
            let at = left.at.to(right.at);
            return self.checker.error(&rules::TYPE_MISMATCH, at, message, help);
        }
        self.checker
            .binary(op, left.expression, right.expression, right.at)
    }

    fn cast(&mut self, node: &ExprCast) -> Option<Expression> {
        let operand = self.value(&node.expr)?;
        let ty = self.scalar_type(&node.ty)?;
        match (&operand.expression.ty, &ty) {
            (from, to) if from == to => {}
            (Type::Int | Type::Real, Type::Bool) | (Type::Bool, Type::Real) => {
                self.checker
                    .expect_type(&operand.expression, &ty, operand.at)?;
            }
            _ => {}
        }
        Some(cast(operand.expression, &ty))
    }

    pub(super) fn scalar_type(&mut self, node: &syn::Type) -> Option<Type> {
        let at = self.at(node);
        if let syn::Type::Path(path) = node
            && path.qself.is_none()
            && let Some(name) = path.path.get_ident()
        {
            match name.to_string().as_str() {
                "i64" => return Some(Type::Int),
                "f64" => return Some(Type::Real),
                "bool" => return Some(Type::Bool),
                _ => {}
            }
        }
        let what = format!("the type `{}`", self.checker.text_at(at));
        let help = "the supported types are `i64`, `f64`, `bool` and arrays of them";
        self.checker.not_allowed(at, &what, help)
    }

    /// Translates an index. Rust requires `i as usize`; here, `i` is enough.
    pub(super) fn index(&mut self, node: &Expr) -> Option<TypedExpression> {
        if let Expr::Cast(cast) = node
            && let syn::Type::Path(path) = &*cast.ty
            && path.path.is_ident("usize")
        {
            return self.value(&cast.expr);
        }
        self.value(node)
    }

    fn call(&mut self, call: &syn::ExprCall) -> Option<Expression> {
        let (name, at) = self.name(&call.func)?;
        if self.checker.is_interpolate(&name)
            && let Some(file) = call.args.first().and_then(|it| self.string(it))
        {
            return self.interpolate(call, file);
        }
        if self.checker.is_clc(&name) {
            return self.clc(call);
        }
        if self.checker.is_rud(&name) {
            return self.rud(call);
        }
        let arguments = self.values(call.args.iter())?;
        self.checker.call(&name, at, arguments)
    }

    fn interpolate(
        &mut self,
        call: &syn::ExprCall,
        file: (Option<&'a str>, At),
    ) -> Option<Expression> {
        let curve = call.args.iter().skip(1).last();
        let curve = curve.and_then(|it| self.string(it));
        let numbers = call.args.len() - 1 - usize::from(curve.is_some());
        let arguments = self.values(call.args.iter().skip(1).take(numbers))?;
        self.checker
            .interpolate(self.at(call), file, arguments, curve)
    }

    /// Returns the text and place of a string. The text is `None` if it has escapes.
    fn string(&self, node: &Expr) -> Option<(Option<&'a str>, At)> {
        let Expr::Lit(literal) = node else {
            return None;
        };
        let Lit::Str(_) = &literal.lit else {
            return None;
        };
        let at = self.at(literal);
        let token = self.tokens.iter().find(|t| t.start == at.start);
        Some((token.and_then(plain_string), at))
    }

    fn clc(&mut self, call: &syn::ExprCall) -> Option<Expression> {
        let at = self.at(call);
        self.checker.is_opened(at, &self.opened)?;
        let usages: Vec<Option<Usage>> = call.args.iter().map(|it| self.usage(it)).collect();
        Some(clc::time(usages.into_iter().collect::<Option<_>>()?))
    }

    fn rud(&mut self, call: &syn::ExprCall) -> Option<Expression> {
        let at = self.at(call);
        let usages: Vec<Option<Usage>> = call.args.iter().map(|it| self.usage(it)).collect();
        let usages = usages.into_iter().collect::<Option<_>>()?;
        self.checker.rud(at, &self.opened, usages)
    }

    /// Translates an operation, with or without a count before it.
    fn usage(&mut self, node: &Expr) -> Option<Usage> {
        match node {
            Expr::Path(_) => {
                let (name, _) = self.name(node)?;
                self.checker.usage(None, &name)
            }
            Expr::Binary(product)
                if let (BinOp::Mul(_), Expr::Path(_)) = (&product.op, &*product.right) =>
            {
                let count = self.value(&product.left)?;
                let (name, _) = self.name(&product.right)?;
                self.checker.usage(Some(count), &name)
            }
            _ => {
                let at = self.at(node);
                self.checker.no_operation(at)
            }
        }
    }

    fn values<'n>(
        &mut self,
        nodes: impl Iterator<Item = &'n Expr>,
    ) -> Option<Vec<TypedExpression>> {
        let mut values = Vec::new();
        for node in nodes {
            values.push(self.value(node));
        }
        values.into_iter().collect()
    }

    fn method_call(&mut self, call: &syn::ExprMethodCall) -> Option<Expression> {
        let at = self.at(&call.method);
        let name = call.method.to_string();
        if call.turbofish.is_some() {
            return self.checker.not_allowed(at, "type arguments", "");
        }
        let receiver = self.value(&call.receiver);
        let arguments = self.values(call.args.iter());
        let (receiver, arguments) = (receiver?, arguments?);
        let ty = receiver.expression.ty.clone();
        let receiver_at = (ty == Type::Int).then_some(receiver.at);
        let mut all = vec![receiver];
        all.extend(arguments);
        let found = match (&ty, name.as_str()) {
            (Type::Int, "abs") => Some(Builtin::AbsInt),
            (Type::Int, "max") => Some(Builtin::MaxInt),
            (Type::Int, "min") => Some(Builtin::MinInt),
            (Type::Real, "powi") => {
                return self.powi(at, all);
            }
            (Type::Real, name) => names::method(name),
            _ => None,
        };
        if let Some(builtin) = found
            && builtin.arity() != all.len()
        {
            let (takes, given) = (builtin.arity() - 1, all.len() - 1);
            let plural = if takes == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {takes} argument{plural}, not {given}");
            return self.checker.error(&rules::ARGUMENT_COUNT, at, message, "");
        }
        match found {
            Some(builtin @ (Builtin::AbsInt | Builtin::MaxInt | Builtin::MinInt)) => {
                let never = (builtin, builtin);
                self.checker.overloaded(&name, at, never, all)
            }
            Some(builtin) => self.checker.builtin(&name, at, builtin, all),
            None => {
                let ty = type_name(&ty, Language::Rust);
                let message = format!("`{ty}` has no method `{name}` in the cost language");
                let is_real = name == "powi" || names::method(&name).is_some();
                let help = match receiver_at {
                    Some(receiver) if is_real => {
                        let end = self.at(call).end;
                        let call = self.checker.text_at(At {
                            start: receiver.end,
                            end,
                        });
                        format!("write `({} as f64){call}`", self.checker.text_at(receiver))
                    }
                    _ => String::new(),
                };
                let rule = &rules::UNKNOWN_FUNCTION;
                self.checker.error(rule, at, message, help)
            }
        }
    }

    /// Translates `x.powi(n)`.
    fn powi(&mut self, at: At, mut all: Vec<TypedExpression>) -> Option<Expression> {
        if let [_, power] = all.as_mut_slice() {
            self.checker
                .expect_type(&power.expression, &Type::Int, power.at)?;
            power.expression = cast(power.expression.clone(), &Type::Real);
        }
        self.checker.builtin("powi", at, Builtin::Pow, all)
    }

    fn conditional(&mut self, node: &ExprIf, at: At) -> Option<Expression> {
        let condition = self.condition(&node.cond);
        let then = self.block_value(&node.then_branch, at);
        let Some((_, otherwise)) = &node.else_branch else {
            let message = "an `if` without `else` has no value";
            return self.checker.error(&rules::TYPE_MISMATCH, at, message, "");
        };
        let otherwise = self.value(otherwise);
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        let ty = then.expression.ty.clone();
        self.checker
            .expect_type(&otherwise.expression, &ty, otherwise.at)?;
        let parts = (Box::new(then.expression), Box::new(otherwise.expression));
        let kind = ExpressionKind::If(Box::new(condition), parts.0, parts.1);
        Some(typed(kind, ty))
    }

    pub(super) fn condition(&mut self, node: &Expr) -> Option<Expression> {
        let condition = self.value(node)?;
        self.checker
            .expect_type(&condition.expression, &Type::Bool, condition.at)?;
        Some(condition.expression)
    }

    fn block_value(&mut self, block: &syn::Block, at: At) -> Option<TypedExpression> {
        if let [syn::Stmt::Expr(value, None)] = block.stmts.as_slice() {
            return self.value(value);
        }
        let message = "a block within an expression must be a single value";
        let help = "assign the value to a variable in a separate statement before it";
        self.checker.error(&rules::NOT_ALLOWED, at, message, help)
    }
}

/// Returns the operator; `None` if it assigns.
fn value_operator(op: BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Subtract,
        BinOp::Mul(_) => BinaryOp::Multiply,
        BinOp::Div(_) => BinaryOp::Divide,
        BinOp::Rem(_) => BinaryOp::Remainder,
        BinOp::And(_) => BinaryOp::And,
        BinOp::Or(_) => BinaryOp::Or,
        BinOp::BitXor(_) => BinaryOp::BitXor,
        BinOp::BitAnd(_) => BinaryOp::BitAnd,
        BinOp::BitOr(_) => BinaryOp::BitOr,
        BinOp::Shl(_) => BinaryOp::ShiftLeft,
        BinOp::Shr(_) => BinaryOp::ShiftRight,
        BinOp::Eq(_) => BinaryOp::Equal,
        BinOp::Lt(_) => BinaryOp::Less,
        BinOp::Le(_) => BinaryOp::LessEqual,
        BinOp::Ne(_) => BinaryOp::NotEqual,
        BinOp::Ge(_) => BinaryOp::GreaterEqual,
        BinOp::Gt(_) => BinaryOp::Greater,
        _ => return None,
    })
}

/// Returns the operator in a compound assignment, such as `+` in `+=`; `None` for other operators.
pub(super) fn assigned_operator(op: BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Subtract,
        BinOp::MulAssign(_) => BinaryOp::Multiply,
        BinOp::DivAssign(_) => BinaryOp::Divide,
        BinOp::RemAssign(_) => BinaryOp::Remainder,
        BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        BinOp::ShlAssign(_) => BinaryOp::ShiftLeft,
        BinOp::ShrAssign(_) => BinaryOp::ShiftRight,
        _ => return None,
    })
}
