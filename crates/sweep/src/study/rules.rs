//! Rules by which a model is checked, on the command line.

use std::path::PathBuf;

use prophet_codegen::assume::step_s;
use prophet_codegen::check::RuleSet;
use serde::{Deserialize, Serialize};

/// Rules by which a model is checked.
#[derive(Debug, Clone, PartialEq, Eq, clap::Args, Serialize, Deserialize)]
pub(crate) struct Rules {
    /// A file of rules to add to those that are shipped (docs/rules.md)
    #[arg(long = "rules", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A file of stereotypes of your own (docs/vocabulary.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) vocabulary: Vec<PathBuf>,
    /// A rule or warning to switch off, by its code
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) off: Vec<String>,
    /// Assume what the drawing leaves open, and tell so (docs/xmi.md)
    #[arg(long)]
    #[serde(default)]
    pub(crate) assume: bool,
    /// Time that `--assume` gives each action without a cost; with 0, no time is assumed
    /// [default: 1]
    #[arg(long, value_name = "SECONDS", requires = "assume")]
    #[serde(default)]
    pub(crate) assume_cost: Option<String>,
}

impl Rules {
    /// The rules that are shipped, with the changes of the command line.
    pub(super) fn read(&self) -> Result<RuleSet, String> {
        let mut rules = RuleSet::shipped();
        for file in &self.vocabulary {
            rules.add_vocabulary(file)?;
        }
        for file in &self.files {
            rules.add_file(file)?;
        }
        for code in &self.off {
            rules.switch_off(code)?;
        }
        if self.assume {
            rules.assume();
        }
        if let Some(seconds) = &self.assume_cost {
            rules.assume_steps(step_s(seconds)?);
        }
        Ok(rules)
    }
}
