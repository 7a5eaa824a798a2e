//! Finds loops with iterations that may repeat earlier ones. Such an iteration doesn't depend on
//! random numbers, on which message arrives first, or on the loop's variable except through
//! remainders. The variables that it assigns to must be known.

mod counter;
mod view;

use std::collections::BTreeSet;

use super::Resolver;
use crate::program::{DiagramIndex, Program, Repeat, Repetition, Step};
use counter::{Counter, Period};
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::diagnostic::{Advice, Remedy};
use prophet_model::model::{Element, Stereotype};
use prophet_text::similar;
use view::{Content, View};

impl Resolver<'_> {
    /// Reads the tag `repetition`. Later, [`find`] adds what follows from the loop's content.
    pub(super) fn repetition(&mut self, element: &Element, of: &Stereotype) -> Repetition {
        let may_repeat = |least| Repetition::MayRepeat {
            least,
            variables: Vec::new(),
            periods: Vec::new(),
        };
        let Some(text) = of.tags.get("repetition") else {
            return may_repeat(0);
        };
        let word = text.value.trim().to_ascii_lowercase();
        match (word.as_str(), word.parse::<i64>()) {
            ("auto", _) => may_repeat(0),
            ("off", _) => Repetition::Off,
            (_, Ok(least @ 0..)) => may_repeat(least),
            _ => {
                let message = format!("unknown repetition {:?}", text.value.trim());
                let help = "write auto, off, or the minimum number of iterations to simulate";
                let help = match similar(&word, ["auto", "off"]) {
                    Some(guess) => Advice::from(format!("did you mean `{guess}`? {help}"))
                        .mended_by(Remedy::Text),
                    None => help.into(),
                };
                let rule = &rules::WRONG_VALUE;
                self.report(rule, text.span, &element.path, message, help);
                Repetition::Off
            }
        }
    }
}

impl View<'_> {
    /// Returns whether a loop may repeat according to its tag and its content, and the diagrams
    /// that the loop executes.
    fn repetition(&self, repeat: &Repeat) -> (Repetition, BTreeSet<DiagramIndex>) {
        let Repetition::MayRepeat { least, .. } = repeat.repetition else {
            return (Repetition::Off, BTreeSet::new());
        };
        let content = self.body(&repeat.body);
        match (self.periods(repeat, &content), content.why) {
            (Err(why), _) | (_, Some(why)) => (Repetition::Differs(why), BTreeSet::new()),
            (Ok(periods), None) => {
                let repetition = Repetition::MayRepeat {
                    least,
                    variables: content.assigned.into_iter().collect(),
                    periods,
                };
                (repetition, content.diagrams)
            }
        }
    }

    /// Returns the periods of everything that depends on the loop's variable. If something has no
    /// period, returns the reason.
    fn periods(&self, repeat: &Repeat, content: &Content) -> Result<Vec<Period>, String> {
        let Some(name) = &repeat.variable else {
            return Ok(Vec::new());
        };
        let periods = Counter::new(self, name, content).periods(&repeat.body);
        periods.ok_or_else(|| format!("its iterations depend on its variable {name}"))
    }
}

/// Finds the program's loops that may repeat. Only the outermost loops that can repeat do so.
pub(super) fn find(program: &mut Program) {
    let view = View::new(program);
    let mut found = program.diagrams.with(Vec::new());
    let mut inside = BTreeSet::new();
    for (index, diagram) in program.diagrams.entries() {
        let mut open: Vec<(&Step, bool)> = on_stack(&diagram.steps, true).collect();
        while let Some((step, mut outermost)) = open.pop() {
            if let Step::Repeat(repeat) = step {
                let mut repetition = Repetition::Off;
                if outermost {
                    let diagrams;
                    (repetition, diagrams) = view.repetition(repeat);
                    inside.extend(diagrams);
                }
                outermost &= !matches!(repetition, Repetition::MayRepeat { .. });
                found[index].push(repetition);
            }
            for block in step.blocks().into_iter().rev() {
                open.extend(on_stack(block, outermost));
            }
        }
    }
    // A diagram that such a loop executes must not contain another repeating loop.
    let mut open: Vec<DiagramIndex> = inside.iter().copied().collect();
    while let Some(index) = open.pop() {
        let below = view.diagrams[index].diagrams.iter().copied();
        open.extend(below.filter(|it| inside.insert(*it)));
    }
    for index in inside {
        found[index].fill(Repetition::Off);
    }
    for index in program.diagrams.places() {
        let mut found = std::mem::take(&mut found[index]).into_iter();
        set(&mut program.diagrams[index].steps, &mut found);
    }
}

/// Iterates over steps in reverse order, so that the first step is popped first from a stack.
fn on_stack(steps: &[Step], outermost: bool) -> impl Iterator<Item = (&Step, bool)> {
    steps.iter().rev().map(move |step| (step, outermost))
}

/// Stores the results in the loops among these steps. `found` is in text order.
fn set(steps: &mut [Step], found: &mut dyn Iterator<Item = Repetition>) {
    for step in steps {
        if let Step::Repeat(repeat) = step
            && let Some(repetition) = found.next()
        {
            repeat.repetition = repetition;
        }
        for block in step.blocks_mut() {
            set(block, found);
        }
    }
}
