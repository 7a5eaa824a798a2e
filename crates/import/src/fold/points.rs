//! Ranks of one run, or of several of different sizes, as points: what holds for all points of
//! several sizes is taken to hold for any number of ranks.

/// Ranks of runs; a point is the number of one.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    all: Vec<Point>,
    runs: Vec<Run>,
    /// Names of the runs' parameters.
    pub(crate) names: Vec<String>,
}

/// Run of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// Values of the parameters, in the order of their names.
    pub(crate) parameters: Vec<f64>,
}

/// Rank of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Point {
    /// Number of the run.
    pub(crate) run: usize,
    /// Number of the rank.
    pub(crate) pid: i64,
    /// Number of ranks of the run.
    pub(crate) ranks: i64,
    /// Columns of the grid that is nearly square, at least as many as it has rows.
    pub(crate) columns: i64,
}

impl Points {
    /// The ranks of one run.
    pub(crate) fn one(ranks: u32) -> Self {
        let parameters = Vec::new();
        Self::of(vec![Run { ranks, parameters }], Vec::new())
    }

    /// The ranks of runs, in the order of the runs.
    pub(crate) fn of(runs: Vec<Run>, names: Vec<String>) -> Self {
        let mut points = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            let columns = i64::from(columns(run.ranks));
            points.extend((0..run.ranks).map(|rank| Point {
                run: number,
                pid: i64::from(rank),
                ranks: i64::from(run.ranks),
                columns,
            }));
        }
        Self {
            all: points,
            runs,
            names,
        }
    }

    /// Number of points.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.all.len()).unwrap_or(u32::MAX)
    }

    /// The point of that number.
    pub(crate) fn at(&self, number: u32) -> Point {
        self.all[number as usize]
    }

    /// The runs.
    pub(crate) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// True if there are several runs.
    pub(crate) fn are_several(&self) -> bool {
        self.runs.len() > 1
    }

    /// Ranks of the largest run.
    pub(crate) fn most(&self) -> u32 {
        self.runs.iter().map(|it| it.ranks).max().unwrap_or(0)
    }

    /// Number of the first of the runs with most ranks.
    pub(crate) fn largest(&self) -> usize {
        let most = self.most();
        let place = self.runs.iter().position(|it| it.ranks == most);
        place.unwrap_or(0)
    }

    /// Columns of the grid of one run, if it has several rows.
    pub(crate) fn columns(&self) -> Option<i64> {
        match self.runs.as_slice() {
            [run] => {
                let columns = columns(run.ranks);
                (columns > 1 && columns < run.ranks).then_some(i64::from(columns))
            }
            _ => None,
        }
    }

    /// Value of a parameter at a point.
    pub(crate) fn parameter(&self, point: Point, parameter: usize) -> f64 {
        self.runs[point.run].parameters[parameter]
    }
}

impl Point {
    /// Rows of the grid.
    pub(crate) fn rows(self) -> i64 {
        self.ranks / self.columns
    }
}

/// Columns of the grid of processes that is nearly square.
fn columns(ranks: u32) -> u32 {
    let divisors = (1..=ranks).take_while(|it| it * it <= ranks);
    let rows = divisors
        .filter(|it| ranks.is_multiple_of(*it))
        .last()
        .unwrap_or(1);
    ranks / rows
}
