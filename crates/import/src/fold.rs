//! Folds a trace into a model: repeated events of a rank become loops, and the ranks' programs
//! become one program for all ranks.
//!
//! | module | is |
//! |---|---|
//! | `points` | ranks of one run, or of several runs with different sizes |
//! | `awaited` | requests with a wait of their own |
//! | `sizes` | message sizes that depend on data |
//! | `tags` | tags that change from turn to turn |
//! | `order` | orders in which a rank exchanges messages with all others |
//! | `node` | events and loops of one rank |
//! | `counts` | how often each rank sends each message |
//! | `sequence` | the events of one rank as nested repetitions |
//! | `rolled` | loops that some ranks only go through once or twice |
//! | `each` | loops over all other ranks |
//! | `relation` | what the partners of several ranks have in common |
//! | `step` | steps of several ranks |
//! | `merge` | merging the programs of all ranks |
//! | `align` | which parts of two programs belong together |
//! | `computing` | computing, attached to the next call |
//! | `named` | names of requests |
//! | `levels` | loops over levels, each with partners twice as far away |
//! | `noise` | computing that takes almost no time |
//! | `ranks`, `formula`, `sums`, `values` | conditions on ranks, and values that differ by rank |
//! | `parted` | conditions that split a step's ranks by their times |
//! | `lists` | values that no formula fits |
//! | `rule` | the numbers of ranks a program can run with |
//! | `folded` | the resulting model |
//! | `doubt` | ambiguities that the recorded sizes don't resolve |
//! | `uniform` | what ranks do on average |
//! | `groups` | groups of ranks with their own collectives |
//! | `write` | writing the model as XML |

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
mod rolled;
mod rule;
mod sequence;
mod sizes;
mod step;
mod sums;
mod tags;
mod uniform;
mod values;
mod write;

use std::collections::BTreeSet;
use std::fmt;

use prophet_text::{Problem, problem};

use awaited::{OpenMessages, Renumbered, WaitedAlone, Waits};
pub use counts::CallCounts;
pub use folded::Folded;
use node::FoldNode;
use points::{Points, Run, SIDES};
pub use rule::RankRule;
use sequence::Sequence;
use sizes::Sizes;
use step::Step;
use tags::Tags;
pub use write::{CostFits, FittedCost, Manner, activity_name};
use write::{Learning, MeanCosts};

use crate::{ImportedTrace, RankEvent};

/// Maximum number of nodes over all ranks, so that a trace without repetition can't use up the
/// memory.
const NODES_MAX: usize = 4 << 20;
const RANKS_MAX: u32 = 1 << 14;
/// Relative difference up to which times count as equal.
const SAME: f64 = 0.01;
/// Relative difference up to which measured times count as equal.
const SAME_MEASURED: f64 = 0.1;

/// Derives a model name that is a single word from a file name. If the file name doesn't start with
/// a letter, `prefix` is put in front.
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

/// Folds a trace into a model called `name`.
///
/// # Errors
///
/// Returns an error if the trace is invalid or doesn't repeat.
pub fn fold(trace: &ImportedTrace, name: &str) -> Result<Folded, Problem> {
    let ranks = trace.ranks();
    refuse_many(ranks)?;
    let sequences = sequences(trace, &|_, _| None, &mut Changing::default())?;
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

fn programs(sequences: Vec<Sequence>) -> Programs {
    (0..)
        .zip(sequences.into_iter().map(Sequence::finish))
        .collect()
}

/// A recorded run of a program, as input for [`Unifier`].
#[derive(Debug)]
pub struct Recorded {
    /// The recorded trace.
    pub trace: ImportedTrace,
    /// Values of the program's parameters in this run, in the order of their names.
    pub parameters: Vec<f64>,
    /// For each rank, the program-wide number of each of the rank's call sites.
    pub sites: Vec<Vec<u32>>,
}

/// Recorded runs of a program, from which models can be made.
pub struct Unifier<'l> {
    runs: Vec<(Run, Programs)>,
    events: Vec<u64>,
    names: &'l [String],
    learning: Learning<'l>,
    has_one_tag: bool,
}

impl<'l> Unifier<'l> {
    /// Reads recordings. For each call site, `functions` contains the name of the function that
    /// contains it, and `computing` the name of the function that computes before it. `rule` says
    /// which numbers of ranks the program can run with. If `is_relaxed` is set, sizes that change
    /// from turn to turn become their mean, and such tags become one.
    ///
    /// # Errors
    ///
    /// Returns an error if a recording is invalid or doesn't repeat.
    pub fn read(
        runs: &[Recorded],
        names: &'l [String],
        (functions, computing): (&'l [String], &'l [String]),
        costs: &'l dyn CostFits,
        rule: Option<RankRule>,
        is_relaxed: bool,
    ) -> Result<Self, Problem> {
        refuse_many(runs.iter().map(|it| it.trace.ranks()).sum())?;
        let mut changing = Changing {
            sizes: Sizes::new(is_relaxed),
            tags: is_relaxed.then(Tags::default),
            waits: Waits::default(),
        };
        let (all, events) = loop {
            let known = changing.len();
            let read = read(runs, &mut changing)?;
            // What is known about one rank applies to all.
            if changing.len() == known {
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
            has_one_tag: changing.tags.is_some_and(|it| it.len() > 0),
        })
    }

    /// Returns `true` if one tag stands for tags that change from turn to turn.
    pub fn has_one_tag(&self) -> bool {
        self.has_one_tag
    }

    /// Returns how often each rank makes each call in a run; `run` is the index of the recording.
    pub fn counts(&self, run: usize) -> CallCounts {
        CallCounts::of(&self.runs[run].1)
    }

