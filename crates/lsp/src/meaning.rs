//! Writes hover texts: meanings, declarations, and shares of the predicted time.

use std::ops::Range;

use prophet_edit::Profiles;
use prophet_edit::profile::Tag;
use prophet_model::model::{Element, Model};
use prophet_runtime::Prediction;

use crate::names::Names;
use crate::position::word_at;
use crate::prediction;
use crate::words::applied;

/// Returns the Markdown to show when the mouse points at a byte, and the range that it describes.
pub(crate) fn meaning(
    text: &str,
    offset: usize,
    names: &Names,
    profiles: &Profiles,
    ran: Option<(&Model, &Prediction)>,
) -> Option<(String, Range<usize>)> {
    let word = word_at(text, offset);
    if let Some(found) = stereotype(text, &word, profiles) {
        return Some(found);
    }
    let name = &text[word.clone()];
    if name.is_empty() {
        return None;
    }
    if let Some(declared) = names.named(name).next() {
        let mut shown = format!("```c\n{}\n```", declared.signature);
        if !declared.comment.is_empty() {
            shown = format!("{shown}\n\n{}", declared.comment);
        }
        return Some((shown, word));
    }
    if let Some(found) = tag(text, &word, profiles) {
        return Some((found, word));
    }
    let (model, prediction) = ran?;
    let around = |it: &&Element| it.span.range().contains(&offset) && !it.name.is_empty();
    let elements = model.elements.iter().filter(around);
    // Elements start after those that contain them, so this is the innermost one.
    let element = elements.max_by_key(|it| it.span.start)?;
    let share = prediction::share(prediction, &element.name)?;
    Some((
        format!("**{}**: {share}", element.name),
        element.span.range(),
    ))
}

/// Returns the purpose of the stereotype that contains a word, as in `<<action+>>`.
fn stereotype(
    text: &str,
    word: &Range<usize>,
    profiles: &Profiles,
) -> Option<(String, Range<usize>)> {
    let begin = text[..word.end].rfind("<<")?;
    let end = begin + text[begin..].find(">>")? + 2;
    let name = text.get(begin + 2..end - 2)?.trim();
    if word.end > end || name.contains('\n') {
        return None;
    }
    let (_, stereotype) = profiles.stereotype(name)?;
    let mut lines = vec![format!("**{name}**: {}", stereotype.about)];
    let tag = |it: &Tag| format!("- `{}` ({}) {}", it.name, it.type_name, it.about);
    lines.extend(stereotype.tags.iter().map(tag));
    let shown = lines.join("\n");
    Some((shown, begin..end))
}

/// Returns the purpose of a tag: the first word on a line of a label, before `=`.
fn tag(text: &str, word: &Range<usize>, profiles: &Profiles) -> Option<String> {
    let behind = text[word.end..].trim_start_matches([' ', '\t']);
    let line = &text[text[..word.start].rfind('\n').map_or(0, |it| it + 1)..word.start];
    if !behind.starts_with('=') || !line.trim().is_empty() {
        return None;
    }
    let label = &text[text[..word.start].rfind("<<")?..];
    let stereotype = applied(label, profiles)?;
    let tag = stereotype
        .tags
        .iter()
        .find(|it| it.name == text[word.clone()])?;
    Some(format!("`{}` ({}): {}", tag.name, tag.type_name, tag.about))
}
