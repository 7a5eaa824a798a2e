//! Command `studio`: the page is drawn by a server of its own, for this computer alone.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::tool::Tool;
use crate::{Door, Outcome, Stop};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI); a new one is begun if there is none
    model: PathBuf,
    /// The port to listen on, of this computer alone [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
}

/// A model with an empty program, and the name that it has there.
const EMPTY: &str = include_str!("../first-model/empty.uml");
const NAME: &str = "\"EmptyModel\"";
/// The profile, which UML tools look for beside the model.
const PROFILE: &str = include_str!("../../../sample-models/prophet.profile.uml");

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let model = &arguments.model;
    if !model.exists() {
        begin(model)?;
    }
    if model.is_dir() {
        return Err(Stop::usage(format!(
            "{} is a folder: name a model in it",
            model.display()
        )));
    }
    // Without a cache, what is not saved is not kept.
    let unsaved = door
        .cache()
        .ok()
        .map(|cache| cache.folder().join("unsaved"));
    let unsaved = unsaved.unwrap_or_default();
    let words: [OsString; 3] = [
        model.into(),
        arguments.port.to_string().into(),
        unsaved.into(),
    ];
    Tool::Studio.finish(door, &words)
}

/// Writes an empty model, and the profile beside it if there is none.
fn begin(model: &Path) -> Result<(), Stop> {
    if model.extension().is_none_or(|it| it != "uml") {
        let text = format!(
            "there is no {}; a new model is named NAME.uml",
            model.display()
        );
        return Err(Stop::input(text));
    }
    let name = model.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |it: char| it.is_alphanumeric() || it == '_' || it == '-';
    let name: String = name
        .chars()
        .map(|it| if plain(it) { it } else { '_' })
        .collect();
    let text = EMPTY.replacen(NAME, &format!("\"{name}\""), 1);
    write_new(model, &text)?;
    let profile = model.with_file_name("prophet.profile.uml");
    if !profile.exists() {
        write_new(&profile, PROFILE)?;
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    prophet_files::write(path, text)
        .map_err(|error| Stop::input(format!("cannot write {}: {error}", path.display())))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// Builds the studio's page by npm in the folder of its sources, where these are newer.
///
/// # Errors
///
/// If there is no npm, or it fails.
pub fn build_page(web: &Path) -> Result<(), Stop> {
    let built = changed(&web.join("dist/index.html"));
    let sources = [
        "src",
        "index.html",
        "package-lock.json",
        "package.json",
        "vite.config.ts",
    ];
    let newest = sources.iter().filter_map(|it| newest(&web.join(it))).max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    eprintln!("building the studio's page by npm, once");
    for words in [
        &["ci", "--ignore-scripts", "--no-audit", "--no-fund"][..],
        &["run", "build"],
    ] {
        let mut npm = std::process::Command::new("npm");
        // Only the studio's address goes to stdout.
        let status = npm
            .args(words)
            .current_dir(web)
            .stdout(std::io::stderr())
            .status();
        let status = status.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Stop::input(
                "the studio's page is built by npm, which is not here; \
                 the installed program has the page in it",
            ),
            _ => Stop::input(format!("cannot start npm: {error}")),
        })?;
        if !status.success() {
            return Err(Stop::input(format!(
                "`npm {}` failed: see above",
                words.join(" ")
            )));
        }
    }
    Ok(())
}

fn changed(path: &Path) -> Option<std::time::SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Time of the last change of any file below `path`.
fn newest(path: &Path) -> Option<std::time::SystemTime> {
    if !path.is_dir() {
        return changed(path);
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|it| newest(&it.path())).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_model_is_begun_with_its_profile() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("my model.uml");
        begin(&model).unwrap();
        let text = fs::read_to_string(&model).unwrap();
        assert!(text.contains("name=\"my_model\""), "{text}");
        assert!(folder.path().join("prophet.profile.uml").exists());
        let wrong = begin(&folder.path().join("model.txt")).unwrap_err();
        assert!(
            wrong.message.ends_with("a new model is named NAME.uml"),
            "{}",
            wrong.message
        );
    }
}
