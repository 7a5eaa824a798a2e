//! Defines changes of a machine's parts.

pub mod entry;

use std::sync::Arc;

use prophet_platform::{Quantity, Target};

/// A change of a machine's part at a given time.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Time, in simulated seconds.
    pub at_s: f64,
    pub setting: Setting,
}

/// The new property of a part. Names of links and nodes can be patterns, where `*` stands for any
/// text.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    Link(String, Quantity),
    /// The speed of a node's CPUs, relative to the speed that costs assume.
    Node(String, f64),
    /// Price of an operation, in seconds.
    Operation(String, f64),
}

/// Changes that are known before the run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// Entries of a machine file, in order.
    pub entries: Arc<[Change]>,
    /// Profiles of a platform file.
    pub profile: Arc<[prophet_platform::Change]>,
}

impl Listed {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.profile.is_empty()
    }

    /// Returns `true` if any node changes.
    pub fn has_nodes(&self) -> bool {
        let is_node = |it: &Change| matches!(it.setting, Setting::Node(..));
        let is_host = |it: &prophet_platform::Change| matches!(it.target, Target::Host(_));
        self.entries.iter().any(is_node) || self.profile.iter().any(is_host)
    }
}
