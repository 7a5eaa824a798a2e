//! Writes statements and functions as C text.

use super::expression::{assigning, divisor};
use super::{Dialect, Printer};
use crate::emit::Listing;
use prophet_frontend::index::FunctionIndex;
use prophet_frontend::lang::ir::{
    BinaryOp, Expression, ExpressionKind as Kind, Statement, Type, Variable,
};
use prophet_frontend::lang::{needs, walk};
use prophet_frontend::program::Function;

impl<'d> Printer<'d> {
    /// Writes a code fragment, without braces around it.
    pub fn fragment(dialect: &'d dyn Dialect, statements: &[Statement], lines: &mut Listing) {
        Self::of(dialect, statements).block(statements, lines);
    }

    /// Returns the head of a cost function: its type, name, and parameters.
    pub fn head(dialect: &'d dyn Dialect, index: FunctionIndex, function: &Function) -> String {
        Self::of(dialect, &function.body).begin(index, function)
    }

    /// Writes a cost function. `end` is its last line: `}` or `};`.
    pub fn function(
        dialect: &'d dyn Dialect,
        index: FunctionIndex,
        function: &Function,
        end: &str,
        lines: &mut Listing,
    ) {
        let mut printer = Self::of(dialect, &function.body);
        let head = printer.begin(index, function);
        lines.line(&head);
        lines.open();
        for (name, _) in &function.signature.arguments {
            printer.note_unused(name, lines);
        }
        printer.block(&function.body, lines);
        lines.close(end);
    }

    /// Creates a printer for code. The names that it declares differ from all names that the code
    /// uses.
    fn of(dialect: &'d dyn Dialect, statements: &[Statement]) -> Self {
        let mut printer = Self::new(dialect);
        walk::statements(statements, &mut |variable, access| match variable {
            Variable::Own(name) if access == walk::Access::Read => {
                printer.read.insert(name.clone());
            }
            Variable::Own(_) => {}
            other => printer.taken.reserve(&dialect.variable(other)),
        });
        walk::expressions(statements, &mut |whole| {
            whole.visit(&mut |part| match &part.kind {
                Kind::Call(function, _) => printer.taken.reserve(&dialect.function(*function)),
                Kind::Builtin(builtin, _) => printer.taken.reserve(builtin.name()),
                Kind::Draw(variate, _) => printer.taken.reserve(variate.name()),
                Kind::Neighbor(of, _) => printer.taken.reserve(of.name()),
                _ => {}
            });
        });
        printer
    }

    fn begin(&mut self, index: FunctionIndex, function: &Function) -> String {
        let signature = &function.signature;
        let mut parameters = self.dialect.leading_parameters(index);
        for (name, ty) in &signature.arguments {
            let name = self.declare(name);
            parameters.push(format!("{} {name}", self.dialect.ty(ty)));
        }
        let ty = self.dialect.ty(&signature.result);
        let name = self.dialect.function(index);
        let parameters = if parameters.is_empty() {
            self.dialect.no_parameters().to_owned()
        } else {
            parameters.join(", ")
        };
        format!("{ty} {name}({parameters})")
    }

    fn declare(&mut self, name: &str) -> String {
        let is_free = |name: &str| !self.dialect.is_reserved(name);
        let c = self.taken.take_where(&self.dialect.own(name), is_free);
        self.visible.push((name.to_owned(), c.clone()));
        c
    }

    /// Marks the variable as used if nothing reads it, because compilers would warn about it.
    fn note_unused(&self, name: &str, lines: &mut Listing) {
        if !self.read.contains(name) {
            lines.line(&format!("(void){};", self.own_name(name)));
        }
    }

    fn block(&mut self, statements: &[Statement], lines: &mut Listing) {
        let outside = self.visible.len();
        self.sequence(statements, lines);
        self.visible.truncate(outside);
    }

    fn sequence(&mut self, mut statements: &[Statement], lines: &mut Listing) {
        while let Some((statement, behind)) = statements.split_first() {
            statements = behind;
            if let Statement::Declare { name, ty, value } = statement {
                statements = self.declaration(name, ty, value.as_ref(), behind, lines);
            } else {
                self.statement(statement, lines);
            }
        }
    }

