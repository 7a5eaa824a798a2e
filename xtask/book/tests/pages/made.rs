//! Tests the book that mdBook builds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_book::{is_elsewhere, stage};

use crate::root;

/// Pages that mdBook adds: the contents for browsers without scripts, a page with all the text, and
/// the page for unknown addresses.
const ADDED: &[&str] = &["toc.html", "print.html", "404.html"];

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|it| it == extension) {
            found.push(path);
        }
    }
    found
}

fn values<'t>(html: &'t str, attribute: &str) -> Vec<&'t str> {
    let parts = html.split(attribute).skip(1);
    parts
        .filter_map(|part| Some(part.split_once('"')?.0))
        .collect()
}

/// Returns what is wrong with an address on a page, if anything. `anchors` contains the anchors of
/// all pages.
fn problem(page: &Path, address: &str, anchors: &BTreeMap<PathBuf, Vec<String>>) -> Option<String> {
    let (file, anchor) = address.split_once('#').unwrap_or((address, ""));
    let folder = page.parent().expect("a page lies in a folder");
    let file = if file.is_empty() {
        page.to_owned()
    } else {
        folder.join(file)
    };
    let Ok(file) = file.canonicalize() else {
        return Some(format!("{}: {address} leads to no file", page.display()));
    };
    let is_there = anchor.is_empty() || anchors[&file].iter().any(|it| it == anchor);
    (!is_there).then(|| format!("{}: {address} leads to no place", page.display()))
}

#[test]
fn links_of_the_book_lead_somewhere() {
    if !prophet_testing::has("mdbook", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    stage(root(), folder.path(), false).expect("all pages are there");
    let made = Command::new("mdbook")
        .arg("build")
        .arg(folder.path())
        .output();
    let made = made.expect("mdbook can be started");
    let message = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{message}");
    assert!(!message.contains("WARN"), "{message}");

    let html = folder
        .path()
        .join("html")
        .canonicalize()
        .expect("the book is there");
    let pages: BTreeMap<PathBuf, String> = { files(&html, "html").into_iter() }
        .map(|path| (path.clone(), fs::read_to_string(path).expect("it is text")))
        .collect();
    let anchors: BTreeMap<PathBuf, Vec<String>> = { pages.iter() }
        .map(|(path, text)| {
            let ids = values(text, " id=\"").into_iter().map(str::to_owned);
            (path.clone(), ids.collect())
        })
        .collect();
    let mut problems = Vec::new();
    for (path, text) in &pages {
        if ADDED.iter().any(|added| path.ends_with(added)) {
            continue;
        }
        let addresses = [" href=\"", " src=\""]
            .map(|attribute| values(text, attribute))
            .concat();
        let inside = addresses.iter().filter(|address| !is_elsewhere(address));
        problems.extend(inside.filter_map(|address| problem(path, address, &anchors)));
    }
    assert!(pages.len() > 30, "the book has only {} pages", pages.len());
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
