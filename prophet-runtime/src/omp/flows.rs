//! Tracks the tokens of a region whose parts wait for each other. A part runs when every flow that
//! leads to it has a token.

use std::cell::Cell;

use crate::kernel::TURNS_MAX;

#[derive(Debug)]
pub(crate) struct Flows {
    /// The part that each flow leads to.
    targets: Vec<u32>,
    /// The flows that lead to each part.
    sources: Vec<Vec<usize>>,
    tokens: Vec<Cell<u64>>,
    /// Whether each part has finished its work for the tokens that it took.
    over: Vec<Cell<bool>>,
    /// The latest instant at which parts began, in seconds, and how many have begun at it.
    begun: Cell<(f64, u64)>,
}

impl Flows {
    /// Creates flows without tokens. Part 0 is about to begin.
    pub(crate) fn new(targets: &[u32], parts: u32) -> Self {
        let mut sources = vec![Vec::new(); parts as usize];
        for (flow, &part) in targets.iter().enumerate() {
            sources[part as usize].push(flow);
        }
        Self {
            targets: targets.to_vec(),
            sources,
            tokens: targets.iter().map(|_| Cell::new(0)).collect(),
            over: (0..parts).map(|_| Cell::new(false)).collect(),
            begun: Cell::new((0.0, 0)),
        }
    }

    /// Adds a token to a flow. Returns the part that the flow leads to, or `None` if there is no
    /// such flow.
    pub(crate) fn add(&self, flow: u32) -> Option<u32> {
        let tokens = self.tokens.get(flow as usize)?;
        tokens.set(tokens.get() + 1);
        self.targets.get(flow as usize).copied()
    }

    /// Takes a token from each flow that leads to a part. Returns `false` if some of them have no
    /// token.
    pub(crate) fn take(&self, part: u32) -> bool {
        let sources = &self.sources[part as usize];
        let has = |flow: &usize| self.tokens[*flow].get() > 0;
        if sources.is_empty() || !sources.iter().all(has) {
            return false;
        }
        for &flow in sources {
            self.tokens[flow].set(self.tokens[flow].get() - 1);
        }
        self.over[part as usize].set(false);
        true
    }

    /// Records that a part has finished its work for the tokens that it took.
    pub(crate) fn end(&self, part: u32) {
        self.over[part as usize].set(true);
    }

    /// Returns `true` if a part has finished and hasn't begun again.
    pub(crate) fn is_over(&self, part: u32) -> bool {
        self.over[part as usize].get()
    }

    /// Counts that a part begins at an instant. Returns `false` if too many have begun at it.
    pub(crate) fn count(&self, now_s: f64) -> bool {
        let (last_s, count) = self.begun.get();
        let count = if now_s > last_s { 1 } else { count + 1 };
        self.begun.set((now_s, count));
        count <= u64::from(TURNS_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_takes_a_token_of_each_flow() {
        let flows = Flows::new(&[0, 1, 1], 2);
        assert_eq!(flows.add(1), Some(1));
        assert_eq!(flows.add(1), Some(1));
        assert!(!flows.take(1));
        assert_eq!(flows.add(2), Some(1));
        assert!(flows.take(1));
        assert!(!flows.take(1));
        assert_eq!(flows.add(3), None);
    }

    #[test]
    fn beginnings_at_one_instant_are_limited() {
        let flows = Flows::new(&[0], 1);
        assert!((0..TURNS_MAX).all(|_| flows.count(1.0)));
        assert!(!flows.count(1.0));
        assert!(flows.count(2.0));
    }
}
