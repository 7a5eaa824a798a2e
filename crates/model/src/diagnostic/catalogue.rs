//! Lists every kind of problem that the tool can report, by the stage that finds it.
//!
//! | codes | stage |
//! |---|---|
//! | `PM00xx` | [`xmi`]: reading the file |
//! | `PM01xx` | [`model`]: what the UML says |
//! | `PM02xx` | [`lang`]: the cost language |
//! | `PM03xx` | [`flow`]: control flow |
//! | `PM04xx` | [`element`]: performance elements and their tags |
//! | `PM05xx` | [`output`]: writing |
//! | `PM06xx` | [`program`]: names, types and calls |
//! | `PM07xx` | [`rules`]: reading rule files |
//! | `PM10xx` | [`target`]: what a target cannot express |
//! | `PM11xx` | [`marte`]: MARTE annotations |
//!
//! The checker's rules have their codes in `rules/*.mcl.xml`: `PM08xx` for UML, `PM09xx` for the
//! domain.

use super::{Rule, Severity};

/// Declares the rules of a stage: severity, name, code and summary.
macro_rules! catalogue {
    (
        $(#[$attribute:meta])* mod $stage:ident;
        $($severity:ident $name:ident $code:literal $summary:literal;)*
    ) => {
        $(#[$attribute])*
        pub mod $stage {
            $(
                #[doc = $summary]
                pub const $name: crate::diagnostic::Rule = super::$severity($code, $summary);
            )*

            pub(super) const RULES: &[&crate::diagnostic::Rule] = &[$(&$name),*];
        }
    };
}

const fn error(code: &'static str, summary: &'static str) -> Rule {
    Rule {
        code,
        severity: Severity::Error,
        summary,
    }
}

const fn warning(code: &'static str, summary: &'static str) -> Rule {
    Rule {
        code,
        severity: Severity::Warning,
        summary,
    }
}

/// Returns all rules, by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        xmi::RULES,
        model::RULES,
        lang::RULES,
        flow::RULES,
        element::RULES,
        output::RULES,
        program::RULES,
        rules::RULES,
        target::RULES,
        marte::RULES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

catalogue! {
    /// Problems with reading files.
    mod xmi;
    error NOT_XML "PM0001" "The file is not well-formed XML.";
    error DECLARATIONS "PM0002"
        "The file has a document type definition with declarations, which are refused.";
    error NOT_A_MODEL "PM0003" "The file has no UML model.";
    error TOO_DEEP "PM0004" "Elements are nested too deeply.";
    error DUPLICATE_ID "PM0005" "Two elements have the same id.";
    error UNKNOWN_ESCAPE "PM0006" "An XML escape is unknown.";
    warning UNDECLARED_PREFIX "PM0007" "The prefix of a name is not declared.";
    error TOO_LARGE "PM0008" "The file is too large.";
    warning UNREAD_ELEMENT "PM0009" "An element in an activity is not read.";
    warning UNREAD_ATTRIBUTE "PM0010" "An attribute of an element in an activity is not read.";
    warning GUARD_FROM_NAME "PM0011"
        "The name of an edge is read as its guard, which it does not have.";
    error XML_VOCABULARY "PM0012" "Something in a model in XML has no place there.";
    error XML_VALUE "PM0013" "A value in a model in XML is missing or makes no sense.";
    error XML_REFERENCE "PM0014"
        "A name in a model in XML stands for nothing, or for several things.";
    error UNREADABLE "PM0015" "A file cannot be read, or is not a model file.";
    warning DUPLICATE_FEATURE "PM0016" "Two attributes, or ends of associations, have the same id.";
    error TEXT "PM0017" "Something in a model as text is not understood, or has no place there.";
    warning FOREIGN_STEREOTYPE "PM0018" "A stereotype in a text is not one of the profile.";
    warning DOUBTFUL_TEXT "PM0019" "Something in a text is hardly meant as it stands.";
}

catalogue! {
    /// Problems with the UML content.
    mod model;
    error NO_ACTIVITY "PM0101" "The model has no activity.";
    error SEVERAL_MAINS "PM0102" "It is not clear which activity is the program.";
    error UNKNOWN_MAIN "PM0103" "No activity has the requested name.";
    error DANGLING "PM0104" "A reference names an element that does not exist.";
    warning DANGLING_BACKLINK "PM0105"
        "A list that repeats other elements' references names an element that does not exist.";
    error WRONG_TARGET "PM0106" "A reference names an element of a kind that cannot stand there.";
    error MISSING_END "PM0107" "An edge has no source or no target.";
    error CROSSING_EDGE "PM0108"
        "An edge crosses the border of a diagram, and cannot be moved to the node around.";
    error UNKNOWN_STEREOTYPE "PM0109" "The profile has no such stereotype.";
    warning PROFILE_DRIFT "PM0110"
        "The profile is applied under another namespace than the one that is shipped.";
    warning UNBOUND_STEREOTYPE "PM0111" "A stereotype is applied to nothing.";
    warning IDLE_STEREOTYPE "PM0112"
        "A stereotype is applied to an element on which it means nothing.";
    error SEVERAL_STEREOTYPES "PM0113" "An element has more than one stereotype of the profile.";
    warning UNKNOWN_TAG "PM0114" "The stereotype has no such tag.";
    error FOREIGN_LANGUAGE "PM0115" "An expression is in a language other than C, C++ and Rust.";
    warning SKIPPED_BODY "PM0116"
        "A function or action has no body in C, C++ or Rust, and is left out.";
    error UNREAD_VALUE "PM0117" "A value is given in a form that is not read.";
    error BAD_MULTIPLICITY "PM0118" "The size of an array is not a number.";
    error PARAMETER_DIRECTION "PM0119"
        "A cost function has a parameter that is neither an input nor its result.";
    warning UNNAMED "PM0120" "A variable or function has no name.";
    error CLAUSE_TEST "PM0121" "The test of a clause has more than the action that decides.";
    warning INERT_ACTION "PM0122"
        "An action without a stereotype is of a UML type that does nothing here.";
    warning STRAY_NODE "PM0123" "A node is in no activity, and is left out.";
    warning BORDERLESS_GROUP "PM0124"
        "A group has a meaning of its own in UML and is read as if it were not there.";
    warning EDGE_BETWEEN_PARTS "PM0125"
        "An edge between the parts of a loop or conditional node has no effect.";
    warning EVENT_AT_START "PM0126"
        "An action that accepts an event starts with its diagram, as if the event had come.";
    warning CALL_OF_UNREAD "PM0127"
        "A call is of a behavior that is no activity, or in a file that is not read: it does \
         nothing here.";
    warning OBJECT_NODE "PM0128" "A node that holds data passes control on as soon as it gets it.";
    warning ASSUMED "PM0129"
        "Something that the drawing leaves open was assumed, as `--assume` asks.";
    warning ABSOLUTE_TIME "PM0130"
        "A time event does not say that its time is relative, and is read so.";
    error INTERRUPTION "PM0131" "A flow interrupts a region, which would end what runs there.";
    warning UNUSED_HANDLER "PM0132"
        "An exception handler is left out, since no exceptions are simulated.";
    warning LIFTED_EDGE "PM0133"
        "An edge crosses the border of a structured node, and is read as an edge of that node.";
}

catalogue! {
    /// Problems with the cost language.
    mod lang;
    error SYNTAX "PM0201" "a piece of code does not parse";
    error LIMIT "PM0202" "a piece of code is too long or nested too deeply";
    error NOT_ALLOWED "PM0203" "a piece of code is not part of the cost language";
    error UNKNOWN_VARIABLE "PM0204" "a name stands for no variable in scope";
    error UNKNOWN_FUNCTION "PM0205" "a function does not exist";
    error ARGUMENT_COUNT "PM0206" "a call has the wrong number of arguments";
    error TYPE_MISMATCH "PM0207" "a value has the wrong type";
    error READ_ONLY "PM0208" "an assignment changes something read-only";
    error SIDE_EFFECT "PM0209" "an expression changes a variable";
    error MISSING_RETURN "PM0210" "a function can end without a result";
    error MISPLACED_JUMP "PM0211" "a jump stands where it has no meaning";
    error CERTAIN_FAULT "PM0212" "an operation fails whenever it is executed";
    error DECLARED_TWICE "PM0213" "a name is declared twice in one block";
    error UNKNOWN_TABLE "PM0214" "a table does not exist";
    error NUMBER_RANGE "PM0215" "a number is out of range";
    error ARRAY_LENGTH "PM0216" "an array's length is not usable";
    warning NO_EFFECT "PM0217" "a statement has no effect";
}

catalogue! {
    /// Problems with control flow.
    mod flow;
    error NO_START "PM0301" "A diagram has no node to start from: every node has an incoming flow.";
    warning SEVERAL_STARTS "PM0302"
        "A diagram has several nodes to start from, which run concurrently.";
    error IMPLICIT_FORK "PM0303"
        "Several flows leave a node that neither chooses between them nor forks.";
    error IMPLICIT_JOIN "PM0304"
        "Several flows enter a node that is not a merge: UML waits there for all of them.";
    error MISSING_GUARD "PM0305" "A flow out of a decision has no guard.";
    error SEVERAL_ELSE "PM0306" "A decision has more than one `else`.";
    error FLOW_OUT_OF_FINAL "PM0307" "A flow leaves a final node.";
    error UNSUPPORTED_NODE "PM0310"
        "A node is of a kind that has no meaning for a performance model.";
    error NO_CONDITION "PM0311" "A loop or clause has no test: no action decides about it.";
    error TANGLED_BRANCHES "PM0312"
        "The branches of a fork meet in a node that does not wait for them.";
    error STARVING_JOIN "PM0313" "A join waits for a flow that does not come.";
    error ABORTED_BRANCH "PM0314"
        "A branch of a fork ends the diagram, in which other branches still run.";
    error GUARDED_FORK "PM0315" "A flow out of a fork has a guard.";
    error OUTSIDE_SECTIONS "PM0316" "Something in a `parallelsections` is in none of its sections.";
    error UNASKED_TEST "PM0317"
        "A loop whose iterations are counted has a test that does something.";
    warning IGNORED_TEST "PM0318"
        "A loop whose iterations are counted has a test, which is not evaluated.";
    warning DOUBTFUL_JOIN "PM0319"
        "A join may wait for a flow that does not come: nothing behind it runs then.";
}

catalogue! {
    /// Problems with performance elements.
    mod element;
    error NO_PRICE "PM0401" "An `action+` has no cost.";
    error SEVERAL_PRICES "PM0402" "An element has more than one cost.";
    error PRICED_CONTENT "PM0403" "An element whose content has costs has a cost of its own.";
    error MISSING_TAG "PM0404" "A required tag is missing.";
    error WRONG_NODE "PM0408" "A stereotype stands on a kind of node that it does not fit.";
    error BAD_ID "PM0409" "An element's `id` is not an integer.";
    error SAME_ID "PM0410" "Two elements have the same `id`.";
    error BAD_TIME "PM0411" "An element's `time` is not a number of seconds.";
    error CODE_TWICE "PM0412" "An element has code both as its body and in the tag `code`.";
    error NOTHING_CALLED "PM0413" "A call names no activity.";
    error WRONG_VALUE "PM0420" "A tag has a value that it cannot have.";
    error NO_TARGET "PM0421" "A tag names no variable that can get the element's result.";
    warning NO_VALUE "PM0422"
        "A receive wants a value, and no send with its tag gives its message one.";
    error NO_PROCESS "PM0414" "A `dest` or `source` is a constant that is not a process.";
    error REQUEST_OF_BLOCKING "PM0415" "A send or receive that blocks has a request.";
    error UNKNOWN_REQUEST "PM0416"
        "A wait is for a request that no send or receive of the program has.";
    error BAD_RUD "PM0417"
        "The tag `rud` holds no description of the resources that its element uses.";
    error UNSENT_SIGNAL "PM0423" "An element waits for a signal that nothing in the program sends.";
    error UNKNOWN_COMM "PM0430"
        "A communicator depends on a value that not all processes know of each other.";
    error BAD_FILE "PM0440"
        "A file of a workflow has no name or size, or no task reads or writes it.";
    error NOT_IN_WORKFLOW "PM0441" "A workflow has an element that makes no sense in one.";
    error NO_WORKFLOW "PM0442"
        "A `task` stands in a program, or a `workflow` on an activity that is not the main one.";
    warning IDLE_RETRIES "PM0443"
        "A `task` has `retries`, but no `failure_probability`: it never fails.";
    error NO_MEMORY "PM0450"
        "The memory of a node does not hold the working sets of its processes.";
}

catalogue! {
    /// Problems with writing.
    mod output;
    error FOREIGN_FILE "PM0501" "a file to be written exists and was not generated";
    error SYMBOLIC_LINK "PM0502" "a file to be written lies behind a symbolic link";
    error OUTSIDE "PM0503" "a file's path leads out of the output folder";
    error WRONG_KIND "PM0504"
        "a folder stands where a file is to be written, or a file where a folder is needed";
    error READ_ONLY_FILE "PM0505" "a file to be written is read-only";
    error NO_MARKER "PM0506"
        "a generated file does not say in its first lines that it is generated";
    error INPUT_OUTPUT "PM0507" "a file or folder cannot be read or written";
    error OTHER_MODEL "PM0508" "files of another model stand where files are to be written";
    error CHANGED_FILE "PM0509" "a generated file was changed since";
    error INPUT_FILE "PM0510" "a file to be written is one that is read";
}

catalogue! {
    /// Problems with names, types and calls.
    mod program;
    error UNKNOWN_TYPE "PM0601" "A type is missing, or none that the cost language knows.";
    error SAME_NAME "PM0602" "Two names differ in nothing, or only in case or punctuation.";
    error HIDDEN_LOCAL "PM0603" "A local variable has the name of one in a diagram around it.";
    error NOT_CONSTANT "PM0604" "The default of a model parameter is not a constant.";
    error RECURSIVE_FUNCTIONS "PM0605" "Cost functions call each other in a circle.";
    error RECURSIVE_ACTIVITIES "PM0606" "Activities call each other in a circle.";
    error BAD_TABLE "PM0607" "A table of `interpolate` cannot be read.";
    error ARRAY_HERE "PM0608" "An array stands where only a single value can.";
    error NOT_A_NAME "PM0609"
        "The name of a variable or function is not one that expressions can use.";
    error TOO_DEEP "PM0612"
        "Diagrams are nested too deep or copied too often, or calls lead to too many others.";
    warning LEFT_OUT "PM0614"
        "An attribute has a name or a type that the cost language does not know, and is left out.";
}

catalogue! {
    /// Problems with reading rule files.
    mod rules;
    error NOT_XML "PM0701" "A rule file is not well-formed XML.";
    error TOO_LARGE "PM0702" "A rule file is too large.";
    error UNKNOWN_WORD "PM0703" "A rule file has an element or attribute that is not known there.";
    error MISSING_PART "PM0704" "A rule file lacks a required part.";
    error BAD_VALUE "PM0705" "A rule file has a value that cannot stand where it is.";
    error UNDECLARED "PM0706" "A rule file names an element that none declares before.";
    error DECLARED_TWICE "PM0707"
        "A rule file gives a name or code that is taken in the same file.";
}

catalogue! {
    /// Problems with targets.
    mod target;
    error NOT_IN_TARGET "PM1001" "A target cannot express a part of the model that others can.";
    error NO_ANSWER "PM1002" "The program of a target ended without an answer.";
}

catalogue! {
    /// Problems with MARTE annotations.
    mod marte;
    error BAD_VALUE "PM1101" "A value of MARTE's VSL is not understood.";
    warning NO_VALUE "PM1102"
        "A variable of MARTE is used in a cost, and has no value: each run gives one.";
    error BAD_CHOICE "PM1103"
        "The probabilities of MARTE on the outflows of a node make no choice.";
    error UNCLEAR_STEP "PM1104" "It is unclear what a step of MARTE costs.";
    error BAD_WORKLOAD "PM1105" "A workload of MARTE cannot be simulated.";
    warning UNREAD_TAG "PM1106" "A tag of MARTE is not read.";
    warning UNREAD_STEREOTYPE "PM1107"
        "A stereotype of MARTE, or of a profile built on it, is not read.";
    warning TAKEN "PM1108" "A value of MARTE is taken for what it is not quite.";
    warning FLAG "PM1109"
        "A workload or host of MARTE says what is said by a flag of the command line.";
}
