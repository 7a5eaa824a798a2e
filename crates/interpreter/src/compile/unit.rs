//! Stores the registers, labels and names of a function or diagram while it is compiled.

use std::collections::BTreeMap;

use prophet_frontend::lang::ir::{Expression, Type};
use prophet_frontend::program::{DispatchState, Label, Outer};

use super::{Compiler, count, scalar, words};
use crate::code::FrameEntry;
use crate::op::{Op, Pc, Reg, Scalar};
use crate::place::{ArrayPlace, Place};

pub(super) struct Unit<'c, 'p> {
    pub(super) compiler: &'c mut Compiler<'p>,
    /// Address of the unit's frame; `None` if it isn't fixed. With a fixed address, registers can
    /// also refer to anything before the frame.
    base: Option<u32>,
    /// Whether the unit only runs in the process that owns the frame. The color of a communicator,
    /// and everything that it calls, is also computed for other processes.
    pub(super) of_process: bool,
    pub(super) registers: UnitRegisters,
    pub(super) scopes: Scopes,
    first: usize,
    labels: Vec<Option<Pc>>,
    /// Constants, with the registers that they are loaded into at the start of the unit.
    constants: BTreeMap<u64, Reg>,
    pub(super) diagrams: Vec<usize>,
    /// Expressions that are evaluated separately, with their numbers.
    pub(super) thunks: Vec<(usize, Expression)>,
    /// Loops and blocks around the current step, from the outermost inward.
    pub(super) around: Vec<Around>,
    /// Targets of `break` and `continue`, for each loop around the current statement.
    pub(super) loops: Vec<(Jump, Jump)>,
    /// Register that counts the iterations of all loops in the current piece of code.
    pub(super) steps: Option<Reg>,
    prologue: Jump,
    body: Jump,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Jump(pub(super) Pc);

#[derive(Debug, Clone)]
pub(super) struct Around {
    pub(super) label: Option<Label>,
    /// Whether a `break` without a label leaves it.
    pub(super) is_loop: bool,
    pub(super) next: Jump,
    pub(super) end: Jump,
    pub(super) states: Vec<(DispatchState, Jump)>,
}

impl<'c, 'p> Unit<'c, 'p> {
    /// Starts a unit. `base` is the address of its frame; `None` if it isn't fixed.
    pub(super) fn new(compiler: &'c mut Compiler<'p>, base: Option<u32>) -> Self {
        let first = compiler.code.ops.len();
        let mut unit = Self {
            compiler,
            base,
            of_process: false,
            registers: UnitRegisters::default(),
            scopes: Scopes::default(),
            first,
            labels: Vec::new(),
            constants: BTreeMap::new(),
            diagrams: Vec::new(),
            thunks: Vec::new(),
            around: Vec::new(),
            loops: Vec::new(),
            steps: None,
            prologue: Jump(0),
            body: Jump(0),
        };
        (unit.prologue, unit.body) = (unit.label(), unit.label());
        unit.jump(unit.prologue);
        unit.bind(unit.body);
        unit
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.compiler.code.ops.push(op);
    }

    pub(super) fn label(&mut self) -> Jump {
        self.labels.push(None);
        Jump(count(self.labels.len() - 1))
    }

    pub(super) fn bind(&mut self, label: Jump) {
        self.labels[label.0 as usize] = Some(count(self.compiler.code.ops.len()));
    }

    pub(super) fn jump(&mut self, to: Jump) {
        self.emit(Op::Jump { to: to.0 });
    }

    /// Returns the register for a variable before the frame; `None` if the frame's address isn't
    /// fixed.
    pub(super) fn below(&self, address: u32) -> Option<Reg> {
        self.base.map(|base| address.wrapping_sub(base))
    }

    pub(super) fn constant(&mut self, bits: u64) -> Reg {
        if let Some(reg) = self.constants.get(&bits) {
            return *reg;
        }
        let reg = self.registers.fresh(1);
        self.constants.insert(bits, reg);
        reg
    }

    /// Finishes the unit: loads the constants and resolves the labels. All paths through it must
    /// have ended.
    pub(super) fn end(mut self) -> FrameEntry {
        self.bind(self.prologue);
        for (bits, to) in std::mem::take(&mut self.constants) {
            self.emit(Op::Const { to, bits });
        }
        self.jump(self.body);
        // A unit without constants starts at its body.
        let is_empty = self.compiler.code.ops.len() == self.labels_at(self.prologue) + 1;
        let (first, labels) = (self.first, &self.labels);
        for op in &mut self.compiler.code.ops[first..] {
            if let Some(target) = op.target() {
                *target = labels[*target as usize].unwrap_or(Pc::MAX);
            }
        }
        let own = self.registers.most;
        let entry = if is_empty {
            first + 1
        } else {
            self.labels_at(self.prologue)
        };
        FrameEntry {
            entry: count(entry),
            own,
            need: own,
        }
    }

