//! Stores the files that a command reads.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use prophet_text::{Problem, plain};

use crate::place::{folder, is_same_file, is_standard_input};
use crate::{Unread, read};

/// The files that a command reads: files that flags name, files in folders, and files that other
/// files refer to. No output is allowed to replace any of them.
///
/// ```
/// use prophet_files::Inputs;
///
/// let folder = prophet_files::Folder::temporary("example")?;
/// let model = folder.path().join("model.uml");
/// std::fs::write(&model, "")?;
/// let page = folder.path().join("./model.uml");
/// let inputs = Inputs::from_iter([model]);
/// let refused = inputs.refuse([("--report", &page)]).unwrap_err();
/// assert!(refused.message.starts_with("`--report` would replace "));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Inputs(BTreeSet<PathBuf>);

impl Inputs {
    /// Checks that no output would replace an input, the file behind standard input, or another
    /// output. Each output is given with its flag.
    ///
    /// # Errors
    ///
    /// Returns an error for the first output that would replace such a file.
    pub fn refuse<'o, P: AsRef<Path> + ?Sized + 'o>(
        &self,
        outputs: impl IntoIterator<Item = (&'o str, &'o P)>,
    ) -> Result<(), Problem> {
        let mut others: Vec<(&str, &Path)> = Vec::new();
        for (flag, output) in outputs {
            let output = output.as_ref();
            let what = if let Some(what) = self.role_of(output) {
                // Shows the path as the user typed it. Users don't type the paths of files that
                // other files refer to.
                let typed = plain::line(&output.display().to_string());
                format!("`{flag}` would replace {typed}, which {what}")
            } else if let Some((other, _)) = others.iter().find(|it| is_same_file(it.1, output)) {
                format!("`{other}` and `{flag}` name the same file")
            } else {
                others.push((flag, output));
                continue;
            };
            let help = format!("name a different file for `{flag}`");
            return Err(Problem::with_help(what, help));
        }
        Ok(())
    }

    /// Returns how the command uses a file; `None` if it doesn't read the file.
    fn role_of(&self, file: &Path) -> Option<&'static str> {
        if self.0.iter().any(|it| is_same_file(it, file)) {
            return Some("this command reads");
        }
        is_standard_input(file).then_some("is the standard input")
    }
}

impl<P: Into<PathBuf>> Extend<P> for Inputs {
    fn extend<T: IntoIterator<Item = P>>(&mut self, files: T) {
        self.0.extend(files.into_iter().map(Into::into));
    }
}

impl<P: Into<PathBuf>> FromIterator<P> for Inputs {
    fn from_iter<T: IntoIterator<Item = P>>(files: T) -> Self {
        Self(files.into_iter().map(Into::into).collect())
    }
}

/// Returns the path of a file that another file refers to. It must be a regular file in the folder
/// of `file` or below, even after following all links. This way, an untrusted file can't make a
/// command read other files, or wait for a pipe.
///
/// # Errors
///
/// Returns an error if the file is missing, is outside of the folder, or is a folder, device or
/// pipe.
pub fn beside(file: &Path, name: impl AsRef<Path>) -> Result<PathBuf, Unread> {
    let (folder, name) = (folder(file), name.as_ref());
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !name.components().all(is_inside) {
        return Err(Unread::Outside);
    }
    // Uses the path as written, because it is shorter than the one with all links followed.
    let path = file.parent().unwrap_or(Path::new("")).join(name);
    let found = path.canonicalize().map_err(Unread::Refused)?;
    if !found.starts_with(folder.canonicalize().map_err(Unread::Refused)?) {
        return Err(Unread::Outside);
    }
    if found.is_dir() {
        return Err(Unread::Folder);
    }
    if !found.is_file() {
        return Err(Unread::Special);
    }
    Ok(path)
}

/// Reads a file that another file refers to, of at most `most` bytes. See [`beside`] for which
/// files are allowed.
///
/// # Errors
///
/// Returns an error under the same conditions as [`beside`] and [`read`].
pub fn read_beside(file: &Path, name: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, Unread> {
    read(&beside(file, name)?, most)
}
