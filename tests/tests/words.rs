//! Tests that prose uses plain words, as CONTRIBUTING.md demands for pages and for documentation in
//! the code.

use std::path::{Path, PathBuf};

use prophet_tests::project::{self, has_extension, read};

/// Words that pages must not contain. Most of them leave out a noun.
const REFUSED: &[&str] = &[
    "anew",
    "are told",
    "as where",
    "at once",
    "besides",
    "but for",
    "for who",
    "in the mean",
    "is told",
    "not obeyed",
    "of one's own",
    "so many",
    "stands in no",
    "that of",
    "those of",
    "unasked",
];

fn files(ending: &str) -> impl Iterator<Item = PathBuf> {
    let all = project::files().into_iter();
    all.filter(move |path| has_extension(path, ending))
}

fn is_page(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(path);
    let in_docs = folder == Path::new("docs") || folder == Path::new("docs/course");
    let others = [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "README.md",
        "crates/sim/GUIDE.md",
    ];
    in_docs || others.iter().any(|it| path == Path::new(it))
}

/// Returns the prose of a page, with line numbers. Omits code and the output of commands.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    let mut is_written = false;
    (1..).zip(page.lines()).filter(move |(_, line)| {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        is_written |= line.starts_with("<!-- What follows is written");
        is_written &= !line.starts_with("<!-- End of");
        !is_fenced && !is_fence && !is_written && !line.starts_with("    ")
    })
}

/// Removes quotations from a line: code, and words in quotes.
fn unquoted(line: &str) -> String {
    let words = line.split('"').step_by(2).collect::<Vec<_>>().join("\"");
    words.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Returns the refused words outside of quotations in a line.
fn refused(line: &str) -> impl Iterator<Item = &'static str> + use<> {
    refused_in(&unquoted(line))
}

fn refused_in(text: &str) -> impl Iterator<Item = &'static str> + use<> {
    let line = text.to_lowercase();
    let is_there = move |words: &&&str| {
        line.match_indices(**words).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + words.len()..].chars().next();
            ![before, after]
                .into_iter()
                .flatten()
                .any(char::is_alphanumeric)
        })
    };
    REFUSED.iter().filter(is_there).copied()
}

#[test]
fn pages_use_plain_words() {
    let mut problems = Vec::new();
    let mut pages = 0;
    for path in files("md").filter(|path| is_page(path)) {
        pages += 1;
        for (number, line) in prose(&read(&path)) {
            for words in refused(line) {
                problems.push(format!("{}:{number}: `{words}`: {line}", path.display()));
            }
        }
    }
    refuse(&problems);
    assert!(pages > 40, "{pages} pages");
}

fn refuse(found: &[String]) {
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Returns the lines of code that isn't generated, with their places.
fn code() -> Vec<(PathBuf, usize, String)> {
    let written = files("rs").filter(|path| !path.starts_with("generated"));
    let lines = written.flat_map(|path| {
        let text = read(&path);
        let lines = (1..).zip(text.lines());
        let all = lines.map(|(number, line)| (path.clone(), number, line.trim_start().to_owned()));
        all.collect::<Vec<_>>()
    });
    lines.collect()
}

#[test]
fn documentation_in_the_code_has_plain_words() {
    let mut found = Vec::new();
    for (path, number, line) in code() {
        if line.starts_with("///") || line.starts_with("//!") {
            let all = refused(&line);
            found.extend(all.map(|it| format!("{}:{number}: `{it}`", path.display())));
        }
    }
    refuse(&found);
}

#[test]
fn messages_have_plain_words() {
    let mut found = Vec::new();
    let mut joined = String::new();
    for (path, number, line) in code() {
        let is_test = path
            .iter()
            .any(|part| part == "tests" || part == "tests.rs");
        if is_test || line.starts_with("//") {
            continue;
        }
        joined.push_str(&line);
        if joined.ends_with('\\') {
            joined.pop(); // The text continues in the next line.
            continue;
        }
        let line = std::mem::take(&mut joined);
        let texts: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let all = refused_in(&texts.join(" \" "));
        found.extend(all.map(|it| format!("{}:{number}: `{it}`: {line}", path.display())));
    }
    refuse(&found);
}

#[test]
fn quoted_words_and_parts_of_words_are_not_refused() {
    let all = |line| refused(line).collect::<Vec<_>>();
    assert_eq!(all("It is that of the machine."), ["that of"]);
    assert_eq!(all("At once, there are none."), ["at once"]);
    assert_eq!(
        all("say \"that of\" or `besides`, for whole numbers"),
        [""; 0]
    );
}
