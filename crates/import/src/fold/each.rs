//! Finds loops over all other ranks, in which a rank repeats actions with each of them. An example
//! is a root that receives from all ranks.

use std::collections::BTreeSet;

use super::node::{Act, FoldNode, FoldNodeKind};
use super::order::{Order, Orders};
use super::points::{FoldPoint, Points};
use crate::RankEvent;
use crate::event::Message;

const PERIOD_MAX: usize = 4;
/// Minimum number of other ranks from which a loop is formed.
const OTHERS_MIN: u32 = 3;

/// Returns a rank's nodes, in which loops over all other ranks are folded. Calls at `refused` sites
/// stay as they are.
pub(crate) fn fold_other_ranks(
    nodes: Vec<FoldNode>,
    point: FoldPoint,
    refused: &BTreeSet<u32>,
) -> Vec<FoldNode> {
    match CommonFinder::of(&nodes, point, refused) {
        Some(finder) => finder.found(nodes),
        None => nodes,
    }
}

/// Call sites of ranks, as pairs of numbers.
type SeenPlaces = BTreeSet<(u32, u32)>;

/// Returns the call sites that involve all other ranks in some runs, but not on all ranks of these
/// or larger runs. In a small grid, all ranks are neighbors.
pub(crate) fn places_of_neighbors(
    programs: &[(u32, Vec<FoldNode>)],
    points: &Points,
) -> BTreeSet<u32> {
    let refused = &BTreeSet::new();
    let (mut with_all, mut with_fewer) = (SeenPlaces::new(), SeenPlaces::new());
    for (point, nodes) in programs {
        if let Some(finder) = CommonFinder::of(nodes, points.at(*point), refused) {
            finder.see(nodes, &mut with_all, &mut with_fewer);
        }
    }
    let is_with_fewer = |(ranks, place): &(u32, u32)| {
        let mut larger = with_fewer.range((*ranks, 0)..);
        larger.any(|it| it.1 == *place)
    };
    let found = with_all.into_iter().filter(is_with_fewer);
    found.map(|it| it.1).collect()
}

fn has_waits(nodes: &[FoldNode]) -> bool {
    nodes.iter().any(|node| match &node.what {
        FoldNodeKind::Act(act) => matches!(act.event, RankEvent::Wait(_)),
        FoldNodeKind::Loop { body, .. } => has_waits(body),
    })
}

struct CommonFinder<'r> {
    rank: u32,
    ranks: u32,
    refused: &'r BTreeSet<u32>,
}

impl<'r> CommonFinder<'r> {
    /// Creates a finder for a rank's nodes; `None` if looking for loops is pointless.
    fn of(nodes: &[FoldNode], point: FoldPoint, refused: &'r BTreeSet<u32>) -> Option<Self> {
        let [rank, ranks] = [point.pid, point.ranks].map(|it| u32::try_from(it).unwrap_or(0));
        // A wait for a single request makes iterations differ.
        (ranks > OTHERS_MIN && !has_waits(nodes)).then_some(Self {
            rank,
            ranks,
            refused,
        })
    }

    /// Records which call sites are in loops over all other ranks, and which aren't.
    fn see(&self, nodes: &[FoldNode], with_all: &mut SeenPlaces, with_fewer: &mut SeenPlaces) {
        let mut rest = nodes;
        while let Some(first) = rest.first() {
            let period = (1..=PERIOD_MAX).find(|it| self.marks(rest, *it).is_some());
            let (own, others) = rest.split_at(period.map_or(1, |it| it * self.others()));
            rest = others;
            if let FoldNodeKind::Loop { body, .. } = &first.what {
                self.see(body, with_all, with_fewer);
            }
            let acts = own.iter().filter_map(|it| match &it.what {
                FoldNodeKind::Act(act) => act.site,
                FoldNodeKind::Loop { .. } => None,
            });
            let seen = if period.is_some() {
                &mut *with_all
            } else {
                &mut *with_fewer
            };
            seen.extend(acts.map(|site| (self.ranks, site)));
        }
    }

