//! Describes the order in which a rank exchanges messages with all other ranks.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// From the first rank to the last.
    Ascending,
    /// From the next rank, forward on the ring.
    Forward,
    /// From the previous rank, backward on the ring.
    Backward,
}

impl Order {
    const ALL: [Self; 3] = [Self::Ascending, Self::Forward, Self::Backward];

    /// Returns the partner in a turn. Turns are counted from 1.
    pub(super) fn peer(self, turn: u32, rank: u32, ranks: u32) -> u32 {
        match self {
            Self::Ascending if turn <= rank => turn - 1,
            Self::Ascending => turn,
            Self::Forward => (rank + turn) % ranks,
            Self::Backward => (rank + ranks - turn) % ranks,
        }
    }

    /// Returns an expression for the partner in the turn that the variable `turn` holds.
    pub(crate) fn expression(self, turn: &str) -> String {
        match self {
            Self::Ascending => format!("{turn} <= pid ? {turn} - 1 : {turn}"),
            Self::Forward => format!("(pid + {turn}) % NUM_PROCESSES"),
            Self::Backward => format!("(pid + NUM_PROCESSES - {turn}) % NUM_PROCESSES"),
        }
    }
}

/// The orders that fit all ranks seen so far; empty if a message always has the same partner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Orders(u8);

impl Orders {
    pub(super) fn of(fits: impl Fn(Order) -> bool) -> Self {
        let numbers = (0..).zip(Order::ALL).filter(|it| fits(it.1));
        Self(numbers.map(|(number, _)| 1 << number).sum())
    }

    /// Returns `true` if a message goes to each of the other ranks in turn.
    pub(crate) fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Returns the orders that fit both messages; `None` if at least one of them has an order but
    /// no order fits both.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let common = Self(self.0 & other.0);
        (self == other || common.is_some()).then_some(common)
    }

    pub(crate) fn first(self) -> Option<Order> {
        let mut orders = (0..).zip(Order::ALL);
        orders
            .find(|(number, _)| self.0 >> number & 1 == 1)
            .map(|it| it.1)
    }
}
