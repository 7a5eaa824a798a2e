//! Relations between a rank and its partner that hold for several ranks.

use super::points::Point;

/// Relations that hold for all ranks seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Relation {
    /// Always the same partner.
    pub(crate) fixed: Option<i64>,
    /// The partner is this far away.
    pub(crate) offset: Option<i64>,
    /// The partner is this far away, on a ring.
    pub(crate) around: Option<i64>,
    /// The bits of the partner differ in these.
    pub(crate) flipped: Option<i64>,
    /// Relations that can only be recognized from several sizes.
    pub(crate) sized: Option<Sized>,
}

/// Relations that depend on the number of ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sized {
    /// The partner is this far behind, on a ring.
    pub(crate) back: Option<i32>,
    /// The partner is this many ranks before the end.
    pub(crate) last: Option<i32>,
    /// Rows and columns to the partner, in grids with `Columns()` and with `Rows()` ranks a row.
    pub(crate) grid: [Option<(i32, i32)>; 2],
    /// Distances on a torus: rows, then columns.
    pub(crate) torus: [Option<[Ring; 2]>; 2],
}

/// Distances to a partner on a ring, ahead and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ring {
    pub(crate) ahead: Option<i32>,
    pub(crate) back: Option<i32>,
}

fn same<T: Copy + PartialEq>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.filter(|_| one == other)
}

/// A distance, of which few bytes are kept.
fn short(distance: i64) -> Option<i32> {
    i32::try_from(distance).ok()
}

impl Ring {
    fn of(distance: i64, size: i64) -> Self {
        Self {
            ahead: short(distance.rem_euclid(size)),
            back: short((-distance).rem_euclid(size)),
        }
    }

    fn common(self, other: Self) -> Option<Self> {
        let common = Self {
            ahead: same(self.ahead, other.ahead),
            back: same(self.back, other.back),
        };
        (common.ahead.is_some() || common.back.is_some()).then_some(common)
    }
}

impl Sized {
    fn of(point: Point, partner: i64) -> Self {
        let (rank, ranks) = (point.pid, point.ranks);
        let widths = [point.columns, point.rows()];
        let apart = |width: i64| {
            let rows = partner / width - rank / width;
            (rows, partner % width - rank % width)
        };
        let around = |width: i64| {
            let (rows, columns) = apart(width);
            [Ring::of(rows, ranks / width), Ring::of(columns, width)]
        };
        Self {
            back: short((rank - partner).rem_euclid(ranks)),
            last: short(ranks - partner),
            grid: widths.map(|it| {
                let (rows, columns) = apart(it);
                Some((short(rows)?, short(columns)?))
            }),
            torus: widths.map(|it| Some(around(it))),
        }
    }

    fn common(self, other: Self) -> Self {
        let torus = |place: usize| {
            let (one, other) = (self.torus[place]?, other.torus[place]?);
            Some([one[0].common(other[0])?, one[1].common(other[1])?])
        };
        Self {
            back: same(self.back, other.back),
            last: same(self.last, other.last),
            grid: [0, 1].map(|it| same(self.grid[it], other.grid[it])),
            torus: [0, 1].map(torus),
        }
    }

    fn score(self) -> u32 {
        if self.back.is_some() || self.grid.iter().any(Option::is_some) {
            5
        } else if self.last.is_some() || self.torus.iter().any(Option::is_some) {
            4
        } else {
            0
        }
    }
}

impl Relation {
    /// All relations of one rank to its partner.
    pub(crate) fn of(point: Point, partner: u32, are_several: bool) -> Self {
        let (rank, partner, ranks) = (point.pid, i64::from(partner), point.ranks);
        Self {
            fixed: Some(partner),
            offset: Some(partner - rank),
            around: Some((partner - rank).rem_euclid(ranks)),
            flipped: Some(partner ^ rank),
            sized: are_several.then(|| Sized::of(point, partner)),
        }
    }

    /// The relations that hold for both; `None` if no relation does.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let sized = self.sized.zip(other.sized);
        let common = Self {
            fixed: same(self.fixed, other.fixed),
            offset: same(self.offset, other.offset),
            around: same(self.around, other.around),
            flipped: same(self.flipped, other.flipped),
            sized: sized.map(|(one, other)| one.common(other)),
        };
        (common.score() > 0).then_some(common)
    }

    /// Measure of how natural the relation is.
    pub(crate) fn score(self) -> u32 {
        if self.offset.is_some() || self.fixed.is_some() {
            return 6;
        }
        let sized = self.sized.map_or(0, Sized::score);
        match (self.around, self.flipped) {
            (Some(_), _) => 5,
            (None, Some(_)) => sized.max(3),
            (None, None) => sized,
        }
    }
}
