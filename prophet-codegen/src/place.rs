//! Decides where generated files are written.
//!
//! | model | crate | other targets |
//! |---|---|---|
//! | any, with `--out DIR` | `DIR` | `DIR`, or `DIR/TARGET` if several |
//! | a sample of the workspace | `generated/NAME`, a member | `output/NAME/TARGET` |
//! | another, with `gen` | `output/NAME/rust` | `output/NAME/TARGET` |
//! | another that is run | `NAME_KEY` in the build folder | `TARGET` in it |
//!
//! `generated` contains only sample crates, because cargo treats everything in it as workspace
//! members. Files that were generated from one model never replace files from another model.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use prophet_files::is_same_file;

use crate::output::{MARKER, MARKER_LINES, OutputError};
use crate::target::{Files, Target};
use crate::workspace::Workspace;

/// The folder of sample models. If one is run, its crate becomes a workspace member.
const SAMPLES: &str = "sample-models/";
const OUTPUT: &str = "output";
/// Number of bytes at the start of a file that are searched for the model it was generated from.
const HEAD_BYTES: u64 = 4096;

/// Where a model's files go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Named(PathBuf),
    /// The crate is a workspace member.
    Member,
    /// All files are in the user's project.
    Project,
    Built,
}

impl Place {
    /// Decides where a model's files go: to `out`, if the user chose it. `to_run` is as in
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

    /// Returns the folder for a target's files. `only` says whether it is the only target.
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

pub(crate) fn is_crate(target: &dyn Target) -> bool {
    // Other targets get folders inside the crate's.
    target.folder().is_empty()
}

/// Returns a crate name that contains a key computed from the crate's files, so that different
/// crates have different names in a folder that many models share.
pub(crate) fn keyed(name: &str, files: [&Files; 2]) -> String {
    // FNV-1a is the same on all platforms. If users construct two crates with the same name, it is
    // right that the second replaces the first.
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

pub(crate) fn refuse_other(folder: &Path, files: &Files) -> Result<(), OutputError> {
    for (path, text) in files {
        let (Some(ours), Ok(there)) = (origin(text), head(&folder.join(path))) else {
            continue;
        };
        if let Some(model) = origin(&there).filter(|it| *it != ours) {
            return Err(OutputError::OtherModel {
                folder: folder.to_owned(),
                model: model.to_owned(),
            });
        }
    }
    Ok(())
}

pub(crate) fn refuse_inputs(
    folder: &Path,
    files: &Files,
    inputs: &[PathBuf],
) -> Result<(), OutputError> {
    let outputs = files.keys().map(|path| folder.join(path));
    // Links are refused anyway, and a file that doesn't exist yet isn't an input.
    for output in outputs.filter(|it| it.is_file()) {
        if inputs.iter().any(|input| is_same_file(input, &output)) {
            return Err(OutputError::Input(output));
        }
    }
    Ok(())
}

/// Reads the first lines of a file, which say what it was generated from.
fn head(path: &Path) -> io::Result<String> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(String::from_utf8_lossy(&head).into_owned())
}

fn origin(text: &str) -> Option<&str> {
    let mut lines = text.lines().take(MARKER_LINES);
    let line = lines.find_map(|line| line.split_once(MARKER))?.1;
    let model = line.strip_prefix(" from ")?;
    let end = model.find(". Do not edit.");
    Some(end.map_or_else(|| model.trim_end_matches('.'), |end| &model[..end]))
}
