//! Turns simplified pieces into statements, and keeps only the labels that are needed.

use super::{BlockId, BreakMark, Text, TextPiece, WHOLE};
use crate::flow::graph::{FlowStep, Index, ROOT};
use crate::flow::{Block, Label, Node, Statement};

/// Labels of the loops and blocks in a text. The dispatch loop has the header [`ROOT`].
#[derive(Debug)]
struct TextLabels {
    /// For each header, whether a jump must name its loop.
    loop_is_named: Vec<bool>,
    of_loops: Vec<Option<Label>>,
    of_blocks: Vec<Option<Label>>,
    count: usize,
}

impl TextLabels {
    fn next(&mut self) -> Label {
        self.count += 1;
        Label(self.count - 1)
    }
}

impl Text {
    /// Converts the text to statements, after [`Text::simplify`]. Recursion is as deep as the
    /// blocks are nested.
    pub(in crate::flow) fn into_block(self, steps: &[FlowStep]) -> Block {
        let mut labels = TextLabels {
            loop_is_named: vec![false; steps.len()],
            of_loops: vec![None; steps.len()],
            of_blocks: vec![None; steps.len()],
            count: 0,
        };
        self.name_loops(WHOLE, None, &mut labels.loop_is_named);
        self.block(WHOLE, None, steps, &mut labels)
    }

    fn pieces_of(&self, block: BlockId) -> impl Iterator<Item = &TextPiece> {
        let first = self.blocks[block].ends.map(|(first, _)| first);
        std::iter::successors(first, |&id| self.next[id]).map(|id| &self.pieces[id])
    }

    /// Finds the loop or block that a plain `break` inside a piece would refer to.
    ///
    /// A plain `break` can't leave a labeled block, and Rust rejects it there, so labeled blocks
    /// count too.
    fn innermost(piece: &TextPiece, outer: Option<BreakMark>) -> Option<BreakMark> {
        match piece {
            TextPiece::Loop { header, .. } | TextPiece::While { header, .. } => {
                Some(BreakMark::Loop(*header))
            }
            TextPiece::Labeled { target, .. } => Some(BreakMark::Block(*target)),
            TextPiece::Dispatch { .. } => Some(BreakMark::Loop(ROOT)),
            _ => outer,
        }
    }

    /// Marks the loops that jumps must refer to by their labels.
    fn name_loops(&self, block: BlockId, innermost: Option<BreakMark>, named: &mut [bool]) {
        for piece in self.pieces_of(block) {
            match piece {
                TextPiece::Break(BreakMark::Loop(header)) | TextPiece::Continue(header)
                    if innermost != Some(BreakMark::Loop(*header)) =>
                {
                    named[*header] = true;
                }
                _ => {
                    let inside = Self::innermost(piece, innermost);
                    for inner in piece.blocks() {
                        self.name_loops(inner, inside, named);
                    }
                }
            }
        }
    }

    fn block(
        &self,
        block: BlockId,
        innermost: Option<BreakMark>,
        steps: &[FlowStep],
        labels: &mut TextLabels,
    ) -> Block {
        self.pieces_of(block)
            .map(|piece| self.statement(piece, innermost, steps, labels))
            .collect()
    }

    fn statement(
        &self,
        piece: &TextPiece,
        innermost: Option<BreakMark>,
        steps: &[FlowStep],
        labels: &mut TextLabels,
    ) -> Statement {
        let node = |index: Index| -> Node { steps[index].node };
        let label = Self::open(piece, labels);
        let named = |label: Option<Label>| label.unwrap_or_else(|| unreachable!("it is open"));
        let inside = Self::innermost(piece, innermost);
        let mut block = |id| self.block(id, inside, steps, labels);
        match piece {
            TextPiece::Visit(index) => Statement::Visit(node(*index)),
            TextPiece::Branch {
                node: index,
                arms,
                otherwise,
            } => Statement::Branch {
                node: node(*index),
                arms: arms.iter().map(|&arm| block(arm)).collect(),
                otherwise: otherwise.map(block),
            },
            TextPiece::Loop { header, body } => Statement::Loop {
                label,
                header: node(*header),
                body: block(*body),
            },
            TextPiece::While {
                header,
                negated,
                body,
            } => Statement::While {
                label,
                header: node(*header),
                node: node(*header),
                negated: *negated,
                body: block(*body),
            },
            TextPiece::Labeled { body, .. } => Statement::Labeled {
                label: named(label),
                body: block(*body),
            },
            TextPiece::Break(mark) if innermost == Some(*mark) && mark.is_loop() => {
                Statement::Break(None)
            }
            TextPiece::Break(BreakMark::Loop(header)) => Statement::Break(labels.of_loops[*header]),
            TextPiece::Break(BreakMark::Block(target)) => {
                Statement::Break(labels.of_blocks[*target])
            }
            TextPiece::Continue(header) if innermost == Some(BreakMark::Loop(*header)) => {
                Statement::Continue(None)
            }
            TextPiece::Continue(header) => Statement::Continue(labels.of_loops[*header]),
            TextPiece::Return => Statement::Return,
            TextPiece::Goto(state) => Statement::Goto {
                label: named(labels.of_loops[ROOT]),
                state: node(*state),
            },
            TextPiece::Dispatch { states } => Statement::Dispatch {
                label: named(label),
                entry: node(1),
                states: states
                    .iter()
                    .map(|&(state, id)| (node(state), block(id)))
                    .collect(),
            },
        }
    }

    /// Gives a loop or block the next label if it needs one.
    fn open(piece: &TextPiece, labels: &mut TextLabels) -> Option<Label> {
        match *piece {
            TextPiece::Loop { header, .. } | TextPiece::While { header, .. }
                if labels.loop_is_named[header] =>
            {
                labels.of_loops[header] = Some(labels.next());
                labels.of_loops[header]
            }
            TextPiece::Labeled { target, .. } => {
                labels.of_blocks[target] = Some(labels.next());
                labels.of_blocks[target]
            }
            TextPiece::Dispatch { .. } => {
                labels.of_loops[ROOT] = Some(labels.next());
                labels.of_loops[ROOT]
            }
            _ => None,
        }
    }
}

impl BreakMark {
    fn is_loop(self) -> bool {
        matches!(self, Self::Loop(_))
    }
}
