//! Matches calls of different ranks: messages between two ranks, and collectives of a group's
//! members.

use std::collections::BTreeMap;

use prophet_text::counted;

use super::{TaskAction, TaskCall, Tasks};
use crate::event::{Collective, Kind, RankEvent};

/// The ranks of a call: all ranks, a numbered group, or a sender and a receiver with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Among {
    Group(Option<u32>),
    Message(u32, u32, i64),
}

/// A call, given by its rank, its task and, for a collective, its kind.
type Place = (u32, usize, Option<Kind>);

/// What to do with calls that have no partner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unpaired {
    /// They cause an error.
    Refused,
    /// They take as long as they did in the trace.
    Timed,
}

/// Sets the time of a collective's calls to the shortest one that any rank measured, because the
/// other ranks spent part of their time waiting. Returns the number of calls without partners,
/// which keep their times.
pub(crate) fn pair(ranks: &mut [Tasks], unpaired: Unpaired) -> Result<usize, String> {
    let mut alone = 0;
    for (among, places) in places(ranks) {
        let sides = sides(&places);
        let members = match among {
            Among::Group(None) => ranks.len(),
            Among::Group(Some(_)) => members(ranks, places[0]),
            Among::Message(..) => 2,
        };
        let are_equal = sides
            .windows(2)
            .all(|pair| kinds(pair[0]) == kinds(pair[1]));
        if are_equal && sides.len() == members {
            share(ranks, &sides);
        } else if unpaired == Unpaired::Timed {
            alone += places.len();
            for place in places {
                if let Some(call) = call(ranks, place) {
                    call.event = None;
                }
            }
        } else {
            return Err(told(among, &sides, members));
        }
    }
    Ok(alone)
}

/// Returns all calls, by the ranks that take part. A rank's calls are in the order of its tasks.
fn places(ranks: &[Tasks]) -> BTreeMap<Among, Vec<Place>> {
    let mut all: BTreeMap<Among, Vec<Place>> = BTreeMap::new();
    for (rank, tasks) in (0..).zip(ranks) {
        for (number, task) in tasks.graph.operations.iter().enumerate() {
            let TaskAction::Call(call) = &task.doing else {
                continue;
            };
            let (among, kind) = match &call.event {
                Some(RankEvent::Collective(Collective { kind, group, .. })) => {
                    let number = group.as_ref().map(|it| it.number);
                    (Among::Group(number), Some(*kind))
                }
                Some(RankEvent::Send(it)) => {
                    let (peer, tag) = (it.peer.unwrap_or(0), it.tag.unwrap_or(0));
                    (Among::Message(rank, peer, tag), None)
                }
                Some(RankEvent::Receive(it)) => {
                    let (peer, tag) = (it.peer.unwrap_or(0), it.tag.unwrap_or(0));
                    (Among::Message(peer, rank, tag), None)
                }
                _ => continue,
            };
            all.entry(among).or_default().push((rank, number, kind));
        }
    }
    all
}

/// Splits the calls by rank. `places` must be sorted by rank.
fn sides(places: &[Place]) -> Vec<&[Place]> {
    places.chunk_by(|one, other| one.0 == other.0).collect()
}

/// Returns the kinds of a rank's calls, sorted, because ranks can make them in different orders.
fn kinds(side: &[Place]) -> Vec<Option<Kind>> {
    let mut kinds: Vec<_> = side.iter().map(|it| it.2).collect();
    kinds.sort_unstable();
    kinds
}

fn call(ranks: &mut [Tasks], (rank, number, _): Place) -> Option<&mut TaskCall> {
    match &mut ranks[rank as usize].graph.operations[number].doing {
        TaskAction::Call(call) => Some(call),
        _ => None,
    }
}

/// Returns the number of members of a collective's group.
fn members(ranks: &mut [Tasks], place: Place) -> usize {
    let event = call(ranks, place).and_then(|it| it.event.as_ref());
    let Some(RankEvent::Collective(collective)) = event else {
        return 0;
    };
    let group = collective.group.as_ref();
    group.map_or(0, |it| it.members.len())
}

/// Sets the times of matching calls to the shortest of their times.
fn share(ranks: &mut [Tasks], sides: &[&[Place]]) {
    for nth in 0..sides[0].len() {
        let all = || sides.iter().map(|side| side[nth]);
        let times = all().filter_map(|it| call(ranks, it).and_then(|it| it.seconds));
        let shortest = times.reduce(f64::min);
        for place in all() {
            if let Some(call) = call(ranks, place) {
                call.seconds = shortest;
            }
        }
    }
}

fn told(among: Among, sides: &[&[Place]], members: usize) -> String {
    let (first, count) = (sides[0][0].0, sides[0].len());
    let Among::Message(from, to, tag) = among else {
        let other = sides.iter().find(|it| it.len() != count);
        return match other {
            Some(other) => format!(
                "rank {first} calls {} of its group, but rank {} calls {}",
                counted(count as u64, "collective", "collectives"),
                other[0].0,
                other.len()
            ),
            None if sides.len() < members => format!(
                "only {} of the {members} ranks in a group, including rank {first}, call its \
                 collectives",
                sides.len()
            ),
            None => format!("the group of rank {first} calls different kinds of collectives"),
        };
    };
    let of = |rank: u32| sides.iter().find(|it| it[0].0 == rank);
    let [sent, received] = [from, to].map(|it| of(it).map_or(0, |it| it.len()));
    let received = if from == to { 0 } else { received };
    let sent = counted(sent as u64, "message", "messages");
    format!("rank {from} sends {sent} with tag {tag} to rank {to}, which receives {received}")
}
