//! Finds the critical path: a chain of activities that explains the predicted time, from the end of
//! the run back to its start.
//!
//! If a unit waited for another unit (the last to reach a collective, or the holder of a CPU or a
//! lock), the path continues with that other unit at that time. If a unit waited until it had
//! received or sent a message, the path continues with the unit that let the message start, at the
//! time when it did so. The time in between is transfer time. That unit is the sender, or the
//! receiver if a nonblocking message waited for its receive. All other time is the unit's own. The
//! path has no gaps and ends at the predicted time. A run gets shorter only if something on the
//! path does, and only until a different path becomes critical.

use std::collections::BTreeMap;

use prophet_trace::{Record, Role, UnitId, UnitState};

use super::rows::Rows;
use super::ticks::Ticks;

/// What a unit does during a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    State(UnitState),
    /// A message from the element was in flight to the next unit.
    Transfer,
    /// The trace doesn't contain a record of the unit at that time.
    Unknown,
}

/// A part of the critical path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    pub unit: UnitId,
    /// Index of the element that the unit was executing; `None` if unknown.
    pub element: Option<u32>,
    pub activity: Activity,
    /// In simulated seconds.
    pub from_s: f64,
    /// In simulated seconds.
    pub to_s: f64,
}

/// All segments of the critical path with the same element and activity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathPart {
    /// Index of the element; `None` if unknown.
    pub element: Option<u32>,
    pub activity: Activity,
    /// Total time of the segments in seconds.
    pub seconds: f64,
    pub segments: u64,
}

/// A step of the critical path from one element of a process to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathStep {
    /// Index of the earlier element; `None` at the start of the path.
    pub from: Option<u32>,
    /// Index of the later element; `None` at the end of the path.
    pub to: Option<u32>,
    /// How often this step occurs on the path.
    pub count: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct CriticalPath {
    /// The segments from time 0 to the predicted time, without gaps.
    ///
    /// If there are more than [`CriticalPath::SEGMENTS_MAX`], neighboring segments are joined, and
    /// the longer one describes both.
    pub segments: Vec<Segment>,
    /// Parts of the path by element and activity. Their times add up to the predicted time.
    pub parts: Vec<PathPart>,
    /// Steps from one element to the next within the same process.
    pub steps: Vec<PathStep>,
    /// Number of segments before any were joined.
    pub count: u64,
}

impl CriticalPath {
    /// Maximum number of segments. Longer paths are simplified by joining segments.
    pub const SEGMENTS_MAX: usize = 1 << 16;
    /// Maximum number of different steps. Any others are left out.
    pub const STEPS_MAX: usize = 1 << 16;

    /// Returns `true` if some segments were joined.
    pub fn is_coarse(&self) -> bool {
        self.count > self.segments.len() as u64
    }

    /// Finds the path that ends with `unit` at `end_s`.
    ///
    /// # Errors
    ///
    /// Returns an error if the rows can't be read.
    pub fn find<R: Rows>(rows: &mut R, unit: UnitId, end_s: f64) -> Result<Self, R::Error> {
        let mut walk = Walk {
            back: Back::new(rows),
            found: FoundSegments::new(end_s),
            unit,
            time_s: end_s,
            later: Some((unit.pid, None)),
            handovers: 0,
        };
        while walk.time_s > 0.0 {
            walk.step()?;
        }
        if let Some((_, Some(first))) = walk.later {
            walk.found.step((None, Some(first)));
        }
        Ok(walk.found.path())
    }
}

/// Identifies a message in a trace: its sender and its number.
type Name = (u32, u32);

/// A process and one of its threads.
type Unit = (u32, u32);

/// Returns `true` if a row takes time, so that the path goes back in time through it.
fn takes_time(row: &Record) -> bool {
    // The check prevents a damaged row from stopping the walk.
    row.state != UnitState::Content && row.start_s >= 0.0 && row.start_s < row.end_s
}

/// Returns the message that starts to travel when a row starts: one that the row sends, or an
/// earlier one that was waiting for its receive.
fn sent(row: &Record) -> Option<Name> {
    match row.state {
        UnitState::Send | UnitState::Collective => {
            row.sender().filter(|_| row.role() == Some(Role::Send))
        }
        UnitState::Wait => row.begun(),
        UnitState::Compute
        | UnitState::Receive
        | UnitState::Synchronize
        | UnitState::Hold
        | UnitState::Content => None,
    }
}

/// Returns the message whose arrival ends a row.
fn awaited(row: &Record) -> Option<Name> {
    match row.state {
        UnitState::Wait | UnitState::Synchronize => {
            row.sender().filter(|_| row.role() == Some(Role::Receive))
        }
        UnitState::Send => row.begun(),
        UnitState::Compute
        | UnitState::Receive
        | UnitState::Collective
        | UnitState::Hold
        | UnitState::Content => None,
    }
}

