//! Turns a graph into a sequence of events, for simulators and models in which ranks do one thing
//! at a time.
//!
//! Operations start in file order as soon as their dependencies are done. Sends don't block. When a
//! rank has nothing else to do, it receives messages, in the order in which its receives became
//! ready.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::graph::{GoalGraph, Operation, OperationKind, Partner};
use crate::event::{Message, RankEvent, Work};
use crate::graph::Moment;
use crate::requests::{Requests, SHARED};

/// Seconds per time unit in a schedule.
const UNIT_S: f64 = 1e-9;

struct Walk<'g> {
    graph: &'g GoalGraph,
    needs: Vec<u32>,
    ready: BinaryHeap<Reverse<u32>>,
    /// Receives that can start, oldest first.
    receives: VecDeque<u32>,
    /// Sends that other operations wait for. They must end first.
    sends: VecDeque<u32>,
    requests: Requests<u32>,
    /// Whether a send that nothing waits for is in flight.
    has_free: bool,
    events: VecDeque<RankEvent>,
    done: u32,
}

/// Returns the events of a graph, or an error message if operations wait for each other in a cycle.
pub(super) fn events(graph: &GoalGraph) -> Result<VecDeque<RankEvent>, String> {
    let free = (0..graph.len()).filter(|it| graph.needs[*it as usize] == 0);
    let mut walk = Walk {
        graph,
        needs: graph.needs.clone(),
        ready: free.map(Reverse).collect(),
        receives: VecDeque::new(),
        sends: VecDeque::new(),
        requests: Requests::default(),
        has_free: false,
        events: VecDeque::new(),
        done: 0,
    };
    loop {
        if let Some(Reverse(next)) = walk.ready.pop() {
            walk.begin(next);
        } else if let Some(send) = walk.sends.pop_front() {
            walk.end_send(send);
        } else if let Some(receive) = walk.receives.pop_front() {
            walk.receive(receive);
        } else {
            break;
        }
    }
    if walk.done < graph.len() {
        let stuck = graph.len() - walk.done;
        return Err(format!("{stuck} operations wait for each other"));
    }
    if walk.requests.end_all() || walk.has_free {
        walk.events.push_back(RankEvent::WaitAll);
    }
    Ok(walk.events)
}

impl Walk<'_> {
    /// Starts an operation. It is then done, unless it is a message that other operations wait for.
    fn begin(&mut self, number: u32) {
        self.done += 1;
        let operation = self.graph.operations[number as usize];
        let is_awaited = self.graph.waiting_for(number, Moment::End).next().is_some();
        match operation.what {
            OperationKind::Calculate => {
                let seconds = real(operation.size) * UNIT_S;
                self.events
                    .push_back(RankEvent::Compute(Work::seconds(seconds)));
                self.release(number, Moment::End);
            }
            OperationKind::Send(partner) => {
                let request = if is_awaited {
                    self.sends.push_back(number);
                    self.requests.begin(number)
                } else {
                    self.has_free = true;
                    SHARED
                };
                let message = message(partner, operation);
                self.events
                    .push_back(RankEvent::BeginSend(message, request));
            }
            OperationKind::Receive(_) => self.receives.push_back(number),
        }
        self.release(number, Moment::Start);
    }

    /// Waits for the end of a send that another operation depends on.
    fn end_send(&mut self, number: u32) {
        if let Some(request) = self.requests.end(&number) {
            match self.events.back() {
                Some(RankEvent::BeginSend(message, of)) if *of == request => {
                    let event = RankEvent::Send(*message);
                    self.events.pop_back();
                    self.events.push_back(event);
                }
                _ => self.events.push_back(RankEvent::Wait(request)),
            }
        }
        self.release(number, Moment::End);
    }

    fn receive(&mut self, number: u32) {
        let operation = self.graph.operations[number as usize];
        if let OperationKind::Receive(partner) = operation.what {
            let message = message(partner, operation);
            self.events.push_back(RankEvent::Receive(message));
        }
        self.release(number, Moment::End);
    }

    /// Starts the operations that waited only for this moment of an operation.
    fn release(&mut self, number: u32, moment: Moment) {
        for later in self.graph.waiting_for(number, moment) {
            self.needs[later as usize] -= 1;
            if self.needs[later as usize] == 0 {
                self.ready.push(Reverse(later));
            }
        }
    }
}

fn message(partner: Partner, operation: Operation) -> Message {
    Message {
        peer: partner.rank,
        tag: partner.tag.map(i64::from),
        bytes: Some(operation.size),
    }
}

#[expect(clippy::cast_precision_loss, reason = "times are below 2^53")]
fn real(size: u64) -> f64 {
    size as f64
}
