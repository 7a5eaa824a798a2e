//! Compiles expressions into registers, and conditions into jumps.

use prophet_frontend::lang::ir::{
    BinaryOp, Curve, Expression, ExpressionKind as Kind, Neighbor, Statement, System, Type,
    UnaryOp, Usage, Variable as Name,
};

use prophet_frontend::program::{FunctionIndex, ListPlace as _, TableIndex, UsesFactor};
use prophet_runtime::PROC_NULL;

use super::count;
use super::unit::{Jump, NamedVariable, Unit};
use crate::compile::Unsupported;
use crate::op::{Op, Reg};
use crate::place::Place;

/// Creates an instruction from the registers of the result and the two operands.
type Binary = fn(Reg, Reg, Reg) -> Op;

/// Creates an instruction from the registers of the result and the operand.
type Unary = fn(Reg, Reg) -> Op;

macro_rules! binary {
    ($op:ident) => {
        (|to, a, b| Op::$op { to, a, b }) as Binary
    };
}

macro_rules! swapped {
    ($op:ident) => {
        (|to, a, b| Op::$op { to, a: b, b: a }) as Binary
    };
}

macro_rules! unary {
    ($op:ident) => {
        (|to, a| Op::$op { to, a }) as Unary
    };
}

impl Unit<'_, '_> {
    /// Returns a register with the value of an expression. For a variable, this is the variable's
    /// own register if possible.
    pub(super) fn value(&mut self, expression: &Expression) -> Reg {
        if let Some(bits) = literal(expression) {
            return self.constant(bits);
        }
        if let Kind::Variable(name) = &expression.kind
            && let Some(reg) = self.own(name)
            && !self.may_change(name)
        {
            return reg;
        }
        let to = self.registers.temporary();
        self.put(expression, to);
        to
    }

    /// Returns the register of a variable or of a system-defined name.
    fn own(&self, name: &Name) -> Option<Reg> {
        match name {
            Name::Parameter(index) => self.below(count(index.number())),
            Name::System(name) => {
                let told = self.compiler.told(*name).filter(|_| self.of_process)?;
                self.below(told)
            }
            Name::Global(_) | Name::Local(_) | Name::Own(_) => match self.variable_of(name)? {
                NamedVariable::Scalar(Place::Own(reg)) => Some(reg),
                NamedVariable::Scalar(Place::Global(address)) => self.below(address),
                NamedVariable::Scalar(Place::Outer(_)) | NamedVariable::Array(_) => None,
            },
        }
    }

    /// Returns `true` if other code may change the variable before its value is used.
    fn may_change(&self, name: &Name) -> bool {
        matches!(name, Name::Global(_)) && self.compiler.functions_assign
    }

    pub(super) fn put(&mut self, expression: &Expression, to: Reg) {
        if let Some(bits) = literal(expression) {
            return self.emit(Op::Const { to, bits });
        }
        let mark = self.registers.mark();
        match &expression.kind {
            Kind::Int(_) | Kind::Real(_) | Kind::Bool(_) => {}
            Kind::Variable(name) => self.load(name, to),
            Kind::Index(array, index) => {
                let index = self.value(index);
                let array = self.array_of(array);
                self.emit(Op::Get { to, array, index });
            }
            Kind::Cast(inside) => self.cast(inside, &expression.ty, to),
            Kind::Unary(op, inside) => {
                let a = self.value(inside);
                let op = match (op, &inside.ty) {
                    (UnaryOp::Negate, Type::Real) => unary!(NegReal),
                    (UnaryOp::Negate, _) => unary!(NegInt),
                    (UnaryOp::Not, _) => unary!(NotBool),
                    (UnaryOp::Complement, _) => unary!(Complement),
                };
                self.emit(op(to, a));
            }
            Kind::Binary(BinaryOp::And | BinaryOp::Or, ..) => self.put_condition(expression, to),
            Kind::Binary(op, left, right) => self.binary(*op, [left, right], to),
            Kind::If(condition, then, otherwise) => {
                let (other, end) = (self.label(), self.label());
                self.jump_unless(condition, other);
                self.put(then, to);
                self.jump(end);
                self.bind(other);
                self.put(otherwise, to);
                self.bind(end);
            }
            Kind::Call(function, arguments) if let Some(result) = self.inline(*function) => {
                self.within(*function, arguments, |unit| unit.put(&result, to));
            }
            Kind::Call(function, arguments) => {
                let (function, first) = self.call(*function, arguments);
                self.emit(Op::Call {
                    to,
                    function,
                    first,
                });
            }
            Kind::Builtin(of, arguments) => {
                let (of, first) = (*of, self.arguments(arguments));
                self.emit(Op::Math { to, first, of });
            }
            Kind::Draw(of, arguments) => {
                let (of, first) = (*of, self.arguments(arguments));
                self.emit(Op::Draw { to, first, of });
            }
            Kind::Neighbor(of, arguments) => self.neighbor(*of, arguments, to),
            Kind::Clc(usages) => self.clc(usages, to),
            // Programs with custom devices have already been rejected.
            Kind::Rud(..) => self.not_a_number(to),
            Kind::Interpolate(table, curve, at) => self.interpolate((*table, *curve), at, to),
        }
        self.registers.forget(mark);
    }

