//! Implements operations of threads. A region's future owns the futures of its threads.

mod barrier;
mod flows;
mod gate;
mod holding;
mod region;
mod signals;
mod turn;
mod worksharing;

pub(crate) use flows::flow_on;
pub(crate) use gate::gated;
pub(crate) use holding::Holding;
pub(crate) use region::{Region, fork_join};
pub(crate) use signals::{accept, send};
pub(crate) use worksharing::{FirstThread, FirstToCome, meet, share};
