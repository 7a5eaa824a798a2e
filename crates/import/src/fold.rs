//! A trace folded into a model: loops within a rank, one program for all ranks.
//!
//! | module | is |
//! |---|---|
//! | `awaited` | requests for which something waits alone |
//! | `sequence` | the events of one rank as nested repetitions |
//! | `each` | loops over all other ranks |
//! | `relation` | what the partners of several ranks have in common |
//! | `merge` | the programs of all ranks as one |
//! | `align` | which parts of two programs belong together |
//! | `named` | names of requests |
//! | `noise` | computing that takes next to no time |
//! | `ranks`, `values` | conditions on ranks, and values that differ between them |
//! | `lists` | values without a formula |
//! | `groups` | groups of ranks that call collectives of their own |
//! | `write` | the model, in XML |

mod align;
mod awaited;
mod each;
mod groups;
mod lists;
mod merge;
mod named;
mod noise;
mod ranks;
mod relation;
mod sequence;
mod values;
mod write;

use awaited::{Awaited, Open, Renumbered};
use sequence::{Node, Sequence};

use crate::{Event, Problem, Trace};

/// Most nodes of all ranks, so that a trace that does not repeat can't exhaust memory.
const NODES_MAX: usize = 4 << 20;
/// Most ranks whose programs are compared.
const RANKS_MAX: u32 = 1 << 14;
/// Relative difference of times that count as equal.
const SAME: f64 = 0.01;
/// Relative difference of measured times that count as equal.
const SAME_MEASURED: f64 = 0.1;

/// A folded trace.
#[derive(Debug)]
pub struct Folded {
    /// The model, in the plain XML form.
    pub text: String,
    /// Number of events of the trace.
    pub events: u64,
    /// Number of ranks.
    pub ranks: u32,
    /// Number of elements of the model that do something.
    pub elements: usize,
    /// Elements whose values or conditions list ranks.
    pub listed: Vec<String>,
}

/// Folds a trace into a model of that name.
///
/// # Errors
///
/// The trace is wrong, or does not repeat.
pub fn fold(trace: &Trace, name: &str) -> Result<Folded, String> {
    let ranks = trace.ranks();
    if ranks > RANKS_MAX {
        return Err(format!(
            "the trace has {ranks} ranks; up to {RANKS_MAX} can be folded"
        ));
    }
    let sequences = sequences(trace).map_err(|it| it.to_string())?;
    let events = sequences.iter().map(|it| it.events).sum();
    let programs: Vec<(u32, Vec<Node>)> = (0..)
        .zip(sequences.into_iter().map(Sequence::finish))
        .map(|(rank, nodes)| (rank, each::found(nodes, rank, ranks)))
        .collect();
    let mut steps = named::named(merge::merged(programs));
    let mut same = SAME;
    if trace.is_measured() {
        steps = noise::left_out(steps);
        same = SAME_MEASURED;
    }
    let written = write::write(name, ranks, &steps, same);
    Ok(Folded {
        text: written.text,
        events,
        ranks,
        elements: written.elements,
        listed: written.listed,
    })
}

fn sequences(trace: &Trace) -> Result<Vec<Sequence>, Problem> {
    let mut open: Vec<Open> = Vec::new();
    open.resize_with(trace.ranks() as usize, Open::default);
    let mut has_twins = false;
    let collected = collected(trace, |rank, event| {
        has_twins = open[rank].has_twins(&event);
        (!has_twins).then_some(event)
    });
    if !has_twins {
        return collected;
    }
    let awaited = Awaited::of(trace)?.into_iter();
    let mut numbers: Vec<Renumbered> = awaited.map(Renumbered::new).collect();
    self::collected(trace, |rank, event| Some(numbers[rank].event(event)))
}

/// The events of all ranks, as `numbered` gives them, until it gives nothing.
fn collected(
    trace: &Trace,
    mut numbered: impl FnMut(usize, Event) -> Option<Event>,
) -> Result<Vec<Sequence>, Problem> {
    let most = NODES_MAX / trace.ranks().max(1) as usize;
    let mut sequences: Vec<Sequence> = Vec::new();
    sequences.resize_with(trace.ranks() as usize, Sequence::default);
    trace.for_each(|rank, event| {
        let event = numbered(rank as usize, event).ok_or_else(String::new)?;
        if sequences[rank as usize].push(event) > most {
            return Err(format!(
                "rank {rank} has {most} events that do not repeat: the trace can't be folded, but \
                 `run` replays it"
            ));
        }
        Ok(())
    })?;
    Ok(sequences)
}
