//! What a rule file says, checked: sets of elements, and rules with their conditions.

use super::shape::Set;
use crate::diagnostic::Severity;
use crate::map::Map;
use crate::model::Element;
use crate::vocabulary::Vocabulary;

/// Index of a set of elements in [`Language::sets`].
pub(super) type SetId = usize;

/// All that the rule files read so far declare.
#[derive(Debug, Clone, Default)]
pub(super) struct Language {
    /// The stereotypes of the user's own.
    pub(super) vocabulary: Vocabulary,
    /// The declared elements, each set once.
    pub(super) sets: Vec<Set>,
    /// Their numbers.
    numbers: Map<Set, SetId>,
    /// Their names.
    pub(super) names: Map<String, SetId>,
    /// The kinds of diagrams by the names that rules give them.
    pub(super) diagrams: Map<String, DiagramKind>,
    /// The tags that declared elements have.
    pub(super) tags: Vec<Tag>,
    /// The rules by code.
    pub(super) rules: Map<String, Rule>,
}

/// A tag of a declared element.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    /// The elements that have it.
    pub(super) on: SetId,
    /// The rule file that declares it; its rules are about its own tags.
    pub(super) file: String,
    pub(super) name: String,
    pub(super) ty: TagType,
    pub(super) required: bool,
    /// The least value; only constants are compared with it.
    pub(super) min: Option<f64>,
    pub(super) max: Option<f64>,
    /// A word that may stand in place of a value, as `ANY`.
    pub(super) or: Option<String>,
}

/// What the value of a tag is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TagType {
    /// An expression whose value is an integer.
    Integer,
    /// An expression whose value is a real number.
    Real,
    /// A number, no expression.
    Number,
    /// A name that expressions can use.
    Name,
    /// Any text.
    Text,
    /// One of these words.
    OneOf(Vec<String>),
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its code.
    pub code: String,
    /// How bad it is to break it.
    pub severity: Severity,
    /// Whether it is switched off.
    pub off: bool,
    /// The rule file that has it.
    pub file: String,
    /// One sentence for the catalogue.
    pub summary: String,
    /// What happens in a run, and why the rule is there; may be empty.
    pub why: String,
    /// The message of a finding, with `{name}` and the like in it.
    pub message: String,
    /// What to change.
    pub help: String,
    /// A drawing that breaks the rule; may be empty.
    pub wrong: String,
    /// The drawing made right; may be empty.
    pub right: String,
    /// Whether only the first finding is reported, with the number of the others.
    pub(super) first_only: bool,
    pub(super) subject: Subject,
    /// The rule is broken where all of these hold.
    pub(super) when: Vec<Condition>,
}

/// What a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Elements of a set.
    Element(SetId),
    /// Flows out of elements of a set.
    Flow(SetId),
    /// The declared tags of elements of a set.
    Tag(SetId),
    /// Diagrams.
    Diagram(DiagramKind),
    /// Variables.
    Variable(VariableKind),
    /// Cost functions.
    Function,
}

/// A kind of diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DiagramKind {
    Any,
    /// The main activity.
    Program,
    /// An activity.
    Activity,
    /// The content of a node.
    Content,
}

/// A kind of variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VariableKind {
    Any,
    Parameter,
    Global,
    Local,
}

/// Which flows of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

/// What guard a flow has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuardKind {
    None,
    Condition,
    Else,
}

/// What a condition says about its flow's guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuardState {
    /// It is constant, and does not hold.
    Never,
    /// It is constant, and holds.
    Always,
    /// An earlier flow of the same decision has the same one.
    Repeated,
    /// It is `else`.
    Else,
    /// It is a condition.
    Condition,
}

/// What processes or threads differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// Processes: `pid`, `uid`, `nid`, random numbers.
    Process,
    /// Threads: `tid`, `uid`, random numbers, variables of a `paralleldo`.
    Thread,
}

/// What is wrong with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    Type,
    Range,
    Missing,
}

/// What a tag that is left out matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Absent {
    /// Whatever the other one has.
    Anything,
    /// The same as this text.
    Default(String),
}

/// Bounds of a number of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) min: usize,
    pub(super) max: usize,
}

/// A condition on the subject of a rule.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// Not all of them.
    Not(Vec<Condition>),
    Is(SetId),
    Diagram(DiagramKind),
    Flows {
        way: Way,
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
        /// Without one, the guard of the flow.
        tag: Option<String>,
        by: Unit,
    },
    /// The value is `pid`, plus or minus a constant.
    Offset(String),
    /// The value is a real number that is cut where it has to be whole.
    Fraction(String),
    /// The value is less than that of all elements that its message may come from.
    Below {
        tag: String,
        set: SetId,
    },
    /// The value is `pid` plus or minus a constant, and in no element that the message may have at
    /// its other end `partner` leads back.
    Mismatch {
        tag: String,
        set: SetId,
        partner: String,
    },
    Wrong(Wrong),
    Named,
    /// An earlier element of the same diagram has its name.
    SameName,
    Unreachable,
    Endless,
    NeverEnds,
    CanAllFail,
    Guard(GuardState),
    Branch {
        on: Unit,
        /// Branches that all have the same of these elements do not count.
        balanced: Option<SetId>,
    },
    Loop(Unit),
    Exists {
        set: SetId,
        partner: Option<(String, Absent)>,
    },
    LeadsTo {
        /// Without one, the element itself.
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
    /// The variable is a model parameter.
    Parameter,
    Called,
    Code,
    AssignsGlobal,
    Mentions(String),
}

impl Condition {
    /// Whether it concludes from what is not there: that nothing calls a function, or no flow
    /// reaches an element. Where a stage before has found errors, what is missing may be there.
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
            | Self::Wrong(_)
            | Self::Named
            | Self::SameName
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
    /// The number of a set. Equal sets have one, so that what many rules ask is computed once.
    pub(super) fn number(&mut self, set: Set) -> SetId {
        let next = self.sets.len();
        let number = *self.numbers.get_or_insert(set.clone(), next);
        if number == next {
            self.sets.push(set);
        }
        number
    }

    /// The tags that a rule file declares for an element.
    pub(super) fn tags_of(&self, element: &Element, file: &str) -> impl Iterator<Item = &Tag> {
        let declared = self.tags.iter().filter(move |it| it.file == file);
        declared.filter(|it| self.sets[it.on].has(element))
    }
}
