//! Fits parameters of a model or machine to the times of whole runs.

mod free;
mod least_squares;
mod robust;
mod runs;
mod shown;
mod singular;
mod written;

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_frontend::diagnostic::render_human;
use prophet_interpreter::Interpreted;
use prophet_sim::statistics::student_quantile;
use prophet_text::{Problem, counted, problem};

use crate::command::arguments::{FitOptions, Format};
use free::Free;
use least_squares::{Minimum, best};
use runs::{Compared, Runs};
use singular::About;

const FREE_MAX: usize = 8;
/// Number of rounds. Each round estimates the standard deviation of the errors, and then fits
/// again.
const ROUNDS: usize = 10;
/// Maximum number of runs to leave out. Each one is predicted from all others.
const LEFT_OUT_MAX: usize = 40;

#[derive(Debug)]
pub(super) struct Found {
    pub(super) parameters: Vec<ParameterEstimate>,
    pub(super) rows: Vec<Compared>,
    /// Mean error of runs that are left out and predicted from the other runs.
    pub(super) error_left_out: Option<f64>,
    pub(super) held_out: Option<Vec<Compared>>,
    /// Flags that pass the estimates to the model.
    pub(super) flags: Vec<String>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct ParameterEstimate {
    pub(super) name: String,
    /// The fitted parameter of the model; `None` for a value of the machine.
    pub(super) parameter: Option<&'static str>,
    /// The value with its unit, in flag syntax.
    pub(super) value: String,
    /// Both ends of the interval; `None` if the runs don't determine the parameter.
    pub(super) range: Option<[String; 2]>,
    /// Whether the runs determine the parameter. If not, other values fit equally well.
    pub(super) is_determined: bool,
}

/// Fits the parameters named on the command line, shows them, and writes them to the requested
/// files.
pub(crate) fn fit(
    arguments: &FitOptions,
    show: impl Fn(&str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let [model] = arguments.measured.files.as_slice() else {
        return Err("--runs needs one model: fit MODEL --runs FILE --free NAMES".into());
    };
    let program = interpreted(model, arguments.main.as_deref())?;
    let runs = Runs::read(&program, arguments, &arguments.runs)?;
    let held_out = match arguments.held_out.as_slice() {
        [] => None,
        files => Some(Runs::read(&program, arguments, files)?),
    };
    let named = arguments.free.iter().flat_map(|it| free::words(it));
    let free: Result<Vec<Free>, Problem> = named.map(|it| Free::read(&program, &it)).collect();
    let free = free?;
    check(&free, &runs)?;
    written::check(arguments, &runs, &free)?;
    prophet_text::announce(&format!(
        "fitting {} to {}, which are predicted again and again",
        counted(free.len() as u64, "parameter", "parameters"),
        counted(runs.len() as u64, "run", "runs"),
    ));
    let fitted = FittedParameters::of(&runs, &free, arguments.robust)?;
    let mut found = fitted.estimates(arguments.level())?;
    if let Some(runs) = held_out {
        found.held_out = Some(runs.predicted(&fitted.errors(&runs)?));
    }
    show(&match arguments.format {
        Format::Human => shown::human(&found, arguments.level()),
        Format::Json => shown::json(&found, arguments.level()),
    })?;
    written::write(arguments, &runs, &found)
}

fn interpreted(model: &Path, main: Option<&str>) -> Result<Interpreted, Problem> {
    let checked = check_by(&RuleSet::shipped(), model, main)?;
    if !checked.diagnostics.is_empty() {
        prophet_text::say_styled(&render_human(&checked.source, &checked.diagnostics, false));
    }
    let shown = model.display();
    if checked.program.is_none() {
        return Err(problem!("{shown} has errors: nothing was fitted"));
    }
    let name = model.file_name().unwrap_or_default();
    let program = Interpreted::new(&checked, &name.to_string_lossy(), false);
    program.map_err(|why| problem!("cannot fit {shown}: {why}; only a compiled crate can run it"))
}

fn check(free: &[Free], runs: &Runs<'_>) -> Result<(), Problem> {
    if free.is_empty() {
        return Err("missing parameters to fit; name them with --free".into());
    }
    if free.len() > FREE_MAX {
        let why = format!("{} parameters are too many for one fit", free.len());
        return Err(problem!("{why}; name at most {FREE_MAX} with --free"));
    }
    for (index, one) in free.iter().enumerate() {
        if free[..index].iter().any(|it| it.name() == one.name()) {
            return Err(problem!("duplicate `{}` in --free", one.name()));
        }
        if runs.settings().any(|it| it == one.name()) {
            return Err(problem!(
                "`{}` is a column of the runs, so it cannot be fitted",
                one.name()
            ));
        }
    }
    if runs.len() < free.len() {
        return Err(problem!(
            "{} runs are too few to fit {} parameters; measure more settings, or fit fewer",
            runs.len(),
            free.len()
        ));
    }
    Ok(())
}

/// The parameters that fit the runs best.
struct FittedParameters<'f> {
    runs: &'f Runs<'f>,
    free: &'f [Free],
    minimum: Minimum,
    /// Standard deviation of the errors, which determines which large errors count less; infinite
    /// for least squares.
    deviation: f64,
}

impl<'f> FittedParameters<'f> {
    fn of(runs: &'f Runs<'f>, free: &'f [Free], is_robust: bool) -> Result<Self, Problem> {
        let widths: Vec<f64> = free.iter().map(Free::width).collect();
        let all: Vec<usize> = (0..runs.len()).collect();
        let errors = |at: &[f64]| runs.errors(free, at, &all);
        let mut fitted = Self {
            minimum: best(&errors, &widths)?,
            deviation: f64::INFINITY,
            runs,
            free,
        };
        let rounds = if is_robust { ROUNDS } else { 0 };
        for _ in 0..rounds {
            let found = robust::deviation(&fitted.errors(runs)?);
            let Some(deviation) = found.filter(|it| *it < 0.999 * fitted.deviation) else {
                break;
            };
            fitted.deviation = deviation;
            fitted.minimum = fitted.without(None)?;
        }
        Ok(fitted)
    }

