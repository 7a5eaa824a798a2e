//! Parses conditions and the labels of arms.

use super::parser::DiagramParser;
use super::texts;
use crate::path::shorten;
use crate::plantuml::is_end;
use crate::plantuml::part::FormElement;
use crate::plantuml::snippet::Snippet;
use crate::source::Text;
use prophet_text::similar;

/// Stands in for a missing condition, which has been reported.
pub(super) const ANY: &str = "true";

pub(in crate::plantuml) const LINES_MAX: usize = 20;

impl<'s> DiagramParser<'_, 's, '_> {
    /// Parses the condition of a statement, and returns it with the text that follows.
    pub(super) fn condition(
        &mut self,
        line: Snippet<'s>,
        rest: Snippet<'s>,
    ) -> (Snippet<'s>, Snippet<'s>) {
        self.parenthesis(rest).unwrap_or_else(|| {
            let help = "write the condition in parentheses: `(condition)`";
            self.report(line.span(), "missing condition", help);
            (line.part(0, 0), line.part(0, 0))
        })
    }

    /// Returns the text in parentheses, and the text after them. They can be closed on a later
    /// line.
    fn parenthesis(&mut self, rest: Snippet<'s>) -> Option<(Snippet<'s>, Snippet<'s>)> {
        if !rest.text.starts_with('(') {
            return None;
        }
        if let Some(found) = condition_in(rest) {
            return Some(found);
        }
        let lines = self.block.lines[self.next..].iter().take(LINES_MAX);
        for (number, line) in lines.enumerate() {
            if is_end(line.text) {
                break;
            }
            let several = self.whole().part(rest.at, line.span().end);
            if let Some(found) = condition_in(several) {
                self.next += number + 1;
                return Some(found);
            }
        }
        None
    }

    /// Parses the label of an arm: `(yes)`, `(no)`, or other text, which has no meaning.
    pub(super) fn arm_label(&mut self, rest: Snippet<'s>) -> Option<Label<'s>> {
        if rest.text.is_empty() {
            return None;
        }
        let Some((text, behind)) = self.parenthesis(rest) else {
            self.report(rest.span(), "this is not understood here", "");
            return None;
        };
        if !behind.text.is_empty() {
            self.report(behind.span(), "this is not understood here", "");
        }
        let holds = holds(text.text)?;
        Some(Label { text, holds })
    }

    /// Reports a word that should be `wanted`, and returns the text after it.
    fn misspelled(&mut self, text: Snippet<'s>, wanted: &str) -> Option<Snippet<'s>> {
        let (word, rest) = text.word();
        similar(word, [wanted])?;
        let span = text.part(0, word.len()).span();
        self.report(
            span,
            format!("expected `{wanted}`, found `{}`", shorten(word)),
            "",
        );
        Some(rest)
    }

    /// Parses the label of the second arm. Warns if it has the same meaning as the label of the
    /// first arm.
    pub(super) fn other_label(&mut self, rest: Snippet<'s>) {
        let turned = self.frames.last().is_some_and(|it| it.turned);
        let label = self.arm_label(rest);
        if let Some(label) = label.filter(|it| it.holds != turned) {
            let message = format!("the arm `{}` reverses its condition", label.text.text);
            let help = if turned {
                "the arm before it has the same label"
            } else {
                "the arm before it is taken if the condition holds, unless its label is `(no)`"
            };
            self.doubt(label.text.span(), message, help);
        }
    }

    /// Parses `(condition) then (yes)`, `(condition) is (value) then` or `(condition) equals
    /// (value) then` as an arm. Also returns whether `(no)` negates the condition.
    pub(super) fn when(&mut self, line: Snippet<'s>, rest: Snippet<'s>) -> (FormElement, bool) {
        let (condition, rest) = self.condition(line, rest);
        let (guard, turned, rest) = self.compared(condition, rest, false);
        let label = rest.after_word("then").unwrap_or(rest);
        let label = self.misspelled(label, "then").unwrap_or(label);
        let said = label.parenthesis('(', ')').map(|(said, _)| said);
        let turned = self.arm_label(label).map_or(turned, |it| !it.holds);
        let guard = match (condition.text, said) {
            ("", _) if condition.at == line.at => Text::new(ANY, line.span()),
            // Authors who want an empty diamond write the condition as the arm's label.
            ("", Some(said)) if holds(said.text).is_none() => unbracketed(said).condition(),
            // If the arm's label is a probability, the answer to the question is random.
            (question, Some(said)) if question.ends_with('?') && said.text.ends_with('%') => {
                Text::new(format!("{question}, {}", said.text), condition.span())
            }
            _ => turned_around(guard, turned),
        };
        (arm(line, guard), turned)
    }

    /// Reads what follows a condition, such as `is (yes)` or `equals (5)`. Returns the whole
    /// condition, whether a label negates it, and the remaining text.
    ///
    /// In loops, `is (more)` labels the branch that continues the loop. Therefore only a number
    /// after a loop's condition is compared with it.
    pub(super) fn compared(
        &mut self,
        condition: Snippet<'s>,
        rest: Snippet<'s>,
        is_loop: bool,
    ) -> (Text, bool, Snippet<'s>) {
        let beside = beside(rest);
        let found = beside.and_then(|(it, is)| Some((self.parenthesis(it)?, is)));
        let Some(((value, behind), is)) = found else {
            return (condition.condition(), false, rest);
        };
        match holds(value.text) {
            Some(holds) => (condition.condition(), !holds, behind),
            None if is_value(condition, value, is && is_loop) => {
                (equal(condition, value), false, behind)
            }
            None => (condition.condition(), false, behind),
        }
    }

    /// Stores whether `(no)` negates the condition of the innermost statement.
    pub(super) fn turn(&mut self, turned: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.turned = turned;
        }
    }
}

/// Returns a statement's text from the parenthesis of its condition on, and whether it is a loop.
pub(in crate::plantuml) fn condition_begin(line: Snippet<'_>) -> Option<(Snippet<'_>, bool)> {
    let line = texts::colored(line).unwrap_or(line);
    let behind = line.parenthesis('(', ')').map(|(_, behind)| behind);
    let line = behind.unwrap_or(line);
    let (word, rest) = line.word();
    match word.to_ascii_lowercase().as_str() {
        "if" | "elseif" => Some((rest, false)),
        "while" | "repeatwhile" => Some((rest, true)),
        "else" => Some((rest.after("if")?, false)),
        "repeat" => Some((rest.after("while")?, true)),
        _ => None,
    }
}

/// Returns the text in the parentheses at the start, and the text after them. If the condition is
/// in words, its parentheses need not match as long as its end is clear.
pub(in crate::plantuml) fn condition_in(text: Snippet<'_>) -> Option<(Snippet<'_>, Snippet<'_>)> {
    let goes_on = |rest: Snippet<'_>| {
        let words = ["then", "is", "equals", "not", "elseif", "else", "(", ";"];
        rest.text.is_empty() || words.iter().any(|it| rest.after_word(it).is_some())
    };
    let paired = text.parenthesis('(', ')');
    if let Some((_, rest)) = paired
        && goes_on(rest)
    {
        return paired;
    }
    let ends = text.text.match_indices(')').map(|(at, _)| at);
    let mut parted = ends.map(|at| (text.part(1, at).trim(), text.from(at + 1).trim()));
    let words = |(_, rest): &(Snippet<'_>, Snippet<'_>)| {
        ["then", "is", "equals"]
            .iter()
            .any(|it| rest.after_word(it).is_some())
    };
    parted.find(words).or(paired)
}

