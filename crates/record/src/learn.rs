//! Several recordings of a program as one model.
//!
//! | module | is |
//! |---|---|
//! | `runs` | recordings of one program, of several sizes |
//! | `costs` | costs fitted to the times of all runs |
//! | `doubt` | what the recorded sizes cannot tell apart |

use prophet_text::Problem;
mod costs;
mod doubt;
mod runs;

use std::path::PathBuf;

use prophet_import::{Folded, unify};

use crate::places::Places;
use costs::Fits;

/// Model of recordings, and remarks on it.
pub(crate) struct Learned {
    pub(crate) folded: Folded,
    /// Numbers of ranks, and largest of them.
    pub(crate) sizes: Vec<u32>,
    /// Notes of the costs' fits, and doubts.
    pub(crate) notes: Vec<String>,
}

/// Learns a model of that name from the folders of recordings.
///
/// # Errors
///
/// A recording is wrong, they are of different programs or of one size, or do not repeat.
pub(crate) fn learn(folders: &[PathBuf], name: &str) -> Result<Learned, Problem> {
    let runs = runs::opened(folders)?;
    let names = runs::parameters(&runs)?;
    let mut places = Places::of(runs.iter().map(runs::Opened::recording));
    let sizes: Vec<u32> = runs.iter().map(|it| it.trace.ranks()).collect();
    let recorded = runs::recorded(runs, &names, &places);
    let folded = unify(&recorded, &names, places.names(), &Fits, name)?;
    let note = |(note, count): (&String, &u32)| {
        let costs = prophet_text::counted(u64::from(*count), "cost", "costs");
        format!("{note} ({costs})")
    };
    let mut notes: Vec<String> = folded.notes.iter().map(note).collect();
    if !folded.means.is_empty() {
        notes.push(format!(
            "the program's data decide the sizes of messages, of which the model has the mean: {}",
            folded.means.join(", ")
        ));
    }
    notes.extend(doubt::doubt(&folded.text, &sizes));
    Ok(Learned {
        folded,
        sizes,
        notes,
    })
}