    fn labels_at(&self, label: Jump) -> usize {
        self.labels[label.0 as usize].unwrap_or_default() as usize
    }
}

#[derive(Debug, Default)]
pub(super) struct UnitRegisters {
    /// Maximum number of registers in use so far.
    most: u32,
    /// Registers of intermediate results that are no longer needed.
    free: Vec<Reg>,
    /// Registers of intermediate results.
    used: Vec<Reg>,
}

impl UnitRegisters {
    /// Reserves `number` consecutive registers until the end of the unit, and returns the first.
    pub(super) fn fresh(&mut self, number: u32) -> Reg {
        let first = self.most;
        self.most = self.most.saturating_add(number);
        first
    }

    pub(super) fn temporary(&mut self) -> Reg {
        let reg = self.free.pop().unwrap_or_else(|| self.fresh(1));
        self.used.push(reg);
        reg
    }

    /// Reserves `number` consecutive registers for intermediate results, and returns the first.
    pub(super) fn temporaries(&mut self, number: u32) -> Reg {
        if number == 1 {
            return self.temporary();
        }
        let first = self.fresh(number);
        self.used.extend(first..first + number);
        first
    }

    pub(super) fn mark(&self) -> usize {
        self.used.len()
    }

    pub(super) fn forget(&mut self, mark: usize) {
        self.free.extend(self.used.drain(mark..).rev());
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum NamedVariable {
    Scalar(Place),
    Array(u32),
}

impl From<Place> for NamedVariable {
    fn from(place: Place) -> Self {
        Self::Scalar(place)
    }
}

/// Variables in scope, by block, from the outermost block inward.
#[derive(Debug, Default)]
pub(super) struct Scopes(Vec<BTreeMap<String, Typed>>);

pub(super) type Typed = (NamedVariable, Scalar);

impl Scopes {
    pub(super) fn open(&mut self) {
        self.0.push(BTreeMap::new());
    }

    pub(super) fn close(&mut self) {
        self.0.pop();
    }

    pub(super) fn set(&mut self, name: &str, ty: &Type, variable: NamedVariable) {
        if let Some(scope) = self.0.last_mut() {
            scope.insert(name.to_owned(), (variable, scalar(ty)));
        }
    }

    pub(super) fn declare(&mut self, name: &str, ty: &Type, reg: Reg) {
        self.set(name, ty, NamedVariable::Scalar(Place::Own(reg)));
    }

    pub(super) fn find(&self, name: &str) -> Option<NamedVariable> {
        let mut scopes = self.0.iter().rev();
        let found = scopes.find_map(|scope| scope.get(name));
        found.map(|(variable, _)| *variable)
    }

    pub(super) fn visible(&self) -> BTreeMap<&str, Typed> {
        let all = self.0.iter().flatten();
        all.map(|(name, typed)| (name.as_str(), *typed)).collect()
    }
}

impl Unit<'_, '_> {
    /// Declares a variable without a value, and returns its first register.
    pub(super) fn variable(&mut self, name: &str, ty: &Type) -> Reg {
        let number = words(ty);
        let reg = self.registers.fresh(number);
        match ty {
            Type::Array(..) => {
                let array = self.compiler.array(ArrayPlace::Own(reg), number, name);
                self.scopes.set(name, ty, array);
            }
            Type::Int | Type::Real | Type::Bool => self.scopes.declare(name, ty, reg),
        }
        reg
    }

    pub(super) fn outer(&mut self, outer: &Outer) {
        let reg = self.registers.fresh(1);
        let variable = match &outer.ty {
            Type::Array(_, _) => {
                let place = ArrayPlace::Outer(reg);
                self.compiler.array(place, words(&outer.ty), &outer.name)
            }
            _ if outer.counter => NamedVariable::Scalar(Place::Own(reg)),
            Type::Int | Type::Real | Type::Bool => NamedVariable::Scalar(Place::Outer(reg)),
        };
        self.scopes.set(&outer.name, &outer.ty, variable);
    }
}
