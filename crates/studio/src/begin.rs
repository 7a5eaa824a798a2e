//! Creates new models: empty ones, and copies of samples.

use prophet_text::{Problem, problem};
use std::path::Path;

use prophet_samples::{SAMPLES, WORKFLOW};
use prophet_targets::uml::{EMPTY, EMPTY_NAME, PROFILE, PROFILE_NAME};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    about: &'static str,
}

pub(crate) fn samples() -> Vec<Sample> {
    let samples = SAMPLES.iter().chain([&WORKFLOW]);
    let mut samples: Vec<Sample> = samples
        .map(|&prophet_samples::Sample { name, about, .. }| Sample { name, about })
        .collect();
    samples.sort_by_key(|it| it.name);
    samples
}

pub(crate) fn sample(name: &str) -> Result<String, Problem> {
    if name == WORKFLOW.name {
        // The profile is in the folder above a sample, but next to a model that starts as that
        // sample.
        let around = format!("../{PROFILE_NAME}");
        return Ok(WORKFLOW.text.replace(&around, PROFILE_NAME));
    }
    let found = prophet_samples::find(name).ok_or_else(|| problem!("unknown sample `{name}`"))?;
    Ok(found.text.to_owned())
}

/// Returns the text of an empty model that is named after its file.
pub(crate) fn empty(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |it: char| it.is_alphanumeric() || it == '_' || it == '-';
    let name: String = name
        .chars()
        .map(|it| if plain(it) { it } else { '_' })
        .collect();
    EMPTY.replacen(EMPTY_NAME, &format!("\"{name}\""), 1)
}

/// Creates an empty model at a path that the user chose.
pub(crate) fn begin(path: &Path) -> Result<(), Problem> {
    if path.extension().is_none_or(|it| it != "uml") {
        return Err(problem!(
            "expected the name of a new model such as NAME.uml, found {}",
            path.display()
        ));
    }
    write(path, &empty(path))
}

/// Writes a new model. If it needs the profile, writes that next to it, unless the profile exists.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Problem> {
    write_new(path, text)?;
    let profile = path.with_file_name(PROFILE_NAME);
    if text.contains(PROFILE_NAME) && profile.symlink_metadata().is_err() {
        write_new(&profile, PROFILE)?;
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> Result<(), Problem> {
    prophet_files::save(path, text)?;
    prophet_text::tell!("wrote {}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_new_model_is_begun_with_its_profile() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("my model.uml");
        begin(&model).unwrap();
        let text = fs::read_to_string(&model).unwrap();
        assert!(text.contains("name=\"my_model\""), "{text}");
        assert!(folder.path().join(PROFILE_NAME).exists());
        let wrong = begin(&folder.path().join("model.txt"))
            .unwrap_err()
            .to_string();
        assert!(
            wrong.starts_with("expected the name of a new model such as NAME.uml"),
            "{wrong}"
        );
    }

    #[test]
    fn all_samples_are_there_with_what_they_show() {
        let all = samples();
        assert!(all.len() >= 14, "{all:?}");
        for Sample { name, about } in all {
            let text = sample(name).unwrap();
            assert!(text.contains("<uml:Model"), "{name}");
            assert!(!text.contains("../"), "{name}");
            assert!(about.len() > 10, "{name}: {about}");
        }
        assert_eq!(sample("none").unwrap_err(), "unknown sample `none`");
    }
}
