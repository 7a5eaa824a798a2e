//! The critical path: what the predicted time is made of, from the last end back to the start.
//!
//! A unit's row that another unit ended (a message arrived, the last one came to a collective, a
//! CPU or a lock became free) hands the path over to that unit, at the time when it did so; what
//! lies between is the transfer. All else is the unit's own. The path has no gap and ends at the
//! predicted time: making anything on it shorter is the only way to make the run shorter, as long
//! as nothing else becomes critical.

use std::collections::BTreeMap;

use super::record::{Cause, Record, Rows, State};
use super::ticks::Ticks;

/// What the time of a segment went to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// The unit was in that state.
    State(State),
    /// A message was on its way to the unit.
    Transfer,
    /// Nothing is known of the unit.
    Unknown,
}

/// A part of the critical path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// The unit that it is on.
    pub uid: u32,
    /// The unit's process.
    pub pid: u32,
    /// The element, by index; none if nothing is known.
    pub element: Option<u32>,
    /// What happened.
    pub activity: Activity,
    /// From this time on, in simulated seconds.
    pub from_s: f64,
    /// To this time.
    pub to_s: f64,
}

/// The share of an element, in one activity, in the critical path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The element, by index; none if nothing is known.
    pub element: Option<u32>,
    /// What happened.
    pub activity: Activity,
    /// How long, in seconds.
    pub seconds: f64,
    /// In how many segments.
    pub segments: u64,
}

/// The critical path of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CriticalPath {
    /// Its segments from time 0 to the predicted time, each beginning where the last one ended.
    ///
    /// Above [`CriticalPath::SEGMENTS_MAX`] there are fewer: neighbours are joined, as the longer
    /// one of them.
    pub segments: Vec<Segment>,
    /// What it is made of, by element and activity; these sum to the predicted time.
    pub parts: Vec<Part>,
    /// How many segments it has.
    pub count: u64,
}

impl CriticalPath {
    /// More segments are joined.
    pub const SEGMENTS_MAX: usize = 1 << 16;

    /// Whether segments have been joined.
    pub fn is_coarse(&self) -> bool {
        self.count > self.segments.len() as u64
    }

    /// Finds the path that ends at `end_s` with unit `uid`.
    ///
    /// # Errors
    ///
    /// The rows cannot be read.
    pub fn find<R: Rows>(rows: &mut R, uid: u32, end_s: f64) -> Result<Self, R::Error> {
        let mut walk = Walk {
            back: Back::new(rows),
            found: Found::new(end_s),
            uid,
            time_s: end_s,
            handovers: 0,
        };
        while walk.time_s > 0.0 {
            walk.step()?;
        }
        Ok(walk.found.path())
    }
}

/// What a row is to the path.
#[derive(Debug, Clone, Copy)]
struct Open {
    pid: u32,
    element: u32,
    state: State,
    start_s: f64,
    end_s: f64,
    cause: Option<Cause>,
}

/// The rows, read from the last one back.
struct Back<'r, R> {
    rows: &'r mut R,
    /// Batches that are not read yet.
    batches: usize,
    /// Rows of the batch at hand that are not passed yet.
    batch: Vec<Record>,
    /// The earliest row of each unit that has been passed and took time.
    open: BTreeMap<u32, Open>,
    /// The units of each process that have been seen.
    units: BTreeMap<u32, Vec<u32>>,
}

impl<'r, R: Rows> Back<'r, R> {
    fn new(rows: &'r mut R) -> Self {
        let batches = rows.batches();
        Self {
            rows,
            batches,
            batch: Vec::new(),
            open: BTreeMap::new(),
            units: BTreeMap::new(),
        }
    }

    /// The row before the last one, if it `wanted`; rows that take no time are left out.
    fn next(&mut self, wanted: impl Fn(&Record) -> bool) -> Result<Option<Record>, R::Error> {
        loop {
            while let Some(row) = self.batch.last() {
                // So that a row which is damaged cannot stop the walk.
                let takes_time = row.start_s >= 0.0 && row.start_s < row.end_s;
                if takes_time && !wanted(row) {
                    return Ok(None);
                }
                let row = *row;
                self.batch.pop();
                if takes_time {
                    return Ok(Some(row));
                }
            }
            let Some(batch) = self.batches.checked_sub(1) else {
                return Ok(None);
            };
            self.batches = batch;
            self.batch = self.rows.batch(batch)?;
        }
    }

    fn pass(&mut self, row: &Record) {
        let open = Open {
            pid: row.pid,
            element: row.element,
            state: row.state,
            start_s: row.start_s,
            end_s: row.end_s,
            cause: row.cause,
        };
        if self.open.insert(row.uid, open).is_none() {
            self.units.entry(row.pid).or_default().push(row.uid);
        }
    }

    /// Passes all rows that end at a time or later.
    fn reach(&mut self, time_s: f64) -> Result<(), R::Error> {
        while let Some(row) = self.next(|row| row.end_s >= time_s)? {
            self.pass(&row);
        }
        Ok(())
    }

