//! Reads XMI from UML tools into a [`Model`].
//!
//! Reading takes two passes: `parse` turns the text into an arena of XML elements, and `reader`
//! builds the model from them. `docs/xmi.md` says which parts of UML are supported or ignored, and
//! which cause a warning or an error.

mod activity;
mod attributes;
mod beside;
mod borders;
mod calls;
#[cfg(feature = "archives")]
mod container;
mod dialect;
mod encoding;
mod events;
mod expansions;
mod extensions;
mod flows;
mod foreign;
mod fragment;
mod functions;
mod index;
mod interruptions;
mod libraries;
mod limits;
mod marte;
mod namespace;
mod objects;
mod parse;
mod parts;
mod places;
mod profile;
mod program;
mod reach;
mod reader;
mod references;
mod segments;
mod strays;
pub mod structured;
mod summary;
#[cfg(test)]
mod tests;
mod tree;
mod triggers;
mod uml14;
mod unread;
mod values;
mod vocabulary;
mod workflow_files;
mod workflow_pins;

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

pub use beside::with_files_beside;
#[cfg(feature = "archives")]
pub use encoding::form::EncodingForm;
pub use limits::Limits;
pub use reader::Guards;
use reader::Reader;
pub use summary::{Counts, Read, Skipped, Summary};

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::plantuml;
use crate::source::Source;
use crate::used_resources;
use crate::vocabulary::Vocabulary;
use prophet_text::Problem;

/// Maximum number of folder entries to search for models.
const ENTRIES_MAX: usize = 10_000;

/// Reads the text of a model file. Files without a byte order mark or an XML declaration that says
/// otherwise are read as UTF-8.
///
/// Archives (`.mdzip`, `.zargo`, `.zip`) must contain the model. Other files that contain called
/// activities are read as well.
///
/// # Errors
///
/// Returns a problem if the file can't be read or exceeds the default [`Limits`], if an archive
/// contains no model, or if the encoding is unknown.
pub fn load(path: &Path) -> Result<Source, Problem> {
    let source = decode(&path.display().to_string(), bytes(path)?)?;
    Ok(with_files_beside(source, path))
}

/// Reads the bytes of a file.
///
/// # Errors
///
/// Returns a problem if the file cannot be read or exceeds the default [`Limits`].
pub fn bytes(path: &Path) -> Result<Vec<u8>, Problem> {
    if path.is_dir() {
        return Err(Problem::unread(path, folder(path)));
    }
    let bytes = file(path, Limits::default().bytes);
    bytes.map_err(|why| Problem::unread(path, why))
}

/// Lists the models in a folder in alphabetical order. Only names are checked, so the files may not
/// contain models.
#[must_use]
pub fn models_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().take(ENTRIES_MAX);
    let paths = entries.filter_map(|it| Some(it.ok()?.path()));
    let mut models: Vec<PathBuf> = paths.filter(|it| is_model(it)).collect();
    models.sort();
    models
}

fn is_model(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_named = [".uml", ".puml", ".prophet.xml"]
        .iter()
        .any(|it| name.ends_with(it));
    is_named && !name.ends_with(".profile.uml")
}

fn folder(path: &Path) -> String {
    let models = models_in(path);
    let named: Vec<String> = models
        .iter()
        .take(3)
        .map(|it| format!("`{}`", it.display()))
        .collect();
    let help = if named.is_empty() {
        "name a file with a model".to_owned()
    } else {
        format!("name a model in it, such as {}", named.join(", "))
    };
    format!("it is a folder; {help}")
}

/// Returns `true` if a file that starts with `bytes` can only be read with the feature `archives`.
#[must_use]
pub fn needs_archives(bytes: &[u8]) -> bool {
    is_archive(bytes) || !encoding::is_utf_8(bytes)
}

fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Returns the encoding of a file, which is needed to write it; `None` for an archive, or if the
/// encoding is unknown.
#[cfg(feature = "archives")]
#[must_use]
pub fn form(bytes: &[u8]) -> Option<EncodingForm> {
    let is_text = !is_archive(bytes);
    is_text.then(|| EncodingForm::of(bytes).ok()).flatten()
}

