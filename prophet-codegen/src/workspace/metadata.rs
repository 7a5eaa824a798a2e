//! Packages and folders of a workspace, as `cargo metadata` prints them.
//!
//! The crate `cargo_metadata` reads all that is printed. For the four keys that are needed here, it
//! and the crates beneath it would take 4 s of the 100 s of CPU before a first prediction.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// A workspace, as cargo describes it.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    /// Members of the workspace.
    pub packages: Vec<Package>,
    /// Folder of the workspace.
    pub workspace_root: PathBuf,
    /// Folder where cargo puts the files that it builds.
    pub target_directory: PathBuf,
}

/// A member of a workspace.
#[derive(Debug, Deserialize)]
pub struct Package {
    /// Name of the package.
    pub name: String,
    /// The package's `Cargo.toml`.
    pub manifest_path: PathBuf,
}

impl Metadata {
    /// Asks cargo, called in `folder`, for the workspace of the package at `manifest`.
    ///
    /// # Errors
    ///
    /// In words, if cargo cannot be started, or finds no workspace; the text is cargo's own.
    pub fn of(manifest: &Path, folder: &Path) -> Result<Self, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .arg("--manifest-path")
            .arg(manifest)
            .current_dir(folder)
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Metadata;

    #[test]
    fn cargo_tells_of_this_package() {
        let metadata = Metadata::of(Path::new("Cargo.toml"), Path::new("."));
        let metadata = metadata.expect("cargo finds it");
        let package = std::env::current_dir().expect("tests run in their package's folder");
        assert_eq!(Some(metadata.workspace_root.as_path()), package.parent());
        let names: Vec<_> = metadata.packages.iter().map(|it| &it.name).collect();
        assert!(names.contains(&&"prophet-codegen".to_owned()), "{names:?}");
    }

    #[test]
    fn errors_are_in_the_words_of_cargo() {
        let error = Metadata::of(Path::new("nowhere/Cargo.toml"), Path::new("."))
            .expect_err("there is none");
        assert!(error.contains("nowhere/Cargo.toml"), "{error}");
    }
}
