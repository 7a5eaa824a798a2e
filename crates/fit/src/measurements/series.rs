//! Represents series: values measured at points of the parameter space.

/// Measured values of one metric in one region of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Empty if the file doesn't name a region.
    pub region: String,
    /// Name of the metric, as in the file.
    pub metric: String,
    /// Whether the values are times, in seconds.
    pub is_time: bool,
    /// Whether the values are amounts of memory, in bytes.
    pub is_memory: bool,
    /// For a rate of work, the number of seconds in its unit (1 for `MB/s`, for example); `None`
    /// for other metrics.
    pub per_seconds: Option<f64>,
    pub parameters: Vec<String>,
    /// In ascending order, without duplicates.
    pub points: Vec<Point>,
    /// Sizes that aren't parameters, because they never vary or are a multiple of a parameter.
    pub ties: Vec<Tie>,
    /// Remarks from the reader, for example about jobs that it skipped.
    pub notes: Vec<String>,
    /// The first negative value and its place, such as ``a.csv:3: `time_s` is -2``, for messages.
    pub negative: Option<String>,
}

/// A size that never varies or is a multiple of a parameter. For example, the number of tasks may
/// always be 32 times the number of nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Tie {
    pub name: String,
    /// Value of the size, per unit of the parameter if there is one.
    pub factor: f64,
    /// Name of the parameter; `None` if the size never varies.
    pub parameter: Option<String>,
}

/// The values measured at one point of the parameter space.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Value of each parameter of the series.
    pub at: Vec<f64>,
    /// The measured values, one per repetition, in file order.
    pub values: Vec<f64>,
}

/// Which data in the files to use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Names of the parameters; if empty, all parameters in the files.
    pub parameters: Vec<String>,
    /// Name of the metric; if `None`, all metrics in the files.
    pub metric: Option<String>,
    /// CSV columns to ignore.
    pub ignored: Vec<String>,
    /// CSV columns whose words name regions, in addition to the columns recognized by name.
    pub by: Vec<String>,
}
