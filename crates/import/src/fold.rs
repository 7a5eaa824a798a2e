//! A trace folded into a model: loops within a rank, one program for all ranks.
//!
//! | module | is |
//! |---|---|
//! | `points` | ranks of one run, or of several of different sizes |
//! | `awaited` | requests for which something waits alone |
//! | `sizes` | sizes of messages that data decide |
//! | `order` | orders in which a rank exchanges messages with all others |
//! | `node` | events and loops of one rank |
//! | `counts` | how often each rank sends what to whom |
//! | `sequence` | the events of one rank as nested repetitions |
//! | `each` | loops over all other ranks |
//! | `relation` | what the partners of several ranks have in common |
//! | `step` | steps of several ranks |
//! | `merge` | the programs of all ranks as one |
//! | `align` | which parts of two programs belong together |
//! | `computing` | computing as a part of the call after it |
//! | `named` | names of requests |
//! | `levels` | loops over levels, with partners twice as far away from one to the next |
//! | `noise` | computing that takes next to no time |
//! | `ranks`, `formula`, `values` | conditions on ranks, and values that differ between them |
//! | `parted` | conditions that part the ranks of a step by their times |
//! | `lists` | values without a formula |
//! | `rule` | numbers of ranks with which a program runs |
//! | `folded` | the model that results |
//! | `doubt` | what the sizes of runs leave open |
//! | `uniform` | what ranks do on average |
//! | `groups` | groups of ranks that call collectives of their own |
//! | `write` | the model, in XML |

mod align;
mod awaited;
mod computing;
mod counts;
mod doubt;
mod each;
mod folded;
mod formula;
mod groups;
mod levels;
mod lists;
mod merge;
mod named;
mod node;
mod noise;
mod order;
mod parted;
mod points;
mod ranks;
mod relation;
mod rule;
mod sequence;
mod sizes;
mod step;
mod uniform;
mod values;
mod write;

use std::collections::BTreeSet;
use std::fmt;

use prophet_text::{Problem, problem};

use awaited::{OpenMessages, Renumbered, WaitedAlone};
pub use counts::CallCounts;
pub use folded::Folded;
use node::FoldNode;
use points::{Points, Run, SIDES};
pub use rule::RankRule;
use sequence::Sequence;
use sizes::Sizes;
use write::Learning;
pub use write::{CostFits, FittedCost, Manner, activity_name};

use crate::{ImportedTrace, RankEvent};

/// Maximum number of nodes of all ranks, so that a trace that does not repeat can't exhaust memory.
const NODES_MAX: usize = 4 << 20;
/// Maximum number of ranks whose programs are compared.
const RANKS_MAX: u32 = 1 << 14;
/// Relative difference of times that count as equal.
const SAME: f64 = 0.01;
/// Relative difference of measured times that count as equal.
const SAME_MEASURED: f64 = 0.1;

/// Name of a model as one word: the file's name, after `prefix` if it does not begin with a letter.
pub fn model_name(file: &str, prefix: &str) -> String {
    let is_word = |it: char| it.is_ascii_alphanumeric();
    let name: String = { file.chars() }
        .map(|it| if is_word(it) { it } else { '_' })
        .collect();
    if name.starts_with(|it: char| it.is_ascii_alphabetic()) {
        name
    } else {
        format!("{prefix}_{name}")
    }
}

/// Folds a trace into a model of that name.
///
/// # Errors
///
/// The trace is wrong, or does not repeat.
pub fn fold(trace: &ImportedTrace, name: &str) -> Result<Folded, Problem> {
    let ranks = trace.ranks();
    refuse_many(ranks)?;
    let sequences = sequences(trace, &|_, _| None, &mut Sizes::default())?;
    let events = sequences.iter().map(|it| it.events).sum();
    let points = Points::one(ranks);
    let all = programs(sequences).into_iter();
    let all = all.map(|(rank, nodes)| {
        let nodes = each::fold_other_ranks(nodes, points.at(rank), &BTreeSet::new());
        (rank, nodes)
    });
    let steps = named::named(merge::merged(all.collect(), &points));
    let written = if trace.is_measured() {
        let steps = noise::left_out(steps, &points);
        write::write(name, &points, &steps, SAME_MEASURED, None)
    } else {
        write::write(name, &points, &steps, SAME, None)
    };
    Ok(Folded {
        events,
        ranks,
        ..written
    })
}

fn refuse_many(ranks: u32) -> Result<(), Problem> {
    if ranks > RANKS_MAX {
        return Err(problem!(
            "the trace has {ranks} ranks; up to {RANKS_MAX} can be folded"
        ));
    }
    Ok(())
}

/// The programs of the ranks of a run.
fn programs(sequences: Vec<Sequence>) -> Programs {
    (0..)
        .zip(sequences.into_iter().map(Sequence::finish))
        .collect()
}

/// Trace of a run of a program, for [`Unifier`].
#[derive(Debug)]
pub struct Recorded {
    /// The trace, which is a recording.
    pub trace: ImportedTrace,
    /// Values of the parameters, in the order of their names.
    pub parameters: Vec<f64>,
    /// Maps the number of a call site in each rank's file to its number in the program.
    pub sites: Vec<Vec<u32>>,
}

/// Recordings of runs of a program, of which models are made.
pub struct Unifier<'l> {
    runs: Vec<(Run, Programs)>,
    events: Vec<u64>,
    names: &'l [String],
    learning: Learning<'l>,
}

