//! Plans all changes to an output folder before making any.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use prophet_files::Stage;

use super::{MARKER, MARKER_LINES, OutputError, Report};

/// Number of bytes at the start of a file that are searched for its first lines.
const HEAD_BYTES: u64 = 4096;

#[derive(Debug)]
pub(super) struct Plan {
    pub(super) report: Report,
    /// Files that are stale and were not generated.
    pub(super) foreign: Vec<PathBuf>,
}

impl Plan {
    /// Compares a folder with the files that it should contain.
    pub(super) fn new(
        folder: &Path,
        files: &BTreeMap<PathBuf, impl AsRef<str>>,
    ) -> Result<Self, OutputError> {
        let mut plan = Self {
            report: Report::default(),
            foreign: Vec::new(),
        };
        for (path, text) in files {
            let text = text.as_ref();
            check_path(path)?;
            if !has_marker(text.as_bytes()) {
                return Err(OutputError::NoMarker(path.clone()));
            }
            if let Some(above) = path
                .ancestors()
                .skip(1)
                .find(|&above| files.contains_key(above))
            {
                return Err(OutputError::NotAFolder(folder.join(above)));
            }
            plan.compare(folder, path, text)?;
        }
        for place in ["src", "drawings"] {
            plan.find_superfluous(folder, Path::new(place), files)?;
        }
        Ok(plan)
    }

    fn compare(&mut self, folder: &Path, path: &Path, text: &str) -> Result<(), OutputError> {
        let full = folder.join(path);
        let Some(metadata) = find(folder, path)? else {
            self.report.missing.push(path.to_owned());
            return Ok(());
        };
        if !metadata.is_file() {
            return Err(OutputError::NotAFile(full));
        }
        let is_ours = is_generated(&full).map_err(cannot("read", &full))?;
        if is_ours {
            let old = fs::read(&full).map_err(cannot("read", &full))?;
            if same_lines(&old, text.as_bytes()) {
                return Ok(());
            }
        } else {
            self.foreign.push(path.to_owned());
        }
        if metadata.permissions().readonly() {
            return Err(OutputError::ReadOnly(full));
        }
        self.report.stale.push(path.to_owned());
        Ok(())
    }

    /// Finds generated files directly in one of the crate's folders that are no longer generated.
    fn find_superfluous(
        &mut self,
        folder: &Path,
        place: &Path,
        files: &BTreeMap<PathBuf, impl AsRef<str>>,
    ) -> Result<(), OutputError> {
        if find(folder, place)?.is_none_or(|metadata| !metadata.is_dir()) {
            return Ok(());
        }
        let full = folder.join(place);
        for entry in fs::read_dir(&full).map_err(cannot("read", &full))? {
            let entry = entry.map_err(cannot("read", &full))?;
            let path = place.join(entry.file_name());
            let full = entry.path();
            let is_file = entry.file_type().map_err(cannot("read", &full))?.is_file();
            if is_file
                && !files.contains_key(&path)
                && is_generated(&full).map_err(cannot("read", &full))?
            {
                self.report.superfluous.push(path);
            }
        }
        self.report.superfluous.sort_unstable();
        Ok(())
    }

    pub(super) fn execute(
        &self,
        folder: &Path,
        files: &BTreeMap<PathBuf, impl AsRef<str>>,
    ) -> Result<(), OutputError> {
        let changed: BTreeSet<&PathBuf> = self
            .report
            .missing
            .iter()
            .chain(&self.report.stale)
            .collect();
        if !changed.is_empty() {
            fs::create_dir_all(folder).map_err(cannot("create", folder))?;
            let mut stage = Stage::within(folder).map_err(cannot("write in", folder))?;
            for (path, text) in files.iter().filter(|(path, _)| changed.contains(path)) {
                let full = folder.join(path);
                let parent = full.parent().unwrap_or(folder).to_owned();
                fs::create_dir_all(&parent).map_err(cannot("create", &parent))?;
                let added = stage.add(full.clone(), text.as_ref().as_bytes());
                added.map_err(cannot("write", &full))?;
            }
            let placed = stage.commit();
            placed.map_err(|(path, error)| cannot("write", &path)(error))?;
        }
        for path in &self.report.superfluous {
            let full = folder.join(path);
            fs::remove_file(&full).map_err(cannot("remove", &full))?;
        }
        Ok(())
    }
}

fn cannot(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    move |source| OutputError::Io {
        action,
        path,
        source,
    }
}

/// Returns an error unless the path is relative and plain.
fn check_path(path: &Path) -> Result<(), OutputError> {
    let is_plain = |part| matches!(part, Component::Normal(_));
    if path.components().all(is_plain) && path.file_name().is_some() {
        Ok(())
    } else {
        Err(OutputError::Outside(path.to_owned()))
    }
}

/// Returns the metadata of `path` in `folder`, or `None` if it doesn't exist. Returns an error if
/// any part of the path is a symbolic link.
fn find(folder: &Path, path: &Path) -> Result<Option<Metadata>, OutputError> {
    let mut full = folder.to_owned();
    let mut found: Option<Metadata> = None;
    for part in path.components() {
        if found.is_some_and(|metadata| !metadata.is_dir()) {
            return Err(OutputError::NotAFolder(full));
        }
        full.push(part);
        match full.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => return Err(OutputError::Symlink(full)),
            Ok(metadata) => found = Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // The output folder itself is a file.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(OutputError::NotAFolder(folder.to_owned()));
            }
            Err(error) => return Err(cannot("read", &full)(error)),
        }
    }
    Ok(found)
}

fn has_marker(text: &[u8]) -> bool {
    let is_marked = |line: &[u8]| {
        line.windows(MARKER.len())
            .any(|part| part == MARKER.as_bytes())
    };
    text.split(|&byte| byte == b'\n')
        .take(MARKER_LINES)
        .any(is_marked)
}

fn is_generated(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    let mut reader = BufReader::new(File::open(path)?.take(HEAD_BYTES));
    for _ in 0..MARKER_LINES {
        reader.read_until(b'\n', &mut head)?;
    }
    Ok(has_marker(&head))
}

/// Returns `true` if two texts differ at most in `\r\n` and `\n`.
fn same_lines(one: &[u8], other: &[u8]) -> bool {
    let lines = |text: &[u8]| -> Vec<u8> {
        let mut bytes = text.iter().copied().peekable();
        let mut lines = Vec::with_capacity(text.len());
        while let Some(byte) = bytes.next() {
            if byte != b'\r' || bytes.peek() != Some(&b'\n') {
                lines.push(byte);
            }
        }
        lines
    };
    one == other || lines(one) == lines(other)
}
