//! The diagrams in the language of `PlantUML`.
//!
//! They are written as state diagrams, whose nodes look like those of activity diagrams. The
//! activity diagrams of `PlantUML` have no edges, so that they cannot say what every model says.

use std::fmt::Write as _;

use crate::graph_text::{self, Language, lines};
use prophet_codegen::model::NodeKind;
use prophet_codegen::target::drawing::Caption;
use prophet_codegen::target::{Files, Input, Target};

/// A diagram of each activity.
#[derive(Debug, Clone, Copy)]
pub struct PlantUml;

impl Target for PlantUml {
    fn name(&self) -> &'static str {
        "plantuml"
    }

    fn about(&self) -> &'static str {
        "a PlantUML diagram of each diagram, as text"
    }

    fn knows_own_stereotypes(&self) -> bool {
        true
    }

    fn files(&self, input: &Input<'_>) -> Files {
        graph_text::files(self, input)
    }
}

impl Language for PlantUml {
    const ENDING: &'static str = "puml";

    fn begin(&self, title: &str, marker: &str) -> Vec<String> {
        vec![
            "@startuml".to_owned(),
            format!("' {marker}"),
            "hide empty description".to_owned(),
            format!("title {}", plain(title)),
        ]
    }

    fn end(&self) -> Vec<String> {
        vec!["@enduml".to_owned()]
    }

    fn end_of_edge(&self, name: &str, kind: &NodeKind) -> String {
        match kind {
            NodeKind::Initial | NodeKind::ActivityFinal => "[*]".to_owned(),
            _ => name.to_owned(),
        }
    }

    fn node(&self, name: &str, kind: &NodeKind, caption: &Caption) -> Vec<String> {
        let marked = |mark: &str| vec![format!("state {name} <<{mark}>>")];
        match kind {
            NodeKind::Initial | NodeKind::ActivityFinal => Vec::new(),
            NodeKind::FlowFinal => vec![format!("state \"✕\" as {name}")],
            NodeKind::Decision | NodeKind::Merge => marked("choice"),
            NodeKind::Fork => marked("fork"),
            NodeKind::Join => marked("join"),
            _ => vec![state(name, caption)],
        }
    }

    fn begin_group(&self, name: &str, caption: &Caption) -> Vec<String> {
        vec![format!("{} {{", state(name, caption))]
    }

    fn end_group(&self) -> String {
        "}".to_owned()
    }

    fn edge(&self, from: &str, to: &str, guard: Option<&str>) -> String {
        match guard {
            Some(guard) => format!("{from} --> {to} : {}", plain(guard)),
            None => format!("{from} --> {to}"),
        }
    }
}

/// The declaration of a node with its caption, the name in bold.
fn state(name: &str, caption: &Caption) -> String {
    let text = |line: &String| {
        if *line == caption.name {
            format!("**{}**", plain(line))
        } else {
            plain(line)
        }
    };
    let mut lines: Vec<String> = lines(caption).iter().map(text).collect();
    if lines.is_empty() {
        lines.push(" ".to_owned());
    }
    format!("state \"{}\" as {name}", lines.join("\\n"))
}

/// `text` with all that `PlantUML`'s preprocessor or its markup could read as code point.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        // In guillemets stand stereotypes, which are not drawn. Other markup is made of pairs:
        // `**`, `//`, `__`, `--`, `[[`.
        let pair = c == before && "*/_-.[]:|".contains(c);
        let harmless =
            !c.is_ascii_punctuation() && !"«»".contains(c) || "()[]+-*/_=.,:;!?|".contains(c);
        if pair || !harmless {
            let _ = write!(plain, "<U+{:04X}>", u32::from(c));
        } else {
            plain.push(c);
        }
        before = c;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let cases = [
            ("cost = FA1()", "cost = FA1()"),
            ("GV==1;", "GV==1;"),
            ("%getenv(\"HOME\")", "<U+0025>getenv(<U+0022>HOME<U+0022>)"),
            ("[[http://x]]", "[<U+005B>http:/<U+002F>x]<U+005D>"),
            ("a\\nb", "a<U+005C>nb"),
            ("<img:/etc/x>", "<U+003C>img:/etc/x<U+003E>"),
            ("/'x'/ $y", "/<U+0027>x<U+0027>/ <U+0024>y"),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected);
        }
    }
}
