//! Edits a document, and keeps it and its file in sync.

mod snapshot;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use prophet_edit::{Document, Edit, Keys, Profiles};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_model::diagnostic::Severity;
use prophet_model::model::Model;
use prophet_model::source::Source;
use prophet_model::xmi::{self, EncodingForm, with_files_beside};
use prophet_text::{Context as _, Problem};
use serde::Serialize;

use crate::fixes;
use crate::language::Language;
use crate::reading::{check, folder, read, reason};
use crate::recovery::{Recovery, number};
use crate::tables::{TableView, Tables};
use crate::view::ModelView;
use snapshot::Snapshot;

#[derive(Debug)]
pub(crate) struct Session {
    path: PathBuf,
    rules: RuleSet,
    document: Document,
    revision: u64,
    /// The text of the file, as far as it is known.
    saved: String,
    /// The last text that was both in the file and in the document.
    base: String,
    form: Option<EncodingForm>,
    /// Why the file can be viewed but not edited.
    why: Option<String>,
    /// Whether another program changed the file while there were unsaved edits.
    conflict: bool,
    /// Why the file is no longer a model after another program changed it; `None` if it is a model.
    /// The document keeps its previous text.
    spoiled: Option<String>,
    /// Modification time and length of the file when it was last checked.
    stamp: Stamp,
    /// Modification times and lengths of the files next to the model.
    beside: Vec<Stamp>,
    recovery: Recovery,
    view: ModelView,
    tables: Tables,
    checked: Arc<Checked>,
}

/// A file's modification time and length; `None` if it doesn't exist.
type Stamp = Option<(SystemTime, u64)>;

#[derive(Debug, Serialize)]
pub(crate) struct State<'s> {
    revision: u64,
    file: String,
    /// A number for the file's path, under which browsers store edits.
    place: String,
    editable: bool,
    why: Option<&'s str>,
    saved: bool,
    conflict: bool,
    spoiled: Option<&'s str>,
    /// A message to the user about the last action.
    remark: Option<&'static str>,
    undo: Option<&'s str>,
    redo: Option<&'s str>,
    tables: Vec<TableView<'s>>,
    #[serde(flatten)]
    view: &'s ModelView,
}

#[derive(Debug)]
pub(crate) enum Refusal {
    /// The page refers to a revision that isn't the current one, or the file has changed.
    Conflict(String),
    /// The request can't be carried out.
    Wrong(String),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Wrong(problem.into())
    }
}

impl Session {
    /// Opens a model. Unsaved text is stored in the folder `unsaved`.
    pub(crate) fn open(
        path: &Path,
        unsaved: Option<&Path>,
        language: &Language,
    ) -> Result<Self, Problem> {
        let path = path.canonicalize().cannot("read", path.display())?;
        let bytes = xmi::bytes(&path)?;
        Self::of(path, &bytes, unsaved, language)
    }

    /// Opens a model from the content of its file.
    pub(crate) fn of(
        path: PathBuf,
        bytes: &[u8],
        unsaved: Option<&Path>,
        language: &Language,
    ) -> Result<Self, Problem> {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let form = xmi::form(bytes);
        let (text, unread) = text_of(&name, bytes.to_vec());
        let why = unread.clone();
        let why = why.or_else(|| cannot_write(form, bytes, &text).or_else(|| reason(&text)));
        let recovery = Recovery::new(unsaved, &path);
        let rules = language.rules().clone();
        let checked = Arc::new(check(&rules, &path, &text));
        let document = Document::with_profiles(text.clone(), language.profiles(folder(&path)));
        let mut session = Self {
            path,
            rules,
            document,
            revision: 1,
            base: text.clone(),
            saved: text,
            form,
            why,
            conflict: false,
            spoiled: None,
            stamp: None,
            beside: Vec::new(),
            recovery,
            view: ModelView::default(),
            tables: Tables::default(),
            checked,
        };
        session.recover();
        if let Some(why) = unread.filter(|_| session.spoiled.is_none()) {
            return Err(why.into());
        }
        session.look();
        Ok(session)
    }

    /// Restores unsaved text. If the file has changed in the meantime, merges the two.
    fn recover(&mut self) {
        let Some(unsaved) = self.recovery.read(&self.path) else {
            return;
        };
        let label = "Recover unsaved changes";
        if let Some(why) = self.why.clone() {
            // The file's content has been lost since then, so the stored text is all that is left
            // of the model.
            if self.is_no_model() && reason(&unsaved.text).is_none() {
                self.document.replace(label, &unsaved.text);
                self.base = unsaved.base;
                self.conflict = true;
                self.spoiled = Some(why);
                self.why = None;
                self.form = xmi::form(self.document.text().as_bytes());
            }
        } else if unsaved.base == self.saved {
            self.document.replace(label, &unsaved.text);
        } else if let Some(merged) = self.merged(&unsaved.base, &unsaved.text) {
            self.document.replace(label, &merged);
        } else {
            self.document.replace(label, &unsaved.text);
            self.base = unsaved.base;
            self.conflict = true;
        }
    }

