//! Writes the steps of all ranks as an XML model.
//!
//! | module | is |
//! |---|---|
//! | `costs` | costs as functions, from runs of several sizes |
//! | `levels` | loops over levels |
//! | `others` | numbers of ranks that weren't recorded |
//! | `whole` | the model, from the written parts |
//! | `regions` | steps of a program function, as a separate activity |

mod costs;
mod levels;
mod others;
mod regions;
mod whole;

pub use regions::activity_name;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::folded::Folded;
use super::groups;
use super::lists::Lists;
use super::node::Act;
use super::points::Points;
use super::ranks::{Condition, Conditions, RankSet};
use super::relation::{Relation, Stride};
use super::rule::RankRule;
use super::sizes::MEAN;
use super::step::{Step, StepAction, is_each};
use super::values::{self, Expression};
use crate::event::{Collective, Kind, Message, RankEvent, Work};

/// What is known about runs of several sizes, apart from their events.
#[derive(Clone, Copy)]
pub(crate) struct Learning<'l> {
    /// Name of the function that contains each call site.
    pub(crate) functions: &'l [String],
    /// Name of the function that computes before each call site; empty if unknown.
    pub(crate) computing: &'l [String],
    /// Fits costs as functions of the sizes.
    pub(crate) costs: &'l dyn CostFits,
    /// The program's rule for its number of ranks, if the user gave it.
    pub(crate) rule: Option<RankRule>,
}

/// Options for a model that is made from several runs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner<'m> {
    /// Remarks to be added to the model's comment.
    pub remarks: &'m [String],
    /// Whether runs with numbers of ranks that weren't recorded use the average rank's behavior,
    /// even if formulas were found.
    pub is_bounded: bool,
    /// The program's rule for its number of ranks, if the runs alone don't show it.
    pub rule: Option<RankRule>,
}

/// A cost that was fitted as a function of a run's number of ranks and parameters.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FittedCost {
    /// The cost in seconds, as an expression in the cost language.
    pub expression: String,
    /// Which times the cost was fitted to, and how uncertain it is.
    pub comment: String,
    /// Remarks about the fit.
    pub notes: Vec<String>,
}

/// Fits costs as functions of a run's number of ranks and parameters.
pub trait CostFits {
    /// Fits a cost to times in seconds. Each time comes with its number of ranks and its parameter
    /// values. `names` are the parameters' names in the cost language.
    fn fitted(&self, names: &[String], times: &[(Vec<f64>, f64)]) -> Option<FittedCost>;

    /// Returns the sum of the differences between these times and the cost, in seconds.
    fn misses(&self, names: &[String], times: &[(Vec<f64>, f64)]) -> f64;
}

/// Uses means as costs, which is enough to compare messages and takes no time.
pub(crate) struct MeanCosts;

impl CostFits for MeanCosts {
    fn fitted(&self, _: &[String], times: &[(Vec<f64>, f64)]) -> Option<FittedCost> {
        let mean = prophet_sim::statistics::mean(times.iter().map(|it| it.1));
        Some(FittedCost {
            expression: values::number(mean),
            ..FittedCost::default()
        })
    }

    fn misses(&self, _: &[String], _: &[(Vec<f64>, f64)]) -> f64 {
        0.0
    }
}

struct Writer<'l> {
    points: Points,
    conditions: Conditions,
    learning: Option<&'l Learning<'l>>,
    remarks: Vec<String>,
    function: String,
    activities: String,
    /// Number of activities and calls that have each name.
    regions: BTreeMap<String, u32>,
    /// Activities by their function and their text without names.
    written: BTreeMap<(String, String), String>,
    fitted: u32,
    /// Relative difference up to which times count as equal.
    same: f64,
    text: String,
    depth: usize,
    names: BTreeMap<String, u32>,
    lists: Lists,
    turns: u32,
    globals: Vec<String>,
    /// Whether partners at each level differ in a single bit.
    has_flips: bool,
    /// Number of partners in elements.
    partners: u32,
    /// Whether a cost is given in operations.
    has_flops: bool,
    /// Whether numbers of ranks that weren't recorded are modeled by the average rank's behavior.
    is_bounded: bool,
    rule: Option<RankRule>,
    averages: others::Averages,
    elements: usize,
    listed: Vec<String>,
    means: Vec<String>,
    notes: BTreeMap<String, u32>,
}

