//! Assumptions about what a drawing leaves open, made where the user asks for them.
//!
//! Drawings of real projects say less than a program: decisions have words for guards, alternatives
//! meet in an action. Each assumption mends an error that `resolve` reports, so that the model is
//! tried, repaired and tried again until no error can be repaired; remaining errors stay errors.
//! Every assumption is reported with its place, and has the change that would write it into the
//! file.
//!
//! | module | is |
//! |---|---|
//! | `chance` | outflows of decisions as probabilities, which are parameters of the model |
//! | `endless` | loops that no flow leaves |
//! | `events` | the number of elements of an expansion region, signals from outside |
//! | `redraw` | nodes that an author would have drawn: merges, decisions, joins |
//! | `steps` | actions without a cost, which all take the same time |
//! | `turns` | tests of loops and clauses as probabilities |
//! | `words` | first values that are no code |

mod chance;
mod endless;
mod events;
mod redraw;
mod steps;
#[cfg(test)]
mod tests;
mod turns;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::check::RuleSet;
use crate::resolve::{ReadTable, resolve};
use prophet_model::diagnostic::catalogue::{element, flow as rules, model as reading};
use prophet_model::diagnostic::{Diagnostic, Diagnostics, Rule, Severity, Span};
use prophet_model::model::{DiagramId, ElementId, Guard, Model};
use prophet_model::source::Source;
use prophet_model::source::lines::Lines;
use prophet_model::xmi::{self, Guards};

pub(crate) use steps::costs;
pub use steps::{STEP_S, flags, step_s};

/// Something that was assumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// Path of the element that it concerns.
    pub element: String,
    /// Place in the file.
    pub span: Span,
    /// Place of the main activity of the program, which has its parameters.
    pub program: Span,
    /// Sentence on an assumption.
    pub text: String,
    /// The change that writes the assumption into the file.
    pub change: Change,
    /// True if an action without a cost is a step.
    pub is_step: bool,
}

/// A node, for a change of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The node that is drawn at a place.
    Drawn(Span),
    /// The node that an earlier change has added, by its number.
    Added(usize),
}

/// A flow that gets another end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The flow.
    pub flow: Span,
    /// Other end of the flow, which it keeps.
    pub kept: End,
}

/// A change of a drawing, for the file; elements and flows are named by their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A guard of a flow; none takes it away.
    Guard {
        /// The flow.
        flow: Span,
        /// The guard.
        text: Option<String>,
        /// The parameter that it needs, with its value.
        parameter: Option<(String, String)>,
    },
    /// The test of a loop or a clause.
    Test {
        /// The test, or the clause or loop that has no test.
        place: Span,
        /// The new test.
        text: String,
        /// The parameter that it needs, with its value.
        parameter: (String, String),
    },
    /// A new node in front of an element, for the flows into it.
    Before(Node),
    /// A new node after an element, for the flows out of it.
    Behind(Node),
    /// Another UML type of an element.
    Kind {
        /// The element.
        element: Span,
        /// The type that it has.
        from: &'static str,
        /// The type that it gets.
        to: &'static str,
    },
    /// A stereotype applied to an element.
    Stereotype {
        /// The element.
        element: Span,
        /// Name of the stereotype in the profile.
        name: &'static str,
        /// The tags and their values.
        tags: Vec<(&'static str, String)>,
        /// The integer parameter that they need, with its value.
        parameter: Option<(String, String)>,
    },
    /// Nodes and flows taken away.
    Gone(Vec<Span>),
    /// The code of an action taken away.
    Body {
        /// The action.
        element: Span,
    },
    /// Something that only its author can write.
    ByHand,
}

/// A new node beside an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Number of the node, among all that are added.
    pub number: usize,
    /// UML type of the node.
    pub kind: &'static str,
    /// The activity or structured node that has it.
    pub diagram: Span,
    /// The element.
    pub element: End,
    /// The flows that it takes over.
    pub flows: Vec<Moved>,
}

/// Maximum number of trials; each mends at least one place.
const TRIALS_MAX: usize = 50;

/// Fills in what a model leaves open, with steps of `step_s` seconds; returns the assumptions, in
/// the order of the changes.
pub(crate) fn assume(
    model: &mut Model,
    source: &Source,
    read_table: &ReadTable<'_>,
    step_s: f64,
) -> Vec<Assumption> {
    let mut mender = Mender {
        model,
        step_s,
        assumptions: Vec::new(),
        chances: BTreeMap::new(),
        turns: BTreeMap::new(),
        drawn: 0,
        no_joins: BTreeSet::new(),
    };
    mender.drawn = mender.model.elements.len();
    mender.take_over();
    mender.take_steps();
    mender.take_numbers();
    mender.end_loops();
    mender.try_all(source, read_table);
    // What was redrawn may lead back.
    if mender.end_loops() {
        mender.try_all(source, read_table);
    }
    let mut taken = mender.names();
    mender.draw_lots(&mut taken);
    mender.draw_turns(&mut taken);
    mender.assumptions
}
pub(crate) fn warning(assumption: &Assumption) -> Diagnostic {
    let told = format!("assumed: {}", assumption.text);
    let warning = Diagnostic::new(&reading::ASSUMED, assumption.span, told);
    warning.element(assumption.element.clone())
}

