//! Implements a heap of times with entries that can be changed.

/// Number of children of each entry. Four children are adjacent in memory, and halve the depth of
/// the heap.
const CHILDREN: usize = 4;
/// Index of a number that isn't in the heap.
const NOWHERE: u32 = u32::MAX;

/// A heap of small numbers, ordered by time and then by number.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    entries: Vec<Entry>,
    /// Index in `entries` for each number.
    places: Vec<u32>,
    due: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    time_s: f64,
    number: u32,
}

impl Entry {
    fn is_before(self, other: Self) -> bool {
        self.time_s < other.time_s || (self.time_s <= other.time_s && self.number < other.number)
    }
}

impl Heap {
    /// Returns the earliest time and its number.
    pub(crate) fn first(&self) -> Option<(f64, u32)> {
        self.entries.first().map(|it| (it.time_s, it.number))
    }

    pub(crate) fn set(&mut self, number: u32, time_s: f64) {
        let index = number as usize;
        if index >= self.places.len() {
            self.places.resize(index + 1, NOWHERE);
        }
        let entry = Entry { time_s, number };
        let place = match self.places[index] {
            NOWHERE => {
                self.entries.push(entry);
                self.entries.len() - 1
            }
            place => place as usize,
        };
        self.sift(place, entry);
    }

    pub(crate) fn pop(&mut self) {
        let first = self.entries.swap_remove(0);
        self.places[first.number as usize] = NOWHERE;
        if let Some(&entry) = self.entries.first() {
            self.sink(0, entry);
        }
    }

    /// Removes all numbers that are due, and adds them to `due`. The search ends at entries that
    /// aren't due.
    pub(crate) fn take(&mut self, is_due: impl Fn(f64, u32) -> bool, due: &mut Vec<u32>) {
        let is_due = |entry: &Entry| is_due(entry.time_s, entry.number);
        self.due.clear();
        self.due
            .extend((0..self.entries.len().min(1)).filter(|it| is_due(&self.entries[*it])));
        let mut seen = 0;
        while let Some(&place) = self.due.get(seen) {
            seen += 1;
            let children = self.children(place);
            self.due
                .extend(children.filter(|it| is_due(&self.entries[*it])));
        }
        due.extend(self.due.iter().map(|it| self.entries[*it].number));
        // Starts at the last index, so that the part of the heap below each index is in order.
        while let Some(place) = self.due.pop() {
            let number = self.entries[place].number;
            self.places[number as usize] = NOWHERE;
            let last = self.entries.pop().expect("it has an entry at that place");
            if place < self.entries.len() {
                self.sink(place, last);
            }
        }
    }

    /// Moves an entry from a free index up to its position.
    fn sift(&mut self, mut place: usize, entry: Entry) {
        let free = place;
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !entry.is_before(self.entries[parent]) {
                break;
            }
            self.put(place, self.entries[parent]);
            place = parent;
        }
        if place == free {
            self.sink(place, entry);
        } else {
            self.put(place, entry);
        }
    }

    /// Moves an entry from a free index down to its position.
    fn sink(&mut self, mut place: usize, entry: Entry) {
        while let Some(child) = self.least_child(place) {
            if !self.entries[child].is_before(entry) {
                break;
            }
            self.put(place, self.entries[child]);
            place = child;
        }
        self.put(place, entry);
    }

    fn least_child(&self, place: usize) -> Option<usize> {
        let mut children = self.children(place);
        let first = children.next()?;
        Some(children.fold(first, |least, child| {
            if self.entries[child].is_before(self.entries[least]) {
                child
            } else {
                least
            }
        }))
    }

    fn children(&self, place: usize) -> std::ops::Range<usize> {
        let first = place * CHILDREN + 1;
        let len = self.entries.len();
        first.min(len)..(first + CHILDREN).min(len)
    }

    fn put(&mut self, place: usize, entry: Entry) {
        self.entries[place] = entry;
        self.places[entry.number as usize] = u32::try_from(place).expect("numbers fit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_the_least_of_what_was_set_last() {
        let mut heap = Heap::default();
        let mut times_s = [f64::INFINITY; 97];
        for step in 0..20_000_u32 {
            let number = step.wrapping_mul(2_654_435_761) % 97;
            let time_s = f64::from(step.wrapping_mul(40_503) % 50);
            if step % 50 == 49 {
                let mut due = Vec::new();
                heap.take(|time_s, _| time_s <= 10.0, &mut due);
                due.sort_unstable();
                let all = (0..97).filter(|it| times_s[*it as usize] <= 10.0);
                assert_eq!(due, all.collect::<Vec<_>>());
                for number in due {
                    times_s[number as usize] = f64::INFINITY;
                }
            } else {
                heap.set(number, time_s);
                times_s[number as usize] = time_s;
            }
            let least = (0..97_u32)
                .min_by(|&left, &right| times_s[left as usize].total_cmp(&times_s[right as usize]));
            let expected = least.map(|it| (times_s[it as usize], it));
            assert_eq!(heap.first(), expected.filter(|it| it.0 < f64::INFINITY));
        }
    }
}
