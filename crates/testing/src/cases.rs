//! Compares answers with the expected answers in files of cases.
//!
//! ```text
//! Remarks on the file.
//!
//! === title of a case
//! what goes in
//! ---
//! what is expected
//!
//! === title of the next case
//! ```
//!
//! A title is one or more lines that start with `===`. `UPDATE_EXPECT=1` writes the actual answers
//! into the file.

use std::any::Any;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

const TITLE: &str = "===";

const SEPARATOR: &str = "---";

#[derive(Debug)]
pub struct Case<'a> {
    /// The lines of the title, without `===`, joined with spaces.
    pub title: String,
    /// The input, without the trailing newline.
    pub input: &'a str,
    head: &'a str,
    pub expected: &'a str,
}

/// Asserts that `answer` returns the expected answer for each case in a file, ignoring trailing
/// whitespace. The path is relative to the crate's folder.
///
/// # Panics
///
/// Panics if answers differ, with a message that shows all differences. Also panics if the file
/// contains no cases or duplicate titles, or if `answer` panics. A panic is never written to the
/// file as an answer.
pub fn assert_cases(file: impl AsRef<Path>, mut answer: impl FnMut(&Case<'_>) -> String) {
    let file = file.as_ref();
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (remarks, cases) = split(&text);
    assert!(!cases.is_empty(), "{} has no cases", file.display());
    let (mut different, mut panicked) = (String::new(), String::new());
    let mut written = remarks.to_owned();
    for (number, case) in cases.iter().enumerate() {
        let is_known = cases[..number].iter().any(|it| it.title == case.title);
        assert!(!is_known, "{}: two cases `{}`", file.display(), case.title);
        let place = format!("{}: {}", file.display(), case.title);
        let found = catch_unwind(AssertUnwindSafe(|| answer(case))).unwrap_or_else(|panic| {
            let _ = writeln!(panicked, "{place}\n{}\n", message(&*panic));
            case.expected.to_owned()
        });
        let (found, expected) = (found.trim_end(), case.expected.trim_end());
        let between = if number + 1 < cases.len() { "\n" } else { "" };
        let _ = write!(written, "{}{SEPARATOR}\n{found}\n{between}", case.head);
        if found != expected {
            let _ = writeln!(different, "{place}\n{}", difference(expected, found));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(file, written).expect("the file can be written");
    } else {
        let help = "if what is found is right, UPDATE_EXPECT=1 writes it";
        assert!(different.is_empty(), "\n{panicked}{different}{help}");
    }
    assert!(panicked.is_empty(), "\n{panicked}");
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a text")
}

fn difference(expected: &str, found: &str) -> String {
    let at = expected.lines().zip(found.lines());
    let at = at.take_while(|(expected, found)| expected == found).count();
    let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    format!(
        "line {} should be\n{}\nand is\n{}\nall that is found:\n{found}\n",
        at + 1,
        line(expected),
        line(found)
    )
}

/// Splits a file into its initial remarks and its cases.
fn split(text: &str) -> (&str, Vec<Case<'_>>) {
    let is_title = |line: &str| line.starts_with(TITLE);
    let mut starts = Vec::new();
    let (mut at, mut in_title) = (0, false);
    for line in text.split_inclusive('\n') {
        if is_title(line) && !in_title {
            starts.push(at);
        }
        in_title = is_title(line);
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let cases = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| case(&text[*start..end]));
    let remarks = &text[..starts.first().copied().unwrap_or_default()];
    (remarks, cases.collect())
}

fn case(text: &str) -> Case<'_> {
    let titles = text.lines().take_while(|line| line.starts_with(TITLE));
    let title: Vec<&str> = titles
        .clone()
        .map(|line| line[TITLE.len()..].trim())
        .collect();
    let input = titles
        .map(|line| line.len() + 1)
        .sum::<usize>()
        .min(text.len());
    let separator = format!("\n{SEPARATOR}\n");
    // The separator can directly follow the title.
    let found = text[input - 1..].find(&separator).map(|at| input + at);
    let (head, expected) = match found {
        Some(at) => (&text[..at], &text[at + SEPARATOR.len() + 1..]),
        None => (text, ""),
    };
    let input = head.get(input..).unwrap_or_default();
    Case {
        title: title.join(" "),
        input: input.strip_suffix('\n').unwrap_or(input),
        head,
        expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "Remark.\n\n=== one\n=== more\na\n\nb\n---\nA\n\nB\n\n=== two\n---\n";

    #[test]
    fn a_file_has_remarks_and_cases() {
        let (remarks, cases) = split(FILE);
        assert_eq!(remarks, "Remark.\n\n");
        let parts = cases.iter().map(|it| (&*it.title, it.input, it.expected));
        let expected = [("one more", "a\n\nb", "A\n\nB\n\n"), ("two", "", "")];
        assert!(parts.eq(expected), "{FILE}");
    }

    #[test]
    fn the_case_that_differs_is_named_with_its_first_line() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("cases.txt");
        std::fs::write(&file, FILE).expect("it can be written");
        let upper = |case: &Case<'_>| case.input.to_uppercase();
        assert_cases(&file, upper);
        let wrong = |case: &Case<'_>| {
            assert_ne!(case.title, "two", "a case that panics");
            upper(case).replace('B', "C")
        };
        let failed = std::panic::catch_unwind(|| assert_cases(&file, wrong));
        let text = failed.expect_err("a case differs");
        let text = text.downcast_ref::<String>().expect("it is a text");
        let place = "cases.txt: one more\nline 3 should be\nB\nand is\nC\n";
        assert!(text.contains(place), "{text}");
        assert!(text.contains("cases.txt: two\nassertion `left != right` failed: a case"));
    }
}
