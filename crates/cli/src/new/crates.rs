//! Writes starter crates for users' own stereotypes and hardware models.

use std::path::{Path, PathBuf};

use prophet_codegen::workspace::Workspace;

/// An example from the docs that can become a user's crate.
#[derive(Debug)]
pub(super) struct Example {
    name: &'static str,
    about: &'static str,
    files: &'static [(&'static str, &'static str)],
    pub(super) vocabulary: &'static str,
    pub(super) model: &'static str,
    /// Flags of the suggested prediction, in which `DIR` stands for the folder.
    pub(super) flags: &'static str,
}

// The files are links to `docs/examples`, because a package contains only files from its own
// folder.
macro_rules! files {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../first-crates/", $folder, "/", $path)))),+]
    };
}

pub(super) const VOCABULARY: Example = Example {
    name: "checkpoint-elements",
    about: "a custom stereotype: its type, vocabulary file and profile, and a model",
    files: files!("checkpoint":
        "src/lib.rs", "checkpoint.profile.uml", "checkpoint.vocabulary.xml", "solver.uml"),
    vocabulary: "checkpoint.vocabulary.xml",
    model: "solver.uml",
    flags: "--nodes 4",
};

pub(super) const HARDWARE: Example = Example {
    name: "own-hardware",
    about: "custom hardware models: a network and two disks, a machine and a model",
    files: files!("hardware":
        "src/lib.rs", "src/bus.rs", "src/disk.rs", "own-hardware.vocabulary.xml",
        "own-hardware.xsd", "disk.xsd", "saving.prophet.xml", "saving.toml"),
    vocabulary: "own-hardware.vocabulary.xml",
    model: "saving.prophet.xml",
    flags: "--machine DIR/saving.toml",
};

impl Example {
    pub(super) fn about(&self) -> &'static str {
        self.about
    }

    /// Returns the files of a crate called `name`, in any folder.
    pub(super) fn files(
        &self,
        name: &str,
        folder: &Path,
        workspace: &Workspace,
    ) -> Vec<(PathBuf, String)> {
        let manifest = (
            PathBuf::from("Cargo.toml"),
            Self::manifest(name, folder, workspace),
        );
        let named = |text: &str| {
            let text = text.replace(
                &format!("crate=\"{}\"", self.name),
                &format!("crate=\"{name}\""),
            );
            text.replace(&self.name.replace('-', "_"), &name.replace('-', "_"))
        };
        let files = self
            .files
            .iter()
            .map(|(path, text)| (PathBuf::from(path), named(text)));
        std::iter::once(manifest).chain(files).collect()
    }

    fn manifest(name: &str, folder: &Path, workspace: &Workspace) -> String {
        let runtime = workspace.path_from(folder, &workspace.runtime);
        // A JSON string is also a TOML string.
        let runtime = serde_json::Value::String(runtime);
        format!(
            "[package]\n\
             name = \"{name}\"\n\
             version = \"0.1.0\"\n\
             edition = \"2024\"\n\
             publish = false\n\n\
             # The runtime of the program that wrote this file.\n\
             # After you update the program, copy the path from a crate that `gen` writes.\n\
             [dependencies]\n\
             prophet-runtime = {{ path = {runtime} }}\n\n\
             # Keeps the crate out of any workspace around it.\n\
             [workspace]\n"
        )
    }
}
