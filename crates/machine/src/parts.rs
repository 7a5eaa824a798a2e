//! Finds the parts of a machine by name or pattern.

use std::cell::OnceCell;
use std::sync::Arc;

use prophet_platform::{Platform, Quantity};

use crate::change::{Change, Setting};
use crate::quantity::quoted;
use prophet_text::did_you_mean;

/// A change to a part, after the part was found by index or name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Due {
    Link(u32, Quantity),
    Node(u32, f64),
    /// Price of an operation, in seconds.
    Operation(String, f64),
}

#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub platform: Option<Arc<Platform>>,
    /// Indices of the links, sorted by name.
    pub by_name: OnceCell<Vec<u32>>,
    pub nodes: u32,
    /// Number of nodes in the machine.
    pub all_nodes: u32,
    /// Names of the operations that have prices.
    pub operations: Vec<String>,
    /// Why the speeds of nodes can't change; `None` if they can.
    pub why_steady: Option<String>,
}

impl Parts {
    /// Returns `true` if any process runs on the node.
    pub(crate) fn is_used(&self, node: u32) -> bool {
        node < self.nodes
    }

    /// Finds the parts that a change affects.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine doesn't have these parts, or if they can't change.
    pub(crate) fn resolve(&self, change: &Change) -> Result<Vec<Due>, String> {
        let at_s = change.at_s;
        match &change.setting {
            Setting::Link(name, quantity) => {
                let links = self.links(name, at_s)?.into_iter();
                Ok(links.map(|link| Due::Link(link, *quantity)).collect())
            }
            Setting::Node(name, speed) => {
                if let Some(why) = &self.why_steady {
                    return Err(why.clone());
                }
                let nodes = self.nodes(name, at_s)?.into_iter();
                Ok(nodes.map(|node| Due::Node(node, *speed)).collect())
            }
            Setting::Operation(name, price_s) => {
                self.check_operation(name, at_s)?;
                Ok(vec![Due::Operation(name.clone(), *price_s)])
            }
        }
    }

    /// Checks that the machine has the parts that a change affects.
    ///
    /// # Errors
    ///
    /// Returns an error if it doesn't.
    pub(crate) fn check(&self, change: &Change) -> Result<(), String> {
        match &change.setting {
            Setting::Link(name, _) => self.links(name, change.at_s).map(drop),
            Setting::Node(name, _) => self.nodes(name, change.at_s).map(drop),
            Setting::Operation(name, _) => self.check_operation(name, change.at_s),
        }
    }

    fn links(&self, pattern: &str, at_s: f64) -> Result<Vec<u32>, String> {
        let Some(platform) = &self.platform else {
            let message = "only shared links can change: use the network model `shared`";
            return Err(message.to_owned());
        };
        let found: Vec<u32> = if pattern.contains('*') {
            let links = (0..).zip(platform.links());
            let fit = links.filter(|(_, link)| matches(pattern, &link.name));
            fit.map(|(number, _)| number).collect()
        } else {
            self.link(platform, pattern).into_iter().collect()
        };
        if found.is_empty() {
            let first = platform.links().first();
            return Err(format!(
                "a change at {at_s} s names an unknown link `{}`{}",
                quoted(pattern),
                first.map_or_else(String::new, |link| format!(
                    "; the first link of the network is `{}`",
                    link.name
                ))
            ));
        }
        Ok(found)
    }

    fn link(&self, platform: &Platform, name: &str) -> Option<u32> {
        let links = platform.links();
        let name_of = |number: &u32| links[*number as usize].name.as_str();
        let by_name = self.by_name.get_or_init(|| {
            let mut numbers: Vec<u32> = (0..).take(links.len()).collect();
            numbers.sort_by_key(|number| name_of(number));
            numbers
        });
        let place = by_name.partition_point(|number| name_of(number) < name);
        by_name
            .get(place)
            .copied()
            .filter(|number| name_of(number) == name)
    }

    /// Returns the nodes in use whose names match a pattern.
    fn nodes(&self, pattern: &str, at_s: f64) -> Result<Vec<u32>, String> {
        let all = 0..self.all_nodes;
        let found: Vec<u32> = if pattern.contains('*') {
            all.filter(|node| matches(pattern, &self.node_name(*node)))
                .collect()
        } else {
            self.node(pattern).into_iter().collect()
        };
        if found.is_empty() {
            return Err(format!(
                "a change at {at_s} s names the node `{}`, but the machine has {}",
                quoted(pattern),
                self.nodes_text()
            ));
        }
        Ok(found
            .into_iter()
            .filter(|node| self.is_used(*node))
            .collect())
    }

    fn nodes_text(&self) -> String {
        let first = self.node_name(0);
        match self.all_nodes.saturating_sub(1) {
            0 => format!("`{first}` alone"),
            last => format!("`{first}` to `{}`", self.node_name(last)),
        }
    }

    fn node(&self, name: &str) -> Option<u32> {
        let number = name
            .strip_prefix("node")
            .and_then(|number| number.parse().ok());
        let number = number.filter(|number| *number < self.all_nodes);
        if let Some(number) = number.filter(|number| self.node_name(*number) == name) {
            return Some(number);
        }
        self.platform.as_ref()?.host(name)
    }

    /// Returns a node's name: the name of its host in the network, if it has one.
    fn node_name(&self, node: u32) -> String {
        let platform = self.platform.as_ref();
        let host = platform.and_then(|platform| platform.hosts().get(node as usize));
        host.map_or_else(|| format!("node{node}"), |host| host.name.clone())
    }

    fn check_operation(&self, name: &str, at_s: f64) -> Result<(), String> {
        if self.operations.iter().any(|known| known == name) {
            return Ok(());
        }
        let known = self.operations.iter().map(String::as_str);
        Err(format!(
            "a change at {at_s} s names the operation `{}`, which has no price on the machine: add \
             it to `[operations]`{}",
            quoted(name),
            did_you_mean(name, known)
        ))
    }
}

/// Returns `true` if a name matches a pattern, in which `*` matches any text.
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
