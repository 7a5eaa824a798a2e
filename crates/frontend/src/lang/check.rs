//! Performs the checks that C and Rust share: names, calls, operand types, and targets of
//! assignments.

mod calls;

use std::collections::BTreeMap;

use super::constant::{self, Constant};
use super::ir::{BinaryOp, Expression, ExpressionKind, Statement, Type, UnaryOp, Variable};
use super::names;
use super::scope::{Binding, Scope};
use super::screen::Refusal;
use prophet_model::diagnostic::catalogue::lang as rules;
use prophet_model::diagnostic::{Advice, Diagnostic, Diagnostics, Remedy, Rule};
use prophet_model::model::{Code, Language};
use prophet_model::source::Source;

/// Where a piece of code is in the model, for messages.
#[derive(Debug, Clone, Copy)]
pub struct CodePlace<'a> {
    /// The model file.
    pub source: &'a Source,
    /// Path of the element that contains the code, such as `Model::Main::A1`.
    pub element: &'a str,
}

const MAX_ARRAY_VALUES: usize = 4096;
/// Maximum number of errors to report for a piece of code, and maximum number of warnings.
const MAX_PROBLEMS: usize = 20;

/// A range in a piece of code, in bytes. `end` is excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl At {
    /// Returns the range from the start of `self` to the end of `other`.
    pub(super) const fn to(self, other: Self) -> Self {
        Self {
            start: self.start,
            end: other.end,
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct TypedExpression {
    pub(super) expression: Expression,
    pub(super) at: At,
}

#[derive(Debug, Clone)]
pub(super) struct AssignmentTarget {
    pub(super) variable: Variable,
    pub(super) index: Option<Expression>,
    pub(super) ty: Type,
}

impl AssignmentTarget {
    /// Returns an expression for the value before the assignment.
    pub(super) fn value(&self) -> Expression {
        let kind = match &self.index {
            None => ExpressionKind::Variable(self.variable.clone()),
            Some(index) => ExpressionKind::Index(self.variable.clone(), Box::new(index.clone())),
        };
        typed(kind, self.ty.clone())
    }

    /// Builds the assignment of `value`, which must have the right type.
    pub(super) fn assign(self, value: Expression) -> Statement {
        Statement::Assign {
            target: self.variable,
            index: self.index,
            value,
        }
    }
}

pub(super) const fn typed(kind: ExpressionKind, ty: Type) -> Expression {
    Expression { kind, ty }
}

pub(super) const fn int(value: i64) -> Expression {
    typed(ExpressionKind::Int(value), Type::Int)
}

pub(super) fn cast(expression: Expression, ty: &Type) -> Expression {
    if expression.ty == *ty {
        return expression;
    }
    typed(ExpressionKind::Cast(Box::new(expression)), ty.clone())
}

pub(super) fn type_name(ty: &Type, language: Language) -> String {
    let c = language == Language::C;
    match ty {
        Type::Int => if c { "int" } else { "i64" }.to_owned(),
        Type::Real => if c { "double" } else { "f64" }.to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Array(item, length) if c => format!("{}[{length}]", type_name(item, language)),
        Type::Array(item, length) => format!("[{}; {length}]", type_name(item, language)),
    }
}

/// Checks a piece of code. Methods that return `None` have reported a problem.
pub(super) struct Checker<'a> {
    pub(super) code: &'a Code,
    pub(super) scope: &'a Scope,
    place: CodePlace<'a>,
    diagnostics: &'a mut Diagnostics,
    problems: usize,
    /// Number of warnings, including those above the limit.
    warnings: usize,
    /// Declarations in the enclosing blocks, from the outermost inward.
    blocks: Vec<BTreeMap<String, Binding>>,
    array_values: usize,
    pub(super) loops: usize,
    /// The function's result type; `None` if the code isn't in a function.
    pub(super) result: Option<Type>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        code: &'a Code,
        scope: &'a Scope,
        place: CodePlace<'a>,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self {
            code,
            scope,
            place,
            diagnostics,
            problems: 0,
            warnings: 0,
            blocks: vec![BTreeMap::new()],
            array_values: 0,
            loops: 0,
            result: None,
        }
    }

    pub(super) fn text(&self) -> &'a str {
        &self.code.text.value
    }

    pub(super) fn text_at(&self, at: At) -> &'a str {
        self.text().get(at.start..at.end).unwrap_or_default()
    }

    pub(super) fn whole(&self) -> At {
        let text = self.text();
        let start = text.len() - text.trim_start().len();
        let end = text.trim_end().len().max(start);
        At { start, end }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.problems == 0
    }

    pub(super) fn error<T>(
        &mut self,
        rule: &'static Rule,
        at: At,
        message: impl Into<String>,
        advice: impl Into<Advice>,
    ) -> Option<T> {
        self.problems += 1;
        if self.problems <= MAX_PROBLEMS {
            self.report(rule, at, message.into(), advice.into());
        }
        None
    }

    pub(super) fn warning(&mut self, rule: &'static Rule, at: At, message: &str) {
        self.warnings += 1;
        if self.warnings <= MAX_PROBLEMS {
            self.report(rule, at, message.to_owned(), Advice::default());
        }
    }

    fn report(&mut self, rule: &'static Rule, at: At, message: String, advice: Advice) {
        let span = self.code.text.locate(self.place.source, at.start, at.end);
        let diagnostic = Diagnostic::new(rule, span, message).element(self.place.element);
        self.diagnostics.push(diagnostic.help(advice));
    }

    /// Reports why the text can't be parsed.
    pub(super) fn refuse<T>(&mut self, refusal: Refusal) -> Option<T> {
        let at = if refusal.start == refusal.end {
            self.whole()
        } else {
            At {
                start: refusal.start,
                end: refusal.end,
            }
        };
        self.error(refusal.rule, at, refusal.message, refusal.help)
    }

    /// Reports that an expression changes a variable, which only statements can do.
    /// The text of an assignment starts with its `target`.
    pub(super) fn side_effect<T>(&mut self, at: At, target: Option<At>) -> Option<T> {
        let message = "an expression cannot change a variable";
        let compared = target.map(|target| {
            let value = self
                .text_at(At {
                    start: target.end,
                    ..at
                })
                .trim_start();
            let (target, value) = (self.text_at(target), value.trim_start_matches('='));
            format!("to compare, write `{target} == {}`", value.trim())
        });
        let before = || "change it in a separate statement before this one".to_owned();
        let help = compared.unwrap_or_else(before);
        self.error(&rules::SIDE_EFFECT, at, message, help)
    }

    /// Reports a construct that isn't part of the cost language. `what` must fit after "has no".
    pub(super) fn not_allowed<T>(&mut self, at: At, what: &str, help: &str) -> Option<T> {
        let message = format!("the cost language does not support {what}");
        self.error(&rules::NOT_ALLOWED, at, message, help)
    }

    /// Enters a block. Declarations are in scope until [`Self::leave`].
    pub(super) fn enter(&mut self) {
        self.blocks.push(BTreeMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.blocks.pop();
    }

    pub(super) fn declare(&mut self, name: &str, at: At, ty: Type, writable: bool) -> Option<()> {
        if let Type::Array(_, length) = &ty {
            self.array_values = self.array_values.saturating_add(*length);
            if self.array_values > MAX_ARRAY_VALUES {
                let message = format!(
                    "the arrays in this code have more than {MAX_ARRAY_VALUES} values in total"
                );
                let help = "use a global variable of the model";
                return self.error(&rules::ARRAY_LENGTH, at, message, help);
            }
        }
        let binding = Binding {
            variable: Variable::Own(name.to_owned()),
            ty,
            writable,
        };
        let outermost = self.blocks.len() == 1;
        let argument = outermost
            && self
                .scope
                .variables
                .get(name)
                .is_some_and(|b| matches!(b.variable, Variable::Own(_)));
        let shadows = self.code.language == Language::Rust;
        let block = self.blocks.last_mut()?;
        if !shadows && (argument || block.contains_key(name)) {
            let message = format!("`{name}` is already declared in this block");
            return self.error(&rules::DECLARED_TWICE, at, message, "");
        }
        block.insert(name.to_owned(), binding);
        Some(())
    }

    /// Derives a name from `wish` that isn't in scope and doesn't occur in the code.
    pub(super) fn fresh(&self, wish: &str) -> String {
        let mut name = wish.to_owned();
        while self.knows(&name) || self.text().contains(&name) {
            name.push('_');
        }
        name
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<Binding> {
        let own = self.blocks.iter().rev().find_map(|block| block.get(name));
        own.or_else(|| self.scope.variables.get(name))
            .cloned()
            .or_else(|| {
                let system = self.scope.system().find(|it| it.name() == name);
                system.map(|system| Binding {
                    variable: Variable::System(system),
                    ty: Type::Int,
                    writable: false,
                })
            })
    }

    /// Finds the variable that a name refers to. Reports unknown names.
    pub(super) fn binding(&mut self, name: &str, at: At) -> Option<Binding> {
        if let Some(binding) = self.find(name) {
            return Some(binding);
        }
        if names::function(name, self.scope).is_some() {
            let message = format!("`{name}` is a function");
            return self.error(&rules::TYPE_MISMATCH, at, message, "call it");
        }
        let advice = if name == "ANY" {
            "only the tags `source` and `tag` of a receive can be ANY".into()
        } else if self.problems < MAX_PROBLEMS {
            let own = self
                .blocks
                .iter()
                .flat_map(|b| b.keys().map(String::as_str));
            did_you_mean(names::similar_variable(name, own, self.scope))
        } else {
            Advice::default()
        };
        let message = format!("unknown variable `{name}`");
        self.error(&rules::UNKNOWN_VARIABLE, at, message, advice)
    }

    pub(super) fn variable(&mut self, name: &str, at: At) -> Option<Expression> {
        let binding = self.binding(name, at)?;
        if let Type::Array(..) = binding.ty {
            let message = format!("`{name}` is an array");
            let help = format!("use one of its values, such as `{name}[0]`");
            return self.error(&rules::TYPE_MISMATCH, at, message, help);
        }
        Some(typed(
            ExpressionKind::Variable(binding.variable),
            binding.ty,
        ))
    }

    /// Checks the access to an array element. The arguments are the array's name and binding, and
    /// the checked index.
    pub(super) fn item(
        &mut self,
        name: &str,
        at: At,
        binding: &Binding,
        index: TypedExpression,
    ) -> Option<(Type, Expression)> {
        let Type::Array(item, length) = &binding.ty else {
            let message = format!("`{name}` is not an array");
            return self.error(&rules::TYPE_MISMATCH, at, message, "");
        };
        let place = index.at;
        if index.expression.ty == Type::Real || self.is_strict() {
            self.expect_type(&index.expression, &Type::Int, place)?;
        }
        let index = cast(index.expression, &Type::Int);
        if let Some(Constant::Int(value)) = constant::constant(&index) {
            let inside = usize::try_from(value).is_ok_and(|value| value < *length);
            if !inside {
                let message = format!("`{name}` has no value at index {value}");
                let help = format!(
                    "its {length} values have indices 0 to {}",
                    length.saturating_sub(1)
                );
                return self.error(&rules::CERTAIN_FAULT, place, message, help);
            }
        }
        Some(((**item).clone(), index))
    }

    /// Returns `true` if types must match exactly, as in Rust.
    pub(super) fn is_strict(&self) -> bool {
        self.code.language == Language::Rust
    }

    pub(super) fn expect_type(&mut self, value: &Expression, ty: &Type, at: At) -> Option<()> {
        if value.ty == *ty {
            return Some(());
        }
        let language = self.code.language;
        let wanted = type_name(ty, language);
        let message = format!(
            "expected `{wanted}`, found `{}`",
            type_name(&value.ty, language)
        );
        let help = match (language, &value.kind, &value.ty, ty) {
            (Language::C, ..) => "convert it with a cast, such as `(int) x`".to_owned(),
            (Language::Rust, ExpressionKind::Int(value), _, Type::Real) => {
                format!("write `{value}.0`")
            }
            (Language::Rust, _, Type::Int | Type::Real, Type::Bool) => {
                "compare it, as in `x != 0`".to_owned()
            }
            (Language::Rust, _, Type::Bool, Type::Real) => {
                "convert it, as in `x as i64 as f64`".to_owned()
            }
            (Language::Rust, ..) => format!("convert it, as in `x as {wanted}`"),
        };
        self.error(&rules::TYPE_MISMATCH, at, message, help)
    }

    /// Converts `value` to `ty`, if the language allows it without a cast.
    pub(super) fn coerce(&mut self, value: TypedExpression, ty: &Type) -> Option<Expression> {
        if let Type::Array(..) = ty {
            let message = "an array cannot be assigned as a whole";
            return self.error(&rules::TYPE_MISMATCH, value.at, message, "");
        }
        if self.is_strict() {
            self.expect_type(&value.expression, ty, value.at)?;
        }
        Some(cast(value.expression, ty))
    }

    /// Applies an operator to two operands, which must have the same type.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Expression,
        right: Expression,
        right_at: At,
    ) -> Option<Expression> {
        let ty = match op {
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::And
            | BinaryOp::Or => Type::Bool,
            _ => left.ty.clone(),
        };
        let divides = matches!(op, BinaryOp::Divide | BinaryOp::Remainder);
        if divides && constant::constant(&right) == Some(Constant::Int(0)) {
            let message = "integer division by zero";
            let help = "divide by a number other than 0";
            return self.error(&rules::CERTAIN_FAULT, right_at, message, help);
        }
        Some(typed(
            ExpressionKind::Binary(op, Box::new(left), Box::new(right)),
            ty,
        ))
    }

    pub(super) fn unary(op: UnaryOp, operand: Expression) -> Expression {
        let ty = operand.ty.clone();
        typed(ExpressionKind::Unary(op, Box::new(operand)), ty)
    }

    /// Resolves `name`, or `name[index]`, as the target of an assignment.
    pub(super) fn target(
        &mut self,
        name: &str,
        at: At,
        index: Option<TypedExpression>,
    ) -> Option<AssignmentTarget> {
        let binding = self.binding(name, at)?;
        if !binding.writable {
            let (what, help) = match binding.variable {
                Variable::Parameter(_) => ("a model parameter", ""),
                Variable::System(_) => ("a built-in name", ""),
                _ if self.is_strict() => ("not declared with `mut`", "declare it with `let mut`"),
                _ => ("read only", ""),
            };
            let message = format!("`{name}` is {what} and cannot be assigned to");
            return self.error(&rules::READ_ONLY, at, message, help);
        }
        let (ty, index) = match index {
            Some(index) => {
                let (ty, index) = self.item(name, at, &binding, index)?;
                (ty, Some(index))
            }
            None if matches!(binding.ty, Type::Array(..)) => {
                let message = format!("`{name}` is an array");
                let help = format!("assign to one of its values, such as `{name}[0]`");
                return self.error(&rules::TYPE_MISMATCH, at, message, help);
            }
            None => (binding.ty, None),
        };
        Some(AssignmentTarget {
            variable: binding.variable,
            index,
            ty,
        })
    }

    /// Builds a `return` statement, with or without a value.
    pub(super) fn give(&mut self, value: Option<TypedExpression>, at: At) -> Option<Statement> {
        let Some(result) = self.result.clone() else {
            let message = "`return` is outside a function";
            let help = "only cost functions return a value";
            return self.error(&rules::MISPLACED_JUMP, at, message, help);
        };
        let Some(value) = value else {
            let message = "`return` needs a value";
            return self.error(&rules::MISSING_RETURN, at, message, "");
        };
        self.coerce(value, &result).map(Statement::Return)
    }

    pub(super) fn array_length(&mut self, value: &TypedExpression) -> Option<usize> {
        let length = match constant::constant(&value.expression) {
            Some(Constant::Int(length)) => usize::try_from(length).ok(),
            _ => None,
        };
        match length {
            Some(length) if (1..=MAX_ARRAY_VALUES).contains(&length) => Some(length),
            _ => {
                let message =
                    format!("an array's length must be a constant from 1 to {MAX_ARRAY_VALUES}");
                let help = "a global variable of the model can be larger";
                self.error(&rules::ARRAY_LENGTH, value.at, message, help)
            }
        }
    }

    pub(super) fn evaluate(&mut self, value: TypedExpression) -> Option<Statement> {
        if !super::needs::has_effect(&value.expression) {
            self.warning(&rules::NO_EFFECT, value.at, "the value is not used");
            return None;
        }
        Some(Statement::Evaluate(value.expression))
    }
}

fn did_you_mean(similar: Option<String>) -> Advice {
    similar.map_or_else(Advice::default, |name| {
        Advice::did_you_mean(&name, Remedy::Text)
    })
}