impl<'l> Unifier<'l> {
    /// Reads recordings. `functions` has the name of the function around each place of calls,
    /// `computing` of a function that computes before it, `rule` tells with which numbers of ranks
    /// the program runs.
    ///
    /// # Errors
    ///
    /// A recording is wrong, or does not repeat.
    pub fn read(
        runs: &[Recorded],
        names: &'l [String],
        (functions, computing): (&'l [String], &'l [String]),
        costs: &'l dyn CostFits,
        rule: Option<RankRule>,
    ) -> Result<Self, Problem> {
        refuse_many(runs.iter().map(|it| it.trace.ranks()).sum())?;
        let mut sizes = Sizes::default();
        let (all, events) = loop {
            let known = sizes.len();
            let read = read(runs, &mut sizes)?;
            // What is known of one rank holds for all.
            if sizes.len() == known {
                break read;
            }
        };
        let of = |run: &Recorded| Run {
            ranks: run.trace.ranks(),
            parameters: run.parameters.clone(),
        };
        let learning = Learning {
            functions,
            computing,
            costs,
            rule,
        };
        Ok(Self {
            runs: runs.iter().map(of).zip(all).collect(),
            events,
            names,
            learning,
        })
    }

    /// What each rank of a run does how often.
    pub fn counts(&self, run: usize) -> CallCounts {
        CallCounts::of(&self.runs[run].1)
    }

    /// The model of that name of some of the runs, in their order, which is right for each of them;
    /// a `manner` tells what else it says and does.
    pub fn model(&self, of: &[usize], name: &str, manner: Manner<'_>) -> Folded {
        let (mut all, mut runs, mut first) = (Programs::new(), Vec::new(), 0);
        for (run, programs) in of.iter().map(|it| &self.runs[*it]) {
            all.extend(programs.iter().map(|it| (first + it.0, it.1.clone())));
            first += run.ranks;
            runs.push(run.clone());
        }
        let mut points = Points::of(runs, self.names.to_vec());
        let neighbors = each::places_of_neighbors(&all, &points);
        let with_loops = |(point, nodes)| {
            let nodes = each::fold_other_ranks(nodes, points.at(point), &neighbors);
            (point, computing::attached(nodes))
        };
        let mut all: Programs = all.into_iter().map(with_loops).collect();
        levels::note_levels(&mut all, &points);
        let written = |points: &Points| {
            let steps = named::named(merge::merged(all.clone(), points));
            let steps = computing::apart(levels::fold_levels(steps, points));
            let steps = noise::left_out(steps, points);
            let learning = Some((&self.learning, manner));
            write::write(name, points, &steps, SAME_MEASURED, learning)
        };
        let mut best = written(&points);
        // If not all is general, the ranks may be in a cube.
        for order in 0..SIDES.len() {
            if !best.listed.is_empty() {
                points.order = Some(order);
                let other = written(&points);
                if other.listed.len() < best.listed.len() {
                    best = other;
                }
            }
        }
        Folded {
            events: of.iter().map(|it| self.events[*it]).sum(),
            ranks: first,
            ..best
        }
    }
}

impl fmt::Debug for Unifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unifier").finish_non_exhaustive()
    }
}

/// The programs of all ranks of each run, and the numbers of their events.
fn read(runs: &[Recorded], sizes: &mut Sizes) -> Result<(Vec<Programs>, Vec<u64>), Problem> {
    let (mut all, mut events) = (Vec::new(), Vec::new());
    for run in runs {
        let site = |rank: usize, site: u32| run.sites.get(rank)?.get(site as usize).copied();
        let sequences = sequences(&run.trace, &site, sizes)?;
        events.push(sequences.iter().map(|it| it.events).sum::<u64>());
        all.push(programs(sequences));
    }
    Ok((all, events))
}

/// Programs of ranks, by their points.
type Programs = Vec<(u32, Vec<FoldNode>)>;

/// Number of the place of a call of a rank, where it counts.
type SiteOf<'s> = dyn Fn(usize, u32) -> Option<u32> + 's;

fn sequences(
    trace: &ImportedTrace,
    site: &SiteOf<'_>,
    sizes: &mut Sizes,
) -> Result<Vec<Sequence>, Problem> {
    let mut open: Vec<OpenMessages> = Vec::new();
    open.resize_with(trace.ranks() as usize, OpenMessages::default);
    let mut has_twins = false;
    let collected = collected(trace, site, sizes, |rank, event| {
        has_twins = open[rank].has_twins(&event);
        (!has_twins).then_some(event)
    });
    if !has_twins {
        return collected;
    }
    let awaited = WaitedAlone::of(trace)?.into_iter();
    let mut numbers: Vec<Renumbered> = awaited.map(Renumbered::new).collect();
    self::collected(trace, site, sizes, |rank, event| {
        Some(numbers[rank].event(event))
    })
}

/// The events of all ranks, as `numbered` gives them, until it gives nothing.
fn collected(
    trace: &ImportedTrace,
    site: &SiteOf<'_>,
    sizes: &mut Sizes,
    mut numbered: impl FnMut(usize, RankEvent) -> Option<RankEvent>,
) -> Result<Vec<Sequence>, Problem> {
    let most = NODES_MAX / trace.ranks().max(1) as usize;
    let mut sequences: Vec<Sequence> = Vec::new();
    sequences.resize_with(trace.ranks() as usize, Sequence::default);
    let mut last = 0;
    let read = trace.for_each_placed(|rank, event, place| {
        let event = numbered(rank as usize, event).ok_or_else(String::new)?;
        let site = site(rank as usize, place);
        if rank != last {
            sizes.end_rank();
            last = rank;
        }
        let (event, bytes) = match site {
            Some(site) => sizes.without(event, site),
            None => (event, None),
        };
        if sequences[rank as usize].push_at(event, site, bytes) > most {
            return Err(format!(
                "rank {rank} has {most} events that do not repeat: the trace cannot be folded, but \
                 `run` can replay it"
            ));
        }
        Ok(())
    });
    sizes.end_rank();
    read.map(|()| sequences)
}
