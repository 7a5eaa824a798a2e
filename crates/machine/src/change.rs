//! A change of a part of a machine at a time.

pub mod entry;

use std::sync::Arc;

use prophet_platform::{Quantity, Target};

/// Change of a part of a machine at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Time, in simulated seconds.
    pub at_s: f64,
    pub setting: Setting,
}

/// New property of a part. Names of links and nodes may be patterns, in which `*` stands for any
/// text.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    Link(String, Quantity),
    /// Speed of a node's CPUs, as a multiple of the speed for which costs hold.
    Node(String, f64),
    /// Price of an operation, in seconds.
    Operation(String, f64),
}

/// Changes that are known before the run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listed {
    /// Entries of a machine's file, in its order.
    pub entries: Arc<[Change]>,
    /// Profiles of a platform's file.
    pub profile: Arc<[prophet_platform::Change]>,
}

impl Listed {
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.profile.is_empty()
    }

    /// True if nodes change.
    pub fn has_nodes(&self) -> bool {
        let is_node = |it: &Change| matches!(it.setting, Setting::Node(..));
        let is_host = |it: &prophet_platform::Change| matches!(it.target, Target::Host(_));
        self.entries.iter().any(is_node) || self.profile.iter().any(is_host)
    }
}
