//! Reads GOAL, the text format of `LogGOPSim` schedules, with one graph of operations for each
//! rank.
//!
//! | module | is |
//! |---|---|
//! | `graph` | the operations of a rank |
//! | `parse` | the lines of a rank's block |
//! | `order` | a graph as a sequence of events |

pub(crate) mod graph;
mod order;
mod parse;

use std::collections::VecDeque;
use std::ops::Range;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

use crate::RankEvent;
use crate::lines::Lines;
use graph::GoalGraph;
use parse::{Cleaner, number};

const BUFFER: usize = 1 << 16;
/// Maximum number of ranks. Without it, an invalid number could exhaust the memory.
const RANKS_MAX: u64 = 1 << 20;

#[derive(Debug)]
pub(crate) struct Schedule {
    path: PathBuf,
    blocks: Vec<RankBlock>,
}

/// Position of a rank's block in the file, between its braces.
#[derive(Debug, Clone)]
struct RankBlock {
    bytes: Range<u64>,
    lines_before: u64,
}

impl Schedule {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let mut lines = Lines::all(path, BUFFER);
        let mut cleaner = Cleaner::default();
        let mut blocks: Vec<Option<RankBlock>> = Vec::new();
        let mut open: Option<(usize, RankBlock)> = None;
        let mut at = 0;
        while lines.advance()? {
            at += lines.bytes();
            let clean = cleaner.clean(lines.text());
            let words: Vec<&str> = clean.split_ascii_whitespace().collect();
            match (words.as_slice(), open.is_some()) {
                (["}"], true) => {
                    if let Some((rank, mut block)) = open.take() {
                        block.bytes.end = at - lines.bytes();
                        blocks[rank] = Some(block);
                    }
                }
                ([], _) | (_, true) => {}
                (["num_ranks", ranks], false) if blocks.is_empty() => {
                    let ranks = number(ranks, 1..=RANKS_MAX).map_err(|it| lines.problem(it))?;
                    blocks = vec![None; usize::try_from(ranks).unwrap_or_default()];
                }
                (["rank", rank, "{"], false) => {
                    let most = blocks.len() as u64;
                    if most == 0 {
                        return Err(lines.problem("`num_ranks` must come before the first rank"));
                    }
                    let rank = number(rank, 0..=most - 1).map_err(|it| lines.problem(it))?;
                    let rank = usize::try_from(rank).unwrap_or_default();
                    if blocks[rank].is_some() {
                        return Err(lines.problem(format!("duplicate rank {rank}")));
                    }
                    let lines_before = lines.number();
                    let bytes = at..at;
                    open = Some((
                        rank,
                        RankBlock {
                            bytes,
                            lines_before,
                        },
                    ));
                }
                _ => {
                    let expected = "a rank block, such as `rank 0 {`";
                    return Err(
                        lines.problem(format!("expected {expected}, found `{}`", clean.trim()))
                    );
                }
            }
        }
        if let Some((rank, _)) = open {
            let why =
                format!("the schedule is cut off: the block of rank {rank} has no closing `}}`");
            return Err(lines.problem(why));
        }
        if blocks.is_empty() {
            return Err(Problem::of(path, "the schedule needs `num_ranks`"));
        }
        if let Some(rank) = blocks.iter().position(Option::is_none) {
            return Err(Problem::of(
                path,
                format!("the schedule has no rank {rank}"),
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            blocks: blocks.into_iter().flatten().collect(),
        })
    }

    pub(crate) fn ranks(&self) -> u32 {
        u32::try_from(self.blocks.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn file(&self) -> String {
        self.path.display().to_string()
    }

    pub(crate) fn graph(&self, rank: u32) -> Result<GoalGraph, Problem> {
        let block = &self.blocks[rank as usize];
        let mut lines = Lines::of(&self.path, block.bytes.clone(), block.lines_before, BUFFER);
        parse::graph(&mut lines, self.ranks())
    }

    pub(crate) fn events(&self, rank: u32) -> Result<VecDeque<RankEvent>, Problem> {
        let graph = self.graph(rank)?;
        order::events(&graph).map_err(|why| Problem::of(&self.path, format!("rank {rank}: {why}")))
    }
}
