//! Inserts a cost function into a model in one of our own formats: `PlantUML` text, or XML without
//! UML.
//!
//! These formats have no ids, so the positions of the model's parts come from the model reader. The
//! changed text is read back before it is written.

use std::ops::Range;

use prophet_model::diagnostic::{Diagnostic, Diagnostics, Severity};
use prophet_model::model::{CostFunction, Element, Model};
use prophet_model::source::{Source, Span};
use prophet_model::xmi::structured;
use prophet_model::{plantuml, vocabulary, xmi};
use prophet_text::{Problem, markup::escaped, problem};

use super::{Insertion, body, function_name, the_only};

/// First words of the comment that a fit writes above its function.
const FITTED: &str = "Seconds, fitted to ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModelForms {
    PlantUml,
    Xml,
}

type Replacement = (Range<usize>, String);

/// Returns `true` if a text is in one of our own model formats.
pub(super) fn is_one(text: &str) -> bool {
    plantuml::is_text(text) || structured::is_form(text)
}

/// Returns the model's text with the function added, and with a call of it as the element's cost.
pub(super) fn edited(text: &str, insertion: &Insertion<'_>) -> Result<String, Problem> {
    let form = if plantuml::is_text(text) {
        ModelForms::PlantUml
    } else {
        ModelForms::Xml
    };
    let (model, errors) = read(text)?;
    let element = only(&model, insertion.element)?;
    let name = function_name(&element.name);
    let call = insertion.call(|it| has_variable(&model, it), &name)?;
    let written = Function {
        name: &name,
        parameters: &insertion.fitted.names,
        body: body(insertion.fitted),
        comment: prophet_text::plain::line(&insertion.source()),
    };
    let known = model.functions.iter().find(|it| it.name.value == name);
    let function = match known {
        Some(known) => (whole(text, form, known)?, written.text(form)),
        None => written.added(text, form, &model),
    };
    let mut changes = [cost(text, form, element, &call)?, function];
    changes.sort_by_key(|(range, _)| range.start);
    let edited = replaced(text, &changes);
    let (again, errors_now) = read(&edited)?;
    let is_kept = errors_now.iter().all(|it| errors.contains(it));
    if is_kept && again.elements.len() == model.elements.len() && written.is_in(&again) {
        let same = again.elements.iter().filter(|it| it.path == element.path);
        let mut costs = same.filter_map(|it| it.stereotype.as_ref()?.tags.get("cost"));
        if costs.any(|it| it.value == call) {
            return Ok(edited);
        }
    }
    Err(problem!(
        "inserting the function and its call would change other parts of the file; write both by \
         hand: `cost = {call}`, `{}`",
        written.text(ModelForms::PlantUml).trim()
    ))
}

/// Reads a model. Also returns the code and element of each error.
fn read(text: &str) -> Result<(Model, Vec<(String, String)>), Problem> {
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&Source::new("", text), None, &mut diagnostics);
    let problems = diagnostics.sorted();
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let errors: Vec<&Diagnostic> = problems.iter().filter(is_error).collect();
    let model = model.ok_or_else(|| {
        let first = errors.first().map(|it| it.message.as_str());
        format!(
            "cannot read the model: {}",
            first.unwrap_or("it has no activity")
        )
    })?;
    let told = errors.iter();
    let told = told.map(|it| (it.code.to_string(), it.element.clone()));
    Ok((model, told.collect()))
}

/// Returns the only element with this name or path that has a cost.
fn only<'m>(model: &'m Model, element: &str) -> Result<&'m Element, Problem> {
    let has_cost = |it: &Element| {
        let kind = it.stereotype.as_ref().map(|it| it.kind);
        kind.is_some_and(|kind| vocabulary::tags(kind).any(|tag| tag == "cost"))
    };
    let is_named = |it: &Element| it.name == element || it.path == element;
    let found = model.elements.iter();
    let found = found.filter(|it| is_named(it) && has_cost(it)).collect();
    the_only(found, element, "its path, such as Model::Main::A")
}

fn has_variable(model: &Model, name: &str) -> bool {
    let locals = model.diagrams.iter().flat_map(|it| &it.locals);
    let mut variables = model.globals.iter().chain(locals);
    variables.any(|it| it.name.value == name)
}

/// Returns the change that makes a call the cost of an element.
fn cost(
    text: &str,
    form: ModelForms,
    element: &Element,
    call: &str,
) -> Result<Replacement, Problem> {
    let tags = element.stereotype.as_ref().map(|it| &it.tags);
    let known = tags.and_then(|it| it.get("cost"));
    match (form, known) {
        (ModelForms::PlantUml, Some(known)) => Ok((known.span.range(), call.to_owned())),
        (ModelForms::Xml, Some(known)) => Ok((known.span.range(), escaped(call))),
        (ModelForms::Xml, None) => {
            let at = tag_name(text, element.span).end;
            Ok((at..at, format!(" cost=\"{}\"", escaped(call))))
        }
        (ModelForms::PlantUml, None) => {
            let at = header_end(text, element.span).ok_or_else(|| {
                format!("`{}` has no label for adding `cost = {call}`", element.name)
            })?;
            Ok((at..at, format!("\n  cost = {call}")))
        }
    }
}