/// Writes a model with this name. Times that differ by at most the share `same` count as equal.
pub(crate) fn write(
    name: &str,
    points: &Points,
    steps: &[Step],
    same: f64,
    learning: Option<(&Learning<'_>, Manner<'_>)>,
) -> Folded {
    let manner = learning.map(|it| it.1);
    let mut writer = Writer {
        points: points.clone(),
        conditions: Conditions::new(points),
        learning: learning.map(|it| it.0),
        remarks: manner.map_or(Vec::new(), |it| it.remarks.to_vec()),
        function: String::new(),
        activities: String::new(),
        regions: BTreeMap::new(),
        written: BTreeMap::new(),
        fitted: 0,
        same,
        text: String::new(),
        depth: 2,
        names: BTreeMap::new(),
        lists: Lists::default(),
        turns: 0,
        globals: Vec::new(),
        has_flips: false,
        partners: 0,
        has_flops: false,
        is_bounded: manner.is_some_and(|it| it.is_bounded),
        rule: manner.and_then(|it| it.rule),
        averages: others::Averages::new(),
        elements: 0,
        listed: Vec::new(),
        means: Vec::new(),
        notes: BTreeMap::new(),
    };
    let all = RankSet::of(points.count(), |_| true);
    writer.steps(steps, &all);
    writer.is_bounded |= learning.is_some() && points.are_several() && !writer.listed.is_empty();
    if writer.is_bounded {
        writer.others(steps);
    }
    writer.finish(name)
}

struct Element {
    stereotype: &'static str,
    attributes: Vec<(&'static str, String)>,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn name(&mut self, kind: &str) -> String {
        let number = self.names.entry(kind.to_owned()).or_default();
        *number += 1;
        format!("{kind}{number}")
    }

    /// Writes the steps of a single program function. A step that only some of `all` execute gets a
    /// condition.
    fn grouped(&mut self, steps: &[Step], all: &RankSet) {
        let mut rest = steps;
        while let Some(first) = rest.first() {
            let alike = rest.iter().take_while(|it| it.ranks == first.ranks).count();
            let (group, others) = rest.split_at(alike);
            rest = others;
            let hints: Vec<i64> = group.iter().flat_map(offsets).collect();
            let Some(condition) = self.conditions.guard(&first.ranks, all, &hints) else {
                for step in group {
                    self.step(step);
                }
                continue;
            };
            if !matches!(condition, Condition::General(_))
                && let Some(counts) = self.counts_of_all(group, all)
            {
                for (step, count) in group.iter().zip(counts) {
                    self.repeated(step, Some(count));
                }
                continue;
            }
            let name = self.name("Decision");
            if !matches!(condition, Condition::General(_)) {
                self.listed.push(name.clone());
            }
            let condition = match condition {
                Condition::General(text) | Condition::Listed(text) => text,
                Condition::Long => {
                    let flag = |it| (it, i64::from(first.ranks.has(it)));
                    let flags: Vec<(u32, i64)> = all.iter().map(flag).collect();
                    let flags = values::listed("long", &flags, &self.points, |it| it.to_string());
                    format!("{} == 1", self.expression(flags))
                }
            };
            self.line(&format!("<decision name=\"{name}\">"));
            self.depth += 1;
            self.line(&format!("<when guard=\"{}\">", escaped(&condition)));
            self.depth += 1;
            for step in group {
                self.step(step);
            }
            self.depth -= 1;
            self.line("</when>");
            self.line("<otherwise/>");
            self.depth -= 1;
            self.line("</decision>");
        }
    }