/// Decodes the bytes of a file. `name` is its name.
///
/// # Errors
///
/// Returns a problem under the same conditions as [`load`], except that reading can't fail.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<Source, Problem> {
    let cannot = |why: String| Problem::unread(name.as_ref(), why);
    if let Some(told) = foreign::told(name, &bytes) {
        return Err(cannot(told.to_owned()));
    }
    if !is_archive(&bytes) {
        let text = encoding::decode(bytes).map_err(cannot)?;
        let name = name.to_owned();
        return Ok(Source::new(name, text));
    }
    #[cfg(not(feature = "archives"))]
    return Err(cannot(
        "it is an archive, which this build of the program reads from a named file only".to_owned(),
    ));
    #[cfg(feature = "archives")]
    {
        let entry = container::unpack(&bytes, &Limits::default()).map_err(cannot)?;
        let text = encoding::decode(entry.bytes).map_err(cannot)?;
        Ok(Source::new(format!("{name}/{}", entry.name), text))
    }
}

fn file(path: &Path, bytes_max: usize) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut limited = file.take(bytes_max as u64 + 1);
    limited
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() > bytes_max {
        return Err(format!("it has more than {bytes_max} bytes"));
    }
    Ok(bytes)
}

/// Reads a model. `main` is the main activity that the user chose, if any.
///
/// Reports all problems, and returns as much of the model as possible; `None` if it contains no
/// activity.
///
/// # Examples
///
/// ```
/// use prophet_model::diagnostic::Diagnostics;
/// use prophet_model::source::Source;
/// use prophet_model::xmi;
///
/// let source = Source::new(
///     "hello.uml",
///     r#"<uml:Model xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML"
///              xmlns:xmi="http://www.omg.org/spec/XMI/20131001" name="Hello">
///            <packagedElement xmi:type="uml:Activity" xmi:id="_1" name="Main"/>
///          </uml:Model>"#,
/// );
/// let mut diagnostics = Diagnostics::new();
/// let model = xmi::read(&source, None, &mut diagnostics).expect("there is an activity");
/// assert_eq!(model.diagram(model.main).path, "Hello::Main");
/// assert!(diagnostics.is_empty());
/// ```
pub fn read(source: &Source, main: Option<&str>, diagnostics: &mut Diagnostics) -> Option<Model> {
    read_with(Vocabulary::NONE, source, main, diagnostics)
}

/// Like [`read`], but with custom stereotypes.
pub fn read_with(
    vocabulary: &Vocabulary,
    source: &Source,
    main: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    read_as(Guards::Strict, vocabulary, source, main, diagnostics)
}

/// Like [`read_with`], but with a choice of how to treat guards in unsupported languages.
pub fn read_as(
    guards: Guards,
    vocabulary: &Vocabulary,
    source: &Source,
    main: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let mut model = read_form(guards, vocabulary, source, main, diagnostics, |_, _| {})?;
    used_resources::translate(&mut model, source, diagnostics);
    Some(model)
}

/// Like [`read_with`], but also counts what was read and skipped.
///
/// If the file doesn't contain a model, only the file's name is in the summary.
pub fn read_with_summary(
    vocabulary: &Vocabulary,
    source: &Source,
    main: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> (Option<Model>, Summary) {
    let mut summary = Summary {
        file: source.name.clone(),
        ..Summary::default()
    };
    let strict = Guards::Strict;
    let model = read_form(
        strict,
        vocabulary,
        source,
        main,
        diagnostics,
        |reader, model| {
            summary = reader.summary(model);
        },
    );
    if !summary.uml.is_empty() && plantuml::is_text(&source.text) {
        "PlantUML text".clone_into(&mut summary.uml);
    }
    (model, summary)
}

fn read_form(
    guards: Guards,
    vocabulary: &Vocabulary,
    source: &Source,
    main: Option<&str>,
    diagnostics: &mut Diagnostics,
    summarize: impl FnOnce(&Reader<'_, '_>, Option<&Model>),
) -> Option<Model> {
    let limits = Limits::default();
    if !plantuml::is_text(&source.text) {
        let tree = parse::parse(source, &limits, diagnostics)?;
        return reader::read(&tree, guards, vocabulary, main, diagnostics, summarize);
    }
    let text = plantuml::translate(source, vocabulary, diagnostics);
    let mut problems = Diagnostics::new();
    let tree = parse::parse(&text.xml, &limits, &mut problems);
    let read = |tree| reader::read(&tree, guards, vocabulary, main, &mut problems, summarize);
    let mut model = tree.and_then(read);
    for problem in problems.sorted() {
        diagnostics.push(text.places.diagnostic(problem));
    }
    if let Some(model) = &mut model {
        text.places.model(model);
    }
    model
}
