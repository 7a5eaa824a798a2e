//! Reads Markdown pages of the documentation.

use std::fs;
use std::path::Path;

/// A Markdown page in the project's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookPage {
    /// Path relative to the project's folder, separated by `/`.
    pub path: String,
    pub text: String,
}

/// A link or image on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// Counted from 1.
    pub line: usize,
    /// Address, as written on the page.
    pub address: String,
    /// Path of the linked file, relative to the project's folder.
    pub path: String,
    /// Anchor in that file, if the address contains one.
    pub anchor: Option<String>,
}

impl BookPage {
    /// Reads the page at `path` in the project's folder `root`.
    ///
    /// # Errors
    ///
    /// Returns an error if the page can't be read.
    pub fn read(root: &Path, path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(root.join(path))
            .map_err(|error| format!("cannot read {path}: {error}"))?;
        Ok(Self {
            path: path.to_owned(),
            text,
        })
    }

    /// Returns the page's links to files in the project, in order.
    pub fn links(&self) -> Vec<PageLink> {
        let mut links = Vec::new();
        for (number, line) in self.prose() {
            for address in addresses(line).filter(|address| !is_elsewhere(address)) {
                let (file, anchor) = match address.split_once('#') {
                    Some((file, anchor)) => (file, Some(anchor.to_owned())),
                    None => (address, None),
                };
                let path = match file {
                    "" => self.path.clone(),
                    file => beside(&self.path, file),
                };
                links.push(PageLink {
                    line: number,
                    address: address.to_owned(),
                    path,
                    anchor,
                });
            }
        }
        links
    }

    /// Returns the anchors of the page's headings, in order.
    pub fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        let headings = self.prose().filter_map(|(_, line)| heading(line));
        for name in headings.map(|title| anchor(&title)) {
            let numbered = (1..).map(|number| format!("{name}-{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            anchors.extend(names.find(|name| !anchors.contains(name)));
        }
        anchors
    }

    /// Returns the lines outside of fenced and indented code, with their numbers.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut is_fenced = false;
        let lines = (1..).zip(self.text.lines());
        lines.filter(move |(_, line)| {
            let is_fence = line.starts_with("```");
            is_fenced ^= is_fence;
            !is_fenced && !is_fence && !line.starts_with("    ")
        })
    }
}

/// Returns `true` if an address is outside the project.
pub fn is_elsewhere(address: &str) -> bool {
    address.contains("://") || address.starts_with("mailto:")
}

/// Returns the addresses of a line's links, except in code.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("](").filter_map(|(at, mark)| {
        let is_code = line[..at].matches('`').count() % 2 == 1;
        let (address, _) = line[at + mark.len()..].split_once(')')?;
        (!is_code).then_some(address)
    })
}

/// Returns a file's path from the project's folder, given how a page refers to it.
fn beside(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            // Paths outside the project's folder keep their `..`, because they lead to no file.
            ".." if parts.last().is_some_and(|last| *last != "..") => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the text of a heading, without link syntax.
fn heading(line: &str) -> Option<String> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let mut rest = title
        .strip_prefix(' ')
        .filter(|_| (1..=6).contains(&level))?;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("](") {
        text.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    Some(text)
}

/// Returns a heading's anchor, made in the same way as web hosts and mdBook do.
fn anchor(title: &str) -> String {
    let kept = title.trim().chars().filter_map(|it| match it {
        ' ' => Some('-'),
        '-' | '_' => Some(it),
        it if it.is_alphanumeric() => Some(it),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> BookPage {
        BookPage {
            path: "docs/a.md".to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn links_lead_from_the_page_to_files_of_the_project() {
        let page = page("[`b`](b.md#c) ![d](../e/f.png)\n[g](#h) [i](https://j.org)\n");
        let found: Vec<_> = { page.links().into_iter() }
            .map(|link| (link.line, link.path, link.anchor))
            .collect();
        let expected = [
            (1, "docs/b.md".to_owned(), Some("c".to_owned())),
            (1, "e/f.png".to_owned(), None),
            (2, "docs/a.md".to_owned(), Some("h".to_owned())),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn code_has_no_links() {
        let page = page("`[a](b)`\n\n    [a](b)\n\n```\n[a](b)\n```\n\n[a](b)\n");
        let lines: Vec<_> = page.links().iter().map(|link| link.line).collect();
        assert_eq!(lines, [9]);
    }

    #[test]
    fn a_link_out_of_the_project_stays_one() {
        let links = page("[a](../../b.md)").links();
        assert_eq!(links[0].path, "../b.md");
    }

    #[test]
    fn anchors_are_made_of_headings() {
        let page = page("# A `b`: C, [d](e)!\n\n## x_y-z\n## x_y-z\n#none\n");
        assert_eq!(page.anchors(), ["a-b-c-d", "x_y-z", "x_y-z-1"]);
    }
}
