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
//! The checker's rules and their codes are in `rules/*.mcl.xml`: `PM08xx` for UML, `PM09xx` for
//! parallel programs.

use super::{Rule, Severity};

/// Declares the rules of a stage. Each has a severity, a name, a code and a summary.
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

/// Returns all rules, ordered by code.
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
        "The document type of the file has declarations, which are not allowed.";
    error NOT_A_MODEL "PM0003" "The file does not contain a UML model.";
    error TOO_DEEP "PM0004" "Elements are nested too deeply.";
    error DUPLICATE_ID "PM0005" "Two elements have the same id.";
    error UNKNOWN_ESCAPE "PM0006" "An XML escape is unknown.";
    warning UNDECLARED_PREFIX "PM0007" "A name has an undeclared prefix.";
    error TOO_LARGE "PM0008" "The file is too large.";
    warning UNREAD_ELEMENT "PM0009" "An element in an activity is ignored.";
    warning UNREAD_ATTRIBUTE "PM0010" "An attribute of an element in an activity is ignored.";
    warning GUARD_FROM_NAME "PM0011"
        "An edge has no guard, so its name is read as the guard.";
    error XML_VOCABULARY "PM0012" "An XML model contains something that does not belong there.";
    error XML_VALUE "PM0013" "A value in an XML model is missing or invalid.";
    error XML_REFERENCE "PM0014"
        "A name in an XML model is unknown or ambiguous.";
    error UNREADABLE "PM0015" "A file cannot be read, or is not a model file.";
    warning DUPLICATE_FEATURE "PM0016" "Two attributes or association ends have the same id.";
    error TEXT "PM0017" "Something in a text model is not understood, or does not belong there.";
    warning FOREIGN_STEREOTYPE "PM0018" "A stereotype in a text model is not in the profile.";
    warning DOUBTFUL_TEXT "PM0019" "Something in a text model is probably not what you meant.";
}

catalogue! {
    /// Problems with the UML content.
    mod model;
    error NO_ACTIVITY "PM0101" "The model has no activity.";
    error SEVERAL_MAINS "PM0102" "It is not clear which activity is the program.";
    error UNKNOWN_MAIN "PM0103" "No activity has the requested name.";
    error DANGLING "PM0104" "A reference names an element that does not exist.";
    warning DANGLING_BACKLINK "PM0105"
        "A redundant list of references names an element that does not exist.";
    error WRONG_TARGET "PM0106" "A reference names an element of the wrong kind.";
    error MISSING_END "PM0107" "An edge has no source or no target.";
    error CROSSING_EDGE "PM0108"
        "An edge crosses the border of a diagram and cannot be attached to the enclosing node.";
    error UNKNOWN_STEREOTYPE "PM0109" "A stereotype is not in the profile.";
    warning PROFILE_DRIFT "PM0110"
        "The applied profile and the shipped one have different namespaces.";
    warning UNBOUND_STEREOTYPE "PM0111" "A stereotype is not applied to any element.";
    warning IDLE_STEREOTYPE "PM0112"
        "A stereotype has no meaning on the element that it is applied to.";
    error SEVERAL_STEREOTYPES "PM0113" "An element has more than one stereotype of the profile.";
    warning UNKNOWN_TAG "PM0114" "A tag does not belong to its stereotype.";
    error FOREIGN_LANGUAGE "PM0115" "An expression is in a language other than C, C++ and Rust.";
    warning SKIPPED_BODY "PM0116"
        "A function or action is ignored, because it has no body in C, C++ or Rust.";
    error UNREAD_VALUE "PM0117" "A value has a form that is not supported.";
    error BAD_MULTIPLICITY "PM0118" "The size of an array is not a number.";
    error PARAMETER_DIRECTION "PM0119"
        "A cost function has a parameter that is neither an input nor its result.";
    warning UNNAMED "PM0120" "A variable or function has no name.";
    error CLAUSE_TEST "PM0121" "The test of a clause contains more than the action that decides.";
    warning INERT_ACTION "PM0122"
        "An action without a stereotype has a UML type that does nothing here.";
    warning STRAY_NODE "PM0123" "A node is outside any activity and is ignored.";
    warning BORDERLESS_GROUP "PM0124"
        "A group that has its own meaning in UML is ignored, but its content is read.";
    warning EDGE_BETWEEN_PARTS "PM0125"
        "An edge between the parts of a loop or conditional node has no effect.";
    warning EVENT_AT_START "PM0126"
        "An action that accepts an event starts with its diagram, as if the event had occurred.";
    warning CALL_OF_UNREAD "PM0127"
        "A call does nothing, because it names no activity, or one in a file that is not read.";
    warning OBJECT_NODE "PM0128" "A node that holds data passes control on immediately.";
    warning ASSUMED "PM0129"
        "`--assume` filled in something that the drawing leaves open.";
    warning ABSOLUTE_TIME "PM0130"
        "A time event is not marked as relative, but its time is read as relative.";
    error INTERRUPTION "PM0131" "A flow interrupts a region, which would end everything that runs \
                                 in it.";
    warning UNUSED_HANDLER "PM0132"
        "An exception handler is ignored, because exceptions are not simulated.";
    warning LIFTED_EDGE "PM0133"
        "An edge crosses the border of a structured node and is attached to that node instead.";
}