    fn binary(&mut self, op: BinaryOp, [left, right]: [&Expression; 2], to: Reg) {
        // The right operand may change a variable that the left operand has read.
        let functions = &self.compiler.program.functions;
        let factor = UsesFactor::of(op, [left, right], functions);
        let uses = factor.map(|_| self.registers.temporary());
        if let Some(to) = uses {
            self.emit(Op::Uses { to });
        }
        let (a, b) = (self.value(left), self.value(right));
        if let (Some(uses), Some(factor)) = (uses, factor) {
            let by = if factor == UsesFactor::Left { a } else { b };
            self.emit(Op::ScaleUses {
                of: [uses, by],
                divides: factor == UsesFactor::Divisor,
            });
        }
        self.emit(operation(op, left.ty == Type::Real)(to, a, b));
    }

    fn neighbor(&mut self, of: Neighbor, arguments: &[Expression], to: Reg) {
        let first = self.arguments(arguments);
        // Grids have at most three dimensions.
        let dimensions = u8::try_from(arguments.len() - 2).unwrap_or(0);
        self.emit(Op::Neighbor {
            to,
            first,
            of,
            dimensions,
        });
    }

    fn interpolate(&mut self, (table, curve): (TableIndex, Curve), at: &[Expression], to: Reg) {
        let first = match at {
            [x] => self.value(x),
            several => self.arguments(several),
        };
        let table = count(table.number());
        self.emit(Op::Interpolate {
            to,
            table,
            first,
            curve,
        });
    }

    fn not_a_number(&mut self, to: Reg) {
        let bits = f64::NAN.to_bits();
        self.emit(Op::Const { to, bits });
    }

    /// Adds up each count times its price.
    fn clc(&mut self, usages: &[Usage], to: Reg) {
        let sum = self.registers.temporary();
        let bits = 0.0_f64.to_bits();
        self.emit(Op::Const { to: sum, bits });
        for usage in usages {
            let mark = self.registers.mark();
            let a = self.value(&usage.count);
            let b = self.registers.temporary();
            let opcode = self.compiler.opcode(&usage.opcode);
            self.emit(Op::Price {
                to: b,
                opcode,
                uses: a,
            });
            self.emit(Op::MulReal { to: b, a, b });
            self.emit(Op::AddReal { to: sum, a: sum, b });
            self.registers.forget(mark);
        }
        self.emit(Op::Move { to, from: sum });
    }

    /// Returns the number of a function, and the first register of its arguments.
    pub(super) fn call(&mut self, function: FunctionIndex, arguments: &[Expression]) -> (u32, Reg) {
        let first = self.arguments(arguments);
        (count(function.number()), first)
    }

    /// Returns the result of a function that consists of a small expression, so that it can replace
    /// the call.
    fn inline(&self, function: FunctionIndex) -> Option<Expression> {
        let function = &self.compiler.program.functions[function];
        match &function.body[..] {
            [Statement::Return(result)] if !function.needs.fallible && is_small(result) => {
                Some(result.clone())
            }
            _ => None,
        }
    }

