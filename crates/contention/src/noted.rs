//! Records links with loads that may have changed.

/// Links since the last call of [`Self::take`]; `None` before the first call.
#[derive(Debug, Default)]
pub(crate) struct Noted(Option<Vec<u32>>);

impl Noted {
    #[inline]
    pub(crate) fn add(&mut self, link: u32) {
        if let Some(links) = &mut self.0 {
            links.push(link);
        }
    }

    #[inline]
    pub(crate) fn extend(&mut self, more: impl IntoIterator<Item = u32>) {
        if let Some(links) = &mut self.0 {
            links.extend(more);
        }
    }

    /// Returns the links without duplicates, ordered by number. Before the first call, no links are
    /// recorded.
    pub(crate) fn take(&mut self) -> Vec<u32> {
        let mut links = self.0.replace(Vec::new()).unwrap_or_default();
        links.sort_unstable();
        links.dedup();
        links
    }
}