    /// Starts at this fit, and finds the minimum without the run `out`.
    fn without(&self, out: Option<usize>) -> Result<Minimum, Problem> {
        let widths: Vec<f64> = self.free.iter().map(Free::width).collect();
        let kept: Vec<usize> = (0..self.runs.len()).filter(|it| Some(*it) != out).collect();
        let errors = |at: &[f64]| {
            let errors = self.runs.errors(self.free, at, &kept)?;
            Ok(robust::damped(errors, self.deviation))
        };
        Minimum::from(&errors, &widths, self.minimum.at.clone())
    }

    fn errors(&self, runs: &Runs<'_>) -> Result<Vec<f64>, Problem> {
        let all: Vec<usize> = (0..runs.len()).collect();
        runs.errors(self.free, &self.minimum.at, &all)
    }

    fn estimates(&self, level: f64) -> Result<Found, Problem> {
        let about = singular::variances(&self.minimum.jacobian);
        let (intervals, mut notes) = intervals(&self.minimum, &about, self.free, level);
        let parameters = self.free.iter().zip(&self.minimum.at).zip(intervals);
        let estimate = |(index, ((free, at), half)): (usize, ((&Free, &f64), Option<f64>))| {
            ParameterEstimate {
                name: free.name().to_owned(),
                parameter: free.parameter(self.runs.model()),
                value: free.value(*at),
                range: half.map(|half| [free.value(at - half), free.value(at + half)]),
                is_determined: about.variances[index].is_some(),
            }
        };
        let parameters: Vec<ParameterEstimate> = parameters.enumerate().map(estimate).collect();
        for (free, at) in self.free.iter().zip(&self.minimum.at) {
            if *at <= 0.0 || *at >= free.width() {
                notes.push(format!(
                    "the estimate of `{}` is at the edge of its range; widen the range with --free \
                     {}=FROM..TO",
                    free.name(),
                    free.name()
                ));
            }
        }
        let errors = self.errors(self.runs)?;
        notes.extend(self.outliers(&errors));
        Ok(Found {
            rows: self.runs.predicted(&errors),
            error_left_out: self.left_out()?,
            held_out: None,
            flags: shown::flags(&parameters),
            parameters,
            notes,
        })
    }

    /// Returns a remark that says how many runs are outliers, if any.
    fn outliers(&self, errors: &[f64]) -> Option<String> {
        let outliers = robust::outliers(errors).len();
        let verb = match outliers {
            0 => return None,
            1 => "is further from its prediction",
            _ => "are further from their predictions",
        };
        let what = if self.deviation.is_finite() {
            "these runs counted less"
        } else {
            "use --robust to count these runs less"
        };
        Some(format!(
            "{outliers} of {} runs {verb} than 4 standard deviations of the other runs; {what}",
            errors.len()
        ))
    }

    /// Returns the cross-validation error: the mean error of predicting each run from parameters
    /// fitted to the other runs.
    fn left_out(&self) -> Result<Option<f64>, Problem> {
        let count = self.runs.len();
        if count <= self.free.len() {
            return Ok(None);
        }
        let step = count.div_ceil(LEFT_OUT_MAX);
        let (mut sum, mut predicted) = (0.0, 0.0);
        for out in (0..count).step_by(step) {
            let refitted = self.without(Some(out))?;
            let error = self.runs.errors(self.free, &refitted.at, &[out])?[0];
            sum += libm::expm1(error).abs();
            predicted += 1.0;
        }
        Ok(Some(sum / predicted))
    }
}

/// Returns half the width of each parameter's interval, in logarithms, and remarks about parameters
/// without an interval.
fn intervals(
    minimum: &Minimum,
    about: &About,
    free: &[Free],
    level: f64,
) -> (Vec<Option<f64>>, Vec<String>) {
    let names = |which: &[usize]| {
        let names = which.iter().map(|it| format!("`{}`", free[*it].name()));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut notes = Vec::new();
    for index in &about.without_effect {
        let name = names(&[*index]);
        notes.push(format!(
            "{name} does not change the time of any of these runs: all values fit equally well"
        ));
    }
    if !about.alike.is_empty() {
        notes.push(format!(
            "these runs cannot separate {} from each other: other values fit equally well; measure \
             settings where their effects differ, or set one of them to a fixed value",
            names(&about.alike)
        ));
    }
    let freedom = minimum.errors.len() - free.len();
    if freedom == 0 {
        let why = "there are as many parameters as runs, so errors and intervals are unknown";
        notes.push(why.to_owned());
        return (vec![None; free.len()], notes);
    }
    #[expect(clippy::cast_precision_loss, reason = "few runs")]
    let freedom = freedom as f64;
    let variance = minimum.sum() / freedom;
    let quantile = student_quantile(0.5 + 0.5 * level, freedom);
    let half = |it: &Option<f64>| it.map(|it| quantile * (variance * it).sqrt());
    (about.variances.iter().map(half).collect(), notes)
}
