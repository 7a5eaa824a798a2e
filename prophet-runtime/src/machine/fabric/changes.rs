//! Changes of links during a run.

use prophet_platform::Platform;

use super::Fabric;

/// Change of some links at a time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    /// Time, in simulated seconds.
    pub(crate) at_s: f64,
    /// Name of a link, or a pattern of names in which `*` stands for any text.
    pub(crate) link: String,
    pub(crate) available: Available,
}

/// Part of a link that is there for messages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Available {
    /// All but the fraction that others take.
    Background(f64),
    /// Part of that many bytes per second; others take the fraction that they did.
    Bandwidth(f64),
}

/// Change of one link at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub(crate) at_s: f64,
    pub(crate) link: u32,
    /// Bytes per second that are there for messages from then on.
    pub(crate) bytes_per_s: f64,
}

impl Fabric {
    /// Changes of single links, in the order of time; of one time, in that of the file.
    ///
    /// # Errors
    ///
    /// A message that no link has the name that a change gives.
    pub(crate) fn steps(&self, platform: &Platform) -> Result<Vec<Step>, String> {
        if self.changes.is_empty() {
            return Ok(Vec::new());
        }
        let mut links: Vec<(f64, f64)> = { platform.links().iter() }
            .map(|link| (link.bytes_per_s, link.background))
            .collect();
        let mut order: Vec<&Change> = self.changes.iter().collect();
        order.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        let mut steps = Vec::new();
        for change in order {
            let before = steps.len();
            for (number, link) in (0_u32..).zip(platform.links()) {
                if !matches(&change.link, &link.name) {
                    continue;
                }
                let (bandwidth, background) = &mut links[number as usize];
                match change.available {
                    Available::Background(fraction) => *background = fraction,
                    Available::Bandwidth(bytes_per_s) => *bandwidth = bytes_per_s,
                }
                steps.push(Step {
                    at_s: change.at_s,
                    link: number,
                    bytes_per_s: *bandwidth * (1.0 - *background),
                });
            }
            if steps.len() == before {
                return Err(format!(
                    "a change at {} s names the link `{}`, which the network does not have{}",
                    change.at_s,
                    change.link,
                    example(platform)
                ));
            }
        }
        Ok(steps)
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
