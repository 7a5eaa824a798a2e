//! Resources that processes share and wait for.
//!
//! Create a resource outside of the processes that share it. It serves one run at a time.

mod buffer;
mod condition;
mod counts;
mod event;
mod facility;
mod mailbox;
mod shared_facility;
mod storage;
mod usage;
mod waiters;

pub use buffer::{Buffer, Transfer};
pub use condition::{Condition, Until};
pub use event::{Event, WaitEvent, WaitEvents};
pub use facility::{Discipline, Facility, Reserve, Server, Use};
pub use mailbox::{Mailbox, ReceiveValue};
pub use shared_facility::{Share, SharedFacility};
pub use storage::{Allocate, Allocation, Storage};
pub use usage::Statistics;

/// A resource that can describe its state, for [`Process::status`](crate::Process::status).
pub trait Status {
    /// Returns a one-line description, without a trailing newline.
    fn status(&self) -> String;
}
