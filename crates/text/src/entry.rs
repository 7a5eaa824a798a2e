//! Rewords serde's errors about TOML and JSON files for users.

use std::fmt;

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
/// assert_eq!(entry_mistake(of_serde), "expected a whole number, 0 or more, found string \"8\"");
/// ```
pub fn entry_mistake(message: &str) -> String {
    let message = message.trim_end();
    if message.starts_with("string values must be quoted") {
        return "write the text in quotes, such as `\"compact\"`".to_owned();
    }
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
    let expected = match expected {
        "i64" => "a whole number",
        "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "f64" => "a number",
        "a string" => "a text",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        other if other.starts_with("struct ") => "keys with values",
        other => other,
    };
    format!("expected {expected}, found {}", fitted(found, WIDTH))
}
