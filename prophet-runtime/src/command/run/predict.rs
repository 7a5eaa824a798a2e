//! Predicts from a configuration, without printing or measuring anything.

use std::io::{self, Write};

use prophet_machine::system::System;
use prophet_result::RunResult;
use prophet_text::{Context as _, Problem};

use super::{Interrupt, Monitor, RunHandle, Watching};
use crate::command::cli::configuration::Configuration;
use crate::command::clock::Stopwatch;
use crate::command::report::Report;
use crate::engine::process::ProcessProgram;
use crate::language::model::Model;
use crate::language::place::KnownPlaces;
use crate::results::outcome::Outcome;
use crate::simulation::Simulation;

/// The prediction of a run, with the system that it applies to.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The machine, and the layout of processes on it.
    pub system: System,
    /// The outcome. The time and memory of the evaluation itself weren't measured, so these fields
    /// are 0.
    pub outcome: Outcome,
}

impl Prediction {
    /// Returns the result as it is written to JSON. It contains the processes if there are only a
    /// few.
    pub fn result<'a>(&'a self, model: &'a Model) -> RunResult<'a> {
        self.report(model).result()
    }

    /// Writes the result as JSON on a single line, like `--record`.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write_record(&self, model: &Model, out: &mut dyn Write) -> io::Result<()> {
        self.report(model).write_record(out)
    }

    const fn report<'a>(&'a self, model: &'a Model) -> Report<'a> {
        Report {
            model,
            system: &self.system,
            outcome: &self.outcome,
            all_processes: false,
        }
    }
}

/// Runs an interpreted program on the system that a configuration describes. If `handle` ends the
/// run early, the outcome is partial. All predictions of the same model share `places`, so that the
/// model's file is searched only once.
///
/// # Errors
///
/// Returns a message about the configuration, or the reason why the run couldn't continue.
pub fn predict_interpreted<P: ProcessProgram>(
    (model, places): (&Model, &KnownPlaces),
    program: P,
    configuration: &Configuration,
    handle: &RunHandle,
) -> Result<Prediction, Problem> {
    let (watch, interrupt): (_, Interrupt) = (Stopwatch::start(), handle.interrupt());
    let mut monitor = Monitor::new(&watch, &interrupt, None, Some(handle));
    let mut watching = Watching::by(&mut monitor, None);
    let method = configuration.method();
    let simulation = Simulation::new(model, configuration.system()?)
        .with_engine(method.engine)
        .with_repetition(method.repetition)
        .with_folding(method.folding)
        .with_places(places)
        .interpreted();
    let outcome = simulation.run_observed(&program, &mut watching).told()?;
    let system = simulation.into_system();
    Ok(Prediction { system, outcome })
}