    /// Returns the numbers of iterations of loops that some ranks don't enter, as formulas that are
    /// 0 there; `None` if there are no such formulas.
    fn counts_of_all(&self, steps: &[Step], all: &RankSet) -> Option<Vec<String>> {
        let count = |step: &Step| {
            let StepAction::Loop { counts, body } = &step.doing else {
                return None;
            };
            let others = all.iter().filter(|it| !step.ranks.has(*it));
            let own = counts.iter().map(|it| (it.0, signed(it.1)));
            let counts: Vec<(u32, i64)> = own.chain(others.map(|it| (it, 0))).collect();
            match values::whole(&counts, &self.conditions) {
                Expression::General(text) if !is_each(body) => Some(text),
                _ => None,
            }
        };
        steps.iter().map(count).collect()
    }

    fn step(&mut self, step: &Step) {
        self.repeated(step, None);
    }

    /// Writes a step. If it is a loop, `count` is its number of iterations, if known.
    fn repeated(&mut self, step: &Step, count: Option<String>) {
        self.elements += 1;
        match &step.doing {
            StepAction::Act {
                relations,
                acts,
                request,
            } => self.act(relations, acts, request.as_deref()),
            StepAction::Levels { levels, body } => self.levels(levels, body, &step.ranks),
            StepAction::Loop { counts, body } => {
                let name = self.name("Loop");
                let is_each = is_each(body);
                let count = if is_each {
                    "NUM_PROCESSES - 1".to_owned()
                } else if let Some(count) = count {
                    escaped(&count)
                } else {
                    let counts: Vec<(u32, i64)> =
                        counts.iter().map(|it| (it.0, signed(it.1))).collect();
                    let count = values::whole(&counts, &self.conditions);
                    self.value(&name, count)
                };
                self.line(&format!(
                    "<block name=\"{name}\" stereotype=\"loop+\" iterations=\"{count}\">"
                ));
                self.depth += 1;
                if is_each {
                    self.turn();
                }
                self.steps(body, &step.ranks);
                if self.text.ends_with("</decision>\n") {
                    self.line("<flow-final/>");
                }
                self.depth -= 1;
                self.line("</block>");
            }
        }
    }

    /// Counts the turns of a loop over all other ranks. The count starts at 1 in each round.
    fn turn(&mut self) {
        self.turns += 1;
        self.elements += 1;
        let (name, turn) = (self.name("Turn"), self.turns);
        self.line(&format!(
            "<action name=\"{name}\">\
             <code>turn{turn} = turn{turn} % (NUM_PROCESSES - 1) + 1;</code></action>"
        ));
    }

    /// Returns the text of an attribute. If its value lists ranks, notes the element.
    fn value(&mut self, name: &str, expression: Expression) -> String {
        let is_general = matches!(expression, Expression::General(_));
        if !is_general && self.listed.last().is_none_or(|it| it != name) {
            self.listed.push(name.to_owned());
        }
        escaped(&self.expression(expression))
    }

    fn expression(&mut self, expression: Expression) -> String {
        match expression {
            Expression::General(text) | Expression::Special(text) => text,
            Expression::Listed(of, runs) => self.lists.of_runs(of, runs),
        }
    }

    fn act(
        &mut self,
        relations: &[Option<Relation>; 2],
        acts: &[(u32, Act)],
        request: Option<&str>,
    ) {
        let (_, first) = &acts[0];
        let name = self.name(&self.kind(first));
        let mut element = self.element(&name, relations, acts);
        self.place_listed(&name, acts);
        element
            .attributes
            .extend(request.map(|it| ("request", it.to_owned())));
        let mut text = format!(
            "<action name=\"{name}\" stereotype=\"{}\"",
            element.stereotype
        );
        for (attribute, value) in element.attributes {
            let _ = write!(text, " {attribute}=\"{value}\"");
        }
        text += "/>";
        self.line(&text);
    }

