//! Tags the words in the memory of a process that represents other processes, to track how their
//! words differ.
//!
//! If process 0 represents all processes, they take the same path as long as instructions use only
//! words that are the same in all of them. Only the numbers of partners can differ, by a constant
//! offset from the process's own number.
//!
//! If a process represents a part of a grid, words can also change linearly along the grid. If an
//! instruction has different effects in these processes, the part is narrowed to the processes that
//! continue in the same way.

mod slopes;

use prophet_frontend::lang::ir::{Builtin, System};
use prophet_runtime::{FLAT, Int, PROC_NULL, ProcessCtx, Region, Slope, Sloped, Symmetry};

use crate::code::{Array, Code, Tabled};
use crate::frame::{address, at, word_int};
use crate::op::{Op, Reg};

/// How a word of process 0 differs from the same word in other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tag {
    #[default]
    Same,
    /// The word is larger by the number of the process.
    Number,
    /// The word is the number of the process, shifted by this symmetry.
    Partner(Symmetry),
    /// The word changes linearly along the grid.
    Slope(Slope),
    /// The word differs in an unknown way along the directions where this slope isn't 0. It is
    /// never negative.
    Rough(Slope),
    Other,
}

/// Describes partners that don't follow a [`Symmetry`].
const NO_NEIGHBORS: &str = "partners that are not neighbors on a ring or a torus";

#[derive(Debug)]
pub(crate) struct Tags {
    /// Tags by address.
    all: Vec<Tag>,
    result: Tag,
    ranks: u32,
}

impl Tags {
    pub(crate) fn new(ranks: u32) -> Self {
        Self {
            all: Vec::new(),
            result: Tag::Same,
            ranks,
        }
    }

    pub(crate) fn grow(&mut self, words: usize) {
        if self.all.len() < words {
            self.all.resize(words, Tag::Same);
        }
    }

    /// Reports the use of a word that must be the same in all processes.
    pub(crate) fn use_same(&self, ctx: &ProcessCtx<'_>, at: usize) {
        if !self.is_same(ctx, at) {
            ctx.differs("costs, sizes or tags that depend on the process");
        }
    }

    /// Returns `true` if the word is the same in all processes. A part of a grid is narrowed so
    /// that it is.
    fn is_same(&self, ctx: &ProcessCtx<'_>, at: usize) -> bool {
        match self.tag(at) {
            Tag::Same => true,
            Tag::Slope(slope) | Tag::Rough(slope) => {
                ctx.region(|region| region.pin(slope)).is_some()
            }
            _ => false,
        }
    }

    /// Reports the use of a word as the number of a partner.
    pub(crate) fn use_partner(&self, ctx: &ProcessCtx<'_>, at: usize, word: u64) {
        match self.tag(at) {
            Tag::Partner(symmetry) => ctx.shift(symmetry),
            Tag::Same if word_int(word) == PROC_NULL => {}
            Tag::Same | Tag::Slope(_) | Tag::Rough(_) if self.partner(ctx, at, word) => {}
            _ => ctx.differs(NO_NEIGHBORS),
        }
    }

    /// Records that the assigned word is the same in all processes.
    pub(crate) fn assign(&mut self, to: usize) {
        self.set(to, Tag::Same);
    }

    pub(crate) fn copy(&mut self, from: usize, to: usize) {
        self.set(to, self.tag(from));
    }

    /// Tags the result of the function that has returned.
    pub(crate) fn returned(&mut self, to: usize) {
        self.set(to, self.result);
    }

    fn tag(&self, at: usize) -> Tag {
        self.all.get(at).copied().unwrap_or_default()
    }

    fn set(&mut self, at: usize, tag: Tag) {
        self.grow(at + 1);
        self.all[at] = tag;
    }

    fn set_same(&mut self, to: usize, same: bool) {
        self.set(to, if same { Tag::Same } else { Tag::Other });
    }

