//! Computes D-mod-k routes in fat trees, where switches form levels.
//!
//! E. Zahavi: D-Mod-K routing providing non-blocking traffic for shift permutations on real life
//! fat trees, CCIT report 776, Technion, 2010.

use prophet_text::Problem;

use crate::cluster::Extras;
use crate::lists::index;
use crate::parameters::{numbers, parts, product};

use crate::refuse::refuse;

/// The shape of a fat tree, by level. The first level is right above the nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FatTree {
    /// Number of children of each switch, by level.
    pub children: Vec<u32>,
    /// Number of switches above each node or switch of the level below, by level.
    pub parents: Vec<u32>,
    /// Number of parallel cables between a switch and each of its children, by level.
    pub cables: Vec<u32>,
}

impl FatTree {
    /// Parses `SimGrid`'s notation, such as `2;4,4;1,2;1,2`: the number of levels, followed by the
    /// numbers of children, parents and cables for each level.
    ///
    /// # Errors
    ///
    /// Returns an error if the text doesn't describe a fat tree.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let [levels, children, parents, cables] = parts(text, "levels;children;parents;links")?;
        let [levels] = numbers(levels)?[..] else {
            refuse!("expected one number of levels for a fat tree, found `{levels}`");
        };
        let tree = FatTree {
            children: numbers(children)?,
            parents: numbers(parents)?,
            cables: numbers(cables)?,
        };
        if levels as usize != tree.children.len() {
            refuse!(
                "the fat tree has {levels} levels, but children for {}",
                tree.children.len()
            );
        }
        tree.check()?;
        Ok(tree)
    }

    pub(crate) fn check(&self) -> Result<(), Problem> {
        let levels = self.children.len();
        if levels == 0 || levels != self.parents.len() || levels != self.cables.len() {
            refuse!(
                "a fat tree needs at least one level, and one number of children, parents and \
                 links for each level: found {levels}, {} and {}",
                self.parents.len(),
                self.cables.len()
            );
        }
        let all = self
            .children
            .iter()
            .chain(&self.parents)
            .chain(&self.cables);
        if all.into_iter().any(|it| *it == 0) {
            refuse!("a fat tree needs at least 1 child, parent and link at each level, found 0");
        }
        Ok(())
    }

    /// Returns the number of nodes in the fat tree.
    pub fn nodes(&self) -> u128 {
        product(&self.children)
    }

    /// Returns the number of values for the digit at `place` in the labels of a level.
    fn radix(&self, level: usize, place: usize) -> u32 {
        if place < level {
            self.parents[place]
        } else {
            self.children[place]
        }
    }

    /// Returns the number of switches at a level, or of nodes at level 0.
    pub(crate) fn size(&self, level: usize) -> u128 {
        let radices: Vec<u32> = (0..self.children.len())
            .map(|it| self.radix(level, it))
            .collect();
        product(&radices)
    }

    /// Returns the number of cables from each node or switch of a level to the level above.
    pub(crate) fn ports(&self, level: usize) -> u128 {
        product(&[self.parents[level], self.cables[level]])
    }
}

#[derive(Debug)]
pub(crate) struct FatTreeZone {
    pub(crate) tree: FatTree,
    pub(crate) ways: u32,
    /// The first link above each level.
    pub(crate) links: Vec<u32>,
    /// Number of nodes and switches below each level.
    pub(crate) below: Vec<u32>,
    pub(crate) extras: Extras,
    /// Number of nodes in the fat trees before this one. `SimGrid` counts positions across all fat
    /// trees.
    pub(crate) offset: u32,
}

/// A node or switch. Its digits form its position in its level, the lowest digit first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    level: usize,
    digits: Vec<u32>,
}

impl FatTreeZone {
    fn place(&self, level: usize, position: u32) -> Place {
        let mut rest = position;
        let digits = (0..self.tree.children.len()).map(|place| {
            let radix = self.tree.radix(level, place);
            let digit = rest % radix;
            rest /= radix;
            digit
        });
        let digits = digits.collect();
        Place { level, digits }
    }

