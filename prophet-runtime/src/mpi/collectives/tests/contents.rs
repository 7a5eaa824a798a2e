//! Checks that each algorithm moves the data that its collective must move. Messages have contents
//! here.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;

/// A set of ranks, as bits.
type Ranks = u64;

/// The data of a rank. A vector is a list of bytes, each with the ranks whose bytes it combines. A
/// block is identified by its source and destination.
#[derive(Debug, Clone, PartialEq)]
struct Rank {
    vector: Vec<Ranks>,
    /// The result of a scan.
    result: Vec<Ranks>,
    /// The blocks, by the number that messages use for them.
    blocks: Vec<Option<(u32, u32)>>,
    received: Vec<Option<(u32, u32)>>,
}

#[derive(Debug, Clone)]
struct Letter {
    places: Vec<usize>,
    vector: Vec<Ranks>,
    blocks: Vec<(u32, u32)>,
}

fn set(rank: u32) -> Ranks {
    1 << rank
}

fn begin(plan: &Plan, rank: u32) -> Rank {
    let length = usize::try_from(plan.bytes).expect("few bytes");
    let mine = match plan.operation {
        Operation::Broadcast if rank != plan.root => 0,
        _ => set(rank),
    };
    let places = 0..plan.ranks;
    let block = |place| match (plan.operation, plan.algorithm) {
        (Operation::AllGather | Operation::Gather, _) => (place == rank).then_some((rank, rank)),
        (Operation::Scatter, _) => (rank == plan.root).then_some((rank, place)),
        // In Bruck's algorithm, blocks are in the order of their remaining distances.
        (_, Algorithm::Bruck) => Some((rank, (rank + place) % plan.ranks)),
        _ => Some((rank, place)),
    };
    Rank {
        vector: vec![mine; length],
        result: vec![mine; length],
        blocks: places.map(block).collect(),
        received: vec![None; plan.ranks as usize],
    }
}

/// Returns the bytes of a vector, or the blocks, that are in a part.
fn places(plan: &Plan, part: Part) -> Vec<usize> {
    let bytes = usize::try_from(plan.bytes).expect("few bytes");
    let ranks = plan.ranks as usize;
    match part {
        Part::Whole => (0..bytes).collect(),
        Part::Bit(bit) => (0..ranks).filter(|place| place >> bit & 1 == 1).collect(),
        Part::Blocks { first, count, .. } if plan.operation.has_blocks() => {
            let all = first as usize..(first + count) as usize;
            all.map(|block| block % ranks).collect()
        }
        Part::Blocks { first, count, of } => {
            let long = bytes % of as usize;
            let start = |block: usize| (bytes / of as usize) * block + block.min(long);
            assert!(first + count <= of, "{plan:?}");
            (start(first as usize)..start((first + count) as usize)).collect()
        }
    }
}

impl Rank {
    fn send(&self, plan: &Plan, part: Part) -> Letter {
        let places = places(plan, part);
        let has_blocks = plan.operation.has_blocks();
        let size = if has_blocks { plan.bytes } else { 1 };
        assert_eq!(plan.bytes_of(part), places.len() as u64 * size, "{plan:?}");
        let (mut vector, mut blocks) = (Vec::new(), Vec::new());
        for place in &places {
            if has_blocks {
                blocks.push(self.blocks[*place].unwrap_or_else(|| panic!("{plan:?} has no block")));
            } else {
                assert_ne!(
                    self.vector[*place], 0,
                    "{plan:?} sends what it does not have"
                );
                vector.push(self.vector[*place]);
            }
        }
        Letter {
            places,
            vector,
            blocks,
        }
    }

    fn receive(&mut self, plan: &Plan, (rank, from): (u32, u32), letter: &Letter) {
        for (place, came) in letter.places.iter().zip(&letter.vector) {
            let here = &mut self.vector[*place];
            let (new, all) = (*here & came == 0, *here & came == *here);
            match plan.operation {
                Operation::Barrier => {}
                // The root takes part in gathering the blocks that it has scattered.
                Operation::Broadcast => assert!(new || here == came, "{plan:?}"),
                Operation::Scan => {
                    assert!(new, "{plan:?} counts a rank twice");
                    if from < rank {
                        self.result[*place] |= came;
                    }
                }
                // The contents are either parts to combine, or a result.
                _ => assert!(new || all && here != came, "{plan:?} counts a rank twice"),
            }
            *here |= came;
        }
        for (place, came) in letter.places.iter().zip(&letter.blocks) {
            match (plan.operation, plan.algorithm) {
                (Operation::AllToAll, Algorithm::Bruck) => self.blocks[*place] = Some(*came),
                (Operation::AllToAll, _) => {
                    let before = self.received[from as usize].replace(*came);
                    assert_eq!((before, *came), (None, (from, rank)), "{plan:?}");
                }
                _ => {
                    let before = self.blocks[*place].replace(*came);
                    assert_eq!(before, None, "{plan:?} sends a block twice");
                }
            }
        }
    }

