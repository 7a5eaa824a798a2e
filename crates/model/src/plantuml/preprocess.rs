//! Implements the parts of the `PlantUML` preprocessor that text models need: defined names, and
//! includes of files next to the model.
//!
//! Because texts are untrusted, the size of the result is limited. Only files that
//! [`crate::xmi::with_files_beside`] found in the model's folder can be included.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::snippet::{self, Snippet};
use super::{is_begin, is_end, problem};
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::path::shorten;
use crate::source::Source;
use crate::source::files::FileNumber;

const BYTES_MAX: usize = 16 << 20;

/// Maximum length of a line after preprocessing, in bytes.
const LINE_MAX: usize = 100_000;

/// Maximum number of times that names on a line are replaced, and maximum depth of includes.
const DEEPEST: usize = 8;

pub(super) struct Expanded<'s> {
    pub(super) text: Cow<'s, str>,
    /// Place of each line in the result, with its place in the source.
    lines: Vec<(Span, Span)>,
}

impl Expanded<'_> {
    /// Returns the place in the source for a place in the result. If a name was replaced on the
    /// line, this is the whole line.
    pub(super) fn source_of(&self, span: Span) -> Span {
        let line = |at: usize| {
            let behind = self.lines.partition_point(|(here, _)| here.start <= at);
            self.lines.get(behind.checked_sub(1)?)
        };
        if matches!(self.text, Cow::Borrowed(_)) {
            return span;
        }
        let at = |at: usize, is_end: bool| match line(at) {
            None => at,
            Some((here, source)) if is_same(*here, *source) => source.start + at - here.start,
            Some((_, source)) => {
                if is_end {
                    source.end
                } else {
                    source.start
                }
            }
        };
        let start = at(span.start, false);
        Span::new(start, at(span.end, true).max(start))
    }

    /// Moves a problem to the place in the source.
    pub(super) fn moved(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.span = self.source_of(diagnostic.span);
        diagnostic
    }
}

fn is_same(a: Span, b: Span) -> bool {
    a.end - a.start == b.end - b.start
}

/// Returns the names of the files that a text includes, as written.
pub(crate) fn included(text: &str) -> impl Iterator<Item = &str> {
    let files = snippet::lines(text).filter_map(|line| include(line).map(|it| it.text));
    files.filter(|it| !it.starts_with('<') && !it.contains("://"))
}

fn include(line: Snippet<'_>) -> Option<Snippet<'_>> {
    let rest = line.after("!include")?;
    let rest = rest
        .after("_once")
        .or_else(|| rest.after("_many"))
        .unwrap_or(rest);
    let rest = rest.after("url").unwrap_or(rest);
    let quoted = rest.after("\"").and_then(|it| it.before("\""));
    Some(quoted.unwrap_or(rest))
}

/// Replaces names with their definitions, and each `!include` with the content of the file. `all`
/// is the text of the source.
pub(super) fn expand<'s>(
    source: &'s Source,
    all: &'s str,
    diagnostics: &mut Diagnostics,
) -> Expanded<'s> {
    let text = &all[source.range_of(FileNumber(0))];
    let is_needed = |line: Snippet<'_>| {
        let words = ["!define", "!include", "!ifdef", "!ifndef", "!undef"];
        let is_set = || line.text.starts_with('!') && line.text.contains('=');
        words.iter().any(|it| line.text.starts_with(it)) || is_set()
    };
    if !snippet::lines(text).any(is_needed) {
        let text = Cow::Borrowed(text);
        return Expanded {
            text,
            lines: Vec::new(),
        };
    }
    let mut expander = Expander {
        source,
        all,
        names: BTreeMap::new(),
        skipped: Vec::new(),
        long: None,
        text: String::new(),
        lines: Vec::new(),
        diagnostics,
    };
    expander.part(FileNumber(0), 0);
    let text = Cow::Owned(expander.text);
    Expanded {
        text,
        lines: expander.lines,
    }
}

/// The definition of a name.
#[derive(Clone, Default)]
struct Meaning {
    arguments: Option<Vec<String>>,
    text: String,
}

struct Expander<'s, 'd> {
    source: &'s Source,
    all: &'s str,
    names: BTreeMap<String, Meaning>,
    /// For each open `!ifdef`, whether its lines are skipped.
    skipped: Vec<bool>,
    /// A definition of several lines that is being read, with its name.
    long: Option<(String, Meaning)>,
    text: String,
    lines: Vec<(Span, Span)>,
    diagnostics: &'d mut Diagnostics,
}

