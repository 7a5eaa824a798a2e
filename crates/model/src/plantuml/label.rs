//! Reads labels of actions, partitions and titles. The first line is a stereotype and a name, and
//! each further line is a tag.

use super::declarations;
use super::part::FormElement;
use super::problem;
use super::snippet::Snippet;
use crate::diagnostic::catalogue::xmi as rules;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::model::StereotypeKind;
use crate::path::shorten;
use crate::source::Text;
use crate::vocabulary::{self, Vocabulary, similar_stereotype};
use crate::xml_form::attribute_of;

/// Tags that work without a stereotype, or that must be meant as tags.
const PLAIN_TAGS: [&str; 2] = ["activity", "cost"];

/// Adds the content of a label to a part.
///
/// Without a stereotype, lines that aren't tags continue the name, as in ordinary drawings.
pub(super) fn read(
    label: Snippet<'_>,
    part: &mut FormElement,
    vocabulary: &Vocabulary,
    diagnostics: &mut Diagnostics,
) {
    let lines: Vec<Snippet<'_>> = label.pieces('\n').flat_map(broken).collect();
    let mut lines = lines.into_iter().filter(|it| !it.text.is_empty());
    if let Some(header) = lines.next() {
        let is_ours = lines.clone().any(is_own_tag);
        read_header(header, is_ours, part, vocabulary, diagnostics);
    }
    for line in lines {
        if !part.has("stereotype") && is_text(line) {
            go_on(line, part);
        } else {
            read_line(line, part, diagnostics);
        }
    }
    // A plain action with a cost is meant as an `action+`, because other actions have no cost.
    if part.role == "action"
        && !part.has("stereotype")
        && !part.has("activity")
        && let Some(cost) = part.value("cost")
    {
        let span = cost.span;
        part.set("stereotype", Text::new("action+", span));
    }
}

/// Returns `true` if a line is neither a tag nor a local variable.
fn is_text(line: Snippet<'_>) -> bool {
    let is_known = |(name, _): (&str, Text)| PLAIN_TAGS.contains(&name);
    !declarations::is_local(line) && !tag(line).is_some_and(is_known)
}

/// Returns `true` if a line is a tag that only our stereotypes have.
fn is_own_tag(line: Snippet<'_>) -> bool {
    let mut kinds = StereotypeKind::ALL.into_iter();
    tag(line).is_some_and(|(name, _)| {
        !PLAIN_TAGS.contains(&name) && kinds.any(|it| vocabulary::tags(it).any(|tag| tag == name))
    })
}

fn go_on(line: Snippet<'_>, part: &mut FormElement) {
    let mut name = line.value();
    if let Some(before) = part.take("name") {
        name.value = format!("{} {}", before.value, name.value);
        name.span.start = before.span.start;
    }
    part.set("name", name);
}

/// Splits a text at each line break written as `\n`.
fn broken(line: Snippet<'_>) -> Vec<Snippet<'_>> {
    const BREAK: &str = "\\n";
    let mut start = 0;
    let pieces = line.text.split(BREAK).map(|piece| {
        let snippet = line.part(start, start + piece.len()).trim();
        start += piece.len() + BREAK.len();
        snippet
    });
    pieces.collect()
}

/// Reads the first line: a name, possibly bold, with a stereotype before or after it. `is_ours`
/// says whether the lines after it are tags of one of our stereotypes.
fn read_header(
    header: Snippet<'_>,
    is_ours: bool,
    part: &mut FormElement,
    vocabulary: &Vocabulary,
    diagnostics: &mut Diagnostics,
) {
    let mut name = header;
    for (open, close) in [("<<", ">>"), ("«", "»")] {
        let is_angled = open == "<<";
        if let Some(rest) = name.after(open)
            && let Some(end) = rest.text.find(close)
            && is_stereotype(
                rest.part(0, end),
                is_angled,
                is_ours,
                vocabulary,
                diagnostics,
            )
        {
            stereotype(rest.part(0, end), part, diagnostics);
            name = rest.from(end + close.len()).trim();
        }
        if let Some(rest) = name.before(close)
            && let Some(start) = rest.text.rfind(open)
            && is_stereotype(
                rest.from(start + open.len()),
                is_angled,
                is_ours,
                vocabulary,
                diagnostics,
            )
        {
            stereotype(rest.from(start + open.len()), part, diagnostics);
            name = rest.part(0, start).trim();
        }
    }
    let bold = name.after("**").and_then(|it| it.before("**"));
    let name = bold.unwrap_or(name);
    if !name.text.is_empty() {
        part.set("name", name.value());
    }
}

/// Returns `true` if a name is one of our stereotypes, even misspelled. Text in guillemets can also
/// be a quotation, or a stereotype of another profile.
fn is_stereotype(
    name: Snippet<'_>,
    is_angled: bool,
    is_ours: bool,
    vocabulary: &Vocabulary,
    diagnostics: &mut Diagnostics,
) -> bool {
    let text = name.trim().text;
    let names = vocabulary.kinds().map(StereotypeKind::name);
    if text.is_empty() || vocabulary.kind_named(text).is_some() {
        return true;
    }
    if is_angled && (is_ours || similar_stereotype(text, names).is_some()) {
        return true;
    }
    if is_angled {
        let message = format!("`{}` is not a stereotype of the profile", shorten(text));
        let help = "it remains part of the name and has no other meaning";
        let rule = &rules::FOREIGN_STEREOTYPE;
        diagnostics.push(Diagnostic::new(rule, name.span(), message).help(help));
    }
    false
}

fn stereotype(name: Snippet<'_>, part: &mut FormElement, diagnostics: &mut Diagnostics) {
    let name = name.trim();
    if name.text.is_empty() {
        return;
    }
    if part.has("stereotype") {
        let help = "give an element only one stereotype";
        diagnostics.push(problem(
            name.span(),
            "the element has two stereotypes",
            help,
        ));
        return;
    }
    part.set("stereotype", name.value());
}

/// Reads a line after the first: a tag or a local variable.
fn read_line(line: Snippet<'_>, part: &mut FormElement, diagnostics: &mut Diagnostics) {
    if declarations::is_local(line) {
        part.children.extend(declarations::local(line, diagnostics));
        return;
    }
    if let Some((name, value)) = tag(line) {
        set(part, name, value, line.span(), diagnostics);
        return;
    }
    let message = format!("`{}` is not a tag", shorten(line.text));
    let help = "after the name, each line of a label must be `tag = value`; write code in a note \
                that begins with `code`";
    diagnostics.push(problem(line.span(), message, help));
}

/// Splits `name = value` into the name and the value.
pub(super) fn tag(line: Snippet<'_>) -> Option<(&str, Text)> {
    let end = line.text.find('=')?;
    let name = line.part(0, end).trim();
    let value = line.from(end + 1).trim();
    let mut characters = name.text.chars();
    let begins = characters.next().is_some_and(|c| c.is_ascii_alphabetic());
    let is_name = begins && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !value.text.starts_with('=')).then(|| (name.text, value.value()))
}

/// Sets a tag. Reports a tag that is already set.
pub(super) fn set(
    part: &mut FormElement,
    tag: &str,
    value: Text,
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    // A tag `name` is the name of a lock, because an element's name is on the first line of its
    // label.
    let name = attribute_of(tag);
    if part.has(name) {
        let message = format!("the tag `{tag}` has two values");
        diagnostics.push(problem(span, message, "keep one of them"));
        return;
    }
    part.set(name.to_owned(), value);
}