    /// Generates the code of a function in place of a call. It sees only the arguments.
    fn within(
        &mut self,
        function: FunctionIndex,
        arguments: &[Expression],
        make: impl FnOnce(&mut Self),
    ) {
        let values: Vec<Reg> = arguments.iter().map(|it| self.value(it)).collect();
        let scopes = std::mem::take(&mut self.scopes);
        self.scopes.open();
        let program = self.compiler.program;
        let names = &program.functions[function].signature.arguments;
        for ((name, ty), value) in names.iter().zip(values) {
            self.scopes.declare(name, ty, value);
        }
        make(self);
        self.scopes = scopes;
    }

    /// Copies the arguments to consecutive registers, and returns the first one.
    fn arguments(&mut self, arguments: &[Expression]) -> Reg {
        match arguments {
            [] => 0,
            [argument] => self.value(argument),
            several => {
                let first = self.registers.temporaries(count(several.len()));
                for (to, argument) in (first..).zip(several) {
                    self.put(argument, to);
                }
                first
            }
        }
    }

    fn load(&mut self, name: &Name, to: Reg) {
        if let Some(from) = self.own(name) {
            return self.emit(Op::Move { to, from });
        }
        match name {
            Name::Parameter(index) => {
                let address = count(index.number());
                self.emit(Op::Global { to, address });
            }
            Name::System(name) => self.emit(Op::System { to, name: *name }),
            Name::Global(_) | Name::Local(_) | Name::Own(_) => match self.place(name) {
                Place::Own(from) => self.emit(Op::Move { to, from }),
                Place::Global(address) => self.emit(Op::Global { to, address }),
                Place::Outer(place) => self.emit(Op::Outer { to, place }),
            },
        }
    }

    pub(super) fn store(&mut self, name: &Name, from: Reg) {
        match self.place(name) {
            Place::Own(to) => self.emit(Op::Move { to, from }),
            Place::Global(address) => self.emit(Op::SetGlobal { address, from }),
            Place::Outer(place) => self.emit(Op::SetOuter { place, from }),
        }
    }

    /// Returns the variable with a name; `None` for parameters and system-defined names.
    fn variable_of(&self, name: &Name) -> Option<NamedVariable> {
        match name {
            Name::Global(index) => Some(self.compiler.globals[*index]),
            Name::Local(name) | Name::Own(name) => self.scopes.find(name),
            Name::Parameter(_) | Name::System(_) => None,
        }
    }

    pub(super) fn place(&mut self, name: &Name) -> Place {
        if let Some(reg) = self.own(name) {
            return Place::Own(reg);
        }
        if let Some(NamedVariable::Scalar(place)) = self.variable_of(name) {
            return place;
        }
        self.refuse(name);
        Place::Own(0)
    }

    pub(super) fn array_of(&mut self, name: &Name) -> u32 {
        if let Some(NamedVariable::Array(array)) = self.variable_of(name) {
            return array;
        }
        self.refuse(name);
        0
    }

    /// Rejects a communicator's color that uses a variable that not all processes have.
    fn refuse(&mut self, name: &Name) {
        let what = format!("the variable {name:?}, which is unknown where it is used");
        self.compiler.unsupported.get_or_insert(Unsupported(what));
    }

    fn cast(&mut self, inside: &Expression, to_type: &Type, to: Reg) {
        let op = match (&inside.ty, to_type) {
            (Type::Int | Type::Bool, Type::Real) => unary!(IntToReal),
            (Type::Real, Type::Int) => unary!(RealToInt),
            (Type::Int, Type::Bool) => unary!(IntToBool),
            (Type::Real, Type::Bool) => unary!(RealToBool),
            _ => return self.put(inside, to),
        };
        let a = self.value(inside);
        self.emit(op(to, a));
    }

    /// Compiles a condition to a value, skipping operands that make no difference.
    fn put_condition(&mut self, condition: &Expression, to: Reg) {
        let (no, end) = (self.label(), self.label());
        self.jump_unless(condition, no);
        self.emit(Op::Const { to, bits: 1 });
        self.jump(end);
        self.bind(no);
        self.emit(Op::Const { to, bits: 0 });
        self.bind(end);
    }

