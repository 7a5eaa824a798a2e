//! Finds the places in a text model where assumptions can be written.

use super::snippet::{self, Snippet};
use super::statements::{self, equal};
use super::{is_begin, is_end};
use crate::diagnostic::Span;

/// A `switch` that is going to be rewritten as an `if`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The first line, without white space around it.
    pub begin: Span,
    /// The cases, in order.
    pub cases: Vec<Case>,
    /// The last line, without white space around it.
    pub end: Span,
}

/// A case of a [`Switch`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The line, without white space around it.
    pub line: Span,
    pub value: String,
    /// The condition that the case becomes.
    pub condition: String,
}

/// Finds the `switch` around the `case` on the line at `place`; `None` if the line isn't a `case`.
pub fn switch_at(text: &str, place: Span) -> Option<Switch> {
    let lines: Vec<Snippet<'_>> = snippet::lines(text).collect();
    let at = lines
        .partition_point(|it| it.at <= place.start)
        .checked_sub(1)?;
    let word = |line: &Snippet<'_>| line.word().0.to_ascii_lowercase();
    if word(&lines[at]) != "case" {
        return None;
    }
    let ends = |line: &Snippet<'_>| {
        let (first, rest) = line.word();
        first.eq_ignore_ascii_case("endswitch")
            || first.eq_ignore_ascii_case("end") && rest.ended().text.eq_ignore_ascii_case("switch")
    };
    let mut depth = 0_usize;
    let begin = (0..at).rev().find(|line| {
        let line = &lines[*line];
        depth += usize::from(ends(line));
        let begins = word(line) == "switch";
        let found = begins && depth == 0;
        depth -= usize::from(begins && depth > 0);
        found
    })?;
    let (subject, _) = statements::condition_in(lines[begin].word().1)?;
    let mut cases = Vec::new();
    for line in &lines[begin + 1..] {
        if word(line) == "switch" {
            depth += 1;
        } else if ends(line) && depth > 0 {
            depth -= 1;
        } else if ends(line) {
            let [begin, end] = [lines[begin].span(), line.span()];
            return Some(Switch { begin, cases, end });
        } else if word(line) == "case" && depth == 0 {
            let (value, _) = statements::condition_in(line.word().1)?;
            cases.push(Case {
                line: line.span(),
                value: value.text.to_owned(),
                condition: equal(subject, value).value,
            });
        }
    }
    None
}

/// Finds the condition on the line at `place`, and whether its label `(no)` negates it; `None` if
/// the line has no condition. `(x) is (5)` and `(x) equals (5)` each count as one condition.
pub fn condition_at(text: &str, place: Span) -> Option<(Span, bool)> {
    let begin = text[..place.start]
        .rfind(['\n', '\r'])
        .map_or(0, |at| at + 1);
    let (condition, mut rest, is_loop) = conditions(text, begin)?;
    let mut span = condition.span();
    let mut turned = false;
    if let Some((value, is)) = statements::beside(rest)
        && let Some((value, behind)) = statements::condition_in(value)
    {
        rest = behind;
        match statements::holds(value.text) {
            Some(holds) => turned = !holds,
            None if statements::is_value(condition, value, is && is_loop) => {
                span.end = value.span().end;
            }
            None => {}
        }
    }
    let label = rest
        .after_word("then")
        .unwrap_or(rest)
        .parenthesis('(', ')');
    let label = label.and_then(|(label, _)| statements::holds(label.text));
    Some((span, label.map_or(turned, |holds| !holds)))
}

/// Returns the condition of the statement at `begin`, the text after it, and whether the statement
/// is a loop.
fn conditions(text: &str, begin: usize) -> Option<(Snippet<'_>, Snippet<'_>, bool)> {
    let ends = text[begin..].match_indices('\n').map(|(at, _)| begin + at);
    let ends = ends
        .chain([text.len()])
        .take(statements::CONDITION_LINES_MAX);
    ends.map(|end| Snippet { text, at: 0 }.part(begin, end).trim())
        .find_map(|lines| {
            let (begin, is_loop) = statements::condition_begin(lines)?;
            let (condition, rest) = statements::condition_in(begin)?;
            Some((condition, rest, is_loop))
        })
}

/// Finds the label of the action that starts on the line at `place`, even if it ends on a later
/// line; `None` if no action starts there.
pub fn label_at(text: &str, place: Span) -> Option<Span> {
    let mut lines = snippet::lines(text).skip_while(|it| it.span().end <= place.start);
    let first = statements::action_begin(lines.next()?)?;
    let end = std::iter::once(first)
        .chain(lines)
        .take_while(|it| !is_end(it.text))
        .find_map(statements::label_end)?;
    Some(Span::new(first.at, end.text.span().end))
}

/// Returns the offset for inserting a declaration, and whether it is inside an existing legend.
pub fn legend_at(text: &str) -> (usize, bool) {
    let behind = |line: Snippet<'_>| {
        let end = line.at + line.text.len();
        text[end..].find('\n').map_or(text.len(), |at| end + at + 1)
    };
    let mut lines = snippet::lines(text);
    if let Some(legend) = lines.clone().find(|line| line.word().0 == "legend") {
        return (behind(legend), true);
    }
    let begin = lines.find(|line| is_begin(line.text));
    (begin.map_or(0, behind), false)
}