    /// Tags the result of the next instruction in the frame at `base`.
    pub(crate) fn follow(
        &mut self,
        op: &Op,
        (code, ctx): (&Code, &ProcessCtx<'_>),
        (words, base): (&[u64], u32),
    ) {
        let at = |reg: Reg| at(base, reg);
        match *op {
            Op::Const { to, .. }
            | Op::Price { to, .. }
            | Op::Uses { to }
            | Op::Parameter { to, .. } => {
                self.set(at(to), Tag::Same);
            }
            // Traces contain all processes, so this doesn't matter.
            Op::ScaleUses { .. } => {}
            Op::Zero { from, length } => {
                (at(from)..at(from) + length as usize).for_each(|to| self.assign(to));
            }
            Op::Move { to, from } => self.copy(at(from), at(to)),
            Op::Global { to, address } => self.copy(address as usize, at(to)),
            Op::SetGlobal { address, from } => self.copy(at(from), address as usize),
            Op::Outer { to, place } => self.copy(address(words[at(place)]), at(to)),
            Op::SetOuter { place, from } => self.copy(at(from), address(words[at(place)])),
            Op::Get { to, array, index } => {
                let array = (code.arrays[array as usize], at(index));
                if let Some(item) = self.item(ctx, array, (words, base)) {
                    self.copy(item, at(to));
                }
            }
            Op::Set { array, index, from } => {
                let array = (code.arrays[array as usize], at(index));
                if let Some(item) = self.item(ctx, array, (words, base)) {
                    self.copy(at(from), item);
                }
            }
            Op::System { to, name } => {
                // Each node has one process, with the node's number and a single thread.
                let differs = matches!(name, System::Pid | System::Nid | System::Uid);
                let number = || match ctx.region(|region| region.of_rank()) {
                    Some(slope) => Tag::Slope(slope),
                    None => Tag::Number,
                };
                self.set(at(to), if differs { number() } else { Tag::Same });
            }
            _ => self.apply(op, (code, ctx), (words, base)),
        }
    }

    /// Tags the result of a function or calculation, or reports a jump.
    fn apply(
        &mut self,
        op: &Op,
        (code, ctx): (&Code, &ProcessCtx<'_>),
        (words, base): (&[u64], u32),
    ) {
        let at = |reg: Reg| at(base, reg);
        match *op {
            Op::Math { to, first, of } => {
                let mut arguments = at(first)..at(first) + arguments(of);
                let same = arguments.all(|from| self.is_same(ctx, from));
                self.set_same(at(to), same);
            }
            Op::Interpolate {
                to, table, first, ..
            } => {
                let is_surface = matches!(code.tables[table as usize], Tabled::Surface(_));
                let mut arguments = at(first)..=at(first) + usize::from(is_surface);
                // Lookups outside the table's range are reported with the outcome.
                if !arguments.all(|from| self.is_same(ctx, from)) {
                    ctx.differs("lookups that depend on the process");
                }
                self.assign(at(to));
            }
            Op::Neighbor {
                to,
                first,
                of,
                dimensions,
            } => {
                let dimensions = usize::from(dimensions);
                let tag = match self.neighbor_on_grid(ctx, of, (at(first), dimensions), words) {
                    Some(slope) => Self::sloped(slope),
                    None => self.neighbor(at(first), dimensions, words),
                };
                if tag == Tag::Other {
                    // Some processes may have a neighbor outside the grid.
                    ctx.differs(NO_NEIGHBORS);
                }
                self.set(at(to), tag);
            }
            Op::Call {
                function, first, ..
            }
            | Op::Try {
                function, first, ..
            } => {
                let function = code.functions[function as usize];
                for place in 0..function.arguments as usize {
                    self.copy(at(first) + place, function.base as usize + place);
                }
            }
            Op::Return { from } => self.result = self.tag(at(from)),
            Op::Draw { .. } => ctx.differs("random numbers"),
            _ => self.calculate(ctx, op, words, at),
        }
    }

    /// Tags the result of a calculation, or reports a jump.
    fn calculate(
        &mut self,
        ctx: &ProcessCtx<'_>,
        op: &Op,
        words: &[u64],
        at: impl Fn(Reg) -> usize,
    ) {
        if let Some((to, a, b)) = binary(op) {
            let (a, b) = (at(a), at(b));
            if let Some(tag) = self.along(ctx, op, (a, b), words) {
                self.set(at(to), tag);
                return;
            }
            let divides = matches!(op, Op::DivInt { .. } | Op::RemInt { .. });
            if divides && self.tag(b) != Tag::Same {
                ctx.differs("divisors that depend on the process");
            }
            let tag = self.binary(op, (a, b), words);
            self.set(at(to), tag);
        } else if let Some((to, a)) = unary(op) {
            let tag = match self.converted(ctx, op, at(a), words) {
                Some(tag) => tag,
                None if self.is_same(ctx, at(a)) => Tag::Same,
                None => Tag::Other,
            };
            self.set(at(to), tag);
        } else if let Some((a, b)) = jump(op) {
            let (a, b) = (at(a), at(b));
            if self.along(ctx, op, (a, b), words).is_some() {
                return;
            }
            let same = (self.tag(a), self.tag(b)) == (Tag::Same, Tag::Same);
            if !same && !self.is_decided(op, (a, b), words) {
                ctx.differs("guards or loops that depend on the process");
            }
        }
    }

    fn binary(&self, op: &Op, (a, b): (usize, usize), words: &[u64]) -> Tag {
        let shifted = word_int(words[a]).0;
        match (op, self.tag(a), self.tag(b)) {
            (_, Tag::Same, Tag::Same) | (Op::SubInt { .. }, Tag::Number, Tag::Number) => Tag::Same,
            (Op::AddInt { .. } | Op::SubInt { .. }, Tag::Number, Tag::Same)
            | (Op::AddInt { .. }, Tag::Same, Tag::Number) => Tag::Number,
            // Adding a process's number to it is never negative and never overflows.
            (Op::RemInt { .. }, Tag::Number, Tag::Same)
                if word_int(words[b]) == Int(self.ranks.into())
                    && (0..i64::MAX - i64::from(self.ranks)).contains(&shifted) =>
            {
                Tag::Partner(Symmetry::Ring)
            }
            (Op::Xor { .. }, Tag::Number, Tag::Same)
                if shifted == 0 && self.ranks.is_power_of_two() && self.is_rank(words[b]) =>
            {
                Tag::Partner(Symmetry::Cube)
            }
            _ if self.is_decided(op, (a, b), words) => Tag::Same,
            _ => Tag::Other,
        }
    }

    /// Returns `true` if the instruction compares partners with a number that no process has, so
    /// that the result is the same in all processes.
    fn is_decided(&self, op: &Op, (a, b): (usize, usize), words: &[u64]) -> bool {
        let is_zero = |at: usize| words[at] == 0;
        let decides = match (self.tag(a), self.tag(b)) {
            (Tag::Partner(_), Tag::Same) => b,
            (Tag::Same, Tag::Partner(_)) => a,
            _ => return false,
        };
        match op {
            Op::EqInt { .. } | Op::NeInt { .. } | Op::JumpEqInt { .. } | Op::JumpNeInt { .. } => {
                !self.is_rank(words[decides])
            }
            Op::LtInt { .. } | Op::JumpLtInt { .. } => {
                !self.is_rank(words[decides]) || decides == b && is_zero(b)
            }
            Op::LeInt { .. } | Op::JumpLeInt { .. } => {
                !self.is_rank(words[decides]) || decides == a && is_zero(a)
            }
            _ => false,
        }
    }

    fn is_rank(&self, word: u64) -> bool {
        word < u64::from(self.ranks)
    }

    /// Returns the tag of a neighbor on a grid. The sizes of the grid follow the process in memory.
    fn neighbor(&self, process: usize, dimensions: usize, words: &[u64]) -> Tag {
        let mut others = process + 1..=process + 1 + dimensions;
        if !others.all(|at| self.tag(at) == Tag::Same) {
            return Tag::Other;
        }
        let mut sizes = [1; 3];
        for (size, word) in sizes.iter_mut().zip(&words[process + 1..][..dimensions]) {
            *size = u32::try_from(*word).unwrap_or(u32::MAX);
        }
        let product = sizes.iter().map(|size| u128::from(*size)).product::<u128>();
        let torus = Symmetry::Torus(sizes);
        let is_periodic = words[process + 1 + dimensions] != 0;
        match self.tag(process) {
            Tag::Same => Tag::Same,
            _ if !is_periodic || product != u128::from(self.ranks) => Tag::Other,
            Tag::Number if words[process] == 0 => Tag::Partner(torus),
            // Two shifts on the same torus are a shift too.
            Tag::Partner(symmetry) if symmetry == torus => Tag::Partner(torus),
            _ => Tag::Other,
        }
    }

    /// Returns the address of an item; `None` if the index isn't the same in all processes.
    fn item(
        &self,
        ctx: &ProcessCtx<'_>,
        (array, index): (Array, usize),
        (words, base): (&[u64], u32),
    ) -> Option<usize> {
        if !self.is_same(ctx, index) {
            ctx.differs("array items that depend on the process");
        }
        array.item((words, base), word_int(words[index])).ok()
    }
}

fn arguments(of: Builtin) -> usize {
    use Builtin as B;
    match of {
        B::Fma => 3,
        B::Atan2
        | B::Copysign
        | B::Fdim
        | B::Fmax
        | B::Fmin
        | B::Fmod
        | B::Hypot
        | B::Pow
        | B::MaxInt
        | B::MinInt => 2,
        _ => 1,
    }
}

/// Returns the registers of an instruction with these fields; `None` unless it is one of the
/// instructions named.
macro_rules! registers {
    ($op:expr, to a b: $($name:ident)+) => {
        match *$op { $(Op::$name { to, a, b })|+ => Some((to, a, b)), _ => None }
    };
    ($op:expr, to a: $($name:ident)+) => {
        match *$op { $(Op::$name { to, a })|+ => Some((to, a)), _ => None }
    };
    ($op:expr, a b: $($name:ident)+) => {
        match *$op { $(Op::$name { a, b, .. })|+ => Some((a, b)), _ => None }
    };
    ($op:expr, a: $($name:ident)+) => {
        match *$op { $(Op::$name { a, .. })|+ => Some((a, a)), _ => None }
    };
}

/// Returns the registers of the result and the operands of a binary instruction.
fn binary(op: &Op) -> Option<(Reg, Reg, Reg)> {
    registers!(op, to a b:
        AddInt SubInt MulInt DivInt RemInt Shl Shr And Or Xor EqInt NeInt LtInt LeInt
        AddReal SubReal MulReal DivReal RemReal EqReal NeReal LtReal LeReal)
}

/// Returns the registers of the result and the operand of a unary instruction.
fn unary(op: &Op) -> Option<(Reg, Reg)> {
    registers!(op, to a:
        NegInt Complement NotBool NegReal IntToReal RealToInt IntToBool RealToBool Whole)
}

/// Returns the registers of a jump's operands; `None` if it has no operands.
fn jump(op: &Op) -> Option<(Reg, Reg)> {
    registers!(op, a: JumpIf JumpUnless).or_else(|| {
        registers!(op, a b:
            JumpEqInt JumpNeInt JumpLtInt JumpLeInt JumpEqReal JumpNeReal JumpLtReal JumpLeReal
            JumpNotLtReal JumpNotLeReal)
    })
}
