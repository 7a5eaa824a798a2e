//! Finds where elements are in the model, using the source map next to a generated file.

use prophet_text::{Problem, problem};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::page::{Data, ElementPlace};
use serde::Deserialize;

const MAP_MAX: u64 = 1 << 28;

/// The part of a source map that reports need. (`cargo xtask where` reads the whole map.)
#[derive(Deserialize)]
pub(crate) struct Map {
    model: String,
    origins: Vec<Origin>,
}

#[derive(Deserialize)]
struct Origin {
    name: String,
    path: String,
    id: Option<i64>,
    file: Option<String>,
    line: usize,
}

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    ///
    /// Returns an error with the file's name if the file can't be read or isn't a map.
    pub(crate) fn read(path: &Path) -> Result<Self, Problem> {
        let shown = path.display();
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(MAP_MAX).read_to_string(&mut text))
            .map_err(|why| Problem::unread(path, why))?;
        serde_json::from_str(&text)
            .map_err(|error| problem!("`{shown}` is not the map of a generated file: {error}"))
    }

    /// Adds places to the elements of a page. If the map belongs to a different model, adds a
    /// warning.
    pub(crate) fn place(&self, data: &mut Data) {
        for element in &mut data.elements {
            let is_it = |origin: &&Origin| {
                let id = origin.id.map(|id| id.to_string());
                id.as_ref() == Some(&element.id) && origin.name == element.name
            };
            element.place = self.origins.iter().find(is_it).map(|origin| {
                let file = origin.file.as_ref().unwrap_or(&self.model);
                ElementPlace {
                    line: prophet_text::plain::line(&format!("{file}:{}", origin.line)),
                    path: prophet_text::plain::line(&origin.path),
                }
            });
        }
        if data.elements.iter().all(|element| element.place.is_none()) {
            data.notes.push(format!(
                "The map belongs to {}, which contains no element of this run: pass the map of the \
                 program that was run.",
                prophet_text::plain::line(&self.model)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use prophet_testing::{assert_says, assert_starts};
    use std::fs;

    use crate::page::Element;

    use super::*;

    const MAP: &str = r#"{"generated": "@generated", "model": "models/\u001bring.uml", "origins": [
        {"kind": "variable", "name": "N", "path": "Ring::N", "line": 3, "column": 1},
        {"kind": "element", "name": "Work", "path": "Ring::Main::Work", "id": 7, "line": 42,
         "column": 5}], "lines": [[1, 2, 0]]}"#;

    fn read(text: &str) -> Result<Map, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lib.rs.map.json");
        fs::write(&path, text).unwrap();
        Map::read(&path).map_err(|error| {
            error
                .to_string()
                .replace(folder.path().to_str().unwrap(), "…")
        })
    }

    fn placed(elements: &[(&str, &str)]) -> Data {
        let element = |&(name, id): &(&str, &str)| Element {
            name: name.to_owned(),
            id: id.to_owned(),
            ..Element::default()
        };
        let mut data = Data {
            elements: elements.iter().map(element).collect(),
            ..Data::default()
        };
        read(MAP).ok().unwrap().place(&mut data);
        data
    }

    #[test]
    fn elements_get_the_lines_of_their_map() {
        let data = placed(&[("Work", "7"), ("Work", "8"), ("Other", "7")]);
        let place = data.elements[0].place.as_ref().unwrap();
        assert!(place.line.ends_with("ring.uml:42"), "{}", place.line);
        assert!(!place.line.contains('\u{1b}'));
        assert_eq!(place.path, "Ring::Main::Work");
        assert_eq!(data.elements[1].place, None, "another id");
        assert_eq!(data.elements[2].place, None, "another name");
        assert!(data.notes.is_empty());
    }

    #[test]
    fn a_map_of_another_model_is_told_of() {
        let data = placed(&[("Else", "1")]);
        assert_says(&data.notes[0], &["contains no element of this run"]);
    }

    #[test]
    fn what_is_no_map_is_refused() {
        let message = read("[]").err().unwrap();
        assert_starts(
            &message,
            "`…/lib.rs.map.json` is not the map of a generated file: ",
        );
        let message = Map::read(Path::new("no/such")).err().unwrap();
        assert_starts(&message.to_string(), "cannot read no/such: ");
    }
}
