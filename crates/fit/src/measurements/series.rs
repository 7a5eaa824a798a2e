//! Represents series: values that were measured at points of the parameter space.

/// Measured values of one metric in one region of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name of the region; empty if the file doesn't give one.
    pub region: String,
    /// Name of the metric in the file.
    pub metric: String,
    /// Whether the metric is a time, so that the values are in seconds.
    pub is_time: bool,
    /// Whether the metric is an amount of memory, so that the values are in bytes.
    pub is_memory: bool,
    /// For a rate of work, the number of seconds in its unit, such as 1 for `MB/s`; `None` for
    /// other metrics.
    pub per_seconds: Option<f64>,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The points, in ascending order and without duplicates.
    pub points: Vec<Point>,
    /// Sizes that aren't parameters, because they are a multiple of a parameter or never vary.
    pub ties: Vec<Tie>,
    /// Remarks from the reader, for example about jobs that it skipped.
    pub notes: Vec<String>,
}

/// A size that one parameter determines, such as a number of tasks that is always 32 times the
/// number of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Name of the size.
    pub name: String,
    /// The size's value, or its value per unit of the parameter.
    pub factor: f64,
    /// Name of the parameter; `None` if the size never varies.
    pub parameter: Option<String>,
}

/// The values that were measured at one point of the parameter space.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The value of each of the series' parameters.
    pub at: Vec<f64>,
    /// The measured values, one per repetition, in file order.
    pub values: Vec<f64>,
}

/// Which data to use from the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Names of the parameters; if empty, all parameters in the file.
    pub parameters: Vec<String>,
    /// Name of the metric; if `None`, all metrics in the file.
    pub metric: Option<String>,
    /// CSV columns to ignore.
    pub ignored: Vec<String>,
    /// CSV columns whose words name a region, in addition to the columns that are recognized by
    /// name.
    pub by: Vec<String>,
}
