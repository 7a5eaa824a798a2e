//! Fills in what a drawing leaves open, if the user asks for it.
//!
//! Drawings in real projects say less than a program does: guards are prose, and alternatives meet
//! at an action. Each assumption repairs an error that `resolve` reports. The model is resolved and
//! repaired in turn until no error can be repaired. Errors that remain are reported as usual. Every
//! assumption is reported with its place and with the change that would write it into the file.
//!
//! | module | assumes |
//! |---|---|
//! | `chance` | probabilities of decisions' outgoing flows, as model parameters |
//! | `endless` | a single iteration for loops that no flow leaves |
//! | `events` | the number of elements in an expansion region; signals from outside |
//! | `redraw` | missing nodes: merges, decisions, joins |
//! | `steps` | the same time for all actions without a cost |
//! | `turns` | probabilities for the tests of loops and clauses |
//! | `words` | initial values for text that is not code |

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

/// An assumption about what a drawing leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// Path of the element that the assumption is about.
    pub element: String,
    /// Place of the element in the file.
    pub span: Span,
    /// Place of the program's main activity, which declares the parameters.
    pub program: Span,
    /// A sentence that states the assumption.
    pub text: String,
    /// The change that would write the assumption into the file.
    pub change: Change,
    /// Whether the assumption turns an action without a cost into a step.
    pub is_step: bool,
}

/// The node at one end of a flow: a drawn node, or a node that an earlier change added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// A node in the file, by its place.
    Drawn(Span),
    /// A node that an earlier change added, by its [`Node::number`].
    Added(usize),
}

/// A flow that a new node takes over: one of its ends moves to that node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Place of the flow in the file.
    pub flow: Span,
    /// The end that doesn't move.
    pub kept: End,
}

/// A change that writes an assumption into the file. Places in the file identify elements and
/// flows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Sets or removes the guard of a flow.
    Guard {
        /// Place of the flow.
        flow: Span,
        /// The new guard; `None` removes the old one.
        text: Option<String>,
        /// Name and value of the parameter that the new guard uses.
        parameter: Option<(String, String)>,
    },
    /// Sets the test of a loop or clause.
    Test {
        /// Place of the test or, if it is missing, of its loop or clause.
        place: Span,
        /// The new test.
        text: String,
        /// Name and value of the parameter that the new test uses.
        parameter: (String, String),
    },
    /// Inserts a node before an element, so that all flows into the element pass through it.
    Before(Node),
    /// Inserts a node after an element, so that all flows out of the element pass through it.
    Behind(Node),
    /// Changes the UML type of an element.
    Kind {
        /// Place of the element.
        element: Span,
        /// The old type.
        from: &'static str,
        /// The new type.
        to: &'static str,
    },
    /// Applies a stereotype to an element.
    Stereotype {
        /// Place of the element.
        element: Span,
        /// Name of the stereotype in the profile.
        name: &'static str,
        /// The tags and their values.
        tags: Vec<(&'static str, String)>,
        /// Name and value of the integer parameter that the tags use.
        parameter: Option<(String, String)>,
    },
    /// Removes nodes and flows.
    Gone(Vec<Span>),
    /// Removes the code of an action.
    Body {
        /// Place of the action.
        element: Span,
    },
    /// A change that only the author can make.
    ByHand,
}

/// A new node that is added next to an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Number of the node among all added nodes, from 0.
    pub number: usize,
    /// UML type of the new node.
    pub kind: &'static str,
    /// Place of the activity or structured node that contains the node.
    pub diagram: Span,
    /// The element that the node is added next to.
    pub element: End,
    /// The flows that the new node takes over.
    pub flows: Vec<Moved>,
}

/// Maximum number of trials; each repairs at least one place.
const TRIALS_MAX: usize = 50;

/// Fills in what a model leaves open. Assumed steps take `step_s` seconds. Returns the assumptions
/// in the order of the changes.
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
    // Repairs may have redrawn flows so that they form new loops.
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

/// Describes the assumptions with their lines in the model's file, or in a file next to it: first
/// all steps in one sentence, then everything else.
pub(crate) fn sentences(assumptions: &[Assumption], source: &Source) -> Vec<String> {
    let lines = Lines::of(source);
    let file_of = |it: &Assumption| source.file_at(it.span.start).map(|file| file.path.as_str());
    let line_of = |it: &Assumption| lines.place(it.span.start).0;
    let in_file = |file: Option<&str>| file.map_or_else(String::new, |file| format!("{file}, "));
    let mut steps: BTreeMap<Option<&str>, Vec<&Assumption>> = BTreeMap::new();
    for step in assumptions.iter().filter(|it| it.is_step) {
        steps.entry(file_of(step)).or_default().push(step);
    }
    // A single step gets its own sentence, like other assumptions.
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

/// Index of a flow among its diagram's flows.
type FlowIndex = usize;

struct Mender<'m> {
    model: &'m mut Model,
    /// Seconds per assumed step; 0 if no steps are assumed.
    step_s: f64,
    assumptions: Vec<Assumption>,
    /// Flows without a condition, by the decision that is left to chance. Each flow has the words
    /// that are drawn on it.
    chances: BTreeMap<ElementId, BTreeMap<FlowIndex, String>>,
    /// Tests that are left to chance, with their original words.
    turns: BTreeMap<turns::Test, String>,
    /// Number of drawn elements; elements with higher numbers were added.
    drawn: usize,
    /// Merges that were turned into joins and back, because not all flows into the joins could
    /// arrive.
    no_joins: BTreeSet<ElementId>,
}

impl Mender<'_> {
    /// Resolves and repairs the model in turn until nothing more can be repaired.
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

    /// Repairs as many errors as possible; returns `false` if none could be repaired.
    fn mend(&mut self, errors: &[&Diagnostic]) -> bool {
        // While guards are still open, branches of forks may look tangled although they aren't.
        let plain = errors.iter().filter(|it| self.mend_plain(it)).count();
        if plain > 0 {
            return true;
        }
        // Where branches meet twice, repairing the first place may make the second correct.
        let first = self.first_meetings(errors);
        let mut mended = |errors: &[&Diagnostic]| {
            let mended = errors.iter().filter(|it| self.mend_branches(it));
            mended.count() > 0
        };
        mended(&first) || mended(errors)
    }

    /// Repairs guards, code, and places where alternatives meet.
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

    /// Repairs branches of forks that do not meet at a join.
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

    /// Adopts the assumptions that the reader made about parts that the program reaches.
    fn take_over(&mut self) {
        let reached = self.model.reached();
        for assumed in std::mem::take(&mut self.model.assumed) {
            if reached[self.model.element(assumed.element).diagram.0] {
                let change = Change::Gone(assumed.gone);
                self.note(assumed.element, assumed.span, assumed.text, change);
            }
        }
    }

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

    fn end(&self, id: ElementId) -> End {
        match id.0.checked_sub(self.drawn) {
            Some(number) => End::Added(number),
            None => End::Drawn(self.model.element(id).span),
        }
    }

    fn element_at(&self, error: &Diagnostic) -> Option<ElementId> {
        let mut all = self.model.elements.iter();
        let found = all.position(|it| it.span == error.span && it.path == error.element);
        found.map(ElementId)
    }

    /// Drops text that is not code: words in a guard, in a test, in an action's body, or in an
    /// initial value.
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
        // An assumed guard has the place of its whole flow, which may contain other guards.
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
        let text = format!("the text in {} is ignored: it is not code", element.path);
        self.note(id, span, text, Change::Body { element: span });
        self.take_step(id);
        true
    }
}

/// Reads a model, and fills in what its drawing leaves open if `rules` ask for assumptions.
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