    fn element(
        &mut self,
        name: &str,
        relations: &[Option<Relation>; 2],
        acts: &[(u32, Act)],
    ) -> Element {
        let (_, first) = &acts[0];
        let mut attributes = Vec::new();
        let stereotype = match &first.event {
            RankEvent::Compute(_) => {
                let cost = self.cost(name, acts);
                attributes.push(("cost", cost));
                "action+"
            }
            RankEvent::Send(_) | RankEvent::BeginSend(..) => {
                attributes.extend(self.message(name, "dest", 0, relations[0].as_ref(), acts));
                if matches!(first.event, RankEvent::Send(_)) {
                    "bsend"
                } else {
                    "nbsend"
                }
            }
            RankEvent::Receive(_) | RankEvent::BeginReceive(..) => {
                attributes.extend(self.message(name, "source", 0, relations[0].as_ref(), acts));
                if matches!(first.event, RankEvent::Receive(_)) {
                    "brecv"
                } else {
                    "nbrecv"
                }
            }
            RankEvent::Exchange { .. } => {
                attributes.extend(self.message(name, "dest", 0, relations[0].as_ref(), acts));
                let from = self.partner(name, 1, relations[1].as_ref(), acts);
                attributes.push(("source", from));
                "sendrecv"
            }
            RankEvent::Wait(_) | RankEvent::WaitAll => "wait",
            RankEvent::Collective(collective) => {
                if collective.kind.is_rooted() {
                    let roots = called(acts, |it| i64::from(it.root));
                    let root = values::whole(&roots, &self.conditions);
                    attributes.push(("root", self.value(name, root)));
                }
                if collective.kind != Kind::Barrier {
                    let sizes = self.blocks(acts);
                    let size = values::whole(&sizes, &self.conditions);
                    attributes.push(("size", self.value(name, size)));
                }
                let color = groups::color(acts, &self.conditions);
                let color = color.map(|it| ("comm", self.value(name, it)));
                attributes.extend(color);
                collective.kind.name()
            }
        };
        Element {
            stereotype,
            attributes,
        }
    }

    /// Returns the sizes of a collective's blocks. If they differ within a run, returns the run's
    /// mean.
    fn blocks(&self, acts: &[(u32, Act)]) -> Vec<(u32, i64)> {
        let are_even = |act: &Act| match &act.event {
            RankEvent::Collective(it) => it.blocks.is_none(),
            _ => true,
        };
        if are_even(&acts[0].1) {
            return called(acts, |it| signed(it.bytes));
        }
        let mean = |run: usize| {
            let own = acts.iter().filter(|it| self.points.at(it.0).run == run);
            signed(Self::mean_block(&own.collect::<Vec<_>>()))
        };
        let means: Vec<i64> = (0..self.points.runs().len()).map(mean).collect();
        let values = acts
            .iter()
            .map(|it| (it.0, means[self.points.at(it.0).run]));
        values.collect()
    }

