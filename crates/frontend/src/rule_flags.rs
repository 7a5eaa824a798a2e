//! Defines command-line flags that change the rules of a check.

use std::ffi::OsString;
use std::path::PathBuf;

use prophet_text::Problem;
use serde::{Deserialize, Serialize};

use crate::assume::step_s;
use crate::check::RuleSet;

/// Command-line flags that select the rules for a check.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub struct RuleFlags {
    /// Add your own rules from this file (docs/rules.md). Can be repeated
    #[arg(long = "rules", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Add your own stereotypes from a vocabulary file and its crate (docs/vocabulary.md). Can be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub vocabulary: Vec<PathBuf>,
    /// Switch off a rule or warning by its code. Can be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub off: Vec<String>,
    /// Fill in what the drawing leaves open, such as branch probabilities, and report each
    /// assumption (docs/xmi.md)
    #[arg(long)]
    #[serde(default)]
    pub assume: bool,
    /// With `--assume`, assume this cost for each action without one; 0 assumes none [default: 1]
    #[arg(long, value_name = "SECONDS", requires = "assume", allow_negative_numbers = true)]
    #[serde(default)]
    pub assume_cost: Option<String>,
}

/// Why the flags don't define a set of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrongRules {
    /// A rule or vocabulary file is wrong.
    File(Problem),
    /// The value of a flag is wrong.
    Flag(Problem),
}

impl From<WrongRules> for Problem {
    fn from(wrong: WrongRules) -> Self {
        match wrong {
            WrongRules::File(problem) | WrongRules::Flag(problem) => problem,
        }
    }
}

impl RuleFlags {
    /// Iterates over the paths of the rule and vocabulary files.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.vocabulary)
    }

    /// Returns command-line arguments with the same meaning as these flags.
    pub fn again(&self) -> Vec<OsString> {
        let files = self.files.iter().map(|file| ("--rules", file.into()));
        let vocabulary = self.vocabulary.iter();
        let vocabulary = vocabulary.map(|file| ("--vocabulary", file.into()));
        let off = self.off.iter().map(|code| ("--off", code.into()));
        let cost = self.assume_cost.iter();
        let cost = cost.map(|seconds| ("--assume-cost", seconds.into()));
        let all = files.chain(vocabulary).chain(off).chain(cost);
        let assume = self.assume.then(|| OsString::from("--assume"));
        let all = all.flat_map(|(flag, value)| [flag.into(), value]);
        all.chain(assume).collect()
    }

    /// Returns the built-in rules with the changes that the flags ask for.
    ///
    /// # Errors
    ///
    /// Returns an error if a file can't be read or is invalid, a code is unknown, or the cost for
    /// `--assume` is not a time.
    pub fn read(&self) -> Result<RuleSet, WrongRules> {
        let mut rules = RuleSet::shipped();
        for file in &self.vocabulary {
            rules.add_vocabulary(file).map_err(WrongRules::File)?;
        }
        for file in &self.files {
            rules.add_file(file).map_err(WrongRules::File)?;
        }
        for code in &self.off {
            rules.switch_off(code).map_err(WrongRules::Flag)?;
        }
        if self.assume {
            rules.assume();
        }
        if let Some(seconds) = &self.assume_cost {
            rules.assume_steps(step_s(seconds).map_err(WrongRules::Flag)?);
        }
        Ok(rules)
    }
}
