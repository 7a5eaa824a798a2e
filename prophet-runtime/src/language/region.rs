//! Finds regions in a grid of ranks. All ranks of a region take the same path through a program.
//!
//! One member of a region runs. Integers that differ between members change linearly with the
//! members' coordinates. Each decision of the program narrows the region to the members that decide
//! like the running member. In the end, all members that are left take the same path, whatever the
//! messages contain.

const DIMENSIONS: usize = 3;

/// How much an integer changes from one rank to the next along each coordinate of the grid.
pub type Slope = [i64; DIMENSIONS];

/// An integer: its value for the running member, and its slope.
pub type Sloped = (i64, Slope);

/// The slope of an integer that is the same for all members.
pub const FLAT: Slope = [0; DIMENSIONS];

/// A box in the grid of all ranks, and the member of the box that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// The size of the grid of all ranks in each dimension. The first coordinate varies fastest.
    pub(crate) sizes: [u32; DIMENSIONS],
    here: [u32; DIMENSIONS],
    pub(crate) first: [u32; DIMENSIONS],
    pub(crate) last: [u32; DIMENSIONS],
    /// The sizes of a finer grid, if the program needs one.
    pub(crate) finer: Option<[u32; DIMENSIONS]>,
}

impl Region {
    /// Creates the region that contains all ranks of a grid.
    pub(crate) fn whole(sizes: [u32; DIMENSIONS]) -> Self {
        let last = sizes.map(|size| size - 1);
        Self::between(sizes, [0; DIMENSIONS], last)
    }

    /// Creates the region for a box of a grid. The member in the middle runs.
    fn between(sizes: [u32; DIMENSIONS], first: [u32; 3], last: [u32; DIMENSIONS]) -> Self {
        let middle = |k: usize| first[k] + (last[k] - first[k]) / 2;
        Self {
            sizes,
            here: std::array::from_fn(middle),
            first,
            last,
            finer: None,
        }
    }

    /// Returns the slope of the rank number itself.
    pub fn of_rank(&self) -> Slope {
        let [nx, ny, _] = self.sizes.map(i64::from);
        [1, nx, nx * ny]
    }

    /// Returns `true` if the program needs a finer grid than it did at `before`.
    pub fn is_finer_than(&self, before: &Self) -> bool {
        self.finer != before.finer
    }

    pub(crate) fn rank_at(&self, at: [u32; DIMENSIONS]) -> u32 {
        let [nx, ny, _] = self.sizes;
        at[0] + nx * (at[1] + ny * at[2])
    }

    /// Returns the running member.
    pub(crate) fn rank(&self) -> u32 {
        self.rank_at(self.here)
    }

    /// Returns the number of ranks in the region.
    pub fn members(&self) -> u64 {
        let extent = |k: usize| u64::from(self.last[k] - self.first[k]) + 1;
        (0..DIMENSIONS).map(extent).product()
    }

    /// Returns boxes with all members that are not in `inner`, which must be part of the region.
    pub(crate) fn without(&self, inner: &Self) -> Vec<Self> {
        let mut rest = self.clone();
        let mut boxes = Vec::new();
        for k in (0..DIMENSIONS).rev() {
            if rest.first[k] < inner.first[k] {
                let mut last = rest.last;
                last[k] = inner.first[k] - 1;
                boxes.push(Self::between(self.sizes, rest.first, last));
                rest.first[k] = inner.first[k];
            }
            if rest.last[k] > inner.last[k] {
                let mut first = rest.first;
                first[k] = inner.last[k] + 1;
                boxes.push(Self::between(self.sizes, first, rest.last));
                rest.last[k] = inner.last[k];
            }
        }
        boxes
    }

    /// Returns `true` if a number with this slope is the same for all members.
    fn is_flat(&self, slope: Slope) -> bool {
        (0..DIMENSIONS).all(|k| slope[k] == 0 || self.first[k] == self.last[k])
    }

    /// Returns the smallest and the largest change of a number along a coordinate, relative to the
    /// running member.
    fn changes(&self, slope: Slope, k: usize) -> (i128, i128) {
        let change = |at: u32| i128::from(slope[k]) * (i128::from(at) - i128::from(self.here[k]));
        let (one, other) = (change(self.first[k]), change(self.last[k]));
        (one.min(other), one.max(other))
    }

    /// Keeps only the members for which an integer with this slope has the same value as for the
    /// running member.
    pub fn pin(&mut self, slope: Slope) {
        for k in (0..DIMENSIONS).filter(|k| slope[*k] != 0) {
            self.first[k] = self.here[k];
            self.last[k] = self.here[k];
        }
    }

