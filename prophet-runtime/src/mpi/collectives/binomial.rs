//! Implements algorithms on a binomial tree, as in MPICH's `MPIR_*_intra_binomial`.
//!
//! Ranks are counted from the root. To get a rank's parent, clear its lowest set bit. To get its
//! children, set one of the bits below that. Each child's subtree contains the ranks up to the next
//! child. Down the tree, the largest subtree comes first. Up the tree, the smallest one does. An
//! allreduce or barrier goes up to rank 0 and down again.

use super::Operation;
use super::step::{Part, Plan, Step};

pub(super) fn step(plan: &Plan, rank: u32, number: u32) -> Option<Step> {
    let node = Node::new(plan, plan.root, rank);
    let whole = |_, _| Part::Whole;
    // Each rank has a block, and the blocks are in the order of the ranks, from the root on.
    let blocks = |first, count| plan.blocks(plan.behind(first, plan.root), count);
    match plan.operation {
        Operation::Broadcast => node.down(number, whole),
        Operation::Scatter => node.down(number, blocks),
        Operation::Reduce => node.up(number, whole),
        Operation::Gather => node.up(number, blocks),
        Operation::AllReduce | Operation::Barrier => match number.checked_sub(node.steps()) {
            None => node.up(number, whole),
            Some(number) => node.down(number, whole),
        },
        _ => None,
    }
}

pub(super) struct Node<'p> {
    plan: &'p Plan,
    root: u32,
    /// The rank, counted from the root.
    place: u32,
    /// Number of ranks in this rank's subtree if no ranks are missing.
    full: u32,
}

impl<'p> Node<'p> {
    pub(super) fn new(plan: &'p Plan, root: u32, rank: u32) -> Self {
        let place = plan.before(rank, root);
        let full = if place == 0 {
            plan.ranks.next_power_of_two()
        } else {
            place & place.wrapping_neg()
        };
        Self {
            plan,
            root,
            place,
            full,
        }
    }

    fn children(&self) -> u32 {
        let above = self.plan.ranks - 1 - self.place;
        let there = above.checked_ilog2().map_or(0, |bits| bits + 1);
        self.full.trailing_zeros().min(there)
    }

    /// Returns the number of steps in one direction.
    pub(super) fn steps(&self) -> u32 {
        self.children() + u32::from(self.place > 0)
    }

    /// Returns the child with this number, beginning with the smallest subtree.
    fn child(&self, number: u32) -> Option<u32> {
        (number < self.children()).then(|| self.place + (1 << number))
    }

    /// Returns how many of the `full` ranks from `place` on exist.
    fn present(&self, place: u32, full: u32) -> u32 {
        full.min(self.plan.ranks - place)
    }

    fn rank(&self, place: u32) -> u32 {
        self.plan.behind(place, self.root)
    }

    fn parent(&self) -> u32 {
        self.rank(self.place - self.full)
    }

    /// Returns a step of sending down the tree. `part` returns the part for consecutive places,
    /// given the first place and their number.
    pub(super) fn down(&self, number: u32, part: impl Fn(u32, u32) -> Part) -> Option<Step> {
        if self.place > 0 && number == 0 {
            let from = self.parent();
            return Some(Step::Receive { from });
        }
        let sent = number - u32::from(self.place > 0);
        let number = self.children().checked_sub(sent + 1)?;
        let child = self.child(number)?;
        let count = self.present(child, 1 << number);
        let (to, part) = (self.rank(child), part(child, count));
        Some(Step::Send { to, part })
    }

    fn up(&self, number: u32, part: impl Fn(u32, u32) -> Part) -> Option<Step> {
        if let Some(child) = self.child(number) {
            let from = self.rank(child);
            return Some(Step::Receive { from });
        }
        if self.place == 0 || number > self.children() {
            return None;
        }
        let count = self.present(self.place, self.full);
        let (to, part) = (self.parent(), part(self.place, count));
        Some(Step::Send { to, part })
    }
}