impl<'s> Expander<'s, '_> {
    fn part(&mut self, part: FileNumber, depth: usize) {
        let source = self.source;
        let range = source.range_of(part);
        let whole = Snippet {
            text: &self.all[range.clone()],
            at: range.start,
        };
        let is_diagram = whole.text.lines().any(|it| is_begin(it.trim()));
        let mut start = 0;
        // Of an included file, only the first diagram is used or, without diagrams, the whole text.
        let mut is_open = depth == 0 || !is_diagram;
        for line in whole.text.split_inclusive('\n') {
            let line_of_file = whole.part(start, start + line.len());
            start += line.len();
            let words = line_of_file.trim();
            if depth > 0 && is_begin(words.text) {
                is_open = true;
                continue;
            }
            let ends = depth > 0 && is_end(words.text);
            if ends || (is_open && !self.line(line_of_file, words, part, depth)) {
                return;
            }
        }
    }

    /// Adds a line, or executes it if it is a directive. Returns `false` if the result is too long.
    fn line(
        &mut self,
        line: Snippet<'s>,
        words: Snippet<'s>,
        part: FileNumber,
        depth: usize,
    ) -> bool {
        if let Some((name, meaning)) = &mut self.long {
            if words.text == "!enddefinelong" {
                let named = (std::mem::take(name), std::mem::take(meaning));
                self.names.extend([named]);
                self.long = None;
            } else if meaning.text.len() < LINE_MAX {
                meaning.text.push_str(line.text);
            }
            return true;
        }
        if words.text.starts_with('!') && self.directive(words, part, depth) {
            return true;
        }
        if self.skipped.contains(&true) {
            return true;
        }
        let written = self.replaced(line.text);
        let start = self.text.len();
        if start + written.len() > BYTES_MAX {
            let help = "define names with shorter values";
            let message = format!("the text would become longer than {BYTES_MAX} bytes");
            self.diagnostics.push(problem(words.span(), message, help));
            return false;
        }
        self.text.push_str(&written);
        let here = Span::new(start, self.text.len());
        // If a name was replaced on a line, problems refer to the whole line.
        let place = if written == line.text {
            line.span()
        } else {
            words.span()
        };
        self.lines.push((here, place));
        true
    }

    /// Executes a directive. Returns `false` if it only affects the style, or isn't supported.
    fn directive(&mut self, line: Snippet<'s>, part: FileNumber, depth: usize) -> bool {
        let (word, rest) = line.from(1).word();
        match word {
            "ifdef" | "ifndef" => {
                let is_known = self.names.contains_key(rest.text);
                self.skipped.push(is_known == (word == "ifndef"));
            }
            "else" => {
                if let Some(skipped) = self.skipped.last_mut() {
                    *skipped = !*skipped;
                }
            }
            "endif" => {
                self.skipped.pop();
            }
            _ if self.skipped.contains(&true) => {}
            "define" | "definelong" => self.define(rest, word == "definelong"),
            "undef" => {
                self.names.remove(rest.text);
            }
            "include" | "includeurl" => self.include(line, part, depth),
            _ if line.text.contains('=') => return self.set(line.from(1)),
            _ => return false,
        }
        true
    }

    /// Reads a definition: `NAME text` or `NAME(arguments) text`.
    fn define(&mut self, rest: Snippet<'s>, is_long: bool) {
        let end = rest
            .text
            .find(|c: char| !is_of_name(c))
            .unwrap_or(rest.text.len());
        let name = rest.text[..end].to_owned();
        let behind = rest.from(end);
        let (arguments, text) = match behind.parenthesis('(', ')') {
            Some((arguments, text)) => {
                let names = arguments.pieces(',').map(|it| it.text.to_owned());
                (Some(names.collect()), text)
            }
            None => (None, behind.trim()),
        };
        let meaning = Meaning {
            arguments,
            text: text.text.to_owned(),
        };
        if is_long {
            self.long = Some((name, meaning));
        } else {
            self.names.insert(name, meaning);
        }
    }

    /// Reads `$name = "text"` or `name = "text"`. Returns `false` for other expressions.
    fn set(&mut self, rest: Snippet<'s>) -> bool {
        let Some((name, value)) = rest.text.split_once('=') else {
            return false;
        };
        let (name, is_default) = match name.trim().strip_suffix('?') {
            Some(name) => (name.trim(), true),
            None => (name.trim(), false),
        };
        let bare = name.strip_prefix('$').unwrap_or(name);
        if bare.is_empty() || !bare.chars().all(is_of_name) {
            return false;
        }
        let value = self.replaced(value.trim());
        let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        let is_number = || value.parse::<f64>().is_ok();
        let Some(text) = quoted.or_else(|| is_number().then_some(&*value)) else {
            return false;
        };
        if !(is_default && self.names.contains_key(name)) {
            let meaning = Meaning {
                arguments: None,
                text: text.to_owned(),
            };
            self.names.insert(name.to_owned(), meaning);
        }
        true
    }

    fn include(&mut self, line: Snippet<'s>, part: FileNumber, depth: usize) {
        let Some(file) = include(line) else {
            return;
        };
        // Files in angle brackets come with PlantUML, and only affect the style.
        if file.text.starts_with('<') {
            return;
        }
        let mut links = self.source.links.iter();
        let link = links.find(|it| it.from == part && it.href == file.text);
        let why = match link.map(|it| &it.to) {
            _ if file.text.contains("://") => "which is not a file next to the model",
            None => "which is not read",
            Some(Err(why)) => why,
            Some(Ok(_)) if depth + 1 >= DEEPEST => "which is nested in too many other files",
            Some(Ok(to)) => return self.part(*to, depth + 1),
        };
        let message = format!("`!include` names `{}`, {why}", shorten(file.text));
        let help = "include files in the folder of the model, or copy their lines into it";
        self.diagnostics.push(problem(line.span(), message, help));
    }

    /// Replaces the names on a line with their definitions until no names remain.
    fn replaced<'t>(&self, line: &'t str) -> Cow<'t, str> {
        let mut line = Cow::Borrowed(line);
        for _ in 0..DEEPEST {
            match self.once(&line) {
                Some(next) if next.len() <= LINE_MAX => line = Cow::Owned(next),
                _ => break,
            }
        }
        line
    }

    /// Replaces the names on a line once; `None` if there are no names to replace.
    fn once(&self, line: &str) -> Option<String> {
        let mut written = String::new();
        let (mut done, mut at) = (0, 0);
        while let Some(c) = line[at..].chars().next() {
            if !(is_of_name(c) || c == '$') {
                at += c.len_utf8();
                continue;
            }
            let behind = &line[at + c.len_utf8()..];
            let end = behind
                .find(|c: char| !is_of_name(c))
                .unwrap_or(behind.len());
            let end = at + c.len_utf8() + end;
            if let Some((text, end)) = self.meaning(&line[at..end], line, end) {
                written.push_str(&line[done..at]);
                written.push_str(&text);
                if written.len() > LINE_MAX {
                    return None;
                }
                done = end;
                at = end;
            } else {
                at = end;
            }
        }
        (done > 0).then(|| written + &line[done..])
    }

    /// Returns the text to replace a name with, and where the use of the name ends.
    fn meaning(&self, name: &str, line: &str, end: usize) -> Option<(String, usize)> {
        let meaning = self.names.get(name)?;
        let Some(arguments) = &meaning.arguments else {
            return Some((meaning.text.clone(), end));
        };
        let rest = Snippet { text: line, at: 0 }.from(end);
        let (given, behind) = rest.parenthesis('(', ')')?;
        let mut inner = BTreeMap::new();
        for (argument, value) in arguments.iter().zip(given.pieces(',')) {
            let text = value.text.trim_matches('"').to_owned();
            inner.insert(
                argument.clone(),
                Meaning {
                    arguments: None,
                    text,
                },
            );
        }
        let text = replaced_once(&meaning.text, &inner);
        // White space after the parenthesis stays on the line.
        Some((text, line[..behind.at].trim_end().len()))
    }
}

fn replaced_once(text: &str, names: &BTreeMap<String, Meaning>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        written.push_str(names.get(word).map_or(word, |it| &it.text));
        if written.len() > LINE_MAX {
            break;
        }
        let next = behind.find(is_of_name).unwrap_or(behind.len());
        written.push_str(&behind[..next]);
        rest = &behind[next..];
    }
    written
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
