//! Binds the units of a node to its CPUs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::quantity::{ParseError, parse_error, quoted};
use prophet_text::did_you_mean;

/// How the units of a node (the threads of its processes, in order) are bound to CPUs.
///
/// The binding only affects which units share a memory or a cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binding {
    /// Units are as far apart as possible: unit `i` of `n` is at place `i * places / n`.
    Spread(Places),
    /// Neighbors are close together: unit `i` is at place `i`. If there are more units than places,
    /// this is the same as `Spread`.
    Compact(Places),
    /// Processes are dealt out to the memory domains in turn; a process's threads stay in its
    /// domain.
    Domain,
    /// The CPU of each unit.
    Cpus(Arc<[u32]>),
}

/// The places that units are bound to, named as in `OMP_PLACES`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Places {
    /// CPUs. `threads` is another name for them.
    #[default]
    Cores,
    /// Last-level caches.
    LastCaches,
    Domains,
    Sockets,
}

const LIST_MAX: usize = 1 << 16;

impl Default for Binding {
    fn default() -> Self {
        Self::Spread(Places::default())
    }
}

impl Places {
    const ALL: [(&str, Self); 5] = [
        ("cores", Self::Cores),
        ("threads", Self::Cores),
        ("ll_caches", Self::LastCaches),
        ("numa_domains", Self::Domains),
        ("sockets", Self::Sockets),
    ];

    fn read(name: &str) -> Result<Self, ParseError> {
        let known = Self::ALL.into_iter().find(|it| it.0 == name);
        known.map(|it| it.1).ok_or_else(|| {
            ParseError::unknown(name, "is not a kind of place", Self::ALL.map(|it| it.0))
        })
    }

    fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|it| it.1 == self);
        named.map_or("cores", |it| it.0)
    }
}

impl Binding {
    /// Names of the policies; `close` is OpenMP's name for `compact`.
    const WORDS: [&str; 4] = ["spread", "compact", "close", "domain"];

    /// Parses a binding policy, optionally followed by a colon and a kind of places, or a list of
    /// CPUs such as `0,2,8-11`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        let text = text.trim();
        if text.starts_with(|it: char| it.is_ascii_digit()) {
            return cpus(text).map(|cpus| Self::Cpus(cpus.into()));
        }
        let (word, places) = match text.split_once(':') {
            Some((word, places)) => (word.trim(), Places::read(places.trim())?),
            None => (text, Places::default()),
        };
        match word {
            "spread" => Ok(Self::Spread(places)),
            "compact" | "close" => Ok(Self::Compact(places)),
            "domain" if !text.contains(':') => Ok(Self::Domain),
            "domain" => Err(ParseError::new(
                "`domain` does not take places: it assigns processes to the memory domains in turn",
            )),
            _ => Err(parse_error!(
                "`{}` is not a binding ({}, or a list of CPUs such as 0,2,8-11){}",
                quoted(word),
                Self::WORDS.join(", "),
                did_you_mean(word, Self::WORDS)
            )),
        }
    }

    /// Explains why `units` units can't be bound to a node with `cpus` CPUs; `None` if they can.
    pub fn contradiction(&self, cpus: u32, units: u64) -> Option<String> {
        let Self::Cpus(list) = self else { return None };
        if let Some(cpu) = list.iter().find(|cpu| **cpu >= cpus) {
            let last = cpus.saturating_sub(1);
            return Some(format!(
                "a unit is bound to CPU {cpu}, but the last CPU is {last}"
            ));
        }
        let bound = list.len();
        (units > bound as u64).then(|| {
            format!(
                "CPUs are listed for {bound} units, but {units} units run on a node: list one CPU \
                 per unit"
            )
        })
    }
}

impl fmt::Display for Binding {
    /// Writes the binding as the flag's value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, places) = match self {
            Self::Spread(places) => ("spread", *places),
            Self::Compact(places) => ("compact", *places),
            Self::Domain => ("domain", Places::default()),
            Self::Cpus(list) => {
                let list: Vec<String> = list.iter().map(u32::to_string).collect();
                return f.write_str(&list.join(","));
            }
        };
        f.write_str(word)?;
        if places != Places::default() {
            write!(f, ":{}", places.name())?;
        }
        Ok(())
    }
}

/// Parses numbers and ranges, separated by commas.
fn cpus(text: &str) -> Result<Vec<u32>, ParseError> {
    let mut cpus = Vec::new();
    for word in text.split(',').map(str::trim) {
        let wrong = || {
            let message = format!(
                "`{}` is neither a CPU nor a range such as 8-11",
                quoted(word)
            );
            ParseError::new(message)
        };
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let first: u32 = first.trim().parse().map_err(|_| wrong())?;
        let last: u32 = last.trim().parse().map_err(|_| wrong())?;
        if first > last {
            return Err(wrong());
        }
        let room = LIST_MAX - cpus.len();
        if (last - first) as usize >= room {
            let message = format!("more than {LIST_MAX} CPUs are listed");
            return Err(ParseError::new(message));
        }
        cpus.extend(first..=last);
    }
    Ok(cpus)
}

#[derive(Debug, Clone, Copy)]
pub struct Parts {
    pub cpus: u32,
    pub sockets: u32,
    pub domains: u32,
    /// Number of last-level caches, or the number of CPUs if the node has no caches.
    pub last_caches: u32,
}

