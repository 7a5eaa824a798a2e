//! Runs commands in their own folder, as users would.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::assertions::{assert_says, stderr};
use crate::cases::assert_cases;
use crate::transcript::{transcript, words};

/// A program, and a temporary folder to run it in. The methods panic if a file can't be read or
/// written, or if the program doesn't end as expected.
#[derive(Debug)]
pub struct Home {
    program: PathBuf,
    folder: TempDir,
    variables: Vec<(&'static str, Option<OsString>)>,
}

#[expect(clippy::missing_panics_doc, reason = "the type says when they panic")]
impl Home {
    pub fn of(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            folder: tempfile::tempdir().expect("there is room"),
            variables: Vec::new(),
        }
    }

    /// Sets an environment variable of the program, or removes it if `value` is `None`.
    pub fn set_variable(&mut self, name: &'static str, value: Option<impl Into<OsString>>) {
        self.variables.push((name, value.map(Into::into)));
    }

    /// Returns the path of a file in the folder; an empty name means the folder itself.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file in the folder, and creates its parent folders.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }

    pub fn copy(&self, file: impl AsRef<Path>) {
        let file = file.as_ref();
        let name = file.file_name().expect("a file has a name");
        fs::copy(file, self.folder.path().join(name)).expect("it is there");
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
    }

    /// Returns the names of the files and folders in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("it is there");
        let names = entries.map(|entry| entry.expect("it can be listed").file_name());
        let mut names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Returns a command that runs the program with the words in `line` as arguments. Quoted words
    /// can contain spaces.
    pub fn command(&self, line: &str) -> Command {
        self.command_of(&self.program, line)
    }

    /// Returns a command that runs another program with the words in `line` as arguments, in the
    /// same folder and environment.
    pub fn command_of(&self, program: impl AsRef<OsStr>, line: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).args(words(line));
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    pub fn call(&self, line: &str) -> Output {
        self.command(line).output().expect("the program starts")
    }

    /// Runs the program, which must succeed, and returns its standard output.
    #[track_caller]
    pub fn printed(&self, line: &str) -> String {
        let output = self.call(line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        String::from_utf8(output.stdout).expect("it prints text")
    }

    /// Runs the program, which must succeed, and returns the JSON that it prints.
    #[track_caller]
    pub fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.printed(line)).expect("it is JSON")
    }

    /// Runs the program, which must fail with exit code 1 and without output, and returns its error
    /// message.
    #[track_caller]
    pub fn refused(&self, line: &str) -> String {
        let output = self.call(line);
        assert_eq!(output.status.code(), Some(1), "{line}: {output:?}");
        assert!(output.stdout.is_empty(), "{line}: {output:?}");
        stderr(&output)
    }

    /// Asserts that the program fails with exit code 1 and without output, and that its error
    /// message contains `why`.
    #[track_caller]
    pub fn assert_refused(&self, line: &str, why: &str) {
        assert_says(self.refused(line), &[why]);
    }

    /// Asserts that the program behaves as in the transcripts in a file of cases. Lines that start
    /// with `> ` are calls. Lines after `< NAME` are the content of that file, which must not
    /// change when a call fails.
    pub fn assert_transcripts(&self, cases: impl AsRef<Path>) {
        assert_cases(cases, |case| self.transcript(case.input));
    }

    fn transcript(&self, input: &str) -> String {
        let mut files: Vec<(&str, String)> = Vec::new();
        let mut found = String::new();
        for line in input.lines() {
            if let Some(name) = line.strip_prefix("< ") {
                files.push((name, String::new()));
            } else if let Some(call) = line.strip_prefix("> ") {
                for (name, text) in &files {
                    self.write(name, text);
                }
                let printed = transcript(&self.program, self.folder.path(), call);
                if printed.contains("\nexit code ") {
                    for (name, text) in &files {
                        assert_eq!(self.read(name), *text, "{name} after {call}");
                    }
                }
                found += &printed;
            } else if let Some((_, text)) = files.last_mut() {
                let _ = writeln!(text, "{line}");
            }
        }
        found
    }
}
