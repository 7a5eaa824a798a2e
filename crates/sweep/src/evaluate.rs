//! Evaluates points, and returns their rows in order.

mod evaluation;
mod identity;
mod kept;
mod ordered;
mod replications;
mod row;
mod sweep;

pub use evaluation::Evaluate;
#[cfg(feature = "command")]
pub(crate) use identity::hex;
pub use identity::identity;
pub use kept::{KeptError, KeptReader, KeptWriter};
pub use ordered::in_order;
#[cfg(feature = "command")]
pub(crate) use ordered::{read_threads, threads};
pub use replications::Replications;
pub use row::{METRICS, Metric, PLAIN_METRICS, PointResults, SweepRow};
pub use sweep::Sweep;