    fn found(&self, nodes: Vec<FoldNode>) -> Vec<FoldNode> {
        let (mut loops, mut at) = (Vec::new(), 0);
        while at < nodes.len() {
            let mut periods = 1..=PERIOD_MAX;
            let found = periods.find_map(|it| self.marks(&nodes[at..], it));
            let length = found.as_ref().map_or(1, |it| it.len() * self.others());
            loops.push((length, found));
            at += length;
        }
        let mut rest = nodes.into_iter();
        let one = |(length, found): (usize, Option<Vec<[Orders; 2]>>)| {
            let mut own: Vec<FoldNode> = rest.by_ref().take(length).collect();
            if let Some(marks) = found {
                return self.loop_of_periods(own, &marks);
            }
            let mut node = own.remove(0);
            if let FoldNodeKind::Loop { body, .. } = &mut node.what {
                *body = self.found(std::mem::take(body));
            }
            node
        };
        loops.into_iter().map(one).collect()
    }

    fn others(&self) -> usize {
        self.ranks as usize - 1
    }

    /// Returns the orders of the messages in each event of a period, if a loop with that period
    /// starts at these nodes.
    fn marks(&self, nodes: &[FoldNode], period: usize) -> Option<Vec<[Orders; 2]>> {
        let nodes = nodes.get(..period * self.others())?;
        let marks: Option<Vec<_>> = (0..period)
            .map(|place| self.mark(nodes[place..].iter().step_by(period)))
            .collect();
        marks.filter(|it| it.iter().flatten().any(|it| it.is_some()))
    }

    /// Returns the orders of the messages in similar events.
    fn mark<'n>(&self, nodes: impl Iterator<Item = &'n FoldNode>) -> Option<[Orders; 2]> {
        let acts: Option<Vec<&Act>> = nodes
            .map(|node| match &node.what {
                FoldNodeKind::Act(act) => Some(act),
                FoldNodeKind::Loop { .. } => None,
            })
            .collect();
        let acts = acts?;
        let is_refused = |it: &&Act| it.site.is_some_and(|it| self.refused.contains(&it));
        if acts.iter().any(is_refused) {
            return None;
        }
        if !acts.iter().all(|act| is_alike(acts[0], act)) {
            return None;
        }
        let mut marks = [Orders::default(); 2];
        for (place, mark) in marks.iter_mut().enumerate() {
            let peers: Vec<Option<u32>> = acts
                .iter()
                .map(|act| act.messages()[place].and_then(|it| it.peer))
                .collect();
            if peers.iter().all(|it| *it == peers[0]) {
                continue;
            }
            let fits = |order: Order| {
                let mut turns = (1..).zip(&peers);
                turns.all(|(turn, peer)| *peer == Some(order.peer(turn, self.rank, self.ranks)))
            };
            *mark = Orders::of(fits);
            if !mark.is_some() {
                return None;
            }
        }
        Some(marks)
    }

    fn loop_of_periods(&self, nodes: Vec<FoldNode>, marks: &[[Orders; 2]]) -> FoldNode {
        let period = marks.len();
        let mut nodes = nodes.into_iter();
        let mut body: Vec<FoldNode> = nodes.by_ref().take(period).collect();
        for (place, other) in nodes.enumerate() {
            body[place % period].absorb(&other);
        }
        for (node, mark) in body.iter_mut().zip(marks) {
            if let FoldNodeKind::Act(act) = &mut node.what {
                act.each = *mark;
            }
        }
        FoldNode::repeat(self.others() as u64, body)
    }
}

/// Returns `true` if two events differ only in ranks and request numbers.
fn is_alike(one: &Act, other: &Act) -> bool {
    let same = |one: &Message, other: &Message| one.tag == other.tag && one.bytes == other.bytes;
    match (&one.event, &other.event) {
        (RankEvent::Send(one), RankEvent::Send(other))
        | (RankEvent::Receive(one), RankEvent::Receive(other))
        | (RankEvent::BeginSend(one, _), RankEvent::BeginSend(other, _))
        | (RankEvent::BeginReceive(one, _), RankEvent::BeginReceive(other, _)) => same(one, other),
        (
            RankEvent::Exchange { to, from },
            RankEvent::Exchange {
                to: other_to,
                from: other_from,
            },
        ) => same(to, other_to) && same(from, other_from),
        (RankEvent::Compute(_), RankEvent::Compute(_))
        | (RankEvent::WaitAll, RankEvent::WaitAll) => true,
        (RankEvent::Collective(one), RankEvent::Collective(other)) => one == other,
        _ => false,
    }
}
