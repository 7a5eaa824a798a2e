//! Parses the statements of a diagram, in text order.

mod asides;
mod branches;
mod conditions;
mod loops;
mod old;
mod parser;
mod texts;

pub use self::branches::ONLY_ELSE;
pub(super) use self::conditions::{
    LINES_MAX as CONDITION_LINES_MAX, beside, condition_begin, condition_in, equal, holds, is_value,
};
pub use self::parser::ARM_LANGUAGE;
pub(super) use self::parser::DiagramParser;
pub(super) use self::texts::{action_begin, label_end};
use super::part::FormElement;
use super::snippet::Snippet;
use super::words::{self, Ended, Statement};
use super::{graph, is_end};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::xmi as rules;
use crate::source::Text;
use prophet_text::similar;

/// Maximum nesting depth of statements.
pub const DEEPEST: usize = 40;

impl<'s> DiagramParser<'_, 's, '_> {
    /// Parses the diagram, and adds it to the model as an activity.
    pub(super) fn block(mut self, model: &mut FormElement) {
        let begin = self.block.lines[0];
        self.next = 1;
        let mut activity = FormElement::new("activity", begin.span());
        let (_, name) = begin.from(1).word();
        let name = name.text.trim_matches('"');
        self.open(
            "@startuml",
            begin,
            FormElement::new("", begin.span()),
            activity.clone(),
        );
        if old::is_old(&self.block.lines) {
            self.old_block(model);
        }
        while let Some(line) = self.line() {
            if is_end(line.text) {
                break;
            }
            if self.frames.len() > DEEPEST {
                let message = format!("statements are nested more than {DEEPEST} levels deep");
                let problem = Diagnostic::new(&rules::TOO_DEEP, line.span(), message);
                self.diagnostics.push(problem);
                break;
            }
            self.statement(line, model);
        }
        self.end_open();
        if let Some((line, ..)) = self.carried.first() {
            let line = line.span();
            self.report(line, "expected an element after this", "");
        }
        activity = self.frames.remove(0).content;
        if !activity.has("name") {
            let shown = if name.is_empty() {
                super::UNNAMED
            } else {
                name
            };
            activity.set("name", Text::new(shown, begin.span()));
        }
        model
            .children
            .push(graph::finished(activity, self.diagnostics));
    }

    /// Ends statements that are still open at the end of the diagram, as `PlantUML` does.
    fn end_open(&mut self) {
        let end = self.next.min(self.block.lines.len());
        let end = self.block.lines[end - 1];
        while let [_, .., open] = &self.frames[..] {
            let (word, begin) = (open.word, open.line.span());
            let message = format!("`{word}` is not closed, so it ends with the diagram");
            let last = match word {
                "fork" | "split" => self.content().children.pop_if(|it| it.role == "final"),
                _ => None,
            };
            let help = match &last {
                Some(_) => format!("write `end {word}` before `stop`"),
                None => "close it where it should end".to_owned(),
            };
            self.doubt(begin, message, &help);
            match word {
                "if" => self.end_if(end),
                "switch" => self.end_switch(end),
                "fork" | "split" => self.end_fork(end, word, end.part(0, 0)),
                "while" | "repeat" => self.end_loop(end, word),
                _ => self.end_block(end, word),
            }
            self.content().children.extend(last);
        }
    }

    fn statement(&mut self, line: Snippet<'s>, model: &mut FormElement) {
        let line = self.without_comments(line);
        if line.text.is_empty() || self.is_aside(line) {
            return;
        }
        let line = texts::colored(line).unwrap_or(line);
        if let Some(rest) = texts::action_begin(line) {
            return self.action(line, rest);
        }
        if let Some(item) = line.text.strip_prefix("- ") {
            return self.item(line, line.from(line.text.len() - item.len()));
        }
        // The line can start with the label of the previous arm.
        let behind = line.parenthesis('(', ')').map(|(_, behind)| behind);
        let line = behind
            .filter(|it| it.text.starts_with("else"))
            .unwrap_or(line);
        let (word, rest) = line.word();
        match Statement::of_name(&word.to_ascii_lowercase()) {
            None => self.unnamed(line, word),
            Some(Statement::Title) => self.title(line, rest),
            Some(Statement::Legend) => self.legend(line, model),
            Some(Statement::Note | Statement::Floating) => self.note(line, model),
            Some(Statement::Repeat) if let Some(condition) = rest.after_word("until") => {
                self.repeat_until(line, condition);
            }
            Some(Statement::Repeat) if rest.after_word("while").is_none() => {
                self.begin_repeat(line, rest, model);
            }
            Some(Statement::End) => self.end(line, rest.ended()),
            Some(first) => {
                if !(self.node(line, first, rest.ended()) || self.part(line, first, rest.ended())) {
                    self.report_unknown_line(line.ended(), word);
                }
            }
        }
    }

    /// Parses a statement that doesn't start with a word.
    fn unnamed(&mut self, line: Snippet<'s>, word: &str) {
        if line.ended().connector().is_some() {
            self.connector(line.ended());
        } else if line.text == "}" {
            self.end_block(line, "partition");
        } else {
            self.report_unknown_line(line.ended(), word);
        }
    }

