//! Writes diagrams in Mermaid, which code hosting sites can display.

use std::fmt::Write as _;

use crate::graph_text::{self, DiagramLanguage, lines};
use prophet_codegen::model::NodeKind;
use prophet_codegen::target::drawing::Caption;
use prophet_codegen::target::{Files, Input, Target};

/// The target that writes each activity as a Mermaid flowchart.
#[derive(Debug, Clone, Copy)]
pub struct Mermaid;

impl Target for Mermaid {
    fn name(&self) -> &'static str {
        "mermaid"
    }

    fn about(&self) -> &'static str {
        "a Mermaid flowchart of each diagram, as text"
    }

    fn knows_own_stereotypes(&self) -> bool {
        true
    }

    fn shows_workflows(&self) -> bool {
        true
    }

    fn files(&self, input: &Input<'_>) -> Files {
        graph_text::files(self, input)
    }
}

/// Settings with room for two lines above a group's content, and a gray that is visible on both
/// white and black.
const SETTINGS: &str = "\
config:
  flowchart:
    wrappingWidth: 500
    subGraphTitleMargin:
      bottom: 34
---
flowchart TD
    classDef solid fill:#6e7781,stroke:#6e7781";

impl DiagramLanguage for Mermaid {
    const ENDING: &'static str = "mmd";

    fn begin(&self, title: &str, marker: &str) -> Vec<String> {
        // Mermaid interprets directives (`%%{...}%%`) even in comments.
        let comment = |text: &str| format!("# {}", text.replace(['{', '}', '%'], " "));
        let mut lines = vec!["---".to_owned(), comment(marker), comment(title)];
        lines.extend(SETTINGS.lines().map(str::to_owned));
        lines
    }

    fn end(&self) -> Vec<String> {
        Vec::new()
    }

    fn node(&self, name: &str, kind: &NodeKind, caption: &Caption) -> Vec<String> {
        let text = label(caption);
        vec![match kind {
            NodeKind::Initial => format!("{name}((\" \")):::solid"),
            NodeKind::ActivityFinal => format!("{name}(((\"●\")))"),
            NodeKind::FlowFinal => format!("{name}((\"✕\"))"),
            NodeKind::Decision | NodeKind::Merge => format!("{name}{{\" \"}}"),
            NodeKind::Fork | NodeKind::Join => format!("{name}@{{ shape: fork }}"),
            NodeKind::Call(Some(_)) => format!("{name}[[\"{text}\"]]"),
            _ => format!("{name}(\"{text}\")"),
        }]
    }

    fn begin_group(&self, name: &str, caption: &Caption) -> Vec<String> {
        vec![
            format!("subgraph {name}[\"{}\"]", heading(caption)),
            "    direction TB".to_owned(),
        ]
    }

    fn end_group(&self) -> String {
        "end".to_owned()
    }

    fn edge(&self, from: &str, to: &str, guard: Option<&str>) -> String {
        match guard {
            Some(guard) => format!("{from} -->|\"{}\"| {to}", quoted(guard)),
            None => format!("{from} --> {to}"),
        }
    }
}

fn label(caption: &Caption) -> String {
    let text = |line: &String| {
        if *line == caption.name {
            bold(line)
        } else {
            quoted(line)
        }
    };
    let lines: Vec<String> = lines(caption).iter().map(text).collect();
    if lines.is_empty() {
        return " ".to_owned();
    }
    lines.join("<br/>")
}

/// Fits a caption into the two lines above a group.
fn heading(caption: &Caption) -> String {
    let keyword = caption.keyword.iter().map(|it| format!("«{it}»"));
    let first: Vec<String> = keyword.chain([bold(&caption.name)]).collect();
    let second: Vec<String> = caption.facts.iter().map(|it| quoted(it)).collect();
    format!("{}<br/>{}", first.join(" "), second.join(", "))
}

fn bold(text: &str) -> String {
    format!("<b>{}</b>", quoted(text))
}

/// Puts `text` in quotes. Replaces characters with entities if they could be read as markup, a
/// directive or the end of the text.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !"()[]+-*/_=.,:;!?|".contains(c) {
            let _ = write!(quoted, "#{};", u32::from(c));
        } else {
            quoted.push(c);
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let cases = [
            ("cost = F(1, x[0]);", "cost = F(1, x[0]);"),
            (
                "%%{init: {}}%%",
                "#37;#37;#123;init: #123;#125;#125;#37;#37;",
            ),
            ("<b> \"x\" `y`", "#60;b#62; #34;x#34; #96;y#96;"),
            ("#35; a && b", "#35;35; a #38;#38; b"),
            ("$$z$$ \\n @{e}", "#36;#36;z#36;#36; #92;n #64;#123;e#125;"),
        ];
        for (text, expected) in cases {
            assert_eq!(quoted(text), expected);
        }
    }
}
