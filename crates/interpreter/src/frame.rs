//! Implements the instructions that need only the registers of a frame.

use prophet_runtime::{Int, Steps, whole};

use crate::op::{Op, Pc, Reg};

pub(crate) struct Frame<'m> {
    pub(crate) words: &'m mut [u64],
    pub(crate) base: u32,
}

/// Returns the address of a register in the frame at `base`. Very large register numbers refer to
/// variables before the frame.
#[inline]
pub(crate) fn at(base: u32, reg: Reg) -> usize {
    base.wrapping_add(reg) as usize
}

/// Maximum total number of iterations of all loops in a piece of code.
const STEPS_MAX: u64 = Steps::MAX as u64;

#[inline]
pub(crate) fn truth(value: bool) -> u64 {
    u64::from(value)
}

#[inline]
pub(crate) fn int_word(value: Int) -> u64 {
    value.0.cast_unsigned()
}

#[inline]
pub(crate) fn word_int(word: u64) -> Int {
    Int(word.cast_signed())
}

#[inline]
pub(crate) fn address(word: u64) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}

impl Frame<'_> {
    #[inline]
    fn word(&self, reg: Reg) -> u64 {
        self.words[at(self.base, reg)]
    }

    #[inline]
    fn int(&self, reg: Reg) -> Int {
        word_int(self.word(reg))
    }

    #[inline]
    fn real(&self, reg: Reg) -> f64 {
        f64::from_bits(self.word(reg))
    }

    #[inline]
    fn set(&mut self, to: Reg, word: u64) {
        self.words[at(self.base, to)] = word;
    }

    #[inline]
    fn set_int(&mut self, to: Reg, value: Int) {
        self.set(to, int_word(value));
    }

    #[inline]
    fn set_real(&mut self, to: Reg, value: f64) {
        self.set(to, value.to_bits());
    }

    #[inline]
    fn set_bool(&mut self, to: Reg, value: bool) {
        self.set(to, truth(value));
    }

    /// Executes an instruction that needs only registers and variables, and returns the next one.
    /// Returns `None` if the instruction needs anything else, or fails.
    #[expect(clippy::inline_always, reason = "all instructions are one jump table")]
    #[expect(clippy::float_cmp, reason = "models compare as C does")]
    #[inline(always)]
    pub(crate) fn step(&mut self, op: &Op, next: Pc) -> Option<Pc> {
        let jump = |holds: bool, to: Pc| Some(if holds { to } else { next });
        match *op {
            Op::Const { to, bits } => self.set(to, bits),
            Op::Move { to, from } => self.set(to, self.word(from)),
            Op::Zero { from, length } => self.zero(from, length),
            Op::Global { to, address } => self.set(to, self.words[address as usize]),
            Op::SetGlobal { address, from } => self.words[address as usize] = self.word(from),
            Op::Outer { to, place } => self.set(to, self.words[address(self.word(place))]),
            Op::SetOuter { place, from } => self.words[address(self.word(place))] = self.word(from),
            Op::AddInt { to, a, b } => self.set_int(to, self.int(a) + self.int(b)),
            Op::SubInt { to, a, b } => self.set_int(to, self.int(a) - self.int(b)),
            Op::MulInt { to, a, b } => self.set_int(to, self.int(a) * self.int(b)),
            Op::DivInt { to, a, b } if self.int(b) > 0 => self.divide(to, a, b),
            Op::RemInt { to, a, b } if self.int(b) > 0 => self.remainder(to, a, b),
            Op::Shl { to, a, b } => self.set_int(to, self.int(a) << self.int(b)),
            Op::Shr { to, a, b } => self.set_int(to, self.int(a) >> self.int(b)),
            Op::And { to, a, b } => self.set(to, self.word(a) & self.word(b)),
            Op::Or { to, a, b } => self.set(to, self.word(a) | self.word(b)),
            Op::Xor { to, a, b } => self.set(to, self.word(a) ^ self.word(b)),
            Op::NegInt { to, a } => self.set_int(to, -self.int(a)),
            Op::Complement { to, a } => self.set(to, !self.word(a)),
            Op::NotBool { to, a } => self.set(to, self.word(a) ^ 1),
            Op::EqInt { to, a, b } => self.set_bool(to, self.word(a) == self.word(b)),
            Op::NeInt { to, a, b } => self.set_bool(to, self.word(a) != self.word(b)),
            Op::LtInt { to, a, b } => self.set_bool(to, self.int(a) < self.int(b)),
            Op::LeInt { to, a, b } => self.set_bool(to, self.int(a) <= self.int(b)),
            Op::IntToReal { to, a } => self.set_real(to, self.int(a).real()),
            Op::IntToBool { to, a } => self.set_bool(to, self.word(a) != 0),
            Op::AddReal { to, a, b } => self.set_real(to, self.real(a) + self.real(b)),
            Op::SubReal { to, a, b } => self.set_real(to, self.real(a) - self.real(b)),
            Op::MulReal { to, a, b } => self.set_real(to, self.real(a) * self.real(b)),
            Op::DivReal { to, a, b } => self.set_real(to, self.real(a) / self.real(b)),
            Op::RemReal { to, a, b } => self.set_real(to, self.real(a) % self.real(b)),
            Op::NegReal { to, a } => self.set_real(to, -self.real(a)),
            Op::EqReal { to, a, b } => self.set_bool(to, self.real(a) == self.real(b)),
            Op::NeReal { to, a, b } => self.set_bool(to, self.real(a) != self.real(b)),
            Op::LtReal { to, a, b } => self.set_bool(to, self.is_less(a, b)),
            Op::LeReal { to, a, b } => self.set_bool(to, self.is_at_most(a, b)),
            Op::RealToInt { to, a } => self.set_int(to, Int::truncate(self.real(a))),
            Op::RealToBool { to, a } => self.set_bool(to, self.real(a) != 0.0),
            Op::Whole { to, a } => self.set_int(to, whole(self.real(a))),
            Op::Count { steps } if self.word(steps) < STEPS_MAX => self.count(steps),
            Op::Jump { to } => return Some(to),
            Op::JumpIf { a, to } => return jump(self.word(a) != 0, to),
            Op::JumpUnless { a, to } => return jump(self.word(a) == 0, to),
            Op::JumpEqInt { a, b, to } => return jump(self.word(a) == self.word(b), to),
            Op::JumpNeInt { a, b, to } => return jump(self.word(a) != self.word(b), to),
            Op::JumpLtInt { a, b, to } => return jump(self.int(a) < self.int(b), to),
            Op::JumpLeInt { a, b, to } => return jump(self.int(a) <= self.int(b), to),
            Op::JumpEqReal { a, b, to } => return jump(self.real(a) == self.real(b), to),
            Op::JumpNeReal { a, b, to } => return jump(self.real(a) != self.real(b), to),
            Op::JumpLtReal { a, b, to } => return jump(self.is_less(a, b), to),
            Op::JumpLeReal { a, b, to } => return jump(self.is_at_most(a, b), to),
            Op::JumpNotLtReal { a, b, to } => return jump(!self.is_less(a, b), to),
            Op::JumpNotLeReal { a, b, to } => return jump(!self.is_at_most(a, b), to),
            _ => return None,
        }
        Some(next)
    }

    fn zero(&mut self, from: Reg, length: u32) {
        let start = at(self.base, from);
        self.words[start..start + length as usize].fill(0);
    }

    /// Divides integers. The divisor must be positive.
    #[inline]
    fn divide(&mut self, to: Reg, a: Reg, b: Reg) {
        self.set_int(to, Int(self.int(a).0 / self.int(b).0));
    }

    /// Computes the remainder of integers. The divisor must be positive.
    #[inline]
    fn remainder(&mut self, to: Reg, a: Reg, b: Reg) {
        self.set_int(to, Int(self.int(a).0 % self.int(b).0));
    }

    #[inline]
    fn count(&mut self, steps: Reg) {
        self.set(steps, self.word(steps) + 1);
    }

    /// Returns `true` if `a` is less than `b`; `false` if either is NaN.
    #[inline]
    fn is_less(&self, a: Reg, b: Reg) -> bool {
        self.real(a) < self.real(b)
    }

    /// Returns `true` if `a` is less than or equal to `b`; `false` if either is NaN.
    #[inline]
    fn is_at_most(&self, a: Reg, b: Reg) -> bool {
        self.real(a) <= self.real(b)
    }
}
