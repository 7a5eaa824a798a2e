//! Folder of files that can be made again: crates of models, and the files that cargo compiled from
//! them.
//!
//! | in it | is |
//! |---|---|
//! | `crates/NAME_KEY` | the crate of a model |
//! | `programs/KEY` | the program of a model as it was at some time |
//! | `sources/VERSION` | the runtime, which an installed program carries |
//! | `target/VERSION` | what cargo compiles; a checkout has its own elsewhere |
//!
//! No file of the cache is needed: missing, outdated and half-written files are made again. Entries
//! in use are locked; a program that removes entries holds the lock alone.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use prophet_text::{Problem, problem};

/// Size that the cache does not exceed for long, in bytes.
pub(crate) const LIMIT: u64 = 2 << 30;

/// The cache of one user.
#[derive(Debug, Clone)]
pub struct ProgramCache {
    folder: PathBuf,
}

/// Key of a program: of all that it is made of, and of this tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// The key of a program whose parts have this hash; `None` if this tool cannot find itself.
    pub(crate) fn of(parts: u64) -> Option<Self> {
        let tool = fs::metadata(std::env::current_exe().ok()?).ok()?;
        let mut hasher = DefaultHasher::new();
        (parts, tool.len(), tool.modified().ok()?).hash(&mut hasher);
        Some(Self(hasher.finish()))
    }
}

/// A crate in the cache, and the files compiled from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The name of the crate.
    pub(crate) name: String,
    /// Folder, and files among the build products.
    paths: Vec<PathBuf>,
    pub(crate) bytes: u64,
    /// Time of its last use, if known.
    pub(crate) used: Option<SystemTime>,
}

impl ProgramCache {
    /// The cache in a folder, which need not exist.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// The cache among the user's other caches.
    ///
    /// # Errors
    ///
    /// Returns a problem if no environment variable names a folder for caches.
    pub fn usual() -> Result<Self, Problem> {
        let caches = caches(cfg!(windows), |name| std::env::var_os(name))?;
        Ok(Self::at(caches.join("performance-prophet")))
    }

    /// Folder of everything.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Folder of the crates of models.
    pub fn crates(&self) -> PathBuf {
        self.folder.join("crates")
    }

    /// Folder of what is compiled, a folder for each version.
    pub fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// Folder of the runtime's sources of that version.
    pub fn sources(&self, version: &str) -> PathBuf {
        self.folder.join("sources").join(version)
    }

    /// Keeps others from removing anything until this process ends, or becomes another program.
    ///
    /// Where files have no locks, nothing is kept.
    pub(crate) fn hold(&self) {
        if let Ok(lock) = self.lock()
            && lock.lock_shared().is_ok()
        {
            // Closing it would release the lock.
            std::mem::forget(lock);
        }
    }

    fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        // Programs for backups leave folders with such a file out (https://bford.info/cachedir/).
        let tag = self.folder.join("CACHEDIR.TAG");
        if !tag.exists() {
            let text = "Signature: 8a477f597d28d172789f06886806bc55\n\
                        # Performance Prophet keeps here what it can make again.\n";
            prophet_files::write(&tag, text)?;
        }
        let lock = self.folder.join("lock");
        File::options().create(true).append(true).open(lock)
    }

    /// Remembers the program that was compiled for a key.
    ///
    /// Where that fails, it is compiled again.
    pub(crate) fn remember(&self, key: Key, program: &Path) {
        let record = self.record(key);
        let folder = record.parent().unwrap_or(&record);
        if let Some(text) = state(program)
            && fs::create_dir_all(folder).is_ok()
        {
            let _ = prophet_files::write(&record, text);
        }
    }

    /// The program for a key, if it is still the program that was compiled for the key.
    pub(crate) fn program(&self, key: Key) -> Option<PathBuf> {
        let record = self.record(key);
        let text = fs::read_to_string(&record).ok()?;
        let program = PathBuf::from(text.lines().next()?);
        if state(&program)? != text {
            return None;
        }
        mark_used(&record);
        Some(program)
    }

    fn programs(&self) -> PathBuf {
        self.folder.join("programs")
    }

    fn record(&self, key: Key) -> PathBuf {
        self.programs().join(format!("{:016x}", key.0))
    }

    /// The crates in the cache, by name; `target` has the compiled files.
    pub(crate) fn list(&self, target: &Path) -> Vec<Kept> {
        let products = products(target);
        let programs: Vec<(PathBuf, Option<SystemTime>)> = entries(&self.programs())
            .into_iter()
            .filter_map(|record| {
                let text = fs::read_to_string(&record).ok()?;
                let used = record.metadata().and_then(|it| it.modified()).ok();
                Some((PathBuf::from(text.lines().next()?), used))
            })
            .collect();
        let crates = entries(&self.crates()).into_iter().filter_map(|folder| {
            let name = folder.file_name()?.to_str()?.to_owned();
            let of_it = programs
                .iter()
                .filter(|it| it.0.file_stem() == Some(OsStr::new(&name)));
            let used = of_it.filter_map(|it| it.1).max();
            let own = products.iter().filter(|path| is_of(path, &name)).cloned();
            let paths: Vec<PathBuf> = std::iter::once(folder).chain(own).collect();
            let bytes = paths.iter().map(|path| size(path)).sum();
            Some(Kept {
                name,
                paths,
                bytes,
                used,
            })
        });
        crates.collect()
    }

    /// Size of everything, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        size(&self.folder)
    }

    /// Removes everything in the cache; `target` has the compiled files.
    ///
    /// # Errors
    ///
    /// If another program uses the cache, or something cannot be removed.
    pub(crate) fn clear(&self, target: &Path) -> io::Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        let _alone = self.alone()?;
        for kept in self.list(target) {
            kept.remove()?;
        }
        for folder in [
            self.crates(),
            self.programs(),
            self.folder.join("sources"),
            self.target(),
        ] {
            remove(&folder)?;
        }
        Ok(())
    }

    /// Removes the crates that were not used for longest, until at most `limit` bytes are left of
    /// all crates and of what was compiled for others; nothing while another program uses the
    /// cache.
    pub(crate) fn trim(&self, target: &Path, limit: u64) {
        let Ok(_alone) = self.alone() else {
            return;
        };
        let mut crates = self.list(target);
        let of_crates: u64 = crates.iter().map(|kept| kept.bytes).sum();
        let own = self.target();
        // What cargo compiles in a checkout is the user's.
        let mut bytes = if target.starts_with(&own) {
            size(&own)
        } else {
            of_crates
        };
        crates.sort_by_key(|kept| kept.used);
        for kept in crates {
            if bytes <= limit {
                return;
            }
            if kept.remove().is_ok() {
                bytes = bytes.saturating_sub(kept.bytes);
            }
        }
        for version in entries(&own) {
            if bytes > limit && !target.starts_with(&version) {
                bytes = bytes.saturating_sub(size(&version));
                // The next command tries again.
                let _ = remove(&version);
            }
        }
    }

    /// The lock, for this process alone.
    fn alone(&self) -> io::Result<File> {
        let lock = self.lock()?;
        match lock.try_lock() {
            Ok(()) => Ok(lock),
            Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is using it")),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Kept {
    fn remove(&self) -> io::Result<()> {
        self.paths.iter().rev().try_for_each(|path| remove(path))
    }
}

/// Notes the time of use, where that may be written.
#[expect(
    clippy::disallowed_methods,
    reason = "the time decides what is removed, and is no result"
)]
fn mark_used(record: &Path) {
    let record = File::options().append(true).open(record);
    let _ = record.and_then(|record| record.set_modified(SystemTime::now()));
}

/// The path of a program, and metadata that changes when it is compiled again.
fn state(program: &Path) -> Option<String> {
    let metadata = program.metadata().ok()?;
    let age = metadata
        .modified()
        .ok()?
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    Some(format!(
        "{}\n{} {}\n",
        program.to_str()?,
        metadata.len(),
        age.as_nanos()
    ))
}

/// Files that cargo has compiled with optimizations.
fn products(target: &Path) -> Vec<PathBuf> {
    let release = target.join("release");
    let folders = ["", "deps", ".fingerprint", "incremental"].map(|name| release.join(name));
    folders.iter().flat_map(|folder| entries(folder)).collect()
}

/// True if cargo has made a file or folder for the crate of that name.
fn is_of(product: &Path, name: &str) -> bool {
    let file = product
        .file_name()
        .and_then(OsStr::to_str)
        .unwrap_or_default();
    let rest = file
        .strip_prefix(name)
        .or_else(|| file.strip_prefix("lib")?.strip_prefix(name));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
}

/// The entries of a folder in order; empty if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

/// Size of a file, or of all files in a folder; links are not followed.
fn size(path: &Path) -> u64 {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => entries(path).iter().map(|entry| size(entry)).sum(),
        Ok(found) => found.len(),
        Err(_) => 0,
    }
}

/// Removes a file or folder; it need not exist.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Returns the folder of the user's caches: `%LOCALAPPDATA%` on Windows, elsewhere `~/.cache`.
/// `XDG_CACHE_HOME` names another one on all systems.
fn caches(
    is_windows: bool,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, Problem> {
    let folder = |name: &str| {
        let folder = variable(name).map(PathBuf::from);
        folder.filter(|it| it.is_absolute())
    };
    let home = if is_windows { "LOCALAPPDATA" } else { "HOME" };
    let usual = || {
        let folder = folder(home)?;
        Some(if is_windows {
            folder
        } else {
            folder.join(".cache")
        })
    };
    folder("XDG_CACHE_HOME")
        .or_else(usual)
        .ok_or_else(|| problem!("cannot find a folder for the cache: set XDG_CACHE_HOME or {home}"))
}

#[cfg(test)]
mod tests;
