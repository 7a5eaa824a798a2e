//! Combines the sections of `src/lib.rs`.

use crate::emit::{Listing, Subject};
use crate::target::Files;

#[derive(Debug, Default)]
pub(super) struct Library {
    /// The model parameters, as expressions.
    pub(super) parameters: Vec<String>,
    pub(super) uses_cell: bool,
    /// The constants of elements and nodes, and how many there are.
    pub(super) elements: Listing,
    pub(super) element_count: usize,
    pub(super) tables: Listing,
    pub(super) opcodes: Listing,
    pub(super) devices: Listing,
    pub(super) table_files: Files,
    pub(super) fields: Listing,
    pub(super) constructor: Option<Constructor>,
    pub(super) functions: Listing,
    pub(super) diagrams: Listing,
}

#[derive(Debug)]
pub(super) struct Constructor {
    pub(super) fallible: bool,
    pub(super) text: Listing,
}

impl Library {
    /// Returns the whole text, with `head` before all sections and `program` before the diagrams'
    /// section.
    pub(super) fn put_together(&self, head: String, program: &str) -> Listing {
        let mut text = Listing::from(head);
        let mut section = |title: &str, content: &Listing, end: &str| {
            if !content.is_empty() {
                text.line(title);
                text.append(content);
                text.line(end);
            }
        };
        let title = "// Performance modeling elements: index, name in the model, id.";
        section(title, &self.elements, "");
        section("// Tables of `interpolate`.", &self.tables, "");
        section("// Operations that the machine prices.", &self.opcodes, "");
        let title = "// User-defined devices: index, name, resource data.";
        section(title, &self.devices, "");
        section(GLOBALS, &self.fields, "}\n");
        if let Some(constructor) = &self.constructor {
            section("impl Globals {", &constructor.text, "}\n");
        }
        section("// Cost functions.\n", &self.functions, "");
        section("", &program.into(), "");
        text.append(&self.diagrams);
        text
    }
}

/// Text above the fields of the globals.
const GLOBALS: &str = "\
/// Global variables and parameters. Each simulated process owns one copy.
#[derive(Debug, Default)]
pub struct Globals {";

/// Returns code after its documentation, followed by an empty line.
pub(super) fn documented(docs: &[String], subject: Option<Subject>, code: &Listing) -> Listing {
    let mut text = Listing::default();
    for line in docs {
        text.line(&format!("/// {line}"));
    }
    text.speak_of(subject);
    text.append(code);
    text.speak_of(None);
    text
}
