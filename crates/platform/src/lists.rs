//! Lists of links, all in one vector.

use crate::builder::index;

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