/// Reads the rows backward, starting with the last one.
struct Back<'r, R> {
    rows: &'r mut R,
    batches: usize,
    batch: Vec<Record>,
    /// The earliest row of each unit read so far that takes time.
    open: BTreeMap<Unit, Record>,
    /// Sends in rows that end at the same time as the last row read. In the trace, such a row can
    /// come after its receiver's row.
    sent: BTreeMap<Name, Record>,
    sent_s: f64,
}

impl<'r, R: Rows> Back<'r, R> {
    fn new(rows: &'r mut R) -> Self {
        let batches = rows.batches();
        Self {
            rows,
            batches,
            batch: Vec::new(),
            open: BTreeMap::new(),
            sent: BTreeMap::new(),
            sent_s: f64::INFINITY,
        }
    }

    /// Returns the next row without consuming it.
    fn peek(&mut self) -> Result<Option<&Record>, R::Error> {
        while self.batch.is_empty() {
            let Some(batch) = self.batches.checked_sub(1) else {
                return Ok(None);
            };
            self.batches = batch;
            self.rows.batch(batch, &mut self.batch)?;
        }
        Ok(self.batch.last())
    }

    fn pass(&mut self) -> Option<Record> {
        let row = self.batch.pop()?;
        if let Some(name) = sent(&row) {
            if row.end_s.to_bits() != self.sent_s.to_bits() {
                self.sent.clear();
                self.sent_s = row.end_s;
            }
            self.sent.insert(name, row);
        }
        if takes_time(&row) {
            self.open.insert((row.pid, row.tid), row);
        }
        Some(row)
    }

    fn reach(&mut self, time_s: f64) -> Result<(), R::Error> {
        while self.peek()?.is_some_and(|row| row.end_s >= time_s) {
            self.pass();
        }
        Ok(())
    }

    /// Finds the unit's row just before `time_s`.
    fn of(&self, unit: UnitId, time_s: f64) -> Option<Record> {
        let row = self.open.get(&(unit.pid, unit.tid))?;
        (row.start_s < time_s && time_s <= row.end_s).then_some(*row)
    }

    /// Finds a row of any thread of the process just before `time_s`, because a thread starts at a
    /// time that another thread has reached.
    fn of_others(&self, pid: u32, time_s: f64) -> Option<Record> {
        let units = self.open.range((pid, 0)..=(pid, u32::MAX));
        let rows = units.filter_map(|(_, row)| self.of(row.unit(), time_s));
        // Prefer a thread that ends there to one that is busy there, then the lowest thread.
        rows.reduce(|best, row| if row.end_s < best.end_s { row } else { best })
    }

    /// Finds the row in which a message started. `time_s` is when the message arrived.
    fn sender(&mut self, name: Name, time_s: f64) -> Result<Option<Record>, R::Error> {
        self.reach(time_s)?;
        if let Some(row) = self.sent.get(&name) {
            return Ok(Some(*row));
        }
        while self.peek()?.is_some() {
            let row = self.pass();
            if row.and_then(|row| sent(&row)) == Some(name) {
                return Ok(row);
            }
        }
        Ok(None)
    }

    /// Finds the last time before `time_s` at which the unit was busy.
    fn last_end(&mut self, unit: UnitId, time_s: f64) -> Result<f64, R::Error> {
        while self.peek()?.is_some() {
            if let Some(row) = self.pass()
                && (row.unit() == unit && row.end_s < time_s && takes_time(&row))
            {
                return Ok(row.end_s);
            }
        }
        Ok(0.0)
    }
}

struct FoundSegments {
    ticks: Ticks,
    segments: Vec<Segment>,
    count: u64,
    /// The parts, sorted by key.
    parts: Vec<PartSum>,
    steps: BTreeMap<(Option<u32>, Option<u32>), u64>,
}

/// A sum from which a [`PathPart`] is made.
struct PartSum {
    key: (Option<u32>, Activity),
    ticks: i128,
    segments: u64,
}

impl FoundSegments {
    fn new(end_s: f64) -> Self {
        Self {
            ticks: Ticks::up_to(end_s),
            segments: Vec::new(),
            count: 0,
            parts: Vec::new(),
            steps: BTreeMap::new(),
        }
    }

    fn push(&mut self, segment: Segment) {
        let key = (segment.element, segment.activity);
        let place = self.parts.binary_search_by(|part| part.key.cmp(&key));
        let place = place.unwrap_or_else(|place| {
            let (ticks, segments) = (0, 0);
            self.parts.insert(
                place,
                PartSum {
                    key,
                    ticks,
                    segments,
                },
            );
            place
        });
        let part = &mut self.parts[place];
        part.ticks += self.ticks.between(segment.from_s, segment.to_s);
        part.segments += 1;
        self.count += 1;
        self.segments.push(segment);
        if self.segments.len() >= 2 * CriticalPath::SEGMENTS_MAX {
            self.join();
        }
    }

