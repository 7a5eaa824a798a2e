//! Reads the definitions in an archive: ranks, regions and communicators.

use std::collections::BTreeMap;

use super::printed::leading;

const DEFINITIONS_MAX: usize = 1 << 20;

#[derive(Debug, Clone, Default)]
pub(super) struct Definitions {
    ticks_per_s: u64,
    /// Number of the MPI paradigm; `None` if the archive doesn't name its paradigms.
    mpi: Option<u64>,
    locations: Vec<u64>,
    ranks: BTreeMap<u64, u32>,
    records: BTreeMap<u64, u64>,
    regions: BTreeMap<u64, RegionKind>,
    /// Ranks of each group; `None` for a group of only the calling rank.
    groups: BTreeMap<u64, Option<Vec<u32>>>,
    communicators: BTreeMap<u64, u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionKind {
    Mpi,
    Init,
    Finalize,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum CommMembers<'d> {
    /// All ranks, in order.
    All,
    /// Only the calling rank.
    Own,
    Some(&'d [u32]),
}

impl Definitions {
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
            "PARADIGM" if words.next() == Some("MPI,") => self.mpi = Some(number),
            "REGION" if self.is_of_mpi(&outside) => {
                let name = line.split('"').nth(1).unwrap_or_default();
                let region = match name {
                    "MPI_Init" | "MPI_Init_thread" => RegionKind::Init,
                    "MPI_Finalize" => RegionKind::Finalize,
                    _ => RegionKind::Mpi,
                };
                self.regions.insert(number, region);
            }
            "GROUP" if self.is_of_mpi(&outside) => self.group(number, &outside),
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

    /// Returns `true` if a definition belongs to MPI, as shown by its text or by the number of a
    /// named paradigm.
    fn is_of_mpi(&self, outside: &str) -> bool {
        let Some((_, paradigm)) = outside.split_once("Paradigm: ") else {
            return false;
        };
        let paradigm = paradigm.split(',').next().unwrap_or_default();
        paradigm == "MPI" || self.mpi.is_some() && bracketed(paradigm) == self.mpi
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

    pub(super) fn check(&self) -> Result<(), String> {
        if self.locations.is_empty() || self.locations.len() > DEFINITIONS_MAX {
            return Err("the archive does not list any MPI processes".to_owned());
        }
        if self.ticks_per_s == 0 {
            return Err("the archive does not say how long a tick is".to_owned());
        }
        Ok(())
    }

    pub(super) fn ranks(&self) -> u32 {
        u32::try_from(self.locations.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn location(&self, rank: u32) -> u64 {
        self.locations[rank as usize]
    }

    pub(super) fn records(&self, rank: u32) -> u64 {
        let location = self.location(rank);
        self.records.get(&location).copied().unwrap_or(0)
    }

    /// Returns the rank at a location; `None` for every thread except a rank's first.
    pub(super) fn rank(&self, location: u64) -> Option<u32> {
        self.ranks.get(&location).copied()
    }

    /// Returns a region's kind; `None` if it isn't an MPI function.
    pub(super) fn region(&self, number: u64) -> Option<RegionKind> {
        self.regions.get(&number).copied()
    }

    pub(super) fn members(&self, communicator: u64) -> Option<CommMembers<'_>> {
        let group = self.communicators.get(&communicator)?;
        Some(match self.groups.get(group)? {
            None => CommMembers::Own,
            Some(ranks) if ranks.iter().copied().eq(0..self.ranks()) => CommMembers::All,
            Some(ranks) if ranks.len() == 1 => CommMembers::Own,
            Some(ranks) => CommMembers::Some(ranks),
        })
    }

    pub(super) fn seconds(&self, ticks: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "it is a duration")]
        let (ticks, per_s) = (ticks as f64, self.ticks_per_s as f64);
        ticks / per_s
    }
}

/// Returns a line without its quoted parts.
fn outside(line: &str) -> String {
    line.split('"').step_by(2).collect()
}

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
        assert_eq!(definitions.region(3), Some(RegionKind::Mpi));
        assert_eq!(definitions.region(4), None);
        assert!(matches!(definitions.members(5), Some(CommMembers::All)));
        assert!(matches!(
            definitions.members(6),
            Some(CommMembers::Some([2, 0]))
        ));
    }

    #[test]
    fn paradigms_may_have_names() {
        // Output of `otf2-print` 3.0.2 for a Score-P archive.
        let mut definitions = Definitions::default();
        for line in [
            "CLOCK_PROPERTIES        Ticks per Seconds: 1000, Global Offset: 0",
            "PARADIGM  4  MPI, Name: \"MPI\" <22>, Class: PROCESS",
            "PARADIGM_PROPERTY  Paradigm: \"MPI\" <4>, Property: COMM_NAME_TEMPLATE, Type: STRING, \
             Value: \"Comm ${id}\" <23>",
            "GROUP  0  Name: \"\" <0>, Type: COMM_LOCATIONS, Paradigm: \"MPI\" <4>, Flags: NONE, \
             2 Members: \"Master thread\" <0>, \"Master thread\" <1>",
            "GROUP  1  Name: \"P\" <2>, Type: COMM_LOCATIONS, Paradigm: MEASUREMENT_SYSTEM, Flags: \
             NONE, 1 Members: \"Master thread\" <0>",
            "GROUP  4  Name: \"\" <0>, Type: COMM_GROUP, Paradigm: \"MPI\" <4>, Flags: NONE, 2 \
             Members: 0 (\"Master thread\" <0>), 1 (\"Master thread\" <1>)",
            "COMM  1  Name: \"MPI_COMM_WORLD\" <257>, Group: \"\" <4>, Parent: UNDEFINED, Flags: N",
            "REGION  9  Name: \"MPI_Send\" <26> (Aka. \"MPI_Send\" <26>), Descr.: \"\" <0>, Role: \
             POINT2POINT, Paradigm: \"MPI\" <4>, Flags: NONE, File: \"MPI\" <22>, Begin: 0, End: 0",
            "REGION  8  Name: \"omp\" <27> (Aka. \"omp\" <27>), Descr.: \"\" <0>, Role: LOOP, \
             Paradigm: \"OpenMP\" <3>, Flags: NONE, File: \"a.c\" <22>, Begin: 0, End: 0",
        ] {
            definitions.read(line).unwrap();
        }
        definitions.check().unwrap();
        assert_eq!(definitions.ranks(), 2);
        assert_eq!(definitions.region(9), Some(RegionKind::Mpi));
        assert_eq!(definitions.region(8), None);
        assert!(matches!(definitions.members(1), Some(CommMembers::All)));
    }
}
