//! Stores the text of a model, with its history for undo and redo.

use std::ops::Range;

use prophet_text::Problem;

use crate::edit::{self, Edit};
use crate::make::make;
use crate::patch::{self, Patch};
use crate::profile::Profiles;
use crate::stereotype;
use crate::work::{Keys, Work};
use crate::xml::{Element, Tree, id, kind};

/// A change to a file other than the model. The document's owner must write the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub name: String,
    /// Text of the file before the change; `None` if it didn't exist.
    pub before: Option<String>,
    /// Text of the file after the change; `None` if it no longer exists.
    pub after: Option<String>,
}

/// The text of a model that is being edited.
#[derive(Debug, Clone)]
pub struct Document {
    text: String,
    profiles: Profiles,
    done: Vec<UndoEntry>,
    undone: Vec<UndoEntry>,
}

/// A change that is undone as a whole. `back` contains the patches that undo it, those for the last
/// edit first.
#[derive(Debug, Clone, Default)]
struct UndoEntry {
    label: String,
    back: Vec<Vec<Patch>>,
    /// The file that changed instead of the model.
    file: Option<FileChange>,
    /// The visit to a form field that the change belongs to; `None` if no further edits can be
    /// merged into it.
    visit: Option<String>,
}

impl Document {
    /// Creates a document with the stereotypes of the built-in profile.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self::with_profiles(text, Profiles::shipped())
    }

    /// Creates a document with the stereotypes of these profiles.
    #[must_use]
    pub fn with_profiles(text: String, profiles: Profiles) -> Self {
        let (done, undone) = (Vec::new(), Vec::new());
        Self {
            text,
            profiles,
            done,
            undone,
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the profiles with the stereotypes that edits can apply.
    pub const fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// Returns the ids of the elements with this name and one of these types, in document order.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't valid XML.
    pub fn named(&self, name: &str, kinds: &[&str]) -> Result<Vec<String>, Problem> {
        let tree = Tree::parse(&self.text)?;
        let is_it =
            |it: &Element<'_, '_>| it.attribute("name") == Some(name) && kinds.contains(&kind(*it));
        Ok(tree
            .elements()
            .filter(is_it)
            .filter_map(id)
            .map(str::to_owned)
            .collect())
    }

    /// Returns the ids and names of elements with `element` as their name or id, and with a
    /// stereotype that has the tag `tag`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't valid XML.
    pub fn with_tag(&self, element: &str, tag: &str) -> Result<Vec<(String, String)>, Problem> {
        let tree = Tree::parse(&self.text)?;
        let is_named = |it: &Element<'_, '_>| {
            it.attribute("name") == Some(element) || id(*it) == Some(element)
        };
        let has_tag = |id: &str| {
            stereotype::applications(&tree, &self.profiles, id)
                .filter_map(|it| self.profiles.applied(it))
                .any(|it| it.tags.iter().any(|it| it.name == tag))
        };
        let named = tree.elements().filter(is_named);
        let pairs = named.filter_map(|it| Some((id(it)?, it.attribute("name").unwrap_or(""))));
        let kept = pairs.filter(|(id, _)| has_tag(id));
        Ok(kept
            .map(|(id, name)| (id.to_owned(), name.to_owned()))
            .collect())
    }

    /// Makes all of the edits as a single change, or none of them if one fails. `label` describes
    /// the change to the user.
    ///
    /// # Errors
    ///
    /// Returns an error if an edit can't be made. The text doesn't change in that case.
    pub fn apply(&mut self, label: &str, edits: &[Edit]) -> Result<Keys, Problem> {
        let mut work = self.work();
        let mut rest = edits;
        while !rest.is_empty() {
            // Layout and moves consist of many edits, so the text is parsed only once for edits of
            // the same kind.
            let (first, others) = rest.split_at(edit::together(rest));
            make(&mut work, first)?;
            rest = others;
        }
        let Work {
            text, back, keys, ..
        } = work;
        self.take(label, text, back)?;
        Ok(keys)
    }

    /// Replaces a part of an attribute's value, or of the text between tags.
    ///
    /// # Errors
    ///
    /// Returns an error if the byte range isn't inside a value or text.
    pub fn put(&mut self, label: &str, range: Range<usize>, text: &str) -> Result<(), Problem> {
        self.patch(label, |tree| Ok(vec![tree.put(range, text)?]))
    }

    /// Renames the XML attribute with the byte `at` in its value. If there is none, renames the
    /// innermost element there.
    ///
    /// # Errors
    ///
    /// Returns an error if no element is at that byte, or if the new name is invalid or already
    /// used.
    pub fn rename_at(&mut self, label: &str, at: usize, name: &str) -> Result<(), Problem> {
        self.patch(label, |tree| tree.rename(at, name))
    }

    fn patch(
        &mut self,
        label: &str,
        patches: impl FnOnce(&Tree<'_>) -> Result<Vec<Patch>, Problem>,
    ) -> Result<(), Problem> {
        let mut work = self.work();
        work.patch(|tree, _| Ok((patches(tree)?, ())))?;
        let Work { text, back, .. } = work;
        self.take(label, text, back)
    }

    fn work(&self) -> Work<'_> {
        Work::new(self.text.clone(), &self.profiles)
    }

    /// Adopts a new text as a change. `back` contains the patches that undo it, in the order of the
    /// edits.
    fn take(
        &mut self,
        label: &str,
        text: String,
        mut back: Vec<Vec<Patch>>,
    ) -> Result<(), Problem> {
        back.reverse();
        if text != self.text {
            // An edit can't know all the ways in which a file uses names, so this checks that the
            // file is still valid.
            Tree::parse(&text)?;
            self.text = text;
            self.undone.clear();
            self.done.push(UndoEntry {
                label: label.to_owned(),
                back,
                ..UndoEntry::default()
            });
        }
        Ok(())
    }

    /// Like [`Self::apply`], but merges the edits with earlier edits of the same `visit` to a form
    /// field, so that undo removes a whole word.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`Self::apply`].
    pub fn apply_in_visit(
        &mut self,
        label: &str,
        edits: &[Edit],
        visit: &str,
    ) -> Result<Keys, Problem> {
        let before = self.done.len();
        let joins = self
            .done
            .last()
            .is_some_and(|it| it.file.is_none() && it.visit.as_deref() == Some(visit));
        let keys = self.apply(label, edits)?;
        if self.done.len() > before {
            if joins {
                self.join();
            }
            if let Some(change) = self.done.get_mut(before - usize::from(joins)) {
                change.visit = Some(visit.to_owned());
            }
        }
        Ok(keys)
    }

    /// Ends the current visit, so that further edits become a separate change.
    pub fn end_visit(&mut self) {
        if let Some(change) = self.done.last_mut() {
            change.visit = None;
        }
    }

    /// Merges the last two changes. If they cancel each other out, removes both.
    fn join(&mut self) {
        let (Some(last), Some(first)) = (self.done.pop(), self.done.pop()) else {
            return;
        };
        let mut before = self.text.clone();
        last.take_back(&mut before);
        let label = first.label.clone();
        first.take_back(&mut before);
        if before == self.text {
            return;
        }
        // A single patch is enough, no matter how long the user types.
        let patch = difference(&before, &self.text);
        let back = vec![patch::apply(&mut before, vec![patch])];
        self.done.push(UndoEntry {
            label,
            back,
            ..UndoEntry::default()
        });
    }

    /// Records a change to another file. Merges it with earlier changes of the same `visit`.
    pub fn note_file(&mut self, label: &str, file: FileChange, visit: Option<&str>) {
        self.undone.clear();
        let last = self.done.last_mut().filter(|it| {
            let is_same = it.file.as_ref().is_some_and(|it| it.name == file.name);
            is_same && visit.is_some() && it.visit.as_deref() == visit
        });
        let Some(known) = last.and_then(|it| it.file.as_mut()) else {
            self.done.push(UndoEntry {
                label: label.to_owned(),
                file: Some(file),
                visit: visit.map(str::to_owned),
                ..UndoEntry::default()
            });
            return;
        };
        known.after = file.after;
        if known.before == known.after {
            self.done.pop();
        }
    }

    /// Removes the changes of a file from the history, because somebody else has modified it.
    pub fn forget_file(&mut self, name: &str) {
        let is_other = |it: &UndoEntry| it.file.as_ref().is_none_or(|it| it.name != name);
        self.done.retain(is_other);
        self.undone.retain(is_other);
    }

    /// Returns the change to a file that [`Self::undo`] would undo; `None` if it would change the
    /// model.
    pub fn undo_file(&self) -> Option<&FileChange> {
        self.done.last()?.file.as_ref()
    }

    /// Returns the change to a file that [`Self::redo`] would redo; `None` if it would change the
    /// model.
    pub fn redo_file(&self) -> Option<&FileChange> {
        self.undone.last()?.file.as_ref()
    }

    /// Replaces the whole text as a single change. Does nothing if the text is the same.
    pub fn replace(&mut self, label: &str, text: &str) {
        if self.text == text {
            return;
        }
        let patch = difference(&self.text, text);
        let back = vec![patch::apply(&mut self.text, vec![patch])];
        self.undone.clear();
        self.done.push(UndoEntry {
            label: label.to_owned(),
            back,
            ..UndoEntry::default()
        });
    }

    /// Returns the label of the change that [`Self::undo`] would undo.
    pub fn undo_label(&self) -> Option<&str> {
        self.done.last().map(|it| it.label.as_str())
    }

    /// Returns the label of the change that [`Self::redo`] would redo.
    pub fn redo_label(&self) -> Option<&str> {
        self.undone.last().map(|it| it.label.as_str())
    }

    /// Undoes the last change. Returns `false` if there is nothing to undo.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.done.pop() else {
            return false;
        };
        let again = change.take_back(&mut self.text);
        self.undone.push(again);
        true
    }

    /// Redoes the change that was undone last. Returns `false` if there is nothing to redo.
    pub fn redo(&mut self) -> bool {
        let Some(change) = self.undone.pop() else {
            return false;
        };
        let again = change.take_back(&mut self.text);
        self.done.push(again);
        true
    }
}

impl UndoEntry {
    /// Undoes the change, and returns a change that redoes it.
    fn take_back(self, text: &mut String) -> Self {
        let mut again: Vec<_> = self
            .back
            .into_iter()
            .map(|it| patch::apply(text, it))
            .collect();
        again.reverse();
        Self {
            label: self.label,
            back: again,
            file: self.file,
            visit: None,
        }
    }
}

/// Creates the patch that turns one text into another. It replaces everything between their common
/// prefix and suffix.
fn difference(old: &str, new: &str) -> Patch {
    let common = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs
            .take_while(|(a, b)| a == b)
            .map(|(it, _)| it.len_utf8())
            .sum::<usize>()
    };
    let start = common(&mut old.chars().zip(new.chars()));
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = common(&mut old_rest.chars().rev().zip(new_rest.chars().rev()));
    Patch::new(start..old.len() - end, &new_rest[..new_rest.len() - end])
}
