//! Finds this project's workspace and its folders.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_text::{Context as _, Problem};
use serde::{Deserialize, Serialize};

/// Performance Prophet's workspace on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspace {
    /// The root folder.
    pub root: PathBuf,
    /// The folder of `prophet-runtime`.
    pub runtime: PathBuf,
    /// The folder of cargo's build output.
    pub target: PathBuf,
    /// The user's project folder. By default, files are generated there, and they refer to models
    /// by their paths relative to it.
    pub project: PathBuf,
    /// The folder for generated crates that are only compiled and run.
    pub built: PathBuf,
}

impl Workspace {
    /// Returns the manifest of the package that cargo is running, or `None` if cargo didn't start
    /// this program.
    ///
    /// The manifest belongs to the checkout that the command is called for, even if the command was
    /// compiled in another checkout.
    pub fn called_for() -> Option<PathBuf> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")?;
        Some(PathBuf::from(package).join("Cargo.toml"))
    }

    /// Finds the workspace that contains the package at `manifest`.
    ///
    /// # Errors
    ///
    /// Returns an error if cargo finds no workspace there, or if the workspace doesn't contain
    /// `prophet-runtime`.
    pub fn find(manifest: &Path) -> Result<Self, Problem> {
        let mut asked = cargo();
        asked.arg("metadata").arg("--manifest-path").arg(manifest);
        let metadata = Metadata::of(&mut asked).context("cargo cannot find a workspace")?;
        let mut packages = metadata.packages.iter();
        let runtime = packages.find(|package| package.name == "prophet-runtime");
        let runtime = runtime.and_then(|package| package.manifest_path.parent());
        let runtime =
            runtime.ok_or_else(|| Problem::new("the workspace has no package prophet-runtime"))?;
        Ok(Self {
            project: metadata.workspace_root.clone(),
            runtime: runtime.to_owned(),
            root: metadata.workspace_root,
            built: metadata.target_directory.join("prophet").join("crates"),
            target: metadata.target_directory,
        })
    }

    /// Returns the folder of the generated crate `name`.
    pub fn generated(&self, name: &str) -> PathBuf {
        self.root.join("generated").join(name)
    }

    /// Returns `path` relative to the workspace's root, with `/` as the separator, or `None` if it
    /// is outside of the workspace.
    pub fn relative(&self, path: &Path) -> Option<String> {
        inside(&self.root, path)
    }

    /// Returns what generated files call a file that the user passed; see [`file_name`].
    pub fn file_name(&self, file: &Path) -> String {
        file_name(&self.project, file)
    }

    /// Returns the path by which a crate in `folder` refers to another crate. It is relative if
    /// both are in the workspace, and absolute otherwise.
    pub fn path_from(&self, folder: &Path, other: &Path) -> String {
        if let (Some(inside), Some(other)) = (self.relative(folder), self.relative(other)) {
            let up = inside.split('/').filter(|part| !part.is_empty()).count();
            return format!("{}{other}", "../".repeat(up));
        }
        let other = resolved(other).unwrap_or_else(|| other.to_owned());
        other.display().to_string()
    }

    /// Returns `true` if the crate in `folder` is a member of the workspace.
    pub fn has_member(&self, folder: &Path) -> bool {
        let inside = self.relative(folder).unwrap_or_default();
        inside
            .strip_prefix("generated/")
            .is_some_and(|name| !name.contains('/'))
    }
}

pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    packages: Vec<Package>,
    pub(crate) workspace_root: PathBuf,
    pub(crate) target_directory: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

impl Metadata {
    pub(crate) fn of(asked: &mut Command) -> Result<Self, Problem> {
        let asked = asked.args(["--no-deps", "--format-version", "1"]);
        let output = asked.output().cannot("start", "cargo")?;
        if !output.status.success() {
            return Err(Problem::new(
                String::from_utf8_lossy(&output.stderr).trim_end(),
            ));
        }
        serde_json::from_slice(&output.stdout).told()
    }
}

/// Returns what results and generated files call a user's file: its path relative to the project
/// folder or, if there is none, only the file name.
pub fn file_name(project: &Path, file: &Path) -> String {
    let path = inside(project, file).or_else(|| path_to(project, file));
    path.unwrap_or_else(|| {
        let name = file.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    })
}

/// Returns the path relative to `root`, with `/` as the separator, or `None` if it is outside of
/// `root`.
fn inside(root: &Path, path: &Path) -> Option<String> {
    let path = resolved(path)?;
    let inside = path.strip_prefix(resolved(root)?).ok()?;
    let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// Returns the path from `root` to a file outside of it, or `None` if the file is on another drive.
fn path_to(root: &Path, file: &Path) -> Option<String> {
    let root = resolved(root)?;
    let file = resolved(file)?;
    let common = root.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = root.iter().skip(common).map(|_| Some(".."));
    let down = file.iter().skip(common).map(|part| part.to_str());
    let parts: Option<Vec<&str>> = up.chain(down).collect();
    (common > 0).then_some(parts?.join("/"))
}

/// Resolves links and `..` in the existing part of `path`.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let mut missing = Vec::new();
    let mut existing = path.as_path();
    loop {
        if let Ok(found) = existing.canonicalize() {
            return Some(
                missing
                    .iter()
                    .rev()
                    .fold(found, |path: PathBuf, part| path.join(part)),
            );
        }
        missing.push(existing.file_name()?);
        existing = existing.parent()?;
    }
}
