//! Writes each step as text, at its place.

use super::graph::{Continuation, FlowStep, Goal, Index, ROOT};
use super::place::{LoopCondition, Places, condition};
use super::region::ReducibleRegion;
use super::text::{BlockId, BreakMark, Text, TextPiece};

#[derive(Debug, Clone, Copy)]
struct Spot {
    block: BlockId,
    /// Where the flow continues after the block; `None` if a jump must end the block.
    follow: Option<Goal>,
    /// Header of the innermost loop around the spot; [`ROOT`] for the dispatch loop.
    innermost: Option<Index>,
}

#[derive(Debug, Clone, Copy)]
enum EmitTask {
    Step(Index),
    /// Handles an edge from a step to a goal. If the goal's step is written here, writes the step.
    /// Otherwise, writes a jump to it.
    Edge(Index, Goal),
    Jump(Index, Goal),
}

#[derive(Debug)]
struct Emitter<'a> {
    steps: &'a [FlowStep],
    region: &'a ReducibleRegion,
    places: Places,
    text: Text,
    /// Text that remains to be written. The order of the tasks doesn't matter, because two tasks
    /// write to the same block only if a finished statement separates them.
    tasks: Vec<(EmitTask, Spot)>,
    /// For each header, where a `break` leaves its loop to.
    loop_follow: Vec<Option<Goal>>,
    /// For each step that is written right after a loop, the header of that loop.
    follows_loop: Vec<Option<Index>>,
}

pub(super) fn emit(steps: &[FlowStep], region: &ReducibleRegion) -> Text {
    let (text, block) = Text::new(steps.len());
    let mut emitter = Emitter {
        steps,
        region,
        places: Places::new(steps, region),
        text,
        tasks: Vec::new(),
        loop_follow: vec![None; steps.len()],
        follows_loop: vec![None; steps.len()],
    };
    let spot = Spot {
        block,
        follow: Some(Goal::End),
        innermost: None,
    };
    if region.states.is_empty() {
        emitter.tasks.push((EmitTask::Step(ROOT), spot));
    } else {
        emitter.dispatch(spot);
    }
    while let Some((task, spot)) = emitter.tasks.pop() {
        match task {
            EmitTask::Step(index) => emitter.step(index, spot),
            EmitTask::Edge(source, goal) => emitter.edge(source, goal, spot),
            EmitTask::Jump(source, goal) => emitter.jump(source, goal, spot),
        }
    }
    emitter.text.simplify();
    emitter.text
}

