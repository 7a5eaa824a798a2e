//! Provides an ordered map that is cheaper to compile than `BTreeMap`.
//!
//! ```
//! use prophet_map::Map;
//!
//! let mut bytes: Map<u32, u64> = Map::new();
//! *bytes.get_or_default(3) += 8;
//! *bytes.get_or_default(1) += 16;
//! assert_eq!(bytes.keys().copied().collect::<Vec<_>>(), [1, 3]);
//! assert_eq!(bytes.remove(&3), Some(8));
//! ```

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::ops::Index;

/// A map ordered by its keys.
///
/// It is a `BTreeMap` of indices into a list of values, so that the tree is compiled once for each
/// key type instead of once for each pair of types. When the trees contained the values, they were
/// more than a quarter of the runtime's compiled code.
#[derive(Debug, Clone)]
pub struct Map<K, V> {
    places: BTreeMap<K, usize>,
    /// Values by index; `None` for a free index.
    values: Vec<Option<V>>,
    /// Indices of removed values.
    free: Vec<usize>,
}

impl<K, V> Map<K, V> {
    /// Creates an empty map.
    pub const fn new() -> Self {
        Self {
            places: BTreeMap::new(),
            values: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns `true` if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.places.keys()
    }

    /// Returns the values in key order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the keys and values in key order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        let places = self.places.iter();
        places.filter_map(|(key, &place)| Some((key, self.values[place].as_ref()?)))
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Returns the value of `key`; `None` if the map doesn't contain it.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.values[*self.places.get(key)?].as_ref()
    }

    /// Returns the value of `key`; `None` if the map doesn't contain it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.values[*self.places.get(key)?].as_mut()
    }

    /// Returns `true` if the map contains `key`.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.places.contains_key(key)
    }

    /// Sets the value of `key`, and returns its previous value.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.place(key).replace(value)
    }

    /// Removes `key` and returns its value; `None` if the map doesn't contain it.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.places.remove(key)?;
        self.free.push(place);
        self.values[place].take()
    }

    /// Returns the value of `key`. If the map doesn't contain it, inserts the result of `value`
    /// first.
    pub fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        self.place(key).get_or_insert_with(value)
    }

    /// Returns the value of `key`. If the map doesn't contain it, inserts `value` first.
    pub fn get_or_insert(&mut self, key: K, value: V) -> &mut V {
        self.get_or_insert_with(key, || value)
    }

    /// Returns the value of `key`. If the map doesn't contain it, inserts the default first.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert_with(key, V::default)
    }

    fn place(&mut self, key: K) -> &mut Option<V> {
        let next = self.free.last().copied().unwrap_or(self.values.len());
        let place = *self.places.entry(key).or_insert(next);
        if place == self.values.len() {
            self.values.push(None);
        } else if self.free.last() == Some(&place) {
            self.free.pop();
        }
        &mut self.values[place]
    }
}

impl<K: Borrow<Q> + Ord, V, Q: Ord + ?Sized> Index<&Q> for Map<K, V> {
    type Output = V;

    /// Returns the value of `key`.
    ///
    /// # Panics
    ///
    /// Panics if the map doesn't contain `key`.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key has a value")
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut map = Self::new();
        map.extend(pairs);
        map
    }
}

impl<K, V> IntoIterator for Map<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    /// Returns the keys and values in key order.
    fn into_iter(mut self) -> Self::IntoIter {
        let places = self.places.into_iter();
        let pairs = places.filter_map(|(key, place)| Some((key, self.values[place].take()?)));
        pairs.collect::<Vec<_>>().into_iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Map;

    #[test]
    fn it_is_in_the_order_of_its_keys() {
        let mut map: Map<u8, &str> = [(3, "c"), (1, "a"), (2, "b"), (1, "A")]
            .into_iter()
            .collect();
        assert_eq!(map.len(), 3);
        let pairs: Vec<_> = map.iter().map(|(key, value)| (*key, *value)).collect();
        assert_eq!(pairs, [(1, "A"), (2, "b"), (3, "c")]);
        assert_eq!(map.insert(2, "B"), Some("b"));
        assert_eq!(*map.get_or_insert(2, "x"), "B");
        *map.get_or_insert(9, "i") = "I";
        assert_eq!(map.values().copied().collect::<String>(), "ABcI");
        assert_eq!((map.get(&9), map.get(&4)), (Some(&"I"), None));
    }

    #[test]
    fn what_is_removed_can_come_again() {
        let mut map: Map<u8, &str> = [(1, "a"), (2, "b")].into_iter().collect();
        assert_eq!((map.remove(&1), map.remove(&1)), (Some("a"), None));
        assert_eq!((map.len(), map.contains_key(&1)), (1, false));
        assert_eq!(*map.get_or_default(1), "");
        assert_eq!(map.insert(1, "A"), Some(""));
        let pairs: Vec<_> = map.into_iter().collect();
        assert_eq!(pairs, [(1, "A"), (2, "b")]);
    }

    #[test]
    fn it_does_what_a_tree_does_and_needs_no_more_places_than_it_had_keys() {
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        let (mut random, mut most) = (1_u32, 0);
        for round in 0..10_000_u32 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = random >> 26;
            if random & 0x8000 == 0 {
                assert_eq!(map.insert(key, round), tree.insert(key, round));
            } else {
                assert_eq!(map.remove(&key), tree.remove(&key));
            }
            most = most.max(tree.len());
            assert!(map.iter().eq(tree.iter()));
        }
        assert!(map.values.len() <= most);
    }
}
