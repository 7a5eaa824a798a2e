//! Prepares sample models, and models that are derived from them, for interpretation.

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;

use crate::Places;

/// Returns a sample model that is ready to be run.
///
/// # Errors
///
/// Returns an error with the reason if the model can't be read or interpreted.
pub fn interpreted_sample(places: &Places, name: &str) -> Result<Interpreted, String> {
    interpreted_at(&places.sample(name), name)
}

/// Prepares a model from a file; messages call it `name`.
pub(crate) fn interpreted_at(file: &Path, name: &str) -> Result<Interpreted, String> {
    let checked = check_by(&RuleSet::empty(), file, None)?;
    Interpreted::new(&checked, name, false).map_err(|why| format!("{name}: {why}"))
}
