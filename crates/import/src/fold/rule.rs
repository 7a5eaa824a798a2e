//! Restricts models to the numbers of ranks that the program can run with.

use std::collections::BTreeSet;

use super::points::Points;

prophet_text::named_enum! {
    /// Which numbers of ranks a program can run with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RankRule {
        /// The number of ranks must be a power of two, which butterflies need.
        PowersOf2 = "powers-of-2",
        Squares = "squares",
        Cubes = "cubes",
    }
}

/// Minimum number of sizes from which a rule is derived.
const SHOWN: usize = 3;

impl RankRule {
    /// Returns `true` if programs with this rule can run with `ranks` ranks.
    pub fn allows(self, ranks: u32) -> bool {
        let is_power = |exponent: u32| {
            let powers = (1..=ranks).map_while(|it| it.checked_pow(exponent));
            powers.take_while(|it| *it <= ranks).any(|it| it == ranks)
        };
        match self {
            Self::PowersOf2 => ranks.is_power_of_two(),
            Self::Squares => is_power(2),
            Self::Cubes => is_power(3),
        }
    }

    /// Returns the next number of ranks above `ranks` that the rule allows.
    pub fn next(self, ranks: u32) -> Option<u32> {
        let most = ranks.checked_mul(8)?;
        (ranks + 1..=most).find(|it| self.allows(*it))
    }

    /// Derives the rule from runs. Each size must follow it. In addition, some size must not be a
    /// power of two, or partners must be ranks that differ in one bit.
    pub(super) fn of(points: &Points, has_flips: bool) -> Option<Self> {
        let sizes: BTreeSet<u32> = points.runs().iter().map(|it| it.ranks).collect();
        let all = |it: Self| sizes.iter().all(|ranks| it.allows(*ranks));
        if all(Self::PowersOf2) {
            return has_flips.then_some(Self::PowersOf2);
        }
        let shown = [Self::Cubes, Self::Squares].into_iter().find(|it| all(*it));
        shown.filter(|_| sizes.len() >= SHOWN)
    }

    /// Returns the decision that rejects other numbers of ranks: its name, its guard and its
    /// message.
    pub(super) fn decision(self) -> [&'static str; 3] {
        match self {
            Self::PowersOf2 => [
                "OnlyPowersOf2",
                "NUM_PROCESSES == 1 || 2 * LastStride(NUM_PROCESSES) == NUM_PROCESSES",
                "The program needs a power of two as the number of ranks; with other numbers, the \
                 model stops.",
            ],
            Self::Squares => [
                "OnlySquares",
                "Columns() == Rows()",
                "The program needs a square number of ranks; with other numbers, the model stops.",
            ],
            Self::Cubes => [
                "OnlyCubes",
                "Width() == Depth()",
                "The program needs a cubic number of ranks; with other numbers, the model stops.",
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::Run;
    use super::*;

    #[test]
    fn sizes_show_rules() {
        let of = |sizes: &[u32], has_flips| {
            let parameters = Vec::new();
            let run = |ranks: &u32| Run {
                ranks: *ranks,
                parameters: parameters.clone(),
            };
            let points = Points::of(sizes.iter().map(run).collect(), Vec::new());
            RankRule::of(&points, has_flips).map(RankRule::name)
        };
        for (sizes, has_flips, expected) in [
            (&[2, 4, 8][..], true, Some("powers-of-2")),
            (&[2, 4, 8], false, None),
            (&[1, 4, 16], false, None),
            (&[2, 4, 6], true, None),
            (&[4, 9, 16], false, Some("squares")),
            (&[1, 8, 27], false, Some("cubes")),
            (&[4, 9], false, None),
        ] {
            assert_eq!(of(sizes, has_flips), expected, "{sizes:?}");
        }
    }
}