/// A thread of a process, and its position on the node.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    /// Number of processes on the same node that have lower numbers.
    pub place: u64,
    pub thread: u64,
    /// Number of processes on the node, at least 1.
    pub processes: u64,
    /// Number of threads per process, at least 1.
    pub threads: u64,
}

impl Unit {
    fn number(self) -> u64 {
        self.place * self.threads + self.thread
    }

    fn count(self) -> u64 {
        self.processes * self.threads
    }
}

impl Binding {
    /// Divides the node's CPUs into `groups` equal groups of neighbors, and returns the number of
    /// the group that a unit is bound to.
    pub fn group(&self, unit: Unit, parts: Parts, groups: u32) -> u32 {
        let (groups, cpus) = (u64::from(groups), u64::from(parts.cpus));
        let (number, count) = (unit.number(), unit.count());
        let group = match self {
            Self::Spread(Places::Cores) => number * groups / count,
            _ => self.cpu(unit, parts, number, count) * groups / cpus,
        };
        u32::try_from(group).unwrap_or(u32::MAX)
    }

    fn cpu(&self, unit: Unit, parts: Parts, number: u64, count: u64) -> u64 {
        let cpus = u64::from(parts.cpus);
        let places = |places: &Places| {
            u64::from(match places {
                Places::Cores => parts.cpus,
                Places::LastCaches => parts.last_caches,
                Places::Domains => parts.domains,
                Places::Sockets => parts.sockets,
            })
        };
        // The unit's place, and the unit's number among those at the same place.
        let (places, place, among) = match self {
            Self::Compact(kind) if count <= places(kind) => (places(kind), number, 0),
            Self::Spread(kind) | Self::Compact(kind) => {
                let places = places(kind);
                let place = number * places / count;
                (places, place, number - (place * count).div_ceil(places))
            }
            Self::Domain => {
                let domains = u64::from(parts.domains);
                let round = unit.place / domains;
                let among = round * unit.threads + unit.thread;
                (domains, unit.place % domains, among)
            }
            Self::Cpus(list) => {
                let listed = usize::try_from(number).ok().and_then(|it| list.get(it));
                return listed.map_or(0, |cpu| u64::from(*cpu));
            }
        };
        let first = place * cpus / places;
        let size = ((place + 1) * cpus / places - first).max(1);
        first + among % size
    }

    /// Counts the units bound to each of `groups` groups: all threads of the processes, or only
    /// each process's first thread. Empty groups are omitted.
    pub fn counts(
        &self,
        of: Unit,
        parts: Parts,
        groups: u32,
        all_threads: bool,
    ) -> BTreeMap<u32, u64> {
        let threads = if all_threads { of.threads } else { 1 };
        let mut counts = BTreeMap::new();
        for place in 0..of.processes {
            for thread in 0..threads {
                let unit = Unit {
                    place,
                    thread,
                    ..of
                };
                *counts.entry(self.group(unit, parts, groups)).or_default() += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets with two domains each, and four CPUs per domain.
    const PARTS: Parts = Parts {
        cpus: 16,
        sockets: 2,
        domains: 4,
        last_caches: 8,
    };

    /// Returns the group of each unit, the number of units per group, and the number of processes
    /// per group.
    fn bound(line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        let [text, numbers @ ..] = &words[..] else {
            panic!("{line}")
        };
        let binding = match Binding::read(text.trim_matches('"')) {
            Ok(binding) => binding,
            Err(error) => return error.to_string(),
        };
        let numbers: Vec<u32> = numbers.iter().map(|it| it.parse().expect(line)).collect();
        let [processes, threads, groups] = numbers[..] else {
            return binding.to_string();
        };
        let (processes, threads) = (u64::from(processes), u64::from(threads));
        let unit = |place, thread| Unit {
            place,
            thread,
            processes,
            threads,
        };
        let units = (0..processes).flat_map(|place| (0..threads).map(move |it| (place, it)));
        let group = |(place, thread)| binding.group(unit(place, thread), PARTS, groups);
        let counts = [true, false].map(|all_threads| {
            let counts = binding.counts(unit(0, 0), PARTS, groups, all_threads);
            counts.into_values().collect::<Vec<u64>>()
        });
        let groups: Vec<u32> = units.map(group).collect();
        format!(
            "{groups:?}, units {:?}, processes {:?}",
            counts[0], counts[1]
        )
    }

    #[test]
    fn units_have_the_cpus_of_their_binding() {
        prophet_testing::assert_cases("tests/cases/bindings.txt", |case| {
            let told = |line: &str| format!("{line}: {}\n", bound(line));
            case.input.lines().map(told).collect()
        });
    }

    #[test]
    fn a_list_is_for_the_units_and_cpus_that_there_are() {
        let list = Binding::read("0,9").expect("a list");
        let last = "a unit is bound to CPU 9, but the last CPU is 7";
        assert_eq!(list.contradiction(8, 2).as_deref(), Some(last));
        let few = "CPUs are listed for 2 units, but 3 units run on a node: list one CPU per unit";
        assert_eq!(list.contradiction(16, 3).as_deref(), Some(few));
        assert_eq!(list.contradiction(16, 2), None);
    }
}
