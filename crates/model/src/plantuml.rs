//! Reads text models: `PlantUML` activity diagrams with the program in their labels and legend.
//!
//! `docs/text.md` describes the format. The text is converted to our own XML format, which
//! [`crate::xmi`] reads. `places` maps places in the XML back to the text. Unknown statements are
//! errors, unless they only affect the drawing's style.

mod declarations;
mod edit;
mod graph;
mod label;
mod part;
mod places;
mod preprocess;
mod snippet;
mod statements;
#[cfg(test)]
mod tests;
pub mod words;

pub use edit::{Case, Switch, condition_at, label_at, legend_at, switch_at};
pub(crate) use places::Places;
pub(crate) use preprocess::included;
pub use snippet::decode;
pub use statements::{ARM_LANGUAGE, DEEPEST, ONLY_ELSE};

use part::{FormElement, XmlWriter};
use snippet::Snippet;
use statements::DiagramParser;

use crate::diagnostic::catalogue::xmi as rules;
use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::source::{Source, Text};
use crate::vocabulary::Vocabulary;
use crate::xml_form::{NAMESPACE, ROOT};

const UNNAMED: &str = "Main";

/// A text model, translated to our own XML format.
pub(crate) struct Translated<'s> {
    pub(crate) xml: Source,
    /// Maps the parts of the XML back to the text.
    pub(crate) places: Places<'s>,
}

/// Returns `true` if `text` is `PlantUML`.
pub fn is_text(text: &str) -> bool {
    let begin = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    !begin.starts_with('<') && snippet::lines(text).any(|line| is_begin(line.text))
}

/// Translates a text. Reports parts that can't be understood.
pub(crate) fn translate<'s>(
    source: &'s Source,
    vocabulary: &Vocabulary,
    diagnostics: &mut Diagnostics,
) -> Translated<'s> {
    let begin = Span::new(0, 0);
    let mut model = FormElement::new(ROOT, begin);
    model.set("xmlns", Text::new(NAMESPACE, begin));
    let text = snippet::plain(&source.text);
    let expanded = preprocess::expand(source, &text, diagnostics);
    let mut problems = Diagnostics::new();
    for block in blocks(&expanded.text) {
        DiagramParser::new(&block, vocabulary, &mut problems).block(&mut model);
    }
    for problem in problems.sorted() {
        diagnostics.push(expanded.moved(problem));
    }
    if !model.has("name") {
        let first = model.children.iter().find(|it| it.role == "activity");
        let name = first.and_then(|it| it.value("name")).cloned();
        model.set("name", name.unwrap_or_else(|| Text::new(UNNAMED, begin)));
    }
    model
        .children
        .sort_by_key(|it| usize::from(it.role == "activity"));
    let mut xml = XmlWriter::default();
    xml.write(&model);
    let XmlWriter { text, mut places } = xml;
    for (_, place) in &mut places {
        *place = expanded.source_of(*place);
    }
    Translated {
        xml: Source::new(source.name.clone(), text),
        places: Places::new(&source.text, places),
    }
}

struct Block<'s> {
    source: &'s str,
    lines: Vec<Snippet<'s>>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut open = false;
    for line in snippet::lines(text) {
        if is_begin(line.text) {
            open = true;
            blocks.push(Block {
                source: text,
                lines: Vec::new(),
            });
        }
        if let Some(block) = blocks.last_mut().filter(|_| open) {
            block.lines.push(line);
        }
        open &= !is_end(line.text);
    }
    blocks
}

fn is_begin(line: &str) -> bool {
    line.starts_with("@startuml") || line.starts_with("@startactivity")
}

fn is_end(line: &str) -> bool {
    line.starts_with("@enduml") || line.starts_with("@endactivity")
}

fn problem(at: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(&rules::TEXT, at, message).help(help)
}
