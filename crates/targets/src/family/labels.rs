//! Jumps that C has no word for: out of blocks and of loops around the innermost one, and between
//! the states of a dispatch. They become `goto`.

use prophet_frontend::program::{DispatchState, Label};

/// Kind of step that a jump can leave or begin again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A loop of C.
    Loop,
    Block,
    /// The states of a dispatch.
    Dispatch,
}

/// A loop, block or dispatch around the current step.
#[derive(Debug)]
pub(super) struct Target {
    kind: Kind,
    label: Option<Label>,
    /// The number in its labels of C.
    number: usize,
    /// True if anything jumps after it.
    left: bool,
    /// True if anything jumps to the end of its body.
    continued: bool,
}

impl Target {
    /// The label at the end of its body, if anything jumps there.
    pub(super) fn next(&self) -> Option<String> {
        let Self { number, .. } = self;
        self.continued.then(|| format!("next_{number}:;"))
    }

    /// The label after it, if anything jumps there.
    pub(super) fn end(&self) -> Option<String> {
        let Self { number, .. } = self;
        self.left.then(|| format!("end_{number}:;"))
    }
}

/// The loops, blocks and dispatches around the current step.
#[derive(Debug, Default)]
pub(super) struct Labels {
    open: Vec<Target>,
    /// Number of steps with a label: diagrams may stand in each other's text, so that the program's
    /// own numbers would not do.
    count: usize,
}

impl Labels {
    /// Begins a loop, block or dispatch.
    pub(super) fn open(&mut self, kind: Kind, label: Option<Label>) {
        self.count += usize::from(label.is_some());
        self.open.push(Target {
            kind,
            label,
            number: self.count,
            left: false,
            continued: false,
        });
    }

    /// Ends the innermost one.
    pub(super) fn close(&mut self) -> Target {
        let closed = self.open.pop();
        closed.unwrap_or_else(|| unreachable!("what ends has begun"))
    }

    /// The statement that leaves the loop or block of that label, or the innermost loop.
    pub(super) fn leave(&mut self, label: Option<Label>) -> String {
        let Some(target) = self.far(label) else {
            return "break;".to_owned();
        };
        target.left = true;
        format!("goto end_{};", target.number)
    }

    /// The statement that begins the next turn of the loop of that label, or of the innermost one.
    pub(super) fn next_turn(&mut self, label: Option<Label>) -> String {
        let Some(target) = self.far(label) else {
            return "continue;".to_owned();
        };
        target.continued = true;
        format!("goto next_{};", target.number)
    }

    /// The label of a state of the dispatch of that label, or of the innermost.
    pub(super) fn state(&self, label: Option<Label>, state: DispatchState) -> String {
        let of = |it: &&Target| it.kind == Kind::Dispatch && (label.is_none() || it.label == label);
        let dispatch = self.open.iter().rev().find(of);
        let dispatch = dispatch.unwrap_or_else(|| unreachable!("states lie in a dispatch"));
        format!("state_{}_{state}", dispatch.number)
    }

    /// The loop or block of that label, unless `break` and `continue` of C mean it.
    fn far(&mut self, label: Option<Label>) -> Option<&mut Target> {
        let label = label?;
        let innermost = self.open.iter().rposition(|it| it.kind == Kind::Loop);
        let at = self.open.iter().rposition(|it| it.label == Some(label))?;
        (innermost != Some(at)).then(|| &mut self.open[at])
    }
}
