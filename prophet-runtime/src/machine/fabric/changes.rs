//! Changes of links during a run.

use std::collections::BTreeSet;

use prophet_platform::{Change as Known, Platform, Quantity, Target};

use super::Fabric;

/// Change of some links at a time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    /// Time, in simulated seconds.
    pub(crate) at_s: f64,
    /// Name of a link, or a pattern of names in which `*` stands for any text.
    pub(crate) link: String,
    pub(crate) quantity: Quantity,
}

/// Changes of a network's links, in the order of time; of one time, in that of the file.
#[derive(Debug)]
pub(crate) struct Schedule {
    changes: Vec<Known>,
    /// Next times of the changes, as bits, with their numbers and how often they have come.
    next: BTreeSet<(u64, usize, u32)>,
    links: Vec<Link>,
}

/// State of a link.
#[derive(Debug, Clone, Copy)]
struct Link {
    bytes_per_s: f64,
    background: f64,
    /// Seconds that its latency is above that in the machine.
    more_s: f64,
}

impl Schedule {
    /// Time of the next change, in simulated seconds; infinite if there is none.
    pub(crate) fn next_s(&self) -> f64 {
        let first = self.next.first();
        first.map_or(f64::INFINITY, |(bits, ..)| f64::from_bits(*bits))
    }

    /// Takes the next change; returns the link and the bytes per second that are there for
    /// messages from then on, unless that is not what changes.
    pub(crate) fn take(&mut self, platform: &Platform) -> Option<(u32, f64)> {
        let (_, number, times) = self.next.pop_first()?;
        let change = self.changes[number];
        if let Some(repeat_s) = change.repeat_s {
            // Multiplied, so that nothing adds up.
            let at_s = change.at_s + (f64::from(times) + 1.0) * repeat_s;
            self.next.insert((at_s.to_bits(), number, times + 1));
        }
        let Target::Link(number) = change.target else {
            return None;
        };
        let link = &mut self.links[number as usize];
        match change.quantity {
            Quantity::Bandwidth(bytes_per_s) => link.bytes_per_s = bytes_per_s,
            Quantity::Background(fraction) => link.background = fraction,
            Quantity::Latency(latency_s) => {
                link.more_s = latency_s - platform.links()[number as usize].latency_s;
                return None;
            }
            Quantity::Speed(_) => return None,
        }
        Some((number, link.bytes_per_s * (1.0 - link.background)))
    }

    /// Bandwidth that a link has now, with what others take of it.
    pub(crate) fn bytes_per_s(&self, link: u32, platform: &Platform) -> f64 {
        let changed = self.links.get(link as usize);
        changed.map_or_else(
            || platform.links()[link as usize].bytes_per_s,
            |link| link.bytes_per_s,
        )
    }

    /// Seconds by which the latencies of some links have grown.
    pub(crate) fn more_s(&self, links: &[u32]) -> f64 {
        if self.changes.is_empty() {
            return 0.0;
        }
        let more = links.iter().map(|link| self.links[*link as usize].more_s);
        more.sum()
    }
}

impl Fabric {
    /// Schedule of the changes of links.
    ///
    /// # Errors
    ///
    /// A message that no link has the name that a change gives.
    pub(crate) fn schedule(&self, platform: &Platform) -> Result<Schedule, String> {
        let mut changes = self.known(platform)?;
        changes.extend_from_slice(&self.profile);
        let next = (0..).zip(&changes);
        let next = next.map(|(number, change)| (change.at_s.to_bits(), number, 0));
        let links = if changes.is_empty() {
            &[]
        } else {
            platform.links()
        };
        let links = links.iter().map(|link| Link {
            bytes_per_s: link.bytes_per_s,
            background: link.background,
            more_s: 0.0,
        });
        Ok(Schedule {
            next: next.collect(),
            links: links.collect(),
            changes,
        })
    }

    /// Changes of single links.
    fn known(&self, platform: &Platform) -> Result<Vec<Known>, String> {
        let mut known = Vec::new();
        for change in self.changes.iter() {
            let before = known.len();
            for (number, link) in (0_u32..).zip(platform.links()) {
                if matches(&change.link, &link.name) {
                    known.push(Known {
                        at_s: change.at_s,
                        repeat_s: None,
                        target: Target::Link(number),
                        quantity: change.quantity,
                    });
                }
            }
            if known.len() == before {
                return Err(format!(
                    "a change at {} s names the link `{}`, which the network does not have{}",
                    change.at_s,
                    change.link,
                    example(platform)
                ));
            }
        }
        Ok(known)
    }
}

/// Example of a link's name.
fn example(platform: &Platform) -> String {
    let first = platform.links().first();
    first.map_or_else(String::new, |link| {
        format!("; its first is `{}`", link.name)
    })
}

/// True if a name is that of a pattern, in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(place) = rest.find(part) else {
            return false;
        };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name, expected) in [
            ("node3.up", "node3.up", true),
            ("node3.up", "node33.up", false),
            ("node*.up", "node33.up", true),
            ("*", "anything", true),
            ("*.up", "node3.down", false),
            ("s*-*-x", "s1-2-x", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
