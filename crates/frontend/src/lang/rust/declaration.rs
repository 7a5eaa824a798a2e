//! Translates Rust's `let`.

use syn::{Expr, Local, Pat};

use super::RustFront;
use crate::lang::check::{At, TypedExpression, int};
use crate::lang::ir::{Expression, ExpressionKind, Statement, Type, Variable};
use prophet_model::diagnostic::catalogue::lang as rules;

impl RustFront<'_, '_> {
    pub(super) fn plain_name(&mut self, pattern: &Pat) -> Option<(String, bool)> {
        if let Pat::Ident(name) = pattern
            && name.by_ref.is_none()
            && name.subpat.is_none()
        {
            return Some((name.ident.to_string(), name.mutability.is_some()));
        }
        let at = self.at(pattern);
        self.checker.not_allowed(at, "patterns", "write a name")
    }

    /// Translates `let name = value;`.
    pub(super) fn local(&mut self, node: &Local, out: &mut Vec<Statement>) -> Option<()> {
        let at = self.at(node);
        let (pattern, annotation) = match &node.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Some(init) = &node.init else {
            let message = "the variable needs a value";
            let help = "write `let x = 0.0;`";
            return self.checker.error(&rules::SYNTAX, at, message, help);
        };
        if let Some((_, otherwise)) = &init.diverge {
            let at = self.at(&**otherwise);
            return self.checker.not_allowed(at, "`let … else`", "");
        }
        if let Pat::Wild(_) = pattern {
            let value = self.value(&init.expr)?;
            out.push(Statement::Evaluate(value.expression));
            return Some(());
        }
        let name_at = self.at(pattern);
        let (name, writable) = self.plain_name(pattern)?;
        if let Expr::Array(_) | Expr::Repeat(_) = &*init.expr {
            let values = self.array_values(&init.expr, annotation, name_at)?;
            return self.array(name, name_at, writable, values, out);
        }
        let value = self.value(&init.expr);
        let ty = match annotation {
            Some(annotation) => self.scalar_type(annotation)?,
            None => match &value {
                Some(value) => value.expression.ty.clone(),
                None => return None,
            },
        };
        let value = value.and_then(|value| self.checker.coerce(value, &ty));
        self.checker.declare(&name, name_at, ty.clone(), writable)?;
        let value = Some(value?);
        out.push(Statement::Declare { name, ty, value });
        Some(())
    }

    /// Translates the values of `[a, b, c]` or `[a; n]`. If there is a type annotation, checks them
    /// against it.
    fn array_values(
        &mut self,
        node: &Expr,
        annotation: Option<&syn::Type>,
        at: At,
    ) -> Option<Vec<TypedExpression>> {
        let values = match node {
            Expr::Repeat(repeat) => {
                let value = self.value(&repeat.expr)?;
                let length = self.length(&repeat.len)?;
                let simple = matches!(
                    value.expression.kind,
                    ExpressionKind::Int(_)
                        | ExpressionKind::Real(_)
                        | ExpressionKind::Bool(_)
                        | ExpressionKind::Variable(_)
                );
                if !simple {
                    let message = "this value would be evaluated once for each element";
                    let help = "store it in a variable first";
                    let at = value.at;
                    return self.checker.error(&rules::SIDE_EFFECT, at, message, help);
                }
                vec![value; length]
            }
            Expr::Array(array) => {
                let mut values = Vec::new();
                for element in &array.elems {
                    values.push(self.value(element));
                }
                values.into_iter().collect::<Option<Vec<_>>>()?
            }
            _ => Vec::new(),
        };
        match annotation {
            None => {}
            Some(syn::Type::Array(array)) => {
                let item = self.scalar_type(&array.elem)?;
                let length = self.length(&array.len)?;
                if length != values.len() {
                    let message = format!(
                        "{length} values are declared, but {} are given",
                        values.len()
                    );
                    return self.checker.error(&rules::ARRAY_LENGTH, at, message, "");
                }
                if let Some(first) = values.first() {
                    self.checker
                        .expect_type(&first.expression, &item, first.at)?;
                }
            }
            Some(_) => {
                let message = "an array is not a single value";
                return self.checker.error(&rules::TYPE_MISMATCH, at, message, "");
            }
        }
        Some(values)
    }

    fn length(&mut self, node: &Expr) -> Option<usize> {
        let value = self.value(node)?;
        self.checker.array_length(&value)
    }

    /// Declares an array, and assigns its values. Zeros aren't assigned, because arrays start with
    /// zeros.
    fn array(
        &mut self,
        name: String,
        at: At,
        writable: bool,
        values: Vec<TypedExpression>,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let Some(first) = values.first() else {
            let message = "the array has no values";
            return self.checker.error(&rules::ARRAY_LENGTH, at, message, "");
        };
        let item = first.expression.ty.clone();
        let ty = Type::Array(Box::new(item.clone()), values.len());
        let mut assignments = Vec::new();
        for (index, value) in (0_i64..).zip(values) {
            let value = self.checker.coerce(value, &item)?;
            if !is_zero(&value) {
                assignments.push(Statement::Assign {
                    target: Variable::Own(name.clone()),
                    index: Some(int(index)),
                    value,
                });
            }
        }
        self.checker.declare(&name, at, ty.clone(), writable)?;
        let value = None;
        out.push(Statement::Declare { name, ty, value });
        out.append(&mut assignments);
        Some(())
    }
}

fn is_zero(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Int(value) => *value == 0,
        ExpressionKind::Bool(value) => !*value,
        ExpressionKind::Real(digits) => digits.parse() == Ok(0.0),
        _ => false,
    }
}
