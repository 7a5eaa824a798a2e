//! Logs what a study's processes do, on request.

use std::fmt;

/// An entry in a log: something that a process did.
///
/// Its text is one line, such as "2.5 s process 3 waits for an event".
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LogEntry<'a> {
    /// The simulated time, in seconds.
    pub time_s: f64,
    /// The process's number and name.
    pub process: &'a str,
    /// What the process did, such as "waits for an event", or its own text from
    /// [`Process::log`](super::Process::log). Processes are created, continue, wait, end, and can
    /// be interrupted or terminated.
    pub what: &'a str,
}

impl fmt::Display for LogEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s {} {}", self.time_s, self.process, self.what)
    }
}

/// The log that a run writes to.
///
/// ```
/// use prophet_sim::Study;
/// use prophet_sim::study::Logged;
///
/// let mut lines = Vec::new();
/// let log = Logged::to(|entry| lines.push(entry.to_string()));
/// Study::new().run_logged(&(), log, async |sim, ()| sim.hold(2.0).await)?;
/// assert_eq!(lines.last().map(String::as_str), Some("2 s process 0 ends"));
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Default)]
pub struct Logged<'l>(Option<Sink<'l>>);

type Sink<'l> = Box<dyn FnMut(&LogEntry<'_>) + 'l>;

impl<'l> Logged<'l> {
    /// Creates a log that calls `sink` with each entry.
    pub fn to(sink: impl FnMut(&LogEntry<'_>) + 'l) -> Self {
        Self(Some(Box::new(sink)))
    }

    /// Creates a log that discards all entries. It costs nothing.
    pub fn nothing() -> Self {
        Self(None)
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn write(mut self, entry: &LogEntry<'_>) -> Self {
        if let Some(sink) = &mut self.0 {
            sink(entry);
        }
        self
    }
}

impl fmt::Debug for Logged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Logged").field(&self.0.is_some()).finish()
    }
}
