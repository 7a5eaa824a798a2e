//! Stores the text while edits change it, and the patches that undo them.

use std::collections::BTreeMap;

use prophet_text::Problem;

use crate::patch::{self, Patch};
use crate::profile::Profiles;
use crate::xml::Tree;

/// Ids of added elements, by the keys in the edits.
pub type Keys = BTreeMap<String, String>;

pub(crate) struct Work<'p> {
    pub(crate) text: String,
    pub(crate) profiles: &'p Profiles,
    /// The patches that undo the edits, in the order of the edits.
    pub(crate) back: Vec<Vec<Patch>>,
    pub(crate) keys: Keys,
}

impl<'p> Work<'p> {
    pub(crate) fn new(text: String, profiles: &'p Profiles) -> Self {
        Self {
            text,
            profiles,
            back: Vec::new(),
            keys: Keys::new(),
        }
    }

    /// Parses the text, and applies the patches that `patches` returns for it.
    pub(crate) fn patch<R>(
        &mut self,
        patches: impl FnOnce(&Tree<'_>, &Profiles) -> Result<(Vec<Patch>, R), Problem>,
    ) -> Result<R, Problem> {
        let tree = Tree::parse(&self.text)?;
        let (patches, result) = patches(&tree, self.profiles)?;
        self.back.push(patch::apply(&mut self.text, patches));
        Ok(result)
    }

    /// Returns the id for an element in an edit, which can be `$key`.
    pub(crate) fn id(&self, name: &str) -> Result<String, Problem> {
        let Some(key) = name.strip_prefix('$') else {
            return Ok(name.to_owned());
        };
        let unknown = || Problem::new(format!("no earlier edit added `${key}`"));
        self.keys.get(key).cloned().ok_or_else(unknown)
    }

    /// Records the id of the element that an edit with this key has added.
    pub(crate) fn added(&mut self, key: Option<&String>, id: &str) {
        if let Some(key) = key {
            self.keys.insert(key.clone(), id.to_owned());
        }
    }
}
