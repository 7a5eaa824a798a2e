//! Packs the crates for a registry, and compiles each of them outside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_codegen::workspace::Workspace;
use prophet_text::Context as _;
use serde::Deserialize;

use super::tool::{Tool, output, run as call};
use super::{VERSION, copy, empty, stop, text, write};
use crate::Stop;

/// The part of `cargo metadata` that says which crates may be published.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    /// Registries that accept the crate; `None` for all registries.
    publish: Option<Vec<String>>,
}

/// Packs all crates that may be published, compiles them, and returns their archives.
///
/// They are checked together and reuse third-party libraries from the workspace's checks. Cargo's
/// own verification would compile each crate to machine code, with all libraries.
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
        // All files in archives have the same time, so cargo would mistake new files for old ones.
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

/// Lists the crates in the workspace that may be published.
fn published(root: &Path) -> Result<Vec<String>, Stop> {
    let arguments = ["metadata", "--format-version=1", "--no-deps", "--locked"];
    let metadata = output(Tool::Cargo, &arguments, root)?;
    let metadata: Metadata = serde_json::from_str(&metadata).told()?;
    let packages = metadata.packages.into_iter();
    let published = packages.filter(|package| package.publish.is_none());
    Ok(published.map(|package| package.name).collect())
}

/// Returns a folder outside of the repository. Its name is always the same, so that cargo replaces
/// earlier build products.
pub(super) fn alone(root: &Path) -> PathBuf {
    let own = root.strip_prefix("/").unwrap_or(root);
    std::env::temp_dir().join("prophet-crates").join(own)
}

/// Writes the manifest of a workspace of packages. It has the repository's profiles, so that cargo
/// recognizes libraries, and needs no package in a registry.
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
