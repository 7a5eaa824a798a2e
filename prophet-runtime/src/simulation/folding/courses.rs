//! Stores the courses of ranks, which are found by hash. A course is a way, together with the
//! messages that arrive from other ranks.

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum End {
    Over,
    Message,
    /// The rank has been waiting for all ranks in a collective since this time, in simulated
    /// seconds.
    Gathering(f64),
}

/// The course before a rank's first one. No rank has taken it.
pub(super) const NONE: u32 = 0;

/// Courses by number. Each is found by its key: the way of its ranks, the number of collectives
/// whose ends are known, and the incoming streams.
#[derive(Debug)]
pub(super) struct Courses {
    key_len: usize,
    keys: Vec<u32>,
    /// Number of distances to receivers.
    dests: usize,
    /// The outgoing streams, by distance.
    outs: Vec<u32>,
    ends: Vec<End>,
    /// The numbers of courses, by hash. The number of slots is a power of two, and at most half of
    /// them are used.
    slots: Vec<u32>,
}

impl Courses {
    /// Creates a table for keys with up to `sources` streams, and for courses that send over
    /// `dests` distances.
    pub(super) fn new(sources: usize, dests: usize) -> Self {
        Self {
            key_len: sources + 2,
            keys: vec![u32::MAX; sources + 2],
            dests,
            outs: vec![0; dests],
            ends: vec![End::Message],
            slots: vec![NONE; 1 << 10],
        }
    }

    /// Returns the number of courses, including [`NONE`].
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn key(&self, course: u32) -> &[u32] {
        let start = course as usize * self.key_len;
        &self.keys[start..start + self.key_len]
    }

    #[inline]
    pub(super) fn end(&self, course: u32) -> End {
        self.ends[course as usize]
    }

    #[inline]
    pub(super) fn out(&self, course: u32, dest: usize) -> u32 {
        self.outs[course as usize * self.dests + dest]
    }

    #[inline]
    fn slot(&self, key: &[u32]) -> usize {
        let mix = |hash: u64, word: &u32| {
            (hash.rotate_left(23) ^ u64::from(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let hash = key.iter().fold(0, mix);
        let hash = usize::try_from(hash >> 32).unwrap_or(0);
        hash & (self.slots.len() - 1)
    }

    #[inline]
    pub(super) fn find(&self, key: &[u32]) -> Option<u32> {
        let mut slot = self.slot(key);
        loop {
            match self.slots[slot] {
                NONE => return None,
                course if self.key(course) == key => return Some(course),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    pub(super) fn add(&mut self, key: &[u32], outs: &[u32], end: End) -> u32 {
        // Callers have far fewer than 2^32 courses.
        let course = u32::try_from(self.len()).unwrap_or(u32::MAX);
        self.keys.extend_from_slice(key);
        self.outs.extend_from_slice(outs);
        self.ends.push(end);
        if self.len() * 2 > self.slots.len() {
            self.slots = vec![NONE; self.slots.len() * 4];
            (1..course).for_each(|course| self.place(course));
        }
        self.place(course);
        course
    }

    fn place(&mut self, course: u32) {
        let mut slot = self.slot(self.key(course));
        while self.slots[slot] != NONE {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = course;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_course_is_found_by_its_key() {
        let mut courses = Courses::new(1, 1);
        let key = |number: u32| [number % 3, number / 3, number ^ 5];
        let end = |number: u32| match number % 2 {
            0 => End::Over,
            _ => End::Gathering(f64::from(number)),
        };
        for number in 0..10_000 {
            assert_eq!(courses.find(&key(number)), None);
            let course = courses.add(&key(number), &[number], end(number));
            assert_eq!(course, number + 1);
        }
        for number in 0..10_000 {
            let course = courses.find(&key(number)).expect("it is there");
            assert_eq!((course, courses.out(course, 0)), (number + 1, number));
            assert_eq!(courses.end(course), end(number));
            assert_eq!(courses.key(course), key(number));
        }
    }
}
