//! Represents a file that is open in an editor.

use std::path::{Path, PathBuf};

use prophet_model::source::Source;
use prophet_model::xmi::with_files_beside;
use prophet_text::percent_decoded;

/// The kind of a file, according to its name and text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Model,
    Rules,
    Machine,
}

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) text: String,
}

impl Document {
    /// Returns the path of the file, or only its name if the editor hasn't saved it in a folder.
    pub(crate) fn path(&self) -> PathBuf {
        let path = self.uri.strip_prefix("file://").unwrap_or(&self.uri);
        let bytes = percent_decoded(path).unwrap_or_else(|left| left);
        PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn kind(&self) -> Option<Kind> {
        let path = self.path();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or("");
        let start = self.text.trim_start_matches('\u{feff}').trim_start();
        match extension {
            "toml" => Some(Kind::Machine),
            "xml" if is_root(start, "mcl") => Some(Kind::Rules),
            "xml" if is_root(start, "system") || is_root(start, "platform") => Some(Kind::Machine),
            "xml" | "puml" | "plantuml" | "iuml" | "pu" | "wsd" | "uml" | "xmi" => {
                Some(Kind::Model)
            }
            _ => None,
        }
    }

    pub(crate) fn source(&self) -> Source {
        let path = self.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Source::new(name.into_owned(), self.text.clone())
    }

    /// Returns the text as a model, with the neighboring files that it names.
    pub(crate) fn model(&self) -> Source {
        with_files_beside(self.source(), &self.path())
    }

    pub(crate) fn folder(&self) -> PathBuf {
        let path = self.path();
        path.parent().unwrap_or(Path::new("")).to_owned()
    }
}

/// Returns `true` if the root element of an XML text has this name, whatever its prefix.
fn is_root(text: &str, name: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if rest.starts_with(['?', '!']) {
            continue;
        }
        let tag = rest.split([' ', '>', '/', '\n', '\r', '\t']).next();
        let local = tag.and_then(|it| it.rsplit(':').next());
        return local == Some(name);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(uri: &str, text: &str) -> Document {
        Document {
            uri: uri.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_uri_is_a_path() {
        let it = document("file:///a%20b/%C3%BC.puml", "");
        assert_eq!(it.path(), Path::new("/a b/ü.puml"));
        assert_eq!(it.folder(), Path::new("/a b"));
        assert_eq!(
            document("untitled:%zz", "").path(),
            Path::new("untitled:%zz")
        );
    }

    #[test]
    fn names_and_texts_tell_what_a_file_is() {
        let kind = |uri, text| document(uri, text).kind();
        assert_eq!(kind("a.puml", ""), Some(Kind::Model));
        assert_eq!(kind("a.uml", ""), Some(Kind::Model));
        assert_eq!(kind("a.toml", "nodes = 2"), Some(Kind::Machine));
        let system = "<?xml version='1.0'?>\n<!-- - -->\n<p:system name='a'/>";
        assert_eq!(kind("a.xml", system), Some(Kind::Machine));
        assert_eq!(kind("a.mcl.xml", "<mcl xmlns='a'>"), Some(Kind::Rules));
        assert_eq!(kind("a.xml", "<model/>"), Some(Kind::Model));
        assert_eq!(kind("a.rs", ""), None);
    }
}