    /// Writes a declaration. Returns the statements after it that the declaration doesn't include.
    fn declaration<'s>(
        &mut self,
        name: &str,
        ty: &Type,
        value: Option<&Expression>,
        behind: &'s [Statement],
        lines: &mut Listing,
    ) -> &'s [Statement] {
        let Type::Array(item, length) = ty else {
            let text = self.scalar(name, ty, value);
            lines.line(&format!("{text};"));
            self.note_unused(name, lines);
            return behind;
        };
        let first = first_values(name, *length, behind);
        // As in the cost language, the values are computed before the name is in scope.
        let mut values: Vec<String> = first.iter().map(|it| self.converted(it)).collect();
        if values.is_empty() {
            values.push(zero(item).to_owned());
        }
        let ty = self.dialect.ty(item);
        let variable = self.declare(name);
        lines.line(&format!(
            "{ty} {variable}[{length}] = {{{}}};",
            values.join(", ")
        ));
        self.note_unused(name, lines);
        &behind[first.len()..]
    }

    /// Writes the declaration of a scalar, without the `;`.
    fn scalar(&mut self, name: &str, ty: &Type, value: Option<&Expression>) -> String {
        let value = value.map_or_else(|| zero(ty).to_owned(), |value| self.converted(value));
        let variable = self.declare(name);
        format!("{} {variable} = {value}", self.dialect.ty(ty))
    }

    fn statement(&mut self, statement: &Statement, lines: &mut Listing) {
        match statement {
            Statement::Declare { name, ty, value } => {
                self.declaration(name, ty, value.as_ref(), &[], lines);
            }
            Statement::Assign { .. } | Statement::Evaluate(_) => {
                lines.line(&format!("{};", self.effect(statement)));
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise, lines),
            Statement::While {
                condition,
                body_first,
                body,
                step,
            } => self.repeat(condition, *body_first, body, step, lines),
            Statement::Break => lines.line("break;"),
            Statement::Continue => lines.line("continue;"),
            Statement::Return(value) => {
                lines.line(&format!("return {};", self.converted(value)));
            }
            Statement::Block(inside) => self.nested(inside, lines),
        }
    }

    /// Writes a block. If it contains only a counting loop, writes a C `for`.
    fn nested(&mut self, inside: &[Statement], lines: &mut Listing) {
        if let [
            first,
            Statement::While {
                condition,
                body_first: false,
                body,
                step,
            },
        ] = inside
            && !step.is_empty()
        {
            let outside = self.visible.len();
            let first = match first {
                Statement::Declare {
                    name,
                    ty,
                    value: Some(value),
                } => Some(self.scalar(name, ty, Some(value))),
                Statement::Assign { .. } => Some(self.effect(first)),
                _ => None,
            };
            if let Some(first) = first {
                self.counting(&first, condition, body, step, lines);
                self.visible.truncate(outside);
                return;
            }
        }
        lines.open();
        self.block(inside, lines);
        lines.close("}");
    }

    /// Writes a statement that has an effect, as an expression. The checker accepts only such
    /// statements as the steps of loops.
    fn effect(&self, statement: &Statement) -> String {
        match statement {
            Statement::Assign {
                target,
                index,
                value,
            } => self.assignment(target, index.as_ref(), value),
            Statement::Evaluate(value) => {
                let text = self.value(value);
                match value.kind {
                    Kind::Call(..) | Kind::Draw(..) | Kind::Neighbor(..) => text,
                    // Compilers warn about unused values.
                    Kind::Int(_)
                    | Kind::Real(_)
                    | Kind::Bool(_)
                    | Kind::Variable(_)
                    | Kind::Index(..)
                    | Kind::Cast(_)
                    | Kind::Unary(..)
                    | Kind::Binary(..)
                    | Kind::If(..)
                    | Kind::Builtin(..)
                    | Kind::Clc(_)
                    | Kind::Rud(..)
                    | Kind::Interpolate(..) => format!("(void)({text})"),
                }
            }
            Statement::Declare { .. }
            | Statement::If { .. }
            | Statement::While { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Return(_)
            | Statement::Block(_) => unreachable!("the steps of loops change something"),
        }
    }

    fn assignment(
        &self,
        target: &Variable,
        index: Option<&Expression>,
        value: &Expression,
    ) -> String {
        let place = match index {
            Some(index) => self.item(target, index),
            None => self.variable(target),
        };
        if let Kind::Binary(op, left, right) = &value.kind
            && is_place(left, target, index)
            && value.ty != Type::Bool
            && let Some(symbol) = assigning(*op)
            && !(*op == BinaryOp::Remainder && value.ty == Type::Real)
        {
            let right_text = self.converted(right);
            let divisor = divisor(right, &right_text);
            let kept = self.dialect.binary(*op, &value.ty, &place, divisor);
            if kept.is_none() {
                return match (op, &right.kind) {
                    (BinaryOp::Add, Kind::Int(1)) => format!("{place}++"),
                    (BinaryOp::Subtract, Kind::Int(1)) => format!("{place}--"),
                    _ => format!("{place} {symbol} {right_text}"),
                };
            }
        }
        format!("{place} = {}", self.converted(value))
    }

    fn branch(
        &mut self,
        condition: &Expression,
        then: &[Statement],
        otherwise: &[Statement],
        lines: &mut Listing,
    ) {
        lines.line(&format!("if ({})", self.condition(condition)));
        lines.open();
        self.block(then, lines);
        lines.close("}");
        let mut rest = otherwise;
        while let [
            Statement::If {
                condition,
                then,
                otherwise,
            },
        ] = rest
        {
            lines.line(&format!("else if ({})", self.condition(condition)));
            lines.open();
            self.block(then, lines);
            lines.close("}");
            rest = otherwise;
        }
        if !rest.is_empty() {
            lines.line("else");
            lines.open();
            self.block(rest, lines);
            lines.close("}");
        }
    }

    fn repeat(
        &mut self,
        condition: &Expression,
        body_first: bool,
        body: &[Statement],
        step: &[Statement],
        lines: &mut Listing,
    ) {
        if !step.is_empty() {
            return self.counting("", condition, body, step, lines);
        }
        let condition = self.condition(condition);
        if body_first {
            lines.line("do");
            self.body(body, &format!("}} while ({condition});"), lines);
        } else {
            lines.line(&format!("while ({condition})"));
            self.body(body, "}", lines);
        }
    }

    /// Writes a C `for`. `first` is its first clause.
    fn counting(
        &mut self,
        first: &str,
        condition: &Expression,
        body: &[Statement],
        step: &[Statement],
        lines: &mut Listing,
    ) {
        let condition = match condition.kind {
            Kind::Bool(true) => String::new(),
            _ => format!(" {}", self.condition(condition)),
        };
        let step: Vec<String> = step.iter().map(|it| self.effect(it)).collect();
        lines.line(&format!("for ({first};{condition}; {})", step.join(", ")));
        self.body(body, "}", lines);
    }

    fn body(&mut self, body: &[Statement], end: &str, lines: &mut Listing) {
        lines.open();
        if let Some(turn) = self.dialect.turn() {
            lines.line(&turn);
        }
        self.block(body, lines);
        lines.close(end);
    }
}

