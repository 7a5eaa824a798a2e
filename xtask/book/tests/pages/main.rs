//! Tests that links on pages lead somewhere, on the repository's web host and in the book.

mod made;
mod paths;

use std::collections::BTreeMap;
use std::path::Path;

use prophet_book::{BookPage, Contents, PageLink};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn is_page(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "md")
}

/// Reads all pages in a folder of the project, sorted by name.
fn pages_of(folder: &str) -> Vec<BookPage> {
    let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("it can be listed").file_name());
    let names = names.map(|name| name.into_string().expect("names are text"));
    let mut names: Vec<String> = names.filter(|name| is_page(name)).collect();
    names.sort();
    let paths = names.iter().map(|name| format!("{folder}{name}"));
    let pages = paths.map(|path| BookPage::read(root(), &path).expect("the page can be read"));
    pages.collect()
}

const GUIDE: &str = "crates/sim/GUIDE.md";

fn pages() -> Vec<BookPage> {
    let folders = ["", "docs/", "docs/course/", "sample-models/"].into_iter();
    let guide = BookPage::read(root(), GUIDE).expect("the page can be read");
    folders.flat_map(pages_of).chain([guide]).collect()
}

/// Returns what is wrong with a link, if anything. `anchors` contains the anchors of all pages.
fn problem(link: &PageLink, anchors: &BTreeMap<String, Vec<String>>) -> Option<&'static str> {
    if !root().join(&link.path).is_file() {
        return Some("leads to no file");
    }
    let anchor = link.anchor.as_ref()?;
    match anchors.get(&link.path) {
        Some(anchors) if anchors.contains(anchor) => None,
        Some(_) => Some("leads to no heading of that page"),
        None => Some("has an anchor, but leads to no page"),
    }
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let anchors = pages
        .iter()
        .map(|page| (page.path.clone(), page.anchors()))
        .collect();
    let mut problems = Vec::new();
    for page in &pages {
        for link in page.links() {
            if let Some(problem) = problem(&link, &anchors) {
                problems.push(format!(
                    "{}:{}: {} {problem}",
                    page.path, link.line, link.address
                ));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn the_contents_name_each_page_once() {
    let mut named = Contents::read(root())
        .expect("the table can be read")
        .pages();
    named.sort();
    let mut pages: Vec<String> = pages().into_iter().map(|page| page.path).collect();
    pages.retain(|path| path != prophet_book::CONTENTS);
    pages.sort();
    assert_eq!(named, pages);
}