    /// The unit's row that leads to a time.
    fn of(&self, uid: u32, time_s: f64) -> Option<Open> {
        let open = self.open.get(&uid)?;
        (open.start_s < time_s && time_s <= open.end_s).then_some(*open)
    }

    /// The row of another thread of the process that leads to a time: a thread begins where one
    /// of those has come to.
    fn of_others(&self, pid: u32, time_s: f64) -> Option<(u32, Open)> {
        let units = self.units.get(&pid)?;
        let rows = units
            .iter()
            .filter_map(|uid| Some((*uid, self.of(*uid, time_s)?)));
        rows.min_by(|(a, row_a), (b, row_b)| {
            let ends = |row: &Open| row.end_s > time_s;
            (ends(row_a), *a).cmp(&(ends(row_b), *b))
        })
    }

    /// When the unit was busy last before a time.
    fn last_end(&mut self, uid: u32, time_s: f64) -> Result<f64, R::Error> {
        loop {
            let Some(row) = self.next(|_| true)? else {
                return Ok(0.0);
            };
            self.pass(&row);
            if row.uid == uid && row.end_s < time_s {
                return Ok(row.end_s);
            }
        }
    }
}

/// The segments that have been found, the last one first.
struct Found {
    ticks: Ticks,
    segments: Vec<Segment>,
    count: u64,
    parts: BTreeMap<(Option<u32>, Activity), (i128, u64)>,
}

impl Found {
    fn new(end_s: f64) -> Self {
        Self {
            ticks: Ticks::up_to(end_s),
            segments: Vec::new(),
            count: 0,
            parts: BTreeMap::new(),
        }
    }

    fn push(&mut self, segment: Segment) {
        let key = (segment.element, segment.activity);
        let (ticks, segments) = self.parts.entry(key).or_default();
        *ticks += self.ticks.between(segment.from_s, segment.to_s);
        *segments += 1;
        self.count += 1;
        self.segments.push(segment);
        if self.segments.len() >= 2 * CriticalPath::SEGMENTS_MAX {
            self.join();
        }
    }

    /// Joins each two neighbours.
    fn join(&mut self) {
        let joined = self.segments.chunks(2).map(|pair| {
            let longest = pair.iter().copied().reduce(|a, b| {
                let length = |segment: Segment| segment.to_s - segment.from_s;
                if length(b) > length(a) { b } else { a }
            });
            // The later one comes first.
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
        let part = |((element, activity), (ticks, segments))| Part {
            element,
            activity,
            seconds: self.ticks.seconds(ticks),
            segments,
        };
        CriticalPath {
            segments: self.segments,
            parts: self.parts.into_iter().map(part).collect(),
            count: self.count,
        }
    }
}

/// Where the walk back has come to.
struct Walk<'r, R> {
    back: Back<'r, R>,
    found: Found,
    uid: u32,
    time_s: f64,
    /// From unit to unit without going back in time: in a trace that is true fewer than there are
    /// units, as a unit that waits until an instant cannot have ended waits before it.
    handovers: usize,
}

impl<R: Rows> Walk<'_, R> {
    /// Goes back by one row.
    fn step(&mut self) -> Result<(), R::Error> {
        self.back.reach(self.time_s)?;
        let Some((uid, row)) = self.row() else {
            return self.step_over_gap();
        };
        let is_possible = self.handovers <= self.back.open.len();
        let before = |cause: &Cause| is_possible && (0.0..=self.time_s).contains(&cause.time_s);
        let handed = row.cause.filter(before);
        let segment = |activity, from_s| Segment {
            uid,
            pid: row.pid,
            element: Some(row.element),
            activity,
            from_s,
            to_s: self.time_s,
        };
        if let Some(cause) = handed {
            self.go_back(segment(Activity::Transfer, cause.time_s));
            self.uid = cause.uid;
        } else {
            self.go_back(segment(Activity::State(row.state), row.start_s));
            self.uid = uid;
        }
        Ok(())
    }

    /// The row that leads to where the walk is, and its unit.
    fn row(&self) -> Option<(u32, Open)> {
        if let Some(row) = self.back.of(self.uid, self.time_s) {
            return Some((self.uid, row));
        }
        self.back.of_others(self.pid()?, self.time_s)
    }

    fn pid(&self) -> Option<u32> {
        self.back.open.get(&self.uid).map(|open| open.pid)
    }

    fn go_back(&mut self, segment: Segment) {
        if segment.from_s < segment.to_s {
            self.time_s = segment.from_s;
            self.handovers = 0;
            self.found.push(segment);
        } else {
            self.handovers += 1;
        }
    }

    /// Goes back to where the unit was busy last.
    fn step_over_gap(&mut self) -> Result<(), R::Error> {
        let from_s = self.back.last_end(self.uid, self.time_s)?;
        let segment = Segment {
            uid: self.uid,
            pid: self.pid().unwrap_or(self.uid),
            element: None,
            activity: Activity::Unknown,
            from_s,
            to_s: self.time_s,
        };
        self.go_back(segment);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
