//! Reads other files that a model needs: UML files with activities that it calls
//! (`href="library.uml#_id"`), and files that a text model includes (`!include file.puml`).
//!
//! Because models are untrusted, only a limited number of files are read, and only in the model's
//! folder and below it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::{Limits, bytes, decode, encoding};
use crate::plantuml;
use crate::source::Source;
use crate::source::escape;
use crate::source::files::{FileNumber, Link};

const FILES_MAX: usize = 64;

/// Maximum number of references to follow from a single file.
const LINKS_MAX: usize = 1000;

/// Adds the files that the model at `path` needs, directly or indirectly.
///
/// If a file can't be read, the source stores the reason, which is reported where the file is
/// needed.
#[must_use]
pub fn with_files_beside(mut source: Source, path: &Path) -> Source {
    let is_text = plantuml::is_text(&source.text);
    if !source
        .text
        .contains(if is_text { "!include" } else { "href" })
    {
        return source;
    }
    let Ok(model) = path.canonicalize() else {
        return source;
    };
    let Some(folder) = model.parent().map(Path::to_owned) else {
        return source;
    };
    let mut known = BTreeMap::from([(model, Ok(FileNumber(0)))]);
    let mut next = 0;
    while next <= source.files.len() {
        let from = FileNumber(next);
        let text = &source.text[source.range_of(from)];
        let files = if is_text {
            included(text)
        } else {
            called(text)
        };
        for href in files {
            let path = below(&source, from, &href);
            let to = follow(&mut source, &folder, path.as_deref(), &mut known);
            source.links.push(Link {
                from,
                href,
                path,
                to,
            });
        }
        next += 1;
    }
    let key = |it: &Link| (it.from, it.href.clone());
    debug_assert!(source.links.is_sorted_by_key(key));
    source
}

/// Returns the file at a path relative to the model's folder. Reads it on first use.
fn follow(
    source: &mut Source,
    folder: &Path,
    path: Option<&str>,
    known: &mut BTreeMap<PathBuf, Result<FileNumber, String>>,
) -> Result<FileNumber, String> {
    let outside = || "which is not in the model's folder".to_owned();
    let relative = path.ok_or_else(outside)?;
    let found = folder.join(relative).canonicalize();
    let found = found.map_err(|_| "which does not exist".to_owned())?;
    if !found.starts_with(folder) {
        return Err(outside());
    }
    if let Some(known) = known.get(&found) {
        return known.clone();
    }
    let part = read(source, &found, relative);
    known.insert(found, part.clone());
    part
}

fn read(source: &mut Source, found: &Path, relative: &str) -> Result<FileNumber, String> {
    // Opening a pipe could block.
    if !found.is_file() {
        return Err("which is not a file".to_owned());
    }
    if source.files.len() == FILES_MAX {
        return Err(format!(
            "which is not read, because {FILES_MAX} other files are"
        ));
    }
    let not_read = || "which cannot be read".to_owned();
    let name = Path::new(&source.name).with_file_name(relative);
    let name = name.display().to_string();
    let bytes = bytes(found).map_err(|_| not_read())?;
    let is_uml = !plantuml::is_text(source.own_text());
    let read = if is_uml {
        decode(&name, bytes).map_err(|_| not_read())?
    } else {
        // Included texts don't need an `@startuml` line.
        Source::new(name, encoding::decode(bytes).map_err(|_| not_read())?)
    };
    if is_uml && plantuml::is_text(&read.text) {
        return Err("which is a text model, not UML".to_owned());
    }
    if source.text.len() + read.text.len() >= Limits::default().bytes {
        return Err("which makes the model too large".to_owned());
    }
    Ok(source.add(read.name, relative.to_owned(), &read.text))
}

/// Returns the path of a file that the file `from` refers to, relative to the model's folder;
/// `None` if the file is outside of that folder.
fn below(source: &Source, from: FileNumber, href: &str) -> Option<String> {
    let base = from
        .0
        .checked_sub(1)
        .map(|it| source.files[it].path.as_str());
    let mut parts: Vec<&str> = base.unwrap_or_default().split('/').collect();
    parts.pop();
    let decoded = escape::uri(href);
    let named = decoded.as_deref().unwrap_or(href);
    for part in Path::new(named).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!named.contains('\\')).then(|| parts.join("/"))
}

/// Returns the files that a `PlantUML` text includes.
fn included(text: &str) -> BTreeSet<String> {
    plantuml::included(text)
        .take(LINKS_MAX)
        .map(str::to_owned)
        .collect()
}

/// Returns the files that calls in a UML file refer to. A reference with a scheme, such as
/// `pathmap://LIBRARIES/x.uml`, isn't a file.
fn called(text: &str) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for tag in text.split('<').skip(1) {
        let name = tag.split(|c: char| c.is_whitespace()).next();
        let role = name.unwrap_or_default().rsplit(':').next();
        let href = tag.split_once("href").filter(|_| role == Some("behavior"));
        let file = href.and_then(|(_, value)| file_in(value));
        if files.len() < LINKS_MAX {
            files.extend(file);
        }
    }
    files
}

/// Returns the file in the attribute value at the start of a text.
fn file_in(text: &str) -> Option<String> {
    let value = text.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let value = value[1..].split(quote).next()?;
    let value = escape::attribute(value);
    let (file, _) = value.rsplit_once('#').or_else(|| value.rsplit_once('|'))?;
    (!file.is_empty() && !file.contains(':')).then(|| file.to_owned())
}
