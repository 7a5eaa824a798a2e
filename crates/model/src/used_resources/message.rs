//! Reads a message's partner and size.

use super::written::Written;
use super::{Description, TagValue, UsageProblem, expect_attributes, expect_name};
use crate::source::{Span, Text, escape};
use crate::xml::Xml;

pub(super) struct MessageTags {
    /// The XML element with the number of the process that the description is for.
    own: &'static str,
    /// The XML element with the partner's number, and the tag that the number is written to.
    partner: (&'static str, &'static str),
}

pub(super) const SEND: MessageTags = MessageTags {
    own: "src",
    partner: ("trg", "dest"),
};

pub(super) const RECEIVE: MessageTags = MessageTags {
    own: "trg",
    partner: ("src", "source"),
};

pub(super) fn tags(
    root: &Xml,
    description: &Description<'_>,
    direction: &MessageTags,
) -> Result<Vec<TagValue>, UsageProblem> {
    expect_attributes(root, &["device"])?;
    let mut found: Vec<(&str, Text)> = Vec::new();
    for child in &root.children {
        expect_name(child, &["src", "trg", "len"])?;
        expect_attributes(child, &[])?;
        if found.iter().any(|(name, _)| *name == child.name) {
            let message = format!("`<{}>` is given twice", child.name);
            return UsageProblem::new(child.span, message, "remove one of them");
        }
        found.push((&child.name, content(child, &description.source.text)?));
    }
    let take = |name: &str| found.iter().find(|it| it.0 == name).map(|it| &it.1);
    let (name, tag) = direction.partner;
    let Some(partner) = take(name) else {
        let message = format!("`<rud>` needs `<{name}>`, the partner");
        return UsageProblem::new(root.span, message, "");
    };
    let partner = match take(direction.own).filter(|own| own.value != "pid") {
        None => description.value(partner),
        Some(own) => where_it_is(own, partner, description),
    };
    let mut tags = vec![(tag, partner)];
    tags.extend(take("len").map(|length| ("size", description.value(length))));
    Ok(tags)
}

/// An invalid process number, which tells the runtime that the wrong process executes the element.
const NOT_HERE: i64 = i64::MIN + 2;

/// Writes the partner's number as an expression. If a process other than `own` evaluates it, the
/// run stops.
fn where_it_is(own: &Text, partner: &Text, description: &Description<'_>) -> Text {
    let mut written = Written::default();
    written.add("pid == (");
    written.copy(own, description);
    written.add(") ? (");
    written.copy(partner, description);
    written.add(&format!(") : {NOT_HERE}"));
    written.finish(description)
}

/// Returns the text in an element without spaces around it.
pub(super) fn content(element: &Xml, text: &str) -> Result<Text, UsageProblem> {
    if let Some(child) = element.children.first() {
        let message = format!("`<{}>` is not allowed here", child.name);
        return UsageProblem::new(child.span, message, "expected an expression");
    }
    let raw = text.get(element.span.end..).unwrap_or_default();
    let raw = raw.split("</").next().unwrap_or_default();
    let value = escape::text(raw.trim()).into_owned();
    if value.is_empty() {
        let message = format!("`<{}>` is empty", element.name);
        return UsageProblem::new(element.span, message, "");
    }
    let start = element.span.end + raw.len() - raw.trim_start().len();
    Ok(Text::new(value, Span::new(start, start + raw.trim().len())))
}
