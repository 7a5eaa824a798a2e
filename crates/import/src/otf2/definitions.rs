//! Definitions of an archive: ranks, regions and communicators.

use std::collections::BTreeMap;

use super::printed::leading;

/// Largest number of definitions of a kind.
const DEFINITIONS_MAX: usize = 1 << 20;

/// Definitions, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Definitions {
    ticks_per_s: u64,
    /// Locations by rank.
    locations: Vec<u64>,
    ranks: BTreeMap<u64, u32>,
    /// Number of the records of each location.
    records: BTreeMap<u64, u64>,
    regions: BTreeMap<u64, Region>,
    /// Ranks of groups; none for that of a rank alone.
    groups: BTreeMap<u64, Option<Vec<u32>>>,
    /// Groups of communicators.
    communicators: BTreeMap<u64, u64>,
}

/// Kind of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    /// A function of MPI.
    Mpi,
    /// A function that begins MPI.
    Init,
    /// A function that ends MPI.
    Finalize,
}

/// Ranks of a communicator.
#[derive(Debug, Clone, Copy)]
pub(super) enum Members<'d> {
    /// All ranks, in their order.
    All,
    /// The calling rank alone.
    Own,
    /// Some of the ranks.
    Some(&'d [u32]),
}

impl Definitions {
    /// Reads a line.
    pub(super) fn read(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        let kind = words.next().unwrap_or_default();
        if kind == "CLOCK_PROPERTIES" {
            let ticks = line.split_once("Ticks per Seconds: ");
            self.ticks_per_s = ticks.and_then(|it| leading(it.1)).unwrap_or(0);
            return Ok(());
        }
        let Some(number) = words.next().and_then(|it| it.parse::<u64>().ok()) else {
            return Ok(());
        };
        let outside = outside(line);
        match kind {
            "LOCATION" => {
                let count = outside.split_once("# Events: ");
                let count = count.and_then(|it| leading(it.1));
                self.records.extend(count.map(|it| (number, it)));
            }
            "REGION" if outside.contains("Paradigm: MPI") => {
                let name = line.split('"').nth(1).unwrap_or_default();
                let region = match name {
                    "MPI_Init" | "MPI_Init_thread" => Region::Init,
                    "MPI_Finalize" => Region::Finalize,
                    _ => Region::Mpi,
                };
                self.regions.insert(number, region);
            }
            "GROUP" if outside.contains("Paradigm: MPI") => self.group(number, &outside),
            "COMM" => {
                let group = outside.split_once("Group:").and_then(|it| bracketed(it.1));
                self.communicators.extend(group.map(|it| (number, it)));
            }
            _ => {}
        }
        let most = self.regions.len().max(self.groups.len());
        let most = most.max(self.records.len());
        if most.max(self.communicators.len()) > DEFINITIONS_MAX {
            return Err(format!("there are more than {DEFINITIONS_MAX} definitions"));
        }
        Ok(())
    }

    fn group(&mut self, number: u64, outside: &str) {
        let members = outside.split_once("Members:").map_or("", |it| it.1);
        if outside.contains("Type: COMM_LOCATIONS") {
            self.locations = members.split(',').filter_map(bracketed).collect();
            self.ranks = self.locations.iter().copied().zip(0..).collect();
        } else if outside.contains("Type: COMM_SELF") {
            self.groups.insert(number, None);
        } else if outside.contains("Type: COMM_GROUP") {
            let ranks = members.split(',').filter_map(|it| leading(it.trim_start()));
            let ranks = ranks.filter_map(|it| u32::try_from(it).ok());
            self.groups.insert(number, Some(ranks.collect()));
        }
    }

    /// A message if the archive has no ranks.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.locations.is_empty() || self.locations.len() > DEFINITIONS_MAX {
            return Err("the archive names no processes of MPI".to_owned());
        }
        if self.ticks_per_s == 0 {
            return Err("the archive doesn't say how long a tick is".to_owned());
        }
        Ok(())
    }

    /// Number of ranks.
    pub(super) fn ranks(&self) -> u32 {
        u32::try_from(self.locations.len()).unwrap_or(u32::MAX)
    }

    /// The location of a rank.
    pub(super) fn location(&self, rank: u32) -> u64 {
        self.locations[rank as usize]
    }

    /// Number of the records of a rank, if it is told.
    pub(super) fn records(&self, rank: u32) -> u64 {
        let location = self.location(rank);
        self.records.get(&location).copied().unwrap_or(0)
    }

    /// The rank at a location; none for other threads than the first.
    pub(super) fn rank(&self, location: u64) -> Option<u32> {
        self.ranks.get(&location).copied()
    }

    /// The kind of a region, if it is of MPI.
    pub(super) fn region(&self, number: u64) -> Option<Region> {
        self.regions.get(&number).copied()
    }

    /// Ranks of a communicator.
    pub(super) fn members(&self, communicator: u64) -> Option<Members<'_>> {
        let group = self.communicators.get(&communicator)?;
        Some(match self.groups.get(group)? {
            None => Members::Own,
            Some(ranks) if ranks.iter().copied().eq(0..self.ranks()) => Members::All,
            Some(ranks) if ranks.len() == 1 => Members::Own,
            Some(ranks) => Members::Some(ranks),
        })
    }

    /// Ticks as seconds.
    pub(super) fn seconds(&self, ticks: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "it is a duration")]
        let (ticks, per_s) = (ticks as f64, self.ticks_per_s as f64);
        ticks / per_s
    }
}

/// The parts of a line that are in no quotes.
fn outside(line: &str) -> String {
    line.split('"').step_by(2).collect()
}

/// The first number in angle brackets.
fn bracketed(text: &str) -> Option<u64> {
    leading(&text[text.find('<')? + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_communicators_are_found() {
        let mut definitions = Definitions::default();
        for line in [
            "CLOCK_PROPERTIES        Ticks per Seconds: 1000, Global Offset: 0",
            "REGION   3  Name: \"MPI_Send\" <9> (Aka. \"x\" <9>), Role: P, Paradigm: MPI, Flags: N",
            "REGION   4  Name: \"Paradigm: MPI\" <9>, Role: FUNCTION, Paradigm: USER, Flags: NONE",
            "GROUP  0  Name: \"\" <2>, Type: COMM_LOCATIONS, Paradigm: MPI, Flags: NONE, \
             3 Members: \"a, <7>\" <10>, \"b\" <20>, \"c\" <30>",
            "GROUP  1  Name: \"w\" <2>, Type: COMM_GROUP, Paradigm: MPI, Flags: NONE, 3 Members: \
             0 (\"a\" <10>), 1 (\"b\" <20>), 2 (\"c\" <30>)",
            "GROUP  2  Name: \"s\" <2>, Type: COMM_GROUP, Paradigm: MPI, Flags: NONE, 2 Members: \
             2 (\"c\" <30>), 0 (\"a\" <10>)",
            "COMM  5  Name: \"w\" <2>, Group: \"w\" <1>, Parent: UNDEFINED, Flags: NONE",
            "COMM  6  Name: \"s\" <2>, Group: \"s\" <2>, Parent: \"w\" <5>, Flags: NONE",
        ] {
            definitions.read(line).unwrap();
        }
        definitions.check().unwrap();
        assert_eq!(definitions.ranks(), 3);
        assert_eq!(definitions.rank(20), Some(1));
        assert_eq!(definitions.region(3), Some(Region::Mpi));
        assert_eq!(definitions.region(4), None);
        assert!(matches!(definitions.members(5), Some(Members::All)));
        assert!(matches!(
            definitions.members(6),
            Some(Members::Some([2, 0]))
        ));
    }
}
