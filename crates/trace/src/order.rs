//! Sorts the records that are ready to be written. This usually takes linear time, because the ends
//! of records are spread out.
//!
//! Consecutive records of a process that have the same end form a group, and only groups are
//! sorted.

use crate::record::Record;

/// Mean number of groups per bucket, up to a factor of two, if ends are evenly spread.
const BUCKET: usize = 2;
/// The resolution of ends is the last end divided by 2^`OCTAVES`.
const OCTAVES: u64 = 32;
/// Maximum number of records in a list; a power of two.
pub(crate) const LIST: usize = 1 << 12;

/// A group to sort: consecutive records of a process that have the same end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Item {
    /// Bits of the end. For positive numbers, they sort like the numbers.
    end: u64,
    /// Position of the group's first record: [`LIST`] for each earlier list, plus the index in its
    /// own list.
    place: u32,
    count: u32,
}

impl Item {
    /// Returns the records of the group; `lists` are the lists that were sorted.
    #[inline]
    pub(crate) fn of(self, lists: &[Vec<Record>]) -> &[Record] {
        let start = self.place as usize % LIST;
        &lists[self.place as usize / LIST][start..start + self.count as usize]
    }

    /// Returns the sort key of the records: the bits of the end, then the process.
    pub(crate) fn key(self, lists: &[Vec<Record>]) -> (u64, u32) {
        (self.end, self.of(lists)[0].pid)
    }
}

/// Consecutive groups of a process.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    pid: u32,
    /// Index of the first group that is left to sort.
    start: usize,
    /// Index after the last group.
    end: usize,
}

/// Sorts records, and reuses its memory.
#[derive(Debug, Default)]
pub(crate) struct Order {
    items: Vec<Item>,
    ordered: Vec<Item>,
    runs: Vec<Run>,
    ordered_runs: Vec<Run>,
    /// Start of each bucket and, while items are placed, where its next item goes.
    places: Vec<u32>,
    /// Bits of the time before which all records have been sorted.
    until: u64,
}

impl Order {
    /// Sorts the records that end before `until_s` by end, then by process, then by order of
    /// arrival. Each list must have at most [`LIST`] records.
    pub(crate) fn of(&mut self, lists: &[Vec<Record>], until_s: f64) -> &[Item] {
        self.take(lists, until_s);
        self.order_runs();
        self.order_items(until_s);
        &self.ordered
    }

    /// Takes the groups that end before `until_s`, in order of arrival.
    fn take(&mut self, lists: &[Vec<Record>], until_s: f64) {
        self.items.clear();
        self.runs.clear();
        let (mut pid, mut start) = (0, 0);
        for (list, first) in lists.iter().zip((0..).step_by(LIST)) {
            let mut place = first;
            let together =
                |a: &Record, b: &Record| a.end_s.to_bits() == b.end_s.to_bits() && a.pid == b.pid;
            for group in list.chunk_by(together) {
                let (end, Record { pid: of, end_s, .. }) = (self.items.len(), group[0]);
                if of != pid {
                    self.runs.push(Run { pid, start, end });
                    (pid, start) = (of, end);
                }
                #[expect(clippy::cast_possible_truncation, reason = "lists are short")]
                let count = group.len() as u32;
                if end_s < until_s {
                    let end = end_s.to_bits();
                    self.items.push(Item { end, place, count });
                }
                place += count;
            }
        }
        let end = self.items.len();
        self.runs.push(Run { pid, start, end });
    }

    fn order_runs(&mut self) {
        let last = self.runs.iter().map(|run| run.pid).max().unwrap_or(0) as usize;
        if last < 2 * self.items.len() {
            let runs = std::iter::once(&*self.runs);
            let pid = |run: &Run| run.pid as usize;
            distribute(
                runs,
                last + 1,
                pid,
                &mut self.places,
                &mut self.ordered_runs,
            );
        } else {
            self.ordered_runs.clone_from(&self.runs);
            self.ordered_runs.sort_by_key(|run| run.pid);
        }
    }