    fn position(&self, place: &Place) -> u32 {
        let digits = place.digits.iter().enumerate().rev();
        digits.fold(0, |sum, (at, digit)| {
            sum * self.tree.radix(place.level, at) + digit
        })
    }

    /// Returns the number of nodes, followed by the number of switches at each level.
    pub(crate) fn sizes(&self) -> Vec<u32> {
        let levels = 0..=self.tree.children.len();
        levels
            .map(|level| index(self.tree.size(level) as usize))
            .collect()
    }

    /// Lists the switches above a node or switch, each with the links to it.
    pub(crate) fn cables(&self, level: usize, position: u32) -> Vec<(u32, Vec<u32>)> {
        let child = self.place(level, position);
        let parents = (0..self.tree.parents[level]).map(|digit| {
            let mut parent = child.clone();
            parent.digits[level] = digit;
            parent.level += 1;
            let ports =
                (0..self.tree.cables[level]).map(|it| digit + it * self.tree.parents[level]);
            let links =
                ports.flat_map(|port| [false, true].map(|down| self.link(&child, port, down)));
            (self.position(&parent), links.collect())
        });
        parents.collect()
    }

    fn limiter(&self, place: &Place) -> Option<u32> {
        self.extras
            .limiter(self.below[place.level] + self.position(place))
    }

    /// Returns the link between a place and a switch above it, at the cable `port`.
    fn link(&self, child: &Place, port: u32, down: bool) -> u32 {
        let ports = self.tree.parents[child.level] * self.tree.cables[child.level];
        let cable = self.position(child) * ports + port;
        let back = if down { self.ways - 1 } else { 0 };
        self.links[child.level] + cable * self.ways + back
    }

    pub(crate) fn route(&self, src: u32, dst: u32, links: &mut Vec<u32>) {
        if let Some(loopback) = self.extras.loopback(src).filter(|_| src == dst) {
            links.push(loopback);
            return;
        }
        let target = self.place(0, dst);
        let mut at = self.place(0, src);
        while !is_above(&at, &target) {
            links.extend(self.limiter(&at));
            let port = self.port_up(at.level, self.offset + dst);
            links.push(self.link(&at, port, false));
            at.digits[at.level] = port % self.tree.parents[at.level];
            at.level += 1;
        }
        self.descend(at, &target, self.offset + src, links);
        links.extend(self.limiter(&target));
    }

    /// Returns the port where messages to `dst` leave a level upward.
    fn port_up(&self, level: usize, dst: u32) -> u32 {
        let above = self.tree.parents[..level]
            .iter()
            .fold(dst, |rest, it| rest / it);
        above % (self.tree.parents[level] * self.tree.cables[level])
    }

    /// Appends the route down to a node.
    ///
    /// The sender's position selects the first of several parallel cables. Further down, the search
    /// continues with the cable that was found before. This is what `SimGrid` does, so the same
    /// cables carry the load.
    fn descend(&self, mut at: Place, target: &Place, src: u32, links: &mut Vec<u32>) {
        while at.level > 0 {
            let below = at.level - 1;
            let mut slot = (src % self.tree.cables[below]) * self.tree.children[below];
            while at.level > 0 {
                let below = at.level - 1;
                let children = self.tree.children[below];
                if slot >= children * self.tree.cables[below] {
                    break;
                }
                if slot % children == target.digits[below] {
                    let cable = slot / children;
                    let port = at.digits[below] + cable * self.tree.parents[below];
                    let limiter = self.limiter(&at);
                    at.digits[below] = target.digits[below];
                    at.level = below;
                    links.push(self.link(&at, port, true));
                    links.extend(limiter);
                }
                slot += 1;
            }
        }
    }
}

/// Returns `true` if the route from the switch to the node only leads down.
fn is_above(switch: &Place, node: &Place) -> bool {
    switch.level > 0 && switch.digits[switch.level..] == node.digits[switch.level..]
}
