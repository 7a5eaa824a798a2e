//! Reads measured runs, and predicts the same runs with the same settings.

use std::path::PathBuf;

use prophet_interpreter::Interpreted;
use prophet_runtime::{Assignment, Configuration, Model, RunHandle};
use prophet_sweep::in_order;
use prophet_text::{Problem, problem};

use super::free::Free;
use crate::command::arguments::{FitOptions, Measured};
use crate::command::chosen::chosen;
use crate::cost::fitted::{coordinate, place};
use crate::measurements::{Point, Series};

#[derive(Debug)]
pub(in crate::command) struct Compared {
    pub(in crate::command) settings: Vec<(String, f64)>,
    pub(in crate::command) measured_s: f64,
    pub(in crate::command) predicted_s: f64,
}

const RUNS_MAX: usize = 1000;

#[derive(Debug)]
pub(super) struct Runs<'p> {
    program: &'p Interpreted,
    /// Names of the settings: flags, or parameters of the model.
    names: Vec<String>,
    flags: Configuration,
    rows: Vec<RunRow>,
    jobs: usize,
}

#[derive(Debug)]
struct RunRow {
    settings: Vec<f64>,
    measured_s: f64,
    configuration: Configuration,
}

impl<'p> Runs<'p> {
    /// Reads runs from files, and converts their settings to flags.
    pub(super) fn read(
        program: &'p Interpreted,
        arguments: &FitOptions,
        files: &[PathBuf],
    ) -> Result<Self, Problem> {
        let measured = Measured {
            files: files.to_vec(),
            ..arguments.measured.clone()
        };
        let series = only(chosen(&measured)?)?;
        if series.points.len() > RUNS_MAX {
            let why = format!("{} settings are too many", series.points.len());
            return Err(problem!("{why}; keep at most {RUNS_MAX}"));
        }
        let flags = Configuration::read(program.model(), &arguments.flags)?;
        let names = series.parameters;
        let row = |point: Point| {
            let told = |why: Problem| problem!("the run at {}: {why}", place(&names, &point.at));
            let mut configuration = flags.clone();
            for (name, value) in names.iter().zip(&point.at) {
                let assignment = Assignment::read(program.model(), name, &coordinate(*value));
                configuration.assign(&assignment.map_err(told)?);
            }
            if point.values.iter().any(|it| *it <= 0.0) {
                return Err(told("its time is 0 or less".into()));
            }
            #[expect(clippy::cast_precision_loss, reason = "few repetitions")]
            let count = point.values.len() as f64;
            let logarithms: f64 = point.values.iter().map(|it| libm::log(*it)).sum();
            Ok(RunRow {
                measured_s: libm::exp(logarithms / count),
                settings: point.at,
                configuration,
            })
        };
        let rows: Result<Vec<RunRow>, Problem> = series.points.into_iter().map(row).collect();
        let cores = std::thread::available_parallelism();
        Ok(Self {
            program,
            flags,
            rows: rows?,
            names,
            jobs: cores.map_or(1, std::num::NonZero::get),
        })
    }

    pub(super) const fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn settings(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub(super) const fn flags(&self) -> &Configuration {
        &self.flags
    }

    pub(super) fn model(&self) -> &Model {
        self.program.model()
    }

    /// Returns the logarithm of predicted time over measured time for these runs, with the
    /// parameters at these positions in their ranges.
    pub(super) fn errors(
        &self,
        free: &[Free],
        at: &[f64],
        which: &[usize],
    ) -> Result<Vec<f64>, Problem> {
        let values = free.iter().zip(at);
        let values = values.map(|(free, at)| free.assignment(self.program, *at));
        let values: Vec<Assignment> = values.collect::<Result<_, _>>()?;
        let handle = RunHandle::default();
        let work = |index: u64| {
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            let row = &self.rows[which[index]];
            let told = |why: Problem| problem!("the run at {}: {why}", self.place(row));
            let mut configuration = row.configuration.clone();
            for value in &values {
                configuration.assign(value);
            }
            let prediction = self.program.predict(&configuration, &handle);
            let predicted = prediction.map_err(told)?;
            let predicted_s = predicted.outcome.predicted_time_s;
            if predicted_s > 0.0 && predicted_s.is_finite() {
                return Ok(libm::log(predicted_s / row.measured_s));
            }
            Err(told(
                "the model predicts a time of 0, so there is nothing to fit".into(),
            ))
        };
        let mut errors = Vec::with_capacity(which.len());
        in_order(
            0..which.len() as u64,
            self.jobs,
            || true,
            work,
            |it| errors.push(it),
        );
        errors.into_iter().collect()
    }

    fn place(&self, row: &RunRow) -> String {
        place(&self.names, &row.settings)
    }

    /// Returns the runs with their predictions, which are derived from the errors.
    pub(super) fn predicted(&self, errors: &[f64]) -> Vec<Compared> {
        let rows = self.rows.iter().zip(errors);
        let row = |(row, error): (&RunRow, &f64)| Compared {
            settings: self
                .names
                .iter()
                .cloned()
                .zip(row.settings.iter().copied())
                .collect(),
            measured_s: row.measured_s,
            predicted_s: row.measured_s * libm::exp(*error),
        };
        rows.map(row).collect()
    }
}

fn only(mut series: Vec<Series>) -> Result<Series, Problem> {
    series.retain(|it| it.is_time);
    match (series.pop(), series.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => Err("the runs have no column with times, such as `time_s`".into()),
        (Some(_), others) => Err(problem!(
            "the runs have {} regions and metrics; choose one with --region and --metric",
            others + 1
        )),
    }
}
