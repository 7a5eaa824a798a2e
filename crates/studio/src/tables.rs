//! Tables of `interpolate`: files beside the model, which a page edits as texts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use prophet_codegen::lang::scope::table_names;
use prophet_codegen::tables::is_plain_name;
use serde::Serialize;

/// Most bytes of a table that a page gets; larger ones are for other programs.
const TEXT_MAX: usize = 256 << 10;

/// The tables that a model names, as they are on the disk.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables(BTreeMap<String, Text>);

/// A table's file.
#[derive(Debug, PartialEq, Eq)]
enum Text {
    Missing,
    There(String),
    /// A reason why it is not shown.
    Hidden(&'static str),
}

/// A table as a page gets it.
#[derive(Debug, Serialize)]
pub(crate) struct TableView<'t> {
    name: &'t str,
    /// The text; none if there is no file, or it is not for a page.
    text: Option<&'t str>,
    /// A reason why it is not shown.
    why: Option<&'static str>,
}

impl Tables {
    /// Reads the tables that some of these pieces of code name.
    pub(crate) fn read<'c>(folder: &Path, code: impl Iterator<Item = &'c str>) -> Self {
        let names = code.flat_map(table_names).filter(|it| is_plain_name(it));
        Self(
            names
                .map(|name| (name.clone(), text(&folder.join(name))))
                .collect(),
        )
    }

    /// True if a file is no longer as it was read.
    pub(crate) fn have_changed(&self, folder: &Path) -> bool {
        let mut tables = self.0.iter();
        tables.any(|(name, known)| text(&folder.join(name)) != *known)
    }

    pub(crate) fn views(&self) -> Vec<TableView<'_>> {
        let tables = self.0.iter().map(|(name, known)| match known {
            Text::Missing => TableView {
                name,
                text: None,
                why: None,
            },
            Text::There(text) => TableView {
                name,
                text: Some(text),
                why: None,
            },
            Text::Hidden(why) => TableView {
                name,
                text: None,
                why: Some(why),
            },
        });
        tables.collect()
    }

    /// Writes a table that the model names.
    pub(crate) fn write(&self, folder: &Path, name: &str, text: &str) -> Result<(), String> {
        let is_sheet = Path::new(name)
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("csv"));
        match self.0.get(name) {
            None => return Err(format!("the model names no table `{name}`")),
            Some(Text::Hidden(why)) => return Err(format!("`{name}` is not edited here: {why}")),
            // A model is a stranger's: it must not make anybody write another file.
            Some(_) if !is_sheet => {
                return Err("only tables in files that end in .csv are written here".to_owned());
            }
            Some(_) if text.len() > TEXT_MAX => {
                return Err(format!("a table has at most {} KB here", TEXT_MAX >> 10));
            }
            Some(_) => {}
        }
        let path = folder.join(name);
        let written = prophet_files::write(&path, text.as_bytes());
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))
    }
}

/// The file's text, if it is one for a page.
fn text(path: &Path) -> Text {
    let about = match path.symlink_metadata() {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Text::Missing,
        Err(_) => return Text::Hidden("it cannot be read"),
    };
    if !about.is_file() {
        return Text::Hidden("it is not a plain file");
    }
    if about.len() > TEXT_MAX as u64 {
        return Text::Hidden("it is too large");
    }
    let mut text = String::new();
    let read = File::open(path).and_then(|file| {
        // Somebody may be writing it.
        file.take(TEXT_MAX as u64).read_to_string(&mut text)
    });
    match read {
        Ok(_) => Text::There(text),
        Err(error) if error.kind() == ErrorKind::InvalidData => Text::Hidden("it is not in UTF-8"),
        Err(_) => Text::Hidden("it cannot be read"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const CODE: &str = "return interpolate(\"startup.csv\", n) + interpolate(\"lib.rs\", n);";

    fn read(folder: &Path) -> Tables {
        Tables::read(folder, [CODE, "interpolate(\"../x.csv\", 1)"].into_iter())
    }

    #[test]
    fn tables_are_files_that_the_code_names() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("startup.csv"), "1,2\n").unwrap();
        let tables = read(folder);
        let views = serde_json::to_value(tables.views()).unwrap();
        let expected = serde_json::json!([
            {"name": "lib.rs", "text": null, "why": null},
            {"name": "startup.csv", "text": "1,2\n", "why": null},
        ]);
        assert_eq!(views, expected);
        assert!(!tables.have_changed(folder));
        tables.write(folder, "startup.csv", "1,3\n").unwrap();
        assert_eq!(
            fs::read_to_string(folder.join("startup.csv")).unwrap(),
            "1,3\n"
        );
        assert!(tables.have_changed(folder));
    }

    #[test]
    fn no_other_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let tables = read(folder.path());
        for (name, text, why) in [
            ("../x.csv", "", "the model names no table `../x.csv`"),
            ("other.csv", "", "the model names no table `other.csv`"),
            (
                "lib.rs",
                "",
                "only tables in files that end in .csv are written here",
            ),
            (
                "startup.csv",
                &"1".repeat(TEXT_MAX + 1),
                "a table has at most 256 KB here",
            ),
        ] {
            assert_eq!(tables.write(folder.path(), name, text).unwrap_err(), why);
        }
        fs::write(folder.path().join("startup.csv"), b"\xff").unwrap();
        let hidden = read(folder.path())
            .write(folder.path(), "startup.csv", "")
            .unwrap_err();
        assert_eq!(
            hidden,
            "`startup.csv` is not edited here: it is not in UTF-8"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
