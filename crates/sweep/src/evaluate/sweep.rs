//! Evaluates the points of a model.

use std::ops::Range;

use prophet_interpreter::Interpreted;
use prophet_runtime::{Assignment, Configuration, Prediction, RunHandle};
use prophet_text::Problem;

use super::evaluation::Evaluate;
use super::replications::Replications;
use super::row::{PointResults, SweepRow, metrics};
use crate::space::{Axis, AxisPlace, AxisValue, Space};

/// The values of axes with more values than this are parsed again for each point.
const KEPT_MAX: u64 = 10_000;
/// Flags that select networks, whose keys axes can vary.
const MACHINES: [&str; 3] = ["machine", "network", "intranode"];
/// Maximum number of combinations of these flags' values that are tried one by one.
const BASES_MAX: usize = 64;
/// Where to test an interval, as a share of its length. It isn't a simple fraction, so that the
/// value isn't an integer by chance.
const WITHIN: f64 = 0.381_966;

/// A model, and a space of points to evaluate it at. Any number of threads can do so at the same
/// time.
#[derive(Debug)]
pub struct Sweep<'a> {
    program: &'a Interpreted,
    flags: Configuration,
    space: &'a Space,
    /// Assignments of each axis; `None` for an axis with too many values.
    assignments: Vec<Option<Vec<Assignment>>>,
    replications: Replications,
}

impl<'a> Sweep<'a> {
    /// Creates a sweep of a program over a space. `flags` apply to every point.
    ///
    /// # Errors
    ///
    /// Returns an error if an axis is neither a flag nor a parameter, if one of its values is
    /// invalid, or if a parameter has no value.
    pub fn new(
        program: &'a Interpreted,
        flags: Configuration,
        space: &'a Space,
        replications: Replications,
    ) -> Result<Self, Problem> {
        let is_seed = |axis: &Axis| axis.name == "seed";
        if replications.are_several() && space.axes().any(is_seed) {
            return Err(
                "`seed` is varied, but each point already has several seeds: remove one of the \
                 two"
                .into(),
            );
        }
        let assignments: Result<Vec<_>, Problem> = space
            .axes()
            .map(|axis| assignments(program, axis))
            .collect();
        let sweep = Self {
            program,
            flags,
            space,
            assignments: assignments?,
            replications,
        };
        let first = space.axes().map(|axis| match axis.count() {
            Some(_) => AxisPlace::At(0),
            None => AxisPlace::Share(0.0),
        });
        let first: Vec<AxisPlace> = first.collect();
        sweep.configured(&first)?.check_parameters()?;
        sweep.check_keys()?;
        Ok(sweep)
    }

    fn check_keys(&self) -> Result<(), Problem> {
        let machines = self.space.axes().zip(&self.assignments);
        let machines = machines.filter(|(axis, _)| MACHINES.contains(&axis.name.as_str()));
        let mut bases = vec![self.flags.clone()];
        for assignments in machines.map(|(_, assignments)| assignments.as_deref()) {
            let assignments = assignments.unwrap_or_default();
            if assignments.len().saturating_mul(bases.len()) > BASES_MAX {
                return Ok(());
            }
            let with = |base: &Configuration, assignment| {
                let mut base = base.clone();
                base.assign(assignment);
                base
            };
            let all = bases.iter();
            bases = all
                .flat_map(|base| assignments.iter().map(|it| with(base, it)))
                .collect();
        }
        for axis in self.space.axes().filter(|it| is_key(&it.name)) {
            let assignment = read(self.program, axis, &axis.value_at(0.0))?;
            let refused = |base: &Configuration| {
                let mut configuration = base.clone();
                configuration.assign(&assignment);
                let why = configuration.system().err()?;
                let of = format!(" for '{}': ", axis.name);
                Some(why).filter(|it| it.message.contains(&of) && it.message.contains(" has no `"))
            };
            let mut all = bases.iter().map(refused);
            if let Some(Some(why)) = all.next()
                && all.all(|it| it.is_some())
            {
                return Err(why);
            }
        }
        Ok(())
    }

