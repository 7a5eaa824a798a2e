//! Treats the ranks of one run, or of several runs of different sizes, as points. What holds for
//! all points of several sizes is assumed to hold for any number of ranks.

use std::fmt::Write as _;

/// Names of a cube's sides, in the orders of [`FoldPoint::sides`].
pub(crate) const SIDES: [[&str; 3]; 2] = [
    ["Width()", "Height()", "Depth()"],
    ["Depth()", "Height()", "Width()"],
];

/// Returns a rank's position along a side of a grid, and the length of the side.
pub(crate) type Place = fn(FoldPoint) -> (i64, i64);

/// Positions along the sides of a grid, and the names of the sides.
pub(crate) const GRID: [(&str, &str, Place); 4] = [
    ("pid % Columns()", "Columns()", |it| {
        (it.pid % it.columns, it.columns)
    }),
    ("pid / Columns()", "Rows()", |it| {
        (it.pid / it.columns, it.rows())
    }),
    ("pid % Rows()", "Rows()", |it| {
        (it.pid % it.rows(), it.rows())
    }),
    ("pid / Rows()", "Columns()", |it| {
        (it.pid / it.rows(), it.columns)
    }),
];

/// The ranks of several runs. A point is the index of a rank.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    all: Vec<FoldPoint>,
    runs: Vec<Run>,
    pub(crate) names: Vec<String>,
    /// Name of the variable that holds a point's stride; `None` if points have no levels.
    pub(crate) stride: Option<String>,
    pub(crate) span: Span,
    /// The order of [`FoldPoint::sides`] that neighbors are assumed to have.
    pub(crate) order: Option<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    pub(crate) ranks: u32,
    pub(crate) parameters: Vec<f64>,
}

/// A rank of a run. If it is in a loop over levels, a point stands for the rank at one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoldPoint {
    /// Index of the rank among the ranks of all runs.
    pub(crate) rank: u32,
    pub(crate) run: usize,
    pub(crate) pid: i64,
    pub(crate) ranks: i64,
    /// Number of columns in the nearly square grid; it is at least the number of rows.
    pub(crate) columns: i64,
    /// Sides of the nearly cubic grid, longest first.
    pub(crate) cube: [i64; 3],
    /// Distance to partners at a level, which is a power of two; 1 if there are no levels.
    pub(crate) stride: i64,
}

/// What is halved from level to level: all ranks, or the ranks along a side of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    Ranks,
    Columns,
    Rows,
}

impl Span {
    pub(crate) const ALL: [Self; 3] = [Self::Ranks, Self::Columns, Self::Rows];

