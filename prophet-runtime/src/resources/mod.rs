//! What processes of simulations share and wait for.

pub(crate) mod buffer;
pub(crate) mod condition;
pub(crate) mod counts;
pub(crate) mod event;
pub(crate) mod facility;
pub(crate) mod mailbox;
pub(crate) mod shared_facility;
pub(crate) mod status;
pub(crate) mod storage;