    pub(super) fn jump_if(&mut self, condition: &Expression, to: Jump) {
        match &condition.kind {
            Kind::Unary(UnaryOp::Not, inside) => self.jump_unless(inside, to),
            Kind::Binary(BinaryOp::Or, left, right) => {
                self.jump_if(left, to);
                self.jump_if(right, to);
            }
            Kind::Binary(BinaryOp::And, left, right) => {
                let no = self.label();
                self.jump_unless(left, no);
                self.jump_if(right, to);
                self.bind(no);
            }
            Kind::Call(function, arguments) if let Some(result) = self.inline(*function) => {
                let mark = self.registers.mark();
                self.within(*function, arguments, |unit| unit.jump_if(&result, to));
                self.registers.forget(mark);
            }
            _ => self.jump_by(condition, true, to),
        }
    }

    pub(super) fn jump_unless(&mut self, condition: &Expression, to: Jump) {
        match &condition.kind {
            Kind::Unary(UnaryOp::Not, inside) => self.jump_if(inside, to),
            Kind::Binary(BinaryOp::And, left, right) => {
                self.jump_unless(left, to);
                self.jump_unless(right, to);
            }
            Kind::Binary(BinaryOp::Or, left, right) => {
                let yes = self.label();
                self.jump_if(left, yes);
                self.jump_unless(right, to);
                self.bind(yes);
            }
            Kind::Call(function, arguments) if let Some(result) = self.inline(*function) => {
                let mark = self.registers.mark();
                self.within(*function, arguments, |unit| unit.jump_unless(&result, to));
                self.registers.forget(mark);
            }
            _ => self.jump_by(condition, false, to),
        }
    }

    fn jump_by(&mut self, condition: &Expression, when: bool, Jump(to): Jump) {
        let mark = self.registers.mark();
        let fused = match &condition.kind {
            Kind::Binary(op, left, right) => {
                comparing(*op, left.ty == Type::Real, when).map(|jump| (jump, left, right))
            }
            _ => None,
        };
        let op = if let Some((jump, left, right)) = fused {
            let (a, b) = (self.value(left), self.value(right));
            jump(a, b, to)
        } else {
            let a = self.value(condition);
            if when {
                Op::JumpIf { a, to }
            } else {
                Op::JumpUnless { a, to }
            }
        };
        self.emit(op);
        self.registers.forget(mark);
    }
}

/// Returns `true` if an expression has few parts and calls no functions.
fn is_small(expression: &Expression) -> bool {
    fn parts(expression: &Expression, most: usize) -> Option<usize> {
        let inside: Vec<&Expression> = match &expression.kind {
            Kind::Int(_) | Kind::Real(_) | Kind::Bool(_) | Kind::Variable(_) => Vec::new(),
            Kind::Index(_, one) | Kind::Cast(one) | Kind::Unary(_, one) => vec![one],
            Kind::Binary(_, left, right) => vec![left, right],
            Kind::If(condition, then, otherwise) => vec![condition, then, otherwise],
            Kind::Builtin(_, several)
            | Kind::Draw(_, several)
            | Kind::Neighbor(_, several)
            | Kind::Interpolate(_, _, several) => several.iter().collect(),
            Kind::Clc(usages) | Kind::Rud(_, usages) => usages.iter().map(|it| &it.count).collect(),
            Kind::Call(..) => return None,
        };
        let mut each = inside.into_iter();
        each.try_fold(1, |sum, part| {
            Some(sum + parts(part, most.checked_sub(sum)?)?)
        })
        .filter(|parts| *parts <= most)
    }
    parts(expression, INLINE_MOST).is_some()
}

const INLINE_MOST: usize = 24;

/// Returns the bits of a literal, which can have a sign; `None` for other expressions.
fn literal(expression: &Expression) -> Option<u64> {
    Some(match &expression.kind {
        Kind::Int(value) => value.cast_unsigned(),
        Kind::Bool(value) => u64::from(*value),
        Kind::Variable(Name::System(System::ProcNull)) => PROC_NULL.0.cast_unsigned(),
        Kind::Real(text) => text.replace('_', "").parse::<f64>().ok()?.to_bits(),
        Kind::Unary(UnaryOp::Negate, inside) if inside.ty == Type::Int => {
            literal(inside)?.wrapping_neg()
        }
        _ => return None,
    })
}

