//! Represents rule files after they have been checked: sets of elements, and rules with their
//! conditions.

use super::shape::Set;
use prophet_map::Map;
use prophet_model::diagnostic::Severity;
use prophet_model::model::Element;
use prophet_model::vocabulary::Vocabulary;

/// Index of a set of elements in [`Language::sets`].
pub(super) type SetId = usize;

#[derive(Debug, Clone, Default)]
pub(super) struct Language {
    pub(super) vocabulary: Vocabulary,
    pub(super) sets: Vec<Set>,
    numbers: Map<Set, SetId>,
    pub(super) names: Map<String, SetId>,
    pub(super) diagrams: Map<String, DiagramKind>,
    pub(super) tags: Vec<Tag>,
    pub(super) rules: Map<String, Rule>,
}

#[derive(Debug, Clone)]
pub(super) struct Tag {
    pub(super) on: SetId,
    /// The rule file that declares the tag. Rules check only the tags of their own file.
    pub(super) file: String,
    pub(super) name: String,
    pub(super) ty: TagType,
    pub(super) required: bool,
    /// The smallest allowed value. Only constants are checked.
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    /// A word that is allowed in place of a value, such as `ANY`.
    pub(super) or: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TagType {
    /// An expression of integer type.
    Integer,
    /// An expression of real type.
    Real,
    /// A literal number, not an expression.
    Number,
    /// A name that expressions can refer to.
    Name,
    Text,
    OneOf(Vec<String>),
}

/// A rule that models are checked with.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The code that identifies the rule, such as `PM0801`.
    pub code: String,
    /// Severity of the rule's findings.
    pub severity: Severity,
    /// Whether the rule is switched off.
    pub off: bool,
    /// Name of the file that declares the rule.
    pub file: String,
    /// A one-sentence description, for the list of rules.
    pub summary: String,
    /// Why the rule exists: what happens in a run if the rule is broken. Can be empty.
    pub why: String,
    /// The message of each finding, with placeholders such as `{name}`.
    pub message: String,
    /// Advice on what to change.
    pub help: String,
    /// An example of a drawing that breaks the rule. Can be empty.
    pub wrong: String,
    /// The same drawing, corrected. Can be empty.
    pub right: String,
    /// Whether to report only the first finding, together with the number of further ones.
    pub(super) first_only: bool,
    /// Whether the rule is about processes or threads. Such rules don't apply to workflows.
    pub(super) of_programs: bool,
    pub(super) subject: RuleSubject,
    /// The rule is broken if all of these conditions hold.
    pub(super) when: Vec<Condition>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleSubject {
    Element(SetId),
    /// Every flow out of the set's elements.
    Flow(SetId),
    /// Every declared tag of the set's elements.
    Tag(SetId),
    Diagram(DiagramKind),
    Variable(VariableKind),
    Function,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DiagramKind {
    Any,
    /// The main activity.
    Program,
    Activity,
    /// The content of a node.
    Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VariableKind {
    Any,
    Parameter,
    Global,
    Local,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowSelection {
    In,
    Out,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuardKind {
    None,
    Condition,
    Else,
}

/// What a condition requires of a flow's guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuardState {
    /// The guard is always false.
    Never,
    /// The guard is always true.
    Always,
    /// The guard is the same as the guard of an earlier flow out of the same element.
    Repeated,
    Else,
    Condition,
}

/// What a value can differ between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// Processes. They differ in `pid`, `uid`, `nid` and random numbers.
    Process,
    /// Threads. They differ in `tid`, `uid`, random numbers and the variables of a `paralleldo`.
    Thread,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    Type,
    Range,
    Missing,
}

/// What a missing tag matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Absent {
    /// Any value of the other element.
    Anything,
    Default(String),
}

impl Absent {
    /// Brings a value into a form that can be compared. `None` matches any value.
    pub(super) fn or(&self, text: Option<&str>, names: bool) -> Option<String> {
        match (text, self) {
            (None, Self::Anything) => None,
            (None, Self::Default(value)) => Some(value.clone()),
            (Some(text), _) => {
                let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
                (names || plain.parse::<i64>().is_ok()).then_some(plain)
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) min: usize,
    pub(super) max: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// At least one of the conditions fails.
    Not(Vec<Condition>),
    Is(SetId),
    Diagram(DiagramKind),
    Flows {
        way: FlowSelection,
        guard: Option<GuardKind>,
        other: Option<SetId>,
        to_itself: bool,
        count: Count,
    },
    Next {
        set: SetId,
        through: Option<SetId>,
    },
    Inside {
        set: SetId,
        until: Option<SetId>,
        same: Option<String>,
    },
    Contains {
        set: SetId,
        deep: bool,
        count: Count,
    },
    Empty,
    Has(String),
    Value {
        tag: String,
        below: Option<f64>,
        above: Option<f64>,
        equals: Option<f64>,
    },
    Text {
        tag: String,
        equals: String,
    },
    Varies {
        /// Name of the tag; `None` for the guard of the flow.
        tag: Option<String>,
        by: Unit,
    },
    /// The value is `pid` plus or minus a constant.
    Offset(String),
    /// The value can be a fraction, but is truncated because an integer is required.
    Fraction(String),
    /// The value is less than the same tag's value in every element that could send the message.
    Below {
        tag: String,
        set: SetId,
    },
    /// The value is `pid` plus or minus a constant, but no element at the other end of the message
    /// has a `partner` tag that points back.
    Mismatch {
        tag: String,
        set: SetId,
        partner: String,
    },
    /// The element exchanges messages with a neighbor after an exchange in the set with the
    /// opposite neighbor, so that ranks wait in a chain.
    Chain(SetId),
    Wrong(Wrong),
    Named,
    SameName,
    /// The element isn't drawn: the file format adds it where arms or branches meet.
    Implied,
    Unreachable,
    Endless,
    NeverEnds,
    CanAllFail,
    Guard(GuardState),
    Branch {
        on: Unit,
        /// Decisions don't count if all of their branches contain the same elements of this set.
        balanced: Option<SetId>,
    },
    Loop(Unit),
    Exists {
        set: SetId,
        partner: Option<(String, Absent)>,
    },
    LeadsTo {
        /// The set of elements; `None` for the element itself.
        set: Option<SetId>,
        without: Option<SetId>,
    },
    Follows(SetId),
    FromStart(SetId),
    ProgramReaches {
        set: SetId,
        without: SetId,
    },
    ProgramEnds(SetId),
    Used,
    Assigned,
    Default,
    Parameter,
    Called,
    Code,
    AssignsGlobal,
    Mentions(String),
}

impl Condition {
    /// Returns `true` if the condition concludes something from an absence, for example because
    /// nothing calls a function or no flow reaches an element. After errors in an earlier stage,
    /// the missing part may exist in the model after all.
    pub(super) fn is_about_absence(&self) -> bool {
        match self {
            Self::All(inside) | Self::Any(inside) | Self::Not(inside) => {
                inside.iter().any(Self::is_about_absence)
            }
            Self::Flows { .. }
            | Self::Next { .. }
            | Self::Contains { .. }
            | Self::Empty
            | Self::Unreachable
            | Self::Endless
            | Self::NeverEnds
            | Self::CanAllFail
            | Self::Exists { .. }
            | Self::Below { .. }
            | Self::Mismatch { .. }
            | Self::LeadsTo { .. }
            | Self::Follows(_)
            | Self::FromStart(_)
            | Self::ProgramReaches { .. }
            | Self::ProgramEnds(_)
            | Self::Used
            | Self::Assigned
            | Self::Called
            | Self::Code => true,
            Self::Inside { .. }
            | Self::Is(_)
            | Self::Diagram(_)
            | Self::Has(_)
            | Self::Value { .. }
            | Self::Text { .. }
            | Self::Varies { .. }
            | Self::Offset(_)
            | Self::Fraction(_)
            | Self::Chain(_)
            | Self::Wrong(_)
            | Self::Named
            | Self::SameName
            | Self::Implied
            | Self::Guard(_)
            | Self::Default
            | Self::Parameter
            | Self::Branch { .. }
            | Self::Loop(_)
            | Self::AssignsGlobal
            | Self::Mentions(_) => false,
        }
    }
}

impl Language {
    /// Returns the number of a set. Equal sets share a number, so that a query is computed only
    /// once for all rules.
    pub(super) fn number(&mut self, set: Set) -> SetId {
        let next = self.sets.len();
        let number = *self.numbers.get_or_insert(set.clone(), next);
        if number == next {
            self.sets.push(set);
        }
        number
    }

    pub(super) fn tags_of(&self, element: &Element, file: &str) -> impl Iterator<Item = &Tag> {
        let declared = self.tags.iter().filter(move |it| it.file == file);
        declared.filter(|it| self.sets[it.on].has(element))
    }
}
