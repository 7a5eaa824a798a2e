//! Defines changes to parts of a machine during a run.

pub mod entry;

use std::sync::Arc;

use prophet_platform::{Quantity, Target};

#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// When the part changes, in simulated seconds.
    pub at_s: f64,
    pub setting: Setting,
}

/// The part that changes, and its new value. Names of links and nodes can be patterns, in which `*`
/// matches any text.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    Link(String, Quantity),
    /// The speed of a node's CPUs, relative to the speed that costs refer to.
    Node(String, f64),
    /// The price of an operation, in seconds.
    Operation(String, f64),
}

/// Changes that are known before the run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// Changes from the machine file, in file order.
    pub entries: Arc<[Change]>,
    /// Changes from the profiles in a platform file.
    pub profile: Arc<[prophet_platform::Change]>,
}

impl Listed {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.profile.is_empty()
    }

    /// Returns `true` if any of the changes affects a node.
    pub fn has_nodes(&self) -> bool {
        let is_node = |it: &Change| matches!(it.setting, Setting::Node(..));
        let is_host = |it: &prophet_platform::Change| matches!(it.target, Target::Host(_));
        self.entries.iter().any(is_node) || self.profile.iter().any(is_host)
    }
}
