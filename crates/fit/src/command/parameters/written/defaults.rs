//! Writes estimates into a model as the defaults of its parameters, in every supported text format.

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_interpreter::Interpreted;
use prophet_model::source::Source;
use prophet_runtime::Value;
use prophet_text::{Context as _, Problem, problem};

use crate::command::arguments::FitOptions;
use crate::command::parameters::ParameterEstimate;
use crate::cost::insertion;

/// Returns the model's bytes with the estimates as defaults. Everything else stays unchanged.
pub(super) fn edited(
    path: &Path,
    arguments: &FitOptions,
    estimates: &[&ParameterEstimate],
) -> Result<Vec<u8>, Problem> {
    let (form, mut text) = insertion::text(path)?;
    for estimate in estimates {
        text = with_default(path, arguments, &text, estimate).context(path.display())?;
    }
    Ok(form.encode(&text))
}

/// Returns the text with the default of one parameter changed. If the plain number isn't accepted,
/// tries a decimal point, because some languages read `25` as an integer.
fn with_default(
    path: &Path,
    arguments: &FitOptions,
    text: &str,
    estimate: &ParameterEstimate,
) -> Result<String, Problem> {
    let name = estimate.parameter.unwrap_or(&estimate.name);
    let checked = check(path, arguments, text.to_owned());
    let mut variables = checked.model.iter().flat_map(|it| &it.globals);
    let variable = variables.find(|it| it.name.value == name);
    let default = variable.and_then(|it| it.default.as_ref());
    let default = default.ok_or_else(|| {
        problem!(
            "the parameter `{name}` has no default value\nhelp: add a default value, such as 1"
        )
    })?;
    let range = default.text.span.range();
    // A value that the file spells differently, for example with an entity, has no position.
    let found = text.get(range.clone()).unwrap_or_default();
    let is_there = found.trim() == default.text.value.trim();
    let value: f64 = estimate.value.parse().unwrap_or(f64::NAN);
    let spellings = [estimate.value.clone(), format!("{value:?}")];
    for written in spellings.iter().filter(|_| is_there) {
        let edited = format!("{}{written}{}", &text[..range.start], &text[range.end..]);
        if default_of(path, arguments, &edited, name) == Some(value) {
            return Ok(edited);
        }
    }
    Err(problem!(
        "cannot replace the default value of `{name}`\nhelp: set it to {} by hand",
        estimate.value
    ))
}

fn check(path: &Path, arguments: &FitOptions, text: String) -> prophet_frontend::checked::Checked {
    let folder = path.parent().unwrap_or(Path::new(""));
    let source = Source::new(path.display().to_string(), text);
    check_source(
        &RuleSet::shipped(),
        source,
        folder,
        arguments.main.as_deref(),
    )
}

/// Returns a parameter's default if the text is a model without errors.
fn default_of(path: &Path, arguments: &FitOptions, text: &str, name: &str) -> Option<f64> {
    let checked = check(path, arguments, text.to_owned());
    let program = Interpreted::new(&checked, "model", false).ok()?;
    let mut parameters = program.model().parameters.iter();
    match parameters.find(|it| it.name == name)?.default {
        Value::Real(value) => Some(value),
        _ => None,
    }
}
