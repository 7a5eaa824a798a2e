//! Implements the local engine, in which each rank has its own clock and runs until it needs a
//! message that isn't there yet.
//!
//! The local engine is for programs whose processes have their own CPUs and affect each other only
//! through messages and collectives. Then a rank's results depend only on what it receives and not
//! on the order in which ranks run, so events don't have to be ordered by time. If a program does
//! anything else, [`needs_order`](crate::kernel::Kernel::needs_order) ends the run, and the event
//! engine repeats it.

mod threads;

use std::task::Poll;

use super::World;
use super::repetition::Watch;
use crate::kernel::local::{Abroad, End, Local, TURN};
use crate::kernel::{Arena, Ended, Observer, Phase, Progress};
use crate::language::Stopped;

/// Why the run has no result, so that the event engine must repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Abandoned {
    /// The program does something that this engine doesn't support.
    Unsuited(&'static str),
    Failed,
}

/// Runs all of this thread's processes until they end, or until `observer` ends the run. The thread
/// may be one of several. A `watch` skips repeated iterations. Each time a process resumes counts
/// as an event.
pub(crate) fn run<F>(
    world: &World<'_>,
    arena: &mut Arena<F>,
    observer: &mut dyn Observer,
    watch: &mut Option<Watch>,
) -> Result<Ended, Abandoned>
where
    F: Future<Output = Result<(), Stopped>>,
{
    let Some(local) = world.local() else {
        return Err(Abandoned::Failed);
    };
    world.choose_way();
    let mut events = 0;
    let look_every = threads::look_every(local);
    let mut next_look = look_every;
    let mut ended = 0;
    while let Some(place) = next(world, local, watch, observer)? {
        local.prefetch(world, arena);
        events += 1;
        local.turn.set(TURN);
        local.floods.set(false);
        let line = &local.lines[place as usize];
        let unit = world.first_unit(place);
        let phase = unit.phase.get();
        if phase == Phase::Waiting {
            // A rank is only made ready by what it is waiting for.
            unit.phase.set(Phase::Granted);
        } else if phase == Phase::Yielded {
            unit.phase.set(Phase::Running);
        }
        match arena.poll(place as usize) {
            Some(Poll::Pending) if unit.phase.get() == Phase::Running => {
                return Err(Abandoned::Failed);
            }
            Some(Poll::Ready(Ok(()))) => {
                arena.clear(place as usize);
                unit.phase.set(Phase::Ended);
                unit.latest_s.set(line.now_s.get());
                ended += 1;
            }
            Some(Poll::Ready(Err(_))) => return Err(abandon(local)),
            Some(Poll::Pending) | None => {}
        }
        if world.has_failed() {
            return Err(abandon(local));
        }
        if events >= next_look {
            next_look = events + look_every;
            let progress = Progress {
                time_s: line.now_s.get(),
                events,
                messages: local.messages(),
            };
            if let Some(abroad) = local.abroad() {
                threads::exchange(world, abroad, progress, observer)?;
                if abroad.ended().is_some() {
                    break;
                }
            } else if observer.look(progress).is_break() {
                let early = ended < local.lines.len();
                return Ok(Ended { events, early });
            }
        }
    }
    end(local, events, ended)
}

/// Ends a run in which no rank can continue. Some ranks may not have ended.
fn end(local: &Local, events: u64, ended: usize) -> Result<Ended, Abandoned> {
    let all = ended == local.lines.len();
    match local.abroad().and_then(Abroad::ended) {
        None | Some(End::Idle) if all => Ok(Ended {
            events,
            early: false,
        }),
        Some(End::Early) => Ok(Ended {
            events,
            early: !all,
        }),
        _ => Err(Abandoned::Failed),
    }
}

/// Returns the place of the next rank to continue, or `None` if the run has ended.
#[inline]
fn next(
    world: &World<'_>,
    local: &Local,
    watch: &mut Option<Watch>,
    observer: &mut dyn Observer,
) -> Result<Option<u32>, Abandoned> {
    if let Some(place) = local.next() {
        return Ok(Some(place));
    }
    if let Some(abroad) = local.abroad() {
        return threads::next(world, abroad, observer);
    }
    let Some(watch) = watch.as_mut() else {
        return Ok(None);
    };
    Ok(watch.go_on(world, local).then(|| local.next()).flatten())
}

#[cold]
fn abandon(local: &Local) -> Abandoned {
    local
        .unsuited()
        .map_or(Abandoned::Failed, Abandoned::Unsuited)
}