catalogue! {
    /// Problems with the cost language.
    mod lang;
    error SYNTAX "PM0201" "a piece of code cannot be parsed";
    error LIMIT "PM0202" "a piece of code is too long or nested too deeply";
    error NOT_ALLOWED "PM0203" "a piece of code is not part of the cost language";
    error UNKNOWN_VARIABLE "PM0204" "a name does not refer to a variable in scope";
    error UNKNOWN_FUNCTION "PM0205" "a function does not exist";
    error ARGUMENT_COUNT "PM0206" "a call has the wrong number of arguments";
    error TYPE_MISMATCH "PM0207" "a value has the wrong type";
    error READ_ONLY "PM0208" "an assignment changes something read-only";
    error SIDE_EFFECT "PM0209" "an expression changes a variable";
    error MISSING_RETURN "PM0210" "a function can end without a result";
    error MISPLACED_JUMP "PM0211" "a jump is used where it has no meaning";
    error CERTAIN_FAULT "PM0212" "an operation fails whenever it is executed";
    error DECLARED_TWICE "PM0213" "a name is declared twice in one block";
    error UNKNOWN_TABLE "PM0214" "a table does not exist";
    error NUMBER_RANGE "PM0215" "a number is out of range";
    error ARRAY_LENGTH "PM0216" "an array has an invalid length";
    warning NO_EFFECT "PM0217" "a statement has no effect";
}

catalogue! {
    /// Problems with control flow.
    mod flow;
    error NO_START "PM0301" "A diagram has no start node: every node has an incoming flow.";
    warning SEVERAL_STARTS "PM0302"
        "A diagram has several start nodes, which run concurrently.";
    error IMPLICIT_FORK "PM0303"
        "Several flows leave a node that neither chooses between them nor forks.";
    error IMPLICIT_JOIN "PM0304"
        "Several flows enter a node that is not a merge, so UML waits for all of them.";
    error MISSING_GUARD "PM0305" "A flow out of a decision has no guard.";
    error SEVERAL_ELSE "PM0306" "A decision has more than one `else`.";
    error FLOW_OUT_OF_FINAL "PM0307" "A flow leaves a final node.";
    error UNSUPPORTED_NODE "PM0310"
        "A kind of node has no meaning in a performance model.";
    error NO_CONDITION "PM0311" "A loop or clause has no test.";
    error TANGLED_BRANCHES "PM0312"
        "The branches of a fork meet in a node that does not wait for them.";
    error STARVING_JOIN "PM0313" "A join waits for a flow that never arrives.";
    error ABORTED_BRANCH "PM0314"
        "A branch of a fork ends the diagram while other branches are still running.";
    error GUARDED_FORK "PM0315" "A flow out of a fork has a guard.";
    error OUTSIDE_SECTIONS "PM0316" "An element in a `parallelsections` is outside its sections.";
    error UNASKED_TEST "PM0317"
        "A loop with `iterations` has a test with effects, which is never evaluated.";
    warning IGNORED_TEST "PM0318"
        "A loop with `iterations` has a test, which is never evaluated.";
    warning DOUBTFUL_JOIN "PM0319"
        "A join may wait for a flow that never arrives, and then nothing after it runs.";
}

catalogue! {
    /// Problems with performance elements.
    mod element;
    error NO_PRICE "PM0401" "An `action+` has no cost.";
    error SEVERAL_PRICES "PM0402" "An element has more than one cost.";
    error PRICED_CONTENT "PM0403" "An element has a cost, although its content has costs.";
    error MISSING_TAG "PM0404" "A required tag is missing.";
    error WRONG_NODE "PM0408" "A stereotype is applied to a kind of node that it does not support.";
    error BAD_ID "PM0409" "An element's `id` is not an integer.";
    error SAME_ID "PM0410" "Two elements have the same `id`.";
    error BAD_TIME "PM0411" "An element's `time` is not a number of seconds.";
    error CODE_TWICE "PM0412" "An element has code both as its body and in the tag `code`.";
    error NOTHING_CALLED "PM0413" "A call does not name an activity.";
    error WRONG_VALUE "PM0420" "A tag has an invalid value.";
    error NO_TARGET "PM0421" "A tag does not name a variable that can receive the element's \
                              result.";
    warning NO_VALUE "PM0422"
        "A receive expects a value, but no send with its tag provides one.";
    error NO_PROCESS "PM0414" "A constant `dest` or `source` is not a process.";
    error REQUEST_OF_BLOCKING "PM0415" "A blocking send or receive has a request.";
    error UNKNOWN_REQUEST "PM0416"
        "A wait names a request that no send or receive in the program uses.";
    error BAD_RUD "PM0417"
        "The tag `rud` does not describe the resources that its element uses.";
    error UNSENT_SIGNAL "PM0423" "An element waits for a signal that the program never sends.";
    error UNKNOWN_COMM "PM0430"
        "A communicator depends on a value that other processes cannot know.";
    error BAD_FILE "PM0440"
        "A workflow file has no name or size, or no task reads or writes it.";
    error NOT_IN_WORKFLOW "PM0441" "A workflow contains an element that is not supported in \
                                    workflows.";
    error NO_WORKFLOW "PM0442"
        "A `task` is outside a workflow, or a `workflow` is not the main activity.";
    warning IDLE_RETRIES "PM0443"
        "A `task` has `retries` but no `failure_probability`, so it never fails.";
    error NO_MEMORY "PM0450"
        "The working sets of a node's processes do not fit in its memory.";
}

