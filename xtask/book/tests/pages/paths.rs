//! Tests that paths in the project that pages mention lead to files.

use std::path::Path;
use std::process::Command;

use crate::{pages, root};

/// Extensions of files in the project. A word with another extension isn't a path, even if it
/// contains a slash.
const ENDINGS: [&str; 12] = [
    "css", "csv", "json", "md", "png", "puml", "rs", "sh", "svg", "toml", "ts", "uml",
];

/// Returns the files in the project that git tracks or at least doesn't ignore.
fn files() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "git lists no files");
    let list = String::from_utf8(output.stdout).expect("names are text");
    list.lines().map(str::to_owned).collect()
}

fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns `true` if a word is the path of a file in the project. Files that a page's commands
/// write don't count, nor do files on a user's computer.
fn is_path(word: &str) -> bool {
    let plain = |it: char| it.is_ascii_alphanumeric() || "_-./".contains(it);
    let ending = Path::new(word).extension().and_then(|it| it.to_str());
    word.contains('/')
        && word.chars().all(plain)
        && !["/", "output/", "target/"]
            .iter()
            .any(|it| word.starts_with(it))
        && ending.is_some_and(|it| ENDINGS.contains(&it))
}

/// Returns `true` if the path of a file exists, relative to the project's folder or to a crate's
/// folder.
fn exists(path: &str, files: &[String]) -> bool {
    let below = format!("/{path}");
    files.iter().any(|it| it == path || it.ends_with(&below))
}

#[test]
fn every_path_is_a_file() {
    let files = files();
    let mut problems = Vec::new();
    let mut paths = 0;
    for page in pages() {
        let text = std::fs::read_to_string(root().join(&page.path)).expect("it can be read");
        for (number, line) in text.lines().enumerate() {
            for path in quoted(line).filter(|word| is_path(word)) {
                paths += 1;
                if !exists(path, &files) {
                    problems.push(format!("{}:{}: no file {path}", page.path, number + 1));
                }
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
    assert!(paths > 25, "{paths} paths");
}
