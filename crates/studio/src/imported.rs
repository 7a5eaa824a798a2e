//! Imports files that a page sends: turns traces and other models into models, and reads
//! measurements and machines.

use prophet_text::{Context as _, Problem};
use std::fs;
use std::path::{Path, PathBuf};

use prophet_import::{ImportedTrace, ModelForm, fold, model_name};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::answer::{Answer, told_of};
use crate::dropped::{Dropped, File, machine};
use crate::folder::is_model;
use crate::report::Reports;
use crate::session::Session;
use crate::studio::Studio;
use crate::{chooser, costs};

const NAMES_MAX: u32 = 1000;

#[derive(Debug, Serialize)]
struct Made {
    address: String,
    name: String,
    about: String,
    remark: Option<String>,
    /// Number of ranks in a trace. Each rank had its own CPU.
    ranks: Option<u32>,
}

/// Answers with what was made from the files. Measurements need `pages`, because the result is
/// shown on a report page of a model.
pub(crate) fn answer(studio: &Studio, pages: Option<&Reports>, body: &[u8]) -> Answer {
    told_of(Dropped::<IgnoredAny>::read(body), |dropped| {
        imported(studio, pages, &dropped.files)
    })
}

fn imported(
    studio: &Studio,
    pages: Option<&Reports>,
    files: &[File<'_>],
) -> Result<Value, Problem> {
    if let Some(machine) = machine(files) {
        return Ok(machine);
    }
    let (here, top) = unpacked(files)?;
    if let [file] = files {
        let path = here.path().join(&file.name);
        if is_model(&path) {
            return Ok(json!({ "model": of_model(studio, file)? }));
        }
    }
    if let Some(trace) = ImportedTrace::find(&top) {
        let made = of_trace(studio, &trace, files);
        let made = made.map_err(|why| in_words(why, here.path()))?;
        return Ok(json!({ "model": made }));
    }
    let none =
        "these are measurements: open the model whose costs they are for, and drop them there";
    Ok(json!({ "costs": costs::fit(files, pages.ok_or(none)?)? }))
}

/// Writes the files to a temporary folder. Returns this folder, and the innermost folder that
/// contains all files.
pub(crate) fn unpacked(files: &[File<'_>]) -> Result<(TempDir, PathBuf), Problem> {
    let here = tempfile::tempdir();
    let here = here.context("cannot store the files")?;
    write(here.path(), files)?;
    let top = top(here.path(), files);
    Ok((here, top))
}

fn write(folder: &Path, files: &[File<'_>]) -> Result<(), Problem> {
    for File { name, bytes } in files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, bytes));
        written.cannot("read", name)?;
    }
    Ok(())
}

fn top(folder: &Path, files: &[File<'_>]) -> PathBuf {
    let mut top = folder.to_owned();
    while let [only] = &*children(&top)
        && only.is_dir()
        && files.len() > 1
    {
        top.clone_from(only);
    }
    top
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|it| it.path()).collect()
}

/// Removes the path of the temporary folder from a message, because users don't know it.
pub(crate) fn in_words(why: impl std::fmt::Display, folder: &Path) -> String {
    let why = why.to_string();
    why.replace(&format!("{}/", folder.display()), "")
        .replace(&folder.display().to_string(), "the folder")
}

/// Folds a trace into a new model.
fn of_trace(studio: &Studio, path: &Path, files: &[File<'_>]) -> Result<Made, Problem> {
    // The ranks' files may have been dropped without their folder.
    let is_bare = path.is_dir() && files.iter().all(|it| !it.name.contains('/'));
    let stem = if is_bare {
        "trace".into()
    } else {
        path.file_stem().unwrap_or_default().to_string_lossy()
    };
    let folded = fold(&ImportedTrace::open(path)?, &model_name(&stem, "Trace"))?;
    let text = ModelForm::Uml.of_xml(folded.text.clone(), &files[0].name)?;
    Ok(Made {
        about: folded.sizes(),
        remark: folded.remark(),
        ranks: Some(folded.ranks),
        ..made(studio, &stem, &text)?
    })
}

/// Writes a model in any format as a new UML 2 model.
fn of_model(studio: &Studio, file: &File<'_>) -> Result<Made, Problem> {
    let path = PathBuf::from(&file.name);
    let session = Session::of(path.clone(), file.bytes, None, studio.models.language())?;
    let text = session.snapshot().as_uml()?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Made {
        about: format!("a copy of {}", file.name),
        ..made(studio, &stem, &text)?
    })
}

/// Writes a new model with a name that isn't in use.
fn made(studio: &Studio, stem: &str, text: &str) -> Result<Made, Problem> {
    let folder = &studio.models.folder;
    let name = |number: u32| match number {
        1 => format!("{stem}.uml"),
        _ => format!("{stem}-{number}.uml"),
    };
    let is_there = |name: &String| folder.file(name).is_ok();
    let mut names = (1..NAMES_MAX).map(name);
    let free = names.find(|it| !is_there(it)).unwrap_or_default();
    let name = chooser::write(&studio.models, &folder.free(&free)?, text)?;
    Ok(Made {
        address: chooser::address(&studio.gate.root(), &name),
        name,
        about: String::new(),
        remark: None,
        ranks: None,
    })
}
