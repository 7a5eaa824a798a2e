//! Primitives by which threads meet; the model checker of `tests/hub.rs` has its own.

pub(super) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