/// Removes the brackets around a guard in UML style, such as `[guard]`.
fn unbracketed(text: Snippet<'_>) -> Snippet<'_> {
    let inside = text.after("[").and_then(|it| it.before("]"));
    inside.unwrap_or(text)
}

/// A label of an arm.
#[derive(Clone, Copy)]
pub(super) struct Label<'s> {
    text: Snippet<'s>,
    pub(super) holds: bool,
}

/// Returns `true` for a label such as `yes`, `false` for a label such as `no`, and `None` for any
/// other.
pub(in crate::plantuml) fn holds(label: &str) -> Option<bool> {
    match label.to_ascii_lowercase().as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// Returns the text after `is` or `equals`, and whether the word is `is`; `None` if neither word
/// comes first.
pub(in crate::plantuml) fn beside(rest: Snippet<'_>) -> Option<(Snippet<'_>, bool)> {
    let words = [("is", true), ("equals", false), ("equal", false)];
    { words.iter() }.find_map(|(word, is)| Some((rest.after_word(word)?, *is)))
}

/// Returns `true` if the text after a condition is a value to compare it with. It isn't if the
/// condition already compares values. In a loop, only a number is a value, because other text
/// labels the branch that continues the loop.
pub(in crate::plantuml) fn is_value(
    condition: Snippet<'_>,
    beside: Snippet<'_>,
    is_loop: bool,
) -> bool {
    let signs = ["<", ">", "==", "!", "&&", "||"];
    let compares = signs.iter().any(|it| condition.text.contains(it));
    !compares && (!is_loop || beside.text.parse::<f64>().is_ok())
}

/// Builds a condition that two expressions are equal. Its place is the range of both expressions.
pub(in crate::plantuml) fn equal(left: Snippet<'_>, right: Snippet<'_>) -> Text {
    let [left, right] = [left.condition(), right.condition()];
    let guard = format!("({}) == ({})", left.value, right.value);
    Text::new(guard, right.span)
}

/// Negates a condition if its arm has the label `(no)`.
pub(super) fn turned_around(condition: Text, turned: bool) -> Text {
    if turned && !condition.value.is_empty() {
        return Text::new(format!("!({})", condition.value), condition.span);
    }
    condition
}

pub(super) fn arm(line: Snippet<'_>, guard: Text) -> FormElement {
    let mut arm = FormElement::new("when", line.span());
    if !guard.value.is_empty() {
        arm.set("guard", guard);
    }
    arm
}
