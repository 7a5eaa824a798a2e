//! Determines what checked code needs at run time.

use super::ir::{
    BinaryOp, Expression, ExpressionKind, Needs, Statement, System, Type, UnaryOp, Variable,
};

impl Expression {
    /// Visits the expression and everything inside it. Operators come before their operands.
    pub fn visit<'a>(&'a self, visitor: &mut dyn FnMut(&'a Self)) {
        visitor(self);
        match &self.kind {
            ExpressionKind::Int(_)
            | ExpressionKind::Real(_)
            | ExpressionKind::Bool(_)
            | ExpressionKind::Variable(_) => {}
            ExpressionKind::Index(_, operand)
            | ExpressionKind::Cast(operand)
            | ExpressionKind::Unary(_, operand) => operand.visit(visitor),
            ExpressionKind::Binary(_, left, right) => {
                left.visit(visitor);
                right.visit(visitor);
            }
            ExpressionKind::If(condition, then, otherwise) => {
                condition.visit(visitor);
                then.visit(visitor);
                otherwise.visit(visitor);
            }
            ExpressionKind::Clc(usages) | ExpressionKind::Rud(_, usages) => {
                for usage in usages {
                    usage.count.visit(visitor);
                }
            }
            ExpressionKind::Call(_, arguments)
            | ExpressionKind::Builtin(_, arguments)
            | ExpressionKind::Draw(_, arguments)
            | ExpressionKind::Neighbor(_, arguments)
            | ExpressionKind::Interpolate(_, _, arguments) => {
                for argument in arguments {
                    argument.visit(visitor);
                }
            }
        }
    }

    /// Returns `true` if the expression is a literal other than zero, so that integers can be
    /// divided by it safely.
    pub fn is_nonzero_literal(&self) -> bool {
        match &self.kind {
            ExpressionKind::Int(value) => *value != 0,
            ExpressionKind::Unary(UnaryOp::Negate, operand) => operand.is_nonzero_literal(),
            _ => false,
        }
    }

    /// Determines what the expression needs, without the needs of the functions that it calls.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        needs.add_expression(self);
        needs
    }
}

impl Needs {
    /// Determines what the statements need, without the needs of the functions that they call.
    pub fn of(statements: &[Statement]) -> Self {
        let mut needs = Self::default();
        needs.add_statements(statements);
        needs
    }

    fn add_expression(&mut self, expression: &Expression) {
        expression.visit(&mut |part| match &part.kind {
            ExpressionKind::Variable(variable) => self.add_variable(variable),
            ExpressionKind::Index(variable, _) => {
                self.add_variable(variable);
                self.fallible = true;
            }
            ExpressionKind::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, divisor) => {
                self.fallible |= part.ty == Type::Int && !divisor.is_nonzero_literal();
            }
            ExpressionKind::Call(function, _) => {
                self.calls.insert(*function);
            }
            ExpressionKind::Clc(usages) => {
                self.system = true;
                let opcodes = usages.iter().map(|it| it.opcode.clone());
                self.opcodes.extend(opcodes);
            }
            ExpressionKind::Rud(device, usages) => {
                self.system = true;
                self.devices.insert(device.with(usages));
            }
            // Lookups outside the table's range are reported during the run.
            ExpressionKind::Interpolate(..) => self.system = true,
            ExpressionKind::Draw(..) => {
                self.stream = true;
                self.fallible = true;
            }
            ExpressionKind::Neighbor(..) => self.fallible = true,
            ExpressionKind::Int(_)
            | ExpressionKind::Real(_)
            | ExpressionKind::Bool(_)
            | ExpressionKind::Cast(_)
            | ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::If(..)
            | ExpressionKind::Builtin(..) => {}
        });
    }

    fn add_variable(&mut self, variable: &Variable) {
        match variable {
            Variable::Global(_) | Variable::Parameter(_) => self.globals = true,
            // `PROC_NULL` is the same everywhere.
            Variable::System(System::ProcNull) | Variable::Local(_) | Variable::Own(_) => {}
            Variable::System(_) => self.system = true,
        }
    }

    fn add_statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.add_statement(statement);
        }
    }

    fn add_statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare { value, .. } => {
                if let Some(value) = value {
                    self.add_expression(value);
                }
            }
            Statement::Assign {
                target,
                index,
                value,
            } => {
                self.add_variable(target);
                if let Some(index) = index {
                    self.add_expression(index);
                    self.fallible = true;
                }
                self.add_expression(value);
            }
            Statement::Evaluate(value) | Statement::Return(value) => self.add_expression(value),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                self.add_expression(condition);
                self.add_statements(then);
                self.add_statements(otherwise);
            }
            Statement::While {
                condition,
                body,
                step,
                ..
            } => {
                self.fallible = true;
                self.add_expression(condition);
                self.add_statements(body);
                self.add_statements(step);
            }
            Statement::Break | Statement::Continue => {}
            Statement::Block(block) => self.add_statements(block),
        }
    }
}

/// Returns `true` if evaluating the expression may do more than compute a value: call a function,
/// draw a random number, or stop the run.
pub(super) fn has_effect(expression: &Expression) -> bool {
    let needs = expression.needs();
    needs.fallible || needs.stream || !needs.calls.is_empty()
}

/// Returns `true` if evaluating the expression again may have a different result or repeat a side
/// effect.
pub fn has_draw_or_call(expression: &Expression) -> bool {
    let needs = expression.needs();
    needs.stream || !needs.calls.is_empty()
}

pub(super) fn mentions(statements: &[Statement], name: &str) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Declare { value, .. } => value.as_ref().is_some_and(|v| reads(v, name)),
        Statement::Assign {
            target,
            index,
            value,
        } => {
            is_own(target, name)
                || index.as_ref().is_some_and(|i| reads(i, name))
                || reads(value, name)
        }
        Statement::Evaluate(value) | Statement::Return(value) => reads(value, name),
        Statement::If {
            condition,
            then,
            otherwise,
        } => reads(condition, name) || mentions(then, name) || mentions(otherwise, name),
        Statement::While {
            condition,
            body,
            step,
            ..
        } => reads(condition, name) || mentions(body, name) || mentions(step, name),
        Statement::Break | Statement::Continue => false,
        Statement::Block(block) => mentions(block, name),
    })
}

fn reads(expression: &Expression, name: &str) -> bool {
    let mut found = false;
    expression.visit(&mut |part| {
        if let ExpressionKind::Variable(variable) | ExpressionKind::Index(variable, _) = &part.kind
        {
            found |= is_own(variable, name);
        }
    });
    found
}

fn is_own(variable: &Variable, name: &str) -> bool {
    matches!(variable, Variable::Own(own) if own == name)
}

/// Returns `true` if a statement assigns to the variable `name` before another declaration hides
/// it. Rust requires `mut` for such a variable.
///
/// For a variable, pass the statements after its declaration. For a function's argument, pass the
/// function's body.
pub fn assigns(statements: &[Statement], name: &str) -> bool {
    for statement in statements {
        let found = match statement {
            Statement::Declare { name: hiding, .. } if hiding == name => return false,
            Statement::Assign { target, .. } => is_own(target, name),
            Statement::If {
                then, otherwise, ..
            } => assigns(then, name) || assigns(otherwise, name),
            Statement::While { body, step, .. } => assigns(body, name) || assigns(step, name),
            Statement::Block(block) => assigns(block, name),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}
