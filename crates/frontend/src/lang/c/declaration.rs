//! Translates C's declarations and types.

use lang_c::ast::{
    ArraySize, Declaration, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator,
    InitDeclarator, Initializer, SpecifierQualifier, TypeQualifier, TypeSpecifier,
};
use lang_c::span::Node;

use super::CFront;
use crate::lang::check::{At, int};
use crate::lang::ir::{Statement, Type, Variable};
use prophet_model::diagnostic::catalogue::lang as rules;

impl CFront<'_, '_> {
    pub(super) fn declaration(&mut self, node: &Node<Declaration>) -> Option<Vec<Statement>> {
        let at = self.at(&node.span);
        let mut specifiers = Vec::new();
        let mut constant = false;
        for specifier in &node.node.specifiers {
            match &specifier.node {
                DeclarationSpecifier::TypeSpecifier(ty) => {
                    let span = ty.span;
                    specifiers.push(Node::new(
                        SpecifierQualifier::TypeSpecifier(ty.clone()),
                        span,
                    ));
                }
                DeclarationSpecifier::TypeQualifier(qualifier)
                    if qualifier.node == TypeQualifier::Const =>
                {
                    constant = true;
                }
                _ => {
                    let at = self.at(&specifier.span);
                    let what = format!("`{}`", self.checker.text_at(at));
                    return self.checker.not_allowed(at, &what, "");
                }
            }
        }
        let ty = self.scalar_type(&specifiers, at)?;
        if node.node.declarators.is_empty() {
            let message = "the declaration has no name";
            return self.checker.error(&rules::SYNTAX, at, message, "");
        }
        let mut statements = Vec::new();
        for declarator in &node.node.declarators {
            let declared = self.declarator(&declarator.node, &ty, !constant);
            statements.extend(declared.unwrap_or_default());
        }
        Some(statements)
    }

    /// Translates a single name of a declaration, with its initial value.
    fn declarator(
        &mut self,
        node: &InitDeclarator,
        item: &Type,
        writable: bool,
    ) -> Option<Vec<Statement>> {
        let at = self.at(&node.declarator.span);
        let (name, length) = self.declared_name(&node.declarator)?;
        let Some(length) = length else {
            let value = match node.initializer.as_ref().map(|i| &i.node) {
                None => None,
                Some(Initializer::Expression(expression)) => {
                    let value = self.expression(expression);
                    Some(value.and_then(|value| self.checker.coerce(value, item)))
                }
                Some(Initializer::List(_)) => {
                    let message = format!("`{name}` is not an array, so it takes one value");
                    self.checker.error(&rules::TYPE_MISMATCH, at, message, "")
                }
            };
            self.checker.declare(&name, at, item.clone(), writable)?;
            let value = match value {
                None => None,
                Some(value) => Some(value?),
            };
            let ty = item.clone();
            return Some(vec![Statement::Declare { name, ty, value }]);
        };
        self.array(&name, at, item, length, node.initializer.as_ref(), writable)
    }

    /// Translates the declaration of an array. Each initial value becomes an assignment.
    fn array(
        &mut self,
        name: &str,
        at: At,
        item: &Type,
        length: Length<'_>,
        initializer: Option<&Node<Initializer>>,
        writable: bool,
    ) -> Option<Vec<Statement>> {
        let values = match initializer.map(|i| &i.node) {
            None => [].as_slice(),
            Some(Initializer::List(items)) => items.as_slice(),
            Some(Initializer::Expression(_)) => {
                let message = format!("the array `{name}` needs its values in braces");
                return self.checker.error(&rules::TYPE_MISMATCH, at, message, "");
            }
        };
        let length = match length {
            Length::Values => values.len(),
            Length::Expression(expression) => self.length(expression)?,
        };
        if length == 0 || values.len() > length {
            let message = format!(
                "`{name}` has {length} values, but {} are given",
                values.len()
            );
            return self.checker.error(&rules::ARRAY_LENGTH, at, message, "");
        }
        let mut assignments = Vec::new();
        for (index, value) in (0_i64..).zip(values) {
            let Initializer::Expression(expression) = &value.node.initializer.node else {
                let at = self.at(&value.span);
                return self.checker.not_allowed(at, "arrays of arrays", "");
            };
            if !value.node.designation.is_empty() {
                let at = self.at(&value.span);
                return self.checker.not_allowed(at, "designated values", "");
            }
            let value = self.expression(expression);
            if let Some(value) = value.and_then(|value| self.checker.coerce(value, item)) {
                assignments.push(Statement::Assign {
                    target: Variable::Own(name.to_owned()),
                    index: Some(int(index)),
                    value,
                });
            }
        }
        let ty = Type::Array(Box::new(item.clone()), length);
        self.checker.declare(name, at, ty.clone(), writable)?;
        let mut statements = vec![Statement::Declare {
            name: name.to_owned(),
            ty,
            value: None,
        }];
        statements.append(&mut assignments);
        Some(statements)
    }

