//! Inserts a cost function into a model file.

mod own_forms;

use std::path::{Path, PathBuf};

use prophet_edit::{CostParameter, Document, Edit};
use prophet_model::xmi;
use prophet_text::{Context as _, Problem, problem};

use crate::cost::fitted::FittedCost;
use crate::cost::names::identifier;

/// Types or tags of elements that declare variables. Tags are needed because some tools omit the
/// type of attributes.
const VARIABLES: &[&str] = &["Property", "Variable", "ownedAttribute", "variable"];

/// A cost function to write into a model as an element's cost.
#[derive(Debug, Clone, Copy)]
pub struct Insertion<'i> {
    pub fitted: &'i FittedCost,
    /// Name or id of the element.
    pub element: &'i str,
    /// The expression in the model that replaces each parameter. A parameter that isn't listed is
    /// replaced by the variable of the same name.
    pub arguments: &'i [(String, String)],
    /// The measurement files.
    pub files: &'i [PathBuf],
}

const KEY: &str = "fitted";

impl Insertion<'_> {
    /// Writes the cost function into a model file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be changed, doesn't contain the element, or lacks a
    /// variable that the cost function uses.
    pub fn write(&self, model: &Path) -> Result<(), Problem> {
        let (form, text) = text(model)?;
        if !self.fitted.is_time && !self.fitted.is_memory {
            prophet_text::tell!("note: `{}` is assumed to be in seconds", self.fitted.metric);
        }
        let edited = if own_forms::is_one(&text) {
            own_forms::edited(&text, self)
        } else {
            self.edited(text)
        };
        prophet_files::save(model, form.encode(&edited.context(model.display())?))
    }

    fn edited(&self, text: String) -> Result<String, Problem> {
        let mut document = Document::new(text);
        let edits = self.edits(&document)?;
        document.apply("Fit", &edits)?;
        Ok(document.text().to_owned())
    }

    /// Returns the edits that insert the cost function into a model.
    ///
    /// # Errors
    ///
    /// Returns an error if the model doesn't contain the element, or lacks a variable that the cost
    /// function uses.
    pub fn edits(&self, document: &Document) -> Result<Vec<Edit>, Problem> {
        let (element, name) = only(document, self.element)?;
        let function = function_name(&name);
        let has_variable = |name: &str| {
            let found = document.named(name, VARIABLES);
            found.is_ok_and(|it| !it.is_empty())
        };
        let call = self.call(has_variable, &function)?;
        let real = || "Real".to_owned();
        let parameter = |name: &String| CostParameter {
            name: name.clone(),
            type_name: real(),
        };
        // Replace the function of an earlier fit.
        let known = document.named(&function, &["OpaqueBehavior", "FunctionBehavior"])?;
        let known = known.into_iter().next();
        let written = known.clone().unwrap_or_else(|| format!("${KEY}"));
        Ok(vec![
            Edit::Function {
                id: known,
                name: function,
                parameters: self.fitted.names.iter().map(parameter).collect(),
                result: Some(real()),
                language: None,
                key: Some(KEY.to_owned()),
                body: body(self.fitted),
            },
            Edit::Tag {
                element,
                tag: "cost".to_owned(),
                value: Some(call),
            },
            Edit::Comment {
                element: written,
                text: Some(self.source()),
            },
        ])
    }

    /// Returns a call of the function, with the model's expressions as arguments.
    fn call(&self, has_variable: impl Fn(&str) -> bool, function: &str) -> Result<String, Problem> {
        let Self {
            fitted, arguments, ..
        } = self;
        let given = |name: &str| arguments.iter().find(|it| it.0 == name);
        if fitted.is_rate {
            let metric = prophet_text::plain::line(&fitted.metric);
            return Err(problem!(
                "`{metric}` is a rate, not a time, so it cannot be a cost\nhelp: pass the \
                 element's work in the unit of the rate, such as --work 800"
            ));
        }
        if fitted.is_memory {
            let metric = prophet_text::plain::line(&fitted.metric);
            return Err(problem!(
                "`{metric}` is a memory size, not a time, so it cannot be a cost"
            ));
        }
        let is_parameter = |name: &str| fitted.parameters.iter().any(|it| it == name);
        if let Some((name, _)) = arguments.iter().find(|it| !is_parameter(&it.0)) {
            let names = fitted.parameters.join(", ");
            return Err(problem!(
                "unknown parameter `{name}` in --argument; choose one of {names}"
            ));
        }
        let mut values = Vec::new();
        for (name, identifier) in fitted.parameters.iter().zip(&fitted.names) {
            if let Some((_, expression)) = given(name) {
                values.push(expression.clone());
                continue;
            }
            if !has_variable(identifier) {
                return Err(problem!(
                    "the model has no variable `{identifier}`; say which expression the parameter \
                     stands for, such as --argument {name}=NUM_PROCESSES"
                ));
            }
            values.push(identifier.clone());
        }
        Ok(format!("{function}({})", values.join(", ")))
    }

    fn source(&self) -> String {
        let fitted = self.fitted;
        let names = self.files.iter().filter_map(|it| it.file_name());
        let names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
        let ranges = fitted.parameters.iter().enumerate().map(|(index, name)| {
            let values = fitted.points.iter().map(|it| it.at[index]);
            let low = values.clone().fold(f64::INFINITY, f64::min);
            let high = values.fold(f64::NEG_INFINITY, f64::max);
            format!("{name} = {low} to {high}")
        });
        let ranges: Vec<String> = ranges.collect();
        let error = match fitted.fit.error_left_out {
            Some(error) => format!(
                " Mean error at the largest scale, predicted from smaller scales: {}.",
                prophet_text::percent(error)
            ),
            None => String::new(),
        };
        format!(
            "Seconds, fitted to {} values at {} points of {} ({}), {}.{error}",
            fitted.values(),
            fitted.points.len(),
            names.join(", "),
            fitted.name(),
            ranges.join(", "),
        )
    }
}

/// Returns the text of a model that can be edited, and its encoding.
pub(crate) fn text(model: &Path) -> Result<(xmi::EncodingForm, String), Problem> {
    let bytes = xmi::bytes(model)?;
    let form = xmi::form(&bytes);
    let text = xmi::decode(&model.display().to_string(), bytes.clone())?.text;
    let form = form.filter(|it| it.encode(&text) == bytes).ok_or_else(|| {
        let why = "only text files can be changed, not archives";
        problem!("{}: {why}", model.display())
    })?;
    Ok((form, text))
}

/// Returns the id and name of the only element with this name that has a cost.
fn only(document: &Document, element: &str) -> Result<(String, String), Problem> {
    let found = document.with_tag(element, "cost");
    the_only(found?, element, "its id")
}

/// Returns the only element with this name. `choice` is the option with which the user can select
/// one of several.
fn the_only<T>(mut found: Vec<T>, element: &str, choice: &str) -> Result<T, Problem> {
    match (found.pop(), found.len()) {
        (Some(found), 0) => Ok(found),
        (Some(_), others) => Err(problem!(
            "{} elements are named `{element}`; choose one by {choice}",
            others + 1
        )),
        (None, _) => Err(problem!(
            "no element with a cost is named `{element}`; `check --summary` lists all elements"
        )),
    }
}

fn function_name(element: &str) -> String {
    format!("fitted_{}", identifier(element))
}

fn body(fitted: &FittedCost) -> String {
    format!("return {};", fitted.expression())
}