    fn check(&self, plan: &Plan, rank: u32) {
        let all = (1 << plan.ranks) - 1;
        let is = |vector: &[Ranks], ranks| vector.iter().all(|byte| *byte == ranks);
        let has = |place: u32| self.blocks[place as usize].is_some();
        let done = match plan.operation {
            Operation::Broadcast => is(&self.vector, set(plan.root)),
            Operation::Reduce => rank != plan.root || is(&self.vector, all),
            Operation::AllReduce | Operation::Barrier => is(&self.vector, all),
            Operation::ReduceScatter => {
                let own = places(plan, plan.block(rank));
                own.iter().all(|place| self.vector[*place] == all)
            }
            Operation::Scan => is(&self.result, (1 << (rank + 1)) - 1),
            Operation::AllGather => (0..plan.ranks).all(has),
            Operation::Gather => rank != plan.root || (0..plan.ranks).all(has),
            Operation::Scatter => has(rank),
            Operation::AllToAll if plan.algorithm == Algorithm::Bruck => {
                let from = |place: u32| (rank + plan.ranks - place) % plan.ranks;
                (0..plan.ranks)
                    .all(|place| self.blocks[place as usize] == Some((from(place), rank)))
            }
            Operation::AllToAll => {
                let others = (0..plan.ranks).filter(|other| *other != rank);
                others
                    .into_iter()
                    .all(|other| self.received[other as usize].is_some())
            }
        };
        assert!(done, "rank {rank} of {plan:?} ends with {self:?}");
    }
}

const fn has_root(operation: Operation) -> bool {
    use Operation as O;

    matches!(operation, O::Broadcast | O::Gather | O::Reduce | O::Scatter)
}

/// Runs the steps of all ranks. Sends never wait, and receives block.
fn run(plan: &Plan) {
    let ranks = 0..plan.ranks;
    let mut programs: Vec<VecDeque<Step>> =
        ranks.clone().map(|rank| steps(plan, rank).into()).collect();
    let mut states: Vec<Rank> = ranks.clone().map(|rank| begin(plan, rank)).collect();
    let mut mail = BTreeMap::<(u32, u32), VecDeque<Letter>>::new();
    let mut progress = true;
    while std::mem::take(&mut progress) {
        for rank in ranks.clone() {
            let state = &mut states[rank as usize];
            while let Some(step) = programs[rank as usize].front().copied() {
                match step {
                    Step::Send { to, part } => {
                        let letter = state.send(plan, part);
                        mail.entry((rank, to)).or_default().push_back(letter);
                    }
                    Step::Receive { from } => {
                        let letters = mail.get_mut(&(from, rank));
                        let Some(letter) = letters.and_then(VecDeque::pop_front) else {
                            break;
                        };
                        state.receive(plan, (rank, from), &letter);
                    }
                }
                programs[rank as usize].pop_front();
                progress = true;
            }
        }
    }
    assert!(
        programs.iter().all(VecDeque::is_empty),
        "{plan:?} gets stuck"
    );
    assert!(
        mail.values().all(VecDeque::is_empty),
        "{plan:?} leaves messages"
    );
    for (rank, state) in (0..).zip(&states) {
        state.check(plan, rank);
    }
}

#[test]
fn all_data_get_where_they_must_for_any_number_of_ranks() {
    for ranks in 1..=40 {
        let roots: BTreeSet<u32> = [0, 1, ranks / 2, ranks - 1].into();
        for root in roots.into_iter().filter(|root| *root < ranks) {
            for bytes in [3, 37] {
                let plans = plans(ranks, root, bytes);
                let rooted = |plan: &Plan| root == 0 || has_root(plan.operation);
                plans.filter(rooted).for_each(|plan| run(&plan));
            }
        }
    }
}
