//! Which part of the model each line of a generated file comes from: a map beside the file.
//!
//! A target knows of which part each word of its text speaks before the text is laid out. Layout
//! moves words to other lines, but neither adds nor removes any, so that the number of a word leads
//! from one text to the other.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::output::MARKER;

/// What a map's file name has behind that of the file that it is of.
pub const ENDING: &str = ".map.json";

/// A part of the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// What it is: `element`, `diagram`, `function` or `variable`.
    pub kind: String,
    /// Its name in the model.
    pub name: String,
    /// Its path in the model.
    pub path: String,
    /// The id by which results name it, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Its line in the model file, from 1.
    pub line: usize,
    /// Its column there, from 1, in characters.
    pub column: usize,
}

/// The map of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceMap {
    /// The marker of generated files.
    pub generated: String,
    /// The model file, from the workspace's root, or by its own name outside.
    pub model: String,
    /// The parts of the model.
    pub origins: Vec<Origin>,
    /// First line, last line and index of the origin, in order; no line is in two of them.
    pub lines: Vec<(usize, usize, usize)>,
}

/// From which word on a text speaks of which origin, by index; in order.
pub type Words = Vec<(usize, Option<usize>)>;

impl TraceMap {
    /// The map of a file with the text `text`, made of the model file `model`.
    pub fn new(model: &str, origins: Vec<Origin>, words: &Words, text: &str) -> Self {
        let mut lines: Vec<(usize, usize, usize)> = Vec::new();
        let mut marks = words.iter().peekable();
        let (mut count, mut of) = (0, None);
        for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
            let words = count_words(line);
            if words > 0 {
                while let Some((_, next)) = marks.next_if(|(word, _)| *word <= count) {
                    of = *next;
                }
            }
            count += words;
            // What is only braces belongs to what stands before it.
            if let Some(origin) = of.filter(|_| !line.trim().is_empty()) {
                match lines.last_mut() {
                    Some((_, last, same)) if *same == origin && *last + 1 == number => {
                        *last = number;
                    }
                    _ => lines.push((number, number, origin)),
                }
            }
        }
        Self {
            generated: format!("{MARKER} from {model}. Do not edit."),
            model: model.to_owned(),
            origins,
            lines,
        }
    }

    /// The text of its file: JSON, an origin and a range of lines to a line.
    pub fn to_json(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut json = format!(
            "{{\n\"generated\": {},\n\"model\": {},\n\"origins\": [",
            quoted(&self.generated),
            quoted(&self.model)
        );
        for (at, origin) in self.origins.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let origin = serde_json::to_string(origin).unwrap_or_default();
            let _ = write!(json, "{comma}\n{origin}");
        }
        json.push_str("\n],\n\"lines\": [");
        for (at, (first, last, origin)) in self.lines.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(json, "{comma}\n[{first}, {last}, {origin}]");
        }
        json.push_str("\n]\n}\n");
        json
    }

    /// Reads the map of a generated file.
    ///
    /// # Errors
    ///
    /// In words, if there is none, or it is none.
    pub fn of(file: &Path) -> Result<Self, String> {
        let path = map_path(file);
        let shown = path.display();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let file = file.display();
            format!("{file} has no map: cannot read {shown}: {error}")
        })?;
        let map: Self = serde_json::from_str(&text)
            .map_err(|error| format!("{shown} is not a map: {error}"))?;
        let known = |(_, _, origin): &(usize, usize, usize)| *origin < map.origins.len();
        if !map.generated.starts_with(MARKER) || !map.lines.iter().all(known) {
            return Err(format!("{shown} is not a map of a generated file"));
        }
        Ok(map)
    }

    /// What a line, from 1, comes from; `None` for what is the same in all files.
    pub fn find(&self, line: usize) -> Option<&Origin> {
        let at = self.lines.partition_point(|(_, last, _)| *last < line);
        let (first, _, origin) = self.lines.get(at)?;
        self.origins.get(*origin).filter(|_| *first <= line)
    }
}

/// The path of the map of a file.
pub fn map_path(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(ENDING);
    PathBuf::from(path)
}

/// How many words a text has: runs of letters, digits and `_`.
pub fn count_words(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(name: &str) -> Origin {
        Origin {
            kind: "element".to_owned(),
            name: name.to_owned(),
            path: format!("M::{name}"),
            id: Some(1),
            line: 7,
            column: 3,
        }
    }

    #[test]
    fn words_lead_to_lines() {
        let words = vec![(2, Some(0)), (4, Some(1)), (5, None)];
        let text = "use x;\n\nfn a(\n    b,\n);\nlet c = 1;\n}\nfn main";
        let map = TraceMap::new("m.uml", vec![origin("A"), origin("B")], &words, text);
        assert_eq!(map.lines, [(3, 3, 0), (4, 5, 1)]);
        assert_eq!(map.find(3).map(|it| it.name.as_str()), Some("A"));
        assert_eq!(map.find(5).map(|it| it.name.as_str()), Some("B"));
        assert!(map.find(1).is_none() && map.find(2).is_none() && map.find(99).is_none());
        let read: TraceMap = serde_json::from_str(&map.to_json()).expect("it is JSON");
        assert_eq!(read, map);
    }
}
