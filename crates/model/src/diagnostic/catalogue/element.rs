//! Performance elements: the kinds of problems.

use super::super::Rule;
use super::{error, warning};

pub const NO_PRICE: Rule = error("PM0401", "An `action+` has no price.");
pub const SEVERAL_PRICES: Rule = error("PM0402", "An element has more than one price.");
pub const PRICED_CONTENT: Rule = error(
    "PM0403",
    "An element whose content is priced has a price of its own.",
);
pub const MISSING_TAG: Rule = error("PM0404", "A required tag is missing.");
pub const WRONG_NODE: Rule = error(
    "PM0408",
    "A stereotype stands on a kind of node that it does not fit.",
);
pub const BAD_ID: Rule = error("PM0409", "An element's `id` is not an integer.");
pub const SAME_ID: Rule = error("PM0410", "Two elements have the same `id`.");
pub const BAD_TIME: Rule = error("PM0411", "An element's `time` is not a number of seconds.");
pub const CODE_TWICE: Rule = error(
    "PM0412",
    "An element has code both as its body and in the tag `code`.",
);
pub const NO_PROCESS: Rule = error(
    "PM0414",
    "A `dest` or `source` is a constant that is not a process.",
);
pub const REQUEST_OF_BLOCKING: Rule =
    error("PM0415", "A send or receive that blocks has a request.");
pub const UNKNOWN_REQUEST: Rule = error(
    "PM0416",
    "A wait is for a request that no send or receive of the program has.",
);
pub const BAD_RUD: Rule = error(
    "PM0417",
    "The tag `rud` holds no description of the resources that its element uses.",
);
pub const NOTHING_CALLED: Rule = error("PM0413", "A call names no activity.");
pub const WRONG_VALUE: Rule = error("PM0420", "A tag has a value that it cannot have.");
pub const NO_TARGET: Rule = error(
    "PM0421",
    "A tag names no variable that can get the element's result.",
);
pub const NO_VALUE: Rule = warning(
    "PM0422",
    "A receive wants a value, and no send with its tag gives its message one.",
);
pub const UNSENT_SIGNAL: Rule = error(
    "PM0423",
    "An element waits for a signal that nothing in the program sends.",
);
pub const UNKNOWN_COMM: Rule = error(
    "PM0430",
    "A communicator depends on a value that not all processes know of each other.",
);

pub const BAD_FILE: Rule = error(
    "PM0440",
    "A file of a workflow has no name or size, or no task reads or writes it.",
);
pub const NOT_IN_WORKFLOW: Rule = error(
    "PM0441",
    "A workflow has an element that makes no sense in one.",
);
pub const NO_WORKFLOW: Rule = error(
    "PM0442",
    "A `task` stands in a program, or a `workflow` on an activity that is not the main one.",
);

pub const IDLE_RETRIES: Rule = warning(
    "PM0443",
    "A `task` has `retries`, but no `failure_probability`: it never fails.",
);

/// The rules of this stage, by code.
pub(super) const RULES: &[&Rule] = &[
    &NO_PRICE,
    &SEVERAL_PRICES,
    &PRICED_CONTENT,
    &MISSING_TAG,
    &WRONG_NODE,
    &BAD_ID,
    &SAME_ID,
    &BAD_TIME,
    &CODE_TWICE,
    &NOTHING_CALLED,
    &WRONG_VALUE,
    &NO_TARGET,
    &NO_VALUE,
    &NO_PROCESS,
    &REQUEST_OF_BLOCKING,
    &UNKNOWN_REQUEST,
    &BAD_RUD,
    &UNSENT_SIGNAL,
    &UNKNOWN_COMM,
    &BAD_FILE,
    &NOT_IN_WORKFLOW,
    &NO_WORKFLOW,
    &IDLE_RETRIES,
];
