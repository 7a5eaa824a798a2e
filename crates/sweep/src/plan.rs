//! Represents the command line of a sweep as TOML.

pub(crate) mod goals;

use prophet_text::{Problem, problem, toml_mistake};
use serde::{Deserialize, Serialize};

use crate::evaluate::Replications;
use crate::space::{Axis, Sample, Space};

pub use goals::{Goals, Method};

/// The command line of a sweep, saved in a file so that the sweep can be repeated.
///
/// ```
/// use prophet_sweep::Plan;
///
/// let text = "model = \"lapw0.uml\"\nvary = [\"nodes=1,2,4..64\", \"nat=32,64\"]\n";
/// let plan = Plan::parse(text)?;
/// let (space, _) = plan.points()?;
/// assert_eq!((space.points(), plan.to_string()), (14, text.to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Path of the model file, relative to the plan's folder.
    pub model: String,
    /// Name of the activity to start with; `None` if there is only one candidate.
    pub main: Option<String>,
    /// The axes, in the syntax of `--vary`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vary: Vec<String>,
    /// The sample, in the syntax of `--sample`.
    pub sample: Option<String>,
    /// The seeds for each point, in the syntax of `--seeds`.
    pub seeds: Option<String>,
    /// The required precision, in the syntax of `--precision`.
    pub precision: Option<String>,
    /// Flags that apply to every point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What to find, in addition to the results at each point.
    #[serde(default, skip_serializing_if = "Goals::is_empty")]
    pub find: Goals,
}

impl Plan {
    /// Parses a plan.
    ///
    /// # Errors
    ///
    /// Returns an error, with the line, if the text is invalid.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        toml::from_str(text).map_err(|error| {
            let before = &text[..error.span().map_or(0, |span| span.start)];
            let line = before.matches('\n').count() + 1;
            Problem::new(prophet_text::plain::line(&toml_mistake(
                text,
                error.span(),
                error.message(),
            )))
            .on_line(line as u64)
        })
    }

    /// Returns the points, and the seeds for each.
    ///
    /// # Errors
    ///
    /// Returns an error if the points or the seeds are invalid.
    pub fn points(&self) -> Result<(Space, Replications), Problem> {
        let sample = self.sample.as_deref().map(Sample::parse).transpose()?;
        self.find.check()?;
        let space = if sample.is_none() && self.find.choose_points() {
            Space::to_search(&self.vary)?
        } else {
            Space::parse(&self.vary, sample)?
        };
        let is_set = |axis: &&Axis| self.sets(&prophet_result::flag_name(&axis.name));
        if let Some(axis) = space.axes().find(is_set) {
            let name = prophet_text::plain::line(&axis.name);
            return Err(problem!(
                "`{name}` is both varied and set; remove one of the two"
            ));
        }
        let replications = Replications::parse(self.seeds.as_deref(), self.precision.as_deref())?;
        Ok((space, replications))
    }

    /// Returns `true` if the flags for all points contain this one.
    fn sets(&self, name: &str) -> bool {
        let mut flags = self.flags.iter().filter_map(|it| it.strip_prefix("--"));
        flags.any(|it| it.split('=').next() == Some(name))
    }
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = toml::to_string(self).map_err(|_| std::fmt::Error)?;
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;
    use crate::plan::Method;

    #[test]
    fn plans_are_read_as_they_are_written() {
        let plan = Plan {
            model: "a \"b\".uml".to_owned(),
            main: Some("Main".to_owned()),
            vary: vec!["network=hockney:latency=1us,bandwidth=1GB/s".to_owned()],
            sample: Some("lhs:10".to_owned()),
            seeds: Some("1..30".to_owned()),
            precision: Some("1%".to_owned()),
            flags: vec!["--nodes".to_owned(), "4".to_owned()],
            find: Goals {
                minimize: Some("nodes".to_owned()),
                subject_to: vec!["predicted_time_s < 3".to_owned()],
                sensitivity: Some(Method::Sobol),
                budget: NonZero::new(100),
                search_seed: Some(7),
                ..Goals::default()
            },
        };
        let text = plan.to_string();
        assert!(
            text.ends_with(
                "\n[find]\nminimize = \"nodes\"\nsubject-to = [\"predicted_time_s < 3\"]\n\
             sensitivity = \"sobol\"\nbudget = 100\nsearch-seed = 7\n"
            ),
            "{text}"
        );
        assert_eq!(Plan::parse(&plan.to_string()), Ok(plan));
    }

    #[test]
    fn wrong_plans_are_refused() {
        for (text, message) in [
            ("vary = []\n", "line 1: missing key `model`"),
            (
                "model = \"a\"\nvari = []\n",
                "line 2: unknown key `vari`; did you mean `vary`?",
            ),
            (
                "model = \"a\"\n[find]\nminimise = \"nodes\"\n",
                "line 3: unknown key `minimise`; did you mean `minimize`?",
            ),
            (
                "model = \"a\"\n[find]\nsensitivity = \"all\"\n",
                "line 3: expected `sobol`",
            ),
            (
                "model = \"a\"\n[find]\nsensitivity = \"morris\"\n",
                "line 3: for elementary effects, use SALib from Python: see docs/python.md",
            ),
            (
                "model = \"a\"\nvary = 7\n",
                "line 2: expected a list, found 7",
            ),
        ] {
            assert_eq!(Plan::parse(text).unwrap_err(), message);
        }
        assert_eq!(Plan::parse("model = ").unwrap_err().line, 1);
    }
}
