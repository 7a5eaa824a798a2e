//! Translates the descriptions of used resources that PTI defines: the tag `rud` with XML as its
//! value.
//!
//! The description of a computation becomes the tag `cost`, an expression in the cost language. The
//! description of a message becomes tags for its partner and size. Later stages see only these
//! tags.

mod cost;
mod device;
mod message;
mod written;

use crate::diagnostic::catalogue::element as rules;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::model::{Model, Stereotype, StereotypeKind};
use crate::source::{Source, Text};
use crate::xml::{self, Xml};
use prophet_text::similar;

const RUD: &str = "rud";

/// Name of the tag that selects the model of a device.
const MODEL: &str = "model";

type TagValue = (&'static str, Text);

#[derive(Debug, PartialEq, Eq)]
struct UsageProblem {
    /// Place of the problem in the description.
    span: Span,
    message: String,
    help: String,
}

impl UsageProblem {
    fn new<T>(span: Span, message: impl Into<String>, help: impl Into<String>) -> Result<T, Self> {
        Err(Self {
            span,
            message: message.into(),
            help: help.into(),
        })
    }
}

struct Description<'d> {
    /// The tag's value in the model's file.
    tag: &'d Text,
    file: &'d Source,
    /// The tag's value as a separate text.
    source: Source,
}

impl Description<'_> {
    fn locate(&self, span: Span) -> Span {
        self.tag.locate(self.file, span.start, span.end)
    }

    fn value(&self, part: &Text) -> Text {
        Text::new(part.value.clone(), self.locate(part.span))
    }
}

pub(crate) fn translate(model: &mut Model, file: &Source, diagnostics: &mut Diagnostics) {
    for element in &mut model.elements {
        // For a task, the tag `model` means something else: the model that predicts its cost.
        let stereotype = element.stereotype.as_mut();
        let Some(stereotype) = stereotype.filter(|it| it.kind != StereotypeKind::Task) else {
            continue;
        };
        let Some(tag) = stereotype.tags.get(RUD).cloned() else {
            if let Some(model) = stereotype.tags.remove(MODEL) {
                let message = "the tag `model` has no effect without a `rud`";
                let diagnostic = Diagnostic::new(&rules::BAD_RUD, model.span, message);
                let help = "describe the use of the device in the tag `rud`";
                diagnostics.push(diagnostic.element(&element.path).help(help));
            }
            continue;
        };
        match replacement(stereotype, &tag, file) {
            Ok(tags) => {
                stereotype.tags.remove(RUD);
                stereotype.tags.remove(MODEL);
                let tags = tags.into_iter().map(|(name, text)| (name.to_owned(), text));
                stereotype.tags.extend(tags);
            }
            Err(problem) => {
                let diagnostic = Diagnostic::new(&rules::BAD_RUD, problem.span, problem.message);
                diagnostics.push(diagnostic.element(&element.path).help(problem.help));
            }
        }
    }
}

/// Returns the tags that a description is equivalent to. The places of problems are in the model's
/// file.
fn replacement(of: &Stereotype, tag: &Text, file: &Source) -> Result<Vec<TagValue>, UsageProblem> {
    let description = Description {
        tag,
        file,
        source: Source::new(String::new(), tag.value.clone()),
    };
    let model = of.tags.get(MODEL);
    let tags = read(of.kind, model, &description).map_err(|problem| UsageProblem {
        span: description.locate(problem.span),
        ..problem
    })?;
    let also = tags.iter().map(|(name, _)| *name).chain(prices(of.kind));
    match also.into_iter().find(|name| of.tags.contains_key(*name)) {
        None => Ok(tags),
        Some(name) => {
            let message = format!("the element has both the tag `{name}` and a `rud`");
            UsageProblem::new(tag.span, message, "keep one of them")
        }
    }
}

/// Returns the tags that must not be combined with the description of a computation.
fn prices(of: StereotypeKind) -> impl Iterator<Item = &'static str> {
    let is_priced = of == StereotypeKind::ActionPlus;
    ["time"].into_iter().filter(move |_| is_priced)
}

fn read(
    of: StereotypeKind,
    model: Option<&Text>,
    description: &Description<'_>,
) -> Result<Vec<TagValue>, UsageProblem> {
    let root = xml::parse(&description.source, "a `rud`");
    let root = root.or_else(|problem| UsageProblem::new(problem.span, problem.message, ""))?;
    expect_name(&root, &[RUD])?;
    let device = required(&root, "device")?;
    let devices: &[&str] = match of {
        StereotypeKind::ActionPlus => &["CPU"],
        StereotypeKind::BSend | StereotypeKind::NbSend => &["MPIsend"],
        StereotypeKind::BRecv | StereotypeKind::NbRecv => &["MPIrecv"],
        _ => &[],
    };
    let name = of.name();
    let is_own = of == StereotypeKind::ActionPlus && !OF_LIBRARY.contains(&device.value.as_str());
    if is_own {
        let cost = device::text(&root, device, model, description)?;
        return Ok(vec![("cost", cost)]);
    }
    if model.is_some() {
        let message = format!(
            "the machine chooses the model of the device `{}`",
            device.value
        );
        let help = "remove the tag `model`, which is only for custom devices";
        return UsageProblem::new(device.span, message, help);
    }
    if !devices.contains(&device.value.as_str()) {
        let message = format!("`{name}` does not use the device `{}`", device.value);
        let help = format!("its device is {}", devices.join(", "));
        return UsageProblem::new(device.span, message, help);
    }
    match device.value.as_str() {
        "CPU" => Ok(vec![("cost", cost::text(&root, description)?)]),
        "MPIsend" => message::tags(&root, description, &message::SEND),
        _ => message::tags(&root, description, &message::RECEIVE),
    }
}

/// Devices that aren't custom ones, because they need no hardware model.
const OF_LIBRARY: [&str; 5] = ["CPU", "MPIsend", "MPIrecv", "memory", "network"];

fn expect_name(element: &Xml, names: &[&str]) -> Result<(), UsageProblem> {
    if names.contains(&element.name.as_str()) {
        return Ok(());
    }
    let message = format!("`<{}>` is not allowed here", element.name);
    let help = match similar(&element.name, names.iter().copied()) {
        Some(name) => format!("did you mean `<{name}>`?"),
        None if names.is_empty() => "it must be empty".to_owned(),
        None => format!("expected <{}>", names.join(">, <")),
    };
    UsageProblem::new(element.span, message, help)
}

fn required<'x>(element: &'x Xml, name: &str) -> Result<&'x Text, UsageProblem> {
    let value = element.attribute(name);
    if let Some(value) = value.filter(|it| !it.value.trim().is_empty()) {
        return Ok(value);
    }
    let message = format!("`<{}>` needs the attribute `{name}`", element.name);
    UsageProblem::new(element.span, message, "")
}

fn expect_attributes(element: &Xml, names: &[&str]) -> Result<(), UsageProblem> {
    let foreign = |it: &&xml::Attribute| !names.contains(&it.name.as_str());
    let Some(attribute) = element.attributes.iter().find(foreign) else {
        return Ok(());
    };
    let message = format!(
        "unknown attribute `{}` of `<{}>`",
        attribute.name, element.name
    );
    let help = match similar(&attribute.name, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("expected {}", names.join(", ")),
    };
    UsageProblem::new(attribute.value.span, message, help)
}

#[cfg(test)]
mod tests;
