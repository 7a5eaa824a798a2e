//! Recovers unsaved texts when the studio is started again.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where a model's unsaved text is stored.
#[derive(Debug, Clone)]
pub(crate) struct Recovery(Option<PathBuf>);

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Unsaved {
    path: PathBuf,
    /// Text of the file when editing began.
    pub(crate) base: String,
    pub(crate) text: String,
}

impl Recovery {
    /// Creates a store in `folder` for unsaved text of `model`. Without a folder, nothing is kept.
    pub(crate) fn new(folder: Option<&Path>, model: &Path) -> Self {
        let name = folder.map(|folder| folder.join(format!("{}.json", file_name(model))));
        Self(name)
    }

    pub(crate) fn read(&self, model: &Path) -> Option<Unsaved> {
        let text = fs::read(self.0.as_ref()?).ok()?;
        let unsaved: Unsaved = serde_json::from_slice(&text).ok()?;
        (unsaved.path == model).then_some(unsaved)
    }

    /// Stores a text completely or not at all.
    pub(crate) fn keep(&self, model: &Path, base: &str, text: &str) -> io::Result<()> {
        let Some(file) = &self.0 else {
            return Ok(());
        };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let (path, base, text) = (model.to_owned(), base.to_owned(), text.to_owned());
        let unsaved = serde_json::to_vec(&Unsaved { path, base, text })?;
        prophet_files::write(file, unsaved)
    }

    pub(crate) fn forget(&self) {
        if let Some(file) = &self.0 {
            // If this fails, nothing was stored, or what is stored equals what was saved.
            let _ = fs::remove_file(file);
        }
    }
}

/// Maximum length of a file name, which leaves room for an extension.
const NAME_MAX: usize = 200;

/// Derives a file name from a path: its letters and digits, and a hash of the whole path.
fn file_name(path: &Path) -> String {
    let hash = number(path);
    let path = path.to_string_lossy();
    let plain = path.chars().filter(char::is_ascii_alphanumeric);
    let last: Vec<char> = plain.collect();
    let from = last.len().saturating_sub(NAME_MAX / 2);
    let mut name: String = last[from..].iter().collect();
    let _ = write!(name, "-{hash}");
    name
}

/// Hashes a path, so that the path isn't revealed.
pub(crate) fn number(path: &Path) -> String {
    // FNV-1a. A collision is detected with the stored path, and loses only unsaved text.
    let bytes = path.to_string_lossy();
    let hash = bytes.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let model = Path::new("/somewhere/ä model.uml");
        let recovery = Recovery::new(Some(folder.path()), model);
        assert!(recovery.read(model).is_none());
        recovery.keep(model, "old", "new").unwrap();
        let kept = recovery.read(model).unwrap();
        assert_eq!((kept.base.as_str(), kept.text.as_str()), ("old", "new"));
        assert!(recovery.read(Path::new("/elsewhere/model.uml")).is_none());
        recovery.forget();
        assert!(recovery.read(model).is_none());
    }

    #[test]
    fn damaged_files_are_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let model = Path::new("/m.uml");
        let recovery = Recovery::new(Some(folder.path()), model);
        recovery.keep(model, "old", "new").unwrap();
        let file = recovery.0.clone().unwrap();
        fs::write(&file, "{\"path\": \"/m.uml\", \"base").unwrap();
        assert!(recovery.read(model).is_none());
    }
}
