//! Represents a model that can consist of several files, and finds out which file a place is in.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A model file: its name for messages, its text, and the other files that it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The file's name as the user typed it.
    pub name: String,
    /// The decoded text. The texts of the other files follow, each on a new line, so that a byte
    /// range identifies a place in any file.
    pub text: String,
    /// The other files, in the order in which their texts follow in `text`.
    #[serde(default)]
    pub files: Vec<File>,
    /// References to other files, and where they lead. Sorted by `from` and `href`.
    #[serde(default)]
    pub links: Vec<Link>,
}

/// A file other than the model's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The file's name for messages.
    pub name: String,
    /// Path relative to the model's folder, with `/` as the separator.
    pub path: String,
    /// Offset of the file's first byte in the source's text.
    pub start: usize,
}

/// A reference from one file to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The file that contains the reference.
    pub from: FileNumber,
    /// The reference itself, as written in the file.
    pub href: String,
    /// Path of the other file relative to the model's folder; `None` if it is outside of that
    /// folder.
    pub path: Option<String>,
    /// The file that the reference leads to. If the file couldn't be read, the reason as a relative
    /// clause.
    pub to: Result<FileNumber, String>,
}

/// Number of a file in a source. 0 is the model's own file, and other numbers count the other files
/// from 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct FileNumber(pub usize);

impl File {
    /// Returns the path of this file if `model` is the path of the model.
    pub fn beside(&self, model: impl AsRef<Path>) -> PathBuf {
        model.as_ref().with_file_name(&self.path)
    }
}

impl Source {
    /// Creates a model that consists of a single file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let (files, links) = (Vec::new(), Vec::new());
        Self {
            name,
            text,
            files,
            links,
        }
    }

    pub fn own_text(&self) -> &str {
        self.text
            .get(self.range_of(FileNumber(0)))
            .unwrap_or_default()
    }

    /// Returns the numbers of all files, the model's own file first.
    pub fn parts(&self) -> impl Iterator<Item = FileNumber> + use<> {
        (0..=self.files.len()).map(FileNumber)
    }

    /// Returns the file that contains the byte at `offset`.
    pub fn part_at(&self, offset: usize) -> FileNumber {
        FileNumber(self.files.partition_point(|it| it.start <= offset))
    }

    /// Returns the byte range of a file in [`Source::text`].
    pub fn range_of(&self, part: FileNumber) -> Range<usize> {
        let start_of = |number: usize| Some(self.files.get(number.checked_sub(1)?)?.start);
        let start = start_of(part.0).unwrap_or_default();
        // A line break separates the files.
        let end = start_of(part.0 + 1).map_or(self.text.len(), |next| next.saturating_sub(1));
        start..end
    }

    /// Returns the file that contains the byte at `offset`; `None` for the model's own file.
    pub fn file_at(&self, offset: usize) -> Option<&File> {
        self.files.get(self.part_at(offset).0.checked_sub(1)?)
    }

    /// Returns the name of the file that contains the byte at `offset`, for messages.
    pub fn name_at(&self, offset: usize) -> &str {
        self.file_at(offset).map_or(&self.name, |it| &it.name)
    }

    /// Appends a file, and returns its number.
    pub fn add(&mut self, name: String, path: String, text: &str) -> FileNumber {
        self.text.push('\n');
        let start = self.text.len();
        self.text.push_str(text);
        self.files.push(File { name, path, start });
        FileNumber(self.files.len())
    }

    /// Returns the paths of the files that the model needs, relative to its folder. The files may
    /// not exist.
    pub fn needed(&self) -> impl Iterator<Item = &String> {
        self.links.iter().filter_map(|it| it.path.as_ref())
    }

    /// Returns where the reference `href` at `offset` leads; `None` if there is no such reference.
    pub fn link(&self, offset: usize, href: &str) -> Option<&Result<FileNumber, String>> {
        let from = self.part_at(offset);
        let key = |it: &Link| (it.from, it.href.as_str()).cmp(&(from, href));
        let at = self.links.binary_search_by(key).ok()?;
        Some(&self.links[at].to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::lines::Lines;

    #[test]
    fn places_are_told_by_file() {
        let mut source = Source::new("a.uml", "<a>\n</a>");
        let empty = source.add("empty.uml".to_owned(), "empty.uml".to_owned(), "");
        let part = source.add("b.uml".to_owned(), "b.uml".to_owned(), "<b>\n é</b>");
        assert_eq!(
            source.parts().collect::<Vec<_>>(),
            [FileNumber(0), empty, part]
        );
        assert_eq!(source.own_text(), "<a>\n</a>");
        let at = source.text.find("</b>").expect("it is there");
        let lines = Lines::of(&source);
        let told = |at: usize| (source.name_at(at), lines.place(at));
        assert_eq!(told(at), ("b.uml", (2, 3)));
        assert_eq!(told(source.text.len()), ("b.uml", (2, 7)));
        assert_eq!(told(4), ("a.uml", (2, 1)));
        assert_eq!(told(8), ("a.uml", (2, 5)), "the end of a file is in it");
        assert_eq!(told(9), ("empty.uml", (1, 1)));
        assert_eq!(&source.text[source.range_of(part)], "<b>\n é</b>");
        assert!(source.range_of(empty).is_empty());
    }
}
