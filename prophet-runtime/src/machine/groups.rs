//! Groups of nodes with a speed, where the nodes of a machine differ.

use std::sync::Arc;

/// Speeds of the nodes of a machine, in groups of neighbors; a node in no group has the speed 1.
///
/// A speed is a multiple of the speed for which costs hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Groups(Arc<[Group]>);

/// Neighboring nodes of one speed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Group {
    /// Number of the node after the last.
    end: u32,
    speed: f64,
}

impl Groups {
    /// Groups, each a number of nodes and their speed, in the order of the nodes. Neighbors of one
    /// speed are one group; no group is left if all nodes have the speed 1.
    pub(crate) fn new(of: impl IntoIterator<Item = (u32, f64)>) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut end: u32 = 0;
        for (count, speed) in of {
            end = end.saturating_add(count);
            match groups.last_mut() {
                Some(last) if last.speed.to_bits() == speed.to_bits() => last.end = end,
                _ => groups.push(Group { end, speed }),
            }
        }
        let is_one = |group: &Group| group.speed.to_bits() == 1.0_f64.to_bits();
        if groups.iter().all(is_one) {
            return Self::default();
        }
        Self(groups.into())
    }

    /// True if all nodes have the speed 1.
    pub(crate) fn are_equal(&self) -> bool {
        self.0.is_empty()
    }

    /// Speed of a node.
    pub(crate) fn speed(&self, nid: u32) -> f64 {
        let place = self.0.partition_point(|group| group.end <= nid);
        self.0.get(place).map_or(1.0, |group| group.speed)
    }

    /// Lists the number of nodes of each group, and their speed.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        let begins = std::iter::once(0).chain(self.0.iter().map(|group| group.end));
        let groups = self.0.iter().zip(begins);
        groups.map(|(group, begin)| (group.end - begin, group.speed))
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn a_node_has_the_speed_of_its_group() {
        let groups = Groups::new([(1, 2.0), (2, 2.0), (1, 1.0), (2, 0.5)]);
        let speeds: Vec<f64> = (0..8).map(|nid| groups.speed(nid)).collect();
        assert_eq!(speeds, [2.0, 2.0, 2.0, 1.0, 0.5, 0.5, 1.0, 1.0]);
        assert!(groups.iter().eq([(3, 2.0), (1, 1.0), (2, 0.5)]));
        assert!(Groups::new([(3, 1.0), (4, 1.0)]).are_equal());
    }
}
