use std::collections::{BTreeMap, VecDeque};

use super::*;

fn signature(operation: Operation, root: u32) -> Signature {
    Signature {
        operation,
        root,
        bytes: 8,
        priced: false,
    }
}

fn steps(call: Signature, rank: u32, ranks: u32) -> Vec<Step> {
    (0..)
        .map_while(|number| step(call, rank, ranks, number))
        .collect()
}

/// Runs all ranks' steps, sends free and receives blocking, and returns for each rank the set
/// of ranks (as bits) whose data it ends with.
fn spread(call: Signature, ranks: u32) -> Vec<u64> {
    let mut programs: Vec<VecDeque<Step>> = (0..ranks)
        .map(|rank| steps(call, rank, ranks).into())
        .collect();
    let mut knows: Vec<u64> = (0..ranks).map(|rank| 1 << rank).collect();
    let mut mail = BTreeMap::<(u32, u32), VecDeque<u64>>::new();
    let mut progress = true;
    while std::mem::take(&mut progress) {
        for rank in 0..ranks {
            while let Some(step) = programs[rank as usize].front().copied() {
                match step {
                    Step::Send(to) => {
                        let data = knows[rank as usize];
                        mail.entry((rank, to)).or_default().push_back(data);
                    }
                    Step::Receive(from) => {
                        let letter = mail.get_mut(&(from, rank)).and_then(VecDeque::pop_front);
                        let Some(data) = letter else { break };
                        knows[rank as usize] |= data;
                    }
                }
                programs[rank as usize].pop_front();
                progress = true;
            }
        }
    }
    assert!(
        programs.iter().all(VecDeque::is_empty),
        "{call} of {ranks} ranks gets stuck"
    );
    assert!(
        mail.values().all(VecDeque::is_empty),
        "{call} of {ranks} ranks leaves messages"
    );
    knows
}

#[test]
fn everybody_gets_what_it_must_for_any_number_of_ranks() {
    for ranks in 1..=40 {
        let all = (1_u64 << ranks) - 1;
        for operation in [Operation::AllReduce, Operation::Barrier] {
            assert!(
                spread(signature(operation, 0), ranks)
                    .iter()
                    .all(|knows| *knows == all)
            );
        }
        for root in 0..ranks {
            let knows = spread(signature(Operation::Broadcast, root), ranks);
            assert!(
                knows.iter().all(|knows| knows >> root & 1 == 1),
                "{ranks} ranks from {root}"
            );
        }
    }
}

#[test]
fn a_broadcast_sends_to_the_largest_subtree_first() {
    let call = signature(Operation::Broadcast, 0);
    assert_eq!(
        steps(call, 0, 8),
        [Step::Send(4), Step::Send(2), Step::Send(1)]
    );
    assert_eq!(
        steps(call, 4, 8),
        [Step::Receive(0), Step::Send(6), Step::Send(5)]
    );
    assert_eq!(steps(call, 4, 6), [Step::Receive(0), Step::Send(5)]);
    let call = signature(Operation::Broadcast, 2);
    assert_eq!(steps(call, 2, 3), [Step::Send(1), Step::Send(0)]);
}

#[test]
fn algorithms_send_as_many_messages_as_they_should() {
    let sends = |operation, ranks| {
        let sent = |rank| {
            let steps = steps(signature(operation, 0), rank, ranks);
            steps
                .iter()
                .filter(|step| matches!(step, Step::Send(_)))
                .count()
        };
        (0..ranks).map(sent).sum::<usize>()
    };
    assert_eq!(sends(Operation::Broadcast, 13), 12);
    assert_eq!(sends(Operation::AllReduce, 16), 16 * 4);
    assert_eq!(sends(Operation::AllReduce, 13), 8 * 3 + 2 * 5);
    assert_eq!(sends(Operation::Barrier, 13), 13 * 4);
}

#[test]
fn ranks_at_the_end_of_the_range_do_not_overflow() {
    for rank in [0, 1, u32::MAX / 2, u32::MAX - 2, u32::MAX - 1] {
        for operation in [
            Operation::Broadcast,
            Operation::AllReduce,
            Operation::Barrier,
        ] {
            let steps = steps(signature(operation, 7), rank, u32::MAX);
            assert!(
                !steps.is_empty() && steps.len() <= 66,
                "{rank} {}",
                steps.len()
            );
        }
    }
}

#[test]
fn a_call_is_over_when_all_ranks_have_made_it() {
    let mut calls = Calls::default();
    let barrier = signature(Operation::Barrier, 0);
    let broadcast = signature(Operation::Broadcast, 1);
    assert!(matches!(calls.enter(0, (0, 5), 2, barrier), Ok(None)));
    assert!(matches!(calls.enter(1, (0, 6), 2, broadcast), Ok(None)));
    assert!(matches!(calls.enter(0, (1, 5), 2, barrier), Ok(Some(_))));
    assert_eq!(calls.first, 1);
    let other_root = Signature {
        root: 0,
        ..broadcast
    };
    assert_eq!(
        calls.enter(1, (1, 7), 2, other_root).err(),
        Some((broadcast, 0, 6))
    );
}