fn zero(ty: &Type) -> &'static str {
    match ty {
        Type::Int | Type::Array(..) => "0",
        Type::Real => "0.0",
        Type::Bool => "false",
    }
}

fn is_place(expression: &Expression, target: &Variable, index: Option<&Expression>) -> bool {
    match (&expression.kind, index) {
        (Kind::Variable(variable), None) => variable == target,
        (Kind::Index(array, at), Some(index)) => array == target && **at == *index,
        _ => false,
    }
}

/// Returns the values that are assigned right after an array's declaration, and that C can
/// therefore list in braces.
fn first_values<'s>(name: &str, length: usize, behind: &'s [Statement]) -> Vec<&'s Expression> {
    let value = |(at, statement): (i64, &'s Statement)| match statement {
        Statement::Assign {
            target: Variable::Own(target),
            index: Some(index),
            value,
        } if target == name && index.kind == Kind::Int(at) => {
            let mut mentions = false;
            walk::expression(value, &mut |variable, _| {
                mentions |= matches!(variable, Variable::Own(own) if own == name);
            });
            // C doesn't define the order in which these values are computed.
            (!mentions && !needs::has_draw_or_call(value)).then_some(value)
        }
        _ => None,
    };
    (0_i64..)
        .zip(behind)
        .take(length)
        .map_while(value)
        .collect()
}
