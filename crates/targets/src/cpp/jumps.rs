//! Jumps that C++ has no word for: out of blocks and of loops around the innermost one, and between
//! the states of a dispatch. They become `goto`.

use prophet_codegen::program::Label;

/// What a jump can leave or begin again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A loop of C++.
    Loop,
    /// A block.
    Block,
    /// The states of a dispatch.
    Dispatch,
}

/// A loop, block or dispatch around the current step.
#[derive(Debug)]
pub(super) struct Open {
    kind: Kind,
    label: Option<Label>,
    /// The number in its C++ labels.
    pub(super) number: usize,
    /// Whether anything jumps behind it.
    pub(super) left: bool,
    /// Whether anything jumps to the end of its body.
    pub(super) continued: bool,
}

/// The loops, blocks and dispatches around the current step.
#[derive(Debug, Default)]
pub(super) struct Jumps {
    open: Vec<Open>,
    count: usize,
}

impl Jumps {
    /// A number for labels that no other label has.
    pub(super) fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    /// Begins a loop, block or dispatch; gives its number.
    pub(super) fn open(&mut self, kind: Kind, label: Option<Label>) -> usize {
        let number = self.number();
        self.open.push(Open {
            kind,
            label,
            number,
            left: false,
            continued: false,
        });
        number
    }

    /// Ends the innermost one.
    pub(super) fn close(&mut self) -> Option<Open> {
        self.open.pop()
    }

    /// The statement that leaves the one of that label, or the innermost loop.
    pub(super) fn leave(&mut self, label: Option<Label>) -> String {
        let innermost = self.innermost();
        let Some(at) = self.find(label) else {
            return "break;".to_owned();
        };
        let target = &mut self.open[at];
        if target.kind == Kind::Loop && innermost == Some(at) {
            return "break;".to_owned();
        }
        target.left = true;
        format!("goto end_{};", target.number)
    }

    /// The statement that begins the next turn of the loop of that label, or of the innermost one.
    pub(super) fn next_turn(&mut self, label: Option<Label>) -> String {
        let innermost = self.innermost();
        let Some(at) = self.find(label).filter(|&at| innermost != Some(at)) else {
            return "continue;".to_owned();
        };
        let target = &mut self.open[at];
        target.continued = true;
        format!("goto next_{};", target.number)
    }

    /// The C++ label of a state.
    pub(super) fn state(&self, label: Label, state: usize) -> String {
        let number = self.find(Some(label)).map_or(0, |at| self.open[at].number);
        format!("state_{number}_{state}")
    }

    /// The C++ label of a state of the dispatch that is being written.
    pub(super) fn own_state(&self, state: usize) -> String {
        let number = self.open.last().map_or(0, |it| it.number);
        format!("state_{number}_{state}")
    }

    /// The innermost loop of C++.
    fn innermost(&self) -> Option<usize> {
        self.open.iter().rposition(|it| it.kind == Kind::Loop)
    }

    fn find(&self, label: Option<Label>) -> Option<usize> {
        match label {
            Some(_) => self.open.iter().rposition(|it| it.label == label),
            None => self.open.iter().rposition(|it| it.kind != Kind::Block),
        }
    }
}
