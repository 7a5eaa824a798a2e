//! Lists of links, all in one vector, and given routes that have such a list.

/// Index of no zone, point or node.
pub(crate) const NONE: u32 = u32::MAX;

/// Index of something whose number the limits keep small.
pub(crate) fn index(number: usize) -> u32 {
    u32::try_from(number).expect("the limits of a platform are below 2^32")
}

/// Lists that stay as they were added.
#[derive(Debug, Default)]
pub(crate) struct Lists(Vec<u32>);

/// Place of one list.
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

/// Route that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) links: Span,
    /// Points through which it leaves one zone and enters the other, if it joins zones.
    pub(crate) gateways: Option<(u32, u32)>,
}

impl Hop {
    /// Route inside a zone.
    pub(crate) fn inside(links: Span) -> Self {
        let gateways = None;
        Hop { links, gateways }
    }
}
