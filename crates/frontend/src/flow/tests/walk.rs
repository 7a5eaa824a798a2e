//! Follows a flow on the graph itself, and through its structure.

use super::super::{Block, Exit, Graph, Label, Node, Statement};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A node that isn't silent was executed.
    Visited(Node),
    /// The guards of a node were evaluated.
    Asked(Node),
    /// No guard of the node held, and it has no `else`.
    Stuck(Node),
    Ended,
}

/// Follows a flow. The nth answer decides the nth branch.
#[derive(Debug)]
struct Follower<'a> {
    graph: &'a Graph,
    answers: &'a [u8],
    asked: usize,
    fuel: usize,
    events: Vec<Event>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Fall,
    Break(Option<Label>),
    Continue(Option<Label>),
    Goto(Label, Node),
    /// The flow has ended or is stuck.
    Over,
    /// The walk stopped early, so the events are only the start of the flow.
    Cut,
}

/// The events of a flow up to its end, or until `answers` or `fuel` are used up. Also says whether
/// it ended.
type Seen = (Vec<Event>, bool);

/// Follows the edges of the graph.
pub(super) fn graph(graph: &Graph, answers: &[u8], fuel: usize) -> Seen {
    let mut follower = Follower::new(graph, answers, fuel);
    let mut node = graph.entry;
    loop {
        if !follower.burn() {
            return (follower.events, false);
        }
        if !graph.silent.contains(&node) {
            follower.events.push(Event::Visited(node));
        }
        let (next, last) = match &graph.nodes[node] {
            Exit::Stop => (None, Event::Ended),
            Exit::Next(next) => (Some(*next), Event::Ended),
            Exit::Branch { arms, otherwise } => {
                let Some(arm) = follower.ask(node, arms.len()) else {
                    return (follower.events, false);
                };
                (arms.get(arm).copied().or(*otherwise), Event::Stuck(node))
            }
        };
        let Some(next) = next else {
            follower.events.push(last);
            return (follower.events, true);
        };
        node = next;
    }
}

/// Follows the structure's text.
///
/// # Panics
///
/// Panics if the text is wrong, for example because of a plain `break` in a labeled block, or a
/// state without an exit.
pub(super) fn structure(graph: &Graph, block: &Block, answers: &[u8], fuel: usize) -> Seen {
    let mut follower = Follower::new(graph, answers, fuel);
    let signal = follower.block(block);
    assert!(
        matches!(signal, Signal::Fall | Signal::Over | Signal::Cut),
        "{signal:?} leaves the text"
    );
    if signal == Signal::Fall {
        follower.events.push(Event::Ended);
    }
    (follower.events, signal != Signal::Cut)
}

impl<'a> Follower<'a> {
    fn new(graph: &'a Graph, answers: &'a [u8], fuel: usize) -> Self {
        Self {
            graph,
            answers,
            asked: 0,
            fuel,
            events: Vec::new(),
        }
    }

    fn burn(&mut self) -> bool {
        let left = self.fuel > 0;
        self.fuel = self.fuel.saturating_sub(1);
        left
    }

    /// Returns the index of the guard that holds; the number of guards if none of them does.
    /// Returns `None` if there are no more answers.
    fn ask(&mut self, node: Node, guards: usize) -> Option<usize> {
        let answer = usize::from(*self.answers.get(self.asked)?) % (guards + 1);
        self.asked += 1;
        self.events.push(Event::Asked(node));
        Some(answer)
    }

    fn block(&mut self, block: &Block) -> Signal {
        for (number, statement) in block.iter().enumerate() {
            let signal = self.statement(statement);
            if signal != Signal::Fall {
                return signal;
            }
            let jump = matches!(statement, Statement::Return | Statement::Break(_));
            assert!(
                !jump || number + 1 == block.len(),
                "text behind {statement:?}"
            );
        }
        Signal::Fall
    }

    fn statement(&mut self, statement: &Statement) -> Signal {
        if !self.burn() {
            return Signal::Cut;
        }
        match statement {
            Statement::Visit(node) => {
                self.events.push(Event::Visited(*node));
                Signal::Fall
            }
            Statement::Branch {
                node,
                arms,
                otherwise,
            } => {
                let Some(arm) = self.ask(*node, arms.len()) else {
                    return Signal::Cut;
                };
                let Some(block) = arms.get(arm).or(otherwise.as_ref()) else {
                    self.events.push(Event::Stuck(*node));
                    return Signal::Over;
                };
                self.block(block)
            }
            Statement::Loop { label, body, .. } => self.repeat(*label, body, None),
            Statement::While {
                label,
                node,
                negated,
                body,
                ..
            } => {
                assert!(self.graph.silent.contains(node));
                self.repeat(*label, body, Some((*node, *negated)))
            }
            Statement::Labeled { label, body } => match self.block(body) {
                Signal::Break(None) | Signal::Continue(None) => {
                    panic!("a plain jump in the block '{label}")
                }
                Signal::Break(Some(target)) if target == *label => Signal::Fall,
                signal => signal,
            },
            Statement::Break(label) => Signal::Break(*label),
            Statement::Continue(label) => Signal::Continue(*label),
            Statement::Return => {
                self.events.push(Event::Ended);
                Signal::Over
            }
            Statement::Dispatch {
                label,
                entry,
                states,
            } => self.dispatch(*label, *entry, states),
            Statement::Goto { label, state } => Signal::Goto(*label, *state),
        }
    }

    fn repeat(
        &mut self,
        label: Option<Label>,
        body: &Block,
        condition: Option<(Node, bool)>,
    ) -> Signal {
        loop {
            if !self.burn() {
                return Signal::Cut;
            }
            if let Some((node, negated)) = condition {
                match self.ask(node, 1) {
                    None => return Signal::Cut,
                    Some(arm) if (arm == 0) == negated => return Signal::Fall,
                    Some(_) => {}
                }
            }
            match self.block(body) {
                Signal::Fall | Signal::Continue(None) => {}
                Signal::Break(None) => return Signal::Fall,
                Signal::Continue(target) if target == label => {}
                Signal::Break(target) if target == label => return Signal::Fall,
                signal => return signal,
            }
        }
    }

    fn dispatch(&mut self, label: Label, entry: Node, states: &[(Node, Block)]) -> Signal {
        let mut state = entry;
        loop {
            let (_, block) = states.iter().find(|(known, _)| *known == state).unwrap();
            match self.block(block) {
                Signal::Goto(target, next) if target == label => state = next,
                Signal::Over => return Signal::Over,
                Signal::Cut => return Signal::Cut,
                signal => panic!("{signal:?} leaves a state"),
            }
        }
    }
}
