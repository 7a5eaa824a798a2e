//! Records in other orders than that of their ends, for formats that want them so.

use prophet_trace::{Record, State};

use crate::ExportError;
use crate::format::Input;

/// All records, unit by unit, each in the order in which it begins what it does: what is within a
/// whole execution comes after that.
///
/// They are all in memory, less than 100 bytes each.
pub(crate) fn by_unit(input: &mut Input) -> Result<Vec<Record>, ExportError> {
    let mut all = Vec::new();
    let mut batch = Vec::new();
    while input.next_batch(&mut batch)? {
        all.append(&mut batch);
    }
    // Stable: those of a unit stay in their order.
    all.sort_by_key(Record::unit);
    let mut sorted = Vec::with_capacity(all.len());
    for records in all.chunk_by(|one, next| one.unit() == next.unit()) {
        let order = Nesting::of(records).order();
        sorted.extend(order.into_iter().map(|place| records[place]));
    }
    Ok(sorted)
}

/// Which records of a unit are within which whole executions, as lists by their places.
struct Nesting {
    /// The first of those within a record; that of the last entry is the first that is in none.
    first: Vec<Option<usize>>,
    /// The next beside a record.
    next: Vec<Option<usize>>,
}

impl Nesting {
    /// A whole execution comes after what it contains.
    fn of(records: &[Record]) -> Self {
        let none = records.len();
        let mut nesting = Self {
            first: vec![None; none + 1],
            next: vec![None; none],
        };
        // The executions that may contain the records before.
        let mut around: Vec<usize> = Vec::new();
        for (place, record) in records.iter().enumerate().rev() {
            let outside = |whole: &mut usize| {
                let whole = &records[*whole];
                // What takes no time, at the start of what does, is before that.
                let is_before = record.end_s <= whole.start_s && whole.start_s < whole.end_s;
                record.start_s < whole.start_s || is_before
            };
            while around.pop_if(outside).is_some() {}
            let whole = around.last().copied().unwrap_or(none);
            nesting.next[place] = nesting.first[whole].replace(place);
            if record.state == State::Content {
                around.push(place);
            }
        }
        nesting
    }

    /// The places, each whole execution before what it contains.
    fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.next.len());
        let mut left: Vec<usize> = self.first.last().copied().flatten().into_iter().collect();
        while let Some(place) = left.pop() {
            order.push(place);
            left.extend(self.next[place]);
            left.extend(self.first[place]);
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_executions_come_before_what_they_contain() {
        let record = |state, start_s, end_s| Record::new(0, 0, state, start_s, end_s);
        let records = [
            record(State::Send, 0.0, 0.0),
            record(State::Content, 0.0, 0.0),
            record(State::Compute, 0.0, 1.0),
            record(State::Wait, 1.0, 2.0),
            record(State::Collective, 2.0, 3.0),
            record(State::Content, 1.0, 3.0),
            record(State::Compute, 3.0, 4.0),
            record(State::Content, 0.0, 4.0),
            record(State::Compute, 4.0, 5.0),
        ];
        assert_eq!(Nesting::of(&records).order(), [1, 0, 7, 2, 5, 3, 4, 6, 8]);
    }
}
