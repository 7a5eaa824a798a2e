//! Defines the goals of a sweep: what to find, in addition to the results at its points.

use std::num::NonZero;
use std::str::FromStr;

use prophet_text::{Problem, problem};
use serde::{Deserialize, Serialize};

/// What to do if there are too many points to evaluate them all.
pub(crate) const SAMPLE: &str = "sample them with SALib from Python (docs/python.md)";

/// A method to determine how much each axis matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum Method {
    Sobol,
}

impl FromStr for Method {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "sobol" => Ok(Self::Sobol),
            "morris" => Err("for elementary effects, use SALib from Python: see docs/python.md"),
            _ => Err("expected `sobol`"),
        }
    }
}

impl TryFrom<String> for Method {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// The goals of a sweep. The fields are named like the command-line flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Goals {
    /// Expression to minimize.
    pub minimize: Option<String>,
    /// Expressions, separated by `;`. The sweep finds the points that no other point beats in all
    /// of them.
    pub pareto: Option<String>,
    /// Conditions that the points found by `minimize` or `pareto` must meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subject_to: Vec<String>,
    /// Method that determines how much each axis matters; `None` if that isn't a goal.
    pub sensitivity: Option<Method>,
    /// Expression to report the sensitivity of; by default, the predicted time.
    pub of: Option<String>,
    /// Maximum number of points to evaluate for a goal.
    pub budget: Option<NonZero<usize>>,
    /// Flag with a value that turns predictions into lower bounds.
    pub bound: Option<String>,
    /// Seed for the search's random choices.
    pub search_seed: Option<u64>,
}

impl Goals {
    /// Returns `true` if neither a goal nor an option of a goal is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns `true` if the goals choose which points to evaluate, so that axes can be intervals.
    pub fn choose_points(&self) -> bool {
        self.pareto.is_none() && (self.minimize.is_some() || self.sensitivity.is_some())
    }

    /// Checks that no option is set without its goal.
    ///
    /// # Errors
    ///
    /// Returns an error that names the option and the missing goal.
    pub fn check(&self) -> Result<(), Problem> {
        if self.search_seed.is_some() && self.sensitivity.is_some() && self.minimize.is_none() {
            return Err(problem!(
                "--sensitivity evaluates all points: remove --search-seed, or {SAMPLE}"
            ));
        }
        let has_condition = !self.subject_to.is_empty();
        let finds = self.minimize.is_some() || self.pareto.is_some();
        let chooses = self.minimize.is_some() || self.sensitivity.is_some();
        let (finder, chooser) = ("--minimize or --pareto", "--minimize or --sensitivity");
        let parts = [
            ("--subject-to", has_condition && !finds, finder),
            (
                "--of",
                self.of.is_some() && self.sensitivity.is_none(),
                "--sensitivity",
            ),
            ("--budget", self.budget.is_some() && !chooses, chooser),
            (
                "--search-seed",
                self.search_seed.is_some() && self.minimize.is_none(),
                "--minimize",
            ),
            (
                "--bound",
                self.bound.is_some() && self.minimize.is_none(),
                "--minimize",
            ),
        ];
        if let Some((part, _, needed)) = parts.iter().find(|(_, is_wrong, _)| *is_wrong) {
            return Err(problem!("{part} needs {needed}: add that flag"));
        }
        if self.budget.is_some() && self.pareto.is_some() {
            return Err("--pareto evaluates all points: remove --budget".into());
        }
        let others = [
            ("--budget", self.budget.is_some()),
            ("--pareto", self.pareto.is_some()),
            ("--sensitivity", self.sensitivity.is_some()),
        ];
        match others.iter().find(|(_, is_there)| *is_there) {
            Some((other, _)) if self.bound.is_some() => Err(problem!(
                "--bound only works with --minimize: remove {other}"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_no_goal_are_refused() {
        let pareto = || Goals {
            pareto: Some("a; b".to_owned()),
            ..Goals::default()
        };
        let condition = Goals {
            subject_to: vec!["a < 1".to_owned()],
            sensitivity: Some(Method::Sobol),
            ..Goals::default()
        };
        let of = Goals {
            of: Some("a".to_owned()),
            ..pareto()
        };
        let seed = Goals {
            search_seed: Some(1),
            ..pareto()
        };
        let sampled = Goals {
            sensitivity: Some(Method::Sobol),
            ..seed.clone()
        };
        let budget = Goals {
            budget: NonZero::new(1),
            minimize: Some("a".to_owned()),
            ..pareto()
        };
        for (goals, message) in [
            (
                condition,
                "--subject-to needs --minimize or --pareto: add that flag",
            ),
            (of, "--of needs --sensitivity: add that flag"),
            (
                sampled,
                "--sensitivity evaluates all points: remove --search-seed, or sample them \
                 with SALib from Python (docs/python.md)",
            ),
            (seed, "--search-seed needs --minimize: add that flag"),
            (budget, "--pareto evaluates all points: remove --budget"),
        ] {
            assert_eq!(goals.check(), Err(message.into()));
        }
        assert_eq!(pareto().check(), Ok(()));
        assert!(Goals::default().is_empty() && !pareto().is_empty());
    }
}
