//! Rewords serde's errors about TOML and JSON files for users.

use std::fmt;
use std::ops::Range;

use crate::fitted;
use crate::similar::did_you_mean;

/// Maximum width of a name or value from a file, in columns.
const WIDTH: usize = 60;

/// Rewords an error about JSON for users, without the place in the file.
///
/// ```
/// use prophet_text::json_mistake;
///
/// let of_serde = "EOF while parsing an object at line 2 column 0";
/// assert_eq!(json_mistake(of_serde), "the file is cut off; write or copy it again");
/// assert_eq!(json_mistake("missing field `id` at line 1 column 7"), "missing key `id`");
/// ```
pub fn json_mistake(error: impl fmt::Display) -> String {
    let text = error.to_string();
    let text = text
        .rsplit_once(" at line ")
        .map_or(&*text, |(text, _)| text);
    if text.starts_with("EOF while parsing") {
        return "the file is cut off; write or copy it again".to_owned();
    }
    entry_mistake(text)
}

/// Rewords a serde error for users: suggests the most similar key for an unknown one, names a
/// missing key, or says which type is expected.
///
/// ```
/// use prophet_text::entry_mistake;
///
/// let of_serde = "unknown field `node`, expected one of `name`, `nodes`, `source`";
/// assert_eq!(entry_mistake(of_serde), "unknown key `node`; did you mean `nodes`?");
/// assert_eq!(entry_mistake("missing field `name`"), "missing key `name`");
/// let of_serde = "invalid type: string \"8\", expected u32";
/// let expected = "expected a whole number, 0 or more, found \"8\"; write it without quotes";
/// assert_eq!(entry_mistake(of_serde), expected);
/// ```
pub fn entry_mistake(message: &str) -> String {
    let message = message.trim_end();
    if let Some(key) = message.strip_prefix("missing field ") {
        return format!("missing key {key}");
    }
    for (begin, what, all) in [
        ("unknown field `", "key", "the keys here are"),
        ("unknown variant `", "value", "the values are"),
    ] {
        let unknown = message.strip_prefix(begin);
        let Some((name, known)) = unknown.and_then(|rest| rest.split_once('`')) else {
            continue;
        };
        let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        let near = did_you_mean(name, known.iter().copied());
        let name = fitted(name, WIDTH);
        if near.is_empty() && !known.is_empty() {
            return format!("unknown {what} `{name}`: {all} `{}`", known.join("`, `"));
        }
        return format!("unknown {what} `{name}`{near}");
    }
    let mut parts = ["invalid type: ", "invalid value: "].iter();
    let parts = parts.find_map(|it| message.strip_prefix(it));
    let Some((found, expected)) = parts.and_then(|parts| parts.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let found = plain_value(found);
    let is_number = found.trim_matches('"').parse::<f64>().is_ok();
    let expected = match expected {
        "i64" => "a whole number",
        "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "f64" => "a number",
        "a string" => "text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        other if other.starts_with("struct ") => "keys with values",
        other => other,
    };
    let help = if found.starts_with('"') && is_number && expected.contains("number") {
        "; write it without quotes"
    } else {
        ""
    };
    format!("expected {expected}, found {}{help}", fitted(found, WIDTH))
}

/// Removes serde's name of a type from a value, such as `integer` from `` integer `7` ``.
fn plain_value(found: &str) -> &str {
    let types = ["string ", "integer ", "floating point ", "boolean "];
    let value = types.iter().find_map(|it| found.strip_prefix(it));
    match found {
        "sequence" => "a list",
        "map" => "a table",
        _ => value.unwrap_or(found).trim_matches('`'),
    }
}

/// Rewords an error about a TOML file like [`entry_mistake`], and shows the right line if the
/// mistake is in the syntax.
///
/// ```
/// use prophet_text::toml_mistake;
///
/// let quotes = "string values must be quoted, expected literal string";
/// let told = toml_mistake("a = 1\nbind = compact\n", Some(13..20), quotes);
/// assert_eq!(told, "write the value in quotes: `bind = \"compact\"`");
/// let told = toml_mistake("a = 1\nb = 2\na = 3", Some(12..13), "duplicate key");
/// assert_eq!(told, "`a` is already set in line 1; delete one of the lines");
/// let told = toml_mistake("a = 1,\n", Some(5..5), "unexpected key or value, expected newline");
/// assert_eq!(told, "delete the comma at the end of the line");
/// let newline = "unexpected key or value, expected newline";
/// let told = toml_mistake("a = 1, b = 2", Some(5..5), newline);
/// assert_eq!(told, "expected a new line, found `,`; write each key on a line of its own");
/// let told = toml_mistake("a: b", Some(4..4), "key with no value, expected `=`");
/// assert_eq!(told, "expected `=`, found `:`; this file is TOML: write `a = \"b\"`");
/// ```
pub fn toml_mistake(text: &str, span: Option<Range<usize>>, message: &str) -> String {
    let at = span.map_or(0, |span| span.start);
    let after = text.get(at..).unwrap_or_default();
    let (before, line) = line_at(text, at);
    let told = match message.split(',').next().unwrap_or_default() {
        "string values must be quoted" => in_quotes(line),
        "duplicate key" => set_before(before, line),
        "unexpected key or value" if after.starts_with(',') => {
            Some(if after[1..].trim_start_matches(' ').starts_with('\n') {
                "delete the comma at the end of the line".to_owned()
            } else {
                "expected a new line, found `,`; write each key on a line of its own".to_owned()
            })
        }
        "key with no value" => line.split_once(':').map(|(key, value)| {
            let right = right_line(key, value);
            format!("expected `=`, found `:`; this file is TOML: write `{right}`")
        }),
        _ => None,
    };
    told.unwrap_or_else(|| entry_mistake(message))
}

/// Returns the line at a place in a text, and the lines before it.
pub fn line_at(text: &str, at: usize) -> (&str, &str) {
    let start = text.get(..at).unwrap_or(text);
    let start = start.rfind('\n').map_or(0, |at| at + 1);
    let (before, rest) = text.split_at(start);
    (before, rest.lines().next().unwrap_or_default())
}

fn in_quotes(line: &str) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    Some(if value.trim().is_empty() {
        format!("`{}` needs a value", fitted(key.trim(), WIDTH))
    } else {
        format!("write the value in quotes: `{}`", right_line(key, value))
    })
}

/// Writes a line of TOML. Its value gets quotes unless it is a number or has them.
fn right_line(key: &str, value: &str) -> String {
    let [key, value] = [key, value].map(|it| fitted(it.trim(), WIDTH));
    let is_right = value.starts_with(['"', '\'', '[', '{']) || value.parse::<f64>().is_ok();
    if is_right {
        format!("{key} = {value}")
    } else {
        format!("{key} = \"{value}\"")
    }
}

/// Finds the line that sets the key of `line` in the same table before.
fn set_before(before: &str, line: &str) -> Option<String> {
    let key = |line: &str| line.split('=').next().unwrap_or(line).trim().to_owned();
    let wanted = key(line);
    let is_table = wanted.starts_with('[');
    let lines = before.lines().rev();
    let mut near = lines.take_while(|it| is_table || !it.trim_start().starts_with('['));
    let back = near.position(|it| key(it) == wanted)?;
    let (name, number) = (
        wanted.trim_matches(['[', ']']),
        before.lines().count() - back,
    );
    let name = fitted(name, WIDTH);
    Some(format!(
        "`{name}` is already set in line {number}; delete one of the lines"
    ))
}
