//! Loops over all other ranks: a rank repeats actions with each of them, such as a root that
//! receives from all.

use super::node::{Act, Node, What};
use super::order::{Order, Orders};
use crate::Event;
use crate::event::Message;

/// Maximum number of events that are done with each rank.
const PERIOD_MAX: usize = 4;
/// Smallest number of other ranks that are a loop.
const OTHERS_MIN: u32 = 3;

/// The nodes of a rank, with loops over all other ranks.
pub(crate) fn found(nodes: Vec<Node>, rank: u32, ranks: u32) -> Vec<Node> {
    // A wait for one request tells it from others.
    if ranks <= OTHERS_MIN || has_waits(&nodes) {
        return nodes;
    }
    Finder { rank, ranks }.found(nodes)
}

fn has_waits(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match &node.what {
        What::Act(act) => matches!(act.event, Event::Wait(_)),
        What::Loop { body, .. } => has_waits(body),
    })
}

struct Finder {
    rank: u32,
    ranks: u32,
}

impl Finder {
    fn found(&self, nodes: Vec<Node>) -> Vec<Node> {
        let mut result = Vec::with_capacity(nodes.len());
        let mut rest = nodes;
        while !rest.is_empty() {
            let mut periods = 1..=PERIOD_MAX;
            let found = periods.find_map(|it| Some((it, self.marks(&rest, it)?)));
            if let Some((period, marks)) = found {
                let behind = rest.split_off(period * self.others());
                result.push(self.each(rest, period, &marks));
                rest = behind;
                continue;
            }
            let behind = rest.split_off(1);
            for mut node in std::mem::replace(&mut rest, behind) {
                if let What::Loop { body, .. } = &mut node.what {
                    *body = self.found(std::mem::take(body));
                }
                result.push(node);
            }
        }
        result
    }

    fn others(&self) -> usize {
        self.ranks as usize - 1
    }

    /// The orders of the messages in each event of a period, if a loop of it begins here.
    fn marks(&self, nodes: &[Node], period: usize) -> Option<Vec<[Orders; 2]>> {
        let nodes = nodes.get(..period * self.others())?;
        let marks: Option<Vec<_>> = (0..period)
            .map(|place| self.mark(nodes[place..].iter().step_by(period)))
            .collect();
        marks.filter(|it| it.iter().flatten().any(|it| it.is_some()))
    }

    /// The orders of the messages in events that are alike.
    fn mark<'n>(&self, nodes: impl Iterator<Item = &'n Node>) -> Option<[Orders; 2]> {
        let acts: Option<Vec<&Act>> = nodes
            .map(|node| match &node.what {
                What::Act(act) => Some(act),
                What::Loop { .. } => None,
            })
            .collect();
        let acts = acts?;
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

    /// The loop of all periods.
    fn each(&self, nodes: Vec<Node>, period: usize, marks: &[[Orders; 2]]) -> Node {
        let mut nodes = nodes.into_iter();
        let mut body: Vec<Node> = nodes.by_ref().take(period).collect();
        for (place, other) in nodes.enumerate() {
            body[place % period].absorb(&other);
        }
        for (node, mark) in body.iter_mut().zip(marks) {
            if let What::Act(act) = &mut node.what {
                act.each = *mark;
            }
        }
        Node::repeat(self.others() as u64, body)
    }
}

/// True if events differ in nothing but ranks and the numbers of requests.
fn is_alike(one: &Act, other: &Act) -> bool {
    let same = |one: &Message, other: &Message| one.tag == other.tag && one.bytes == other.bytes;
    match (&one.event, &other.event) {
        (Event::Send(one), Event::Send(other))
        | (Event::Receive(one), Event::Receive(other))
        | (Event::BeginSend(one, _), Event::BeginSend(other, _))
        | (Event::BeginReceive(one, _), Event::BeginReceive(other, _)) => same(one, other),
        (
            Event::Exchange { to, from },
            Event::Exchange {
                to: other_to,
                from: other_from,
            },
        ) => same(to, other_to) && same(from, other_from),
        (Event::Compute(_), Event::Compute(_)) | (Event::WaitAll, Event::WaitAll) => true,
        (Event::Collective(one), Event::Collective(other)) => one == other,
        _ => false,
    }
}
