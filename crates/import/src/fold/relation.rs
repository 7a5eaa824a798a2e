//! Finds relations between a rank and its partner that hold for several ranks.

use super::points::{FoldPoint, Points};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Relation {
    /// The partner's rank, which is always the same.
    pub(crate) fixed: Option<i64>,
    /// Distance to the partner.
    pub(crate) offset: Option<i64>,
    /// Distance to the partner on a ring.
    pub(crate) around: Option<Places>,
    /// The bits in which the partner's rank differs from the rank itself.
    pub(crate) flipped: Option<i64>,
    /// Relations that can be distinguished only with several sizes.
    pub(crate) sized: Option<Sized>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sized {
    /// Backward distance to the partner on a ring.
    pub(crate) back: Option<Places>,
    /// Distance between the partner and the last rank.
    pub(crate) last: Option<i32>,
    /// Whether the partner has the same position in the transposed grid.
    pub(crate) is_transposed: bool,
    /// Rows and columns to the partner, in a grid with `Columns()` ranks per row and in one with
    /// `Rows()` ranks per row.
    pub(crate) grid: [Option<(i32, i32)>; 2],
    /// Distances on a torus: rows, then columns.
    pub(crate) torus: [Option<[Ring; 2]>; 2],
    /// Distances in a cube along its sides, for each order in [`FoldPoint::sides`].
    pub(crate) cube: [Option<[i32; 3]>; 2],
    /// Distances in a cube whose sides are rings.
    pub(crate) rings: [Option<[Ring; 3]>; 2],
}

/// Forward and backward distance to a partner on a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ring {
    pub(crate) ahead: Option<Places>,
    pub(crate) back: Option<Places>,
}

/// A number of places on a ring. On a smaller ring, it wraps around; a rank that is alone on its
/// ring sends messages to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Places {
    /// The number of places, which is less than the size of the largest ring seen.
    pub(crate) count: i64,
    size: i64,
}

impl Places {
    fn of(distance: i64, size: i64) -> Self {
        Self {
            count: distance.rem_euclid(size),
            size,
        }
    }

    fn common(self, other: Self) -> Option<Self> {
        let (small, large) = if self.size < other.size {
            (self, other)
        } else {
            (other, self)
        };
        (large.count % small.size == small.count).then_some(large)
    }
}

/// Returns the places that both distances have in common.
fn places(one: Option<Places>, other: Option<Places>) -> Option<Places> {
    one?.common(other?)
}

fn same<T: Copy + PartialEq>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.filter(|_| one == other)
}

/// Converts a distance to 32 bits, which saves memory.
fn short(distance: i64) -> Option<i32> {
    i32::try_from(distance).ok()
}

/// Returns a rank's position along each side of a cube, starting with the side along which
/// consecutive ranks are adjacent.
fn place(rank: i64, [fast, middle, _]: [i64; 3]) -> [i64; 3] {
    [rank % fast, rank / fast % middle, rank / (fast * middle)]
}

impl Ring {
    fn of(distance: i64, size: i64) -> Self {
        Self {
            ahead: Some(Places::of(distance, size)),
            back: Some(Places::of(-distance, size)),
        }
    }

    fn common(self, other: Self) -> Option<Self> {
        let common = Self {
            ahead: places(self.ahead, other.ahead),
            back: places(self.back, other.back),
        };
        (common.ahead.is_some() || common.back.is_some()).then_some(common)
    }
}

impl Sized {
    fn of(point: FoldPoint, partner: i64) -> Self {
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
        let along = |sides: [i64; 3]| {
            let (from, to) = (place(rank, sides), place(partner, sides));
            [0, 1, 2].map(|side| to[side] - from[side])
        };
        Self {
            back: Some(Places::of(rank - partner, ranks)),
            last: short(ranks - partner),
            is_transposed: point.transposed() == Some(partner),
            grid: widths.map(|it| {
                let (rows, columns) = apart(it);
                Some((short(rows)?, short(columns)?))
            }),
            torus: widths.map(|it| Some(around(it))),
            cube: point.sides().map(|sides| {
                let [fast, middle, slow] = along(sides).map(short);
                Some([fast?, middle?, slow?])
            }),
            rings: point.sides().map(|sides| {
                let apart = along(sides);
                Some([0, 1, 2].map(|side| Ring::of(apart[side], sides[side])))
            }),
        }
    }

