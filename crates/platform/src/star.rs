//! Computes routes in stars, where each node has links up to the center and down again.

use crate::lists::{Lists, Span};

/// Routing in a star, by the indices of points in the zone.
#[derive(Debug, Default)]
pub(crate) struct Star {
    pub(crate) spokes: Vec<Spoke>,
    /// Spokes of all network interfaces except the first, point by point.
    pub(crate) others: Vec<Spoke>,
    /// Number of network interfaces per point, without the first.
    pub(crate) other_count: u32,
}

/// The links from a point to the center and back. A point without links is in the center.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spoke {
    pub(crate) up: Span,
    pub(crate) down: Span,
    pub(crate) loopback: Span,
}

impl Star {
    /// Appends the route between two points. A link that both ways contain is appended only once.
    pub(crate) fn route(&self, src: u32, dst: u32, lists: &Lists, links: &mut Vec<u32>) {
        let nic = (src + dst) % (self.other_count + 1);
        let (from, to) = (self.spoke(src, nic), self.spoke(dst, nic));
        let begin = links.len();
        let ways = if src == dst && from.loopback.len() > 0 {
            [from.loopback, Span::default()]
        } else {
            [from.up, to.down]
        };
        for way in ways {
            for link in lists.get(way) {
                if !links[begin..].contains(link) {
                    links.push(*link);
                }
            }
        }
    }

    fn spoke(&self, id: u32, nic: u32) -> Spoke {
        let spoke = match nic.checked_sub(1) {
            None => self.spokes.get(id as usize),
            Some(other) => self.others.get((id * self.other_count + other) as usize),
        };
        spoke.copied().unwrap_or_default()
    }

    pub(crate) fn all(&self, id: u32) -> impl Iterator<Item = Spoke> {
        (0..=self.other_count).map(move |nic| self.spoke(id, nic))
    }

    pub(crate) fn set(&mut self, id: u32, spoke: Spoke) {
        let id = id as usize;
        if self.spokes.len() <= id {
            self.spokes.resize(id + 1, Spoke::default());
        }
        self.spokes[id] = spoke;
    }
}
