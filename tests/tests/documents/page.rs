//! A page of the documentation, as the blocks of code that it shows.

use std::path::Path;

/// A block of code: fenced, or indented by four spaces.
#[derive(Debug)]
pub(crate) struct Block {
    /// The line of the page that its text begins with, from 1 on.
    pub(crate) line: usize,
    /// The language of the fence; none of commands, which are indented or stand in a fence for
    /// `sh`, as rustdoc wants it.
    pub(crate) language: Option<String>,
    pub(crate) text: String,
    /// The comment on the line above: what a test is to do with the block.
    pub(crate) mark: Option<String>,
}

/// The blocks of a page, in their order.
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

/// True if an indented block begins here: Markdown wants an empty line, or none, above it.
fn is_indented(lines: &[&str], at: usize) -> bool {
    let above = lines[..at].last().copied().unwrap_or_default();
    lines[at].starts_with("    ") && (above.is_empty() || is_comment(above))
}

fn is_comment(line: &str) -> bool {
    line.starts_with("<!-- ") && line.ends_with(" -->")
}

/// The comment that ends the lines above a block, empty ones aside.
fn mark(above: &[&str]) -> Option<String> {
    let last = above.iter().rev().find(|line| !line.is_empty())?;
    is_comment(last).then(|| last[5..last.len() - 4].to_owned())
}
