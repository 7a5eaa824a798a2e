//! Exports the synchronization primitives that threads use. The model checker in `tests/hub.rs`
//! replaces them.

pub(super) use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};
