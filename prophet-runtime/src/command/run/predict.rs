//! Prediction by a configuration: nothing is printed or measured.

use std::io::{self, Write};

use prophet_machine::system::System;
use prophet_result::RunResult;
use prophet_text::{Context as _, Problem};
use serde::Serialize;

use super::{Interrupt, Monitor, RunHandle, Watching};
use crate::command::cli::configuration::Configuration;
use crate::command::clock::Stopwatch;
use crate::command::report::Report;
use crate::engine::process::ProcessProgram;
use crate::language::model::Model;
use crate::language::place::KnownPlaces;
use crate::results::outcome::Outcome;
use crate::simulation::Simulation;

/// Prediction of a run, with the system that it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The machine, and the layout of the program on it.
    pub system: System,
    /// Outcome, whose times of the evaluation itself are 0.
    pub outcome: Outcome,
}

impl Prediction {
    /// Returns the result as its JSON has it, with the processes if these are few.
    pub fn result<'a>(&'a self, model: &'a Model) -> RunResult<'a, impl Serialize + use<'a>> {
        self.report(model).result()
    }

    /// Writes the result as `--record` does: as JSON, on a line.
    ///
    /// # Errors
    ///
    /// The error of `out`.
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

/// Runs a program that is interpreted as a configuration says, until `handle` ends it: the outcome
/// is then partial. All predictions of the model share its `places`.
///
/// # Errors
///
/// A message about the configuration, or the reason why the run could not continue.
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
