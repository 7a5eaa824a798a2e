//! Assembles the model from the parts that were written.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use prophet_text::markup::escaped;

use super::super::doubt;
use super::super::folded::Folded;
use super::super::formula::is_whole;
use super::super::points::Points;
use super::super::rule::RankRule;
use super::{Writer, others};

impl Writer<'_> {
    pub(super) fn finish(self, name: &str) -> Folded {
        let (only, end, rules) = self.only();
        let undecided = if self.points.are_several() {
            let text = format!("{}{}", self.text, self.activities);
            doubt::doubts(&text, self.partners > 0, &self.points)
        } else {
            Vec::new()
        };
        let remarks = self.remarks.iter().chain(&undecided).chain(&rules);
        let remarks: Vec<&str> = remarks.map(String::as_str).collect();
        let comment = if remarks.is_empty() {
            String::new()
        } else {
            format!("    <comment>{}</comment>\n", escaped(&remarks.join("\n")))
        };
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <model xmlns=\"http:///schemas/prophet/model/1\" name=\"{}\" main=\"Main\">\n{}  \
             <activity name=\"Main\">\n{comment}{only}{}{end}  </activity>\n{}\
             </model>\n",
            escaped(name),
            self.declarations(&only),
            self.text,
            self.activities
        );
        Folded {
            text,
            undecided,
            rule: self.rule(),
            elements: self.elements,
            listed: self.listed,
            means: self.means,
            notes: self.notes,
            ..Folded::default()
        }
    }

    fn declarations(&self, only: &String) -> String {
        let texts = [&self.text, &self.activities, &self.lists.text, only];
        let mut text = String::new();
        if self.has_flops {
            text += "  <parameter name=\"FLOPS_PER_S\" type=\"double\" value=\"1e9\">\n    \
                     <comment>Operations that a CPU does a second.</comment>\n  </parameter>\n";
        }
        let turns = (1..=self.turns).map(|turn| format!("turn{turn}"));
        for name in turns.chain(self.globals.iter().cloned()) {
            let _ = writeln!(
                text,
                "  <global name=\"{name}\" type=\"long\" value=\"0\"/>"
            );
        }
        let has_word = |text: &String, name: &str| {
            let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let lines = text.lines().filter(|it| !it.contains("<comment>"));
            let mut words = lines.flat_map(|it| it.split(|it| !is_part(it)));
            words.any(|it| it == name)
        };
        for (number, name) in self.points.names.iter().enumerate() {
            if texts.iter().any(|it| has_word(it, name)) {
                text += &parameter(&self.points, number, name);
            }
        }
        text + &used(&texts) + &self.lists.text
    }

    /// Returns the rule for the program's number of ranks, either given by the user or derived.
    fn rule(&self) -> Option<RankRule> {
        let shown = || RankRule::of(&self.points, self.has_flips);
        self.learning?.rule.or(self.rule).or_else(shown)
    }

    /// Returns the start and the end of the main activity, and messages. The start contains a
    /// decision that rejects numbers of ranks that the program can't run with, and a decision about
    /// numbers that weren't recorded.
    fn only(&self) -> (String, String, Vec<String>) {
        let (mut text, mut end, mut rules) = (String::new(), String::new(), Vec::new());
        if let Some([name, guard, told]) = self.rule().map(RankRule::decision) {
            let (guard, why) = (escaped(guard), escaped(told));
            let _ = write!(
                text,
                "    <decision name=\"{name}\">\n    <comment>{why}</comment>\n    \
                 <when guard=\"{guard}\">\n"
            );
            end += "    <final/>\n    </when>\n    </decision>\n";
            rules.push(told.to_owned());
        }
        if self.is_bounded {
            let sizes: BTreeSet<u32> = self.points.runs().iter().map(|it| it.ranks).collect();
            let joined = |of: &dyn Fn(&u32) -> String, by: &str| {
                sizes.iter().map(of).collect::<Vec<_>>().join(by)
            };
            let guard = joined(&|it| format!("NUM_PROCESSES == {it}"), " || ");
            let _ = write!(
                text,
                "    <decision name=\"IsRecorded\">\n    <when guard=\"{guard}\">\n"
            );
            end.insert_str(0, others::END);
            rules.push(format!(
                "With {} ranks, each rank does what was recorded; with other numbers, every rank \
                 behaves like the average rank.",
                joined(&u32::to_string, ", ")
            ));
        }
        if self.rule().is_none() {
            end += "    <final/>\n";
        }
        (text, end, rules)
    }
}

/// Returns a model parameter for a parameter of the runs, with its value in the largest run.
fn parameter(points: &Points, number: usize, name: &str) -> String {
    let values = points.runs().iter().map(|it| it.parameters[number]);
    let of = if values.clone().all(is_whole) {
        "long"
    } else {
        "double"
    };
    let value = points.runs()[points.largest()].parameters[number];
    format!(
        "  <parameter name=\"{}\" type=\"{of}\" value=\"{value}\"/>\n",
        escaped(name)
    )
}

/// The functions that models can contain. A function calls only functions before it.
const FUNCTIONS: &str = include_str!("functions.xml");

/// Returns, as XML, the functions that texts call directly or through other functions.
fn used(texts: &[&String]) -> String {
    let functions: Vec<&str> = FUNCTIONS.split_inclusive("</function>\n").collect();
    let mut used: Vec<&str> = Vec::new();
    for function in functions.into_iter().rev() {
        let name = function.split('"').nth(1).unwrap_or_default();
        let call = format!("{name}(");
        let mut callers = texts
            .iter()
            .map(|it| it.as_str())
            .chain(used.iter().copied());
        if callers.any(|it| it.contains(&call)) {
            used.push(function);
        }
    }
    used.into_iter().rev().collect()
}