    /// Merges the changes from `base` to `text` with the changes to the file. They must be in
    /// different places, and must not cause new errors in combination.
    fn merged(&self, base: &str, text: &str) -> Option<String> {
        let merged = prophet_edit::merge(base, text, &self.saved)?;
        let errors = |text: &str| -> BTreeSet<_> {
            let problems = check(&self.rules, &self.path, text).diagnostics.into_iter();
            let errors = problems.filter(|it| it.severity == Severity::Error);
            errors.map(|it| (it.code, it.message, it.element)).collect()
        };
        let known: BTreeSet<_> = errors(text)
            .into_iter()
            .chain(errors(&self.saved))
            .collect();
        errors(&merged).is_subset(&known).then_some(merged)
    }

    fn look(&mut self) {
        let text = self.document.text();
        let model = self.model(&with_files_beside(self.source(text), &self.path));
        let checked = check(&self.rules, &self.path, text);
        self.view = ModelView::new(text, model.as_ref(), &checked);
        self.tables = Tables::read(folder(&self.path), self.view.code());
        self.beside = beside(&self.path, &checked);
        self.checked = Arc::new(checked);
    }

    pub(crate) fn state(&self) -> State<'_> {
        State {
            revision: self.revision,
            file: self
                .path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            place: number(&self.path),
            editable: self.why.is_none(),
            why: self.why.as_deref(),
            saved: self.document.text() == self.saved,
            conflict: self.conflict,
            spoiled: self.spoiled.as_deref(),
            remark: (self.document.undo_label() == Some(MERGED)).then_some(TOLD),
            undo: self.document.undo_label(),
            redo: self.document.redo_label(),
            tables: self.tables.views(),
            view: &self.view,
        }
    }

    /// Continues to count changes where another session for the same text stopped.
    pub(crate) fn at(mut self, revision: u64) -> Self {
        self.revision = revision;
        self
    }

    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) const fn document(&self) -> &Document {
        &self.document
    }

    pub(crate) const fn profiles(&self) -> &Profiles {
        self.document.profiles()
    }

    pub(crate) fn text(&self) -> &str {
        self.document.text()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    pub(crate) fn checked(&self) -> Arc<Checked> {
        Arc::clone(&self.checked)
    }

    fn expect(&self, revision: u64) -> Result<(), Refusal> {
        if let Some(why) = &self.why {
            return Err(Refusal::Wrong(why.clone()));
        }
        if revision != self.revision {
            let text = "the model was changed elsewhere: reload it";
            return Err(Refusal::Conflict(text.to_owned()));
        }
        Ok(())
    }

    /// Returns `true` if the file's text can't be read as a model.
    fn is_no_model(&self) -> bool {
        self.model(&self.source(&self.saved)).is_none()
    }

    /// Checks the revision like [`Self::expect`], but accepts a text that can only be viewed,
    /// because earlier texts may be editable.
    fn expect_revision(&self, revision: u64) -> Result<(), Refusal> {
        if self.form.is_none() || revision != self.revision {
            return self.expect(revision);
        }
        Ok(())
    }

    /// Makes all of the edits or none of them. Edits during one visit to a form field are a single
    /// undo step.
    pub(crate) fn edit(
        &mut self,
        revision: u64,
        label: &str,
        edits: Vec<Edit>,
        visit: Option<&str>,
    ) -> Result<Keys, Refusal> {
        self.expect(revision)?;
        let mut all = self.pins(&edits);
        all.extend(edits);
        let keys = match visit {
            Some(visit) => self.document.apply_in_visit(label, &all, visit),
            None => self.document.apply(label, &all),
        };
        let keys = keys?;
        self.changed()?;
        Ok(keys)
    }

    /// If edits change a drawing for the first time, returns edits that fix the positions of all of
    /// its nodes where they were displayed.
    fn pins(&self, edits: &[Edit]) -> Vec<Edit> {
        let touched = edits.iter().filter_map(|it| match it {
            Edit::Move { element, .. } => Some(element.as_str()),
            Edit::AddNode { diagram, .. } => Some(diagram.as_str()),
            _ => None,
        });
        let touched: BTreeSet<&str> = touched.collect();
        let undrawn = self.view.undrawn(&touched).into_iter();
        let pins = undrawn.map(|(element, [x, y, width, height])| Edit::Move {
            element,
            x,
            y,
            width,
            height,
        });
        pins.collect()
    }

    pub(crate) fn undo(&mut self, revision: u64) -> Result<(), Refusal> {
        self.expect_revision(revision)?;
        if let Some(file) = self.document.undo_file().cloned() {
            self.put_back(&file.name, [file.after.as_deref(), file.before.as_deref()])?;
        }
        self.document.undo();
        self.why = self.why_not(self.document.text());
        self.changed()
    }

    pub(crate) fn redo(&mut self, revision: u64) -> Result<(), Refusal> {
        self.expect_revision(revision)?;
        if let Some(file) = self.document.redo_file().cloned() {
            self.put_back(&file.name, [file.before.as_deref(), file.after.as_deref()])?;
        }
        self.document.redo();
        self.why = self.why_not(self.document.text());
        self.changed()
    }

    /// Adopts a new text, and stores it until it is saved.
    fn changed(&mut self) -> Result<(), Refusal> {
        self.revision += 1;
        self.look();
        if self.document.text() == self.saved {
            self.recovery.forget();
            return Ok(());
        }
        let kept = self
            .recovery
            .keep(&self.path, &self.base, self.document.text());
        kept.context("the change was made, but cannot be saved for recovery")?;
        Ok(())
    }

    /// Writes the file. Overwrites changes by other programs only if `over` is `true`.
    pub(crate) fn save(&mut self, revision: u64, over: bool) -> Result<(), Refusal> {
        self.expect(revision)?;
        self.look_at_file();
        if self.conflict && !over {
            let text = "another program has changed the file: use its text, or save over it";
            return Err(Refusal::Conflict(text.to_owned()));
        }
        prophet_files::save(&self.path, self.file())?;
        self.note_saved();
        Ok(())
    }

    /// Returns the content of the file as it would be saved now.
    pub(crate) fn file(&self) -> Vec<u8> {
        self.encoded(self.document.text())
    }

    /// Records that the file was saved by other means.
    pub(crate) fn note_saved(&mut self) {
        self.document.text().clone_into(&mut self.saved);
        self.base.clone_from(&self.saved);
        // Undo goes back to what was saved, even if the user continues to type.
        self.document.end_visit();
        self.conflict = false;
        self.spoiled = None;
        self.recovery.forget();
    }

    /// Copies the current model, for work during which users can continue editing.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            path: self.path.clone(),
            rules: self.rules.clone(),
            text: self.document.text().to_owned(),
            places: self.view.places(),
            checked: self.checked(),
        }
    }

    fn source(&self, text: &str) -> Source {
        Source::new(&*self.checked.source.name, text)
    }

    fn model(&self, source: &Source) -> Option<Model> {
        read(&self.rules, source)
    }

    /// Writes a table that the model names. It is written immediately, not when the model is saved.
    pub(crate) fn write_table(
        &mut self,
        revision: u64,
        name: &str,
        text: &str,
        visit: Option<&str>,
    ) -> Result<(), Refusal> {
        self.expect(revision)?;
        let written = self.tables.write(folder(&self.path), name, text);
        let change = written?;
        if change.before != change.after {
            self.document
                .note_file(&format!("Change {name}"), change, visit);
        }
        self.revision += 1;
        self.look();
        Ok(())
    }

    /// Replaces the text of a table with another one, for undo and redo.
    fn put_back(&mut self, name: &str, texts: [Option<&str>; 2]) -> Result<(), Refusal> {
        let put = self.tables.put_back(folder(&self.path), name, texts);
        put.map_err(|why| {
            // A step that can't be undone must not keep earlier steps from being undone.
            self.document.forget_file(name);
            self.revision += 1;
            why.into()
        })
    }

    /// Returns why a text can't be edited in a file with this encoding; `None` if it can.
    fn why_not(&self, text: &str) -> Option<String> {
        cannot_write(self.form, &self.encoded(text), text).or_else(|| reason(text))
    }

    /// Encodes a text in the file's encoding.
    fn encoded(&self, text: &str) -> Vec<u8> {
        match self.form {
            Some(form) => form.encode(text),
            None => text.as_bytes().to_vec(),
        }
    }

    /// Replaces all edits with the file's text. This change can be undone.
    pub(crate) fn take_file(&mut self, revision: u64) -> Result<(), Refusal> {
        self.expect(revision)?;
        if let Some(why) = &self.spoiled {
            return Err(Refusal::Wrong(format!("the file is not a model: {why}")));
        }
        self.document
            .replace("Use the file's text", &self.saved.clone());
        self.base.clone_from(&self.saved);
        self.conflict = false;
        // The text is written in the encoding in which it was read.
        if let Ok(bytes) = xmi::bytes(&self.path) {
            self.form = xmi::form(&bytes);
        }
        self.why = self.why_not(&self.saved);
        self.changed()
    }

    /// Checks whether other programs have changed the file or its tables. Returns whether the state
    /// has changed.
    pub(crate) fn look_at_files(&mut self) -> bool {
        let changed = self.tables.changed(folder(&self.path));
        for name in &changed {
            self.document.forget_file(name);
        }
        let is_changed = !changed.is_empty() || self.beside != beside(&self.path, &self.checked);
        if is_changed {
            self.revision += 1;
            self.look();
        }
        self.glance_at_file() || is_changed
    }

    /// Checks whether other programs have changed the file, if its modification time or length
    /// differs. Returns whether the state has changed.
    fn glance_at_file(&mut self) -> bool {
        let stamp = stamp(&self.path);
        let is_untouched = stamp.is_some() && stamp == self.stamp;
        self.stamp = stamp;
        !is_untouched && self.look_at_file()
    }

    /// Checks whether other programs have changed the file. Returns whether the state has changed.
    fn look_at_file(&mut self) -> bool {
        let Ok(bytes) = xmi::bytes(&self.path) else {
            return false;
        };
        let (name, form) = (&self.checked.source.name, xmi::form(&bytes));
        // A character that the encoding lacks looks different in the file, but isn't a change.
        if form.is_some() && bytes == self.encoded(&self.saved) {
            return false;
        }
        let (text, unread) = text_of(name, bytes.clone());
        if text == self.saved {
            return false;
        }
        let was_saved = self.document.text() == self.saved;
        self.saved = text;
        self.revision += 1;
        let why = cannot_write(form, &bytes, &self.saved).or_else(|| reason(&self.saved));
        self.spoiled = None;
        if self.document.text() == self.saved {
            self.conflict = false;
            self.base.clone_from(&self.saved);
            self.recovery.forget();
            return true;
        }
        if self.why.is_none() && (unread.is_some() || (why.is_some() && self.is_no_model())) {
            self.spoiled = unread.or(why);
            self.conflict = true;
            // The document is all that is left of the model.
            let _ = self
                .recovery
                .keep(&self.path, &self.base, self.document.text());
            return true;
        }
        if was_saved {
            self.form = form;
            self.why = why;
            self.follow("Change by another program", &self.saved.clone());
            self.recovery.forget();
        } else if let Some(merged) = self.merged(&self.base, self.document.text()) {
            self.form = form;
            self.follow(MERGED, &merged);
            // Undo leads to the previous text, which isn't saved either.
            let _ = self.recovery.keep(&self.path, &self.base, &merged);
        } else {
            self.conflict = true;
        }
        true
    }

    /// Adopts a text that contains the changes to the file.
    fn follow(&mut self, label: &str, text: &str) {
        self.document.replace(label, text);
        self.base.clone_from(&self.saved);
        self.conflict = false;
        self.look();
    }

    /// Fixes a problem as its advice suggests. Problems have the same numbers as in the state.
    pub(crate) fn fix(&mut self, revision: u64, problem: usize) -> Result<(), Refusal> {
        self.expect(revision)?;
        let found = self.checked.diagnostics.get(problem);
        let found = found.filter(|it| self.checked.source.file_at(it.span.start).is_none());
        fixes::mend(&mut self.document, found)?;
        self.changed()
    }

    /// Returns the program in the text that was last saved, for comparisons.
    pub(crate) fn checked_as_saved(&self) -> Checked {
        check(&self.rules, &self.path, &self.saved)
    }
}