    fn common(self, other: Self) -> Self {
        let torus = |place: usize| {
            let (one, other) = (self.torus[place]?, other.torus[place]?);
            Some([one[0].common(other[0])?, one[1].common(other[1])?])
        };
        let rings = |order: usize| {
            let (one, other) = (self.rings[order]?, other.rings[order]?);
            let common = [0, 1, 2].map(|side| one[side].common(other[side]));
            Some([common[0]?, common[1]?, common[2]?])
        };
        Self {
            back: places(self.back, other.back),
            last: same(self.last, other.last),
            is_transposed: self.is_transposed && other.is_transposed,
            grid: [0, 1].map(|it| same(self.grid[it], other.grid[it])),
            torus: [0, 1].map(torus),
            cube: [0, 1].map(|it| same(self.cube[it], other.cube[it])),
            rings: [0, 1].map(rings),
        }
    }

    fn score(self) -> u32 {
        let has_grid = self.grid.iter().any(Option::is_some);
        let has_cube = self.cube.iter().any(Option::is_some);
        let is_around = self.torus.iter().any(Option::is_some);
        if self.back.is_some() || has_grid || has_cube {
            5
        } else if self.last.is_some()
            || self.is_transposed
            || is_around
            || self.rings.iter().any(Option::is_some)
        {
            4
        } else {
            0
        }
    }
}

impl Relation {
    pub(crate) fn of(point: FoldPoint, partner: u32, are_several: bool) -> Self {
        let (rank, partner, ranks) = (point.pid, i64::from(partner), point.ranks);
        Self {
            fixed: Some(partner),
            offset: Some(partner - rank),
            around: Some(Places::of(partner - rank, ranks)),
            flipped: Some(partner ^ rank),
            sized: are_several.then(|| Sized::of(point, partner)),
        }
    }

    /// Returns the relations that both have in common; `None` if there are none.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let sized = self.sized.zip(other.sized);
        let common = Self {
            fixed: same(self.fixed, other.fixed),
            offset: same(self.offset, other.offset),
            around: places(self.around, other.around),
            flipped: same(self.flipped, other.flipped),
            sized: sized.map(|(one, other)| one.common(other)),
        };
        (common.score() > 0).then_some(common)
    }

    /// Returns `true` if points of several sizes have nothing in common but a fixed partner other
    /// than rank 0.
    pub(crate) fn is_rank(self) -> bool {
        let others = [self.offset, self.flipped];
        self.fixed.is_some_and(|it| it > 0)
            && self.around.is_none()
            && others.iter().all(Option::is_none)
            && self.sized.is_some_and(|it| it.score() == 0)
    }

    /// Returns `true` if the partner has a position in a cube with this order of sides.
    pub(crate) fn is_in_cube(self, order: usize) -> bool {
        self.sized.is_some_and(|it| it.cube[order].is_some())
    }

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

/// How ranks at a level find their partner, given the stride.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stride {
    Ahead,
    Behind,
    /// The partner's rank differs in the stride's bit.
    Flipped,
    AheadAround,
    BehindAround,
}

impl Stride {
    const ALL: [Self; 5] = [
        Self::Ahead,
        Self::Behind,
        Self::Flipped,
        Self::AheadAround,
        Self::BehindAround,
    ];

    pub(crate) fn of(peers: &[(u32, i64)], points: &Points) -> Option<Self> {
        let fits = |it: &Self| {
            let mut peers = peers.iter();
            peers.all(|(point, peer)| it.partner(points.at(*point)) == *peer)
        };
        Self::ALL.into_iter().find(fits)
    }

    fn partner(self, point: FoldPoint) -> i64 {
        let FoldPoint {
            pid, stride, ranks, ..
        } = point;
        match self {
            Self::Ahead => pid + stride,
            Self::Behind => pid - stride,
            Self::Flipped => pid ^ stride,
            Self::AheadAround => (pid + stride) % ranks,
            Self::BehindAround => (pid + ranks - stride) % ranks,
        }
    }

    /// Returns an expression for the partner that contains the variable `stride`.
    pub(crate) fn expression(self, stride: &str) -> String {
        match self {
            Self::Ahead => format!("pid + {stride}"),
            Self::Behind => format!("pid - {stride}"),
            Self::Flipped => {
                format!("pid / {stride} % 2 == 0 ? pid + {stride} : pid - {stride}")
            }
            Self::AheadAround => format!("(pid + {stride}) % NUM_PROCESSES"),
            Self::BehindAround => format!("(pid + NUM_PROCESSES - {stride}) % NUM_PROCESSES"),
        }
    }
}
