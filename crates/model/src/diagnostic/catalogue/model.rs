//! Content of the UML: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

/// A model without an activity.
pub static NO_ACTIVITY: Rule = error("PM0101", "The model has no activity.");
/// More than one place to start.
pub static SEVERAL_MAINS: Rule = error("PM0102", "It is not clear which activity is the program.");
/// `--main` names nothing.
pub static UNKNOWN_MAIN: Rule = error("PM0103", "No activity has the requested name.");
/// A reference to nothing.
pub static DANGLING: Rule = error(
    "PM0104",
    "A reference names an element that does not exist.",
);
/// A dangling reference that only repeats other information.
pub static DANGLING_BACKLINK: Rule = warning(
    "PM0105",
    "A list that repeats other elements' references names an element that does not exist.",
);
/// A reference to the wrong kind of element.
pub static WRONG_TARGET: Rule = error(
    "PM0106",
    "A reference names an element of a kind that cannot stand there.",
);
/// An edge that has one end only.
pub static MISSING_END: Rule = error("PM0107", "An edge has no source or no target.");
/// An edge into or out of a structured node.
pub static CROSSING_EDGE: Rule = error(
    "PM0108",
    "An edge crosses the border of a diagram, and cannot be moved to the node around.",
);
/// A stereotype that the profile does not have.
pub static UNKNOWN_STEREOTYPE: Rule = error("PM0109", "The profile has no such stereotype.");
/// Another version of the profile.
pub static PROFILE_DRIFT: Rule = warning(
    "PM0110",
    "The profile is applied under another namespace than the one that is shipped.",
);
/// A stereotype without an element.
pub static UNBOUND_STEREOTYPE: Rule = warning("PM0111", "A stereotype is applied to nothing.");
/// A stereotype on something other than an element of an activity.
pub static IDLE_STEREOTYPE: Rule = warning(
    "PM0112",
    "A stereotype is applied to an element on which it means nothing.",
);
/// Two stereotypes.
pub static SEVERAL_STEREOTYPES: Rule = error(
    "PM0113",
    "An element has more than one stereotype of the profile.",
);
/// A tag that the stereotype does not have.
pub static UNKNOWN_TAG: Rule = warning("PM0114", "The stereotype has no such tag.");
/// A guard, condition or value that we cannot read.
pub static FOREIGN_LANGUAGE: Rule = error(
    "PM0115",
    "An expression is in a language other than C, C++ and Rust.",
);
/// A body that we cannot read.
pub static SKIPPED_BODY: Rule = warning(
    "PM0116",
    "A function or action has no body in C, C++ or Rust, and is left out.",
);
/// A value that is neither literal nor expression.
pub static UNREAD_VALUE: Rule = error("PM0117", "A value is given in a form that is not read.");
/// A multiplicity that is not a number.
pub static BAD_MULTIPLICITY: Rule = error("PM0118", "The size of an array is not a number.");
/// A parameter that is not an input.
pub static PARAMETER_DIRECTION: Rule = error(
    "PM0119",
    "A cost function has a parameter that is neither an input nor its result.",
);
/// Something that can only be used by a name has none.
pub static UNNAMED: Rule = warning("PM0120", "A variable or function has no name.");
/// A clause that does more than decide.
pub static CLAUSE_TEST: Rule = error(
    "PM0121",
    "The test of a clause has more than the action that decides.",
);
/// An action of a UML type that is not simulated.
pub static INERT_ACTION: Rule = warning(
    "PM0122",
    "An action without a stereotype is of a UML type that does nothing here.",
);
/// A node without an activity.
pub static STRAY_NODE: Rule = warning("PM0123", "A node is in no activity, and is left out.");
/// A group that is more than a partition.
pub static BORDERLESS_GROUP: Rule = warning(
    "PM0124",
    "A group has a meaning of its own in UML and is read as if it were not there.",
);
/// An edge between the parts of a loop or conditional node.
pub static EDGE_BETWEEN_PARTS: Rule = warning(
    "PM0125",
    "An edge between the parts of a loop or conditional node has no effect.",
);

/// An action that waits for an event beside the start of its diagram.
pub static EVENT_AT_START: Rule = warning(
    "PM0126",
    "An action that accepts an event starts with its diagram, as if the event had come.",
);
/// A call of something that is not read.
pub static CALL_OF_UNREAD: Rule = warning(
    "PM0127",
    "A call is of a behavior that is no activity, or in a file that is not read: it does nothing \
     here.",
);
/// A node that holds data.
pub static OBJECT_NODE: Rule = warning(
    "PM0128",
    "A node that holds data passes control on as soon as it gets it.",
);
/// A time event that says a time of day.
pub static ABSOLUTE_TIME: Rule = warning(
    "PM0130",
    "A time event does not say that its time is relative, and is read so.",
);
/// A flow that interrupts a region.
pub static INTERRUPTION: Rule = error(
    "PM0131",
    "A flow interrupts a region, which would end what runs there.",
);
/// A handler of exceptions.
pub static UNUSED_HANDLER: Rule = warning(
    "PM0132",
    "An exception handler is left out, since no exceptions are simulated.",
);
/// An edge between a structured node's content and its surroundings.
pub static LIFTED_EDGE: Rule = warning(
    "PM0133",
    "An edge crosses the border of a structured node, and is read as an edge of that node.",
);
/// Something that `--assume` filled in.
pub static ASSUMED: Rule = warning(
    "PM0129",
    "Something that the drawing leaves open was assumed, as `--assume` asks.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &NO_ACTIVITY,
    &SEVERAL_MAINS,
    &UNKNOWN_MAIN,
    &DANGLING,
    &DANGLING_BACKLINK,
    &WRONG_TARGET,
    &MISSING_END,
    &CROSSING_EDGE,
    &UNKNOWN_STEREOTYPE,
    &PROFILE_DRIFT,
    &UNBOUND_STEREOTYPE,
    &IDLE_STEREOTYPE,
    &SEVERAL_STEREOTYPES,
    &UNKNOWN_TAG,
    &FOREIGN_LANGUAGE,
    &SKIPPED_BODY,
    &UNREAD_VALUE,
    &BAD_MULTIPLICITY,
    &PARAMETER_DIRECTION,
    &UNNAMED,
    &CLAUSE_TEST,
    &INERT_ACTION,
    &STRAY_NODE,
    &BORDERLESS_GROUP,
    &EDGE_BETWEEN_PARTS,
    &EVENT_AT_START,
    &CALL_OF_UNREAD,
    &OBJECT_NODE,
    &ASSUMED,
    &ABSOLUTE_TIME,
    &INTERRUPTION,
    &UNUSED_HANDLER,
    &LIFTED_EDGE,
];
