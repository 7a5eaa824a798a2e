//! Exports the primitives by which threads meet; the model checker of `tests/hub.rs` replaces them.

pub(super) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