    fn mean_block(acts: &[&(u32, Act)]) -> u64 {
        let bytes: f64 = acts.iter().map(|(_, act)| act.bytes).sum();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a mean of sizes"
        )]
        let mean = (bytes / acts.iter().map(|(_, act)| act.times).sum::<u64>().max(1) as f64)
            .round() as u64;
        mean
    }

    fn cost(&mut self, name: &str, acts: &[(u32, Act)]) -> String {
        if let Some(cost) = self.fitted_cost(acts) {
            return cost;
        }
        let part = |of: fn(&Work) -> f64| -> Vec<(u32, f64)> {
            #[expect(clippy::cast_precision_loss, reason = "it is a mean")]
            let mean = |act: &Act| of(&act.work) / act.times as f64;
            acts.iter().map(|(rank, act)| (*rank, mean(act))).collect()
        };
        let (flops, seconds) = (part(|it| it.flops), part(|it| it.seconds));
        let has = |values: &[(u32, f64)]| values.iter().any(|it| it.1 > 0.0);
        let mut terms = Vec::new();
        if has(&flops) {
            self.has_flops = true;
            let amount = values::amounts(&flops, &self.conditions, self.same);
            let text = self.value(name, amount);
            terms.push(if text.contains('?') {
                format!("({text}) / FLOPS_PER_S")
            } else {
                format!("{text} / FLOPS_PER_S")
            });
        }
        if has(&seconds) || terms.is_empty() {
            let amount = values::amounts(&seconds, &self.conditions, self.same);
            let text = self.value(name, amount);
            terms.push(if text.contains('?') && !terms.is_empty() {
                format!("({text})")
            } else {
                text
            });
        }
        terms.join(" + ")
    }

    fn message(
        &mut self,
        name: &str,
        end: &'static str,
        place: usize,
        relation: Option<&Relation>,
        acts: &[(u32, Act)],
    ) -> Vec<(&'static str, String)> {
        let mut attributes = vec![(end, self.partner(name, place, relation, acts))];
        if message_of(&acts[0].1, place).bytes == Some(MEAN) {
            attributes.push(("size", self.mean_size(name, acts)));
        } else if let Some(sizes) = of_all(acts, |act| message_of(act, place).bytes.map(signed)) {
            let size = values::whole(&sizes, &self.conditions);
            attributes.push(("size", self.value(name, size)));
        }
        match of_all(acts, |act| message_of(act, place).tag) {
            Some(tags) if tags.iter().all(|it| it.1 == 0) => {}
            Some(tags) => {
                let tag = values::whole(&tags, &self.conditions);
                attributes.push(("tag", self.value(name, tag)));
            }
            None => attributes.push(("tag", "ANY".to_owned())),
        }
        attributes
    }

    fn partner(
        &mut self,
        name: &str,
        place: usize,
        relation: Option<&Relation>,
        acts: &[(u32, Act)],
    ) -> String {
        self.partners += 1;
        if let Some(order) = acts[0].1.each[place].first() {
            return escaped(&order.expression(&format!("turn{}", self.turns)));
        }
        let peers = of_all(acts, |act| message_of(act, place).peer.map(i64::from));
        if let Some(stride) = &self.points.stride
            && let Some(peers) = peers
        {
            let relation = Stride::of(&peers, &self.points);
            self.has_flips |= relation == Some(Stride::Flipped);
            return relation.map_or("ANY".to_owned(), |it| escaped(&it.expression(stride)));
        }
        match (relation, peers) {
            (Some(relation), Some(peers)) => {
                let expression = values::partner(relation, &peers, &self.conditions);
                self.value(name, expression)
            }
            _ => "ANY".to_owned(),
        }
    }
}

/// Returns the distances to the partners in a step.
fn offsets(step: &Step) -> Vec<i64> {
    match &step.doing {
        StepAction::Act {
            relations, acts, ..
        } if acts.len() > 1 => relations
            .iter()
            .flatten()
            .filter_map(|it| it.offset)
            .collect(),
        _ => Vec::new(),
    }
}

fn message_of(act: &Act, place: usize) -> Message {
    let none = Message {
        peer: None,
        tag: None,
        bytes: None,
    };
    act.messages()[place].unwrap_or(none)
}

fn called(acts: &[(u32, Act)], value: impl Fn(&Collective) -> i64) -> Vec<(u32, i64)> {
    let values = acts.iter().filter_map(|(point, act)| match &act.event {
        RankEvent::Collective(it) => Some((*point, value(it))),
        _ => None,
    });
    values.collect()
}

fn of_all(acts: &[(u32, Act)], value: impl Fn(&Act) -> Option<i64>) -> Option<Vec<(u32, i64)>> {
    acts.iter()
        .map(|(rank, act)| Some((*rank, value(act)?)))
        .collect()
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Returns the first part of an element's name.
fn kind(event: &RankEvent) -> String {
    let kind = match event {
        RankEvent::Compute(_) => "Compute",
        RankEvent::Send(_) | RankEvent::BeginSend(..) => "Send",
        RankEvent::Receive(_) | RankEvent::BeginReceive(..) => "Receive",
        RankEvent::Wait(_) | RankEvent::WaitAll => "Wait",
        RankEvent::Exchange { .. } => "Exchange",
        RankEvent::Collective(collective) => {
            let name = collective.kind.name();
            return name[..1].to_uppercase() + &name[1..];
        }
    };
    kind.to_owned()
}
