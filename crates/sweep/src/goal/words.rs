//! Defines the command-line flags of goals.

use std::num::NonZero;

use crate::plan::{Goals, Method};

/// Goals that are reported; the user may ask for several together.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "To find")]
pub(crate) struct Words {
    /// Find the point with the smallest value, such as `predicted_time_s * nodes`
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    minimize: Option<String>,
    /// Find the best compromises, such as `predicted_time_s; nodes`
    #[arg(long, value_name = "EXPRESSIONS", allow_hyphen_values = true)]
    pareto: Option<String>,
    /// Keep only points that meet this condition, such as `predicted_time_s < 120`. Can be repeated
    #[arg(long, value_name = "CONDITION")]
    subject_to: Vec<String>,
    /// Measure how much each axis matters: sobol
    #[arg(long, value_name = "METHOD")]
    sensitivity: Option<Method>,
    /// Measure the sensitivity of this value [default: `predicted_time_s`]
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true)]
    of: Option<String>,
    /// Evaluate at most this many points [default: 300; 10000 for --sensitivity]
    #[arg(long, value_name = "N")]
    budget: Option<NonZero<usize>>,
    /// Skip points with a flag that turns predictions into lower bounds, such as `bound=1`
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    bound: Option<String>,
    /// Start the search elsewhere, using this seed [default: 1]
    #[arg(long, value_name = "SEED")]
    search_seed: Option<u64>,
}

impl Words {
    pub(crate) fn change(&self, goals: &mut Goals) {
        goals.subject_to.extend(self.subject_to.iter().cloned());
        let texts = [
            (&self.minimize, &mut goals.minimize),
            (&self.pareto, &mut goals.pareto),
            (&self.of, &mut goals.of),
            (&self.bound, &mut goals.bound),
        ];
        for (given, planned) in texts {
            if given.is_some() {
                planned.clone_from(given);
            }
        }
        goals.sensitivity = self.sensitivity.or(goals.sensitivity);
        goals.budget = self.budget.or(goals.budget);
        goals.search_seed = self.search_seed.or(goals.search_seed);
    }
}
