//! Represents series: measured values at points of parameters.

/// Measured values of one metric in one region of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name of the region; empty if the file doesn't name one.
    pub region: String,
    /// The metric's name in the file.
    pub metric: String,
    /// Whether it is a time, with values in seconds.
    pub is_time: bool,
    /// Whether it is memory, with values in bytes.
    pub is_memory: bool,
    /// Seconds that a rate of work is divided by, such as 1 for `MB/s`; `None` for other metrics.
    pub per_seconds: Option<f64>,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The points in ascending order, without duplicates.
    pub points: Vec<Point>,
    /// Sizes that aren't parameters, because they depend on one or never vary.
    pub ties: Vec<Tie>,
    /// The reader's remarks, such as skipped jobs.
    pub notes: Vec<String>,
}

/// A size that a parameter determines, such as a number of tasks that is always 32 times the number
/// of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Name of the size.
    pub name: String,
    /// Its value, or its value per unit of the parameter.
    pub factor: f64,
    /// Name of the parameter; `None` if the size never varies.
    pub parameter: Option<String>,
}

/// The values measured at a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// A value for each parameter of the series.
    pub at: Vec<f64>,
    /// The repetitions, in file order.
    pub values: Vec<f64>,
}

/// Which data to use from the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Names of the parameters; if empty, all in the file.
    pub parameters: Vec<String>,
    /// Name of the metric; `None` means all metrics in the file.
    pub metric: Option<String>,
    /// CSV columns to ignore.
    pub ignored: Vec<String>,
    /// CSV columns with words that name a region, in addition to the columns with such names.
    pub by: Vec<String>,
}
