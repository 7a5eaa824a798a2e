//! Translates the use of a custom device to an expression of its resource data.

use super::message::content;
use super::written::Written;
use super::{Description, UsageProblem, expect_attributes};
use crate::source::Text;
use crate::xml::Xml;

/// Translates resource data, one element each, to a call of `rud`. `model` is the device's model if
/// one is chosen.
pub(super) fn text(
    root: &Xml,
    device: &Text,
    model: Option<&Text>,
    description: &Description<'_>,
) -> Result<Text, UsageProblem> {
    expect_attributes(root, &["device"])?;
    let mut written = Written::default();
    written.add("rud(\"");
    written.add(&name(device)?.value);
    if let Some(model) = model {
        written.add("\", \"");
        written.add(&name(model)?.value);
    }
    written.add("\", \"");
    if root.children.is_empty() || !root.text.trim().is_empty() {
        let message = "`<rud>` does not contain resource data";
        let help = "add an element for each resource, such as `<bytes>8*N</bytes>`";
        return UsageProblem::new(root.span, message, help);
    }
    for (number, child) in root.children.iter().enumerate() {
        expect_attributes(child, &[])?;
        let value = content(child, &description.source.text)?;
        if value.value.contains(['"', '\\']) {
            let message = format!("`<{}>` is not a numeric expression", child.name);
            return UsageProblem::new(value.span, message, "");
        }
        written.add(if number > 0 { ", (" } else { "(" });
        written.copy(&value, description);
        written.add(") * ");
        written.add(&child.name);
    }
    written.add("\")");
    Ok(written.finish(description))
}

fn name(text: &Text) -> Result<&Text, UsageProblem> {
    let mut letters = text.value.chars();
    let is_letter = |it: char| it == '_' || it.is_ascii_alphabetic();
    let is_name = letters.next().is_some_and(is_letter)
        && letters.all(|it| is_letter(it) || it.is_ascii_digit());
    if is_name {
        return Ok(text);
    }
    let message = format!("`{}` is not the name of a device or model", text.value);
    UsageProblem::new(text.span, message, "use letters, digits and _")
}
