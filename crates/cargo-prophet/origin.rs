//! Part of the build script: where the sources of the project's crates are.

use std::path::{Path, PathBuf};

use crate::{MANIFEST, RUNTIME, VERSIONS, variable};

/// Manifest of a package as its author wrote it; cargo writes another one beside it.
const WRITTEN: &str = "Cargo.toml.orig";

/// Location of the sources of the project's crates.
pub(crate) enum Origin {
    /// In the repository, whose root this is.
    Repository(PathBuf),
    /// In packages beside the package in this folder, as cargo unpacks and vendors them.
    Packages(PathBuf),
}

impl Origin {
    /// Looks around the folder of this crate.
    pub(crate) fn around(own: &Path) -> Self {
        let root = own.join("../..");
        if root.join(RUNTIME).join(MANIFEST).exists() {
            Self::Repository(root)
        } else {
            Self::Packages(own.to_owned())
        }
    }

    /// The root of the repository, or the folder of this package.
    pub(crate) fn root(&self) -> &Path {
        match self {
            Self::Repository(root) | Self::Packages(root) => root,
        }
    }

    /// Folder of a crate by its folder in the repository, such as `crates/sim`.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        match self {
            Self::Repository(root) => root.join(name),
            Self::Packages(own) => {
                let crates = name.strip_prefix("crates/");
                let package = crates.map_or(name.to_owned(), |it| format!("prophet-{it}"));
                let version = variable("CARGO_PKG_VERSION");
                let beside = own.parent().unwrap_or(own);
                let unpacked = beside.join(format!("{package}-{version}"));
                if unpacked.is_dir() {
                    unpacked
                } else {
                    beside.join(package)
                }
            }
        }
    }

    /// The manifest of a crate, as its author wrote it.
    pub(crate) fn manifest(&self, folder: &str) -> PathBuf {
        let name = match self {
            Self::Repository(_) => MANIFEST,
            Self::Packages(_) => WRITTEN,
        };
        self.folder(folder).join(name)
    }

    /// The manifest of the workspace; this package has a copy, which is a link in the repository.
    pub(crate) fn workspace(&self) -> PathBuf {
        match self {
            Self::Repository(root) => root.join(MANIFEST),
            Self::Packages(own) => own.join("workspace.toml"),
        }
    }

    /// The versions of libraries.
    pub(crate) fn versions(&self) -> PathBuf {
        self.root().join(VERSIONS)
    }

    /// Name in the project of a file of a crate; `None` for files that cargo adds to packages.
    pub(crate) fn name_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        match (self, name) {
            (Self::Repository(_), _) => Some(name),
            (Self::Packages(_), WRITTEN) => Some(MANIFEST),
            (Self::Packages(_), MANIFEST | VERSIONS) => None,
            (Self::Packages(_), name) => (!name.starts_with('.')).then_some(name),
        }
    }
}
