//! Turns the events of one rank into nested loops as they arrive.
//!
//! The list of nodes stays short if events repeat. When the nodes at its end equal the nodes before
//! them, both become a loop. When the nodes at its end equal the body of the loop before them, they
//! become another iteration of that loop. The amounts of computing can differ between iterations;
//! they are added up.

use std::collections::BTreeMap;

use super::node::{Act, FoldNode, FoldNodeKind};
use super::order::Orders;
use crate::event::{Message, RankEvent, Work};
use crate::requests::{EXCHANGED, SHARED};

/// Maximum number of nodes in a loop body.
const WINDOW: usize = 2048;
/// Maximum number of nodes in a loop body that counts as short.
const SHORT: usize = 2;
/// Number of loops before the end that can still get another iteration.
const LOOPS: usize = 8;

/// The events of a single rank so far.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    nodes: Vec<FoldNode>,
    loops: Vec<usize>,
    computing: Option<(Work, Option<u32>)>,
    /// Messages in flight, by request.
    begun: BTreeMap<u32, (Message, bool)>,
    pub(crate) events: u64,
    site: Option<u32>,
    /// Size of the last event's message if it depends on data.
    size: Option<u64>,
}

impl Sequence {
    /// Adds a call's event with its call site and, if the event lacks it, the message size. Returns
    /// the number of nodes.
    pub(crate) fn push_at(
        &mut self,
        event: RankEvent,
        site: Option<u32>,
        size: Option<u64>,
    ) -> usize {
        self.events += 1;
        self.site = site;
        self.size = size;
        match event {
            RankEvent::Compute(work) => {
                // Counters are read at library calls, and a run's trace separates executions. In a
                // recording, there are calls without events in between.
                if work.flops == 0.0 && site.is_none() {
                    self.flush();
                }
                let before = self.computing.map_or_else(Work::default, |it| it.0);
                self.computing = Some((before.plus(work), site));
            }
            // One element exchanges messages of a single size and tag; other exchanges start and
            // end separately.
            RankEvent::Exchange { to, from } if to.bytes != from.bytes || to.tag != from.tag => {
                let [receive, send] = EXCHANGED;
                for event in [
                    RankEvent::BeginReceive(from, receive),
                    RankEvent::BeginSend(to, send),
                    RankEvent::Wait(receive),
                    RankEvent::Wait(send),
                ] {
                    self.add_event(event);
                }
            }
            event => self.add_event(event),
        }
        self.nodes.len()
    }

    /// Adds a wait of its own for each message in flight. Returns the number of nodes.
    pub(crate) fn wait_for_each(&mut self, site: Option<u32>) -> usize {
        let open: Vec<u32> = self.begun.keys().copied().collect();
        for request in open {
            self.push_at(RankEvent::Wait(request), site, None);
        }
        self.nodes.len()
    }

    fn add_event(&mut self, event: RankEvent) {
        self.flush();
        let mut begun = None;
        match &event {
            RankEvent::BeginSend(message, request) => self.note(*request, (*message, true)),
            RankEvent::BeginReceive(message, request) => self.note(*request, (*message, false)),
            RankEvent::Wait(request) => {
                begun = self.begun.remove(request);
                // Nothing is in flight: the wait is already over.
                if begun.is_none() {
                    return;
                }
            }
            RankEvent::WaitAll => self.begun.clear(),
            _ => {}
        }
        let act = Act {
            site: self.site,
            ..act_of(event, begun)
        };
        #[expect(clippy::cast_precision_loss, reason = "it is a mean")]
        let bytes = self.size.map_or(act.bytes, |it| it as f64);
        self.add(Act { bytes, ..act });
    }

    fn note(&mut self, request: u32, message: (Message, bool)) {
        if request != SHARED {
            self.begun.insert(request, message);
        }
    }

    /// Adds the computing since the last event that wasn't computing.
    fn flush(&mut self) {
        if let Some((work, site)) = self.computing.take() {
            self.add(Act {
                work,
                site,
                ..act_of(RankEvent::Compute(Work::default()), None)
            });
        }
    }

    fn add(&mut self, act: Act) {
        self.nodes.push(FoldNode::act(act));
        while self.iterate() || self.begin_loop() {}
    }

    /// Turns the end of the list into another iteration of a loop before it.
    fn iterate(&mut self) -> bool {
        let length = self.nodes.len();
        let candidates = (0..self.loops.len()).rev().take(LOOPS);
        for number in candidates {
            let place = self.loops[number];
            let (before, tail) = self.nodes.split_at_mut(place + 1);
            let node = &mut before[place];
            let FoldNodeKind::Loop { count, body } = &mut node.what else {
                continue;
            };
            if tail.len() > WINDOW {
                return false;
            }
            if body.len() != tail.len() || !is_same(body, tail) {
                continue;
            }
            *count += 1;
            body.iter_mut()
                .zip(tail)
                .for_each(|(it, other)| it.absorb(other));
            node.rehash();
            self.loops.truncate(number + 1);
            self.nodes.truncate(place + 1);
            debug_assert!(self.nodes.len() < length);
            return true;
        }
        false
    }

