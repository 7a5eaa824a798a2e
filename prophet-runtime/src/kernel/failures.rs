//! Why a run cannot go on, and what its units wait for.

use super::{Kernel, NO_ELEMENT, Wanted};
use crate::language::stopped::Stopped;
use crate::results::failure::{Cause, Failure, Site};

impl Kernel<'_> {
    /// Records why the run can't go on, unless it is known already.
    #[cold]
    pub(crate) fn fail(&self, unit: Option<u32>, cause: Cause) -> Stopped {
        let element = unit.map_or(NO_ELEMENT, |unit| self.unit(unit).element.get());
        self.fail_at(unit, element, cause)
    }

    /// [`Self::fail`] at another element than the unit's.
    #[cold]
    pub(crate) fn fail_at(&self, unit: Option<u32>, element: u32, cause: Cause) -> Stopped {
        self.failed.set(true);
        self.failure.borrow_mut().get_or_insert_with(|| {
            let who = unit.map(|unit| self.members.who(unit));
            Failure {
                time_s: self.now_s(),
                process: who.map(|who| who.process),
                thread: who.and_then(|who| who.thread),
                element: self.site(element),
                cause: Box::new(cause),
            }
        });
        Stopped::RECORDED
    }

    /// Ends the run after this event, without a failure.
    pub(crate) fn halt(&self) {
        self.failed.set(true);
    }

    /// Whether something stops the run.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// Takes the failure that stops the run, if there is one.
    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.failure.borrow_mut().take()
    }

    /// The element with an index, for messages.
    pub(crate) fn site(&self, element: u32) -> Option<Site> {
        let (element, kind) = self.elements.get(element)?;
        Some(Site {
            name: element.name.to_owned(),
            id: element.id,
            kind,
            place: None,
        })
    }

    /// Tells what the unit that is being polled waits for, when that is asked.
    #[inline]
    pub(crate) fn explain(&self, wanted: impl FnOnce() -> Wanted) {
        if self.asking.get() {
            self.answer(wanted);
        }
    }

    #[cold]
    #[inline(never)]
    fn answer(&self, wanted: impl FnOnce() -> Wanted) {
        *self.answer.borrow_mut() = Some(wanted());
    }

    /// Asks what a unit waits for: `poll` polls it, and its wait answers.
    pub(crate) fn ask(&self, poll: impl FnOnce()) -> Wanted {
        self.asking.set(true);
        self.answer.take();
        poll();
        self.asking.set(false);
        let unknown = || Wanted {
            text: "something that it does not tell".into(),
            process: None,
        };
        self.answer.take().unwrap_or_else(unknown)
    }
}