    /// Parses a statement that is a node, or part of a decision or loop. Returns `false` for other
    /// statements.
    fn node(&mut self, line: Snippet<'s>, first: Statement, rest: Snippet<'s>) -> bool {
        match (first, rest.text) {
            (Statement::Start, "") => self.leaf("initial", line),
            (Statement::Stop, "") => self.leaf("final", line),
            (Statement::Detach | Statement::Kill, "") => self.detach(line),
            (Statement::Label | Statement::Goto, name) if !name.is_empty() => {
                let role = if first == Statement::Label {
                    "label"
                } else {
                    "goto"
                };
                let mut part = FormElement::new(role, line.span());
                part.set("key", rest.value());
                self.add(part);
            }
            (Statement::If, _) => self.begin_if(line, rest),
            (Statement::ElseIf, _) => self.else_if(line, rest),
            (Statement::Else, text) if text.starts_with("if") => {
                self.else_if(line, rest.after("if").unwrap_or(rest));
            }
            (Statement::Else, _) => self.begin_else(line, rest),
            (Statement::EndIf, _) => self.end_if(line),
            (Statement::Switch, _) => self.begin_switch(line, rest),
            (Statement::Case, _) => self.case(line, rest),
            (Statement::EndSwitch, _) => self.end_switch(line),
            (Statement::While, _) => self.begin_while(line, rest),
            (Statement::EndWhile, _) => self.end_while(line, rest),
            (Statement::Repeat | Statement::RepeatWhile, _) => self.end_repeat(line, rest),
            (Statement::Break, "") => self.break_loop(line),
            (Statement::Backward, _) => self.backward(line, line.from(first.name().len()).trim()),
            _ => return false,
        }
        true
    }

    /// Parses a statement that is part of a fork or partition. Returns `false` for other
    /// statements.
    fn part(&mut self, line: Snippet<'s>, first: Statement, rest: Snippet<'s>) -> bool {
        match (first, rest.text) {
            (Statement::Fork, "") => self.begin_fork(line, "fork"),
            (Statement::Split, "") => self.begin_fork(line, "split"),
            (Statement::Fork, "again") | (Statement::ForkAgain, "") => {
                self.fork_again(line, "fork");
            }
            (Statement::Split, "again") | (Statement::SplitAgain, "") => {
                self.fork_again(line, "split");
            }
            (Statement::Fork, "end") => self.end_fork(line, "fork", rest.from(rest.text.len())),
            (Statement::Split, "end") => self.end_fork(line, "split", rest.from(rest.text.len())),
            (Statement::EndFork, _) => self.end_fork(line, "fork", rest),
            (Statement::EndMerge, "") => self.end_merge(line),
            (Statement::EndSplit, _) => self.end_fork(line, "split", rest),
            (
                Statement::Partition | Statement::Package | Statement::Rectangle | Statement::Card,
                _,
            ) => self.partition(line, rest),
            (Statement::Group, _) => self.group(line, rest),
            (Statement::EndGroup, "") => self.end_block(line, "group"),
            _ => return false,
        }
        true
    }

    /// Parses a statement that starts with `end`.
    fn end(&mut self, line: Snippet<'s>, rest: Snippet<'s>) {
        let (what, how) = rest.word();
        match Ended::of_name(&what.to_ascii_lowercase()) {
            // A block that is not supported has been reported where it starts.
            None if rest.text.is_empty() && self.foreign_blocks > 0 => self.foreign_blocks -= 1,
            None if rest.text.is_empty() => self.leaf("flow-final", line),
            Some(Ended::If) => self.end_if(line),
            Some(Ended::Switch) => self.end_switch(line),
            Some(Ended::While) => self.end_while(line, how),
            Some(Ended::Fork) => self.end_fork(line, "fork", how),
            Some(Ended::Merge) => self.end_merge(line),
            Some(Ended::Split) => self.end_fork(line, "split", how),
            Some(Ended::Group) => self.end_block(line, "group"),
            None => self.report_unknown_line(line, "end"),
        }
    }

    fn report_unknown_line(&mut self, line: Snippet<'s>, word: &str) {
        let help = match word {
            _ if line.text.starts_with('!') => {
                "docs/text.md lists the supported lines of the preprocessor"
            }
            _ if line.text.starts_with('(') => "write a connector as `(A)`, with one character",
            _ if line.word().1.text.starts_with('=') => {
                "a tag is part of the action's label: end only the label's last line with `;`"
            }
            "loop" | "alt" | "opt" | "par" => {
                self.foreign_blocks += 1;
                "in an activity diagram, write `while (condition)` … `endwhile`, `if (condition) \
                 then` … `endif`, or `partition \"<<loop+>> L\\niterations = 5\" {` … `}`"
            }
            _ if line.text.contains("->") => {
                "this is part of a sequence diagram: draw an activity diagram (docs/text.md)"
            }
            _ => {
                let known: Vec<String> = words::statements().collect();
                let near = similar(&word.to_ascii_lowercase(), known.iter().map(String::as_str));
                let help = near.map(|it| format!("did you mean `{it}`?"));
                let help = help.unwrap_or_else(|| "docs/text.md lists what is supported".into());
                return self.not_understood(line, &help);
            }
        };
        self.not_understood(line, help);
    }
}
