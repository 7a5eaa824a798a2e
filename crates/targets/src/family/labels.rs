//! Writes `goto` for jumps that C has no other statement for: out of blocks and outer loops, and
//! between the states of a dispatch loop.

use prophet_frontend::program::{DispatchState, Label};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Loop,
    Block,
    Dispatch,
}

/// A loop, block or dispatch loop around the current step.
#[derive(Debug)]
pub(super) struct Target {
    kind: Kind,
    label: Option<Label>,
    /// Number of the target, which is part of its labels in C.
    number: usize,
    /// Whether any jump leaves the target.
    left: bool,
    /// Whether any jump leads to the end of its body.
    continued: bool,
}

impl Target {
    /// Returns the label at the end of the target's body; `None` if no jump leads there.
    pub(super) fn next(&self) -> Option<String> {
        let Self { number, .. } = self;
        self.continued.then(|| format!("next_{number}:;"))
    }

    /// Returns the label after the target; `None` if no jump leads there.
    pub(super) fn end(&self) -> Option<String> {
        let Self { number, .. } = self;
        self.left.then(|| format!("end_{number}:;"))
    }
}

#[derive(Debug, Default)]
pub(super) struct Labels {
    open: Vec<Target>,
    /// Number of targets so far. The program's own label numbers could clash, because a diagram's
    /// text can contain other diagrams.
    count: usize,
}

impl Labels {
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

    pub(super) fn close(&mut self) -> Target {
        let closed = self.open.pop();
        closed.unwrap_or_else(|| unreachable!("what ends has begun"))
    }

    /// Writes a jump out of the loop or block with this label. Without a label, leaves the
    /// innermost loop.
    pub(super) fn leave(&mut self, label: Option<Label>) -> String {
        let Some(target) = self.far(label) else {
            return "break;".to_owned();
        };
        target.left = true;
        format!("goto end_{};", target.number)
    }

    /// Writes a jump to the next iteration of the loop with this label. Without a label, continues
    /// the innermost loop.
    pub(super) fn next_turn(&mut self, label: Option<Label>) -> String {
        let Some(target) = self.far(label) else {
            return "continue;".to_owned();
        };
        target.continued = true;
        format!("goto next_{};", target.number)
    }

    /// Returns the label of a state in the dispatch loop with this label. Without a label, this is
    /// the innermost dispatch loop.
    pub(super) fn state(&self, label: Option<Label>, state: DispatchState) -> String {
        let of = |it: &&Target| it.kind == Kind::Dispatch && (label.is_none() || it.label == label);
        let dispatch = self.open.iter().rev().find(of);
        let dispatch = dispatch.unwrap_or_else(|| unreachable!("states lie in a dispatch"));
        format!("state_{}_{state}", dispatch.number)
    }

    /// Returns the loop or block with this label, unless a plain `break` or `continue` is enough to
    /// jump there.
    fn far(&mut self, label: Option<Label>) -> Option<&mut Target> {
        let label = label?;
        let innermost = self.open.iter().rposition(|it| it.kind == Kind::Loop);
        let at = self.open.iter().rposition(|it| it.label == Some(label))?;
        (innermost != Some(at)).then(|| &mut self.open[at])
    }
}
