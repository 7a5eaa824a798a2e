//! Stores the problem that the kernel finds in a run, until the run ends.

use std::cell::RefCell;

use super::failure::{Cause, Deadlock, Failure, Livelock, WaitingProcess};
use super::tasks::Tasks;
use crate::kernel::{Host, Stuck, Trouble, UnitAt};

#[derive(Debug, Default)]
pub(super) struct First(RefCell<Option<(f64, Option<u32>, Trouble)>>);

impl Host for First {
    fn fail(&self, time_s: f64, unit: Option<UnitAt>, trouble: Trouble) {
        let unit = unit.map(|at| at.unit);
        let mut first = self.0.borrow_mut();
        first.get_or_insert((time_s, unit, trouble));
    }
}

impl First {
    pub(super) fn failure(&self, tasks: &Tasks<'_>) -> Option<Failure> {
        let (time_s, unit, trouble) = self.0.take()?;
        Some(Failure {
            time_s,
            process: unit.map(|unit| tasks.number_of(unit)),
            cause: Box::new(cause(trouble, tasks)),
        })
    }
}

fn cause(trouble: Trouble, tasks: &Tasks<'_>) -> Cause {
    match trouble {
        Trouble::Seconds(seconds) => Cause::Seconds(seconds),
        Trouble::TimeOverflow => Cause::TimeOverflow,
        Trouble::ForeignAwait => Cause::ForeignAwait,
        Trouble::TwoWaits => Cause::TwoWaits,
        Trouble::Livelock {
            events,
            among,
            more,
        } => Cause::Livelock(Livelock {
            events,
            among: among.iter().map(|at| tasks.number_of(at.unit)).collect(),
            more,
        }),
        Trouble::Returned(stopped) => stopped.error().map_or(Cause::Stopped, Cause::Error),
        Trouble::Impossible(problem) => Cause::Impossible(problem),
    }
}

pub(super) fn deadlock(stuck: Stuck, time_s: f64, tasks: &Tasks<'_>) -> Failure {
    let waiting = stuck.waiting.into_iter();
    let waiting = waiting.map(|(unit, wanted)| WaitingProcess {
        process: tasks.number_of(unit),
        name: tasks.name_of(unit),
        wanted,
    });
    let cycle = stuck.cycle.into_iter().map(|unit| tasks.number_of(unit));
    Failure {
        time_s,
        process: None,
        cause: Box::new(Cause::Deadlock(Deadlock {
            waiting: waiting.collect(),
            more: stuck.more,
            processes: tasks.spawned(),
            cycle: cycle.collect(),
        })),
    }
}
