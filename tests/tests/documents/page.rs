//! Splits a page of the documentation into its blocks of code.

use std::path::Path;

/// A block of code. It is either between fences or indented by four spaces.
#[derive(Debug)]
pub(crate) struct Block {
    /// Number of the line on which the block's text starts. The first line of the page is 1.
    pub(crate) line: usize,
    /// Language of the fence. `None` for commands: they are indented, or in a fence for `sh` where
    /// rustdoc requires one.
    pub(crate) language: Option<String>,
    pub(crate) text: String,
    /// The comment on the previous line, which says how to test the block.
    pub(crate) mark: Option<String>,
}

pub(crate) fn blocks(path: &Path) -> Vec<Block> {
    let page = std::fs::read_to_string(path).expect("the page is readable");
    let lines: Vec<&str> = page.lines().collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let begin = at;
        at += 1;
        if let Some(language) = lines[begin].strip_prefix("```") {
            let length = { lines[at..].iter() }
                .position(|line| *line == "```")
                .unwrap_or_else(|| panic!("{}:{at}: it ends", path.display()));
            blocks.push(Block {
                line: at + 1,
                language: Some(language.to_owned()).filter(|it| it != "sh"),
                text: lines[at..at + length].join("\n"),
                mark: mark(&lines[..begin]),
            });
            at += length + 1;
        } else if is_indented(&lines, begin) {
            let rest = &lines[begin..];
            let length = { rest.iter() }
                .position(|line| !line.is_empty() && !line.starts_with("    "))
                .unwrap_or(rest.len());
            let text: Vec<&str> = { rest[..length].iter() }
                .map(|line| line.strip_prefix("    ").unwrap_or_default())
                .collect();
            blocks.push(Block {
                line: begin + 1,
                language: None,
                text: text.join("\n").trim_end().to_owned(),
                mark: mark(&lines[..begin]),
            });
            at = begin + length;
        }
    }
    blocks
}

/// Returns `true` if an indented block starts on this line. The previous line must be empty, a
/// comment, or missing.
fn is_indented(lines: &[&str], at: usize) -> bool {
    let above = lines[..at].last().copied().unwrap_or_default();
    lines[at].starts_with("    ") && (above.is_empty() || is_comment(above))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("<!-- ") && line.ends_with(" -->")
}

/// Returns the last comment before a block, unless other text follows it.
fn mark(above: &[&str]) -> Option<String> {
    let last = above.iter().rev().find(|line| !line.is_empty())?;
    is_comment(last).then(|| last[5..last.len() - 4].to_owned())
}
