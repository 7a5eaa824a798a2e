//! Handles words that change along a grid. If an instruction has different effects in the processes
//! that a process represents, their part of the grid is narrowed to the processes that continue in
//! the same way.

use prophet_frontend::lang::ir::Neighbor;

use super::{FLAT, Op, ProcessCtx, Region, Slope, Sloped, Tag, Tags, word_int};

impl Tags {
    pub(super) fn sloped(slope: Slope) -> Tag {
        match slope {
            FLAT => Tag::Same,
            slope => Tag::Slope(slope),
        }
    }

    /// Returns a word with its slope; `None` if the slope is unknown.
    fn slope_of(&self, at: usize, word: u64) -> Option<Sloped> {
        let value = word_int(word).0;
        match self.tag(at) {
            Tag::Same => Some((value, FLAT)),
            Tag::Slope(slope) => Some((value, slope)),
            _ => None,
        }
    }

    /// Narrows the part to processes with a partner at the same distance. Returns `false` if there
    /// is no such part.
    pub(super) fn partner(&self, ctx: &ProcessCtx<'_>, at: usize, word: u64) -> bool {
        if let Some(partner) = self.slope_of(at, word) {
            return { ctx.region(|region| region.decide_partner(partner)) }.is_some();
        }
        // All processes have the same partner, so the distance is different for each.
        let partner = (word_int(word).0, FLAT);
        self.is_same(ctx, at)
            && ctx
                .region(|region| region.decide_partner(partner))
                .is_some()
    }

    /// Tags the result of an instruction with an operand that differs along the grid.
    pub(super) fn converted(
        &self,
        ctx: &ProcessCtx<'_>,
        op: &Op,
        at: usize,
        words: &[u64],
    ) -> Option<Tag> {
        match (op, self.tag(at)) {
            (Op::IntToReal { .. }, rough @ Tag::Rough(_)) => return Some(rough),
            (_, Tag::Slope(_)) => {}
            _ => return None,
        }
        let number = self.slope_of(at, words[at])?;
        match op {
            Op::NegInt { .. } => ctx.region(|region| region.sub((0, FLAT), number)),
            Op::IntToBool { .. } => ctx.region(|region| {
                region.decide_equal(number, (0, FLAT));
                FLAT
            }),
            _ => None,
        }
        .map(Self::sloped)
    }

    /// Tags the result of an instruction with two operands, if one of them differs along the grid.
    /// The tag of a jump has no meaning.
    pub(super) fn along(
        &self,
        ctx: &ProcessCtx<'_>,
        op: &Op,
        (a, b): (usize, usize),
        words: &[u64],
    ) -> Option<Tag> {
        match (self.tag(a), self.tag(b)) {
            // The product is zero, because the other factor is finite and not negative.
            (Tag::Rough(_), Tag::Same) if is_nothing(op, words[b]) => return Some(Tag::Same),
            (Tag::Same, Tag::Rough(_)) if is_nothing(op, words[a]) => return Some(Tag::Same),
            (Tag::Rough(_), _) | (_, Tag::Rough(_)) => {
                let same = self.is_same(ctx, a) && self.is_same(ctx, b);
                return same.then_some(Tag::Same);
            }
            (Tag::Slope(_), _) | (_, Tag::Slope(_)) => {}
            _ => return None,
        }
        let (a, b) = (self.slope_of(a, words[a])?, self.slope_of(b, words[b])?);
        ctx.region(|region| match op {
            Op::RemInt { .. } => remainder(region, a, b),
            _ => Self::sloped(along(region, op, a, b)),
        })
    }

