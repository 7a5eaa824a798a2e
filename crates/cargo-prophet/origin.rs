//! Finds the sources of the project's crates (part of the build script).

use std::path::{Path, PathBuf};

use crate::{MANIFEST, RUNTIME, VERSIONS, variable};

/// A package's manifest as its author wrote it. Cargo writes another one next to it.
const WRITTEN: &str = "Cargo.toml.orig";

/// Where the sources of the project's crates are.
pub(crate) enum Origin {
    /// In the repository with this root folder.
    Repository(PathBuf),
    /// In packages next to the one in this folder, as cargo unpacks and vendors them.
    Packages(PathBuf),
}

impl Origin {
    pub(crate) fn around(own: &Path) -> Self {
        let root = own.join("../..");
        if root.join(RUNTIME).join(MANIFEST).exists() {
            Self::Repository(root)
        } else {
            Self::Packages(own.to_owned())
        }
    }

    /// Returns the repository's root, or this package's folder.
    pub(crate) fn root(&self) -> &Path {
        match self {
            Self::Repository(root) | Self::Packages(root) => root,
        }
    }

    /// Returns a crate's folder. `name` is its folder in the repository, such as `crates/sim`.
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

    /// Returns a crate's manifest as its author wrote it.
    pub(crate) fn manifest(&self, folder: &str) -> PathBuf {
        let name = match self {
            Self::Repository(_) => MANIFEST,
            Self::Packages(_) => WRITTEN,
        };
        self.folder(folder).join(name)
    }

    /// Returns the workspace's manifest. This package has a copy, which is a link in the
    /// repository.
    pub(crate) fn workspace(&self) -> PathBuf {
        match self {
            Self::Repository(root) => root.join(MANIFEST),
            Self::Packages(own) => own.join("workspace.toml"),
        }
    }

    pub(crate) fn versions(&self) -> PathBuf {
        self.root().join(VERSIONS)
    }

    /// Returns the name that a crate's file has in the project; `None` for files that cargo adds to
    /// packages.
    pub(crate) fn name_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        match (self, name) {
            (Self::Repository(_), _) => Some(name),
            (Self::Packages(_), WRITTEN) => Some(MANIFEST),
            (Self::Packages(_), MANIFEST | VERSIONS) => None,
            (Self::Packages(_), name) => (!name.starts_with('.')).then_some(name),
        }
    }
}
