//! Reads `PyTorch` traces that Kineto wrote, one file per rank. A file contains the threads of a
//! process and the streams of its GPU; this module finds out how they wait for each other.
//!
//! Of all events that an event could have waited for, it waits for the one that ended last, so that
//! a replay at the recorded speeds reproduces the recorded times.
//!
//! | module | is |
//! |---|---|
//! | `profile` | the events of a file |
//! | `comm` | collectives and messages of kernels |
//! | `history` | the work launched on each stream |
//! | `device` | dependencies between streams |
//! | `gaps` | gaps in which one thread waits for another |
//! | `host` | what threads wait for |
//! | `chart` | moments with their recorded times, as tasks |
//! | `rank` | the events of a rank as tasks |

mod chart;
mod comm;
mod device;
mod gaps;
mod history;
mod host;
mod profile;
mod rank;

use std::collections::BTreeMap;
use std::path::PathBuf;

use prophet_text::{Problem, counted};

use crate::json;
use crate::tasks::{Groups, TaskTrace, Unpaired, pair};
use comm::World;
use profile::Profile;

const RANKS_MAX: usize = 1 << 16;

pub(crate) fn open(files: Vec<PathBuf>) -> Result<TaskTrace, Problem> {
    let path = files.first().cloned().unwrap_or_default();
    if files.len() > RANKS_MAX {
        let why = format!("there are more than {RANKS_MAX} rank files");
        return Err(Problem::of(&path, why));
    }
    let mut profiles: BTreeMap<u32, (PathBuf, Profile)> = BTreeMap::new();
    let is_alone = files.len() == 1;
    for file in files {
        let profile = Profile::read(&file, &json::text(&file)?)?;
        let Some(rank) = profile.rank.or_else(|| is_alone.then_some(0)) else {
            let why = "its `distributedInfo` needs a `rank`, because there are several files";
            return Err(Problem::of(&file, why));
        };
        if let Some((other, _)) = profiles.get(&rank) {
            let why = format!("rank {rank} is also in {}", other.display());
            return Err(Problem::of(&file, why));
        }
        profiles.insert(rank, (file, profile));
    }
    let world = World::new(profiles.keys().copied().collect());
    let (mut groups, mut ranks, mut unknown) = (Groups::default(), Vec::new(), 0);
    for (file, profile) in profiles.values() {
        let rank = rank::KinetoRank::new(profile, &world, &mut groups);
        let (tasks, calls) = rank.tasks().map_err(|why| Problem::of(file, why))?;
        unknown += calls;
        ranks.push(tasks);
    }
    let alone = pair(&mut ranks, Unpaired::Timed).map_err(|why| Problem::of(&path, why))?;
    let mut notes = Vec::new();
    if alone + unknown > 0 {
        notes.push(format!(
            "recorded times are used for {}, because sizes or the files of other ranks are missing",
            counted((alone + unknown) as u64, "NCCL kernel", "NCCL kernels")
        ));
    }
    Ok(TaskTrace {
        path,
        ranks,
        groups: groups.count(),
        notes,
    })
}
