//! Turns actions without a cost into steps that all take the same time.
//!
//! Drawings say what a program does, but rarely how long it takes. With equal steps, a first
//! prediction can show counts, a critical path and a bottleneck. Nodes that hold data, send a
//! signal or wait are not steps. Code fragments in a model with costs are not steps either, because
//! their author left out the cost on purpose.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Assumption, Change, Mender};
use prophet_model::diagnostic::Diagnostic;
use prophet_model::model::{Element, ElementId, Model, NodeKind, Stereotype, StereotypeKind};
use prophet_model::source::Text;
use prophet_model::vocabulary::{Pricing, word};
use prophet_text::Problem;

/// Default time of an assumed step, in seconds.
pub const STEP_S: f64 = 1.0;

/// Maximum number of lines listed in the sentence about all steps.
const LINES_MAX: usize = 8;

/// Parses the time of an assumed step, in seconds.
///
/// # Errors
///
/// Returns a problem if the text is not a finite number of at least 0.
pub fn step_s(text: &str) -> Result<f64, Problem> {
    let seconds = text.trim().parse::<f64>().ok();
    let seconds = seconds.filter(|it| it.is_finite() && *it >= 0.0);
    seconds.ok_or_else(|| {
        let shown = super::chance::shown(text);
        Problem::new(format!(
            "expected the cost of a step in seconds, 0 or more, such as 0.5, found {shown}"
        ))
    })
}

/// Returns the command-line flags that assume steps of this time, each preceded by a space.
pub fn flags(step_s: f64) -> String {
    if step_s.total_cmp(&STEP_S).is_eq() {
        " --assume".to_owned()
    } else {
        format!(" --assume --assume-cost {step_s}")
    }
}

impl Mender<'_> {
    /// Turns the program's actions without a known cost into steps.
    pub(super) fn take_steps(&mut self) {
        let reached = self.model.reached();
        let is_priced = has_costs(self.model, &reached);
        for id in (0..self.model.elements.len()).map(ElementId) {
            let element = self.model.element(id);
            let is_free = element.body.is_some() && is_priced;
            if reached[element.diagram.0] && !is_free {
                self.take_step(id);
            }
        }
    }

    /// Makes an action a step if nothing else says what it does.
    pub(super) fn take_step(&mut self, id: ElementId) {
        let element = self.model.element(id);
        let is_plain = element.kind == NodeKind::Action && element.stereotype.is_none();
        if !is_plain || self.model.idle.contains(&id) || self.step_s <= 0.0 {
            return;
        }
        let kind = StereotypeKind::ActionPlus;
        self.model.elements[id.0].stereotype = Some(Stereotype {
            kind,
            tags: BTreeMap::new(),
            span: element.span,
            is_implied: true,
        });
        self.price_step(id, kind);
    }

    /// Assigns a step's cost to an element whose stereotype needs a cost.
    pub(super) fn price(&mut self, error: &Diagnostic) -> bool {
        let lacks = |it: &Element| {
            let stereotype = it.stereotype.as_ref();
            it.path == error.element && stereotype.is_some_and(|it| it.span == error.span)
        };
        let found = self.model.elements.iter().position(lacks).map(ElementId);
        let of = |id: ElementId| Some(self.model.element(id).stereotype.as_ref()?.kind);
        match found.and_then(|id| Some((id, of(id)?))) {
            Some((id, kind @ (StereotypeKind::ActionPlus | StereotypeKind::Delay)))
                if self.step_s > 0.0 =>
            {
                self.price_step(id, kind);
                true
            }
            _ => false,
        }
    }

    fn price_step(&mut self, id: ElementId, kind: StereotypeKind) {
        let seconds = self.step_s.to_string();
        let element = &mut self.model.elements[id.0];
        let span = element.span;
        if let Some(stereotype) = &mut element.stereotype {
            let cost = Text::new(seconds.clone(), span);
            stereotype.tags.insert("cost".to_owned(), cost);
        }
        let text = format!(
            "{} has no cost: it takes {seconds} s, which `--assume-cost` sets",
            element.path
        );
        let change = Change::Stereotype {
            element: span,
            name: kind.name(),
            tags: vec![("cost", seconds)],
            parameter: None,
        };
        self.note(id, span, text, change);
        if let Some(noted) = self.assumptions.last_mut() {
            noted.is_step = true;
        }
    }
}

/// Returns `true` if the model sets the cost of anything that the program reaches, or the machine
/// determines it.
fn has_costs(model: &Model, reached: &[bool]) -> bool {
    let has_cost = |it: &Stereotype| match it.kind {
        StereotypeKind::Own(_) => true,
        kind => {
            let pricing = word(kind).map(|it| it.pricing);
            pricing == Some(Pricing::Machine)
                || ["cost", "time"]
                    .iter()
                    .any(|tag| it.tags.contains_key(*tag))
        }
    };
    let mut elements = model.elements.iter().filter(|it| reached[it.diagram.0]);
    elements.any(|it| it.stereotype.as_ref().is_some_and(has_cost))
}

/// Describes the costs of assumed steps; `None` if no steps were assumed.
pub(crate) fn costs(assumptions: &[Assumption]) -> Option<String> {
    let count = assumptions.iter().filter(|it| it.is_step).count();
    let cost = assumptions.iter().find_map(cost_of)?;
    let what = match count {
        1 => format!("1 action without a cost takes {cost} s"),
        _ => format!("{count} actions without a cost take {cost} s each"),
    };
    Some(format!("assumed: {what}"))
}

fn cost_of(step: &Assumption) -> Option<&str> {
    let Change::Stereotype { tags, .. } = &step.change else {
        return None;
    };
    let (_, cost) = tags.first().filter(|_| step.is_step)?;
    Some(cost)
}

/// Describes the steps assumed on these lines of a file.
pub(super) fn sentence(first: &Assumption, mut lines: Vec<usize>) -> String {
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    let more = lines.len().saturating_sub(LINES_MAX);
    lines.truncate(LINES_MAX);
    let shown: Vec<String> = lines.iter().map(usize::to_string).collect();
    let mut shown = shown.join(", ");
    if more > 0 {
        let _ = write!(shown, " and {more} more");
    }
    let cost = cost_of(first).unwrap_or_default();
    format!(
        "lines {shown}: {count} actions without a cost take {cost} s each, which `--assume-cost` \
         sets"
    )
}
