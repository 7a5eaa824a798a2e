//! Edits the tables of `interpolate`, which are files next to the model, as text on a page.

use prophet_text::{Context as _, Problem, problem};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use prophet_edit::FileChange;
use prophet_frontend::lang::scope::table_names;
use prophet_frontend::tables::is_plain_name;
use serde::Serialize;

/// Maximum size, in bytes, of a table that a page can edit. Larger tables are for other programs.
const TEXT_MAX: usize = 256 << 10;

/// The tables that a model names, as they are on disk.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables(BTreeMap<String, Text>);

#[derive(Debug, PartialEq, Eq)]
enum Text {
    Missing,
    There(String),
    Hidden(&'static str),
}

#[derive(Debug, Serialize)]
pub(crate) struct TableView<'t> {
    name: &'t str,
    /// The table's text; `None` if the file doesn't exist or can't be shown on a page.
    text: Option<&'t str>,
    /// Why the table isn't shown.
    why: Option<&'static str>,
}

impl Tables {
    /// Reads the tables that this code names.
    pub(crate) fn read<'c>(folder: &Path, code: impl Iterator<Item = &'c str>) -> Self {
        let names = code.flat_map(table_names).filter(|it| is_plain_name(it));
        Self(
            names
                .map(|name| (name.clone(), text(&folder.join(name))))
                .collect(),
        )
    }

    /// Returns the tables whose files have changed since they were read.
    pub(crate) fn changed(&self, folder: &Path) -> Vec<String> {
        let has_changed = |(name, known): &(&String, &Text)| text(&folder.join(name)) != **known;
        let changed = self.0.iter().filter(has_changed);
        changed.map(|(name, _)| name.clone()).collect()
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

    /// Writes a table that the model names, and returns the change.
    pub(crate) fn write(
        &self,
        folder: &Path,
        name: &str,
        new: &str,
    ) -> Result<FileChange, Problem> {
        self.may_write(name, new)?;
        let before = current(&folder.join(name))?;
        put(&folder.join(name), Some(new))?;
        Ok(FileChange {
            name: name.to_owned(),
            before,
            after: Some(new.to_owned()),
        })
    }

    /// Replaces a table's text with an earlier one, or deletes the table's file.
    pub(crate) fn put_back(
        &self,
        folder: &Path,
        name: &str,
        [from, to]: [Option<&str>; 2],
    ) -> Result<(), Problem> {
        self.may_write(name, to.unwrap_or_default())?;
        if current(&folder.join(name))?.as_deref() != from {
            return Err(problem!(
                "another program has changed `{name}`; it was not overwritten"
            ));
        }
        put(&folder.join(name), to)
    }

    /// Returns an error if a table can't be written here.
    fn may_write(&self, name: &str, text: &str) -> Result<(), Problem> {
        let is_sheet = Path::new(name)
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("csv"));
        match self.0.get(name) {
            None => Err(problem!("the model does not use a table `{name}`")),
            Some(Text::Hidden(why)) => Err(problem!("`{name}` cannot be edited here: {why}")),
            // Models are untrusted, so they must not make the user overwrite other files.
            Some(_) if !is_sheet => Err("only tables in .csv files can be written here".into()),
            Some(_) if text.len() > TEXT_MAX => Err(problem!(
                "a table can have at most {} KB here",
                TEXT_MAX >> 10
            )),
            Some(_) => Ok(()),
        }
    }
}

/// Returns the file's current text; `None` if it doesn't exist.
fn current(path: &Path) -> Result<Option<String>, Problem> {
    match text(path) {
        Text::Missing => Ok(None),
        Text::There(text) => Ok(Some(text)),
        Text::Hidden(why) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Err(problem!("`{name}` cannot be edited here: {why}"))
        }
    }
}

fn put(path: &Path, text: Option<&str>) -> Result<(), Problem> {
    let written = match text {
        Some(text) => prophet_files::write(path, text.as_bytes()),
        None => fs::remove_file(path),
    };
    written.cannot("write", path.display())
}

/// Returns the text of a file, if it can be shown on a page.
fn text(path: &Path) -> Text {
    let about = match path.symlink_metadata() {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Text::Missing,
        Err(_) => return Text::Hidden("it cannot be read"),
    };
    if !about.is_file() {
        return Text::Hidden("it is not a regular file");
    }
    if about.len() > TEXT_MAX as u64 {
        return Text::Hidden("it is too large");
    }
    let mut text = String::new();
    let read = File::open(path).and_then(|file| {
        // Another program may be writing the file.
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
        assert!(tables.changed(folder).is_empty());
        tables.write(folder, "startup.csv", "1,3\n").unwrap();
        assert_eq!(
            fs::read_to_string(folder.join("startup.csv")).unwrap(),
            "1,3\n"
        );
        assert_eq!(tables.changed(folder), ["startup.csv"]);
    }

    #[test]
    fn no_other_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let tables = read(folder.path());
        for (name, text, why) in [
            ("../x.csv", "", "the model does not use a table `../x.csv`"),
            (
                "other.csv",
                "",
                "the model does not use a table `other.csv`",
            ),
            (
                "lib.rs",
                "",
                "only tables in .csv files can be written here",
            ),
            (
                "startup.csv",
                &"1".repeat(TEXT_MAX + 1),
                "a table can have at most 256 KB here",
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
            "`startup.csv` cannot be edited here: it is not in UTF-8"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