    fn length(&mut self, node: &Node<lang_c::ast::Expression>) -> Option<usize> {
        let value = self.expression(node)?;
        self.checker.array_length(&value)
    }

    /// Returns the declared name and, for an array, its length.
    fn declared_name<'n>(
        &mut self,
        node: &'n Node<Declarator>,
    ) -> Option<(String, Option<Length<'n>>)> {
        let at = self.at(&node.span);
        let name = match &node.node.kind.node {
            DeclaratorKind::Identifier(name) => name.node.name.clone(),
            DeclaratorKind::Declarator(_) | DeclaratorKind::Abstract => {
                return self
                    .checker
                    .not_allowed(at, "declarations of this kind", "write `int x`");
            }
        };
        match node.node.derived.as_slice() {
            [] => Some((name, None)),
            [derived] if let DerivedDeclarator::Array(array) = &derived.node => {
                match &array.node.size {
                    ArraySize::Unknown => Some((name, Some(Length::Values))),
                    ArraySize::VariableExpression(expression) => {
                        Some((name, Some(Length::Expression(expression))))
                    }
                    _ => self.checker.not_allowed(at, "arrays of this kind", ""),
                }
            }
            [derived, ..] => match &derived.node {
                DerivedDeclarator::Array(_) => {
                    let help = "use one index, as in `a[i * columns + j]`";
                    self.checker.not_allowed(at, "arrays of arrays", help)
                }
                DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) => {
                    let help = "add a cost function to the model";
                    self.checker.not_allowed(at, "functions within code", help)
                }
                _ => self.checker.not_allowed(at, "pointers", ""),
            },
        }
    }

    /// Returns the type that the specifiers mean.
    pub(super) fn scalar_type(
        &mut self,
        specifiers: &[Node<SpecifierQualifier>],
        at: At,
    ) -> Option<Type> {
        let mut ty = None;
        for specifier in specifiers {
            let found = match &specifier.node {
                SpecifierQualifier::TypeQualifier(qualifier)
                    if qualifier.node == TypeQualifier::Const =>
                {
                    continue;
                }
                SpecifierQualifier::TypeSpecifier(specifier) => match &specifier.node {
                    TypeSpecifier::Float | TypeSpecifier::Double => Type::Real,
                    TypeSpecifier::Bool => Type::Bool,
                    TypeSpecifier::TypedefName(name) if name.node.name == "bool" => Type::Bool,
                    TypeSpecifier::Short
                    | TypeSpecifier::Int
                    | TypeSpecifier::Long
                    | TypeSpecifier::Signed
                    | TypeSpecifier::Unsigned
                    | TypeSpecifier::TypedefName(_) => Type::Int,
                    _ => return self.foreign_type(specifier.span),
                },
                _ => return self.foreign_type(specifier.span),
            };
            ty = match (ty, found) {
                (None, found) => Some(found),
                (Some(Type::Int), Type::Int) => Some(Type::Int),
                // `long double`
                (Some(Type::Int), Type::Real) | (Some(Type::Real), Type::Int) => Some(Type::Real),
                _ => return self.foreign_type(specifier.span),
            };
        }
        if ty.is_none() {
            let message = "missing type";
            let help = "write `int`, `double` or `bool`";
            return self.checker.error(&rules::SYNTAX, at, message, help);
        }
        ty
    }

    fn foreign_type<T>(&mut self, span: lang_c::span::Span) -> Option<T> {
        let at = self.at(&span);
        let what = format!("the type `{}`", self.checker.text_at(at));
        let help = "the supported types are `int`, `long`, `double`, `bool` and arrays of them";
        self.checker.not_allowed(at, &what, help)
    }
}

#[derive(Debug, Clone, Copy)]
enum Length<'n> {
    /// As many items as there are initial values.
    Values,
    Expression(&'n Node<lang_c::ast::Expression>),
}
