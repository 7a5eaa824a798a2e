//! The registers of a frame, and what is done with them alone.

use prophet_runtime::{Int, whole};

use crate::op::{Op, Pc, Reg};

/// The registers of a frame, in the memory of its process.
pub(crate) struct Frame<'m> {
    pub(crate) words: &'m mut [u64],
    /// The address of the first.
    pub(crate) base: usize,
}

/// A bool as a word.
#[inline]
pub(crate) fn truth(value: bool) -> u64 {
    u64::from(value)
}

/// An int as a word.
#[inline]
pub(crate) fn int_word(value: Int) -> u64 {
    value.0.cast_unsigned()
}

/// A word as an int.
#[inline]
pub(crate) fn word_int(word: u64) -> Int {
    Int(word.cast_signed())
}

/// A word as an address.
#[inline]
pub(crate) fn address(word: u64) -> usize {
    usize::try_from(word).unwrap_or(usize::MAX)
}

impl Frame<'_> {
    #[inline]
    fn word(&self, reg: Reg) -> u64 {
        self.words[self.base + reg as usize]
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
        self.words[self.base + to as usize] = word;
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

    /// Moves words; false for all other instructions.
    #[expect(
        clippy::inline_always,
        reason = "all instructions are one jump table so"
    )]
    #[inline(always)]
    pub(crate) fn moves(&mut self, op: Op) -> bool {
        match op {
            Op::Const { to, bits } => self.set(to, bits),
            Op::Move { to, from } => self.set(to, self.word(from)),
            Op::Zero { from, length } => {
                let start = self.base + from as usize;
                self.words[start..start + length as usize].fill(0);
            }
            Op::Global { to, address } => self.set(to, self.words[address as usize]),
            Op::SetGlobal { address, from } => self.words[address as usize] = self.word(from),
            Op::Outer { to, place } => self.set(to, self.words[address(self.word(place))]),
            Op::SetOuter { place, from } => {
                self.words[address(self.word(place))] = self.word(from);
            }
            _ => return false,
        }
        true
    }

    /// Calculates with ints and bools; false for all other instructions.
    #[expect(
        clippy::inline_always,
        reason = "all instructions are one jump table so"
    )]
    #[inline(always)]
    pub(crate) fn ints(&mut self, op: Op) -> bool {
        match op {
            Op::AddInt { to, a, b } => self.set_int(to, self.int(a) + self.int(b)),
            Op::SubInt { to, a, b } => self.set_int(to, self.int(a) - self.int(b)),
            Op::MulInt { to, a, b } => self.set_int(to, self.int(a) * self.int(b)),
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
            _ => return false,
        }
        true
    }

    /// Calculates with reals; false for all other instructions.
    #[expect(
        clippy::inline_always,
        reason = "all instructions are one jump table so"
    )]
    #[expect(clippy::float_cmp, reason = "models compare as C does")]
    #[inline(always)]
    pub(crate) fn reals(&mut self, op: Op) -> bool {
        match op {
            Op::AddReal { to, a, b } => self.set_real(to, self.real(a) + self.real(b)),
            Op::SubReal { to, a, b } => self.set_real(to, self.real(a) - self.real(b)),
            Op::MulReal { to, a, b } => self.set_real(to, self.real(a) * self.real(b)),
            Op::DivReal { to, a, b } => self.set_real(to, self.real(a) / self.real(b)),
            Op::RemReal { to, a, b } => self.set_real(to, self.real(a) % self.real(b)),
            Op::NegReal { to, a } => self.set_real(to, -self.real(a)),
            Op::EqReal { to, a, b } => self.set_bool(to, self.real(a) == self.real(b)),
            Op::NeReal { to, a, b } => self.set_bool(to, self.real(a) != self.real(b)),
            Op::LtReal { to, a, b } => self.set_bool(to, self.real(a) < self.real(b)),
            Op::LeReal { to, a, b } => self.set_bool(to, self.real(a) <= self.real(b)),
            Op::RealToInt { to, a } => self.set_int(to, Int::truncate(self.real(a))),
            Op::RealToBool { to, a } => self.set_bool(to, self.real(a) != 0.0),
            Op::Whole { to, a } => self.set_int(to, whole(self.real(a))),
            _ => return false,
        }
        true
    }

    /// Target of a jump: `next` unless its condition holds; `None` for all other
    /// instructions.
    #[expect(
        clippy::inline_always,
        reason = "all instructions are one jump table so"
    )]
    #[expect(clippy::float_cmp, reason = "models compare as C does")]
    #[inline(always)]
    pub(crate) fn jumps(&self, op: Op, next: Pc) -> Option<Pc> {
        let (holds, to) = match op {
            Op::Jump { to } => (true, to),
            Op::JumpIf { a, to } => (self.word(a) != 0, to),
            Op::JumpUnless { a, to } => (self.word(a) == 0, to),
            Op::JumpEqInt { a, b, to } => (self.word(a) == self.word(b), to),
            Op::JumpNeInt { a, b, to } => (self.word(a) != self.word(b), to),
            Op::JumpLtInt { a, b, to } => (self.int(a) < self.int(b), to),
            Op::JumpLeInt { a, b, to } => (self.int(a) <= self.int(b), to),
            Op::JumpEqReal { a, b, to } => (self.real(a) == self.real(b), to),
            Op::JumpNeReal { a, b, to } => (self.real(a) != self.real(b), to),
            Op::JumpLtReal { a, b, to } => (self.real(a) < self.real(b), to),
            Op::JumpLeReal { a, b, to } => (self.real(a) <= self.real(b), to),
            Op::JumpNotLtReal { a, b, to } => (!self.is_less(a, b), to),
            Op::JumpNotLeReal { a, b, to } => (!self.is_at_most(a, b), to),
            _ => return None,
        };
        Some(if holds { to } else { next })
    }

    /// True if a real is less than another; false if one of them is NaN.
    #[inline]
    fn is_less(&self, a: Reg, b: Reg) -> bool {
        self.real(a) < self.real(b)
    }

    /// True if a real is less than another or equal; false if one of them is NaN.
    #[inline]
    fn is_at_most(&self, a: Reg, b: Reg) -> bool {
        self.real(a) <= self.real(b)
    }
}
