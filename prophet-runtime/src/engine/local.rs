//! The local engine: each rank has its own clock and runs until a message that it wants is not
//! there.
//!
//! For programs whose processes affect each other by messages and collectives alone, each with a
//! CPU of its own: what a rank computes then depends on what it receives, not on the order in
//! which the ranks run, and nothing has to be ordered by time. Whatever else a program does is
//! noticed ([`needs_order`](crate::kernel::Kernel::needs_order)) and ends the run, which the event
//! engine then repeats.

use std::task::Poll;

use super::World;
use super::repetition::Watch;
use crate::kernel::local::{Local, TURN};
use crate::kernel::{Arena, Ended, LOOK_EVERY, Observer, Phase, Progress};
use crate::language::Stopped;

/// Reason why a run gave no result: the event engine is to repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Abandoned {
    /// The program does what this engine cannot do.
    Unsuited(&'static str),
    /// The run failed.
    Failed,
}

/// Runs all processes to their ends, unless `observer` ends the run before; a `watch` leaves out
/// iterations that repeat. An event is that a process goes on.
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
    let mut events = 0;
    let mut next_look = LOOK_EVERY;
    let mut ended = 0;
    while let Some(rank) = next(world, local, watch) {
        local.prefetch(world, arena);
        events += 1;
        local.turn.set(TURN);
        local.floods.set(false);
        let line = &local.lines[rank as usize];
        let unit = world.first_unit(rank);
        let phase = unit.phase.get();
        if phase == Phase::Waiting {
            // A rank that waits is made ready by what it waits for alone.
            unit.phase.set(Phase::Granted);
        } else if phase == Phase::Yielded {
            unit.phase.set(Phase::Running);
        }
        match arena.poll(rank as usize) {
            Some(Poll::Pending) if unit.phase.get() == Phase::Running => {
                return Err(Abandoned::Failed);
            }
            Some(Poll::Ready(Ok(()))) => {
                arena.clear(rank as usize);
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
            next_look = events + LOOK_EVERY;
            let progress = Progress {
                time_s: line.now_s.get(),
                events,
                messages: local.messages(),
            };
            if observer.look(progress).is_break() {
                let early = ended < world.system.processes;
                return Ok(Ended { events, early });
            }
        }
    }
    if ended < world.system.processes {
        return Err(Abandoned::Failed);
    }
    Ok(Ended {
        events,
        early: false,
    })
}

/// The rank that goes on next.
#[inline]
fn next(world: &World<'_>, local: &Local, watch: &mut Option<Watch>) -> Option<u32> {
    if let Some(rank) = local.next() {
        return Some(rank);
    }
    let watch = watch.as_mut()?;
    watch.go_on(world, local).then(|| local.next()).flatten()
}

#[cold]
fn abandon(local: &Local) -> Abandoned {
    local
        .unsuited()
        .map_or(Abandoned::Failed, Abandoned::Unsuited)
}
