//! Packs the crates for a registry, and compiles each of them outside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_codegen::workspace::Workspace;
use prophet_text::Context as _;
use serde::Deserialize;

use super::tool::{Tool, output, run as call};
use super::{VERSION, copy, empty, stop, text, write};
use crate::Stop;

/// The part of the output of `cargo metadata` that shows which crates may be published.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    /// Registries to which the crate may be published; `None` for all.
    publish: Option<Vec<String>>,
}

/// Packs and compiles all crates that may be published. Returns their archives.
///
/// All crates are checked together, with third-party libraries that the workspace's checks have
/// already compiled. Cargo itself would compile each crate with all libraries to machine code.
pub(crate) fn packed(workspace: &Workspace) -> Result<Vec<PathBuf>, Stop> {
    let root = &workspace.root;
    let names = published(root)?;
    let mut pack = vec![
        "package",
        "--quiet",
        "--locked",
        "--no-verify",
        "--allow-dirty",
    ];
    pack.extend(names.iter().flat_map(|name| ["--package", name]));
    call(Tool::CargoPackage, &pack, root)?;

    let folder = alone(root);
    empty(&folder)?;
    let archives = { names.iter() }
        .map(|name| {
            workspace
                .target
                .join(format!("package/{name}-{VERSION}.crate"))
        })
        .collect::<Vec<_>>();
    for archive in &archives {
        // All files in an archive have the same time, so that cargo would take new files for old
        // ones.
        let unpack = ["--extract", "--touch", "--file", text(archive)?];
        call(Tool::Tar, &unpack, &folder)?;
    }
    let manifest = root.join("Cargo.toml");
    let manifest =
        fs::read_to_string(&manifest).map_err(|error| stop("read", &manifest, &error))?;
    write(&folder.join("Cargo.toml"), around(&manifest, &names))?;
    copy(&root.join("Cargo.lock"), &folder.join("Cargo.lock"))?;
    let target = text(&workspace.target)?;
    let check = ["check", "--workspace", "--offline", "--target-dir", target];
    call(Tool::CargoPackage, &check, &folder)?;
    fs::remove_dir_all(&folder).map_err(|error| stop("remove", &folder, &error))?;
    Ok(archives)
}

/// Returns the workspace's crates that may be published.
fn published(root: &Path) -> Result<Vec<String>, Stop> {
    let arguments = ["metadata", "--format-version=1", "--no-deps", "--locked"];
    let metadata = output(Tool::Cargo, &arguments, root)?;
    let metadata: Metadata = serde_json::from_str(&metadata).told()?;
    let packages = metadata.packages.into_iter();
    let published = packages.filter(|package| package.publish.is_none());
    Ok(published.map(|package| package.name).collect())
}

/// Returns a folder outside of the repository. It always has the same name, so that cargo
/// overwrites what it compiled earlier.
pub(super) fn alone(root: &Path) -> PathBuf {
    let own = root.strip_prefix("/").unwrap_or(root);
    std::env::temp_dir().join("prophet-crates").join(own)
}

/// Returns the manifest of a workspace with these packages. Its profiles are the same as in the
/// repository, so that cargo can reuse compiled libraries. No package has to be in a registry.
fn around(manifest: &str, names: &[String]) -> String {
    let lines = manifest.lines().map(|line| {
        let is_members = line.starts_with("members = ");
        if is_members {
            "members = [\"*\"]"
        } else {
            line
        }
    });
    let head = lines.chain(["", "[patch.crates-io]"]).map(str::to_owned);
    let patches = { names.iter() }.map(|name| format!("{name}.path = \"{name}-{VERSION}\""));
    head.chain(patches).map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_need_neither_the_repository_nor_a_registry() {
        let manifest = "[workspace]\nmembers = [\"a\"]\n\n[profile.dev]\ndebug = false\n";
        let expected = format!(
            "[workspace]\nmembers = [\"*\"]\n\n[profile.dev]\ndebug = false\n\n\
             [patch.crates-io]\nours.path = \"ours-{VERSION}\"\n"
        );
        assert_eq!(around(manifest, &["ours".to_owned()]), expected);
    }
}