/// Sentences on assumptions, with the lines of the file, or of that beside the model: one on all
/// steps, then one on anything else.
pub(crate) fn sentences(assumptions: &[Assumption], source: &Source) -> Vec<String> {
    let lines = Lines::of(source);
    let file_of = |it: &Assumption| source.file_at(it.span.start).map(|file| file.path.as_str());
    let line_of = |it: &Assumption| lines.place(it.span.start).0;
    let in_file = |file: Option<&str>| file.map_or_else(String::new, |file| format!("{file}, "));
    let mut steps: BTreeMap<Option<&str>, Vec<&Assumption>> = BTreeMap::new();
    for step in assumptions.iter().filter(|it| it.is_step) {
        steps.entry(file_of(step)).or_default().push(step);
    }
    // A single step has a sentence as anything else has.
    let alone: Vec<&Assumption> = (steps.values().filter(|it| it.len() == 1).flatten())
        .copied()
        .collect();
    steps.retain(|_, it| it.len() > 1);
    let of_steps = steps.iter().map(|(file, steps)| {
        let lines = steps.iter().map(|it| line_of(it)).collect();
        format!("{}{}", in_file(*file), steps::sentence(steps[0], lines))
    });
    let others = assumptions.iter().filter(|it| !it.is_step).chain(alone);
    let mut others: Vec<_> = others
        .map(|it| (file_of(it), line_of(it), it.text.as_str()))
        .collect();
    others.sort_unstable();
    let others = others
        .into_iter()
        .map(|(file, line, text)| format!("{}line {line}: {text}", in_file(file)));
    of_steps.chain(others).collect()
}

/// Index of a flow in the flows of its diagram.
type FlowIndex = usize;

/// A model that is being mended.
struct Mender<'m> {
    model: &'m mut Model,
    /// Time of a step, in seconds; without steps, 0.
    step_s: f64,
    assumptions: Vec<Assumption>,
    /// Decisions that are left to chance: the flows without a condition, and their words.
    chances: BTreeMap<ElementId, BTreeMap<FlowIndex, String>>,
    /// Tests that are left to chance, with their words.
    turns: BTreeMap<turns::Test, String>,
    /// Number of elements that are drawn; later elements are added.
    drawn: usize,
    /// Merges that were joins for a while, which made it worse.
    no_joins: BTreeSet<ElementId>,
}

