//! Sorts records for formats in which they aren't sorted by end time.

use prophet_trace::{Record, UnitState};

use super::ExportError;
use super::Input;

/// A record, and the number of whole executions that contain it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nested {
    pub(crate) record: Record,
    pub(crate) depth: usize,
}

/// Reads all records, unit by unit and sorted by start. A whole execution precedes its content.
///
/// An execution that consists of several records but has no record of its own gets one if
/// `is_whole` returns `true` for the last of them. `has_others` returns whether the first record
/// can contain the second one, which belongs to a different element. All records are in memory.
/// Each takes about 100 bytes.
pub(crate) fn by_unit(
    input: &mut Input,
    is_whole: impl Fn(&Record) -> bool,
    has_others: impl Fn(&Record, &Record) -> bool,
) -> Result<Vec<Nested>, ExportError> {
    let mut all = Vec::new();
    let mut batch = Vec::new();
    while input.next_batch(&mut batch)? {
        for record in &batch {
            all.push(*record);
            if record.state != UnitState::Content && is_whole(record) {
                all.push(whole(record));
            }
        }
    }
    // The sort is stable, so a unit's records keep their order.
    all.sort_by_key(Record::unit);
    let mut sorted = Vec::with_capacity(all.len());
    for records in all.chunk_by(|one, next| one.unit() == next.unit()) {
        Nesting::of(records, &has_others).put_order(records, &mut sorted);
    }
    Ok(sorted)
}

/// Returns a record for the whole execution that this record ends.
fn whole(last: &Record) -> Record {
    let Record {
        pid, tid, end_s, ..
    } = *last;
    let start_s = last.began_s().unwrap_or(last.start_s);
    let record = Record::new(pid, tid, UnitState::Content, start_s, end_s).began(start_s);
    let record = last
        .element_index()
        .map_or(record, |index| record.element(index));
    if last.role().is_some() {
        return record;
    }
    // The root, size and communicator of a collective apply to all of it.
    let record = last
        .size_bytes()
        .map_or(record, |bytes| record.bytes(bytes));
    let record = last.partner_pid().map_or(record, |pid| record.partner(pid));
    last.comm_pid().map_or(record, |pid| record.comm(pid))
}

/// How a unit's records are nested in whole executions, as linked lists of indices.
struct Nesting {
    /// The first record inside each record. The last entry is the first record outside all
    /// executions.
    first: Vec<Option<usize>>,
    /// The next record at the same level, for each record.
    next: Vec<Option<usize>>,
}

impl Nesting {
    /// Finds the nesting of records in which a whole execution comes after its content.
    fn of(records: &[Record], has_others: &impl Fn(&Record, &Record) -> bool) -> Self {
        let none = records.len();
        let mut nesting = Self {
            first: vec![None; none + 1],
            next: vec![None; none],
        };
        // Executions that can contain the preceding records.
        let mut around: Vec<usize> = Vec::new();
        for (place, record) in records.iter().enumerate().rev() {
            let outside = |whole: &mut usize| {
                let whole = &records[*whole];
                !contains(whole, record, has_others(whole, record))
            };
            while around.pop_if(outside).is_some() {}
            let whole = around.last().copied().unwrap_or(none);
            nesting.next[place] = nesting.first[whole].replace(place);
            if record.state == UnitState::Content {
                around.push(place);
            }
        }
        nesting
    }

    /// Appends the records in an order in which each whole execution comes before its content.
    fn put_order(&self, records: &[Record], sorted: &mut Vec<Nested>) {
        let outermost = self.first.last().copied().flatten();
        let mut left: Vec<(usize, usize)> = outermost.map(|place| (place, 0)).into_iter().collect();
        while let Some((place, depth)) = left.pop() {
            let record = records[place];
            sorted.push(Nested { record, depth });
            left.extend(self.next[place].map(|next| (next, depth)));
            left.extend(self.first[place].map(|first| (first, depth + 1)));
        }
    }
}

/// Returns `true` if a whole execution contains an earlier record of the trace. It must already be
/// known to contain all executions in between.
fn contains(whole: &Record, record: &Record, has_others: bool) -> bool {
    if record.start_s < whole.start_s {
        return false;
    }
    if record.element_index() == whole.element_index() {
        // An element isn't inside itself. A record that ends an execution ends this one or another
        // one.
        let began_s = |record: &Record| record.began_s().map(f64::to_bits);
        let ends = began_s(whole) == began_s(record) && record.end_s >= whole.end_s;
        return record.began_s().is_none() || record.state != UnitState::Content && ends;
    }
    // A record that takes no time precedes one that starts at the same time and takes time.
    let is_before = record.end_s <= whole.start_s && whole.start_s < whole.end_s;
    has_others && !is_before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nests records. In this test, elements with an index below 10 contain other elements.
    fn order(records: &[Record]) -> Vec<(usize, usize)> {
        let has_others =
            |whole: &Record, _: &Record| whole.element_index().is_some_and(|index| index < 10);
        let mut sorted = Vec::new();
        Nesting::of(records, &has_others).put_order(records, &mut sorted);
        let place = |nested: &Nested| {
            let known = records.iter().position(|record| *record == nested.record);
            (known.unwrap(), nested.depth)
        };
        sorted.iter().map(place).collect()
    }

    fn record(element: u32, state: UnitState, [start_s, end_s]: [f64; 2]) -> Record {
        Record::new(0, 0, state, start_s, end_s).element(element)
    }

    fn whole(element: u32, [start_s, end_s]: [f64; 2]) -> Record {
        record(element, UnitState::Content, [start_s, end_s]).began(start_s)
    }

    #[test]
    fn whole_executions_come_before_what_they_contain() {
        let records = [
            record(10, UnitState::Send, [0.0, 0.0]).began(0.0),
            record(11, UnitState::Compute, [0.0, 1.0]).began(0.0),
            record(12, UnitState::Wait, [1.0, 2.0]),
            record(12, UnitState::Collective, [2.0, 3.0]),
            whole(12, [1.0, 3.0]),
            record(13, UnitState::Compute, [3.0, 4.0]).began(3.0),
            whole(1, [0.0, 4.0]),
            record(14, UnitState::Compute, [4.0, 5.0]).began(4.0),
        ];
        let expected = [
            (0, 0),
            (6, 0),
            (1, 1),
            (4, 1),
            (2, 2),
            (3, 2),
            (5, 1),
            (7, 0),
        ];
        assert_eq!(order(&records), expected);
    }

    #[test]
    fn what_takes_no_time_contains_what_it_contains() {
        let now = [5.0, 5.0];
        let records = [
            record(10, UnitState::Compute, now).began(5.0),
            whole(2, now),
            whole(1, now),
            record(11, UnitState::Send, now).message(prophet_trace::Role::Send, 0, 0, 8),
            whole(11, now),
            // This is the second iteration of the loop.
            record(11, UnitState::Send, now).message(prophet_trace::Role::Send, 1, 0, 8),
            record(11, UnitState::Receive, now).message(prophet_trace::Role::Receive, 1, 0, 8),
            whole(11, now).bytes(1),
        ];
        let expected = [
            (2, 0),
            (1, 1),
            (0, 2),
            (4, 0),
            (3, 1),
            (7, 0),
            (5, 1),
            (6, 1),
        ];
        assert_eq!(order(&records), expected);
    }
}
