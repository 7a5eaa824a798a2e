//! The algorithms, message by message: what a rank does, step by step.
//!
//! Pure functions of the rank, so that any engine can take a step when it is due.

use super::{Operation, Signature};

/// One thing that a rank does in a collective's algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It sends to a rank.
    Send(u32),
    /// It receives from a rank.
    Receive(u32),
}

/// The step with this number, from 0, of rank `rank` of `ranks`; none when it has done its part.
///
/// Broadcast is binomial, the largest subtree first; allreduce is recursive doubling; a barrier
/// is dissemination. All messages carry the collective's bytes.
pub(crate) fn step(call: Signature, rank: u32, ranks: u32, number: u32) -> Option<Step> {
    match call.operation {
        Operation::Broadcast => binomial(call.root, rank, ranks, number),
        Operation::AllReduce => recursive_doubling(rank, ranks, number),
        Operation::Barrier => dissemination(rank, ranks, number),
    }
}

/// A rank's parent is itself without its lowest bit, counted from the root.
fn binomial(root: u32, rank: u32, ranks: u32, number: u32) -> Option<Step> {
    let shifted = |rank: u32| (u64::from(rank) + u64::from(root)) % u64::from(ranks);
    #[expect(clippy::cast_possible_truncation, reason = "below the number of ranks")]
    let absolute = |relative: u32| shifted(relative) as u32;
    let relative = if rank >= root {
        rank - root
    } else {
        rank + (ranks - root)
    };
    let (sends_before, lowest) = if relative == 0 {
        (0, u64::from(ranks).next_power_of_two())
    } else {
        let lowest = relative & relative.wrapping_neg();
        if number == 0 {
            return Some(Step::Receive(absolute(relative - lowest)));
        }
        (1, u64::from(lowest))
    };
    // The largest subtree that has a rank at all; all smaller ones have.
    let above = u64::from(ranks - 1 - relative);
    let largest = if above == 0 {
        0
    } else {
        (lowest / 2).min(1 << above.ilog2())
    };
    let subtree = largest
        .checked_shr(number - sends_before)
        .filter(|subtree| *subtree > 0)?;
    let child = u32::try_from(subtree).ok()? + relative;
    Some(Step::Send(absolute(child)))
}

/// As MPICH does it: of the ranks beyond a power of two, the even ones of the first pairs hand
/// their part to their neighbor, which takes part for both and hands the result back.
fn recursive_doubling(rank: u32, ranks: u32, number: u32) -> Option<Step> {
    let rounds = ranks.ilog2();
    let extra = ranks - (1 << rounds);
    let paired = u64::from(rank) < 2 * u64::from(extra);
    if paired && rank.is_multiple_of(2) {
        return match number {
            0 => Some(Step::Send(rank + 1)),
            1 => Some(Step::Receive(rank + 1)),
            _ => None,
        };
    }
    let number = if paired {
        if number == 0 {
            return Some(Step::Receive(rank - 1));
        }
        number - 1
    } else {
        number
    };
    if number / 2 >= rounds {
        return (paired && number == 2 * rounds).then(|| Step::Send(rank - 1));
    }
    let place = if paired { rank / 2 } else { rank - extra };
    let partner = place ^ (1 << (number / 2));
    let partner = if partner < extra {
        partner * 2 + 1
    } else {
        partner + extra
    };
    Some(exchange(number, partner, partner))
}

/// In round r a rank sends 2^r ranks on and receives from 2^r ranks back.
fn dissemination(rank: u32, ranks: u32, number: u32) -> Option<Step> {
    let distance = 1_u32
        .checked_shl(number / 2)
        .filter(|distance| *distance < ranks)?;
    let on = if rank < ranks - distance {
        rank + distance
    } else {
        rank - (ranks - distance)
    };
    let back = if rank >= distance {
        rank - distance
    } else {
        rank + (ranks - distance)
    };
    Some(exchange(number, on, back))
}

/// Even steps send, odd ones receive.
fn exchange(number: u32, to: u32, from: u32) -> Step {
    if number.is_multiple_of(2) {
        Step::Send(to)
    } else {
        Step::Receive(from)
    }
}
