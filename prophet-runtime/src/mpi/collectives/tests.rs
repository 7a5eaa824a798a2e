mod contents;

use std::collections::BTreeSet;

use prophet_machine::operation::Signature;

use super::calls::Calls;
use super::step;
use super::step::{Part, Plan, Step, with_bit};
use super::*;
use super::{Algorithm as A, Operation as O};
use crate::kernel::UNITS_MAX;
use crate::language::symmetry::Symmetry;

/// Returns a plan for each collective and each of its algorithms.
fn plans(ranks: u32, root: u32, bytes: u64) -> impl Iterator<Item = Plan> {
    Operation::ALL.into_iter().flat_map(move |operation| {
        let algorithms = Algorithm::of(operation).iter();
        algorithms.map(move |algorithm| Plan {
            operation,
            algorithm: *algorithm,
            ranks,
            root,
            bytes,
        })
    })
}

fn plan(operation: Operation, algorithm: Algorithm, ranks: u32) -> Plan {
    Plan {
        operation,
        algorithm,
        ranks,
        root: 0,
        bytes: 1000,
    }
}

fn steps(plan: &Plan, rank: u32) -> Vec<Step> {
    (0..).map_while(|number| step(plan, rank, number)).collect()
}

fn signature(operation: Operation, root: u32) -> Signature {
    Signature {
        operation,
        root,
        bytes: 8,
        priced: false,
    }
}

#[test]
fn ranks_of_a_symmetric_call_do_what_rank_0_does_shifted() {
    let shifted = |symmetry, rank: u32, by: u32, ranks: u32| match symmetry {
        Symmetry::Cube => rank ^ by,
        _ => (rank + by) % ranks,
    };
    let mut symmetric = BTreeSet::new();
    for plan in (2..=33).flat_map(|ranks| [ranks, 24].map(|bytes| plans(ranks, 0, bytes.into()))) {
        for plan in plan {
            let Some(symmetry) = symmetry(&plan) else {
                continue;
            };
            symmetric.insert(format!("{:?} {:?}", plan.operation, plan.algorithm));
            let first = steps(&plan, 0);
            // If rank 0 sends by a shift, it must receive from where the inverse leads, in the same
            // order.
            let sent = first.iter().filter_map(|step| match *step {
                Step::Send { to, .. } => Some(symmetry.inverse(to, plan.ranks)),
                Step::Receive { .. } => None,
            });
            let received = first.iter().filter_map(|step| match *step {
                Step::Receive { from } => Some(from),
                Step::Send { .. } => None,
            });
            assert!(sent.eq(received), "{plan:?}");
            for rank in 1..plan.ranks {
                let of = |by| shifted(symmetry, rank, by, plan.ranks);
                let expected = first.iter().map(|step| match *step {
                    Step::Send { to, part } => (of(to), Some(plan.bytes_of(part))),
                    Step::Receive { from } => (of(from), None),
                });
                let steps = steps(&plan, rank);
                let found = steps.iter().map(|step| match *step {
                    Step::Send { to, part } => (to, Some(plan.bytes_of(part))),
                    Step::Receive { from } => (from, None),
                });
                assert!(expected.eq(found), "{plan:?}, rank {rank}");
            }
        }
    }
    assert_eq!(symmetric.len(), 14, "{symmetric:?}");
}

#[test]
fn a_broadcast_sends_to_the_largest_subtree_first() {
    let partners = |rank, ranks, root| -> Vec<(char, u32)> {
        let plan = Plan {
            root,
            ..plan(Operation::Broadcast, Algorithm::Binomial, ranks)
        };
        let partner = |step: &Step| match step {
            Step::Send { to, .. } => ('>', *to),
            Step::Receive { from } => ('<', *from),
        };
        steps(&plan, rank).iter().map(partner).collect()
    };
    assert_eq!(partners(0, 8, 0), [('>', 4), ('>', 2), ('>', 1)]);
    assert_eq!(partners(4, 8, 0), [('<', 0), ('>', 6), ('>', 5)]);
    assert_eq!(partners(4, 6, 0), [('<', 0), ('>', 5)]);
    assert_eq!(partners(2, 3, 2), [('>', 1), ('>', 0)]);
}

#[test]
fn algorithms_send_as_many_messages_as_they_should() {
    let sends = |operation, algorithm, ranks| {
        let plan = plan(operation, algorithm, ranks);
        let all = (0..ranks).flat_map(|rank| steps(&plan, rank));
        all.filter(|step| matches!(step, Step::Send { .. })).count()
    };
    assert_eq!(sends(O::Broadcast, A::Binomial, 13), 12);
    assert_eq!(sends(O::Reduce, A::Binomial, 13), 12);
    assert_eq!(sends(O::AllReduce, A::RecursiveDoubling, 16), 16 * 4);
    assert_eq!(sends(O::AllReduce, A::RecursiveDoubling, 13), 8 * 3 + 2 * 5);
    assert_eq!(sends(O::AllReduce, A::Rabenseifner, 13), 2 * 8 * 3 + 2 * 5);
    assert_eq!(sends(O::AllReduce, A::Ring, 13), 2 * 13 * 12);
    assert_eq!(sends(O::Reduce, A::Rabenseifner, 16), 16 * 4 + 15);
    assert_eq!(
        sends(O::ReduceScatter, A::RecursiveHalving, 13),
        8 * 3 + 2 * 5
    );
    assert_eq!(sends(O::AllToAll, A::Bruck, 13), 13 * 4);
    assert_eq!(sends(O::AllToAll, A::Pairwise, 13), 13 * 12);
    assert_eq!(sends(O::Barrier, A::Dissemination, 13), 13 * 4);
}