catalogue! {
    /// Problems with writing.
    mod output;
    error FOREIGN_FILE "PM0501" "a file to be written exists and was not generated";
    error SYMBOLIC_LINK "PM0502" "a file to be written is reached through a symbolic link";
    error OUTSIDE "PM0503" "a file's path leads out of the output folder";
    error WRONG_KIND "PM0504"
        "a folder has the path of a file to be written, or a file has the path of a folder";
    error READ_ONLY_FILE "PM0505" "a file to be written is read-only";
    error NO_MARKER "PM0506"
        "a generated file does not say in its first lines that it is generated";
    error INPUT_OUTPUT "PM0507" "a file or folder cannot be read or written";
    error OTHER_MODEL "PM0508" "a file to be written would replace another model's file";
    error CHANGED_FILE "PM0509" "a generated file was changed after it was written";
    error INPUT_FILE "PM0510" "a file to be written is also an input";
}

catalogue! {
    /// Problems with names, types and calls.
    mod program;
    error UNKNOWN_TYPE "PM0601" "A type is missing, or the cost language does not support it.";
    error SAME_NAME "PM0602" "Two names are equal, or differ only in case or punctuation.";
    error HIDDEN_LOCAL "PM0603" "A local variable hides a variable of an enclosing diagram.";
    error NOT_CONSTANT "PM0604" "The default of a model parameter is not a constant.";
    error RECURSIVE_FUNCTIONS "PM0605" "Cost functions call each other in a cycle.";
    error RECURSIVE_ACTIVITIES "PM0606" "Activities call each other in a cycle.";
    error BAD_TABLE "PM0607" "A table of `interpolate` cannot be read.";
    error ARRAY_HERE "PM0608" "An array is used where only a single value is allowed.";
    error NOT_A_NAME "PM0609"
        "The name of a variable or function cannot be used in expressions.";
    error TOO_DEEP "PM0612"
        "Diagrams are nested too deeply or copied too often, or calls lead to too many other \
         calls.";
    warning LEFT_OUT "PM0614"
        "An attribute is ignored, because the cost language does not support its name or type.";
}

catalogue! {
    /// Problems with reading rule files.
    mod rules;
    error NOT_XML "PM0701" "A rule file is not well-formed XML.";
    error TOO_LARGE "PM0702" "A rule file is too large.";
    error UNKNOWN_WORD "PM0703" "A rule file has an unknown element or attribute.";
    error MISSING_PART "PM0704" "A required part of a rule file is missing.";
    error BAD_VALUE "PM0705" "A rule file has an invalid value.";
    error UNDECLARED "PM0706" "A rule file names an element that has not been declared yet.";
    error DECLARED_TWICE "PM0707"
        "A rule file declares a name or code that is already taken.";
}

catalogue! {
    /// Problems with targets.
    mod target;
    error NOT_IN_TARGET "PM1001" "The target cannot express a part of the model that other \
                                  targets can.";
    error NO_ANSWER "PM1002" "A target's program ended without an answer.";
}

catalogue! {
    /// Problems with MARTE annotations.
    mod marte;
    error BAD_VALUE "PM1101" "A value in MARTE's VSL is not understood.";
    warning NO_VALUE "PM1102"
        "A cost uses a MARTE variable without a value, so each run must set it.";
    error BAD_CHOICE "PM1103"
        "The MARTE probabilities of a node's outgoing flows are not a valid choice.";
    error UNCLEAR_STEP "PM1104" "The cost of a MARTE step is unclear.";
    error BAD_WORKLOAD "PM1105" "A MARTE workload cannot be simulated.";
    warning UNREAD_TAG "PM1106" "A MARTE tag is ignored.";
    warning UNREAD_STEREOTYPE "PM1107"
        "A stereotype from MARTE, or from a profile built on it, is ignored.";
    warning TAKEN "PM1108" "A MARTE value is used in a simplified way.";
    warning FLAG "PM1109"
        "A MARTE workload or host describes something that a command-line flag sets.";
}
