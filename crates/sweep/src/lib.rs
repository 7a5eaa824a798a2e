//! Sweeps: many predictions of one model, over a space of flags and parameters.
//!
//! A [`Space`] has points, a [`Sweep`] evaluates them: on all cores, in their order, with the model
//! compiled once and no memory for points that are done. This crate prints nothing and knows no
//! files; the command is `crates/sweeping`.
//!
//! | module | is |
//! |---|---|
//! | `value`, `axis` | values as text, and the axes that take them |
//! | `space` | the points: combinations of axes, or a sample |
//! | `replications` | seeds of each point, and when they are enough |
//! | `row` | what is found at a point |
//! | `sweep` | the evaluation of points |
//! | `identity` | what the rows of a sweep depend on, as a digest |
//! | `kept` | rows in a file, until all are there |
//! | `plan`, `goals` | a sweep as TOML, for what is repeated, and what is to be found |
//! | `ordered` | work on many threads, whose results come in order |
//!
//! ```
//! use prophet_interpreter::Interpreted;
//! use prophet_runtime::{Configuration, RunHandle};
//! use prophet_sweep::{Replications, Space, Sweep};
//! # let model = "../../sample-models/pingpong.uml"; // Tests run in the folder of their package.
//! # let checked = prophet_codegen::generate::check(std::path::Path::new(model), None)?;
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

mod axis;
mod goals;
mod identity;
mod kept;
mod ordered;
mod plan;
mod replications;
mod row;
mod space;
mod sweep;
mod value;

pub use axis::{Axis, Form};
pub use goals::{Goals, Method};
pub use identity::identity;
pub use kept::{KeptError, KeptReader, KeptWriter};
pub use ordered::in_order;
pub use plan::Plan;
pub use replications::Replications;
pub use row::{Found, METRICS, Metric, Row};
pub use space::{Design, POINTS_MAX, Place, Sample, Space};
pub use sweep::Sweep;
pub use value::Value;
