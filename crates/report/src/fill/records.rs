//! Fills in the rows of the space-time diagram, joining some of them if there are too many.

use std::collections::BTreeMap;

use prophet_trace::{Record, Role, UnitId, UnitState};

use super::number::{offset, place, state, uid};
use crate::analysis::path::Activity;
use crate::analysis::teams::Teams;
use crate::analysis::totals::Totals;
use crate::page::Records;
use prophet_text::short_time;

/// A part of a unit's time that is drawn as one bar.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    element: Option<u32>,
    state: UnitState,
    /// Whether a collective is on the sending or the receiving side of the message.
    role: Option<Role>,
    /// The stretch accounts for 1/`parts` of the process's time; 0 if that is unknown.
    parts: u32,
    start_s: f64,
    end_s: f64,
    /// Duration in seconds of the stretch's longest row, which determines the element, state and
    /// parts.
    longest_s: f64,
}

/// The rows of each unit.
///
/// If a page would have too many rows, neighboring rows that are too short to see are drawn as one,
/// with the state and element of the longest row. If there are too many units, some processes are
/// left out.
#[derive(Debug)]
pub(super) struct Lanes<'a> {
    indices: &'a [u32],
    /// Rows shorter than this, in seconds, are joined; 0 draws every row.
    least_s: f64,
    /// One out of this many processes is drawn.
    stride: u32,
    teams: Teams,
    units: BTreeMap<UnitId, Vec<Stretch>>,
    limit: usize,
    rows: usize,
    /// Whether rows had to be left out even after joining.
    cut: bool,
}

/// Minimum number of rows per unit if there are many units.
const ROWS_OF_UNIT: usize = 64;

impl<'a> Lanes<'a> {
    /// Creates lanes with at most `limit` rows for a run with these totals.
    pub(super) fn new(indices: &'a [u32], predicted_s: f64, totals: &Totals, limit: usize) -> Self {
        let mut lanes = Self {
            indices,
            least_s: 0.0,
            stride: 1,
            teams: Teams::default(),
            units: BTreeMap::new(),
            limit,
            rows: 0,
            cut: false,
        };
        if totals.rows() > limit as u64 {
            let units = totals.processes().len() * totals.threads() as usize;
            let stride = (units * ROWS_OF_UNIT).div_ceil(limit).max(1);
            lanes.stride = u32::try_from(stride).unwrap_or(u32::MAX);
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let rows_of_unit = limit as f64 / units.div_ceil(stride).max(1) as f64;
            // In the worst case, stretches of this length alternate with longer rows.
            lanes.least_s = 2.0 * predicted_s / (rows_of_unit - 2.0).max(1.0);
        }
        lanes
    }

    pub(super) fn add(&mut self, row: &Record) {
        let parts = self.teams.parts(row).map_or(0, |(own, _)| own);
        let parts = u32::try_from(parts).unwrap_or(u32::MAX);
        let drawn = row.state != UnitState::Content && row.end_s > row.start_s;
        if !drawn || !row.pid.is_multiple_of(self.stride) {
            return;
        }
        let stretches = self.units.entry(row.unit()).or_default();
        let seconds = row.seconds();
        if let Some(last) = stretches.last_mut() {
            let is_short = last.end_s - last.start_s < self.least_s;
            if is_short && seconds < self.least_s && last.end_s <= row.start_s {
                last.end_s = row.end_s;
                if seconds > last.longest_s {
                    last.longest_s = seconds;
                    last.element = row.element_index();
                    last.state = row.state;
                    last.role = side(row);
                    last.parts = parts;
                }
                return;
            }
        }
        if self.rows == self.limit {
            self.cut = true;
            return;
        }
        self.rows += 1;
        stretches.push(Stretch {
            element: row.element_index(),
            state: row.state,
            role: side(row),
            parts,
            start_s: row.start_s,
            end_s: row.end_s,
            longest_s: seconds,
        });
    }

    /// Returns a note about what isn't drawn in full.
    pub(super) fn note(&self) -> Option<String> {
        if self.least_s <= 0.0 {
            return None;
        }
        let mut note = format!(
            "The trace has more records than a page can draw ({}): records shorter than {} are \
             merged with their neighbors and drawn as the longest of them.",
            self.limit,
            short_time(self.least_s)
        );
        if self.stride > 1 {
            note = format!("{note} Only one in {} processes is drawn.", self.stride);
        }
        if self.cut {
            note += " The last records are omitted.";
        }
        Some(note)
    }

