//! Copies a model for work during which users can continue editing.

use prophet_text::{Problem, problem};
use std::path::PathBuf;
use std::sync::Arc;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_model::source::Source;

use crate::convert;
use crate::reading::{check, errors, read, reason};

/// A copy of a model, with the positions of its nodes.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(super) path: PathBuf,
    pub(super) rules: RuleSet,
    pub(super) text: String,
    pub(super) places: Vec<Vec<[f64; 4]>>,
    pub(super) checked: Arc<Checked>,
}

impl Snapshot {
    /// Returns the text of a new file: UML 2 in UTF-8.
    pub(crate) fn as_uml(&self) -> Result<String, Problem> {
        if reason(&self.text).is_none() {
            return Ok(convert::in_utf8(&self.text));
        }
        let source = Source::new(&*self.checked.source.name, &*self.text);
        let model = read(&self.rules, &source);
        let model = model.ok_or("the file does not contain a readable model")?;
        let text = convert::drawn_anew(&model, &self.places)?;
        let after = check(&self.rules, &self.path, &text);
        let error = errors(&after).find(|it| !errors(&self.checked).any(|known| known == *it));
        match error {
            None => Ok(text),
            Some((_, message)) => Err(problem!(
                "when drawn again, the model would have an error: {message}"
            )),
        }
    }
}