impl Mender<'_> {
    /// Tries the model and mends it, until nothing more can be mended.
    fn try_all(&mut self, source: &Source, read_table: &ReadTable<'_>) {
        for _ in 0..TRIALS_MAX {
            let mut problems = Diagnostics::new();
            resolve(self.model, source, read_table, &mut problems);
            let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
            let errors: Vec<&Diagnostic> = problems.iter().filter(is_error).collect();
            if !self.mend(&errors) {
                break;
            }
        }
    }

    /// Repairs as many errors as possible; false if no error could be repaired.
    fn mend(&mut self, errors: &[&Diagnostic]) -> bool {
        // Branches of forks may only look tangled as long as flows are in doubt.
        let plain = errors.iter().filter(|it| self.mend_plain(it)).count();
        if plain > 0 {
            return true;
        }
        // Where branches meet once and then again, the second place may be right.
        let first = self.first_meetings(errors);
        let mut mended = |errors: &[&Diagnostic]| {
            let mended = errors.iter().filter(|it| self.mend_branches(it));
            mended.count() > 0
        };
        mended(&first) || mended(errors)
    }

    /// Mends guards, code, and the meeting of alternatives.
    fn mend_plain(&mut self, error: &Diagnostic) -> bool {
        let is = |rule: &Rule| error.code == rule.code;
        if is(&rules::MISSING_GUARD) || is(&rules::SEVERAL_ELSE) {
            self.take_chance(error.span)
        } else if is(&rules::NO_CONDITION) {
            let mut elements = self.model.elements.iter();
            let owner = elements.position(|it| it.path == error.element);
            self.take_turn(error.span, owner.map(ElementId))
        } else if is(&rules::IMPLICIT_JOIN) {
            self.merge(error)
        } else if is(&rules::IMPLICIT_FORK) {
            self.choose(error)
        } else if is(&element::MISSING_TAG) {
            self.count_elements(error)
        } else if is(&element::NO_PRICE) {
            self.price(error)
        } else if is(&element::UNSENT_SIGNAL) {
            self.let_come(error)
        } else if is(&rules::GUARDED_FORK) {
            self.free_fork(error)
        } else {
            self.drop_words(error.span)
        }
    }

    /// Mends branches of forks that do not meet in a join.
    fn mend_branches(&mut self, error: &Diagnostic) -> bool {
        if error.code == rules::ABORTED_BRANCH.code {
            self.end_branch(error)
        } else if error.code == rules::TANGLED_BRANCHES.code {
            self.join(error)
        } else if error.code == rules::STARVING_JOIN.code {
            self.unjoin(error)
        } else {
            false
        }
    }

    /// Takes over the reader's assumptions about the parts that the program reaches.
    fn take_over(&mut self) {
        let reached = self.model.reached();
        for assumed in std::mem::take(&mut self.model.assumed) {
            if reached[self.model.element(assumed.element).diagram.0] {
                let change = Change::Gone(assumed.gone);
                self.note(assumed.element, assumed.span, assumed.text, change);
            }
        }
    }

    /// Records an assumption about an element.
    fn note(&mut self, id: ElementId, span: Span, text: String, change: Change) {
        let element = self.model.element(id).path.clone();
        self.assumptions.push(Assumption {
            element,
            span,
            program: self.model.diagram(self.model.main).span,
            text,
            change,
            is_step: false,
        });
    }

    /// An element, for a change of the file.
    fn end(&self, id: ElementId) -> End {
        match id.0.checked_sub(self.drawn) {
            Some(number) => End::Added(number),
            None => End::Drawn(self.model.element(id).span),
        }
    }

    /// Finds the element that a diagnostic is about.
    fn element_at(&self, error: &Diagnostic) -> Option<ElementId> {
        let mut all = self.model.elements.iter();
        let found = all.position(|it| it.span == error.span && it.path == error.element);
        found.map(ElementId)
    }

    /// Drops a text that is not code: words in a guard, in a test, in the body of an action, or in
    /// a first value.
    fn drop_words(&mut self, place: Span) -> bool {
        let holds = move |text: Span| text.start <= place.start && place.end <= text.end;
        let diagrams = self.model.diagrams.iter().enumerate();
        let flows = diagrams.flat_map(|(diagram, it)| {
            it.flows
                .iter()
                .enumerate()
                .map(move |(flow, it)| (diagram, flow, it))
        });
        let guards = flows.filter_map(|(diagram, flow, it)| match &it.guard {
            Some(Guard::When(code)) => Some((diagram, flow, code.text.span)),
            _ => None,
        });
        // A guard that was assumed has the place of its whole flow, in which others may stand.
        let wrong = guards.filter(|(.., span)| holds(*span));
        if let Some((diagram, flow, _)) = wrong.min_by_key(|(.., span)| span.end - span.start) {
            return self.drop_guard(DiagramId(diagram), flow);
        }
        if self.take_turn(place, None) {
            return true;
        }
        let mut elements = self.model.elements.iter();
        let is_wrong = elements.position(|it| {
            let body = it.body.as_ref();
            body.is_some_and(|code| holds(code.text.span))
        });
        let Some(id) = is_wrong.map(ElementId) else {
            return self.drop_first_value(holds);
        };
        let element = &mut self.model.elements[id.0];
        let span = element.span;
        element.body = None;
        let text = format!("the text in {} is no code, and is left out", element.path);
        self.note(id, span, text, Change::Body { element: span });
        self.take_step(id);
        true
    }
}

/// Reads a model, and fills in what its drawing leaves open if `rules` ask for that.
pub fn read(
    rules: &RuleSet,
    source: &Source,
    read_table: &ReadTable<'_>,
    main: Option<&str>,
    diagnostics: &mut Diagnostics,
) -> (Option<Model>, Vec<Assumption>) {
    let Some(step_s) = rules.assumed_step_s() else {
        let model = xmi::read_with(rules.vocabulary(), source, main, diagnostics);
        return (model, Vec::new());
    };
    let words = Guards::Words;
    let mut model = xmi::read_as(words, rules.vocabulary(), source, main, diagnostics);
    let mend = |model: &mut Model| assume(model, source, read_table, step_s);
    let assumptions = model.as_mut().map(mend).unwrap_or_default();
    for assumption in &assumptions {
        diagnostics.push(warning(assumption));
    }
    (model, assumptions)
}
