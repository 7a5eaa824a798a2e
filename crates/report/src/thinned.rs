//! Represents a list of any length by a limited number of its items.

/// A list of items. If there are too many, only some are kept, evenly spaced.
#[derive(Debug)]
pub(crate) struct Thinned<T> {
    kept: Vec<T>,
    limit: usize,
    /// One out of this many items is kept.
    stride: u64,
    count: u64,
}

impl<T> Thinned<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            kept: Vec::new(),
            limit,
            stride: 1,
            count: 0,
        }
    }

    pub(crate) fn add(&mut self, item: T) {
        if self.count.is_multiple_of(self.stride) {
            if self.kept.len() == self.limit {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.stride *= 2;
            }
            if self.count.is_multiple_of(self.stride) {
                self.kept.push(item);
            }
        }
        self.count += 1;
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn kept(&mut self) -> &mut Vec<T> {
        &mut self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_many_are_thinned_out_evenly() {
        let mut items = Thinned::new(100);
        (0..300).for_each(|item| items.add(item));
        assert_eq!(items.count(), 300);
        assert_eq!(*items.kept(), (0..300).step_by(4).collect::<Vec<_>>());
        let mut few = Thinned::new(100);
        few.add(7);
        assert_eq!(*few.kept(), [7]);
    }
}
