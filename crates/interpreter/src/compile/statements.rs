//! Compiles the statements of cost functions and code fragments.

use prophet_frontend::lang::constant::{Constant, constant};
use prophet_frontend::lang::ir::{Expression, Statement, Type};
use prophet_frontend::lang::walk;

use super::unit::Unit;
use super::words;
use crate::op::Op;

impl Unit<'_, '_> {
    /// Compiles a piece of code. A register counts the iterations of all its loops, because the
    /// limit applies to them together.
    pub(super) fn code(&mut self, statements: &[Statement]) {
        let outer = self.steps.take();
        if walk::has_loop(statements) {
            let steps = self.registers.fresh(1);
            self.emit(Op::Const { to: steps, bits: 0 });
            self.steps = Some(steps);
        }
        self.block(statements);
        self.steps = outer;
    }

    fn block(&mut self, statements: &[Statement]) {
        self.scopes.open();
        for statement in statements {
            let mark = self.registers.mark();
            self.statement(statement);
            self.registers.forget(mark);
        }
        self.scopes.close();
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare { name, ty, value } => self.declare(name, ty, value.as_ref()),
            Statement::Assign {
                target,
                index: None,
                value,
            } => {
                if let crate::place::Place::Own(to) = self.place(target) {
                    return self.put(value, to);
                }
                let from = self.value(value);
                self.store(target, from);
            }
            Statement::Assign {
                target,
                index: Some(index),
                value,
            } => {
                let (index, from) = (self.value(index), self.value(value));
                let array = self.array_of(target);
                self.emit(Op::Set { array, index, from });
            }
            Statement::Evaluate(value) => {
                self.value(value);
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let (other, end) = (self.label(), self.label());
                self.jump_unless(condition, other);
                self.block(then);
                if !otherwise.is_empty() {
                    self.jump(end);
                }
                self.bind(other);
                self.block(otherwise);
                self.bind(end);
            }
            Statement::While {
                condition,
                body_first,
                body,
                step,
            } => self.repeat(condition, *body_first, body, step),
            Statement::Break => {
                if let Some((end, _)) = self.loops.last() {
                    self.jump(*end);
                }
            }
            Statement::Continue => {
                if let Some((_, next)) = self.loops.last() {
                    self.jump(*next);
                }
            }
            Statement::Return(value) => {
                let from = self.value(value);
                self.emit(Op::Return { from });
            }
            Statement::Block(inside) => self.block(inside),
        }
    }

    /// Declares a variable. Its initial value can't refer to the variable itself.
    pub(super) fn declare(&mut self, name: &str, ty: &Type, value: Option<&Expression>) {
        if let Some(value) = value {
            let to = self.registers.fresh(1);
            self.put(value, to);
            self.scopes.declare(name, ty, to);
        } else {
            let from = self.variable(name, ty);
            let length = words(ty);
            self.emit(Op::Zero { from, length });
        }
    }

    fn repeat(
        &mut self,
        condition: &Expression,
        body_first: bool,
        body: &[Statement],
        step: &[Statement],
    ) {
        let always = constant(condition) == Some(Constant::Bool(true));
        let (turn, next, end) = (self.label(), self.label(), self.label());
        let test = self.label();
        if !body_first && !always {
            self.jump(test);
        }
        self.bind(turn);
        if let Some(steps) = self.steps {
            self.emit(Op::Count { steps });
        }
        self.loops.push((end, next));
        self.block(body);
        self.loops.pop();
        self.bind(next);
        self.block(step);
        self.bind(test);
        if always {
            self.jump(turn);
        } else {
            self.jump_if(condition, turn);
        }
        self.bind(end);
    }
}