impl Emitter<'_> {
    /// Writes the dispatch loop around the whole text.
    fn dispatch(&mut self, spot: Spot) {
        let states: Vec<(Index, BlockId)> = self
            .region
            .states
            .iter()
            .map(|&state| (state, self.text.add_block()))
            .collect();
        for &(state, block) in &states {
            let inside = Spot {
                block,
                follow: None,
                innermost: Some(ROOT),
            };
            self.tasks.push((EmitTask::Step(state), inside));
        }
        self.text.push(spot.block, TextPiece::Dispatch { states });
    }

    /// Writes a step and everything that follows it. If the step is a header, its loop comes first.
    fn step(&mut self, index: Index, spot: Spot) {
        if !self.region.is_header[index] {
            return self.body(index, spot);
        }
        let exits = std::mem::take(&mut self.places.exits[index]);
        let condition = condition(self.steps, self.region, index).filter(|one| {
            exits
                .first()
                .is_none_or(|&exit| one.outside == Goal::Step(exit))
        });
        let (first, others) = match exits.split_first() {
            Some((&first, others)) => (Some(first), others),
            None => (None, &[][..]),
        };
        let around = self.blocks_before(others, spot);
        let leaves_to = match (first, condition) {
            (Some(first), _) => {
                self.follows_loop[first] = Some(index);
                self.tasks.push((EmitTask::Step(first), around));
                Some(Goal::Step(first))
            }
            (None, Some(condition)) => {
                self.tasks
                    .push((EmitTask::Jump(index, condition.outside), around));
                Some(condition.outside)
            }
            (None, None) => around.follow,
        };
        self.loop_follow[index] = leaves_to;
        self.repeat(index, condition, around);
    }

    fn repeat(&mut self, header: Index, condition: Option<LoopCondition>, spot: Spot) {
        let body = Spot {
            block: self.text.add_block(),
            follow: Some(Goal::Step(header)),
            innermost: Some(header),
        };
        if let Some(condition) = condition {
            let piece = TextPiece::While {
                header,
                negated: condition.negated,
                body: body.block,
            };
            self.text.push(spot.block, piece);
            self.tasks
                .push((EmitTask::Edge(header, condition.inside), body));
        } else {
            let piece = TextPiece::Loop {
                header,
                body: body.block,
            };
            self.text.push(spot.block, piece);
            self.body(header, body);
        }
    }

    /// Writes a step, what follows it, and the steps where its branches meet again.
    fn body(&mut self, index: Index, spot: Spot) {
        let joins = std::mem::take(&mut self.places.joins[index]);
        let inner = self.blocks_before(&joins, spot);
        let step = &self.steps[index];
        if !step.silent {
            self.text.push(inner.block, TextPiece::Visit(index));
        }
        match &step.way {
            Continuation::Next(goal) => self.tasks.push((EmitTask::Edge(index, *goal), inner)),
            Continuation::Branch { arms, otherwise } if joins.is_empty() => {
                self.last_branch(index, arms, *otherwise, inner);
            }
            Continuation::Branch { arms, otherwise } => {
                let otherwise = otherwise.map(|goal| self.arm(index, goal, inner));
                self.branch(index, arms, otherwise, inner.block, inner);
            }
        }
    }

    /// Writes a branch whose arms don't meet again within the step's text.
    fn last_branch(&mut self, index: Index, arms: &[Goal], otherwise: Option<Goal>, spot: Spot) {
        let way_out = self.places.way_out[index].filter(|_| !self.region.is_header[index]);
        match (otherwise, way_out) {
            // All arms jump to the same goal, so a single jump after the branch is enough.
            (Some(goal), Some(way_out)) if spot.follow != Some(way_out) => {
                let arms_spot = Spot {
                    follow: Some(way_out),
                    ..spot
                };
                let otherwise = self.arm(index, goal, arms_spot);
                self.branch(index, arms, Some(otherwise), spot.block, arms_spot);
                self.tasks.push((EmitTask::Jump(index, way_out), spot));
            }
            (Some(rest), _) if self.is_long_rest(arms, rest, spot.follow) => {
                let otherwise = self.text.add_block();
                let arms_spot = Spot {
                    follow: None,
                    ..spot
                };
                self.branch(index, arms, Some(otherwise), spot.block, arms_spot);
                self.tasks.push((EmitTask::Edge(index, rest), spot));
            }
            _ => {
                let otherwise = otherwise.map(|goal| self.arm(index, goal, spot));
                self.branch(index, arms, otherwise, spot.block, spot);
            }
        }
    }

    fn branch(
        &mut self,
        node: Index,
        arms: &[Goal],
        otherwise: Option<BlockId>,
        block: BlockId,
        spot: Spot,
    ) {
        let arms = arms.iter().map(|&arm| self.arm(node, arm, spot)).collect();
        self.text.push(
            block,
            TextPiece::Branch {
                node,
                arms,
                otherwise,
            },
        );
    }

    fn arm(&mut self, source: Index, goal: Goal, spot: Spot) -> BlockId {
        let block = self.text.add_block();
        self.tasks
            .push((EmitTask::Edge(source, goal), Spot { block, ..spot }));
        block
    }

    /// Returns `true` if the `else` leads to the main part of the text, while the arms just end
    /// early.
    ///
    /// In that case, the arms end with `return`, and the main part isn't nested.
    fn is_long_rest(&self, arms: &[Goal], rest: Goal, follow: Option<Goal>) -> bool {
        let inline = |goal: Goal| match goal {
            Goal::Step(index) if self.places.is_inline[index] => Some(index),
            _ => None,
        };
        let Some(rest) = inline(rest) else {
            return false;
        };
        let step = &self.steps[rest];
        let else_if = step.silent && step.branches() && !self.region.is_header[rest];
        follow == Some(Goal::End)
            && !else_if
            && self.places.decides[rest]
            && arms
                .iter()
                .filter_map(|&arm| inline(arm))
                .all(|arm| !self.places.decides[arm])
    }

    /// Opens a block before each of `steps`, so that a `break` can jump to the step. The outermost
    /// block comes before the last step. Returns the spot in the innermost block.
    fn blocks_before(&mut self, steps: &[Index], mut spot: Spot) -> Spot {
        for &target in steps.iter().rev() {
            let body = self.text.add_block();
            self.text
                .push(spot.block, TextPiece::Labeled { target, body });
            self.tasks.push((EmitTask::Step(target), spot));
            spot = Spot {
                block: body,
                follow: Some(Goal::Step(target)),
                ..spot
            };
        }
        spot
    }

    /// Writes the way from a step to a goal: the goal's step if it belongs here, or a jump.
    fn edge(&mut self, source: Index, goal: Goal, spot: Spot) {
        match goal {
            Goal::Step(target)
                if self.places.is_inline[target] && !self.region.goes_back(source, target) =>
            {
                self.step(target, spot);
            }
            _ => self.jump(source, goal, spot),
        }
    }

    /// Writes a jump to a goal, unless the goal follows anyway.
    fn jump(&mut self, source: Index, goal: Goal, spot: Spot) {
        if spot.follow == Some(goal) {
            return;
        }
        let leaves = |&header: &Index| self.loop_follow[header] == Some(goal);
        let piece = match (spot.innermost.filter(leaves), goal) {
            (Some(header), _) => TextPiece::Break(BreakMark::Loop(header)),
            (None, Goal::End) => TextPiece::Return,
            (None, Goal::Step(target)) if self.region.goes_back(source, target) => {
                TextPiece::Continue(target)
            }
            (None, Goal::Step(target)) if self.region.is_state(target) => TextPiece::Goto(target),
            (None, Goal::Step(target)) => TextPiece::Break(match self.follows_loop[target] {
                Some(header) => BreakMark::Loop(header),
                None => BreakMark::Block(target),
            }),
        };
        self.text.push(spot.block, piece);
    }
}
