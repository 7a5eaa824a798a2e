//! Sample models, and models made of them, interpreted.

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;

use crate::Places;

/// A sample model, ready to run.
///
/// # Errors
///
/// The reason why it can't be read or interpreted.
pub fn interpreted_sample(places: &Places, name: &str) -> Result<Interpreted, String> {
    interpreted_at(&places.sample(name), name)
}

/// A model in a file, ready to run; `name` stands in messages.
pub(crate) fn interpreted_at(file: &Path, name: &str) -> Result<Interpreted, String> {
    let checked = check_by(&RuleSet::empty(), file, None)?;
    Interpreted::new(&checked, name, false).map_err(|why| format!("{name}: {why}"))
}
