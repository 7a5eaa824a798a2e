//! Re-exports the synchronization primitives that threads use, so that the model checker in
//! `tests/hub.rs` can replace them.

pub(super) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
