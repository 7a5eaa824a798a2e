//! Stores lists of links in a single vector, and given routes with such lists.

pub(crate) const NONE: u32 = u32::MAX;

/// Converts an index to `u32`. Because of the limits, it always fits.
pub(crate) fn index(number: usize) -> u32 {
    u32::try_from(number).expect("the limits of a platform are below 2^32")
}

/// Lists that don't change after they are added.
#[derive(Debug, Default)]
pub(crate) struct Lists(Vec<u32>);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    pub(crate) fn len(self) -> u32 {
        self.len
    }
}

impl Lists {
    pub(crate) fn add(&mut self, list: &[u32]) -> Span {
        let start = index(self.0.len());
        self.0.extend(list);
        let len = index(list.len());
        Span { start, len }
    }

    pub(crate) fn get(&self, span: Span) -> &[u32] {
        &self.0[span.start as usize..][..span.len as usize]
    }

    pub(crate) fn total(&self) -> usize {
        self.0.len()
    }
}

/// A given route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) links: Span,
    /// If the route connects zones, the points where it leaves one and enters the other.
    pub(crate) gateways: Option<(u32, u32)>,
}

impl Hop {
    pub(crate) fn inside(links: Span) -> Self {
        let gateways = None;
        Hop { links, gateways }
    }
}
