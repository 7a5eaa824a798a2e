//! Stores what the threads of a process share: teams, loops, locks, signals, and turns.

mod flows;
mod lock;
mod schedule;
mod signal;
mod team;
mod turn;

pub(crate) use lock::{LockName, Locks};
pub(crate) use schedule::Work;
pub(crate) use signal::Signals;
pub(crate) use team::{Shared, Team};
pub(crate) use turn::{Candidate, Turns};

#[derive(Debug, Default)]
pub(crate) struct Omp {
    pub(crate) turns: Turns,
    pub(crate) locks: Locks,
    pub(crate) signals: Signals,
}
