//! Keeps what messages about a run need, including why it failed.

use std::cell::RefCell;

use prophet_sim::kernel::{Host, Trouble, UnitAt};

use super::{Members, NO_ELEMENT};
use crate::results::elements::ElementTable;
use crate::results::failure::{Cause, Failure, Livelock, Participant, Site};

/// What messages about a run need: the units, their current elements, and the failure.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(super) members: Members,
    pub(super) elements: ElementTable,
    failure: RefCell<Option<Failure>>,
}

impl Ledger {
    pub(crate) fn new(processes: u32, elements: usize) -> Self {
        Self {
            members: Members::new(processes),
            elements: ElementTable::new(elements),
            failure: RefCell::new(None),
        }
    }

    /// Records why the run can't continue, unless a reason is already known.
    pub(super) fn record(
        &self,
        time_s: f64,
        unit: Option<u32>,
        element: u32,
        cause: impl FnOnce() -> Cause,
    ) {
        self.failure.borrow_mut().get_or_insert_with(|| {
            let who = unit.map(|unit| self.members.who(unit));
            Failure {
                time_s,
                process: who.map(|who| who.process),
                thread: who.and_then(|who| who.thread),
                element: self.site(element),
                cause: Box::new(cause()),
            }
        });
    }

    pub(crate) fn into_elements(self) -> ElementTable {
        self.elements
    }

    pub(super) fn take_failure(&self) -> Option<Failure> {
        self.failure.borrow_mut().take()
    }

    pub(super) fn site(&self, element: u32) -> Option<Site> {
        let (element, kind) = self.elements.get(element)?;
        Some(Site {
            name: element.name.to_owned(),
            id: element.id,
            kind,
            place: None,
        })
    }

    fn cause(&self, trouble: Trouble) -> Cause {
        match trouble {
            Trouble::Seconds(cost_s) => Cause::Cost { cost_s },
            Trouble::TimeOverflow => Cause::TimeOverflow,
            Trouble::ForeignAwait => Cause::ForeignAwait,
            Trouble::TwoWaits => Cause::TwoWaits,
            Trouble::Livelock {
                events,
                among,
                more,
            } => Cause::Livelock(Livelock::Cycle {
                events,
                among: among.iter().map(|at| self.participant(*at)).collect(),
                more,
            }),
            Trouble::Returned(stopped) => Cause::returned(stopped),
            Trouble::Impossible(problem) => Cause::System(problem),
        }
    }

    fn participant(&self, at: UnitAt) -> Participant {
        let who = self.members.who(at.unit);
        Participant {
            process: who.process,
            thread: who.thread,
            element: self.site(at.site),
        }
    }
}

impl Host for Ledger {
    fn fail(&self, time_s: f64, unit: Option<UnitAt>, trouble: Trouble) {
        let element = unit.map_or(NO_ELEMENT, |at| at.site);
        let unit = unit.map(|at| at.unit);
        self.record(time_s, unit, element, || self.cause(trouble));
    }
}