/// Returns the end of the first line of a node's label: after the stereotype and the name, and
/// before what ends the label.
fn header_end(text: &str, node: Span) -> Option<usize> {
    let open = ["<<", "«"];
    let marks = open
        .iter()
        .filter_map(|it| text.get(node.start..)?.find(it));
    let start = node.start + marks.min()?;
    let line = text[start..].split('\n').next()?;
    let broken = line.find("\\n");
    let line = &line[..broken.unwrap_or(line.len())];
    let kept = line.trim_end();
    let is_ended = broken.is_none() && !kept.ends_with(">>") && kept.ends_with(LABEL_ENDS);
    let last = usize::from(is_ended);
    Some(start + kept.len() - last)
}

/// Characters that end an action's label when they end a line.
const LABEL_ENDS: [char; 7] = [';', '|', '<', '>', '/', ']', '}'];

/// Returns the range of the name in a tag.
fn tag_name(text: &str, tag: Span) -> Range<usize> {
    let start = tag.start + 1;
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find(|it: char| it.is_whitespace() || matches!(it, '>' | '/'));
    start..start + end.unwrap_or(0)
}

/// Returns the range of a whole function, including the comment that a fit wrote above it.
fn whole(text: &str, form: ModelForms, function: &CostFunction) -> Result<Range<usize>, Problem> {
    let (start, behind) = (function.span.start, function.body.text.span.end);
    let close = match form {
        ModelForms::Xml => format!("</{}", &text[tag_name(text, function.span)]),
        ModelForms::PlantUml => "}".to_owned(),
    };
    let end = text.get(behind..).and_then(|rest| {
        let at = rest.find(&close)? + close.len();
        let more = match form {
            ModelForms::Xml => rest[at..].find('>')? + 1,
            ModelForms::PlantUml => 0,
        };
        Some(behind + at + more)
    });
    let missing = || format!("missing end of `{}`", function.name.value);
    let end = end.ok_or_else(missing)?;
    if form == ModelForms::Xml {
        return Ok(start..end);
    }
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[..line].trim_end().rfind('\n').map_or(0, |at| at + 1);
    let comment = text[before..line].trim_start();
    let is_ours = comment
        .strip_prefix("// ")
        .is_some_and(|it| it.starts_with(FITTED));
    let indent = text[before..line].len() - comment.len();
    Ok(if is_ours { before + indent } else { start }..end)
}

struct Function<'f> {
    name: &'f str,
    parameters: &'f [String],
    body: String,
    comment: String,
}

impl Function<'_> {
    /// Returns the function's text in a format. It has its own lines, without the last line break.
    fn text(&self, form: ModelForms) -> String {
        let Self {
            name,
            body,
            comment,
            ..
        } = self;
        let parameters = self.parameters.iter();
        match form {
            ModelForms::PlantUml => {
                let parameters: Vec<_> = parameters.map(|it| format!("double {it}")).collect();
                let parameters = parameters.join(", ");
                format!("// {comment}\n  double {name}({parameters}) {{ {body} }}")
            }
            ModelForms::Xml => {
                let parameters =
                    parameters.map(|it| format!("<argument name=\"{it}\" type=\"double\"/>"));
                let parameters: String = parameters.collect();
                let (body, comment) = (escaped(body), escaped(comment));
                format!(
                    "<function name=\"{name}\" result=\"double\">\n    \
                     <comment>{comment}</comment>\n    {parameters}<body>{body}</body>\n  \
                     </function>"
                )
            }
        }
    }

    fn added(&self, text: &str, form: ModelForms, model: &Model) -> Replacement {
        let function = self.text(form);
        if form == ModelForms::Xml {
            let first = model.diagrams.iter().map(|it| it.span.start).min();
            let at = first.unwrap_or_default();
            return (at..at, format!("{function}\n  "));
        }
        let (at, is_in_legend) = plantuml::legend_at(text);
        let added = if is_in_legend {
            format!("  {function}\n")
        } else {
            format!("legend\n  {function}\nend legend\n")
        };
        (at..at, added)
    }

    fn is_in(&self, model: &Model) -> bool {
        let mut found = model
            .functions
            .iter()
            .filter(|it| it.name.value == self.name);
        let is_same = |it: &CostFunction| {
            let names = it.parameters.iter().map(|it| it.name.value.as_str());
            it.body.text.value.trim() == self.body && names.eq(self.parameters)
        };
        found.next().is_some_and(is_same) && found.next().is_none()
    }
}

/// Returns the text with these changes, which must be in text order.
fn replaced(text: &str, changes: &[Replacement]) -> String {
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for (range, new) in changes {
        edited.push_str(&text[done..range.start]);
        edited.push_str(new);
        done = range.end;
    }
    edited + &text[done..]
}
