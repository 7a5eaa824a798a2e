//! Writes the steps of one of the program's functions as an activity with the function's name.

use std::fmt::Write as _;

use super::super::node::Act;
use super::super::ranks::RankSet;
use super::super::step::{Step, StepAction};
use super::{Writer, kind};
use crate::RankEvent;

/// Names of the functions that start programs. Their steps are part of the main activity.
const BEGINS: [&str; 3] = ["main", "MAIN__", "Main"];
const SHOWN: usize = 4;
const NAME_MAX: usize = 60;

/// Returns `true` if a function's calls become a separate activity.
fn has_activity(function: &str) -> bool {
    !function.is_empty() && !BEGINS.contains(&function)
}

/// Returns the name of the activity for a function; `None` if the function's calls belong to the
/// main activity.
pub fn activity_name(function: &str) -> Option<String> {
    has_activity(function).then(|| as_word(function))
}

fn as_word(function: &str) -> String {
    let is_word = |it: char| it.is_ascii_alphanumeric();
    let word = function
        .chars()
        .map(|it| if is_word(it) { it } else { '_' });
    let mut word: String = word.take(NAME_MAX).collect();
    if !word.starts_with(|it: char| it.is_ascii_alphabetic()) {
        word.insert_str(0, "f_");
    }
    word
}

/// Returns the number of steps, counted from the first, that belong to a single call of a function.
/// Each collective occurs once in a call.
fn once<'s>(steps: impl Iterator<Item = &'s Step>) -> usize {
    let mut seen = Vec::new();
    let mut count = 0;
    for step in steps {
        if let StepAction::Act { acts, .. } = &step.doing {
            let act = &acts[0].1;
            if seen.contains(&act.site) {
                break;
            }
            if matches!(act.event, RankEvent::Collective(_)) {
                seen.push(act.site);
            }
        }
        count += 1;
    }
    count
}

/// Returns an activity's text without the names of its elements.
fn without_names(body: &str) -> String {
    let parts = body.split(" name=\"");
    parts
        .map(|it| it.split_once('"').map_or(it, |it| it.1))
        .collect()
}

impl Writer<'_> {
    /// Writes steps. Steps of other functions become activities of their own.
    pub(super) fn steps(&mut self, steps: &[Step], all: &RankSet) {
        let mut rest = steps;
        while let Some(first) = rest.first() {
            let function = self.function_of(first);
            let alike = rest
                .iter()
                .take_while(|it| self.function_of(it) == function);
            let (group, others) = rest.split_at(once(alike));
            rest = others;
            match function {
                Some(function) if function != self.function => self.region(&function, group, all),
                _ => self.grouped(group, all),
            }
        }
    }

    /// Returns the function that all calls of a step belong to; `None` if there are several, or if
    /// it is the function that starts the program.
    fn function_of(&self, step: &Step) -> Option<String> {
        let learning = self.learning?;
        match &step.doing {
            StepAction::Act { acts, .. } => {
                let site = acts[0].1.site? as usize;
                let name = learning.functions.get(site)?;
                has_activity(name).then(|| name.clone())
            }
            StepAction::Loop { body, .. } | StepAction::Levels { body, .. } => {
                let mut all = body.iter().map(|it| self.function_of(it));
                let first = all.next()??;
                all.all(|it| it.as_ref() == Some(&first)).then_some(first)
            }
        }
    }

    /// Returns the first part of an element's name.
    pub(super) fn kind(&self, act: &Act) -> String {
        let known = self.learning.map_or(&[][..], |it| it.computing);
        let name = act.site.and_then(|it| known.get(it as usize));
        match name.filter(|it| !it.is_empty()) {
            Some(name) if matches!(act.event, RankEvent::Compute(_)) => as_word(name),
            _ => kind(&act.event),
        }
    }

    /// Adds a message that states where the calls of an element that lists ranks are, and how many
    /// ranks make them.
    pub(super) fn place_listed(&mut self, name: &str, acts: &[(u32, Act)]) {
        let Some(learning) = self.learning else {
            return;
        };
        let Some(last) = self.listed.last_mut().filter(|it| *it == name) else {
            return;
        };
        let site = acts[0]
            .1
            .site
            .and_then(|it| learning.functions.get(it as usize));
        let function = site.filter(|it| !it.is_empty());
        let largest = self.points.largest();
        let own = acts
            .iter()
            .map(|it| self.points.at(it.0))
            .filter(|it| it.run == largest);
        let ranks: Vec<String> = own
            .clone()
            .take(SHOWN)
            .map(|it| it.pid.to_string())
            .collect();
        let more = if own.count() > SHOWN { ", …" } else { "" };
        let within = function.map_or(String::new(), |it| format!(" in {it}"));
        *last = format!("{name}{within} of ranks {}{more}", ranks.join(", "));
    }

    /// Writes a call of a function's activity. Calls that do the same share an activity.
    fn region(&mut self, function: &str, steps: &[Step], all: &RankSet) {
        let (names, elements) = (self.names.clone(), self.elements);
        let listed = self.listed.len();
        let outer = std::mem::replace(&mut self.function, function.to_owned());
        let before = std::mem::take(&mut self.text);
        let depth = std::mem::replace(&mut self.depth, 2);
        self.grouped(steps, all);
        self.depth = depth;
        let body = std::mem::replace(&mut self.text, before);
        self.function = outer;
        let name = self.named(function);
        let key = (function.to_owned(), without_names(&body));
        let activity = self
            .written
            .entry(key)
            .or_insert_with(|| name.clone())
            .clone();
        if activity == name {
            let _ = write!(
                self.activities,
                "  <activity name=\"{name}\">\n{body}    <final/>\n  </activity>\n"
            );
        } else {
            (self.names, self.elements) = (names, elements);
            self.listed.truncate(listed);
        }
        self.elements += 1;
        self.line(&format!(
            "<call name=\"{name}\" stereotype=\"activity+\" activity=\"{activity}\"/>"
        ));
    }

    /// Returns an unused activity name that is based on the function's name.
    fn named(&mut self, function: &str) -> String {
        let word = as_word(function);
        let number = self.regions.entry(word.clone()).or_default();
        *number += 1;
        match number {
            1 => word,
            number => format!("{word}_{number}"),
        }
    }
}
