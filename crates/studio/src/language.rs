//! Combines what defines the modeling language: rules and stereotypes, including the user's own.

use prophet_text::{Problem, problem};
use std::fs;
use std::path::{Component, Path, PathBuf};

use prophet_edit::{Profile, Profiles};
use prophet_frontend::check::RuleSet;
use prophet_model::source::Source;

/// The rules that models are checked with, and the profiles that define their stereotypes.
#[derive(Debug, Clone)]
pub struct Language {
    rules: RuleSet,
    profiles: Vec<PathBuf>,
}

impl Language {
    /// Returns the rules that ship with Performance Prophet, without any profiles of the user.
    #[must_use]
    pub fn shipped() -> Self {
        Self {
            rules: RuleSet::shipped(),
            profiles: Vec::new(),
        }
    }

    /// Applies a flag of `check`: `--vocabulary`, `--rules` or `--off`.
    ///
    /// # Errors
    ///
    /// Returns an error if the flag is unknown, if a file is invalid, or if there is no profile
    /// next to a vocabulary file.
    pub fn add(&mut self, flag: &str, value: &Path) -> Result<(), Problem> {
        match flag {
            "--vocabulary" => self.add_vocabulary(value),
            "--rules" => Ok(self.rules.add_file(value)?),
            "--off" => self.rules.switch_off(&value.to_string_lossy()),
            _ => Err(problem!("unknown flag {flag}")),
        }
    }

    pub(crate) fn add_rules(&mut self, name: &str, text: &str) -> Result<(), Problem> {
        self.rules.add_source(&Source::new(name, text))
    }

    fn add_vocabulary(&mut self, file: &Path) -> Result<(), Problem> {
        let known = self.rules.vocabulary().profiles.len();
        self.rules.add_vocabulary(file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        for uri in &self.rules.vocabulary().profiles[known..] {
            let profile = profile_of(folder, uri).ok_or_else(|| {
                format!(
                    "{} uses the profile {uri}, but no *.profile.uml file next to it defines that \
                     profile: the studio uses its own",
                    file.display()
                )
            })?;
            self.profiles.push(profile);
        }
        Ok(())
    }

    pub(crate) const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the profiles, with the names that models in `folder` use for them.
    pub(crate) fn profiles(&self, folder: &Path) -> Profiles {
        let mut profiles = Profiles::shipped();
        for file in &self.profiles {
            let read = fs::read_to_string(file).ok();
            let name = seen_from(folder, file);
            // A file that has been deleted in the meantime has no stereotypes.
            if let Some(profile) = read.and_then(|text| Profile::read(&text, &name).ok()) {
                profiles.add(profile);
            }
        }
        profiles
    }
}

/// Finds the file in a folder that contains the profile with this namespace.
fn profile_of(folder: &Path, uri: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let entries = fs::read_dir(folder).ok()?.flatten().map(|it| it.path());
    let is_profile = |it: &PathBuf| it.to_string_lossy().ends_with(".profile.uml");
    let mut files: Vec<PathBuf> = entries.filter(is_profile).collect();
    files.sort();
    let has_it = |it: &PathBuf| {
        let text = fs::read_to_string(it).ok();
        text.and_then(|text| Profile::read(&text, "").ok())
            .is_some_and(|it| it.uri == uri)
    };
    files.into_iter().find(has_it)?.canonicalize().ok()
}

/// Returns the path of a file relative to `folder`, separated by `/`. Both paths must be absolute.
fn seen_from(folder: &Path, file: &Path) -> String {
    let (mut from, mut to) = (folder.components().peekable(), file.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = from.map(|_| "..".to_owned());
    let down = to.map(|it: Component<'_>| it.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_named_as_the_model_sees_them() {
        for (folder, file, seen) in [
            ("/a/b", "/a/b/own.profile.uml", "own.profile.uml"),
            ("/a/b", "/a/c/own.profile.uml", "../c/own.profile.uml"),
            ("/a", "/a/b/c/own.profile.uml", "b/c/own.profile.uml"),
        ] {
            assert_eq!(seen_from(Path::new(folder), Path::new(file)), seen);
        }
    }

    #[test]
    fn a_vocabulary_needs_its_profile() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.vocabulary.xml");
        let text = "<mcl xmlns=\"http:///schemas/prophet/mcl/1\" name=\"own\">\
                      <vocabulary profile=\"http:///own/1\" crate=\"own\" path=\".\">\
                        <stereotype name=\"own\" type=\"Own\" price=\"none\"/>\
                      </vocabulary></mcl>";
        fs::write(&file, text).unwrap();
        let why = Language::shipped()
            .add("--vocabulary", &file)
            .unwrap_err()
            .to_string();
        let expected = format!(
            "{} uses the profile http:///own/1, but no *.profile.uml file next to it defines that \
             profile: the studio uses its own",
            file.display()
        );
        assert_eq!(why, expected);
        let why = Language::shipped()
            .add("--main", &file)
            .unwrap_err()
            .to_string();
        assert_eq!(why, "unknown flag --main");
    }
}
