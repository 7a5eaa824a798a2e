//! Maps the lines of a generated file to the parts of the model that they come from.
//!
//! Generated text records these parts itself ([`crate::emit`]), even after it has been formatted.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use prophet_text::Problem;
use serde::{Deserialize, Serialize};

use crate::output::MARKER;

/// What to append to a generated file's name to get the name of its map.
pub const ENDING: &str = ".map.json";

/// A part of the model that lines of a generated file come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The kind of part: `element`, `diagram`, `function` or `variable`.
    pub kind: String,
    /// Name in the model.
    pub name: String,
    /// Path in the model.
    pub path: String,
    /// The part's id in results, or `None` if results don't contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The file with the part, if it is a separate file next to the model; `None` for the model
    /// file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The part's line in that file, from 1.
    pub line: usize,
    /// The part's column in that line, in characters from 1.
    pub column: usize,
}

/// The map of a generated file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceMap {
    /// The marker that identifies the map itself as generated.
    pub generated: String,
    /// The model file's path relative to the root of the workspace, or just its name if it is
    /// outside of the workspace.
    pub model: String,
    /// The parts of the model that the lines come from.
    pub origins: Vec<Origin>,
    /// Ranges of lines as (first line, last line, index into `origins`), in order and without
    /// overlaps.
    pub lines: Vec<(usize, usize, usize)>,
}

impl TraceMap {
    /// Creates the map of a file that was generated from `model`. `lines` contains pairs of a line
    /// number, from 1 and in order, and the index of the line's origin.
    pub fn new(
        model: &str,
        lines: impl IntoIterator<Item = (usize, usize)>,
        origins: Vec<Origin>,
    ) -> Self {
        let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
        for (number, origin) in lines {
            match ranges.last_mut() {
                Some((_, last, same)) if *same == origin && *last + 1 == number => *last = number,
                Some(_) | None => ranges.push((number, number, origin)),
            }
        }
        Self {
            generated: format!("{MARKER} from {model}. Do not edit."),
            model: model.to_owned(),
            origins,
            lines: ranges,
        }
    }

    /// Returns the map as JSON, with each origin and each range of lines on a line of its own.
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
        prophet_text::plain::json(&json)
    }

    /// Reads the map of a generated file.
    ///
    /// # Errors
    ///
    /// Returns an error if the map is missing or invalid.
    pub fn of(file: &Path) -> Result<Self, Problem> {
        let path = map_path(file);
        let shown = path.display();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let file = file.display();
            Problem::new(format!("{file} has no map: cannot read {shown}: {error}"))
        })?;
        let map: Self = serde_json::from_str(&text)
            .map_err(|error| Problem::new(format!("{shown} is not a map: {error}")))?;
        let known = |(_, _, origin): &(usize, usize, usize)| *origin < map.origins.len();
        if !map.generated.starts_with(MARKER) || !map.lines.iter().all(known) {
            let message = format!("{shown} is not a map of a generated file");
            return Err(Problem::new(message));
        }
        Ok(map)
    }

    /// Returns the origin of a line, counted from 1, or `None` if the line is the same for all
    /// models.
    pub fn find(&self, line: usize) -> Option<&Origin> {
        let at = self.lines.partition_point(|(_, last, _)| *last < line);
        let (first, _, origin) = self.lines.get(at)?;
        self.origins.get(*origin).filter(|_| *first <= line)
    }
}

/// Returns the path of the map for the generated file `file`.
pub fn map_path(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(ENDING);
    PathBuf::from(path)
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
            file: None,
            line: 7,
            column: 3,
        }
    }

    #[test]
    fn lines_lead_to_origins() {
        let lines = [(3, 0), (4, 1), (5, 1), (7, 1)];
        let map = TraceMap::new("m.uml", lines, vec![origin("A"), origin("B")]);
        assert_eq!(map.lines, [(3, 3, 0), (4, 5, 1), (7, 7, 1)]);
        assert_eq!(map.find(3).map(|it| it.name.as_str()), Some("A"));
        assert_eq!(map.find(5).map(|it| it.name.as_str()), Some("B"));
        assert!(map.find(1).is_none() && map.find(6).is_none() && map.find(99).is_none());
        let read: TraceMap = serde_json::from_str(&map.to_json()).expect("it is JSON");
        assert_eq!(read, map);
    }
}
