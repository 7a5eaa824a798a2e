//! Executes checked code for tests, with the same results as the runtime.

use std::collections::BTreeMap;

use super::constant::{self, Constant};
use super::ir::{Builtin, Expression, ExpressionKind, Statement, System, Type, Variable};
use crate::index::{FunctionIndex, GlobalIndex, List, ParameterIndex};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    DivisionByZero,
    IndexOutOfRange,
    /// A loop took too many iterations.
    TooManySteps,
    /// Only the runtime has random numbers and tables.
    Unavailable,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Scalar(Constant),
    Array(Vec<Constant>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Constant),
}

#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) arguments: Vec<String>,
    pub(super) body: Vec<Statement>,
}

/// The variables and functions that code uses.
#[derive(Debug, Clone, Default)]
pub(super) struct Machine {
    pub(super) globals: List<GlobalIndex, Value>,
    pub(super) parameters: List<ParameterIndex, Constant>,
    pub(super) locals: BTreeMap<String, Value>,
    pub(super) functions: List<FunctionIndex, Function>,
    /// The value of `pid`. The other system names have consecutive values after it.
    pub(super) pid: i64,
    /// Variables that the open blocks of the code declare, from the outermost block inward.
    pub(super) own: Vec<Vec<(String, Value)>>,
    /// Number of loop iterations so far.
    pub(super) steps: u32,
}

impl Machine {
    /// Runs statements in a new block.
    pub(super) fn run(&mut self, statements: &[Statement]) -> Result<Flow, Fault> {
        self.own.push(Vec::new());
        let flow = self.sequence(statements);
        self.own.pop();
        flow
    }

