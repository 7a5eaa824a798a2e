//! Tests that the documentation is correct: the commands on its pages run, and print what the pages
//! show.
//!
//! An indented block, or one fenced for `sh`, contains commands, which run in page order. The next
//! block, if it isn't one of these, is the output of the last command. A comment above a block can
//! change this:
//!
//! | comment | the block |
//! |---|---|
//! | `<!-- not run: REASON -->` | is not tested, and why |
//! | `<!-- needs PROGRAM -->` | is not tested without that program; a `;` ends this part |
//! | `<!-- after: COMMAND -->` | runs after that command, which the page does not show |
//! | `<!-- prints: COMMAND -->` | is the output of that command |
//! | `<!-- fails with CODE: COMMAND -->` | is its output as it fails |
//! | `<!-- part of FILE -->` | stands in a file, of the project or of commands |
//! | `<!-- file NAME -->` | is a file for the commands after it |
//!
//! `…` in an output, or in a part of a file, stands for omitted text.

mod page;
pub(crate) mod shell;
mod shown;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

use page::{Block, blocks};
use prophet_crosscheck::simgrid;
use prophet_testing::skip;
use prophet_tests::root;
use shell::Shell;
use shown::is_shown;

fn pages() -> Vec<PathBuf> {
    let alone = ["CONTRIBUTING.md", "README.md", "crates/sim/GUIDE.md"];
    let mut pages: Vec<PathBuf> = alone.map(|page| root().join(page)).into();
    for folder in ["docs", "docs/course", "sample-models"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("it is a folder");
        let paths = entries.map(|entry| entry.expect("it can be listed").path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    pages.sort();
    pages
}

struct Tested {
    shell: Shell,
    printed: Option<String>,
}

/// Returns `true` if a program that a command needs is installed. Otherwise, reports that it is
/// missing.
fn has(program: &str) -> bool {
    if program != "SimGrid" {
        return prophet_testing::has(program, "--version");
    }
    let is_there = simgrid::is_installed();
    if !is_there {
        skip(format_args!(
            "there is no SimGrid; {}",
            simgrid::HOW_TO_INSTALL
        ));
    }
    is_there
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a command's output in the form in which documents show it: the result, or the error
/// without cargo's own lines.
fn printed(output: &Output) -> String {
    if output.status.success() {
        return text(&output.stdout);
    }
    let message = text(&output.stderr);
    let at = message.lines().position(|line| line.starts_with("error"));
    let lines: Vec<&str> = message.lines().skip(at.unwrap_or_default()).collect();
    lines.join("\n")
}

impl Tested {
    /// Tests a block. Fails with a description of what is wrong.
    fn test(&mut self, block: &Block) -> Result<(), String> {
        let mut mark = block.mark.as_deref().unwrap_or_default();
        if let Some(rest) = mark.strip_prefix("needs ") {
            let (program, others) = rest.split_once("; ").unwrap_or((rest, ""));
            if !has(program) {
                self.printed = None;
                return Ok(());
            }
            mark = others;
        }
        if let Some(reason) = mark.strip_prefix("not run: ") {
            return if reason.is_empty() {
                Err("no reason".to_owned())
            } else {
                Ok(())
            };
        }
        if let Some(command) = mark.strip_prefix("after: ") {
            self.run(command, 0)?;
        }
        if let Some(name) = mark.strip_prefix("file ") {
            self.shell.write(name, &block.text);
            return Ok(());
        }
        if let Some(name) = mark.strip_prefix("part of ") {
            let file = self.shell.read(name).ok_or(format!("there is no {name}"))?;
            return shows(&format!("…\n{}\n…", block.text), &file);
        }
        if let Some(command) = mark.strip_prefix("prints: ") {
            let printed = self.run(command, 0)?;
            return shows(&block.text, &printed);
        }
        if let Some((code, command)) =
            { mark.strip_prefix("fails with ") }.and_then(|rest| rest.split_once(": "))
        {
            let code = code
                .parse()
                .map_err(|_| format!("{code} is not an exit code"))?;
            let printed = self.run(command, code)?;
            return shows(&block.text, &printed);
        }
        if block.language.is_none() {
            self.printed = Some(self.run(&block.text, 0)?);
            return Ok(());
        }
        match self.printed.take() {
            Some(printed) => shows(&block.text, &printed),
            None => Err("no comment says what it is, and no command stands above".to_owned()),
        }
    }

    fn run(&self, script: &str, code: i32) -> Result<String, String> {
        let output = self.shell.run(script);
        if output.status.code() == Some(code) {
            return Ok(printed(&output));
        }
        let message = text(&output.stderr);
        Err(format!(
            "{}, not exit code {code}:\n{message}",
            output.status
        ))
    }
}

fn shows(shown: &str, printed: &str) -> Result<(), String> {
    if is_shown(shown, printed) {
        return Ok(());
    }
    Err(format!("it is in truth:\n{printed}"))
}

fn problems(page: &Path) -> Vec<String> {
    let name = page.strip_prefix(root()).unwrap_or(page).display();
    let mut tested = Tested {
        shell: Shell::new(),
        printed: None,
    };
    let tests = blocks(page).into_iter().filter_map(|block| {
        let problem = tested.test(&block).err()?;
        Some(format!("{name}:{}: {problem}", block.line))
    });
    tests.collect()
}

/// Tests every fourth page, beginning with `first`. Several tests can then check pages in parallel.
fn pages_show_what_is_so(first: usize) {
    let only = std::env::var("PROPHET_PAGE").ok();
    let chosen = { pages().into_iter().skip(first).step_by(4) }
        .filter(|page| only.as_ref().is_none_or(|only| page.ends_with(only)));
    let problems: Vec<String> = chosen.flat_map(|page| problems(&page)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn pages_show_what_is_so_1() {
    pages_show_what_is_so(0);
}

#[test]
fn pages_show_what_is_so_2() {
    pages_show_what_is_so(1);
}

#[test]
fn pages_show_what_is_so_3() {
    pages_show_what_is_so(2);
}

#[test]
fn pages_show_what_is_so_4() {
    pages_show_what_is_so(3);
}

/// Checks commands for users who have installed the program instead of cloning the project, and who
/// follow several pages in one folder.
#[test]
fn commands_of_pages_need_no_clone_and_make_different_folders() {
    let mut made: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut problems = Vec::new();
    for page in pages() {
        let commands = blocks(&page).into_iter().filter(|it| it.language.is_none());
        let text: Vec<String> = commands.map(|it| it.text).collect();
        for line in text.iter().flat_map(|it| it.lines()) {
            if line.contains(" target/") {
                problems.push(format!("{}: `{line}` is for a clone", page.display()));
            }
            let Some(words) = line.strip_prefix("performance-prophet new ") else {
                continue;
            };
            let name = words.split(' ').find(|it| !it.starts_with("--"));
            let name = name.unwrap_or_default().to_owned();
            // The page is about the sample that already exists.
            if let Some(other) = made.insert(name.clone(), page.clone())
                && other != page
                && !words.contains("--sample")
            {
                let (page, other) = (page.display(), other.display());
                problems.push(format!("{page}: {other} makes the folder `{name}`, too"));
            }
        }
    }
    assert!(made.len() > 3, "{made:?}");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
