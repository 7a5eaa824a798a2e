//! Represents candidates as sets of terms, without allocating memory, because there are thousands
//! of them.

use crate::law::linear::UNKNOWNS;

/// Indices of a candidate's terms, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Key {
    /// Indices plus one, padded with zeros.
    places: [u32; UNKNOWNS],
}

impl Key {
    pub(crate) fn new(terms: &[usize]) -> Self {
        let key = Self::default();
        terms
            .iter()
            .fold(key, |key, &term| key.with(term).unwrap_or(key))
    }

    pub(crate) fn terms(self) -> impl ExactSizeIterator<Item = usize> {
        let places = self.places.into_iter().take(self.len());
        places.map(|place| place as usize - 1)
    }

    pub(crate) fn len(self) -> usize {
        self.places.iter().filter(|place| **place > 0).count()
    }

    pub(crate) fn contains(self, term: usize) -> bool {
        self.terms().any(|it| it == term)
    }

    /// Returns the set with this term added; `None` if it is full or already contains the term.
    pub(crate) fn with(mut self, term: usize) -> Option<Self> {
        let len = self.len();
        if len == UNKNOWNS || self.contains(term) {
            return None;
        }
        self.places[len] = u32::try_from(term).ok()?.checked_add(1)?;
        self.places[..=len].sort_unstable();
        Some(self)
    }

    pub(crate) fn without(self, term: usize) -> Self {
        let rest = self.terms().filter(|&it| it != term);
        rest.fold(Self::default(), |key, it| key.with(it).unwrap_or(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_set_in_order() {
        let key = Key::new(&[7, 0]);
        assert_eq!(key.terms().collect::<Vec<_>>(), [0, 7]);
        assert_eq!((key.with(7), key.len()), (None, 2));
        let longer = key.with(3).expect("there is room");
        assert_eq!(longer, Key::new(&[0, 3, 7]));
        assert_eq!(longer.without(0), Key::new(&[3, 7]));
        assert!(key < longer.without(7) || longer.without(7) < key);
        assert_eq!(Key::new(&[1, 2, 3, 4]).with(5), None);
        assert!(Key::new(&[1]) < Key::new(&[1, 2]));
    }
}
