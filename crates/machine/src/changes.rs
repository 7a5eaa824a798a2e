//! Changes links, nodes and operations of a machine during a run.
//!
//! Changes are listed in the machine file, or arrive as lines during the run. In both cases, they
//! are sorted by time. Callers apply the changes that are due, and then ask which parts have
//! changed to update their caches.

mod lines;
mod schedule;
mod state;

use std::sync::Arc;

use prophet_platform::Platform;
use prophet_text::Problem;

use crate::parts::{Due, Parts};
use crate::prices::Prices;
use crate::system::System;
use lines::Lines;
use schedule::Schedule;
use state::State;

/// The future changes of a run, and the machine's state after past changes.
#[derive(Debug)]
pub struct Changes {
    schedule: Schedule,
    parts: Parts,
    lines: Option<Lines>,
    /// Changes on the last line read, and their time.
    ahead: Option<(f64, Vec<Due>)>,
    state: State,
}

impl Changes {
    /// Returns the changes to a system during a run; `None` if it doesn't change.
    pub fn of(system: &System) -> Option<Self> {
        if !system.changes() {
            return None;
        }
        // Invalid changes are rejected before the run.
        let parts = parts(system).ok()?;
        let schedule = schedule(system, &parts).ok()?;
        Some(Self {
            schedule,
            lines: system.source.as_ref().map(Lines::new),
            ahead: None,
            state: State::new(&parts, &system.prices),
            parts,
        })
    }

    /// Returns the links between the nodes; `None` if messages don't share links.
    pub fn platform(&self) -> Option<&Arc<Platform>> {
        self.parts.platform.as_ref()
    }

    /// Returns the time of the next change, in simulated seconds; infinite if no change is left. If
    /// changes arrive as lines, waits for the next line.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is invalid. After that, no more lines are read.
    pub fn next_s(&mut self) -> Result<f64, Problem> {
        self.read_ahead()?;
        let line_s = self.ahead.as_ref().map_or(f64::INFINITY, |ahead| ahead.0);
        Ok(line_s.min(self.schedule.next_s()))
    }

    /// Applies all changes up to `now_s`, in simulated seconds.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::next_s`].
    pub fn advance(&mut self, now_s: f64) -> Result<(), Problem> {
        while self.next_s()? <= now_s {
            // At the same time, listed changes come first.
            let line = self.ahead.take_if(|ahead| ahead.0 < self.schedule.next_s());
            let due = match line {
                Some((_, due)) => due,
                None => self.schedule.take().into_iter().collect(),
            };
            for due in due {
                self.state.set(due);
            }
        }
        Ok(())
    }

    /// Reads the next line, unless it has already been read.
    fn read_ahead(&mut self) -> Result<(), String> {
        let (None, Some(lines)) = (&self.ahead, &mut self.lines) else {
            return Ok(());
        };
        let read = lines.next().and_then(|change| {
            let Some(change) = change else {
                return Ok(None);
            };
            let due = self.parts.resolve(&change);
            let due = due.map_err(|message| lines.located(&message))?;
            Ok(Some((change.at_s, due)))
        });
        if !matches!(read, Ok(Some(_))) {
            self.lines = None;
        }
        self.ahead = read?;
        Ok(())
    }

    /// Returns by how much the total latency of these links has grown, in seconds.
    pub fn more_s(&self, links: &[u32]) -> f64 {
        self.state.more_s(links)
    }

    /// Returns the bandwidth that other traffic currently leaves on a link, in bytes per second;
    /// `None` if it hasn't changed.
    pub fn bytes_per_s(&self, link: u32) -> Option<f64> {
        self.state.bytes_per_s(link)
    }

    /// Returns `true` if [`Self::take_link`] has changed links to return.
    pub fn has_links(&self) -> bool {
        self.state.has_links()
    }

    /// Takes the next changed link, with its new bandwidth for messages in bytes per second; `None`
    /// if all changed links have been taken.
    pub fn take_link(&mut self) -> Option<(u32, f64)> {
        self.state.take_link()
    }

    /// Takes the next changed node, with its new speed; `None` if all changed nodes have been
    /// taken.
    pub fn take_node(&mut self) -> Option<(u32, f64)> {
        self.state.take_node()
    }

    /// Returns the prices of operations; `None` if they haven't changed since the last call.
    pub fn take_prices(&mut self) -> Option<&Prices> {
        self.state.take_prices()
    }
}

fn schedule(system: &System, parts: &Parts) -> Result<Schedule, String> {
    let of_links = system.fabric.as_ref().map(|fabric| &fabric.changes);
    let mut schedule = Schedule::default();
    for listed in of_links.into_iter().chain([&system.listed]) {
        for change in listed.entries.iter() {
            let due = parts.resolve(change)?;
            for due in due {
                schedule.add(change.at_s, due);
            }
        }
        let profile = listed.profile.iter();
        profile.for_each(|change| schedule.add_profile(change, parts));
    }
    Ok(schedule)
}

fn parts(system: &System) -> Result<Parts, String> {
    let of_machine = system.base.as_ref().and_then(|base| base.nodes);
    let all_nodes = of_machine.unwrap_or(0).max(system.nodes);
    let platform = system.fabric.as_ref().map(|fabric| {
        let wired = fabric.nodes().unwrap_or(all_nodes).min(all_nodes);
        fabric.platform(wired.max(system.nodes))
    });
    Ok(Parts {
        platform: platform.transpose()?,
        nodes: system.nodes,
        all_nodes,
        operations: system.prices.iter().map(|it| it.0.to_owned()).collect(),
        why_steady: system.why_steady(),
        ..Parts::default()
    })
}

/// Returns the problem with the first invalid line in the file that a system follows, if any. Lines
/// of a pipe can't be checked in advance.
pub fn wrong_line(system: &System) -> Option<Problem> {
    let source = system.source.as_ref()?;
    if !source.can_be_read_again() {
        return None;
    }
    let parts = parts(system).ok()?;
    let mut lines = Lines::new(source);
    loop {
        match lines.next() {
            Ok(None) => return None,
            Ok(Some(change)) => {
                if let Err(message) = parts.resolve(&change) {
                    return Some(lines.located(&message).into());
                }
            }
            Err(message) => return Some(message.into()),
        }
    }
}

/// Returns a message about a contradiction in the changes that a system lists; `None` if there is
/// no contradiction.
pub fn contradiction(system: &System) -> Option<String> {
    if !system.changes() {
        return None;
    }
    if system.listed.has_nodes()
        && let Some(why) = system.why_steady()
    {
        return Some(why);
    }
    let schedule = parts(system).and_then(|parts| schedule(system, &parts));
    schedule.err()
}
