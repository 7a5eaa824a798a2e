//! The partner and the length of a message.

use super::{Description, TagValue, UsageProblem, expect_attributes, expect_name};
use crate::source::{Span, Text, escape};
use crate::xml::Xml;

/// The tags that the description of a message becomes.
pub(super) struct MessageTags {
    /// The element that names the process itself.
    own: &'static str,
    /// The element that names its partner, and the tag.
    partner: (&'static str, &'static str),
}

/// A send.
pub(super) const SEND: MessageTags = MessageTags {
    own: "src",
    partner: ("trg", "dest"),
};

/// A receive.
pub(super) const RECEIVE: MessageTags = MessageTags {
    own: "trg",
    partner: ("src", "source"),
};

/// Reads the tags that a description stands for.
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
    if let Some(own) = take(direction.own)
        && own.value != "pid"
    {
        let name = direction.own;
        let message = format!("`<{name}>` is {}, but it is the process itself", own.value);
        return UsageProblem::new(
            own.span,
            message,
            format!("leave it out, or write {name} as pid"),
        );
    }
    let (name, tag) = direction.partner;
    let Some(partner) = take(name) else {
        let message = format!("`<rud>` needs `<{name}>`, the partner");
        return UsageProblem::new(root.span, message, "");
    };
    let mut tags = vec![(tag, description.value(partner))];
    tags.extend(take("len").map(|length| ("size", description.value(length))));
    Ok(tags)
}

/// Reads the text in an element, without spaces around it.
pub(super) fn content(element: &Xml, text: &str) -> Result<Text, UsageProblem> {
    if let Some(child) = element.children.first() {
        let message = format!("`<{}>` has no place here", child.name);
        return UsageProblem::new(child.span, message, "here stands an expression");
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
