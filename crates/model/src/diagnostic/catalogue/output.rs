//! Writing: the kinds of problems.

use super::super::Rule;
use super::error;

/// A file that the generator did not write.
pub const FOREIGN_FILE: Rule = error(
    "PM0501",
    "a file to be written exists and was not generated",
);
/// A symbolic link below the output folder.
pub const SYMBOLIC_LINK: Rule = error("PM0502", "a file to be written lies behind a symbolic link");
/// A path that could lead out of the output folder.
pub const OUTSIDE: Rule = error("PM0503", "a file's path leads out of the output folder");
/// A folder in place of a file, or a file in place of a folder.
pub const WRONG_KIND: Rule = error(
    "PM0504",
    "a folder stands where a file is to be written, or a file where a folder is needed",
);
/// A file that must not be changed.
pub const READ_ONLY_FILE: Rule = error("PM0505", "a file to be written is read-only");
/// A generated text that would not be recognized again.
pub const NO_MARKER: Rule = error(
    "PM0506",
    "a generated file does not say in its first lines that it is generated",
);
/// Models of one name.
pub const OTHER_MODEL: Rule = error(
    "PM0508",
    "files of another model stand where files are to be written",
);
/// A generated file that was changed since.
pub const CHANGED_FILE: Rule = error("PM0509", "a generated file was changed since");
/// A file that would replace the model, or another file that is read.
pub const INPUT_FILE: Rule = error("PM0510", "a file to be written is one that is read");
/// An error of the operating system.
pub const INPUT_OUTPUT: Rule = error("PM0507", "a file or folder cannot be read or written");

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &FOREIGN_FILE,
    &SYMBOLIC_LINK,
    &OUTSIDE,
    &WRONG_KIND,
    &READ_ONLY_FILE,
    &NO_MARKER,
    &INPUT_OUTPUT,
    &OTHER_MODEL,
    &CHANGED_FILE,
    &INPUT_FILE,
];