    /// Returns a draft of a model that is right for the runs whose indices are in `of`.
    pub fn draft(&self, of: &[usize], name: &str) -> FoldedDraft {
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
        let costs = &MeanCosts;
        let learning = Learning {
            costs,
            ..self.learning
        };
        let draft = |points: &Points, all: &Programs| {
            let steps = named::named(merge::merged(all.clone(), points));
            let steps = computing::apart(levels::fold_levels(steps, points));
            let steps = noise::left_out(steps, points);
            let learning = Some((&learning, Manner::default()));
            FoldedDraft {
                folded: write::write(name, points, &steps, SAME_MEASURED, learning),
                points: points.clone(),
                steps,
                events: of.iter().map(|it| self.events[*it]).sum(),
            }
        };
        let mut best = draft(&points, &all);
        if !best.folded.listed.is_empty() {
            let mut rolled = all.clone();
            if rolled::roll(&mut rolled, |it| points.at(it).ranks) {
                let other = draft(&points, &rolled);
                if other.is_better(&best) {
                    (best, all) = (other, rolled);
                }
            }
        }
        // If something isn't general, the ranks might form a cube.
        for order in 0..SIDES.len() {
            if !best.folded.listed.is_empty() {
                points.order = Some(order);
                let other = draft(&points, &all);
                if other.is_better(&best) {
                    best = other;
                }
            }
        }
        best
    }

    /// Returns the model called `name` that was drafted, with costs that depend on the sizes.
    pub fn model(&self, draft: &FoldedDraft, name: &str, manner: Manner<'_>) -> Folded {
        let (points, learning) = (&draft.points, Some((&self.learning, manner)));
        Folded {
            events: draft.events,
            ranks: points.count(),
            ..write::write(name, points, &draft.steps, SAME_MEASURED, learning)
        }
    }
}

/// A model whose messages can be compared with the runs. Its costs are only means, because fitting
/// them takes long.
#[derive(Debug)]
pub struct FoldedDraft {
    /// The drafted model.
    pub folded: Folded,
    points: Points,
    steps: Vec<Step>,
    events: u64,
}

impl FoldedDraft {
    fn is_better(&self, other: &Self) -> bool {
        self.folded.listed.len() < other.folded.listed.len()
    }
}

impl fmt::Debug for Unifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unifier").finish_non_exhaustive()
    }
}

/// Properties of messages at call sites that change too much to keep them.
#[derive(Debug, Default)]
struct Changing {
    sizes: Sizes,
    tags: Option<Tags>,
    waits: Waits,
}

impl Changing {
    fn len(&mut self) -> usize {
        let tags = self.tags.as_mut().map_or(0, |it| {
            it.end_pass();
            it.len()
        });
        self.sizes.len() + tags + self.waits.len()
    }

    fn without(&mut self, event: RankEvent, site: u32) -> (RankEvent, Option<u64>) {
        let event = match &mut self.tags {
            Some(tags) => tags.without(event, site),
            None => event,
        };
        self.sizes.without(event, site)
    }

    fn end_rank(&mut self) {
        self.sizes.end_rank();
        if let Some(tags) = &mut self.tags {
            tags.end_rank();
        }
    }
}

/// Returns the programs of all ranks of each run, along with the numbers of their events.
fn read(runs: &[Recorded], changing: &mut Changing) -> Result<(Vec<Programs>, Vec<u64>), Problem> {
    let (mut all, mut events) = (Vec::new(), Vec::new());
    for run in runs {
        let site = |rank: usize, site: u32| run.sites.get(rank)?.get(site as usize).copied();
        let sequences = sequences(&run.trace, &site, changing)?;
        events.push(sequences.iter().map(|it| it.events).sum::<u64>());
        all.push(programs(sequences));
    }
    Ok((all, events))
}

type Programs = Vec<(u32, Vec<FoldNode>)>;

/// Returns the number of a rank's call site, if the call site matters.
type SiteOf<'s> = dyn Fn(usize, u32) -> Option<u32> + 's;

fn sequences(
    trace: &ImportedTrace,
    site: &SiteOf<'_>,
    changing: &mut Changing,
) -> Result<Vec<Sequence>, Problem> {
    let mut open: Vec<OpenMessages> = Vec::new();
    open.resize_with(trace.ranks() as usize, OpenMessages::default);
    let mut has_twins = false;
    let collected = collected(trace, site, changing, true, |rank, event| {
        has_twins = open[rank].has_twins(&event);
        (!has_twins).then_some(event)
    });
    if !has_twins {
        return collected;
    }
    let awaited = WaitedAlone::of(trace)?.into_iter();
    let mut numbers: Vec<Renumbered> = awaited.map(Renumbered::new).collect();
    self::collected(trace, site, changing, false, |rank, event| {
        Some(numbers[rank].event(event))
    })
}

/// Collects the events of all ranks as `numbered` returns them; `None` ends the collection. If
/// `are_apart` is set, each request has a number of its own.
fn collected(
    trace: &ImportedTrace,
    site: &SiteOf<'_>,
    changing: &mut Changing,
    are_apart: bool,
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
            changing.end_rank();
            last = rank;
        }
        let sequence = &mut sequences[rank as usize];
        let count = match site {
            Some(of) => {
                changing.waits.note(&event, of);
                if are_apart && changing.waits.is_of_each(&event, of) {
                    sequence.wait_for_each(site)
                } else {
                    let (event, bytes) = changing.without(event, of);
                    sequence.push_at(event, site, bytes)
                }
            }
            None => sequence.push_at(event, None, None),
        };
        if count > most {
            return Err(format!(
                "rank {rank} has {most} events that do not repeat: the trace cannot be folded, but \
                 `run` can replay it"
            ));
        }
        Ok(())
    });
    changing.end_rank();
    read.map(|()| sequences)
}
