//! Runs sweeps: many predictions of one model over a space of flags and parameters.
//!
//! A [`Space`] contains points, and a [`Sweep`] evaluates them on all cores. It returns results in
//! order, compiles the model only once, and doesn't keep finished points in memory. The feature
//! `command` adds the command `sweep`, for models or for another crate's [`Subjects`]. The library
//! itself doesn't print anything or open files.
//!
//! Modules form layers: each imports only from its own layer and from layers above it in this
//! table.
//!
//! | module | is |
//! |---|---|
//! | `space` | values as text, axes with values, points: combinations of axes, or samples |
//! | `evaluate` | evaluating points in order, with their seeds; rows, and kept rows |
//! | `plan` | a sweep as TOML, to repeat it, with its goals |
//! | `search` | minima, fronts, sensitivity, objectives: about numbers only |
//! | `page` | the HTML page of a sweep |
//! | `terminal` | progress on the terminal, and Ctrl-C |
//! | `output` | rows as CSV, JSON Lines or Parquet, and rows of a sweep that is not done yet |
//! | `goal` | the smallest value, the best compromises, what matters |
//! | `study` | a subject, such as a checked model, with the points to predict |
//! | `readers` | readers of rows: goals, and the page |
//! | `paged` | sweeps of a loaded model that return a page |
//! | `cluster` | sweeps in chunks, for clusters |
//! | `command` | the command line, and writing rows to a file |
//!
//! ```
//! use prophet_interpreter::Interpreted;
//! use prophet_runtime::{Configuration, RunHandle};
//! use prophet_sweep::{Replications, Space, Sweep};
//! # let model = "../../sample-models/pingpong.uml"; // Tests run in the folder of their package.
//! # let checked = prophet_frontend::checked::check(std::path::Path::new(model), None)?;
//! # let program = Interpreted::new(&checked, "pingpong.uml", false).map_err(|it| it.to_string())?;
//!
//! let space = Space::parse(&["size=8,64..200", "network.latency=1us,2us"], None)?;
//! let flags = Configuration::read(program.model(), &["--nodes", "2"])?;
//! let sweep = Sweep::new(&program, flags, &space, Replications::default())?;
//! let mut times_s = Vec::new();
//! sweep.evaluate(0..space.points(), 2, &RunHandle::default(), |row| {
//!     times_s.push(row.found.map(|found| found.predicted_time_s()));
//! });
//! assert_eq!(times_s.len(), 8);
//! assert!(times_s[1] > times_s[0]);
//! # Ok::<(), String>(())
//! ```

pub mod search;

mod evaluate;
mod plan;
mod space;

#[cfg(feature = "command")]
mod cluster;
#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "command")]
mod goal;
#[cfg(feature = "command")]
pub mod output;
#[cfg(feature = "command")]
pub mod page;
#[cfg(feature = "command")]
mod paged;
#[cfg(feature = "command")]
mod readers;
#[cfg(feature = "command")]
mod study;
#[cfg(feature = "command")]
mod terminal;

pub use evaluate::{
    Evaluate, KeptError, KeptReader, KeptWriter, METRICS, Metric, PLAIN_METRICS, PointResults,
    Replications, Sweep, SweepRow, identity, in_order,
};
#[cfg(feature = "command")]
pub use paged::{POINTS_MAX as PAGED_POINTS_MAX, Paged};
pub use plan::{Goals, Method, Plan};
pub use space::{Axis, AxisForm, AxisPlace, AxisValue, POINTS_MAX, Sample, SampleDesign, Space};
#[cfg(feature = "command")]
pub use study::{Models, Subjects, SweepStudy};
