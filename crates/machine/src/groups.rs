//! Represents groups of neighboring nodes, for machines whose nodes differ.

use std::sync::Arc;

use super::accelerator::Kinds;
use super::power::NodePower;

/// The groups of neighboring nodes in a machine. Nodes outside the groups have speed 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Groups(Arc<[Group]>);

#[derive(Debug, Clone, PartialEq)]
struct Group {
    /// Index of the node after the last one.
    end: u32,
    kind: NodeKind,
    name: Option<Arc<str>>,
}

/// A group of neighboring nodes, as described in a file.
#[derive(Debug, PartialEq)]
pub struct Described {
    pub count: u32,
    pub kind: NodeKind,
    pub name: Option<Arc<str>>,
}

/// The properties that can differ between nodes of a machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeKind {
    /// The speed of a node's CPUs, relative to the speed that costs refer to.
    pub speed: f64,
    /// The power of a node; `None` for the machine's value.
    pub power: Option<NodePower>,
    /// Which of the machine's kinds of accelerators a node has.
    pub accelerators: Kinds,
    /// The memory size of a node, in bytes; `None` for the machine's value.
    pub memory: Option<u64>,
}

impl NodeKind {
    /// The kind of every node in a machine without groups.
    pub const PLAIN: Self = Self {
        speed: 1.0,
        power: None,
        accelerators: Kinds::ALL,
        memory: None,
    };
}

impl Groups {
    /// Creates groups in the order of the nodes. Neighboring nodes that have the same kind and no
    /// name are combined into one group. If no node has a name or differs from the others, there
    /// are no groups.
    pub fn new(of: impl IntoIterator<Item = Described>) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut end: u32 = 0;
        for Described { count, kind, name } in of {
            end = end.saturating_add(count);
            match groups.last_mut() {
                Some(last) if last.kind == kind && last.name.is_none() && name.is_none() => {
                    last.end = end;
                }
                _ => groups.push(Group { end, kind, name }),
            }
        }
        let is_plain = |group: &Group| group.kind == NodeKind::PLAIN && group.name.is_none();
        if groups.iter().all(is_plain) {
            return Self::default();
        }
        Self(groups.into())
    }

    /// Returns `true` if all nodes have speed 1.
    pub fn have_one_speed(&self) -> bool {
        let is_one = |group: &Group| group.kind.speed.to_bits() == 1.0_f64.to_bits();
        self.0.iter().all(is_one)
    }

    #[inline]
    pub fn kind(&self, nid: u32) -> NodeKind {
        self.group(nid)
            .map_or(NodeKind::PLAIN, |(_, group)| group.kind)
    }

    /// Returns the name of a node: its group's name, followed by a number if the group has several
    /// nodes; `None` if the group has no name.
    pub fn name(&self, nid: u32) -> Option<String> {
        let (begin, group) = self.group(nid)?;
        let name = group.name.as_ref()?;
        Some(match group.end - begin {
            1 => name.to_string(),
            _ => format!("{name}-{}", nid - begin),
        })
    }

    #[inline]
    fn group(&self, nid: u32) -> Option<(u32, &Group)> {
        let place = self.0.partition_point(|group| group.end <= nid);
        let begin = place.checked_sub(1).map_or(0, |before| self.0[before].end);
        Some((begin, self.0.get(place)?))
    }

    /// Returns the groups, in the order of the nodes.
    pub fn iter(&self) -> impl Iterator<Item = Described> {
        let begins = std::iter::once(0).chain(self.0.iter().map(|group| group.end));
        let groups = self.0.iter().zip(begins);
        groups.map(|(group, begin)| Described {
            count: group.end - begin,
            kind: group.kind,
            name: group.name.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Described, Groups, NodeKind};

    fn of_speed((count, speed): (u32, f64)) -> Described {
        let kind = NodeKind {
            speed,
            ..NodeKind::PLAIN
        };
        let name = None;
        Described { count, kind, name }
    }

    #[test]
    fn a_node_has_the_name_of_its_group_and_its_number_there() {
        let named = |(count, name): (u32, Option<&str>)| Described {
            count,
            kind: NodeKind::PLAIN,
            name: name.map(Into::into),
        };
        let groups = Groups::new([(1, Some("login")), (2, None), (2, Some("fat"))].map(named));
        let names: Vec<Option<String>> = (0..6).map(|nid| groups.name(nid)).collect();
        let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
        let expected = [
            Some("login"),
            None,
            None,
            Some("fat-0"),
            Some("fat-1"),
            None,
        ];
        assert_eq!(names, expected);
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