/// Returns the instruction for an operator that always evaluates both operands. `real` selects the
/// instruction for reals, rather than for ints and bools.
fn operation(op: BinaryOp, real: bool) -> Binary {
    match (op, real) {
        (BinaryOp::Add, false) => binary!(AddInt),
        (BinaryOp::Add, true) => binary!(AddReal),
        (BinaryOp::Subtract, false) => binary!(SubInt),
        (BinaryOp::Subtract, true) => binary!(SubReal),
        (BinaryOp::Multiply, false) => binary!(MulInt),
        (BinaryOp::Multiply, true) => binary!(MulReal),
        (BinaryOp::Divide, false) => binary!(DivInt),
        (BinaryOp::Divide, true) => binary!(DivReal),
        (BinaryOp::Remainder, false) => binary!(RemInt),
        (BinaryOp::Remainder, true) => binary!(RemReal),
        (BinaryOp::ShiftLeft, _) => binary!(Shl),
        (BinaryOp::ShiftRight, _) => binary!(Shr),
        (BinaryOp::BitAnd | BinaryOp::And, _) => binary!(And),
        (BinaryOp::BitOr | BinaryOp::Or, _) => binary!(Or),
        (BinaryOp::BitXor, _) => binary!(Xor),
        (BinaryOp::Equal, false) => binary!(EqInt),
        (BinaryOp::Equal, true) => binary!(EqReal),
        (BinaryOp::NotEqual, false) => binary!(NeInt),
        (BinaryOp::NotEqual, true) => binary!(NeReal),
        (BinaryOp::Less, false) => binary!(LtInt),
        (BinaryOp::Less, true) => binary!(LtReal),
        (BinaryOp::LessEqual, false) => binary!(LeInt),
        (BinaryOp::LessEqual, true) => binary!(LeReal),
        (BinaryOp::Greater, false) => swapped!(LtInt),
        (BinaryOp::Greater, true) => swapped!(LtReal),
        (BinaryOp::GreaterEqual, false) => swapped!(LeInt),
        (BinaryOp::GreaterEqual, true) => swapped!(LeReal),
    }
}

/// Returns the instruction that jumps if a comparison is `when`; `None` if there is no such
/// instruction. Comparisons with NaN are false, except `!=`.
fn comparing(op: BinaryOp, real: bool, when: bool) -> Option<fn(Reg, Reg, u32) -> Op> {
    macro_rules! jump {
        ($op:ident) => {
            |a, b, to| Op::$op { a, b, to }
        };
    }
    macro_rules! back {
        ($op:ident) => {
            |a, b, to| Op::$op { a: b, b: a, to }
        };
    }
    Some(match (op, real, when) {
        (BinaryOp::Equal, false, true) | (BinaryOp::NotEqual, false, false) => jump!(JumpEqInt),
        (BinaryOp::Equal, false, false) | (BinaryOp::NotEqual, false, true) => jump!(JumpNeInt),
        (BinaryOp::Less, false, true) | (BinaryOp::GreaterEqual, false, false) => {
            jump!(JumpLtInt)
        }
        (BinaryOp::LessEqual, false, true) | (BinaryOp::Greater, false, false) => {
            jump!(JumpLeInt)
        }
        (BinaryOp::Greater, false, true) | (BinaryOp::LessEqual, false, false) => {
            back!(JumpLtInt)
        }
        (BinaryOp::GreaterEqual, false, true) | (BinaryOp::Less, false, false) => {
            back!(JumpLeInt)
        }
        (BinaryOp::Equal, true, true) | (BinaryOp::NotEqual, true, false) => jump!(JumpEqReal),
        (BinaryOp::Equal, true, false) | (BinaryOp::NotEqual, true, true) => jump!(JumpNeReal),
        (BinaryOp::Less, true, true) => jump!(JumpLtReal),
        (BinaryOp::Less, true, false) => jump!(JumpNotLtReal),
        (BinaryOp::LessEqual, true, true) => jump!(JumpLeReal),
        (BinaryOp::LessEqual, true, false) => jump!(JumpNotLeReal),
        (BinaryOp::Greater, true, true) => back!(JumpLtReal),
        (BinaryOp::Greater, true, false) => back!(JumpNotLtReal),
        (BinaryOp::GreaterEqual, true, true) => back!(JumpLeReal),
        (BinaryOp::GreaterEqual, true, false) => back!(JumpNotLeReal),
        _ => return None,
    })
}