    pub(super) fn records(self, threads: u32) -> Records {
        let mut columns = Records {
            joined: self.least_s > 0.0,
            ..Records::default()
        };
        let shared = self.units.values().flatten().any(|it| it.parts != 1);
        let sided = self.units.values().flatten().any(|it| it.role.is_some());
        for (unit, stretches) in self.units {
            columns.units.push(uid(unit, threads));
            columns.offsets.push(offset(columns.element.len()));
            for stretch in stretches {
                columns.element.push(place(self.indices, stretch.element));
                columns.state.push(state(Activity::State(stretch.state)));
                if sided {
                    columns
                        .role
                        .push(stretch.role.map_or(0, |role| 1 + role as u8));
                }
                if shared {
                    columns.parts.push(stretch.parts);
                }
                columns.start_s.push(stretch.start_s);
                columns.end_s.push(stretch.end_s);
            }
        }
        columns.offsets.push(offset(columns.element.len()));
        columns
    }
}

/// Returns the side of the message that a collective is on.
fn side(row: &Record) -> Option<Role> {
    row.role().filter(|_| row.state == UnitState::Collective)
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use super::*;

    fn rows(units: u32, each: u32) -> impl Iterator<Item = Record> {
        let row = |number: u32, pid| {
            let (start_s, end_s) = (f64::from(number), f64::from(number + 1));
            Record::new(pid, 0, UnitState::Compute, start_s, end_s).element(number % 3)
        };
        (0..each).flat_map(move |number| (0..units).map(move |pid| row(number, pid)))
    }

    fn lanes(units: u32, each: u32, limit: usize) -> (Records, Option<String>) {
        let mut totals = Totals::new(f64::from(each), units as usize, &[0, 1, 2]);
        rows(units, each).for_each(|row| totals.add(&row));
        let mut lanes = Lanes::new(&[0, 1, 2], f64::from(each), &totals, limit);
        rows(units, each).for_each(|row| lanes.add(&row));
        let note = lanes.note();
        (lanes.records(1), note)
    }

    #[test]
    fn few_rows_are_all_drawn() {
        let (records, note) = lanes(3, 10, 30);
        assert_eq!(note, None);
        assert!(!records.joined && records.parts.is_empty());
        assert_eq!(records.units, [0, 1, 2]);
        assert_eq!(records.offsets, [0, 10, 20, 30]);
        assert_eq!(records.element[..4], [0, 1, 2, 0]);
    }

    #[test]
    fn collectives_have_the_sides_of_their_messages() {
        let row = |state, from_s| Record::new(0, 0, state, from_s, from_s + 1.0).element(0);
        let rows = [
            row(UnitState::Send, 0.0).message(Role::Send, 0, 1, 8),
            row(UnitState::Collective, 1.0).message(Role::Send, 1, 1, 8),
            row(UnitState::Collective, 2.0).message(Role::Receive, 0, 1, 8),
            row(UnitState::Collective, 3.0),
        ];
        let mut totals = Totals::new(4.0, 1, &[0]);
        for row in &rows {
            totals.add(row);
        }
        let mut lanes = Lanes::new(&[0], 4.0, &totals, 9);
        for row in &rows {
            lanes.add(row);
        }
        assert_eq!(lanes.records(1).role, [0, 1, 2, 0]);
        let (records, _) = self::lanes(3, 10, 30);
        assert!(records.role.is_empty());
    }

    #[test]
    fn many_rows_are_joined_without_a_gap() {
        let (records, note) = lanes(4, 10_000, 1024);
        assert_says(note.unwrap(), &["more records than a page can draw (1024)"]);
        assert!(records.joined);
        assert!(records.element.len() <= 1024 && records.element.len() > 256);
        for unit in records.offsets.windows(2) {
            let (first, last) = (unit[0] as usize, unit[1] as usize);
            let ends = &records.end_s[first..last];
            assert_eq!(records.start_s[first + 1..last], ends[..ends.len() - 1]);
            assert!((ends[ends.len() - 1] - 10_000.0).abs() < 1e-9);
        }
    }

    #[test]
    fn of_very_many_units_some_are_drawn() {
        let (records, note) = lanes(100, 100, 1024);
        assert!(note.unwrap().contains("one in 7 processes is drawn"));
        assert_eq!(records.units[..3], [0, 7, 14]);
        assert!(records.element.len() <= 1024);
    }
}
