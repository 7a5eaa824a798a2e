//! Series: measured values at points of parameters.

/// Measured values of one metric in one region of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name of the region; empty if the file names no region.
    pub region: String,
    /// Name of the metric in the file.
    pub metric: String,
    /// True for a time; its values are in seconds.
    pub is_time: bool,
    /// True for memory; its values are in bytes.
    pub is_memory: bool,
    /// Seconds that a rate of work is divided by, 1 for `MB/s`; `None` for other metrics.
    pub per_seconds: Option<f64>,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The points, in ascending order; each at most once.
    pub points: Vec<Point>,
    /// Sizes that are no parameters since they follow from one, or never vary.
    pub ties: Vec<Tie>,
    /// Remarks of the reader, such as jobs that are left out.
    pub notes: Vec<String>,
}

/// A size that a parameter stands for, such as a number of tasks that is always 32 times the number
/// of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    /// Name of the size.
    pub name: String,
    /// Its value, or its value for each unit of the parameter.
    pub factor: f64,
    /// Name of the parameter; `None` if the size never varies.
    pub parameter: Option<String>,
}

/// Values that were measured at a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// A value for each parameter of the series.
    pub at: Vec<f64>,
    /// The repetitions, in the order of the file.
    pub values: Vec<f64>,
}

/// Choice of the data to use from the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Names of the parameters; all of the file if empty.
    pub parameters: Vec<String>,
    /// Name of the metric; `None` means all metrics of the file.
    pub metric: Option<String>,
    /// Columns of CSV that are left out.
    pub ignored: Vec<String>,
    /// Columns of CSV whose words name a region, beside those that are named so.
    pub by: Vec<String>,
}
