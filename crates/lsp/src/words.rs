//! Completes stereotypes, tags, names, functions, and keywords in text models.

use prophet_edit::{Profiles, profile::Stereotype};
use prophet_frontend::lang::functions;
use prophet_frontend::lang::ir::System;
use prophet_model::plantuml::words::{declarations, statements};
use serde_json::{Value, json};

use crate::names::Names;

const FUNCTION: u8 = 3;
const VARIABLE: u8 = 6;
const CLASS: u8 = 7;
const PROPERTY: u8 = 10;
const KEYWORD: u8 = 14;
const CONSTANT: u8 = 21;

/// Returns the completions at a byte in a text model.
pub(crate) fn completions(
    text: &str,
    offset: usize,
    names: &Names,
    profiles: &Profiles,
) -> Vec<Value> {
    let before = &text[..offset];
    let line = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
    if is_stereotype(line) {
        return profiles.stereotypes().map(stereotype).collect();
    }
    let mut found = Vec::new();
    let label = label_around(before);
    if let Some(stereotype) = label.and_then(|it| applied(it, profiles))
        && !line.contains('=')
        && line
            .trim_start()
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_')
    {
        found.extend(stereotype.tags.iter().map(|tag| {
            let insert = format!("{} = ", tag.name);
            item(
                &tag.name,
                PROPERTY,
                &tag.type_name,
                &tag.about,
                Some(&insert),
            )
        }));
        return found;
    }
    if line.trim_start().len() == line.trim_start().trim_matches(char::is_alphabetic).len()
        || line.trim().chars().all(char::is_alphabetic)
    {
        let keywords = statements().chain(declarations().map(str::to_owned));
        found.extend(keywords.map(|it| item(&it, KEYWORD, "", "", None)));
    }
    for declared in &names.declared {
        let kind = if declared.is_function {
            FUNCTION
        } else {
            VARIABLE
        };
        found.push(item(
            &declared.name,
            kind,
            &declared.signature,
            &declared.comment,
            None,
        ));
    }
    let system = System::ALL.into_iter();
    found.extend(system.map(|it| item(it.name(), CONSTANT, "constant of the run", "", None)));
    found.extend(functions().map(|it| item(it, FUNCTION, "function", "", None)));
    found
}

fn stereotype(it: &Stereotype) -> Value {
    item(&it.name, CLASS, &it.on.join(", "), &it.about, None)
}

fn item(label: &str, kind: u8, detail: &str, about: &str, insert: Option<&str>) -> Value {
    let mut item = json!({ "label": label, "kind": kind });
    let texts = [("detail", detail), ("documentation", about)];
    for (key, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        item[key] = text.into();
    }
    if let Some(insert) = insert {
        item["insertText"] = insert.into();
    }
    item
}

/// Returns `true` if a stereotype is still open at the end of a line, after its `<<`.
fn is_stereotype(line: &str) -> bool {
    line.rfind("<<")
        .is_some_and(|begin| !line[begin..].contains(">>"))
}

/// Returns the label of an action or partition around a position, up to that position.
fn label_around(before: &str) -> Option<&str> {
    let action = before.rfind("\n:").map(|it| it + 1);
    let indented = before.rfind(" :<<").map(|it| it + 1);
    let begin = action.max(indented)?;
    let label = &before[begin..];
    (!label.contains(";\n")).then_some(label)
}

pub(crate) fn applied<'p>(label: &str, profiles: &'p Profiles) -> Option<&'p Stereotype> {
    let name = label.split_once("<<")?.1.split_once(">>")?.0.trim();
    profiles.stereotype(name).map(|(_, it)| it)
}
