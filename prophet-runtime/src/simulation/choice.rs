//! Chooses the engine that runs a simulation.

use prophet_machine::protocol::Nic;
use prophet_machine::system::System;

use std::fmt;
use std::num::NonZero;

/// The engine that runs a simulation.
///
/// The outcome is the same with both engines, except for its `evaluation`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Engine {
    /// The local engine if that certainly gives the same outcome, or else the event engine.
    ///
    /// The local engine can run a program if each process has its own CPU and only one thread, if
    /// processes affect each other only through messages and collectives, and if every wait is
    /// awaited until it ends. The run itself checks all of this except the waits. A program that
    /// captures anything might share it between processes, so the event engine runs it. If a local
    /// run fails or needs an order of processes, the event engine repeats it.
    Auto,
    /// The event engine, which simulates events in the order of time. It supports any program.
    #[default]
    Event,
    /// The local engine, where each process has its own clock. It supports programs whose processes
    /// affect each other only through messages and collectives. You must make sure that this is
    /// also true of what the program captures.
    Local,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Jobs {
    #[default]
    One,
    /// As many threads as there are cores, as long as each of them has enough ranks.
    Auto,
    /// This number of threads, or one per rank if that is less.
    Of(NonZero<u32>),
}

/// Minimum number of ranks for which it pays to start a thread.
const RANKS_OF_THREAD_MIN: u32 = 256;

impl Jobs {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let threads = text.parse::<NonZero<u32>>().ok();
        let threads = threads.filter(|it| it.get() <= THREADS_MAX);
        threads.map(Self::Of).ok_or_else(|| {
            format!("expected a number of threads from 1 to {THREADS_MAX}, or auto for all cores")
        })
    }

    pub(crate) fn threads(self, ranks: u32) -> u32 {
        match self {
            Self::One => 1,
            Self::Auto => {
                let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
                let cores = u32::try_from(cores).unwrap_or(THREADS_MAX).min(THREADS_MAX);
                cores.min(ranks / RANKS_OF_THREAD_MIN).max(1)
            }
            Self::Of(threads) => threads.get().min(ranks).max(1),
        }
    }
}

const THREADS_MAX: u32 = 1024;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Method {
    pub(crate) engine: Engine,
    /// Whether repeated iterations are computed instead of simulated.
    pub(crate) repetition: bool,
    /// Whether a process can represent others.
    pub(crate) folding: bool,
    pub(crate) jobs: Jobs,
}

impl Engine {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Event => "event",
            Self::Local => "local",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let all = [Self::Auto, Self::Event, Self::Local];
        all.into_iter().find(|engine| engine.name() == name)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns why the processes of a system can't have their own clocks, whatever the program.
pub(crate) fn why_not_local(system: &System) -> Option<String> {
    if system.threads > 1 {
        return Some(format!("a process has {} threads", system.threads));
    }
    if system.protocol.nic != Nic::Rank {
        return Some("the processes of a node share its network interface".to_owned());
    }
    if system.fabric.is_some() {
        return Some("messages share the links of the network".to_owned());
    }
    if system.changes() {
        return Some("the machine changes during the run".to_owned());
    }
    if system.has_one_process_a_node() {
        return None;
    }
    let mut processes = vec![0_u32; system.nodes as usize];
    for nid in &system.mapping {
        processes[*nid as usize] += 1;
    }
    let cpus = system.cpus_per_node;
    let nid = processes.iter().position(|processes| *processes > cpus)?;
    let (processes, plural) = (processes[nid], if cpus == 1 { "" } else { "s" });
    Some(format!(
        "node {nid} has {processes} processes on {cpus} CPU{plural}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read_as_they_are_shown() {
        for engine in [Engine::Auto, Engine::Event, Engine::Local] {
            assert_eq!(Engine::of_name(&engine.to_string()), Some(engine));
        }
        assert_eq!(Engine::of_name("ladder"), None);
    }

    #[test]
    fn threads_are_at_most_the_ranks() {
        let of = |text: &str| Jobs::read(text).unwrap();
        assert_eq!(of("4").threads(3), 3);
        assert_eq!(of("4").threads(100), 4);
        assert_eq!(of("auto").threads(511), 1, "a run with few ranks is short");
        assert!(of("auto").threads(1 << 20) >= 1);
        for text in ["0", "-1", "1025", "all", ""] {
            assert!(Jobs::read(text).unwrap_err().contains("from 1 to 1024"));
        }
    }

    #[test]
    fn a_system_is_local_when_each_process_has_a_cpu() {
        let why = |nodes, cpus, processes, threads| {
            why_not_local(&System::new(nodes, cpus, processes, threads))
        };
        assert_eq!(why(2, 2, 4, 1), None);
        assert_eq!(why(2, 2, 1, 1), None);
        let reason = "node 0 has 3 processes on 2 CPUs";
        assert_eq!(why(2, 2, 5, 1).as_deref(), Some(reason));
        let reason = "node 0 has 2 processes on 1 CPU";
        assert_eq!(why(1, 1, 2, 1).as_deref(), Some(reason));
        assert_eq!(why(1, 4, 1, 4).as_deref(), Some("a process has 4 threads"));
    }
}