#[test]
fn vectors_are_cut_in_parts_that_differ_by_a_byte() {
    let plan = Plan {
        bytes: 10,
        ..plan(Operation::AllReduce, Algorithm::Ring, 4)
    };
    let part = |first, count| {
        plan.bytes_of(Part::Blocks {
            first,
            count,
            of: 4,
        })
    };
    let sizes = [part(0, 1), part(1, 1), part(2, 1), part(3, 1)];
    assert_eq!(sizes, [3, 3, 2, 2]);
    assert_eq!(
        (part(1, 3), part(0, 4), plan.bytes_of(Part::Whole)),
        (7, 10, 10)
    );
    let blocks = Plan {
        operation: Operation::AllGather,
        ..plan
    };
    let three = Part::Blocks {
        first: 2,
        count: 3,
        of: 4,
    };
    assert_eq!(blocks.bytes_of(three), 30);
    assert_eq!(blocks.bytes_of(Part::Bit(1)), 20, "2 and 3 of 0 to 3");
}

#[test]
fn numbers_with_a_bit_are_counted() {
    for count in 0..100 {
        for bit in 0..8 {
            let counted = (0..count).filter(|number| number >> bit & 1 == 1).count();
            assert_eq!(with_bit(count, bit) as usize, counted);
        }
    }
}

#[test]
fn ranks_at_the_end_of_the_range_do_not_overflow() {
    for ranks in [UNITS_MAX - 1, UNITS_MAX] {
        for plan in plans(ranks, 7, u64::MAX) {
            for rank in [0, 1, 6, 7, ranks / 2, ranks - 2, ranks - 1] {
                for number in [0, 1, 2, 51, 52, 53, ranks - 2, ranks - 1, ranks, 2 * ranks] {
                    if let Some(Step::Send { part, .. }) = step(&plan, rank, number) {
                        plan.bytes_of(part);
                    }
                }
                assert_eq!(step(&plan, rank, 4 * ranks), None, "{plan:?}");
            }
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

#[test]
fn auto_takes_what_mpich_takes() {
    let table = [
        (O::Broadcast, 64, 12_287, A::Binomial),
        (O::Broadcast, 7, 1 << 30, A::Binomial),
        (O::Broadcast, 64, 12_288, A::RecursiveDoubling),
        (O::Broadcast, 63, 12_288, A::Ring),
        (O::Broadcast, 64, 524_288, A::Ring),
        (O::Reduce, 64, 2048, A::Binomial),
        (O::Reduce, 64, 2049, A::Rabenseifner),
        (O::Reduce, 5000, 4095, A::Binomial),
        (O::AllReduce, 64, 2048, A::RecursiveDoubling),
        (O::AllReduce, 64, 2049, A::Rabenseifner),
        (O::AllReduce, 4096, 4095, A::RecursiveDoubling),
        (O::AllReduce, 4096, 4096, A::Rabenseifner),
        (O::AllGather, 64, 8191, A::RecursiveDoubling),
        (O::AllGather, 64, 8192, A::Ring),
        (O::AllGather, 10, 8191, A::Bruck),
        (O::AllGather, 10, 8192, A::Ring),
        (O::AllToAll, 8, 256, A::Bruck),
        (O::AllToAll, 7, 256, A::Linear),
        (O::AllToAll, 8, 257, A::Linear),
        (O::AllToAll, 8, 32_768, A::Linear),
        (O::AllToAll, 8, 32_769, A::Pairwise),
        (O::ReduceScatter, 8, 524_287, A::RecursiveHalving),
        (O::ReduceScatter, 8, 524_288, A::Pairwise),
        (O::Gather, 8, 1 << 30, A::Binomial),
        (O::Scatter, 8, 0, A::Binomial),
        (O::Scan, 8, 8, A::RecursiveDoubling),
        (O::Barrier, 8, 0, A::Dissemination),
    ];
    for (operation, ranks, bytes, algorithm) in table {
        let taken = Algorithm::auto(operation, ranks, bytes);
        assert_eq!(
            taken,
            algorithm,
            "{} of {bytes} among {ranks}",
            operation.kind()
        );
    }
    for operation in O::ALL {
        for ranks in [1, 2, 3, 8, 1000] {
            for bytes in [0, 1, 300, 5000, 100_000, u64::MAX] {
                let taken = Algorithm::auto(operation, ranks, bytes);
                assert!(Algorithm::of(operation).contains(&taken));
            }
        }
    }
}
