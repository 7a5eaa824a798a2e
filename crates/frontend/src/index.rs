//! Defines a separate index type for each kind of list, so that the compiler rejects mixed-up
//! indices.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The index type of a [`List`].
pub trait ListPlace: Copy {
    /// Creates an index from a number, counted from 0.
    fn new(number: usize) -> Self;
    /// Returns the index as a number, counted from 0.
    fn number(self) -> usize;
}

macro_rules! places {
    ($($(#[$about:meta])* $name:ident)*) => {$(
        $(#[$about])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub struct $name(usize);

        impl ListPlace for $name {
            fn new(number: usize) -> Self {
                Self(number)
            }

            fn number(self) -> usize {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(to)
            }
        }
    )*};
}

places! {
    /// Index of a [`crate::program::Parameter`] in [`crate::program::Program::parameters`].
    ParameterIndex
    /// Index of a [`crate::program::Global`] in [`crate::program::Program::globals`].
    GlobalIndex
    /// Index of a [`crate::program::Function`] in [`crate::program::Program::functions`].
    FunctionIndex
    /// Index of a [`crate::program::Table`] in [`crate::program::Program::tables`].
    TableIndex
    /// Index of a [`crate::program::Opcode`] in [`crate::program::Program::opcodes`].
    OpcodeIndex
    /// Index of a [`crate::program::Device`] in [`crate::program::Program::devices`].
    DeviceIndex
    /// Index of a [`crate::program::Diagram`] in [`crate::program::Program::diagrams`].
    DiagramIndex
    /// Index of an [`crate::program::Element`] in [`crate::program::Program::elements`].
    ElementIndex
    /// Index of a name in [`crate::program::Program::locks`].
    LockIndex
    /// Index of a name in [`crate::program::Program::requests`].
    RequestIndex
    /// Index of a name in [`crate::program::Program::signals`].
    SignalIndex
    /// Index of a node in [`crate::flow::Graph::nodes`].
    Node
    /// A label of a loop or block, unique in its diagram.
    Label
    /// Number of a state of a [`crate::program::Dispatch`].
    DispatchState
}

impl DiagramIndex {
    /// Index of the program's main diagram, which is always first.
    pub const MAIN: Self = Self(0);
}

/// A list that only its own index type can access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct List<P, T> {
    items: Vec<T>,
    places: PhantomData<P>,
}

impl<P: ListPlace, T> List<P, T> {
    /// Adds an item, and returns its index.
    pub fn push(&mut self, item: T) -> P {
        self.items.push(item);
        P::new(self.items.len() - 1)
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns `true` if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Iterates over the indices, in order.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = P> + use<P, T> {
        (0..self.items.len()).map(P::new)
    }

    /// Iterates over the items, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Iterates mutably over the items, in order.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Iterates over the items with their indices, in order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (P, &T)> {
        let entries = self.items.iter().enumerate();
        entries.map(|(number, item)| (P::new(number), item))
    }

    /// Returns the item at `place`; `None` if `place` is out of range.
    pub fn get(&self, place: P) -> Option<&T> {
        self.items.get(place.number())
    }

    /// Creates a list of the same length with copies of `item`.
    pub fn with<U: Clone>(&self, item: U) -> List<P, U> {
        vec![item; self.items.len()].into_iter().collect()
    }
}

impl<P, T> Default for List<P, T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            places: PhantomData,
        }
    }
}

impl<P: ListPlace, T> Index<P> for List<P, T> {
    type Output = T;

    fn index(&self, place: P) -> &T {
        &self.items[place.number()]
    }
}

impl<P: ListPlace, T> IndexMut<P> for List<P, T> {
    fn index_mut(&mut self, place: P) -> &mut T {
        &mut self.items[place.number()]
    }
}

impl<P, T, const COUNT: usize> From<[T; COUNT]> for List<P, T> {
    fn from(items: [T; COUNT]) -> Self {
        items.into_iter().collect()
    }
}

impl<P, T> FromIterator<T> for List<P, T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self {
            items: items.into_iter().collect(),
            places: PhantomData,
        }
    }
}

impl<'l, P, T> IntoIterator for &'l List<P, T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'l, P, T> IntoIterator for &'l mut List<P, T> {
    type Item = &'l mut T;
    type IntoIter = std::slice::IterMut<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}
