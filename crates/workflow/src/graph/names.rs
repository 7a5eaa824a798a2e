//! Names in one text, so that a name costs its letters and four bytes.

/// Names by number.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// Adds a name; false if the text would have 4 GB.
    pub(crate) fn add(&mut self, name: &str) -> bool {
        let Ok(end) = u32::try_from(self.text.len() + name.len()) else {
            return false;
        };
        self.text.push_str(name);
        self.ends.push(end);
        true
    }

    /// Number of names.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A name.
    pub(crate) fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |it| self.ends[it]);
        &self.text[start as usize..self.ends[index] as usize]
    }

    /// Numbers, sorted by their names.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        let mut sorted: Vec<u32> = (0..).take(self.len()).collect();
        sorted.sort_by_key(|it| (self.get(*it as usize), *it));
        sorted
    }

    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 4
    }
}
