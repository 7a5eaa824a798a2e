//! Manages the cache: generated crates of models, and the files that cargo compiled from them.
//!
//! | in it | is |
//! |---|---|
//! | `crates/NAME_KEY` | the crate of a model |
//! | `programs/KEY` | the program of a model as it was at some time |
//! | `sources/VERSION` | the runtime, which an installed program carries |
//! | `target/VERSION` | what cargo compiles; a checkout has its own elsewhere |
//!
//! Any file in the cache can be lost: missing, outdated and incomplete files are created again.
//! Programs lock the entries that they use, and a program that removes entries must hold the only
//! lock.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use prophet_text::{Problem, problem};

/// Size, in bytes, up to which [`ProgramCache::trim`] keeps everything.
pub(crate) const LIMIT: u64 = 2 << 30;

/// The cache of a user.
#[derive(Debug, Clone)]
pub struct ProgramCache {
    folder: PathBuf,
}

/// Identifies a program by everything it is built from, including this tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// Creates the key of a program from a hash of its parts. Returns `None` if this tool can't
    /// find its own file.
    pub(crate) fn of(parts: u64) -> Option<Self> {
        let tool = fs::metadata(std::env::current_exe().ok()?).ok()?;
        let mut hasher = DefaultHasher::new();
        (parts, tool.len(), tool.modified().ok()?).hash(&mut hasher);
        Some(Self(hasher.finish()))
    }
}

/// The folders that no crate owns: the runtime's sources, and the recorder of MPI calls.
const SHARED: [&str; 2] = ["recorder", "sources"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) name: String,
    /// The folder of the crate, and what was built from it.
    paths: Vec<PathBuf>,
    pub(crate) bytes: u64,
    pub(crate) used: Option<SystemTime>,
}

impl ProgramCache {
    /// Uses `folder` as the cache, whether or not it exists.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Uses the default folder for the cache, which is in the user's cache directory.
    ///
    /// # Errors
    ///
    /// Returns an error if no environment variable says where caches are.
    pub fn usual() -> Result<Self, Problem> {
        let caches = caches(cfg!(windows), |name| std::env::var_os(name))?;
        Ok(Self::at(caches.join("performance-prophet")))
    }

    /// Returns the folder of the cache.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder that contains the crates of models.
    pub fn crates(&self) -> PathBuf {
        self.folder.join("crates")
    }

    /// Returns the folder that contains compiled files, with a subfolder for each version of the
    /// tool.
    pub fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// Returns the folder that contains the runtime's sources in the version `version`.
    pub fn sources(&self, version: &str) -> PathBuf {
        self.folder.join("sources").join(version)
    }

    /// Keeps other processes from removing entries until this process exits or becomes another
    /// program.
    ///
    /// Does nothing on file systems without locks.
    pub(crate) fn hold(&self) {
        if let Ok(lock) = self.lock()
            && lock.lock_shared().is_ok()
        {
            // Closing the file would release the lock.
            std::mem::forget(lock);
        }
    }

    fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.folder)?;
        // Backup programs skip folders that contain this file (https://bford.info/cachedir/).
        let tag = self.folder.join("CACHEDIR.TAG");
        if !tag.exists() {
            let text = "Signature: 8a477f597d28d172789f06886806bc55\n\
                        # Performance Prophet's cache: it can create these files again.\n";
            prophet_files::write(&tag, text)?;
        }
        let lock = self.folder.join("lock");
        File::options().create(true).append(true).open(lock)
    }

    /// Records a compiled program. If this fails, the program is compiled again the next time.
    pub(crate) fn remember(&self, key: Key, program: &Path) {
        let record = self.record(key);
        let folder = record.parent().unwrap_or(&record);
        if let Some(text) = state(program)
            && fs::create_dir_all(folder).is_ok()
        {
            let _ = prophet_files::write(&record, text);
        }
    }

    /// Returns the program with this key, unless its file has changed since it was compiled.
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

    /// Lists the crates in the cache by name, and what was built from them in `target`.
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

    pub(crate) fn bytes(&self) -> u64 {
        size(&self.folder)
    }

    /// Returns the names and sizes of the folders that no crate owns.
    pub(crate) fn shared(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let sizes = SHARED.map(|name| (name, size(&self.folder.join(name))));
        sizes.into_iter().filter(|(_, bytes)| *bytes > 0)
    }

    /// Removes the whole cache, including what was built in `target`.
    ///
    /// # Errors
    ///
    /// Returns an error if another program is using the cache, or if a file can't be removed.
    pub(crate) fn clear(&self, target: &Path) -> io::Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        let _alone = self.alone()?;
        for kept in self.list(target) {
            kept.remove()?;
        }
        for folder in [self.crates(), self.programs(), self.target()] {
            remove(&folder)?;
        }
        for name in SHARED {
            remove(&self.folder.join(name))?;
        }
        Ok(())
    }

    /// Removes crates, least recently used first, until all crates and their dependencies take at
    /// most `limit` bytes. Does nothing while another program is using the cache.
    pub(crate) fn trim(&self, target: &Path, limit: u64) {
        let Ok(_alone) = self.alone() else {
            return;
        };
        let mut crates = self.list(target);
        let of_crates: u64 = crates.iter().map(|kept| kept.bytes).sum();
        let own = self.target();
        // Build products in a checkout belong to the user.
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

    /// Locks the cache so that only this process can use it.
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

/// Records when a file was last used, if the file is writable.
#[expect(
    clippy::disallowed_methods,
    reason = "the time decides what is removed, and is no result"
)]
fn mark_used(record: &Path) {
    let record = File::options().append(true).open(record);
    let _ = record.and_then(|record| record.set_modified(SystemTime::now()));
}

/// Returns the path and metadata of a program. The metadata changes when the program is compiled
/// again.
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

/// Lists the files that cargo has compiled with optimizations.
fn products(target: &Path) -> Vec<PathBuf> {
    let release = target.join("release");
    let folders = ["", "deps", ".fingerprint", "incremental"].map(|name| release.join(name));
    folders.iter().flat_map(|folder| entries(folder)).collect()
}

/// Returns `true` if cargo created a file or folder for the crate `name`.
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

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

/// Returns the size of a file, or the total size of all files in a folder. Links aren't followed.
fn size(path: &Path) -> u64 {
    match path.symlink_metadata() {
        Ok(found) if found.is_dir() => entries(path).iter().map(|entry| size(entry)).sum(),
        Ok(found) => found.len(),
        Err(_) => 0,
    }
}

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

/// Returns the folder for a user's caches: `XDG_CACHE_HOME` if it is set, or otherwise
/// `%LOCALAPPDATA%` on Windows and `~/.cache` on other systems.
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
