//! Writes the text of machine files.

use std::fmt::Write as _;

use prophet_text::plain::between_quotes;

/// Start of the table of operations in a machine file.
pub(crate) const OPERATIONS: &str = "\n[operations]\nunit = \"ns\"";

pub(crate) fn operation(price: &str, meaning: &str) -> String {
    format!("{price:<16} # {meaning}")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// Name of the machine: a single word.
    pub(crate) name: String,
    /// Sentences that say where the numbers come from.
    pub(crate) source: Vec<String>,
    pub(crate) entries: Vec<String>,
    /// Lines of a comment at the end of the file, such as a table.
    pub(crate) comment: Vec<String>,
}

impl Document {
    pub(crate) fn toml(&self) -> String {
        let mut text = format!(
            "name = \"{}\"\nsource = \"\"\"\n",
            between_quotes(&self.name)
        );
        for sentence in &self.source {
            let _ = writeln!(text, "{}", between_quotes(sentence));
        }
        text.push_str("\"\"\"\n");
        for entry in &self.entries {
            let _ = writeln!(text, "{entry}");
        }
        if !self.comment.is_empty() {
            text.push('\n');
        }
        for line in &self.comment {
            let line = format!("# {}", prophet_text::plain::line(line));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_strangers_wrote_stays_text() {
        let strange = "a\"\"\"\nname = \"b\\\u{1b}".to_owned();
        let document = Document {
            name: "measured".to_owned(),
            source: vec![strange.clone()],
            entries: vec!["nodes = 2".to_owned()],
            comment: vec![strange],
        };
        let toml = document.toml();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("machine.toml");
        std::fs::write(&path, &toml).unwrap();
        let machine = prophet_runtime::Machine::read(&path.display().to_string()).unwrap();
        assert_eq!(machine.name, "measured");
        assert_eq!(machine.source, r#"a"""\nname = "b\\u{1b}"#);
        assert_eq!(machine.nodes, Some(2));
    }
}
