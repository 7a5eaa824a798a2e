//! Stores names in a single string, so that each name takes only four bytes more than its text.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The label of a task that has no label.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// Adds a name. Returns `false` if the text would become 4 GB or larger.
    pub(crate) fn add(&mut self, name: &str) -> bool {
        let Ok(end) = u32::try_from(self.text.len() + name.len()) else {
            return false;
        };
        self.text.push_str(name);
        self.ends.push(end);
        true
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |it| self.ends[it]);
        &self.text[start as usize..self.ends[index] as usize]
    }

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

/// Labels of tasks. Equal labels are stored once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    names: Names,
    numbers: BTreeMap<Arc<str>, u32>,
    /// Number of each task's label, or [`NONE`]. The list can be shorter than the number of tasks.
    of: Vec<u32>,
}

impl Labels {
    /// Labels a task. Returns `false` if the text would become 4 GB or larger.
    pub(crate) fn set(&mut self, task: usize, label: &str) -> bool {
        let number = self.numbers.get(label).copied().unwrap_or_else(|| {
            let number = u32::try_from(self.names.len()).unwrap_or(NONE);
            if !self.names.add(label) {
                return NONE;
            }
            self.numbers.insert(label.into(), number);
            number
        });
        if self.of.len() <= task {
            self.of.resize(task + 1, NONE);
        }
        self.of[task] = number;
        number != NONE
    }

    pub(crate) fn get(&self, task: usize) -> Option<&str> {
        let number = self.of.get(task).filter(|it| **it != NONE)?;
        Some(self.names.get(*number as usize))
    }

    /// Frees the memory that only adding labels needs.
    pub(crate) fn shrink(&mut self) {
        self.numbers.clear();
        self.names.shrink();
        self.of.shrink_to_fit();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.names.memory_bytes() + self.of.capacity() * 4
    }
}
