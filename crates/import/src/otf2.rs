//! Reads OTF2 archives from the output of `otf2-print`, the reference library's own reader. No
//! crate reads the format, and bindings would require the library wherever this project is
//! compiled.
//!
//! | module | is |
//! |---|---|
//! | `printed` | the lines of `otf2-print` |
//! | `definitions` | ranks, regions and communicators |
//! | `rank` | a rank's records as events |

mod definitions;
mod printed;
mod rank;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

use crate::RankEvent;
use definitions::Definitions;
use printed::Printed;
use rank::Otf2Rank;

/// Maximum number of ranks to replay. A separate process reads each rank.
const REPLAYED_MAX: u32 = 256;

#[derive(Debug)]
pub(crate) struct Otf2Archive {
    path: PathBuf,
    definitions: Definitions,
}

impl Otf2Archive {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let mut definitions = Definitions::default();
        let mut printed = Printed::definitions(path)?;
        while let Some(line) = printed.next()? {
            let read = definitions.read(line);
            read.map_err(|why| Problem::of(path, why))?;
        }
        definitions.check().map_err(|why| Problem::of(path, why))?;
        let path = path.to_owned();
        Ok(Self { path, definitions })
    }

    pub(crate) fn ranks(&self) -> u32 {
        self.definitions.ranks()
    }

    pub(crate) fn events(&self, rank: u32) -> Result<Otf2Events, Problem> {
        let ranks = self.ranks();
        if ranks > REPLAYED_MAX {
            let why = format!(
                "an OTF2 archive of {ranks} ranks cannot be replayed (the limit is \
                 {REPLAYED_MAX}); create a model from it with `import`"
            );
            return Err(Problem::of(&self.path, why));
        }
        let location = self.definitions.location(rank);
        Ok(Otf2Events {
            path: self.path.clone(),
            printed: Printed::events(&self.path, Some(location))?,
            definitions: self.definitions.clone(),
            rank: Otf2Rank::new(rank, ranks),
        })
    }

    /// Passes all events to `take`. The archive is read only once.
    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(u32, RankEvent) -> Result<(), String>,
    ) -> Result<(), Problem> {
        let wrong = |why: String| Problem::of(&self.path, why);
        let ranks = self.ranks();
        let mut states: BTreeMap<u32, Otf2Rank> = (0..ranks)
            .map(|rank| (rank, Otf2Rank::new(rank, ranks)))
            .collect();
        let mut printed = Printed::events(&self.path, None)?;
        while let Some(line) = printed.next()? {
            let Some((location, record)) = printed::record(line) else {
                continue;
            };
            let Some(rank) = self.definitions.rank(location) else {
                continue;
            };
            if let Some(state) = states.get_mut(&rank) {
                state.read(&record, &self.definitions).map_err(wrong)?;
                while let Some(event) = state.ready() {
                    take(rank, event).map_err(wrong)?;
                }
            }
        }
        for (rank, state) in &mut states {
            state.end(&self.definitions).map_err(wrong)?;
            while let Some(event) = state.ready() {
                take(*rank, event).map_err(wrong)?;
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Otf2Events {
    path: PathBuf,
    printed: Printed,
    definitions: Definitions,
    rank: Otf2Rank,
}

impl Otf2Events {
    pub(crate) fn next(&mut self) -> Result<Option<RankEvent>, Problem> {
        loop {
            if let Some(event) = self.rank.ready() {
                return Ok(Some(event));
            }
            let Some(line) = self.printed.next()? else {
                let end = self.rank.end(&self.definitions);
                end.map_err(|why| Problem::of(&self.path, why))?;
                return Ok(self.rank.ready());
            };
            if let Some((_, record)) = printed::record(line) {
                let read = self.rank.read(&record, &self.definitions);
                read.map_err(|why| Problem::of(&self.path, why))?;
            }
        }
    }
}
