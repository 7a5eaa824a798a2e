//! Reading rule files: the kinds of problems.

use super::super::Rule;
use super::error;

/// A file that is not well-formed XML.
pub const NOT_XML: Rule = error("PM0701", "A rule file is not well-formed XML.");
/// Too big or too deep a file.
pub const TOO_LARGE: Rule = error("PM0702", "A rule file is too large.");
/// Something that the language does not have.
pub const UNKNOWN_WORD: Rule = error(
    "PM0703",
    "A rule file has an element or attribute that is not known there.",
);
/// A missing part.
pub const MISSING_PART: Rule = error("PM0704", "A rule file lacks a required part.");
/// A value outside the possible ones.
pub const BAD_VALUE: Rule = error(
    "PM0705",
    "A rule file has a value that cannot stand where it is.",
);
/// A name that stands for nothing.
pub const UNDECLARED: Rule = error(
    "PM0706",
    "A rule file names an element that none declares before.",
);
/// A name or code for two things.
pub const DECLARED_TWICE: Rule = error(
    "PM0707",
    "A rule file gives a name or code that is taken in the same file.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &NOT_XML,
    &TOO_LARGE,
    &UNKNOWN_WORD,
    &MISSING_PART,
    &BAD_VALUE,
    &UNDECLARED,
    &DECLARED_TWICE,
];