    fn sequence(&mut self, statements: &[Statement]) -> Result<Flow, Fault> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn call(
        &mut self,
        function: FunctionIndex,
        arguments: Vec<Constant>,
    ) -> Result<Constant, Fault> {
        let Function {
            arguments: names,
            body,
        } = self.functions[function].clone();
        let values = arguments.into_iter().map(Value::Scalar);
        let caller = std::mem::take(&mut self.own);
        self.own.push(names.into_iter().zip(values).collect());
        let flow = self.run(&body);
        self.own = caller;
        match flow? {
            Flow::Return(value) => Ok(value),
            flow => panic!("a function ended with {flow:?}"),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Fault> {
        match statement {
            Statement::Declare { name, ty, value } => {
                let value = match value {
                    Some(value) => Value::Scalar(self.evaluate(value)?),
                    None => zero(ty),
                };
                let block = self.own.last_mut().expect("a block is open");
                block.push((name.clone(), value));
            }
            Statement::Assign {
                target,
                index,
                value,
            } => {
                let index = match index {
                    Some(index) => Some(self.evaluate(index)?),
                    None => None,
                };
                let value = self.evaluate(value)?;
                match (self.variable(target), index) {
                    (Value::Scalar(scalar), None) => {
                        assert_eq!(kind(*scalar), kind(value), "assignment to {target:?}");
                        *scalar = value;
                    }
                    (Value::Array(values), Some(Constant::Int(index))) => {
                        let index = usize::try_from(index).ok();
                        let place = index.and_then(|index| values.get_mut(index));
                        let place = place.ok_or(Fault::IndexOutOfRange)?;
                        assert_eq!(kind(*place), kind(value), "assignment to {target:?}");
                        *place = value;
                    }
                    (variable, index) => panic!("{variable:?} has no {index:?}"),
                }
            }
            Statement::Evaluate(value) => {
                self.evaluate(value)?;
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let branch = if self.condition(condition)? {
                    then
                } else {
                    otherwise
                };
                return self.run(branch);
            }
            Statement::While {
                condition,
                body_first,
                body,
                step,
            } => return self.repeat(condition, *body_first, body, step),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Return(value) => return Ok(Flow::Return(self.evaluate(value)?)),
            Statement::Block(block) => return self.run(block),
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        condition: &Expression,
        body_first: bool,
        body: &[Statement],
        step: &[Statement],
    ) -> Result<Flow, Fault> {
        let mut first = body_first;
        while first || self.condition(condition)? {
            first = false;
            self.steps += 1;
            if self.steps > 100_000 {
                return Err(Fault::TooManySteps);
            }
            match self.run(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => break,
                flow @ Flow::Return(_) => return Ok(flow),
            }
            self.run(step)?;
        }
        Ok(Flow::Next)
    }

    fn condition(&mut self, condition: &Expression) -> Result<bool, Fault> {
        match self.evaluate(condition)? {
            Constant::Bool(value) => Ok(value),
            other => panic!("the condition is {other:?}"),
        }
    }

    fn variable(&mut self, variable: &Variable) -> &mut Value {
        match variable {
            Variable::Global(index) => &mut self.globals[*index],
            Variable::Local(name) => self.locals.get_mut(name).expect("the local exists"),
            Variable::Own(name) => {
                let mut all = self.own.iter_mut().rev().flat_map(|b| b.iter_mut().rev());
                let found = all.find(|(n, _)| n == name);
                &mut found.expect("the variable is declared").1
            }
            Variable::Parameter(_) | Variable::System(_) => panic!("{variable:?} is read only"),
        }
    }

    fn read(&mut self, variable: &Variable) -> Value {
        match variable {
            Variable::Parameter(index) => Value::Scalar(self.parameters[*index]),
            Variable::System(system) => {
                let at = System::ALL.iter().position(|it| it == system);
                let more = i64::try_from(at.expect("it is listed")).expect("they are few");
                Value::Scalar(Constant::Int(self.pid + more))
            }
            other => self.variable(other).clone(),
        }
    }

    /// Evaluates an expression, and asserts that the value has the expression's type.
    pub(super) fn evaluate(&mut self, expression: &Expression) -> Result<Constant, Fault> {
        let value = self.value(expression)?;
        assert_eq!(kind(value), expression.ty, "the type of {expression:?}");
        Ok(value)
    }

    fn value(&mut self, expression: &Expression) -> Result<Constant, Fault> {
        Ok(match &expression.kind {
            ExpressionKind::Int(value) => Constant::Int(*value),
            ExpressionKind::Real(digits) => Constant::Real(digits.parse().expect("it is a number")),
            ExpressionKind::Bool(value) => Constant::Bool(*value),
            ExpressionKind::Variable(variable) => match self.read(variable) {
                Value::Scalar(value) => value,
                Value::Array(_) => panic!("{variable:?} is an array"),
            },
            ExpressionKind::Index(variable, index) => {
                let Constant::Int(index) = self.evaluate(index)? else {
                    panic!("an index is not an integer");
                };
                let Value::Array(values) = self.read(variable) else {
                    panic!("{variable:?} is not an array");
                };
                let index = usize::try_from(index).ok();
                *index
                    .and_then(|index| values.get(index))
                    .ok_or(Fault::IndexOutOfRange)?
            }
            ExpressionKind::Cast(operand) => {
                let operand = self.evaluate(operand)?;
                constant::cast(operand, &expression.ty).expect("it can be converted")
            }
            ExpressionKind::Unary(op, operand) => {
                let operand = self.evaluate(operand)?;
                constant::unary(*op, operand).expect("the operator fits")
            }
            ExpressionKind::Binary(op, left, right) => {
                use super::ir::BinaryOp::{And, Or};
                let left = self.evaluate(left)?;
                match (op, left) {
                    (And, Constant::Bool(false)) | (Or, Constant::Bool(true)) => left,
                    _ => {
                        let right = self.evaluate(right)?;
                        assert_eq!(kind(left), kind(right), "the operands of {op:?}");
                        constant::binary(*op, left, right).ok_or(Fault::DivisionByZero)?
                    }
                }
            }
            ExpressionKind::If(condition, then, otherwise) => {
                let branch = if self.condition(condition)? {
                    then
                } else {
                    otherwise
                };
                self.evaluate(branch)?
            }
            ExpressionKind::Call(function, arguments) => {
                let arguments = self.all(arguments)?;
                self.call(*function, arguments)?
            }
            ExpressionKind::Builtin(builtin, arguments) => {
                let arguments = self.all(arguments)?;
                builtin_value(*builtin, &arguments)
            }
            ExpressionKind::Draw(..)
            | ExpressionKind::Neighbor(..)
            | ExpressionKind::Interpolate(..)
            | ExpressionKind::Clc(_)
            | ExpressionKind::Rud(..) => return Err(Fault::Unavailable),
        })
    }

    fn all(&mut self, arguments: &[Expression]) -> Result<Vec<Constant>, Fault> {
        arguments.iter().map(|a| self.evaluate(a)).collect()
    }
}

fn zero(ty: &Type) -> Value {
    Value::Scalar(match ty {
        Type::Int => Constant::Int(0),
        Type::Real => Constant::Real(0.0),
        Type::Bool => Constant::Bool(false),
        Type::Array(item, length) => match zero(item) {
            Value::Scalar(value) => return Value::Array(vec![value; *length]),
            Value::Array(_) => panic!("arrays hold scalars"),
        },
    })
}

fn kind(value: Constant) -> Type {
    match value {
        Constant::Int(_) => Type::Int,
        Constant::Real(_) => Type::Real,
        Constant::Bool(_) => Type::Bool,
    }
}

fn builtin_value(builtin: Builtin, arguments: &[Constant]) -> Constant {
    use Constant::{Int, Real};
    match (builtin, arguments) {
        (Builtin::AbsInt, [Int(a)]) => Int(a.wrapping_abs()),
        (Builtin::MaxInt, [Int(a), Int(b)]) => Int(*a.max(b)),
        (Builtin::MinInt, [Int(a), Int(b)]) => Int(*a.min(b)),
        (Builtin::Fabs, [Real(a)]) => Real(a.abs()),
        (Builtin::Fmax, [Real(a), Real(b)]) => Real(a.max(*b)),
        (Builtin::Fmin, [Real(a), Real(b)]) => Real(a.min(*b)),
        (Builtin::Floor, [Real(a)]) => Real(a.floor()),
        (Builtin::Sqrt, [Real(a)]) => Real(a.sqrt()),
        (Builtin::Round, [Real(a)]) => Real(a.round()),
        (Builtin::Fmod, [Real(a), Real(b)]) => Real(a % b),
        (Builtin::Pow, [Real(a), Real(b)]) => Real(a.powf(*b)),
        _ => panic!("the tests do not use {builtin:?} of {arguments:?}"),
    }
}
