//! Finds loops that some ranks only go through once or twice. Their events don't repeat often
//! enough there to become a loop, so they are compared with loops of other ranks and sizes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::Programs;
use super::node::{FoldNode, FoldNodeKind};

/// Maximum number of loop bodies to look for.
const BODIES_MAX: usize = 256;

/// A loop body: the depth of loops in it, its negative length, and the shapes of its nodes.
type Body = (usize, std::cmp::Reverse<usize>, Vec<u64>);

/// Turns events into loops if they look like the body of a loop in a run with at least as many
/// ranks, which `ranks` returns. Returns `true` if there were such events.
pub(super) fn roll(programs: &mut Programs, ranks: impl Fn(u32) -> i64) -> bool {
    let mut bodies = BTreeMap::new();
    for (rank, nodes) in programs.iter() {
        add_bodies(nodes, ranks(*rank), &mut bodies);
    }
    let mut has_rolled = false;
    for ((_, _, body), most) in bodies.into_iter().take(BODIES_MAX) {
        for (_, nodes) in programs.iter_mut().filter(|it| ranks(it.0) <= most) {
            has_rolled |= roll_body(nodes, &body);
        }
    }
    has_rolled
}

/// Adds the bodies of all loops with several calls whose sites are known, each with its largest
/// number of ranks.
fn add_bodies(nodes: &[FoldNode], ranks: i64, bodies: &mut BTreeMap<Body, i64>) {
    for node in nodes {
        if let FoldNodeKind::Loop { body, .. } = &node.what {
            add_bodies(body, ranks, bodies);
            let shapes: Option<Vec<u64>> = body.iter().map(shape).collect();
            if let Some(shapes) = shapes.filter(|it| it.len() > 1) {
                let key = (depth(body), std::cmp::Reverse(body.len()), shapes);
                let most = bodies.entry(key).or_default();
                *most = ranks.max(*most);
            }
        }
    }
}

fn depth(nodes: &[FoldNode]) -> usize {
    let one = |node: &FoldNode| match &node.what {
        FoldNodeKind::Act(_) => 0,
        FoldNodeKind::Loop { body, .. } => 1 + depth(body),
    };
    nodes.iter().map(one).max().unwrap_or(0)
}

/// Returns a number that is equal for nodes with the same calls, whatever their partners, sizes and
/// counts; `None` if a call has no site, or is repeated with each of the other ranks.
fn shape(node: &FoldNode) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    match &node.what {
        FoldNodeKind::Act(act) => {
            let kind = std::mem::discriminant(&act.event);
            (act.site?, kind, act.begun.map(|it| it.1)).hash(&mut hasher);
            if act.is_each() {
                return None;
            }
        }
        FoldNodeKind::Loop { body, .. } => {
            for node in body {
                shape(node)?.hash(&mut hasher);
            }
            body.len().hash(&mut hasher);
        }
    }
    Some(hasher.finish())
}

/// Turns each place with this body into a loop, unless the body is already one.
fn roll_body(nodes: &mut Vec<FoldNode>, body: &[u64]) -> bool {
    let mut has_rolled = false;
    for node in nodes.iter_mut() {
        if let FoldNodeKind::Loop { body: inner, .. } = &mut node.what {
            let shapes: Vec<_> = inner.iter().map(shape).collect();
            if !fits(&shapes, 0, body) || shapes.len() != body.len() {
                has_rolled |= roll_body(inner, body);
                node.rehash();
            }
        }
    }
    let shapes: Vec<Option<u64>> = nodes.iter().map(shape).collect();
    let length = body.len();
    let mut result = Vec::with_capacity(nodes.len());
    let mut at = 0;
    let mut rest = std::mem::take(nodes).into_iter();
    while at < shapes.len() {
        let mut count = 0;
        while fits(&shapes, at + count * length, body) {
            count += 1;
        }
        let mut taken: Vec<FoldNode> = rest.by_ref().take((count * length).max(1)).collect();
        at += taken.len();
        let is_same = |it: &[FoldNode]| {
            it.iter()
                .zip(&taken)
                .all(|(it, first)| it.hash == first.hash)
        };
        // Messages to several partners aren't a loop.
        if count == 0 || !taken.chunks(length).all(is_same) {
            result.extend(taken);
            continue;
        }
        let others = taken.split_off(length);
        for (place, other) in others.iter().enumerate() {
            taken[place % length].absorb(other);
        }
        result.push(FoldNode::repeat(count as u64, taken));
        has_rolled = true;
    }
    *nodes = result;
    has_rolled
}

fn fits(shapes: &[Option<u64>], at: usize, body: &[u64]) -> bool {
    let own = shapes.get(at..at + body.len());
    own.is_some_and(|own| own.iter().zip(body).all(|(it, other)| *it == Some(*other)))
}

#[cfg(test)]
mod tests {
    use super::super::sequence::Sequence;
    use super::*;
    use crate::RankEvent;
    use crate::event::Message;

    /// Returns a rank's nodes. Each letter is a send at a site of its own.
    fn nodes(letters: &str) -> Vec<FoldNode> {
        let mut sequence = Sequence::default();
        for letter in letters.chars() {
            let message = Message {
                peer: Some(1),
                tag: Some(0),
                bytes: Some(1),
            };
            sequence.push_at(RankEvent::Send(message), Some(letter.into()), None);
        }
        sequence.finish()
    }

    fn shown(nodes: &[FoldNode]) -> String {
        let one = |node: &FoldNode| match &node.what {
            FoldNodeKind::Loop { count, body } => format!("{count}({})", shown(body)),
            FoldNodeKind::Act(act) => {
                let letter = act.site.and_then(char::from_u32);
                letter.unwrap_or('?').to_string()
            }
        };
        nodes.iter().map(one).collect()
    }

    #[test]
    fn single_turns_become_loops_where_others_have_several() {
        let programs = [
            "xabcy",
            "xabcabcabcydededeef",
            "xydedez",
            "deedxy",
            "xaby",
            "efefefef",
            "ef",
        ];
        let mut programs: Programs = (0..).zip(programs.map(nodes)).collect();
        // The second program has the most ranks.
        assert!(roll(&mut programs, |it| if it == 1 { 4 } else { 2 }));
        let all: Vec<String> = programs.iter().map(|it| shown(&it.1)).collect();
        let expected = [
            "x1(abc)y",
            "x3(abc)y3(de)ef",
            "xy2(de)z",
            "1(de)edxy",
            "xaby",
            "4(ef)",
            "1(ef)",
        ];
        assert_eq!(all, expected);
    }
}
