//! Escapes text so that `PlantUML` finds no markup in it. Characters that could be markup become
//! character codes, such as `<U+0041>`.

use std::fmt::Write as _;

/// Names of tags in `PlantUML`'s markup.
const TAGS: &[&str] = &[
    "b", "i", "u", "s", "w", "plain", "color", "size", "back", "font", "img", "sub", "sup", "code",
    "math", "latex", "del", "strike", "sprite", "style",
];

pub(super) fn inline(text: &str) -> String {
    escaped(text, false)
}

/// Escapes text on separate lines, as in a note.
pub(super) fn lines(text: &str) -> String {
    let text = text.trim_end();
    // White space before the first line isn't part of the text.
    let text = match text.trim_start_matches(' ') {
        begin if begin.starts_with(['\n', '\r']) => begin.trim_start(),
        _ => text,
    };
    let lines = text.lines().map(|line| whole_line(line.trim_end()));
    let lines = lines.collect::<Vec<_>>().join("\n");
    match lines.strip_prefix(' ') {
        Some(rest) => format!("<U+0020>{rest}"),
        None => lines,
    }
}

/// Escapes text that is at the start of a line.
pub(super) fn whole_line(text: &str) -> String {
    let words = text.trim_start_matches(' ');
    let begins = words.starts_with("end") || words.starts_with(|c| "*#=|.'@!:-_/\\".contains(c));
    let indent = &text[..text.len() - words.len()];
    format!("{indent}{}", escaped(words, begins))
}

pub(super) fn ends_label(line: &str) -> bool {
    line.ends_with([';', '|', '<', '>', '/', ']', '}']) && !line.ends_with(">>")
}

/// Keeps brackets if all of them match. Otherwise, replaces them with character codes.
pub(super) fn paired(text: &str, open: char, close: char) -> String {
    let mut depth = 0_usize;
    let is_paired = text.chars().all(|c| {
        depth += usize::from(c == open);
        let closes = c != close || depth > 0;
        depth -= usize::from(c == close && depth > 0);
        closes
    });
    if is_paired && depth == 0 {
        return text.to_owned();
    }
    without(text, &format!("{open}{close}"))
}

/// Replaces these characters with character codes.
pub(super) fn without(text: &str, characters: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        if characters.contains(c) {
            code_point(&mut written, c);
        } else {
            written.push(c);
        }
    }
    written
}

fn escaped(text: &str, first: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    let length = text.len();
    let mut before = ' ';
    let mut first = first;
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let next = rest.chars().next();
        let is_edge = c.is_whitespace() && (at == 0 || at + c.len_utf8() == length);
        let is_first = first && !c.is_whitespace();
        if is_edge || is_first || is_markup(c, before, next, rest) {
            code_point(&mut escaped, c);
        } else {
            escaped.push(c);
        }
        first &= !is_first;
        before = c;
    }
    escaped
}

/// Returns `true` if a character hides text, or `PlantUML` could read it as markup.
fn is_markup(c: char, before: char, next: Option<char>, rest: &str) -> bool {
    match c {
        '<' => before == '<' || is_tag(rest),
        '\\' | '~' | '$' | '«' | '»' => true,
        '%' => next.is_some_and(char::is_alphabetic),
        '\'' => before == '/' || next == Some('/'),
        '*' | '/' | '_' | '-' | '"' | '[' | '{' | '>' => c == before,
        c => c.is_control() || c == '\u{a0}' || prophet_text::plain::is_hidden(c),
    }
}

/// Returns `true` if `rest`, the text after a `<`, is the rest of a markup tag.
fn is_tag(rest: &str) -> bool {
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    if rest.starts_with(['&', '$', ':', '<', '/', '#']) || rest.starts_with("U+") {
        return true;
    }
    let end = rest
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(rest.len());
    TAGS.contains(&rest[..end].to_ascii_lowercase().as_str())
}

fn code_point(text: &mut String, c: char) {
    let _ = write!(text, "<U+{:04X}>", u32::from(c));
}
