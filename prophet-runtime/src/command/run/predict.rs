//! Predicts from a configuration without printing or measuring anything.

use std::io::{self, Write};

use prophet_machine::system::System;
use prophet_result::RunResult;
use prophet_text::{Context as _, Problem};

use super::{Interrupt, Monitor, RunHandle, Watching};
use crate::command::cli::configuration::Configuration;
use crate::command::clock::WallClock;
use crate::command::report::Report;
use crate::engine::process::ProcessProgram;
use crate::language::model::Model;
use crate::language::place::KnownPlaces;
use crate::results::outcome::Outcome;
use crate::simulation::Simulation;

/// The prediction of a run, and the system that it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The machine, and the layout of processes on it.
    pub system: System,
    /// The outcome. Its fields about the evaluation itself, such as real time and memory, are 0
    /// because they aren't measured.
    pub outcome: Outcome,
}

impl Prediction {
    /// Returns the result as it is written to JSON. It lists the processes if there are only a few.
    pub fn result<'a>(&'a self, model: &'a Model) -> RunResult<'a> {
        self.report(model).result()
    }

    /// Writes the result as JSON on a single line, as `--record` does.
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
/// run early, the outcome is partial. Pass the same `places` to all predictions with a model, so
/// that its file is searched only once.
///
/// # Errors
///
/// Returns an error if the configuration is invalid, or if the run couldn't continue.
pub fn predict_interpreted<P: ProcessProgram>(
    (model, places): (&Model, &KnownPlaces),
    program: P,
    configuration: &Configuration,
    handle: &RunHandle,
) -> Result<Prediction, Problem> {
    let (watch, interrupt): (_, Interrupt) = (WallClock::start(), handle.interrupt());
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
