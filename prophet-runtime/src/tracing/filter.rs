//! Decides which records a trace keeps.

use std::cell::{Cell, RefCell};
use std::fmt;

use prophet_machine::quantity::{self, ParseError};
use prophet_trace::Record;

use crate::kernel::Kernel;

/// Selects the records that a trace keeps: those that match one of the filter's processes, one of
/// its elements, and one of its time ranges. If the filter names none of a kind, all match.
///
/// ```
/// use prophet_runtime::TraceFilter;
///
/// let mut filter = TraceFilter::default();
/// for part in ["pid=0..3", "pid=8", "element=Solve", "time=1ms..2ms"] {
///     filter.add(part)?;
/// }
/// assert_eq!(filter.to_string(), "pid=0..3 pid=8 element=Solve time=1ms..2ms");
/// # Ok::<(), prophet_runtime::ParseError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceFilter {
    /// The parts of the filter, as the user wrote them.
    texts: Vec<String>,
    /// The first and last process of each range.
    pids: Vec<(u32, u32)>,
    /// The names or ids of elements.
    elements: Vec<String>,
    /// The start and end of each time range, in simulated seconds.
    times: Vec<(f64, f64)>,
    /// Whether to omit messages on links, and the loads of links.
    omits_network: bool,
}

impl TraceFilter {
    /// Adds a part to the filter: `pid=3`, `pid=0..7` (inclusive), `element=` with a name or id, or
    /// `time=1ms..2ms` for records that overlap this range. Either end of the range can be omitted.
    /// A record has to match only one of several parts of the same kind. `network=off` omits the
    /// traffic on shared links.
    ///
    /// # Errors
    ///
    /// Returns an error if the text doesn't have one of these forms.
    pub fn add(&mut self, text: &str) -> Result<(), ParseError> {
        let problem = || {
            ParseError::new(format!(
                "expected `pid=0..7`, `element=NAME`, `time=1ms..2ms` or `network=off`, found `{}`",
                quantity::quoted(text)
            ))
        };
        let (key, value) = text.split_once('=').ok_or_else(problem)?;
        match key.trim() {
            "pid" => {
                let number = |text: &str| text.trim().parse().map_err(|_| problem());
                let (first, last) = value.split_once("..").unwrap_or((value, value));
                let range = (number(first)?, number(last)?);
                if range.0 > range.1 {
                    return Err(problem());
                }
                self.pids.push(range);
            }
            "element" if !value.trim().is_empty() => self.elements.push(value.trim().to_owned()),
            "time" => {
                let (from, to) = value.split_once("..").ok_or_else(problem)?;
                let time_s = |text: &str, open_s| match text.trim() {
                    "" => Ok(open_s),
                    text => quantity::seconds(text),
                };
                let window = (time_s(from, 0.0)?, time_s(to, f64::INFINITY)?);
                if window.0 > window.1 {
                    return Err(problem());
                }
                self.times.push(window);
            }
            "network" if value.trim() == "off" => self.omits_network = true,
            _ => return Err(problem()),
        }
        self.texts.push(text.to_owned());
        Ok(())
    }

    /// Returns `true` if the filter keeps all records.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn takes(&self, record: &Record) -> bool {
        let pid = |(first, last): &(u32, u32)| (first..=last).contains(&&record.pid);
        let time = |(from_s, to_s): &(f64, f64)| record.end_s >= *from_s && record.start_s <= *to_s;
        (self.pids.is_empty() || self.pids.iter().any(pid))
            && (self.times.is_empty() || self.times.iter().any(time))
    }
}

impl fmt::Display for TraceFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts.join(" "))
    }
}

/// A filter, and what it has decided about elements. It decides when an element first occurs.
#[derive(Debug)]
pub(super) struct Chosen {
    filter: TraceFilter,
    takes_all: Cell<bool>,
    /// Records that begin at this time or later are dropped. In simulated seconds.
    before_s: Cell<f64>,
    /// Number of records that were dropped because they began too late.
    late: Cell<u64>,
    elements: RefCell<Vec<Option<bool>>>,
}

