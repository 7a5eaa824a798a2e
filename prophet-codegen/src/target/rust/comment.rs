//! Turns a model's comments into Rust documentation.

use prophet_text::plain::is_hidden;

/// Maximum number of lines that are kept of a comment, and of characters in each line.
const LINES_MAX: usize = 40;
const CHARS_MAX: usize = 400;

/// Maximum length of a line of documentation: 100 columns minus the slashes and the indentation of
/// a block.
const COLUMNS: usize = 92;

/// Returns the documentation of an item: a title, and the comment in the model.
pub(super) fn docs(title: &str, comment: Option<&str>) -> Vec<String> {
    let mut paragraphs = comment.map(paragraphs).unwrap_or_default();
    match paragraphs.first_mut() {
        Some(first) => *first = format!("{title}: {first}"),
        None => paragraphs.push(title.to_owned()),
    }
    wrap_all(&paragraphs)
}

/// Returns a comment in the model as lines of documentation without markup.
pub(super) fn comment_lines(comment: &str) -> Vec<String> {
    wrap_all(&paragraphs(comment))
}

/// Returns the lines of a comment, escaped.
fn paragraphs(comment: &str) -> Vec<String> {
    let mut lines: Vec<String> = comment
        .split(['\n', '\r'])
        .map(|line| {
            let line = line.chars().filter(|c| !is_hidden(*c)).take(CHARS_MAX);
            let mut escaped = String::new();
            for c in line {
                if matches!(c, '[' | ']' | '<' | '>' | '`' | '\\' | '*' | '_' | '#') {
                    escaped.push('\\');
                }
                escaped.push(if c == '\t' { ' ' } else { c });
            }
            escaped.trim().to_owned()
        })
        .take(LINES_MAX)
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn wrap_all(paragraphs: &[String]) -> Vec<String> {
    paragraphs.iter().flat_map(|line| wrap(line)).collect()
}

/// Breaks a line at spaces. The lines of a list item are indented, so that they stay in the item.
fn wrap(line: &str) -> Vec<String> {
    let indent = match line.split(' ').next() {
        Some(first) if is_list_marker(first) => " ".repeat(first.len() + 1),
        _ => String::new(),
    };
    let mut lines = Vec::new();
    let mut last = String::new();
    for word in line.split(' ') {
        let columns = last.chars().count() + 1 + word.chars().count();
        // If a line started with a marker, it would start a list.
        if !last.trim().is_empty() && columns > COLUMNS && !is_list_marker(word) {
            lines.push(std::mem::replace(&mut last, format!("{indent}{word}")));
            continue;
        }
        if !last.is_empty() {
            last.push(' ');
        }
        last.push_str(word);
    }
    lines.push(last);
    lines
}

/// Returns `true` if Markdown takes the word for the marker of a list or heading when it starts a
/// line.
fn is_list_marker(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')']);
    let counts = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    (counts && number.len() < word.len()) || matches!(word, "-" | "+" | "--" | "---" | "=" | "==")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let words = "word ".repeat(50);
        let lines = docs("Diagram `Main`", Some(&words));
        assert_eq!(lines.len(), 3);
        assert!(
            lines
                .iter()
                .all(|line| line.len() <= COLUMNS && line.len() > COLUMNS - 10)
        );
        assert_eq!(
            lines.join(" "),
            format!("Diagram `Main`: {}", words.trim_end())
        );
        assert_eq!(comment_lines(&"x".repeat(200)), ["x".repeat(200)]);
        assert_eq!(comment_lines("one\n\ntwo\n\n"), ["one", "", "two"]);
    }

    #[test]
    fn lists_stay_lists_and_text_becomes_none() {
        let item = format!("- {}", "word ".repeat(20));
        let lines = comment_lines(&item);
        assert!(
            lines.len() == 2 && lines[1].starts_with("  word"),
            "{lines:?}"
        );
        for marker in ["-", "+", "12.", "3)"] {
            let before = "x".repeat(COLUMNS - 1);
            let lines = comment_lines(&format!("{before} {marker} behind"));
            assert_eq!(lines, [format!("{before} {marker}"), "behind".to_owned()]);
        }
    }

    #[test]
    fn nothing_is_markup() {
        assert_eq!(
            comment_lines("# [a](b) <c> *d*"),
            [r"\# \[a\](b) \<c\> \*d\*"]
        );
    }
}
