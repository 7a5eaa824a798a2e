//! Place of what is generated: the one module that decides it.
//!
//! | model | crate | other targets |
//! |---|---|---|
//! | any, with `--out DIR` | `DIR` | `DIR`, of several `DIR/TARGET` |
//! | a sample of the workspace | `generated/NAME`, a member | `output/NAME/TARGET` |
//! | another, of `gen` | `output/NAME/rust` | `output/NAME/TARGET` |
//! | another that is run | `NAME_KEY` among what is built | `TARGET` in it |
//!
//! `generated` has crates of samples and nothing else: cargo takes what lies there for members of
//! the workspace. The crate of one model never takes the place of another's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::output::{MARKER, OutputError};
use crate::target::{Files, Target};
use crate::workspace::Workspace;

/// Folder of the models whose crates are members of the workspace when they are run.
const SAMPLES: &str = "sample-models/";
/// Folder of files that are not crates.
const OUTPUT: &str = "output";

/// The folder of a model's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// The one that the user names.
    Named(PathBuf),
    /// The crate is a member of the workspace.
    Member,
    /// All files lie in the user's project.
    Project,
    /// Files that are only compiled and run lie among what is built.
    Built,
}

impl Place {
    /// Place of the files of a model: `out` if the user names it; `to_run` as in
    /// [`crate::generate::Request::to_run`].
    pub(crate) fn of(
        model: &Path,
        out: Option<&Path>,
        to_run: bool,
        workspace: &Workspace,
    ) -> Self {
        let is_sample = || {
            let inside = workspace.relative(model);
            inside.is_some_and(|path| path.starts_with(SAMPLES))
        };
        match out {
            Some(out) => Self::Named(out.to_owned()),
            None if is_sample() => Self::Member,
            None if to_run => Self::Built,
            None => Self::Project,
        }
    }

    /// The folder of a target's files, which is one of several targets or the only one.
    pub(crate) fn folder(
        &self,
        target: &dyn Target,
        name: &str,
        workspace: &Workspace,
        only: bool,
    ) -> PathBuf {
        match self {
            Self::Named(out) if only => out.clone(),
            Self::Named(out) => out.join(target.folder()),
            Self::Member if is_crate(target) => workspace.generated(name),
            Self::Member | Self::Project => {
                let own = if is_crate(target) {
                    target.name()
                } else {
                    target.folder()
                };
                workspace.project.join(OUTPUT).join(name).join(own)
            }
            Self::Built => workspace.built.join(name).join(target.folder()),
        }
    }
}

/// True if a target's files are a crate.
pub(crate) fn is_crate(target: &dyn Target) -> bool {
    // Others are put into folders of the crate's.
    target.folder().is_empty()
}

/// The name of the crate with these files where crates of many models lie: crates that differ have
/// different names.
pub(crate) fn keyed(name: &str, files: [&Files; 2]) -> String {
    // FNV-1a: it is the same everywhere, and whoever makes two crates of one name by design has
    // the second compiled in the place of the first, as it should be.
    let mut key = 0xcbf2_9ce4_8422_2325_u64;
    let texts = files.into_iter().flatten();
    let texts = texts.map(|(path, text)| (path.as_os_str(), text));
    let bytes = texts.flat_map(|(path, text)| {
        let path = path.as_encoded_bytes().iter();
        path.chain(&[0]).chain(text.as_bytes()).chain(&[0])
    });
    for byte in bytes {
        key = (key ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{name}_{key:016x}")
}

/// Refuses to put a crate into a folder that has the crate of another model.
pub(crate) fn refuse_other(folder: &Path, files: &Files) -> Result<(), OutputError> {
    let manifest = Path::new("Cargo.toml");
    let there = fs::read_to_string(folder.join(manifest)).unwrap_or_default();
    let Some(there) = header(&there) else {
        return Ok(());
    };
    let ours = files.get(manifest).and_then(|text| header(text));
    if ours == Some(there) {
        return Ok(());
    }
    let from = there.split_once(" from ").map_or(there, |(_, from)| from);
    Err(OutputError::OtherModel {
        folder: folder.to_owned(),
        model: from.trim_end_matches(". Do not edit.").to_owned(),
    })
}

/// The line of a manifest that names the model.
fn header(manifest: &str) -> Option<&str> {
    manifest.lines().next().filter(|line| line.contains(MARKER))
}