    /// Distributes the items of the sorted runs to buckets by their ends, and sorts each bucket.
    /// Little is left to sort, even if many records have the same end.
    fn order_items(&mut self, until_s: f64) {
        let last = if until_s < f64::INFINITY {
            until_s.to_bits()
        } else {
            self.items.iter().map(|item| item.end).max().unwrap_or(0)
        };
        // Times far below the last one aren't distinguished.
        let first = self.until.max(last.saturating_sub(OCTAVES << 52)).min(last);
        self.until = last;
        let spread = u64::BITS - (last - first).leading_zeros();
        let buckets = (self.items.len() / BUCKET).max(1).ilog2();
        let shift = spread.saturating_sub(buckets);
        #[expect(clippy::cast_possible_truncation, reason = "there are not that many")]
        let bucket = |end: u64| (end.saturating_sub(first) >> shift) as usize;
        let items = &self.items;
        let runs = self.ordered_runs.iter();
        let runs = runs.map(|run| &items[run.start..run.end]);
        let (end, count) = (|item: &Item| bucket(item.end), bucket(last) + 1);
        distribute(runs, count, end, &mut self.places, &mut self.ordered);
        self.sort_buckets();
    }

    fn sort_buckets(&mut self) {
        let (mut start, mut bucket) = (0, 0);
        while let Some(sorted) =
            { self.ordered[start..].windows(2) }.position(|pair| pair[0].end > pair[1].end)
        {
            let place = start + sorted;
            while self.places[bucket] as usize <= place {
                start = self.places[bucket] as usize;
                bucket += 1;
            }
            let end = self.places[bucket] as usize;
            self.ordered[start..end].sort_by_key(|item| item.end);
            start = end;
        }
    }
}

/// Sorts the items of several slices into `count` buckets. Afterward, `places` contains the end of
/// each bucket.
#[inline]
fn distribute<'a, T: Copy + Default + 'a>(
    slices: impl Iterator<Item = &'a [T]> + Clone,
    count: usize,
    bucket: impl Fn(&T) -> usize,
    places: &mut Vec<u32>,
    ordered: &mut Vec<T>,
) {
    places.clear();
    places.resize(count, 0);
    let places = &mut **places;
    for items in slices.clone() {
        for item in items {
            places[bucket(item)] += 1;
        }
    }
    let mut sum = 0;
    for place in places.iter_mut() {
        sum += std::mem::replace(place, sum);
    }
    ordered.resize(sum as usize, T::default());
    let ordered = &mut **ordered;
    for items in slices {
        for item in items {
            let place = &mut places[bucket(item)];
            ordered[*place as usize] = *item;
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnitState;

    fn check(ends_s: impl Iterator<Item = f64>, until_s: f64) {
        let ends_s: Vec<f64> = ends_s.collect();
        for together in [1, 3] {
            check_runs(together, &ends_s, until_s);
        }
    }

    /// Checks the order of records when each process's records arrive in batches of `together`.
    fn check_runs(together: u32, ends_s: &[f64], until_s: f64) {
        let record = |(number, &end_s): (u32, &f64)| {
            Record::new(
                number / together * 7919 % 13,
                0,
                UnitState::Compute,
                0.0,
                end_s,
            )
        };
        let records: Vec<Record> = (0..).zip(ends_s).map(record).collect();
        let mut order = Order::default();
        let lists: Vec<Vec<Record>> = records.chunks(LIST / 2).map(<[Record]>::to_vec).collect();
        let numbers = |item: &Item| {
            let first = item.place as usize / LIST * (LIST / 2) + item.place as usize % LIST;
            first..first + item.count as usize
        };
        let places: Vec<usize> = order.of(&lists, until_s).iter().flat_map(numbers).collect();
        let mut expected: Vec<usize> = (0..records.len()).collect();
        expected.retain(|place| records[*place].end_s < until_s);
        expected.sort_by_key(|place| (records[*place].end_s.to_bits(), records[*place].pid));
        assert_eq!(places, expected);
    }

    #[test]
    fn the_order_is_that_of_a_stable_sort() {
        let random = |number: u32| f64::from(number.wrapping_mul(2_654_435_761) >> 7);
        for count in [0, 1, 2, 7, 1000, 20_000] {
            for until_s in [f64::INFINITY, 1e7] {
                check((0..count).map(random), until_s);
                check((0..count).map(|number| random(number % 17)), until_s);
                check(
                    (0..count).map(|number| random(number).exp2().min(f64::MAX)),
                    until_s,
                );
                check((0..count).map(|_| 5.0), until_s);
                check((0..count).map(f64::from), until_s);
                check(
                    (0..count).map(|number| f64::from(number % 2) * 5e-324),
                    until_s,
                );
            }
        }
    }
}
