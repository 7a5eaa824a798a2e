//! Order of the records that can be written: found in time proportional to their number if their
//! ends are spread, as they mostly are.

use crate::record::Record;

/// Key of the order: the bits of the end, then the process, then the place among the given records.
type Key = u128;

/// Mean number of records in a bucket, up to twice as many, when ends are spread evenly.
const BUCKET: usize = 2;
/// Exponent of two by which the last end is divided to get the finest resolution of ends.
const OCTAVES: u64 = 32;

#[inline]
fn key(record: &Record, place: usize) -> Key {
    u128::from(record.end_s.to_bits()) << 64 | u128::from(record.pid) << 32 | place as u128
}

#[inline]
fn end(key: Key) -> u64 {
    (key >> 64) as u64
}

#[expect(clippy::cast_possible_truncation, reason = "it is the lower half")]
#[inline]
fn pid(key: Key) -> u32 {
    (key >> 32) as u32
}

/// Finder of the order of records, which keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// The keys; the first `count` are to be ordered.
    keys: Vec<Key>,
    count: usize,
    buckets: Vec<Key>,
    /// Start of each bucket, then the place of its next key.
    places: Vec<u32>,
}

impl Order {
    /// Orders the records that end before `until_s`.
    pub(crate) fn of(&mut self, records: &[Record], until_s: f64) -> &[Key] {
        if self.keys.len() < records.len() {
            self.keys.resize(records.len(), 0);
            self.buckets.resize(records.len(), 0);
        }
        self.count = 0;
        for (place, record) in records.iter().enumerate() {
            // The code avoids a branch, which would be unpredictable.
            self.keys[self.count] = key(record, place);
            self.count += usize::from(record.end_s < until_s);
        }
        if !self.keys[..self.count].is_sorted() {
            self.sort();
        }
        &self.keys[..self.count]
    }

    /// Extracts the place of the record from its key.
    #[inline]
    pub(crate) fn place(key: Key) -> usize {
        (key & Key::from(u32::MAX)) as usize
    }

    /// Distributes the keys to buckets, by their processes and then by their ends, and sorts each
    /// of the latter: little is left to do, even if many records end at one time.
    fn sort(&mut self) {
        let all = (u32::MAX, 0, u64::MAX, 0);
        let (first_pid, last_pid, first, last) =
            self.keys[..self.count].iter().fold(all, |seen, key| {
                let (pid, end) = (pid(*key), end(*key));
                (
                    seen.0.min(pid),
                    seen.1.max(pid),
                    seen.2.min(end),
                    seen.3.max(end),
                )
            });
        let pids = (last_pid - first_pid) as usize;
        if (1..2 * self.count).contains(&pids) {
            self.distribute(pids + 1, |key| (pid(key) - first_pid) as usize);
        }
        // The bits of positive numbers have their order. Times far below the last are not
        // distinguished.
        let first = first.max(last.saturating_sub(OCTAVES << 52));
        let spread = u64::BITS - (last - first).leading_zeros();
        let shift = spread.saturating_sub((self.count / BUCKET).ilog2());
        #[expect(clippy::cast_possible_truncation, reason = "there are not that many")]
        let bucket = |end: u64| (end.saturating_sub(first) >> shift) as usize;
        self.distribute(bucket(last) + 1, |key| bucket(end(key)));
        self.sort_buckets();
    }

    /// Sorts the buckets that are not in order.
    fn sort_buckets(&mut self) {
        let (mut start, mut bucket) = (0, 0);
        while let Some(sorted) = self.keys[start..self.count]
            .windows(2)
            .position(|pair| pair[0] > pair[1])
        {
            let place = start + sorted;
            while self.places[bucket] as usize <= place {
                start = self.places[bucket] as usize;
                bucket += 1;
            }
            let end = self.places[bucket] as usize;
            #[expect(clippy::stable_sort_primitive, reason = "parts of it are in order")]
            self.keys[start..end].sort();
            start = end;
        }
    }

    /// Puts the keys in the order of their buckets, of which there are `count`, and leaves the ends
    /// of the buckets.
    fn distribute(&mut self, count: usize, bucket: impl Fn(Key) -> usize) {
        self.places.clear();
        self.places.resize(count + 1, 0);
        for key in &self.keys[..self.count] {
            self.places[bucket(*key) + 1] += 1;
        }
        self.places.pop();
        let mut sum = 0;
        for place in &mut self.places {
            sum += *place;
            *place = sum;
        }
        for key in &self.keys[..self.count] {
            let place = &mut self.places[bucket(*key)];
            self.buckets[*place as usize] = *key;
            *place += 1;
        }
        std::mem::swap(&mut self.keys, &mut self.buckets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UnitState;

    fn check(ends_s: impl Iterator<Item = f64>, until_s: f64) {
        let record = |(number, end_s): (u32, f64)| {
            Record::new(number * 7919 % 13, 0, UnitState::Compute, 0.0, end_s)
        };
        let records: Vec<Record> = (0..).zip(ends_s).map(record).collect();
        let mut order = Order::default();
        let places: Vec<usize> = { order.of(&records, until_s).iter() }
            .map(|key| Order::place(*key))
            .collect();
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
