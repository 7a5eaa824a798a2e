//! Finds the parts of a model's file that messages name.

use std::fmt;
use std::sync::OnceLock;

use serde::Deserialize;

/// A place in a model's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPlace {
    /// The name of the file, as the generator wrote it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u64,
}

impl ModelPlace {
    /// If the place is known, writes a line with it below a line with this indentation.
    pub(crate) fn below(
        place: Option<&Self>,
        indent: &str,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        place
            .iter()
            .try_for_each(|place| write!(f, "\n{indent}--> {place}"))
    }
}

impl fmt::Display for ModelPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = prophet_text::plain::line(&self.file);
        write!(f, "{file}:{}:{}", self.line, self.column)
    }
}

/// The relevant part of a generated file's map.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Places {
    model: String,
    origins: Vec<Origin>,
}

#[derive(Debug, Deserialize)]
struct Origin {
    kind: String,
    name: String,
    id: Option<i64>,
    line: u64,
    column: u64,
}

/// Where all parts of a model are. Read when a failure first names one. Predictions with the same
/// model share this, because a search can need it at every point that the model rejects.
#[derive(Debug, Default)]
pub struct KnownPlaces(OnceLock<Places>);

impl KnownPlaces {
    pub(crate) fn of(&self, map: &str) -> &Places {
        self.0.get_or_init(|| Places::of(map))
    }
}

impl Places {
    /// Reads places from the map that came with the model. An invalid map contains none.
    pub(crate) fn of(map: &str) -> Self {
        serde_json::from_str(map).unwrap_or_default()
    }

    pub(crate) fn element(&self, id: i64) -> Option<ModelPlace> {
        self.last(|it| it.id == Some(id))
    }

    pub(crate) fn function(&self, name: &str) -> Option<ModelPlace> {
        self.last(|it| it.id.is_none() && it.kind == "function" && it.name == name)
    }

    fn last(&self, is_it: impl Fn(&Origin) -> bool) -> Option<ModelPlace> {
        let origin = self.origins.iter().rfind(|it| is_it(it))?;
        Some(ModelPlace {
            file: self.model.clone(),
            line: origin.line,
            column: origin.column,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_map_tells_no_places() {
        for map in [
            "",
            "{",
            "[]",
            r#"{"model": "m.uml", "origins": [{"line": -1}]}"#,
        ] {
            let places = Places::of(map);
            assert_eq!((places.element(1), places.function("F")), (None, None));
        }
    }

    #[test]
    fn a_file_s_name_is_shown_plainly() {
        let place = ModelPlace {
            file: "a\u{1b}[31m.uml".to_owned(),
            line: 2,
            column: 3,
        };
        assert!(!place.to_string().contains('\u{1b}'), "{place}");
    }
}
