//! Describes deadlocks: processes that wait for each other, and messages that no receive has taken.

use std::fmt;

use prophet_sim::kernel::wording;

use super::{Site, Who};

/// A deadlock: processes are waiting, and nothing will wake them.
#[derive(Debug, Clone, PartialEq)]
pub struct Deadlock {
    /// The first waiting processes, by pid.
    pub waiting: Vec<WaitingProcess>,
    /// Number of further waiting processes.
    pub more: u32,
    /// Number of processes in the run.
    pub processes: u32,
    /// Processes that wait for each other in a cycle: each waits for the next, and the last for the
    /// first. Empty if there is no cycle.
    pub cycle: Vec<Who>,
}

/// A waiting process, or one of its threads.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingProcess {
    /// The number of the process.
    pub process: u32,
    /// The waiting thread, or `None` if the process has only one.
    pub thread: Option<u32>,
    /// The element that the process is at, or `None` if it isn't at any.
    pub element: Option<Site>,
    /// What the process is waiting for, as text that follows "waits for".
    pub wanted: String,
    /// If the process is waiting for a message, the first messages that arrived there but that no
    /// receive took. Listed only with the process's first thread.
    pub untaken: Vec<Untaken>,
    /// Number of other messages that no receive took.
    pub untaken_more: u64,
}

/// A message that arrived at a process which is waiting for a different one.
#[derive(Debug, Clone, PartialEq)]
pub struct Untaken {
    /// The number of the process that sent the message.
    pub source: u32,
    /// The tag of the message.
    pub tag: i64,
    /// The size of the message, in bytes.
    pub bytes: u64,
    /// The element that sent the message. Known only if the message waits for its receive.
    pub element: Option<Site>,
    /// Whether the process would take the message if its tag were different.
    pub only_tag_differs: bool,
}

/// What precedes the names of those that hold the CPUs that a process waits for.
pub(crate) const HELD: &str = "; they are held by ";

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.waiting.len() as u64 + u64::from(self.more);
        let processes = self.processes;
        let has_threads = |waiting: &WaitingProcess| waiting.thread.is_some();
        if self.waiting.iter().any(has_threads) {
            let plural = if processes == 1 { "" } else { "es" };
            let verb = if waiting == 1 { "resumes" } else { "resume" };
            return write!(
                f,
                "deadlock: {waiting} threads of {processes} process{plural} never {verb}"
            );
        }
        wording::deadlock(waiting, processes, f)
    }
}

impl Deadlock {
    pub(super) fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for WaitingProcess {
            process,
            thread,
            element,
            wanted,
            untaken,
            untaken_more,
        } in &self.waiting
        {
            let (process, thread) = (*process, *thread);
            write!(f, "\n  {}", Who { process, thread })?;
            if let Some(element) = element {
                write!(f, " at {element}")?;
            }
            write!(f, " waits for {wanted}")?;
            Site::below(element.as_ref(), "    ", f)?;
            untaken.iter().try_for_each(|message| message.details(f))?;
            if *untaken_more > 0 {
                write!(f, "\n    and {untaken_more} more")?;
            }
        }
        wording::more(self.more, f)?;
        let short = |who: &Who| match who.thread {
            None => who.process.to_string(),
            Some(thread) => format!("{}.{thread}", who.process),
        };
        let has_threads = self.cycle.iter().any(|who| who.thread.is_some());
        let units = if has_threads { "threads" } else { "processes" };
        wording::cycle(&self.cycle, (Who::to_string, short), units, f)?;
        if self.waiting.iter().any(|it| it.wanted.contains(HELD)) {
            f.write_str(
                "\n  give each node a CPU for each of its processes and threads with \
                 --cpus-per-node, or use --wait-policy release",
            )?;
        }
        Ok(())
    }
}

impl Untaken {
    fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            source, tag, bytes, ..
        } = self;
        let unit = if *bytes == 1 { "byte" } else { "bytes" };
        write!(
            f,
            "\n    a message with tag {tag} from process {source} is waiting"
        )?;
        write!(f, ", but no receive takes it: {bytes} {unit}")?;
        if let Some(element) = &self.element {
            write!(f, ", sent at {element}")?;
        }
        if self.only_tag_differs {
            write!(f, "; did you mean tag {tag}?")?;
        }
        Site::below(self.element.as_ref(), "      ", f)
    }
}