    fn step(&mut self, elements: (Option<u32>, Option<u32>)) {
        // Models have few more steps than elements, but an untrusted trace can have any number.
        if self.steps.len() < CriticalPath::STEPS_MAX || self.steps.contains_key(&elements) {
            *self.steps.entry(elements).or_default() += 1;
        }
    }

    fn join(&mut self) {
        let joined = self.segments.chunks(2).map(|pair| {
            let longest = pair.iter().copied().reduce(|a, b| {
                let length = |segment: Segment| segment.to_s - segment.from_s;
                if length(b) > length(a) { b } else { a }
            });
            // The later segment comes first.
            longest.map(|longest| Segment {
                from_s: pair[pair.len() - 1].from_s,
                to_s: pair[0].to_s,
                ..longest
            })
        });
        self.segments = joined.flatten().collect();
    }

    fn path(mut self) -> CriticalPath {
        while self.segments.len() > CriticalPath::SEGMENTS_MAX {
            self.join();
        }
        self.segments.reverse();
        let part = |part: PartSum| PathPart {
            element: part.key.0,
            activity: part.key.1,
            seconds: self.ticks.seconds(part.ticks),
            segments: part.segments,
        };
        let step = |((from, to), count)| PathStep { from, to, count };
        CriticalPath {
            segments: self.segments,
            parts: self.parts.into_iter().map(part).collect(),
            steps: self.steps.into_iter().map(step).collect(),
            count: self.count,
        }
    }
}

struct Walk<'r, R> {
    back: Back<'r, R>,
    found: FoundSegments,
    unit: UnitId,
    time_s: f64,
    /// Process and element of the row met last, which is later in time. Before the first row, the
    /// process in which the path ends.
    later: Option<(u32, Option<u32>)>,
    /// Number of changes between units since the path last went back in time. In a valid trace, it
    /// stays below the number of units, because a waiting unit can't end another unit's wait.
    handovers: usize,
}

impl<R: Rows> Walk<'_, R> {
    fn step(&mut self) -> Result<(), R::Error> {
        self.back.reach(self.time_s)?;
        let own = self.back.of(self.unit, self.time_s);
        let Some(row) = own.or_else(|| self.back.of_others(self.unit.pid, self.time_s)) else {
            return self.step_over_gap();
        };
        self.unit = row.unit();
        self.meet(&row);
        // If the path reaches a unit in the middle of a wait, what ended the wait didn't delay the
        // path.
        if row.end_s.to_bits() == self.time_s.to_bits() {
            if let Some(unit) = row.cause_unit().filter(|unit| *unit != row.unit())
                && self.hand_over(unit)
            {
                return Ok(());
            }
            if let Some(name) = awaited(&row)
                && self.step_to_sender(name)?
            {
                return Ok(());
            }
        }
        self.go_back(Segment {
            unit: row.unit(),
            element: row.element_index(),
            activity: Activity::State(row.state),
            from_s: row.start_s,
            to_s: self.time_s,
        });
        Ok(())
    }

    /// Records the step from this row to the row met before it, which is later in time.
    fn meet(&mut self, row: &Record) {
        let from = row.element_index();
        if let Some((of, to)) = self.later
            && row.pid == of
            && from.is_some()
            // Only the last row of an execution shows when it began.
            && (from != to || row.began_s().is_some())
        {
            self.found.step((from, to));
        }
        self.later = from.map(|from| (row.pid, Some(from)));
    }

    /// Continues with another unit at the same time. Returns whether this is possible.
    fn hand_over(&mut self, unit: UnitId) -> bool {
        let possible = self.handovers <= self.back.open.len();
        if possible {
            self.unit = unit;
            self.handovers += 1;
        }
        possible
    }

    /// Goes back to where a message started. Returns whether that is known.
    fn step_to_sender(&mut self, name: Name) -> Result<bool, R::Error> {
        let Some(sent) = self.back.sender(name, self.time_s)? else {
            return Ok(false);
        };
        self.meet(&sent);
        if sent.start_s >= self.time_s {
            // The message took no time.
            return Ok(self.hand_over(sent.unit()));
        }
        self.unit = sent.unit();
        self.go_back(Segment {
            unit: sent.unit(),
            element: sent.element_index(),
            activity: Activity::Transfer,
            from_s: sent.start_s,
            to_s: self.time_s,
        });
        Ok(true)
    }

    fn go_back(&mut self, segment: Segment) {
        self.time_s = segment.from_s;
        self.handovers = 0;
        self.found.push(segment);
    }

    /// Goes back to the last time at which the unit was busy.
    fn step_over_gap(&mut self) -> Result<(), R::Error> {
        let from_s = self.back.last_end(self.unit, self.time_s)?;
        self.go_back(Segment {
            unit: self.unit,
            element: None,
            activity: Activity::Unknown,
            from_s: if from_s >= 0.0 { from_s } else { 0.0 },
            to_s: self.time_s,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