    /// Returns the slope of a neighbor on a grid; `None` if there is none. The sizes of the grid
    /// follow the process in memory.
    pub(super) fn neighbor_on_grid(
        &self,
        ctx: &ProcessCtx<'_>,
        of: Neighbor,
        (process, dimensions): (usize, usize),
        words: &[u64],
    ) -> Option<Slope> {
        let Tag::Slope(slope) = self.tag(process) else {
            return None;
        };
        let mut others = process + 1..=process + 1 + dimensions;
        if !others.all(|at| self.is_same(ctx, at)) {
            return None;
        }
        let sizes = words[process + 1..][..dimensions].iter();
        let sizes: Vec<i64> = sizes.map(|word| word_int(*word).0).collect();
        let is_periodic = words[process + 1 + dimensions] != 0;
        let process = (word_int(words[process]).0, slope);
        ctx.region(|region| neighbor(region, of, process, (&sizes, is_periodic)))
    }
}

/// Returns `true` if the instruction multiplies by this word, and the word is zero.
fn is_nothing(op: &Op, word: u64) -> bool {
    matches!(op, Op::MulReal { .. }) && word == 0.0_f64.to_bits()
}

/// A remainder keeps its slope if this fraction of the part's processes has it: at least one in 8.
const SHARE: u64 = 8;

/// Tags a remainder. If too few processes have a remainder with a slope, the tag is rough.
fn remainder(region: &mut Region, a: Sloped, by: Sloped) -> Tag {
    if a.0 >= 0 && by.1 == FLAT {
        region.decide_less(a, (0, FLAT));
    }
    let before = region.clone();
    let (_, slope) = region.divide(a, by);
    let few = region.members() < before.members() / SHARE;
    if a.0 >= 0 && by.1 == FLAT && few && !region.is_finer_than(&before) {
        *region = before;
        return Tag::Rough(a.1);
    }
    Tags::sloped(slope)
}

/// Returns the slope of the result of an instruction with two operands.
fn along(region: &mut Region, op: &Op, a: Sloped, b: Sloped) -> Slope {
    match op {
        Op::AddInt { .. } => return region.add(a, b),
        Op::SubInt { .. } => return region.sub(a, b),
        Op::MulInt { .. } => return region.mul(a, b),
        Op::DivInt { .. } => return region.divide(a, b).0,
        Op::LtInt { .. } | Op::JumpLtInt { .. } => region.decide_less(a, b),
        // Either no `a` is at most `b`, or no `b` is less than `a`.
        Op::LeInt { .. } | Op::JumpLeInt { .. } => region.decide_less(b, a),
        Op::EqInt { .. } | Op::NeInt { .. } | Op::JumpEqInt { .. } | Op::JumpNeInt { .. } => {
            region.decide_equal(a, b);
        }
        _ => {
            region.pin(a.1);
            region.pin(b.1);
        }
    }
    FLAT
}

/// Returns the slope of a neighbor on a grid. At a border, it is flat unless the grid is periodic.
fn neighbor(
    region: &mut Region,
    of: Neighbor,
    process: Sloped,
    (sizes, is_periodic): (&[i64], bool),
) -> Slope {
    use Neighbor as N;
    let (axis, border): (usize, i64) = match of {
        N::Left => (0, 0),
        N::Right => (0, -1),
        N::Up => (1, 0),
        N::Down => (1, -1),
        N::Front => (2, 0),
        N::Back => (2, -1),
    };
    let count = sizes
        .iter()
        .try_fold(1, |count: i64, size| count.checked_mul(*size));
    let Some(count) = count.filter(|_| sizes.iter().all(|size| *size > 0)) else {
        region.pin(process.1);
        return FLAT;
    };
    // Narrows the part so that all of its processes are on the grid, and then so that all or none
    // of them are at a border.
    region.decide_less(process, (0, FLAT));
    region.decide_less(process, (count, FLAT));
    let stride: i64 = sizes[..axis].iter().product();
    let row = (process.0 / stride, region.divide(process, (stride, FLAT)).0);
    let size = (sizes[axis], FLAT);
    let at = (row.0 % size.0, region.divide(row, size).1);
    let border = border.rem_euclid(size.0);
    region.decide_equal(at, (border, FLAT));
    if at.0 == border && !is_periodic {
        return FLAT;
    }
    process.1
}
