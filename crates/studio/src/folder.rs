//! Manages a folder of models: lists its models, finds names for new ones, and denies access to
//! anything outside the folder.

use prophet_text::{Context as _, FileKind, Problem, problem};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use prophet_runtime::Machine;

#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    /// Texts of the machine files by name, if there is no disk.
    held: Option<Mutex<BTreeMap<String, String>>>,
}

/// Maximum number of files and folders to search for a list.
const ENTRIES_MAX: usize = 20_000;
const DEPTH_MAX: usize = 8;
const NAME_MAX: usize = 200;
const ENDINGS: &[&str] = &[
    "uml", "xmi", "uml2", "emx", "mdxml", "mdzip", "puml", "zargo",
];

impl Folder {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let root = path.canonicalize();
        root.map(|root| Self { root, held: None })
            .cannot("read", path.display())
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Creates a folder in memory with these machine files.
    pub(crate) fn of(machines: BTreeMap<String, String>) -> Self {
        let (root, held) = (PathBuf::new(), Some(Mutex::new(machines)));
        Self { root, held }
    }

    /// Returns the machine files in memory; `None` if there is a disk.
    fn held(&self) -> Option<MutexGuard<'_, BTreeMap<String, String>>> {
        let held = self.held.as_ref()?;
        Some(held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the models in the folder and its subfolders, sorted by path, with `/` as the
    /// separator.
    pub(crate) fn models(&self) -> Vec<String> {
        self.names(is_model)
    }

    /// Returns the machine files in the folder and its subfolders, sorted by path.
    pub(crate) fn machines(&self) -> Vec<String> {
        match self.held() {
            Some(held) => held.keys().cloned().collect(),
            None => self.names(is_machine),
        }
    }

    /// Returns the value of a run's flag that selects a machine file. Without a disk, this is the
    /// file's text.
    pub(crate) fn machine_value(&self, name: &str) -> Result<OsString, Problem> {
        if self.held.is_some() {
            return Ok(self.machine_text(name, usize::MAX)?.into());
        }
        Ok(self.machine(name)?.into())
    }

    pub(crate) fn machine(&self, name: &str) -> Result<PathBuf, Problem> {
        let path = self.file(name)?;
        if is_machine(&path) {
            Ok(path)
        } else {
            Err(problem!("{name} is not a machine file"))
        }
    }

    pub(crate) fn machine_text(&self, name: &str, most: usize) -> Result<String, Problem> {
        if let Some(held) = self.held() {
            let text = held.get(name).cloned();
            return text.ok_or_else(|| problem!("this page has no machine file {name}"));
        }
        let bytes = prophet_files::read(&self.machine(name)?, most as u64);
        let bytes = bytes.cannot("read", name)?;
        String::from_utf8(bytes).map_err(|_| problem!("{name} is not UTF-8 text"))
    }

    /// Writes a machine file. Replaces an existing machine file only if `over` is `true`. Never
    /// replaces files of other kinds.
    pub(crate) fn save_machine(&self, name: &str, text: &str, over: bool) -> Result<(), Problem> {
        Machine::parse(text, name)?;
        let path = match &self.held {
            Some(_) => portable(name)?.to_owned(),
            None => self.place(name)?,
        };
        if !is_toml(&path) {
            return Err("the name of a machine file must end in .toml".into());
        }
        if let Some(mut held) = self.held() {
            if held.contains_key(name) && !over {
                return Err(problem!("{name} already exists"));
            }
            held.insert(name.to_owned(), text.to_owned());
            return Ok(());
        }
        if path.symlink_metadata().is_ok() {
            self.machine(name)?;
            if !over {
                return Err(problem!("{name} already exists"));
            }
        }
        prophet_files::save(&path, text)
    }

    fn names(&self, is_meant: fn(&Path) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![(self.root.clone(), 0)];
        let mut looked = 0;
        while let Some((folder, depth)) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                looked += 1;
                if looked > ENTRIES_MAX {
                    break;
                }
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && !is_hidden && depth < DEPTH_MAX => {
                        folders.push((entry.path(), depth + 1));
                    }
                    Ok(kind) if kind.is_file() && !is_hidden && is_meant(&entry.path()) => {
                        found.extend(self.name(&entry.path()));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }

    /// Returns the name of a file in the folder; `None` if the file is outside, or if its name
    /// isn't UTF-8.
    pub(crate) fn name(&self, file: &Path) -> Option<String> {
        let inside = file.strip_prefix(&self.root).ok()?;
        let parts = inside.iter().map(|it| it.to_str());
        Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
    }

    pub(crate) fn file(&self, name: &str) -> Result<PathBuf, Problem> {
        let path = self.root.join(plain(name)?);
        let path = path.canonicalize().cannot("read", name)?;
        if !path.starts_with(&self.root) {
            return Err(outside(name));
        }
        if !path.is_file() {
            return Err(problem!("{name} is not a file"));
        }
        Ok(path)
    }

    /// Returns the path for a new model. The file must not exist yet.
    pub(crate) fn free(&self, name: &str) -> Result<PathBuf, Problem> {
        let mut path = self.place(name)?;
        if path.extension().is_none() {
            path.set_extension("uml");
        }
        if path.extension().is_none_or(|it| it != "uml") {
            return Err("the name of a new model must end in .uml".into());
        }
        // A broken link exists too.
        if path.symlink_metadata().is_ok() {
            return Err(problem!("{name} already exists"));
        }
        Ok(path)
    }

    /// Returns the path of a file that may not exist yet.
    fn place(&self, name: &str) -> Result<PathBuf, Problem> {
        let path = self.root.join(portable(name)?);
        let parent = path.parent().unwrap_or(&self.root);
        let parent = parent
            .canonicalize()
            .map_err(|error| problem!("cannot find the folder of {name}: {error}"))?;
        if !parent.starts_with(&self.root) {
            return Err(outside(name));
        }
        Ok(path)
    }
}

/// Parses the name of a new file as a path that is valid on every system.
fn portable(name: &str) -> Result<&Path, Problem> {
    let path = plain(name.trim())?;
    let mut parts = path.iter();
    match parts.find_map(|it| not_portable(&it.to_string_lossy())) {
        Some(why) => Err(why.into()),
        None => Ok(path),
    }
}

fn outside(name: &str) -> Problem {
    problem!("{name} is outside the folder")
}

/// Parses a name as a path that doesn't leave its folder.
pub(crate) fn plain(name: &str) -> Result<&Path, Problem> {
    let path = Path::new(name);
    let is_down = |it: Component<'_>| matches!(it, Component::Normal(part) if !part.is_empty());
    if name.is_empty() || name.ends_with('/') {
        return Err("a model needs a name".into());
    }
    if name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(problem!(
            "a name can have at most {NAME_MAX} characters, and no control characters"
        ));
    }
    if !path.components().all(is_down) {
        return Err(outside(name));
    }
    Ok(path)
}

/// Names that Windows reserves for devices, whatever their extension.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Returns why a part of a path is invalid, or has a different meaning, on some systems.
fn not_portable(part: &str) -> Option<String> {
    let stem = part.split('.').next().unwrap_or("").trim_end();
    let sign = part.chars().find(|it| r#"\:*?"<>|"#.contains(*it));
    if let Some(sign) = sign {
        Some(format!(
            "a name cannot contain `{sign}`, because other systems do not allow it"
        ))
    } else if DEVICES.contains(&&*stem.to_ascii_lowercase()) {
        Some(format!(
            "`{stem}` is the name of a device on Windows: choose another name"
        ))
    } else if part.ends_with(['.', ' ']) {
        Some("a name cannot end with a dot or a space".to_owned())
    } else {
        None
    }
}

/// Returns `true` for TOML files that start like machine files.
fn is_machine(file: &Path) -> bool {
    is_toml(file) && prophet_files::format_of(file).is_some_and(|it| it.kind == FileKind::Machine)
}

pub(crate) fn is_toml(file: &Path) -> bool {
    let extension = file.extension();
    extension.is_some_and(|it| it.eq_ignore_ascii_case("toml"))
}

/// Returns `true` for file names of models, and for XML files that start like a model.
pub(crate) fn is_model(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let ending = name.rsplit('.').next().unwrap_or("");
    if name.ends_with(".profile.uml") {
        return false;
    }
    ENDINGS.contains(&ending) || (ending == "xml" && begins_as_model(file))
}

fn begins_as_model(file: &Path) -> bool {
    prophet_files::format_of(file).is_some_and(|it| it.kind == FileKind::Model)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("models");
        fs::create_dir_all(root.join("inner/.hidden")).unwrap();
        for (name, text) in [
            ("b.uml", ""),
            ("a.XMI", ""),
            ("inner/c.mdzip", ""),
            ("inner/.hidden/d.uml", ""),
            ("prophet.profile.uml", ""),
            ("e.puml", "@startuml"),
            ("form.xml", "<?xml version='1.0'?><xmi:XMI"),
            ("other.xml", "<project/>"),
            (
                "cluster.toml",
                "# Ours\nname = \"c\"\nsource = \"s\"\nnodes = 2\n",
            ),
            ("Cargo.toml", "[package]\nname = \"c\"\n"),
            ("notes.txt", ""),
            ("../secret.uml", ""),
        ] {
            fs::write(root.join(name), text).unwrap();
        }
        let folder = Folder::open(&root).unwrap();
        (outer, folder)
    }

    #[test]
    fn models_are_listed_by_name() {
        let (_outer, folder) = folder();
        assert_eq!(
            folder.models(),
            ["a.XMI", "b.uml", "e.puml", "form.xml", "inner/c.mdzip"]
        );
    }

    #[test]
    fn machine_files_are_listed_and_other_files_are_none() {
        let (outer, folder) = folder();
        assert_eq!(folder.machines(), ["cluster.toml"]);
        assert!(folder.machine("cluster.toml").is_ok());
        let why = folder.machine("Cargo.toml").unwrap_err().to_string();
        assert_eq!(why, "Cargo.toml is not a machine file");
        fs::write(outer.path().join("m.toml"), "name=1\nsource=2\n").unwrap();
        assert!(folder.machine("../m.toml").is_err());
    }

    #[test]
    fn new_names_are_names_on_every_system() {
        let (_outer, folder) = folder();
        for (name, why) in [
            (
                r"..\evil.uml",
                r"a name cannot contain `\`, because other systems do not allow it",
            ),
            (
                "c:evil.uml",
                "a name cannot contain `:`, because other systems do not allow it",
            ),
            (
                "con.uml",
                "`con` is the name of a device on Windows: choose another name",
            ),
            (
                "inner/LPT1 .x.uml",
                "`LPT1` is the name of a device on Windows: choose another name",
            ),
            ("dots..", "a name cannot end with a dot or a space"),
        ] {
            assert_eq!(folder.free(name).unwrap_err(), why);
        }
        for name in ["console", "my model", "inner/common.uml", "ä.uml"] {
            assert!(folder.free(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        let (outer, folder) = folder();
        assert!(folder.file("inner/c.mdzip").is_ok());
        let secret = outer.path().join("secret.uml");
        for name in [
            "../secret.uml",
            "inner/../../secret.uml",
            "/etc/passwd",
            secret.to_str().unwrap(),
        ] {
            let why = folder.file(name).unwrap_err().to_string();
            assert!(why.ends_with("is outside the folder"), "{why}");
            let why = folder.free(name).unwrap_err().to_string();
            assert!(why.ends_with("is outside the folder"), "{why}");
        }
        assert_eq!(folder.file("inner").unwrap_err(), "inner is not a file");
        assert_eq!(folder.file("").unwrap_err(), "a model needs a name");
        let why = folder.file("none.uml").unwrap_err().to_string();
        assert!(why.starts_with("cannot read none.uml"), "{why}");
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_out_either() {
        let (outer, folder) = folder();
        let link = |to: &Path, name: &str| {
            std::os::unix::fs::symlink(to, outer.path().join("models").join(name)).unwrap();
        };
        link(&outer.path().join("secret.uml"), "link.uml");
        link(outer.path(), "up");
        link(&outer.path().join("new.uml"), "nowhere.uml");
        for name in ["link.uml", "up/secret.uml"] {
            let why = folder.file(name).unwrap_err().to_string();
            assert!(why.ends_with("is outside the folder"), "{why}");
        }
        let why = folder.free("up/new.uml").unwrap_err().to_string();
        assert!(why.ends_with("is outside the folder"), "{why}");
        let why = folder.free("nowhere.uml").unwrap_err().to_string();
        assert_eq!(why, "nowhere.uml already exists");
        assert!(!folder.models().iter().any(|it| it.contains("secret")));
    }

    #[test]
    fn new_names_are_free_names_of_models() {
        let (_outer, folder) = folder();
        let name = |name: &str| folder.free(name).map(|it| folder.name(&it).unwrap());
        assert_eq!(name("new"), Ok("new.uml".into()));
        assert_eq!(name("inner/new.uml"), Ok("inner/new.uml".into()));
        assert_eq!(name("b.uml"), Err("b.uml already exists".into()));
        assert_eq!(
            name("new.txt"),
            Err("the name of a new model must end in .uml".into())
        );
        let why = name("none/new.uml").unwrap_err().to_string();
        assert!(why.starts_with("cannot find the folder"), "{why}");
        let why = name("a\nb").unwrap_err().to_string();
        assert!(why.contains("control characters"), "{why}");
    }
}
