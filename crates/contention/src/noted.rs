//! Links whose loads may have changed.

/// Links that were noted since they were taken, if anybody takes them.
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

    /// Takes the links, each once, in the order of their numbers; notes them from the first time
    /// on.
    pub(crate) fn take(&mut self) -> Vec<u32> {
        let mut links = self.0.replace(Vec::new()).unwrap_or_default();
        links.sort_unstable();
        links.dedup();
        links
    }
}