    /// Keeps only the members for which a number is at most `most`. For the running member, it must
    /// be.
    fn keep_below(&mut self, slope: Slope, value: i128, most: i128) {
        let room = most - value;
        loop {
            let above: [i128; DIMENSIONS] = std::array::from_fn(|k| self.changes(slope, k).1);
            let excess = above.iter().sum::<i128>() - room;
            if excess <= 0 {
                return;
            }
            // Among the coordinates that suffice, this takes the one that loses the smallest share
            // of members.
            let steep = |k: usize| i128::from(slope[k].unsigned_abs());
            let steps = |k: usize| (excess + steep(k) - 1) / steep(k);
            let extent = |k: usize| i128::from(self.last[k] - self.first[k]) + 1;
            let enough = (0..DIMENSIONS).filter(|k| above[*k] >= excess);
            // Compares a/b with c/d without dividing.
            let least =
                enough.min_by(|a, b| (steps(*a) * extent(*b)).cmp(&(steps(*b) * extent(*a))));
            let most = || (0..DIMENSIONS).max_by_key(|k| above[*k]).unwrap_or(0);
            let k = least.unwrap_or_else(most);
            let steps = steps(k).min(above[k] / steep(k));
            let steps = u32::try_from(steps).unwrap_or(u32::MAX);
            if slope[k] > 0 {
                self.last[k] -= steps;
            } else {
                self.first[k] += steps;
            }
        }
    }

    /// Keeps only the members for which a number is in a range. For the running member, it must be.
    fn keep_within(&mut self, slope: Slope, value: i128, (least, most): (i128, i128)) {
        self.keep_below(slope, value, most);
        self.keep_below(slope.map(i64::wrapping_neg), -value, -least);
    }

    /// Returns the slope of a result if it overflows for no member. Otherwise, keeps only members
    /// for which the operands are the same.
    fn checked(&mut self, value: i128, slope: [Option<i64>; DIMENSIONS], of: [Slope; 2]) -> Slope {
        let fits = |slope: Slope| {
            let range = |(least, most): (i128, i128), k| {
                let (less, more) = self.changes(slope, k);
                (least + less, most + more)
            };
            let (least, most) = (0..DIMENSIONS).fold((value, value), range);
            least > i128::from(i64::MIN) && most < i128::from(i64::MAX)
        };
        match slope {
            [Some(x), Some(y), Some(z)] if fits([x, y, z]) => [x, y, z],
            _ => {
                for slope in of {
                    self.pin(slope);
                }
                FLAT
            }
        }
    }

    /// Returns the slope of a sum, narrowing the region if necessary.
    pub fn add(&mut self, a: Sloped, b: Sloped) -> Slope {
        let sum = std::array::from_fn(|k| a.1[k].checked_add(b.1[k]));
        self.checked(i128::from(a.0) + i128::from(b.0), sum, [a.1, b.1])
    }

    /// Returns the slope of a difference, narrowing the region if necessary.
    pub fn sub(&mut self, a: Sloped, b: Sloped) -> Slope {
        let difference = std::array::from_fn(|k| a.1[k].checked_sub(b.1[k]));
        self.checked(i128::from(a.0) - i128::from(b.0), difference, [a.1, b.1])
    }

    /// Returns the slope of a product, narrowing the region if necessary.
    pub fn mul(&mut self, a: Sloped, b: Sloped) -> Slope {
        let (a, b) = if self.is_flat(a.1) { (b, a) } else { (a, b) };
        self.pin(b.1);
        let product = a.1.map(|it| it.checked_mul(b.0));
        self.checked(i128::from(a.0) * i128::from(b.0), product, [a.1, b.1])
    }

    /// Returns the slopes of a quotient and its remainder, narrowing the region if necessary.
    pub fn divide(&mut self, a: Sloped, by: Sloped) -> (Slope, Slope) {
        self.pin(by.1);
        let ((value, slope), by) = (a, by.0);
        if value < 0 || by <= 0 {
            self.pin(slope);
            return (FLAT, FLAT);
        }
        self.keep_within(slope, value.into(), (0, i64::MAX.into()));
        // A change by a multiple of the divisor changes only the quotient.
        let quotient = slope.map(|it| if it % by == 0 { it / by } else { 0 });
        let rest = slope.map(|it| if it % by == 0 { 0 } else { it });
        let floor = i128::from(value / by * by);
        let range = (floor, floor + i128::from(by) - 1);
        let before = self.clone();
        self.keep_within(rest, value.into(), range);
        if *self != before {
            let finer = (0..DIMENSIONS).find_map(|k| self.divided(k, rest[k], by));
            self.finer = self.finer.or(finer);
        }
        (quotient, rest)
    }

    /// Returns the sizes of a grid with one more dimension, in which a coordinate with this slope
    /// is divided into two. Along one of the two, the number changes by multiples of `by`. Returns
    /// `None` if that isn't possible.
    fn divided(&self, k: usize, slope: i64, by: i64) -> Option<[u32; DIMENSIONS]> {
        if slope <= 0 || by % slope != 0 || self.sizes[DIMENSIONS - 1] > 1 {
            return None;
        }
        let part = u32::try_from(by / slope).ok()?;
        if part < 2 || part >= self.sizes[k] || !self.sizes[k].is_multiple_of(part) {
            return None;
        }
        let mut sizes = self.sizes.to_vec();
        sizes.splice(k..=k, [part, self.sizes[k] / part]);
        sizes.get(..DIMENSIONS)?.try_into().ok()
    }

