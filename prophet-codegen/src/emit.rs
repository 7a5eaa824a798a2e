//! Writes indented text for all targets, and records which part of the program each line is about.
//!
//! Text is composed of sections ([`Listing`]s) that are never searched or cut. Subjects are
//! recorded by position, so the lines of a file can be mapped to them even after formatting
//! ([`Listing::laid_out`]).

use std::fmt;
use std::ops::{Deref, Range};

use serde::{Deserialize, Serialize};

use prophet_frontend::index::{
    DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, ParameterIndex,
};

/// Maximum indentation depth, so that the text of a deeply nested program doesn't become too large.
const DEEPEST: usize = 20;

/// A part of the program that lines of text are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the program's own lists")]
pub enum Subject {
    Parameter(ParameterIndex),
    Global(GlobalIndex),
    Function(FunctionIndex),
    Element(ElementIndex),
    Diagram(DiagramIndex),
}

/// A position, and the subject of the text from there on.
type SubjectMark = (usize, Option<Subject>);

/// Lines of text, and the part of the program that each line is about. Only the text is serialized.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Listing {
    text: String,
    depth: usize,
    /// The subjects of the text, ordered by position.
    marks: Vec<SubjectMark>,
}

impl Listing {
    /// Creates an empty listing that starts inside `depth` blocks.
    pub fn new(depth: usize) -> Self {
        Self {
            depth,
            ..Self::default()
        }
    }

    /// Sets the part of the program that the next lines are about.
    pub fn speak_of(&mut self, subject: Option<Subject>) {
        self.marks.push((self.text.len(), subject));
    }

    /// Adds a line at the current depth.
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text
                .extend(std::iter::repeat_n("    ", self.depth.min(DEEPEST)));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds `{` and indents the lines that follow.
    pub fn open(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// Ends a block with `close`: `}` and anything that follows it.
    pub fn close(&mut self, close: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(close);
    }

    /// Appends another listing unchanged.
    pub fn append(&mut self, other: &Self) {
        let behind = self.text.len();
        let marks = other.marks.iter();
        self.marks
            .extend(marks.map(|(at, subject)| (behind + at, *subject)));
        self.text.push_str(&other.text);
    }

    /// Returns the listing with new text, which has the same words but may break lines differently.
    #[must_use]
    pub fn laid_out(&self, text: String) -> Self {
        let mut old = words(&self.text).peekable();
        let mut new = words(&text);
        let mut next = new.next();
        let mut marks = Vec::with_capacity(self.marks.len());
        for (at, subject) in &self.marks {
            while old.next_if(|word| word.start < *at).is_some() {
                next = new.next();
            }
            let at = next.as_ref().map_or(text.len(), |word| word.start);
            marks.push((at, *subject));
        }
        drop(new);
        Self {
            text,
            depth: self.depth,
            marks,
        }
    }

    /// Returns all subjects in text order, including duplicates.
    pub fn marked(&self) -> impl Iterator<Item = Subject> {
        self.marks.iter().filter_map(|(_, subject)| *subject)
    }

    /// Returns the subject of each line, by line number from 1. A line without words, such as a
    /// closing brace, has the subject of the line before it.
    pub fn subjects(&self) -> impl Iterator<Item = (usize, Subject)> {
        let mut marks = self.marks.iter().peekable();
        let mut current = None;
        let mut begin = 0;
        let lines = self.text.split_inclusive('\n').enumerate();
        lines.filter_map(move |(number, line)| {
            if let Some(word) = words(line).next() {
                while let Some((_, subject)) = marks.next_if(|(at, _)| *at <= begin + word.start) {
                    current = *subject;
                }
            }
            begin += line.len();
            let subject = current.filter(|_| !line.trim().is_empty())?;
            Some((number + 1, subject))
        })
    }
}

/// Finds the words of a text: runs of letters, digits and `_`. Formatting moves words but never
/// adds or removes any.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut behind = 0;
    std::iter::from_fn(move || {
        let start = behind + text[behind..].find(is_word)?;
        let length = text[start..].find(|c| !is_word(c));
        behind = length.map_or(text.len(), |length| start + length);
        Some(start..behind)
    })
}

impl Deref for Listing {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<[u8]> for Listing {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl AsRef<str> for Listing {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text)
    }
}

impl From<String> for Listing {
    fn from(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

impl From<&str> for Listing {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Listing> for String {
    fn from(text: Listing) -> Self {
        text.text
    }
}

#[cfg(test)]
mod tests {
    use super::{Listing, Subject};
    use prophet_frontend::index::{ElementIndex, ListPlace as _};

    #[test]
    fn parts_are_found_again_once_text_is_laid_out() {
        let subject = |number| Subject::Element(ElementIndex::new(number));
        let mut body = Listing::default();
        body.speak_of(Some(subject(0)));
        body.line("a(b);");
        body.speak_of(Some(subject(1)));
        body.line("{ c }");
        body.speak_of(None);
        let mut text = Listing::from("use x; fn f(){\n");
        text.append(&body);
        text.line("} fn main(){}");
        let laid_out =
            "use x;\n\nfn f() {\n    a(\n        b,\n    );\n    {\n        c\n    }\n}\n";
        let laid_out = text.laid_out(format!("{laid_out}fn main() {{}}\n"));
        let subjects: Vec<_> = laid_out.subjects().collect();
        let expected = [(4, 0), (5, 0), (6, 0), (7, 0), (8, 1), (9, 1), (10, 1)];
        let expected = expected.map(|(line, number)| (line, subject(number)));
        assert_eq!(subjects, expected);
    }

    #[test]
    fn blocks_are_indented() {
        let mut text = Listing::new(1);
        text.line("if (x)");
        text.open();
        text.line("y;");
        text.line("");
        text.close("};");
        assert_eq!(&*text, "    if (x)\n    {\n        y;\n\n    };\n");
    }
}
