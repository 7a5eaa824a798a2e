//! Describes why forks and joins can't be structured.

use super::Resolver;
use super::flows::Drawn;
use super::scopes::ScopeProblem;
use crate::flow::Node;
use prophet_model::diagnostic::Rule;
use prophet_model::diagnostic::catalogue::flow as rules;
use prophet_model::model::{Element, Model, NodeKind};

/// A problem: its rule, the node that causes it, the message and the help text.
type Said = (&'static Rule, Node, String, &'static str);

impl Resolver<'_> {
    pub(super) fn report_problem(&mut self, problem: ScopeProblem, drawn: &Drawn<'_>) {
        let nodes = Nodes {
            model: self.model,
            drawn,
        };
        let (rule, node, message, help) = match problem {
            ScopeProblem::Crosses {
                fork,
                source,
                target,
            } => nodes.crosses(fork, source, target),
            ScopeProblem::Meets { fork, target } => nodes.meets(fork, target),
            ScopeProblem::Apart { join, fork, entry } => nodes.apart(join, fork, entry),
            ScopeProblem::Alternatives { join } => nodes.alternatives(join),
            ScopeProblem::Never { join, source } => nodes.never(join, source),
            ScopeProblem::Ends { join, node } => nodes.ends(join, node),
            ScopeProblem::Aborts { fork, node } => nodes.aborts(fork, node),
            ScopeProblem::Stops { node } => nodes.stops(node),
            ScopeProblem::Deep { fork } => nodes.deep(fork),
            ScopeProblem::MayStarve { join } => nodes.may_starve(join),
        };
        let element = nodes.element(node);
        self.report(rule, element.span, &element.path, message, help);
    }
}

struct Nodes<'a> {
    model: &'a Model,
    drawn: &'a Drawn<'a>,
}

impl<'a> Nodes<'a> {
    fn element(&self, node: Node) -> &'a Element {
        self.model.element(self.drawn.elements[node])
    }

    fn path(&self, node: Node) -> &'a str {
        &self.element(node).path
    }

    fn is_join(&self, node: Node) -> bool {
        matches!(self.element(node).kind, NodeKind::Join)
    }

    fn fork(&self, node: Node) -> String {
        match self.element(node).kind {
            NodeKind::Fork => format!("the fork {}", self.path(node)),
            _ if node == self.drawn.entry => "the concurrent starts".to_owned(),
            _ => format!("the fork after {}", self.path(node)),
        }
    }

    fn crosses(&self, fork: Node, source: Node, target: Node) -> Said {
        let (from, to, fork) = (self.path(source), self.path(target), self.fork(fork));
        let message = format!("the flow from {from} to {to} leaves or enters a branch of {fork}");
        let help = "join all branches in one JoinNode, and continue after it";
        (&rules::TANGLED_BRANCHES, source, message, help)
    }

    fn meets(&self, fork: Node, target: Node) -> Said {
        let (path, fork) = (self.path(target), self.fork(fork));
        let message =
            format!("several branches of {fork} lead to {path}, which would run for each of them");
        let help = "join the branches in a JoinNode";
        (&rules::TANGLED_BRANCHES, target, message, help)
    }

    fn apart(&self, join: Node, fork: Node, entry: Node) -> Said {
        let (path, fork, entry) = (self.path(join), self.fork(fork), self.path(entry));
        let message =
            format!("{path} joins some branches of {fork}, but not the one through {entry}");
        let help =
            "join all branches in one JoinNode, or draw a separate fork for the branches that meet";
        (&rules::TANGLED_BRANCHES, join, message, help)
    }

    fn deep(&self, fork: Node) -> Said {
        let message = format!(
            "{} is nested in branches of more than 100 other forks",
            self.fork(fork)
        );
        let help = "move branches into separate activities";
        (&rules::TANGLED_BRANCHES, fork, message, help)
    }

    fn alternatives(&self, join: Node) -> Said {
        let path = self.path(join);
        if self.is_join(join) {
            let message =
                format!("{path} waits for several flows, but only one of them can arrive");
            let help = "use a MergeNode where alternatives meet";
            return (&rules::STARVING_JOIN, join, message, help);
        }
        let message =
            format!("{path} waits for all flows into it, but only one of them can arrive");
        let help = "merge them in a MergeNode before it";
        (&rules::IMPLICIT_JOIN, join, message, help)
    }

    fn never(&self, join: Node, source: Node) -> Said {
        let rule = if self.is_join(join) {
            &rules::STARVING_JOIN
        } else {
            &rules::IMPLICIT_JOIN
        };
        let (path, source) = (self.path(join), self.path(source));
        let message = format!("{path} waits for the flow from {source}, which cannot arrive first");
        let help = "route flows that lead back to it, or that may not arrive, through a MergeNode";
        (rule, join, message, help)
    }

    fn ends(&self, join: Node, node: Node) -> Said {
        let (path, join) = (self.path(node), self.path(join));
        let message = format!("a flow ends at {path}, but {join} waits for it");
        (
            &rules::STARVING_JOIN,
            node,
            message,
            "lead the flow to the join",
        )
    }

    fn stops(&self, node: Node) -> Said {
        let path = self.path(node);
        let message =
            format!("{path} would stop other flows of the diagram that may still be running");
        let help = "route all flows into a JoinNode before it, or end them in FlowFinalNodes";
        (&rules::ABORTED_BRANCH, node, message, help)
    }

    fn may_starve(&self, join: Node) -> Said {
        let message = format!(
            "{} may wait for a flow that never arrives, and then nothing after it runs",
            self.path(join)
        );
        let help = "lead all flows to it, or merge alternatives in a MergeNode before it";
        (&rules::DOUBTFUL_JOIN, join, message, help)
    }

    fn aborts(&self, fork: Node, node: Node) -> Said {
        let (path, fork) = (self.path(node), self.fork(fork));
        let message = format!("{path} in a branch of {fork} would stop the other branches");
        let help = "join the branches in a JoinNode, or end them in FlowFinalNodes; use a \
                    DecisionNode to run only one of them";
        (&rules::ABORTED_BRANCH, node, message, help)
    }
}
