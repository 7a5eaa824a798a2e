//! Relations between a rank and its partner that hold for several ranks.

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
}

impl Relation {
    /// All relations of one rank to its partner.
    pub(crate) fn of(rank: u32, partner: u32, ranks: u32) -> Self {
        let (rank, partner, ranks) = (i64::from(rank), i64::from(partner), i64::from(ranks));
        Self {
            fixed: Some(partner),
            offset: Some(partner - rank),
            around: Some((partner - rank).rem_euclid(ranks)),
            flipped: Some(partner ^ rank),
        }
    }

    /// The relations that hold for both, unless none does.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let same = |one: Option<i64>, other: Option<i64>| one.filter(|_| one == other);
        let common = Self {
            fixed: same(self.fixed, other.fixed),
            offset: same(self.offset, other.offset),
            around: same(self.around, other.around),
            flipped: same(self.flipped, other.flipped),
        };
        (common.score() > 0).then_some(common)
    }

    /// Measure of how natural the relation is.
    pub(crate) fn score(self) -> u32 {
        if self.offset.is_some() || self.fixed.is_some() {
            6
        } else if self.around.is_some() {
            5
        } else if self.flipped.is_some() {
            3
        } else {
            0
        }
    }
}
