//! Reading: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

/// A file that is not well-formed XML.
pub static NOT_XML: Rule = error("PM0001", "The file is not well-formed XML.");
/// A document type definition that declares something.
pub static DECLARATIONS: Rule = error(
    "PM0002",
    "The file has a document type definition with declarations, which are refused.",
);
/// A file that is XML, but not UML.
pub static NOT_A_MODEL: Rule = error("PM0003", "The file has no UML model.");
/// Elements nested too deeply.
pub static TOO_DEEP: Rule = error("PM0004", "Elements are nested too deeply.");
/// Two elements with one id.
pub static DUPLICATE_ID: Rule = error("PM0005", "Two elements have the same id.");
/// An unknown escape.
pub static UNKNOWN_ESCAPE: Rule = error("PM0006", "An XML escape is unknown.");
/// A prefix without a namespace.
pub static UNDECLARED_PREFIX: Rule = warning("PM0007", "The prefix of a name is not declared.");
/// Too big a file.
pub static TOO_LARGE: Rule = error("PM0008", "The file is too large.");
/// Something in an activity that could matter and is not read.
pub static UNREAD_ELEMENT: Rule = warning("PM0009", "An element in an activity is not read.");
/// Something on an element of an activity that could matter and is not read.
pub static UNREAD_ATTRIBUTE: Rule = warning(
    "PM0010",
    "An attribute of an element in an activity is not read.",
);
/// A guard in the place of a name.
pub static GUARD_FROM_NAME: Rule = warning(
    "PM0011",
    "The name of an edge is read as its guard, which it does not have.",
);

/// An element, attribute or text that our own XML form does not have at its place.
pub static XML_VOCABULARY: Rule =
    error("PM0012", "Something in a model in XML has no place there.");
/// A value of our own XML form that is missing or cannot be read.
pub static XML_VALUE: Rule = error(
    "PM0013",
    "A value in a model in XML is missing or makes no sense.",
);
/// A name in our own XML form that is not unique, or names nothing.
pub static XML_REFERENCE: Rule = error(
    "PM0014",
    "A name in a model in XML stands for nothing, or for several things.",
);
/// A file that contains no text of a model.
pub static UNREADABLE: Rule = error("PM0015", "A file cannot be read, or is not a model file.");
/// Two attributes or ends of associations with one id.
pub static DUPLICATE_FEATURE: Rule = warning(
    "PM0016",
    "Two attributes, or ends of associations, have the same id.",
);
/// A line, or a part of one, of a model as text that is not understood.
pub static TEXT: Rule = error(
    "PM0017",
    "Something in a model as text is not understood, or has no place there.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &NOT_XML,
    &DECLARATIONS,
    &NOT_A_MODEL,
    &TOO_DEEP,
    &DUPLICATE_ID,
    &UNKNOWN_ESCAPE,
    &UNDECLARED_PREFIX,
    &TOO_LARGE,
    &UNREAD_ELEMENT,
    &UNREAD_ATTRIBUTE,
    &GUARD_FROM_NAME,
    &XML_VOCABULARY,
    &XML_VALUE,
    &XML_REFERENCE,
    &UNREADABLE,
    &DUPLICATE_FEATURE,
    &TEXT,
];
