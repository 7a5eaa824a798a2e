//! Computes routes in tori, one dimension after another. Each node has two neighbors in each
//! dimension.

use prophet_text::Problem;

use crate::cluster::Extras;
use crate::lists::index;
use crate::parameters::{numbers, product};

use crate::refuse::refuse;

/// The shape of a torus: the number of nodes in each dimension. Nodes are numbered along the first
/// dimension first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torus {
    pub dimensions: Vec<u32>,
}

impl Torus {
    /// Parses `SimGrid`'s notation, such as `3,2,2`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text doesn't describe a torus.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let torus = Torus {
            dimensions: numbers(text)?,
        };
        torus.check()?;
        Ok(torus)
    }

    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.dimensions.is_empty() || self.dimensions.contains(&0) {
            refuse!("a torus needs at least one dimension, and at least 1 node in each dimension");
        }
        Ok(())
    }

    /// Returns the number of nodes in the torus.
    pub fn nodes(&self) -> u128 {
        product(&self.dimensions)
    }

    /// Returns the next node in a dimension. After the last node comes the first.
    pub(crate) fn next(&self, node: u32, dimension: usize) -> u32 {
        let (stride, size) = (self.stride(dimension), self.dimensions[dimension]);
        let last = (node / stride) % size == size - 1;
        if last {
            node - (size - 1) * stride
        } else {
            node + stride
        }
    }

    fn previous(&self, node: u32, dimension: usize) -> u32 {
        let (stride, size) = (self.stride(dimension), self.dimensions[dimension]);
        let first = (node / stride).is_multiple_of(size);
        if first {
            node + (size - 1) * stride
        } else {
            node - stride
        }
    }

    /// Returns how much the numbers of neighbors in a dimension differ.
    fn stride(&self, dimension: usize) -> u32 {
        self.dimensions[..dimension].iter().product()
    }
}

#[derive(Debug)]
pub(crate) struct TorusZone {
    pub(crate) torus: Torus,
    pub(crate) ways: u32,
    pub(crate) links: u32,
    pub(crate) extras: Extras,
}

impl TorusZone {
    /// Returns the number of nodes, and the number of nodes in the first dimension.
    pub(crate) fn sizes(&self) -> (u32, u32) {
        (
            self.torus.dimensions.iter().product(),
            self.torus.dimensions[0],
        )
    }

    /// Lists the next node in each dimension, with the links to it.
    pub(crate) fn cables(&self, node: u32) -> Vec<(u32, Vec<u32>)> {
        let dimensions = 0..self.torus.dimensions.len();
        let next = dimensions.map(|it| {
            let links = [false, true].map(|back| self.link(node, it, back));
            (self.torus.next(node, it), links.to_vec())
        });
        next.collect()
    }

    /// Returns the link from a node to the next node in a dimension, or the link back.
    fn link(&self, node: u32, dimension: usize, back: bool) -> u32 {
        let cable = node * index(self.torus.dimensions.len()) + index(dimension);
        let way = if back { self.ways - 1 } else { 0 };
        self.links + cable * self.ways + way
    }

    pub(crate) fn route(&self, src: u32, dst: u32, links: &mut Vec<u32>) {
        if let Some(loopback) = self.extras.loopback(src).filter(|_| src == dst) {
            links.push(loopback);
            return;
        }
        let mut at = src;
        for (dimension, size) in self.torus.dimensions.iter().copied().enumerate() {
            let stride = self.torus.stride(dimension);
            let target = (dst / stride) % size;
            let upward = goes_up((src / stride) % size, target, size);
            while (at / stride) % size != target {
                links.extend(self.extras.limiter(at));
                if upward {
                    links.push(self.link(at, dimension, false));
                    at = self.torus.next(at, dimension);
                } else {
                    at = self.torus.previous(at, dimension);
                    links.push(self.link(at, dimension, true));
                }
            }
        }
        links.extend(self.extras.limiter(dst));
    }
}

/// Returns `true` if the shorter way from one coordinate to another is up. If both ways are equally
/// long, decides as `SimGrid` does.
fn goes_up(from: u32, to: u32, size: u32) -> bool {
    let half = size / 2;
    (to > from && to <= from + half) || (from > half && (from + half) % size >= to)
}
