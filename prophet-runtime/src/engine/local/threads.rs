//! Exchanges messages between the threads that a run's ranks are divided among.
//!
//! A rank's clock depends on the messages that it receives but not on when they are delivered, so
//! threads can exchange them in any order. Futures never move to another thread.

use super::{Abandoned, World, abandon};
use crate::kernel::local::{Abroad, End, Local, Woken};
use crate::kernel::{LOOK_EVERY, Observer, Progress};

/// Number of events between two exchanges. Messages should arrive soon, but batches are cheaper
/// than single messages.
const EXCHANGE_EVERY: u64 = 16;
/// How often a thread without work checks its inbox before it parks. All these checks take about as
/// long as waking a thread, so waiting never costs more than twice the minimum.
const PATIENCE: u32 = 2_000;

/// Returns the number of events after which this thread reports to its observer or, if there are
/// several threads, exchanges messages.
pub(super) fn look_every(local: &Local) -> u64 {
    local.abroad().map_or(LOOK_EVERY, |_| EXCHANGE_EVERY)
}

/// Sends and takes messages, and reports to the observer from time to time.
#[cold]
#[inline(never)]
pub(super) fn exchange(
    world: &World<'_>,
    abroad: &Abroad,
    progress: Progress,
    observer: &mut dyn Observer,
) -> Result<(), Abandoned> {
    abroad.flush();
    take_mail(world, abroad)?;
    if !world.local.overflows() {
        abroad.set_flooded(false);
    }
    if progress.events.is_multiple_of(LOOK_EVERY) {
        abroad.count(progress);
        if abroad.is_first() {
            look(abroad, progress.time_s, observer);
        } else {
            abroad.show();
        }
    }
    Ok(())
}

/// Waits until one of this thread's ranks can continue, because none can right now. Returns its
/// place, or `None` if the run has ended.
#[cold]
#[inline(never)]
pub(super) fn next(
    world: &World<'_>,
    abroad: &Abroad,
    observer: &mut dyn Observer,
) -> Result<Option<u32>, Abandoned> {
    let local = &world.local;
    loop {
        abroad.flush();
        abroad.set_flooded(false);
        let mut patience = PATIENCE;
        while patience > 0 && !abroad.has_mail() && abroad.ended().is_none() {
            std::hint::spin_loop();
            patience -= 1;
        }
        match abroad.park(local.stand_aside()) {
            Woken::Mail => take_mail(world, abroad)?,
            Woken::Aside => return Ok(local.next_aside()),
            Woken::Look => look(abroad, 0.0, observer),
            Woken::End(_) => return Ok(None),
        }
        if let Some(place) = local.ready.pop() {
            return Ok(Some(place));
        }
    }
}

fn take_mail(world: &World<'_>, abroad: &Abroad) -> Result<(), Abandoned> {
    let taken = world.take_mail(abroad);
    if taken.is_err() || world.has_failed() {
        return Err(abandon(&world.local));
    }
    Ok(())
}

/// Reports to the observer, which can end the run.
fn look(abroad: &Abroad, time_s: f64, observer: &mut dyn Observer) {
    let (events, messages) = abroad.counts();
    let progress = Progress {
        time_s,
        events,
        messages,
    };
    if observer.look(progress).is_break() {
        abroad.stop(End::Early);
    }
}
