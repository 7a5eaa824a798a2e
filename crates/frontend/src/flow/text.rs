//! Stores unfinished text in an arena of pieces. The pieces are simplified without recursion, and
//! then turned into a block.

mod build;

use super::graph::Index;

/// Index of a block in a [`Text`]. Nested blocks have higher indices than the blocks around them.
pub(super) type BlockId = usize;

type PieceId = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BreakMark {
    Loop(Index),
    Block(Index),
}

/// A statement for which it isn't known yet whether it needs a label.
#[derive(Debug)]
pub(super) enum TextPiece {
    Visit(Index),
    Branch {
        node: Index,
        arms: Vec<BlockId>,
        otherwise: Option<BlockId>,
    },
    Loop {
        header: Index,
        body: BlockId,
    },
    While {
        header: Index,
        negated: bool,
        body: BlockId,
    },
    Labeled {
        target: Index,
        body: BlockId,
    },
    Break(BreakMark),
    Continue(Index),
    Return,
    Goto(Index),
    Dispatch {
        states: Vec<(Index, BlockId)>,
    },
}

/// A linked list of pieces. It can be moved into another list in constant time.
#[derive(Debug, Clone, Copy, Default)]
struct PieceList {
    ends: Option<(PieceId, PieceId)>,
    /// Nesting depth of the blocks, once the list is simplified.
    depth: usize,
    /// Whether the flow can't reach the end of the list, once it is simplified.
    diverges: bool,
    is_else: bool,
}

impl PieceList {
    fn only(self) -> Option<PieceId> {
        self.ends
            .filter(|(first, last)| first == last)
            .map(|(first, _)| first)
    }
}

#[derive(Debug)]
pub(super) struct Text {
    pieces: Vec<TextPiece>,
    next: Vec<Option<PieceId>>,
    blocks: Vec<PieceList>,
    loop_is_left: Vec<bool>,
    block_is_left: Vec<bool>,
}

const WHOLE: BlockId = 0;

impl Text {
    /// Creates a text for `steps` steps with an empty block, and returns the block's index.
    pub(super) fn new(steps: usize) -> (Self, BlockId) {
        let text = Self {
            pieces: Vec::new(),
            next: Vec::new(),
            blocks: vec![PieceList::default()],
            loop_is_left: vec![false; steps],
            block_is_left: vec![false; steps],
        };
        (text, WHOLE)
    }

    pub(super) fn add_block(&mut self) -> BlockId {
        self.blocks.push(PieceList::default());
        self.blocks.len() - 1
    }

    pub(super) fn push(&mut self, block: BlockId, piece: TextPiece) {
        match piece {
            TextPiece::Break(BreakMark::Loop(header)) => self.loop_is_left[header] = true,
            TextPiece::Break(BreakMark::Block(target)) => self.block_is_left[target] = true,
            _ => {}
        }
        if let TextPiece::Branch {
            otherwise: Some(otherwise),
            ..
        } = piece
        {
            self.blocks[otherwise].is_else = true;
        }
        let id = self.pieces.len();
        self.pieces.push(piece);
        self.next.push(None);
        let mut list = self.blocks[block];
        self.append(
            &mut list,
            PieceList {
                ends: Some((id, id)),
                ..PieceList::default()
            },
        );
        self.blocks[block] = list;
    }

    pub(super) fn depth(&self) -> usize {
        self.blocks[WHOLE].depth
    }

    /// Drops blocks without a `break` out of them, and every `else` after arms that all jump away.
    pub(super) fn simplify(&mut self) {
        // Inner blocks have higher numbers, so they are simplified before the blocks around them.
        for block in (0..self.blocks.len()).rev() {
            let old = self.blocks[block];
            let mut new = PieceList {
                is_else: old.is_else,
                ..PieceList::default()
            };
            let mut at = old.ends.map(|(first, _)| first);
            while let Some(id) = at {
                at = self.next[id].take();
                if let TextPiece::Labeled { target, body } = self.pieces[id]
                    && !self.block_is_left[target]
                {
                    self.append(&mut new, self.blocks[body]);
                    continue;
                }
                // Whatever follows an `else if` must follow the whole `if`.
                let is_else_if = old.is_else && old.only() == Some(id);
                let rest = if is_else_if {
                    PieceList::default()
                } else {
                    self.take_rest(id)
                };
                let piece = self.single(id);
                self.append(&mut new, piece);
                self.append(&mut new, rest);
            }
            self.blocks[block] = new;
        }
    }

    fn append(&mut self, list: &mut PieceList, other: PieceList) {
        let Some((start, end)) = other.ends else {
            return;
        };
        if let Some((_, last)) = list.ends {
            self.next[last] = Some(start);
        }
        list.ends = Some((list.ends.map_or(start, |(first, _)| first), end));
        list.depth = list.depth.max(other.depth);
        list.diverges = other.diverges;
    }

    /// Creates a list of a single piece. Its blocks must be simplified.
    fn single(&self, id: PieceId) -> PieceList {
        let piece = &self.pieces[id];
        let depth = piece
            .blocks()
            .map(|block| self.blocks[block].depth + 1)
            .max()
            .unwrap_or(0);
        let diverges = match piece {
            TextPiece::Visit(_) | TextPiece::While { .. } | TextPiece::Labeled { .. } => false,
            TextPiece::Loop { header, .. } => !self.loop_is_left[*header],
            TextPiece::Branch { .. } => piece.blocks().all(|block| self.blocks[block].diverges),
            _ => true,
        };
        PieceList {
            ends: Some((id, id)),
            depth,
            diverges,
            is_else: false,
        }
    }

    /// Removes the part of a branch that can follow it instead: the last `else` if all arms jump
    /// away, or the only arm if the `else` consists of a jump.
    fn take_rest(&mut self, id: PieceId) -> PieceList {
        if let TextPiece::Branch {
            arms,
            otherwise: Some(otherwise),
            ..
        } = &self.pieces[id]
            && let &[arm] = &arms[..]
            && !self.blocks[arm].diverges
            && self.blocks[*otherwise]
                .only()
                .is_some_and(|only| self.pieces[only].is_jump())
        {
            return std::mem::take(&mut self.blocks[arm]);
        }
        let mut id = id;
        while let TextPiece::Branch {
            arms,
            otherwise: Some(otherwise),
            ..
        } = &self.pieces[id]
            && arms.iter().all(|&arm| self.blocks[arm].diverges)
        {
            let rest = self.blocks[*otherwise];
            match rest.only() {
                Some(only) if self.pieces[only].is_branch() => id = only,
                _ => return std::mem::take(&mut self.blocks[*otherwise]),
            }
        }
        PieceList::default()
    }
}

impl TextPiece {
    fn is_branch(&self) -> bool {
        matches!(self, Self::Branch { .. })
    }

    fn is_jump(&self) -> bool {
        matches!(
            self,
            Self::Break(_) | Self::Continue(_) | Self::Return | Self::Goto(_)
        )
    }

    fn blocks(&self) -> impl Iterator<Item = BlockId> {
        let (many, states, one) = match self {
            Self::Branch {
                arms, otherwise, ..
            } => (&arms[..], &[][..], *otherwise),
            Self::Dispatch { states } => (&[][..], &states[..], None),
            Self::Loop { body, .. } | Self::While { body, .. } | Self::Labeled { body, .. } => {
                (&[][..], &[][..], Some(*body))
            }
            _ => (&[][..], &[][..], None),
        };
        many.iter()
            .copied()
            .chain(states.iter().map(|&(_, block)| block))
            .chain(one)
    }
}