/// Name of the undo step that merges changes by another program with unsaved edits.
const MERGED: &str = "Merge a change by another program";
const TOLD: &str = "Another program has changed the file: its changes were merged with yours. Undo \
    takes them back.";

fn stamp(path: &Path) -> Stamp {
    let read = std::fs::metadata(path);
    read.and_then(|it| Ok((it.modified()?, it.len()))).ok()
}

/// Decodes the text of a file as far as possible. If some bytes aren't text, also returns a message
/// about them.
fn text_of(name: &str, bytes: Vec<u8>) -> (String, Option<String>) {
    let lossy = String::from_utf8_lossy(&bytes).into_owned();
    match xmi::decode(name, bytes) {
        Ok(source) => (source.text, None),
        Err(why) => (lossy, Some(why.into())),
    }
}

/// Returns the modification times and lengths of the files next to a model, which may not exist.
fn beside(path: &Path, checked: &Checked) -> Vec<Stamp> {
    let needed = checked.source.needed();
    needed.map(|it| stamp(&folder(path).join(it))).collect()
}

/// Returns why a file can't be written back byte for byte; `None` if it can.
fn cannot_write(form: Option<EncodingForm>, bytes: &[u8], text: &str) -> Option<String> {
    let Some(form) = form else {
        return Some("archives are read-only".to_owned());
    };
    let is_other = form.encode(text) != bytes;
    is_other.then(|| "files with this encoding are read-only".to_owned())
}

#[cfg(test)]
mod tests;