    /// Rounds the intervals of integer flags and parameters to integers, because a sweep would
    /// reject fractions there.
    #[must_use]
    pub fn rounded(program: &Interpreted, space: Space) -> Space {
        space.rounded(|axis| {
            let takes = |axis: &Axis| read(program, axis, &axis.value_at(WITHIN)).is_ok();
            axis.count().is_none() && !takes(axis) && takes(&axis.clone().rounded())
        })
    }

    /// Evaluates the points with indices in `range` with `jobs` threads, until `handle` stops the
    /// evaluation. Passes the rows to `take` in order, on the calling thread. Rows in progress when
    /// the evaluation stops are discarded.
    pub fn evaluate(
        &self,
        range: Range<u64>,
        jobs: usize,
        handle: &RunHandle,
        take: impl FnMut(SweepRow),
    ) {
        let points: &dyn Evaluate = self;
        points.evaluate(range, jobs, handle, take);
    }

    /// Returns the whole prediction at the point with this index, with the first seed.
    fn prediction(&self, index: u64, handle: &RunHandle) -> Result<Prediction, Problem> {
        let configuration = self.configured(&self.space.places(index))?;
        self.predict(configuration, self.replications.first(), handle)
    }

    fn predict(
        &self,
        mut configuration: Configuration,
        seed: Option<u64>,
        handle: &RunHandle,
    ) -> Result<Prediction, Problem> {
        if let Some(seed) = seed {
            configuration.set_seed(seed);
        }
        self.program.predict(&configuration, handle)
    }

    fn configured(&self, places: &[AxisPlace]) -> Result<Configuration, Problem> {
        let mut configuration = self.flags.clone();
        let axes = self.space.axes().zip(&self.assignments);
        for ((axis, assignments), place) in axes.zip(places) {
            let value = match (*place, assignments) {
                (AxisPlace::At(place), Some(assignments)) => {
                    if let Some(known) =
                        assignments.get(usize::try_from(place).unwrap_or(usize::MAX))
                    {
                        configuration.assign(known);
                    }
                    continue;
                }
                (AxisPlace::At(place), None) => axis.value(place),
                (AxisPlace::Share(share), _) => axis.value_at(share),
            };
            configuration.assign(&read(self.program, axis, &value)?);
        }
        Ok(configuration)
    }
}

impl Evaluate for Sweep<'_> {
    fn space(&self) -> &Space {
        self.space
    }

    fn results_at(&self, places: &[AxisPlace], handle: &RunHandle) -> Result<PointResults, String> {
        let configuration = self.configured(places)?;
        self.replications.of(|seed| {
            let prediction = self.predict(configuration.clone(), seed, handle)?;
            Ok(metrics(&prediction))
        })
    }

    fn identity_texts(&self) -> Vec<String> {
        vec![
            format!("{:?}", self.flags),
            format!("{:?}", self.space),
            format!("{:?}", self.assignments),
            format!("{:?}", self.replications),
        ]
    }

    fn record(&self, index: u64, handle: &RunHandle) -> Option<Vec<u8>> {
        let prediction = self.prediction(index, handle).ok()?;
        let mut text = Vec::new();
        let written = prediction.write_record(self.program.model(), &mut text);
        written.ok().map(|()| text)
    }
}

/// Parses the values of an axis, or only both ends of a long axis. For an interval, also parses a
/// number inside it, which fails if only integers are allowed.
fn assignments(program: &Interpreted, axis: &Axis) -> Result<Option<Vec<Assignment>>, Problem> {
    match axis.count() {
        Some(count) if count <= KEPT_MAX => {
            let values = (0..count).map(|place| read(program, axis, &axis.value(place)));
            values.collect::<Result<_, _>>().map(Some)
        }
        count => {
            read(program, axis, &axis.value_at(0.0))?;
            read(program, axis, &axis.value_at(1.0))?;
            if count.is_none() {
                read(program, axis, &axis.value_at(WITHIN))?;
            }
            Ok(None)
        }
    }
}

fn is_key(name: &str) -> bool {
    name.starts_with("network.") || name.starts_with("intranode.")
}

fn read(program: &Interpreted, axis: &Axis, value: &AxisValue) -> Result<Assignment, Problem> {
    Assignment::read(program.model(), &axis.name, &value.to_string())
}
