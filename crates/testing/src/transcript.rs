//! Records transcripts of commands: what a user types, and what the commands print.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Runs a program in a folder, once for each line of arguments. Returns the standard output of each
/// run, then its standard error, and then its exit code unless that is 0.
///
/// Arguments can be quoted with `'` or `"`.
///
/// # Panics
///
/// Panics if the program can't be started.
pub fn transcript(program: impl AsRef<Path>, folder: &Path, lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines() {
        let mut command = Command::new(program.as_ref());
        let output = command.current_dir(folder).args(words(line)).output();
        let output = output.expect("the program starts");
        text.push_str(&String::from_utf8_lossy(&output.stdout));
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            let _ = writeln!(text, "exit code {}", output.status.code().unwrap_or(-1));
        }
    }
    text
}

/// Splits a line into words. Quoted words can contain spaces.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for letter in line.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(end)) if letter == end => quote = None,
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[test]
fn words_may_have_quotes() {
    let found = words("a --b='c d'  \"e 'f'\" ''");
    assert_eq!(found, ["a", "--b=c d", "e 'f'", ""]);
}