/// Elements with higher indices are looked up each time.
const KNOWN_MAX: usize = 1 << 20;

impl Chosen {
    /// Creates the decisions of a filter. Unless `recorded`, no decision can be skipped.
    pub(super) fn new(filter: TraceFilter, recorded: bool) -> Self {
        Self {
            takes_all: Cell::new(recorded && filter.is_empty()),
            before_s: Cell::new(f64::INFINITY),
            late: Cell::new(0),
            filter,
            elements: RefCell::default(),
        }
    }

    pub(super) fn takes_network(&self) -> bool {
        !self.filter.omits_network
    }

    /// Returns the time after which no record is kept, in simulated seconds.
    pub(super) fn last_s(&self) -> f64 {
        let ends_s = self.filter.times.iter().map(|(_, end_s)| *end_s);
        ends_s.reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    #[inline]
    pub(super) fn takes_all(&self) -> bool {
        self.takes_all.get()
    }

    /// From now on, drops all records that begin at `time_s` or later.
    pub(super) fn end_at(&self, time_s: f64) {
        self.takes_all.set(false);
        self.before_s.set(time_s);
    }

    /// Returns the time from which records are dropped, and how many were dropped.
    pub(super) fn left_out(&self) -> (f64, u64) {
        (self.before_s.get(), self.late.get())
    }

    #[cold]
    #[inline(never)]
    pub(super) fn takes(&self, kernel: &Kernel<'_>, record: &Record) -> bool {
        if record.start_s >= self.before_s.get() {
            self.late.set(self.late.get() + 1);
            return false;
        }
        let element = || match record.element_index() {
            Some(index) => self.takes_element(kernel, index),
            None => false,
        };
        self.filter.takes(record) && (self.filter.elements.is_empty() || element())
    }

    fn takes_element(&self, kernel: &Kernel<'_>, index: u32) -> bool {
        let look_up = || {
            let site = kernel.site(index);
            site.is_some_and(|site| {
                let mut names = self.filter.elements.iter();
                names.any(|name| *name == site.name || *name == site.id.to_string())
            })
        };
        let place = index as usize;
        if place >= KNOWN_MAX {
            return look_up();
        }
        let mut known = self.elements.borrow_mut();
        if place >= known.len() {
            known.resize(place + 1, None);
        }
        *known[place].get_or_insert_with(look_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_filter_says_what_one_is() {
        for text in [
            "",
            "pid",
            "pid=",
            "pid=x",
            "pid=3..1",
            "pid=-1",
            "element=",
            "time=1s",
            "rank=3",
            "network=on",
            "time=2..1",
        ] {
            let error = TraceFilter::default().add(text).unwrap_err().to_string();
            let said = "expected `pid=0..7`, `element=NAME`, `time=1ms..2ms` or `network=off`";
            assert!(error.contains(said), "{text}: {error}");
        }
        let error = TraceFilter::default().add("time=1parsec..").unwrap_err();
        assert!(error.to_string().contains("parsec"), "{error}");
    }

    #[test]
    fn processes_and_times_are_ranges_with_both_ends() {
        use prophet_trace::UnitState;

        let mut filter = TraceFilter::default();
        for text in ["pid=1..2", "pid=9", "time=..1", "time=5s..6s"] {
            filter.add(text).unwrap();
        }
        let takes = |pid, start_s, end_s| {
            filter.takes(&Record::new(pid, 0, UnitState::Wait, start_s, end_s))
        };
        assert!(takes(1, 0.5, 0.7) && takes(2, 1.0, 2.0) && takes(9, 2.0, 5.0));
        assert!(!takes(0, 0.5, 0.7) && !takes(3, 0.5, 0.7) && !takes(9, 2.0, 4.0));
        assert!(takes(9, 0.0, 100.0) && !takes(9, 7.0, 8.0));
    }
}