    /// Turns the end of the list and the equal nodes before it into a loop.
    fn begin_loop(&mut self) -> bool {
        let length = self.nodes.len();
        let Some(last) = self.nodes.last().map(|it| it.hash) else {
            return false;
        };
        for size in 1..=(length / 2).min(WINDOW) {
            if self.nodes[length - 1 - size].hash != last {
                continue;
            }
            let (before, tail) = self.nodes.split_at(length - size);
            if !is_same(&before[length - 2 * size..], tail) {
                continue;
            }
            let count = repeats(size);
            let first = length.checked_sub(count * size);
            let Some(first) = first.filter(|it| is_same(&self.nodes[*it..*it + size], tail)) else {
                continue;
            };
            let others = self.nodes.split_off(first + size);
            let mut body = self.nodes.split_off(first);
            for (place, other) in others.iter().enumerate() {
                body[place % size].absorb(other);
            }
            let place = self.nodes.len();
            while self.loops.last().is_some_and(|it| *it >= place) {
                self.loops.pop();
            }
            self.loops.push(place);
            self.nodes.push(FoldNode::repeat(count as u64, body));
            return true;
        }
        false
    }

    pub(crate) fn finish(mut self) -> Vec<FoldNode> {
        self.flush();
        rotated(self.nodes)
    }
}

fn act_of(mut event: RankEvent, begun: Option<(Message, bool)>) -> Act {
    let mut bytes = 0.0;
    if let RankEvent::Collective(collective) = &mut event
        && collective.blocks.is_some()
    {
        #[expect(clippy::cast_precision_loss, reason = "it is a mean")]
        let size = collective.bytes as f64;
        (bytes, collective.bytes) = (size, 0);
        collective.blocks = Some(Box::default());
    }
    Act {
        event,
        each: [Orders::default(); 2],
        begun,
        work: Work::default(),
        bytes,
        times: 1,
        site: None,
        level: None,
        before: None,
    }
}

/// Returns how many repetitions turn a body into a loop. Short bodies need three, because two could
/// be the end of one iteration and the start of the next.
fn repeats(size: usize) -> usize {
    if size <= SHORT { 3 } else { 2 }
}

fn is_same(one: &[FoldNode], other: &[FoldNode]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .rev()
            .all(|(it, other)| it.hash == other.hash)
}

/// Shifts loops so that they start as late as possible. Then the loops of all ranks start at the
/// same event.
fn rotated(nodes: Vec<FoldNode>) -> Vec<FoldNode> {
    let mut result: Vec<FoldNode> = Vec::with_capacity(nodes.len());
    let mut rest = nodes.into_iter().peekable();
    while let Some(node) = rest.next() {
        let FoldNodeKind::Loop { count, mut body } = node.what else {
            result.push(node);
            continue;
        };
        let mut moved = Vec::new();
        while let Some(place) = body.get(moved.len()) {
            match rest.next_if(|next| next.hash == place.hash) {
                Some(next) => moved.push(next),
                None => break,
            }
        }
        // All computing looks alike: after a loop, it isn't necessarily the loop's start.
        let is_alone = matches!(&moved[..], [only] if only.is_computing());
        let behind = if is_alone { moved.pop() } else { None };
        for next in moved {
            let mut first = body.remove(0);
            let early = first.split(count);
            first.absorb(&next);
            result.push(early);
            body.push(first);
        }
        result.push(FoldNode::repeat(count, rotated(body)));
        result.extend(behind);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Collective, Kind};

    /// Folds letters. Each letter is a send to the rank it stands for, and `.` computes.
    fn folded(text: &str) -> String {
        let mut sequence = Sequence::default();
        for letter in text.chars() {
            let event = match letter {
                '.' => RankEvent::Compute(Work::flops(1.0)),
                's' => RankEvent::Compute(Work::seconds(1.0)),
                _ => RankEvent::Send(Message {
                    peer: Some(u32::from(letter)),
                    tag: Some(0),
                    bytes: Some(1),
                }),
            };
            sequence.push_at(event, None, None);
        }
        shown(&sequence.finish())
    }

    fn shown(nodes: &[FoldNode]) -> String {
        let one = |node: &FoldNode| match &node.what {
            FoldNodeKind::Loop { count, body } => format!("{count}({})", shown(body)),
            FoldNodeKind::Act(Act {
                event: RankEvent::Send(message),
                ..
            }) => {
                let letter = message.peer.and_then(char::from_u32);
                letter.unwrap_or('?').to_string()
            }
            FoldNodeKind::Act(_) => ".".to_owned(),
        };
        nodes.iter().map(one).collect()
    }

    #[test]
    fn repetitions_become_loops() {
        for (text, expected) in [
            ("abc", "abc"),
            ("aaaa", "4(a)"),
            ("xabababy", "x3(ab)y"),
            ("aabaabaab", "3(aab)"),
            ("aaabaaabaaab", "3(3(a)b)"),
            ("a.a.a.a.", "4(a.)"),
            ("xaaabaaabaaaby", "x3(3(a)b)y"),
            ("....", "."),
            ("ssss", "4(.)"),
            ("sasbssasbssasbs", "3(.a.b.)"),
        ] {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn loops_begin_as_late_as_possible() {
        assert_eq!(folded("cabcabcabc"), "c3(abc)");
        assert_eq!(folded("abcabcabx"), "ab2(cab)x");
    }

    #[test]
    fn long_loops_take_few_nodes() {
        let mut sequence = Sequence::default();
        for number in 0..100_000_u32 {
            let event = match number % 3 {
                0 => RankEvent::WaitAll,
                1 => RankEvent::Collective(Collective::even(Kind::Barrier, 0, 0)),
                _ => RankEvent::Compute(Work::flops(1.0)),
            };
            assert!(sequence.push_at(event, None, None) < 10);
        }
        assert_eq!(sequence.events, 100_000);
    }
}