    /// Returns the number of ranks that the levels divide.
    pub(crate) fn size(self, point: FoldPoint) -> i64 {
        match self {
            Self::Ranks => point.ranks,
            Self::Columns => point.columns,
            Self::Rows => point.rows(),
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Ranks => "NUM_PROCESSES",
            Self::Columns => "Columns()",
            Self::Rows => "Rows()",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Levels {
    /// One point for each rank and level.
    pub(crate) points: Points,
    /// Whether strides start at 1 and double from level to level. If not, they are halved until
    /// they are 1.
    pub(crate) is_up: bool,
}

impl Points {
    /// Creates the points for the ranks of one run.
    pub(crate) fn one(ranks: u32) -> Self {
        let parameters = Vec::new();
        Self::of(vec![Run { ranks, parameters }], Vec::new())
    }

    /// Creates the points for the ranks of several runs, in the order of the runs.
    pub(crate) fn of(runs: Vec<Run>, names: Vec<String>) -> Self {
        let mut points = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            let (columns, cube) = (i64::from(columns(run.ranks)), cube(run.ranks));
            points.extend((0..run.ranks).map(|rank| FoldPoint {
                rank: 0,
                run: number,
                pid: i64::from(rank),
                ranks: i64::from(run.ranks),
                columns,
                cube,
                stride: 1,
            }));
        }
        for (number, point) in (0..).zip(&mut points) {
            point.rank = number;
        }
        Self {
            all: points,
            runs,
            names,
            stride: None,
            span: Span::Ranks,
            order: None,
        }
    }

    /// Returns a point for each rank and each level of the rank's run. `variable` holds the stride.
    pub(crate) fn levels(&self, variable: String, span: Span) -> Self {
        let mut all = Vec::new();
        for point in &self.all {
            let levels = 0..level_count(span.size(*point));
            all.extend(levels.map(|level| FoldPoint {
                stride: 1 << level,
                ..*point
            }));
        }
        Self {
            all,
            runs: self.runs.clone(),
            names: self.names.clone(),
            stride: Some(variable),
            span,
            order: self.order,
        }
    }

    /// Returns the point of a rank at a level; `None` if the rank's run doesn't have the level.
    pub(crate) fn at_level(&self, rank: u32, level: u32) -> Option<u32> {
        let first = self.all.partition_point(|it| it.rank < rank);
        let stride = 1_i64.checked_shl(level)?;
        let own = self.all[first..].iter().take_while(|it| it.rank == rank);
        let place = own.clone().position(|it| it.stride == stride)?;
        u32::try_from(first + place).ok()
    }

    /// Returns the number of levels in each run.
    pub(crate) fn level_counts(&self, span: Span) -> Vec<u32> {
        let mut counts = vec![0; self.runs.len()];
        for point in &self.all {
            counts[point.run] = level_count(span.size(*point));
        }
        counts
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn at(&self, number: u32) -> FoldPoint {
        self.all[number as usize]
    }

    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(crate) fn are_several(&self) -> bool {
        self.runs.len() > 1
    }

    /// Returns `true` if all runs have square numbers of ranks, and not only powers of two.
    pub(crate) fn are_squares(&self) -> bool {
        let mut all = self.all.iter();
        all.all(|it| it.columns == it.rows())
            && self.runs.iter().any(|it| !it.ranks.is_power_of_two())
    }

    pub(crate) fn most(&self) -> u32 {
        self.runs.iter().map(|it| it.ranks).max().unwrap_or(0)
    }

    /// Returns the index of the first run with the most ranks.
    pub(crate) fn largest(&self) -> usize {
        let most = self.most();
        let place = self.runs.iter().position(|it| it.ranks == most);
        place.unwrap_or(0)
    }

    /// Returns the number of columns in the grid if there is a single run and its grid has several
    /// rows.
    pub(crate) fn columns(&self) -> Option<i64> {
        match self.runs.as_slice() {
            [run] => {
                let columns = columns(run.ranks);
                (columns > 1 && columns < run.ranks).then_some(i64::from(columns))
            }
            _ => None,
        }
    }

    /// Returns `true` if a parameter has the same value in all runs, so that they don't show its
    /// effect.
    pub(crate) fn is_constant(&self, parameter: usize) -> bool {
        let mut values = self
            .runs
            .iter()
            .map(|it| it.parameters[parameter].to_bits());
        let first = values.next();
        values.all(|it| Some(it) == first)
    }

    /// Returns a parameter as it appears in expressions: its name, or its only value.
    pub(crate) fn parameter_text(&self, parameter: usize) -> String {
        if self.is_constant(parameter) {
            return self.runs[0].parameters[parameter].to_string();
        }
        self.names[parameter].clone()
    }

    /// Returns the runs that can be told apart, each with its condition. The largest run is last.
    pub(crate) fn distinct(&self) -> Vec<(usize, String)> {
        let mut all: Vec<usize> = Vec::new();
        for (number, run) in self.runs.iter().enumerate() {
            if !all.iter().any(|it| self.runs[*it] == *run) {
                all.push(number);
            }
        }
        let largest = self.largest();
        all.sort_by_key(|it| (*it == largest, self.runs[*it].ranks));
        let condition = |run: usize| {
            let own = &self.runs[run];
            let mut text = format!("NUM_PROCESSES == {}", own.ranks);
            let alike = all.iter().filter(|it| self.runs[**it].ranks == own.ranks);
            for (number, name) in self.names.iter().enumerate() {
                let value = own.parameters[number];
                let mut others = alike.clone().map(|it| self.runs[*it].parameters[number]);
                if others.any(|it| it.to_bits() != value.to_bits()) {
                    let _ = write!(text, " && {name} == {value}");
                }
            }
            text
        };
        all.iter().map(|it| (*it, condition(*it))).collect()
    }

    pub(crate) fn parameter(&self, point: FoldPoint, parameter: usize) -> f64 {
        self.runs[point.run].parameters[parameter]
    }
}

impl FoldPoint {
    pub(crate) fn rows(self) -> i64 {
        self.ranks / self.columns
    }

    /// Returns the rank at the same position in the transposed grid. If the grid has more columns
    /// than rows, several consecutive ranks change places together. `None` if the grid has no whole
    /// number of columns for each row.
    pub(crate) fn transposed(self) -> Option<i64> {
        let (rows, together) = (self.rows(), self.columns / self.rows());
        let place = self.pid / together;
        let turned = (place % rows * rows + place / rows) * together + self.pid % together;
        (rows * together == self.columns).then_some(turned)
    }

    /// Returns the cube's sides in two orders. Consecutive ranks are neighbors along the shortest
    /// side, as in C, or along the longest.
    pub(crate) fn sides(self) -> [[i64; 3]; 2] {
        let [long, middle, short] = self.cube;
        [[short, middle, long], [long, middle, short]]
    }
}

/// Returns the number of levels for this many ranks. Strides are powers of two less than `ranks`.
pub(crate) fn level_count(ranks: i64) -> u32 {
    let is_below = |level: &u32| 1_i64 << level < ranks;
    u32::try_from((0..32).filter(is_below).count()).unwrap_or(0)
}

/// Returns a number's largest divisor whose power with this exponent doesn't exceed the number.
pub(super) fn divisor(number: u32, exponent: u32) -> u32 {
    let is_small = |it: &u32| u64::from(*it).pow(exponent) <= u64::from(number);
    let divisors = (1..=number).take_while(is_small);
    let last = divisors.filter(|it| number.is_multiple_of(*it)).last();
    last.unwrap_or(1)
}

/// Returns the number of columns in the nearly square process grid.
fn columns(ranks: u32) -> u32 {
    ranks / divisor(ranks, 2)
}

/// Returns the sides of the nearly cubic grid, longest first.
pub(crate) fn cube(ranks: u32) -> [i64; 3] {
    let first = divisor(ranks, 3);
    let second = divisor(ranks / first, 2);
    let mut sides = [first, second, ranks / first / second].map(i64::from);
    sides.sort_unstable_by_key(|it| std::cmp::Reverse(*it));
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_cubes_are_those_of_mpi() {
        for (ranks, expected) in [
            (1, [1, 1, 1]),
            (2, [2, 1, 1]),
            (12, [3, 2, 2]),
            (30, [5, 3, 2]),
            (64, [4, 4, 4]),
            (72, [6, 4, 3]),
            (256, [8, 8, 4]),
        ] {
            assert_eq!(cube(ranks), expected, "{ranks}");
        }
    }

    #[test]
    fn levels_are_strides_below_the_number_of_ranks() {
        let counts = [1, 2, 3, 4, 5, 16, 17].map(level_count);
        assert_eq!(counts, [0, 1, 2, 2, 3, 4, 5]);
    }
}
