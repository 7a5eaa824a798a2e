//! Renders diagnostics as text and as JSON.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet, normalize_untrusted_str};
use serde::Serialize;

use super::{Diagnostic, Severity};
use crate::source::Source;
use crate::source::lines::Lines;
use prophet_map::Map;

/// Maximum number of characters of a source line to show. Longer lines are cut around the problem.
const LINE_WIDTH: usize = 78;

/// Maximum number of problems of a kind to show with their source lines.
const SHOWN_MAX: usize = 5;

const LISTED_MAX: usize = 10;

/// Number of characters to show before the problem if a line is cut.
const CONTEXT_WIDTH: usize = 20;

pub(super) fn human(source: &Source, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    // Lines have already been cut, with marks, so the renderer mustn't cut them again.
    let renderer = renderer.term_width(2 * LINE_WIDTH);
    let lines = Lines::of(source);
    let mut kinds: Map<(&str, Severity), Vec<&Diagnostic>> = Map::new();
    for it in diagnostics.iter().filter(|it| !it.is_elsewhere) {
        kinds.get_or_default((&it.code, it.severity)).push(it);
    }
    let mut text = String::new();
    for it in diagnostics.iter().filter(|it| !it.is_elsewhere) {
        let kind = kinds.get(&(&*it.code, it.severity));
        let alike = kind.map_or(&[][..], Vec::as_slice);
        let is_many = alike.len() > SHOWN_MAX;
        if is_many && !std::ptr::eq(alike[0], it) {
            continue;
        }
        text.push_str(&report(source, &lines, it, &renderer));
        if is_many {
            text.push_str(&others(source, &lines, &alike[1..]));
        }
        text.push_str("\n\n");
    }
    let far: Vec<&Diagnostic> = diagnostics.iter().filter(|it| it.is_elsewhere).collect();
    text.push_str(&elsewhere(source, &lines, &far));
    text.pop();
    // The renderer doesn't remove these control characters, and terminals may obey them.
    text.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "\u{fffd}")
}

/// Renders the problems of a kind that aren't shown in full: a line for some of them, and the
/// number of the others.
fn others(source: &Source, lines: &Lines<'_>, others: &[&Diagnostic]) -> String {
    let count = others.len();
    format!(
        "\n  = note: {count} more like this:{}",
        listed(source, lines, others)
    )
}

/// Renders a line for each of the first problems, and counts the others.
fn listed(source: &Source, lines: &Lines<'_>, all: &[&Diagnostic]) -> String {
    let mut text = String::new();
    for it in all.iter().take(LISTED_MAX) {
        let (line, column) = lines.place(it.span.start);
        let message = one_line(&it.message);
        let file = match source.name_at(it.span.start) {
            own if own == source.name => String::new(),
            other => format!("{}:", one_line(other)),
        };
        let _ = write!(text, "\n    {file}{line}:{column}: {message}");
    }
    if all.len() > LISTED_MAX {
        let rest = all.len() - LISTED_MAX;
        let _ = write!(
            text,
            "\n    and {rest} more; `check --format json` lists all"
        );
    }
    text
}

/// Renders problems in parts that the program doesn't reach.
fn elsewhere(source: &Source, lines: &Lines<'_>, all: &[&Diagnostic]) -> String {
    let what = match all.len() {
        0 => return String::new(),
        1 => "1 problem is".to_owned(),
        count => format!("{count} problems are"),
    };
    let listed = listed(source, lines, all);
    let help = "`check --main NAME` shows the problems of another activity";
    format!("warning: {what} that the program does not reach{listed}\n  = help: {help}\n\n")
}

fn report(source: &Source, lines: &Lines<'_>, it: &Diagnostic, renderer: &Renderer) -> String {
    let level = match it.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let (line, column) = lines.place(it.span.start);
    let name = one_line(source.name_at(it.span.start));
    let excerpt = Excerpt::new(&source.text, lines, it);
    let shown_column = excerpt.text[..excerpt.marked.start].chars().count() + 1;
    let snippet = Snippet::source(excerpt.text)
        .path(name.clone())
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(excerpt.marked));
    let mut group = level
        .primary_title(one_line(&it.message))
        .id(one_line(&it.code))
        .element(snippet);
    if !it.element.is_empty() {
        let element = one_line(&it.element);
        group = group.element(Level::NOTE.with_name("element").message(element));
    }
    if !it.help.is_empty() {
        group = group.element(Level::HELP.message(one_line(&it.help)));
    }
    let text = renderer.render(&[group]);
    // The renderer counts columns in the text that it gets, which may start in the middle of a
    // line.
    match text.split_once('\n') {
        Some((title, rest)) if shown_column != column => {
            let shown = format!("{name}:{line}:{shown_column}");
            let place = format!("{name}:{line}:{column}");
            format!("{title}\n{}", rest.replacen(&shown, &place, 1))
        }
        _ => text,
    }
}

/// Replaces everything in a text that could move the terminal's cursor.
fn one_line(text: &str) -> String {
    normalize_untrusted_str(&text.replace(['\n', '\r'], " "))
}

struct Excerpt {
    text: String,
    marked: Range<usize>,
}

