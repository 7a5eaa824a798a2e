//! Groups of neighboring nodes, where the nodes of a machine differ.

use std::sync::Arc;

use super::accelerator::Kinds;
use super::power::NodePower;

/// Nodes of a machine in groups of neighbors; a node in no group has the speed 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Groups(Arc<[Group]>);

/// Neighboring nodes of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Group {
    /// Number of the node after the last.
    end: u32,
    kind: NodeKind,
}

/// Differences of a node from others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NodeKind {
    /// A multiple of the speed for which costs hold.
    pub(crate) speed: f64,
    /// Power, if it is not the machine's.
    pub(crate) power: Option<NodePower>,
    /// Kinds of the machine's accelerators that the node has.
    pub(crate) accelerators: Kinds,
    /// Bytes of its memory, if it is not the machine's.
    pub(crate) memory: Option<u64>,
}

impl NodeKind {
    /// The kind of all nodes of a machine without groups.
    pub(crate) const PLAIN: Self = Self {
        speed: 1.0,
        power: None,
        accelerators: Kinds::ALL,
        memory: None,
    };
}

impl Groups {
    /// Groups, each a number of nodes and their kind, in the order of the nodes. Neighbors of one
    /// kind are one group; no group is left if no node differs.
    pub(crate) fn new(of: impl IntoIterator<Item = (u32, NodeKind)>) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut end: u32 = 0;
        for (count, kind) in of {
            end = end.saturating_add(count);
            match groups.last_mut() {
                Some(last) if last.kind == kind => last.end = end,
                _ => groups.push(Group { end, kind }),
            }
        }
        if groups.iter().all(|group| group.kind == NodeKind::PLAIN) {
            return Self::default();
        }
        Self(groups.into())
    }

    /// True if all nodes have the speed 1.
    pub(crate) fn have_one_speed(&self) -> bool {
        let is_one = |group: &Group| group.kind.speed.to_bits() == 1.0_f64.to_bits();
        self.0.iter().all(is_one)
    }

    pub(crate) fn kind(&self, nid: u32) -> NodeKind {
        let place = self.0.partition_point(|group| group.end <= nid);
        self.0
            .get(place)
            .map_or(NodeKind::PLAIN, |group| group.kind)
    }

    /// Lists the number of nodes of each group, and their kind.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, NodeKind)> {
        let begins = std::iter::once(0).chain(self.0.iter().map(|group| group.end));
        let groups = self.0.iter().zip(begins);
        groups.map(|(group, begin)| (group.end - begin, group.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::{Groups, NodeKind};

    fn of_speed((count, speed): (u32, f64)) -> (u32, NodeKind) {
        let kind = NodeKind {
            speed,
            ..NodeKind::PLAIN
        };
        (count, kind)
    }

    #[test]
    fn a_node_has_the_speed_of_its_group() {
        let groups = Groups::new([(1, 2.0), (2, 2.0), (1, 1.0), (2, 0.5)].map(of_speed));
        let speeds: Vec<f64> = (0..8).map(|nid| groups.kind(nid).speed).collect();
        assert_eq!(speeds, [2.0, 2.0, 2.0, 1.0, 0.5, 0.5, 1.0, 1.0]);
        let expected = [(3, 2.0), (1, 1.0), (2, 0.5)].map(of_speed);
        assert!(groups.iter().eq(expected));
        let plain = Groups::new([(3, 1.0), (4, 1.0)].map(of_speed));
        assert!(plain.have_one_speed() && plain == Groups::default());
    }
}