    /// Keeps only the members for which `a < b` has the same result as for the running member.
    pub fn decide_less(&mut self, a: Sloped, b: Sloped) {
        let slope = self.sub(a, b);
        let difference = i128::from(a.0) - i128::from(b.0);
        let range = if difference < 0 {
            (i128::MIN / 4, -1)
        } else {
            (0, i128::MAX / 4)
        };
        self.keep_within(slope, difference, range);
    }

    /// Keeps only the members for which `a == b` has the same result as for the running member.
    pub fn decide_equal(&mut self, a: Sloped, b: Sloped) {
        let slope = self.sub(a, b);
        let difference = i128::from(a.0) - i128::from(b.0);
        let range = match difference.signum() {
            -1 => (i128::MIN / 4, -1),
            0 => (0, 0),
            _ => (1, i128::MAX / 4),
        };
        self.keep_within(slope, difference, range);
    }

    /// Keeps only the members whose partner is as far away as the running member's partner.
    pub fn decide_partner(&mut self, partner: Sloped) {
        let ranks = self
            .sizes
            .iter()
            .map(|size| i128::from(*size))
            .product::<i128>();
        let of_rank = self.of_rank();
        let distance = std::array::from_fn(|k| i64::from(partner.1[k] != of_rank[k]));
        if (0..ranks).contains(&partner.0.into()) {
            self.pin(distance);
            self.keep_within(partner.1, partner.0.into(), (0, ranks - 1));
        } else {
            self.pin(partner.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(region: &Region) -> Vec<(u32, [u32; 3])> {
        let along = |k: usize| region.first[k]..=region.last[k];
        let mut all = Vec::new();
        for z in along(2) {
            for y in along(1) {
                all.extend(along(0).map(|x| (region.rank_at([x, y, z]), [x, y, z])));
            }
        }
        all
    }

    fn number(region: &Region, (value, slope): Sloped, at: [u32; 3]) -> i64 {
        let change = |k: usize| slope[k] * (i64::from(at[k]) - i64::from(region.here[k]));
        value + (0..3).map(change).sum::<i64>()
    }

    #[test]
    fn what_is_left_out_covers_the_rest() {
        let all = Region::whole([5, 4, 3]);
        let inner = Region::between([5, 4, 3], [1, 1, 0], [3, 3, 1]);
        let mut ranks: Vec<u32> = members(&inner).iter().map(|it| it.0).collect();
        for part in all.without(&inner) {
            ranks.extend(members(&part).iter().map(|it| it.0));
        }
        ranks.sort_unstable();
        assert!(ranks.into_iter().eq(0..60));
    }

    #[test]
    fn members_decide_and_calculate_as_the_one_that_runs() {
        let sizes = [6, 5, 2];
        for start in 0..60_u32 {
            let at = [start % 6, start / 6 % 5, start / 30];
            for by in [1, 2, 3, 4, 6, 7, 12, 30, 60] {
                for limit in [-1, 0, 1, 5, 17, 59, 60] {
                    let mut region = Region {
                        here: at,
                        ..Region::whole(sizes)
                    };
                    let pid = (i64::from(start), region.of_rank());
                    let sum = (
                        pid.0 * 3 + by,
                        region.add((pid.0 * 2, region.mul_by(2)), (pid.0 + by, pid.1)),
                    );
                    let (quotient, rest) = region.divide(sum, (by, FLAT));
                    region.decide_less(pid, (limit, FLAT));
                    region.decide_equal((sum.0 % by, rest), (limit, FLAT));
                    let (quotient, rest) = ((sum.0 / by, quotient), (sum.0 % by, rest));
                    assert!(members(&region).contains(&(start, at)));
                    for (rank, at) in members(&region) {
                        let rank = i64::from(rank);
                        let all = rank * 3 + by;
                        assert_eq!(number(&region, sum, at), all);
                        assert_eq!(number(&region, quotient, at), all / by);
                        assert_eq!(number(&region, rest, at), all % by);
                        assert_eq!(rank < limit, pid.0 < limit);
                        assert_eq!(all % by == limit, rest.0 == limit);
                    }
                }
            }
        }
    }

    impl Region {
        fn mul_by(&self, factor: i64) -> Slope {
            self.of_rank().map(|it| it * factor)
        }
    }

    #[test]
    fn columns_and_rows_make_a_grid() {
        let mut region = Region::whole([24, 1, 1]);
        let pid = (i64::from(region.rank()), region.of_rank());
        region.divide(pid, (6, FLAT));
        assert_eq!(region.finer, Some([6, 4, 1]));
        let mut region = Region::whole([6, 4, 1]);
        let pid = (i64::from(region.rank()), region.of_rank());
        let (y, x) = region.divide(pid, (6, FLAT));
        assert_eq!((y, x, region.members()), ([0, 1, 4], [1, 0, 0], 24));
        region.decide_less((pid.0 % 6, x), (5, FLAT));
        assert_eq!((region.first, region.last), ([0, 0, 0], [4, 3, 0]));
    }
}