impl Excerpt {
    /// Cuts out the line where the problem starts.
    fn new(text: &str, lines: &Lines<'_>, diagnostic: &Diagnostic) -> Self {
        let line = lines.range(diagnostic.span.start);
        let marked_start = diagnostic.span.start.clamp(line.start, line.end);
        let marked_end = diagnostic.span.end.clamp(marked_start, line.end);
        let before = text.get(line.start..marked_start).unwrap_or_default();
        let marked = text.get(marked_start..marked_end).unwrap_or_default();
        let after = text.get(marked_end..line.end).unwrap_or_default();
        if width_within(before, LINE_WIDTH)
            .zip(width_within(marked, LINE_WIDTH))
            .zip(width_within(after, LINE_WIDTH))
            .is_some_and(|((before, marked), after)| before + marked + after <= LINE_WIDTH)
        {
            return Self::join("", before, marked, after, "");
        }
        let before_cut = last_characters(before, CONTEXT_WIDTH);
        let marked_cut = first_characters(marked, LINE_WIDTH - CONTEXT_WIDTH);
        let room = LINE_WIDTH - CONTEXT_WIDTH - marked_cut.chars().count();
        let after_cut = if marked_cut.len() == marked.len() {
            first_characters(after, room)
        } else {
            ""
        };
        let is_cut = after_cut.len() < after.len() || marked_cut.len() < marked.len();
        Self::join(
            if before_cut.len() < before.len() {
                "…"
            } else {
                ""
            },
            before_cut,
            marked_cut,
            after_cut,
            if is_cut { "…" } else { "" },
        )
    }

    fn join(head: &str, before: &str, marked: &str, after: &str, tail: &str) -> Self {
        let start = head.len() + before.len();
        Self {
            text: [head, before, marked, after, tail].concat(),
            marked: start..start + marked.len(),
        }
    }
}

/// Counts the characters of a text; `None` if there are more than `limit`. Reads only as far as
/// needed.
fn width_within(text: &str, limit: usize) -> Option<usize> {
    let width = text.chars().take(limit + 1).count();
    (width <= limit).then_some(width)
}

fn first_characters(text: &str, count: usize) -> &str {
    let end = text
        .char_indices()
        .nth(count)
        .map_or(text.len(), |(at, _)| at);
    &text[..end]
}

fn last_characters(text: &str, count: usize) -> &str {
    let skipped = count.saturating_sub(1);
    let start = text
        .char_indices()
        .rev()
        .nth(skipped)
        .map_or(0, |(at, _)| at);
    &text[start..]
}

/// A diagnostic in the JSON format, which scripts rely on.
#[derive(Serialize)]
struct Record<'a> {
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    element: &'a str,
    file: &'a str,
    line: usize,
    column: usize,
    help: &'a str,
}

pub(super) fn json(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let lines = Lines::of(source);
    let records: Vec<Record<'_>> = diagnostics
        .iter()
        .map(|it| {
            let (line, column) = lines.place(it.span.start);
            Record {
                code: &it.code,
                severity: it.severity.name(),
                message: &it.message,
                element: &it.element,
                file: source.name_at(it.span.start),
                line,
                column,
                help: &it.help,
            }
        })
        .collect();
    let text = serde_json::to_string_pretty(&records);
    prophet_text::plain::json(&text.expect("strings and numbers are always JSON"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use prophet_testing::assert_cases;

    use super::*;
    use crate::diagnostic::{Rule, Span};

    static RULE: Rule = Rule {
        code: "PM0001",
        severity: Severity::Error,
        summary: "A rule of the tests.",
    };

    #[test]
    fn the_line_is_shown_with_the_span() {
        assert_cases("tests/cases/reports.txt", |case| {
            let marked = case.input.replace("\\e", "\u{1b}");
            let (before, rest) = marked.split_once('«').expect("a part is marked");
            let (part, after) = rest.split_once('»').expect("a part is marked");
            let source = Source::new("model.uml", [before, part, after].concat());
            let span = Span::new(before.len(), before.len() + part.len());
            let diagnostic = Diagnostic::new(&RULE, span, "something is wrong")
                .element("Model::Main")
                .help("make it right");
            human(&source, &[diagnostic], false)
        });
    }

    #[test]
    fn sums_up_many_problems_of_a_kind() {
        let source = Source::new("m.uml", "<a/>\n".repeat(20));
        let problem = |number: usize| {
            let span = Span::new(5 * number, 5 * number + 4);
            Diagnostic::new(&RULE, span, format!("{number} is wrong"))
        };
        let mut problems: Vec<Diagnostic> = (0..14).map(problem).collect();
        let mut far = problem(15);
        far.demote_to_warning("M::Far");
        problems.push(far);
        expect_file!["golden/sums_up_many_problems_of_a_kind.txt"]
            .assert_eq(&human(&source, &problems, false));
        assert_eq!(json(&source, &problems).matches("PM0001").count(), 15);
        let few = human(&source, &problems[..5], false);
        assert_eq!(few.matches("error[PM0001]").count(), 5, "{few}");
    }

    #[test]
    fn any_span_has_a_place() {
        let source = Source::new("m", "é\nü".to_owned());
        for (start, end) in [(0, 0), (1, 2), (2, 2), (4, 1), (9, 99), (5, 5)] {
            let it = Diagnostic::new(&RULE, Span::new(start, end), "x");
            assert!(human(&source, std::slice::from_ref(&it), true).contains("PM0001"));
            assert!(json(&source, &[it]).contains("PM0001"));
        }
    }

    #[test]
    fn writes_json_with_the_keys_of_the_contract() {
        let source = Source::new("m.uml", "<a>\n é b".to_owned());
        let it = Diagnostic::new(&RULE, Span::new(8, 9), "it is \"wrong\"").element("M::A");
        expect_file!["golden/writes_json_with_the_keys_of_the_contract.txt"]
            .assert_eq(&json(&source, &[it]));
    }
}
