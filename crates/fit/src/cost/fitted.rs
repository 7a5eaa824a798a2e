//! Represents a fitted cost function, with all remarks about it.

use std::fmt::Write as _;
use std::path::Path;

use prophet_text::{Context as _, Problem, problem};

use crate::law::{Fit, Knees, Options, Refusal, Samples};
use crate::measurements::{Point, Series, Tie};

use crate::cost::names::identifiers;

/// Name of the parameter that is compared with cache sizes, and of the tag that it corresponds to.
const WORKING_SET: &str = "working_set";

/// A point in the parameter space, as names of parameters with values.
pub type Place = Vec<(String, f64)>;

/// Options for fitting cost functions.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'w> {
    /// Points at which the cost is predicted.
    pub at: &'w [Place],
    /// Probability that a predicted range contains a new measurement, such as 0.9.
    pub level: f64,
    /// Whether coefficients can be negative.
    pub signed: bool,
    /// Machine file with the caches that the fit should take into account.
    pub machine: Option<&'w Path>,
}

impl Default for Wanted<'_> {
    fn default() -> Self {
        Self {
            at: &[],
            level: 0.9,
            signed: false,
            machine: None,
        }
    }
}

/// Fits a cost function to each series. If some series are times or memory sizes, only those are
/// fitted, unless `has_metric` says that the user chose a metric.
///
/// # Errors
///
/// Returns an error with the reason if a series can't be fitted.
pub fn fits(
    mut series: Vec<Series>,
    has_metric: bool,
    wanted: &Wanted<'_>,
) -> Result<Vec<FittedCost>, Problem> {
    if !has_metric && series.iter().any(|it| it.is_time || it.is_memory) {
        series.retain(|it| it.is_time || it.is_memory);
    }
    let fits = series.into_iter().map(|it| FittedCost::new(it, wanted));
    fits.collect()
}

/// The cost function of a region, fitted to measurements.
#[derive(Debug)]
pub struct FittedCost {
    /// Name of the region; empty if the file doesn't name one.
    pub region: String,
    pub metric: String,
    pub(crate) is_time: bool,
    pub(crate) is_memory: bool,
    /// Whether the metric is a rate, which can't be used as a cost.
    pub(crate) is_rate: bool,
    /// Names of the parameters, as in the files.
    pub parameters: Vec<String>,
    /// Names of the parameters, as in the cost language.
    pub names: Vec<String>,
    pub(crate) points: Vec<Point>,
    #[cfg_attr(
        not(feature = "command"),
        expect(dead_code, reason = "the command alone writes requests")
    )]
    pub(crate) ties: Vec<Tie>,
    pub(crate) fit: Fit,
    /// The prediction with every parameter at its largest value.
    pub largest: Prediction,
    pub(crate) asked: Vec<Prediction>,
}

#[derive(Debug)]
pub struct Prediction {
    pub(crate) at: Vec<f64>,
    pub(crate) value: f64,
    /// The range in which a new measurement is expected; `None` if there is only a single value,
    /// which doesn't show how values vary.
    pub(crate) range: Option<(f64, f64)>,
    /// The measured value at this point, if there is one.
    pub(crate) measured: Option<f64>,
}

impl FittedCost {
    fn new(series: Series, wanted: &Wanted<'_>) -> Result<Self, Problem> {
        let names = identifiers(&series.parameters);
        let measured = Samples {
            parameters: names.clone(),
            points: series.points,
        };
        let options = Options {
            signed: wanted.signed,
            knees: wanted
                .machine
                .map(|file| knees(file, &series.parameters))
                .transpose()?,
            ..Options::default()
        };
        let region = shown(&series.region, &series.metric);
        let fit = crate::law::fit(&measured, &options).map_err(|why| match series.negative {
            Some(place) if matches!(why, Refusal::NegativeValue { .. }) => {
                problem!("{place}, but times are 0 or more; {NOT_TIMES}")
            }
            _ => {
                let why = refused(&why, &series.parameters, &measured.points);
                Problem::new(format!("{region}: {why}"))
            }
        });
        let mut fit = fit?;
        let shown = series.notes.iter().map(|it| prophet_text::plain::line(it));
        fit.notes.extend(shown);
        if series.per_seconds.is_some() {
            fit.notes.push(rate_note(&series.metric));
        }
        let asked = wanted.at.iter();
        let asked = asked.map(|place| coordinates(&series.parameters, place).context(&region));
        let asked: Vec<Vec<f64>> = asked.collect::<Result<_, Problem>>()?;
        let last = measured.points.last().map(|it| it.at.clone());
        let values: usize = measured.points.iter().map(|it| it.values.len()).sum();
        let level = (values > 1).then_some(wanted.level);
        Ok(Self {
            largest: prediction(&fit, level, last.unwrap_or_default()),
            asked: asked
                .into_iter()
                .map(|at| prediction(&fit, level, at))
                .collect(),
            region: series.region,
            metric: series.metric,
            is_time: series.is_time,
            is_memory: series.is_memory,
            is_rate: series.per_seconds.is_some(),
            parameters: series.parameters,
            names,
            points: measured.points,
            ties: series.ties,
            fit,
        })
    }

    /// Returns the name of the region, or of the metric if there is no region.
    pub fn name(&self) -> String {
        shown(&self.region, &self.metric)
    }

    /// Returns the cost function in the cost language.
    pub fn expression(&self) -> String {
        self.fit.model.expression(&self.names)
    }

    pub(crate) fn value(&self, value: f64) -> String {
        if self.is_time {
            return prophet_text::short_time(value);
        }
        if self.is_memory {
            return memory(value);
        }
        number(value)
    }

    pub(crate) fn unit(&self) -> Option<&'static str> {
        self.is_time
            .then_some("s")
            .or(self.is_memory.then_some("B"))
    }

    pub(crate) fn range(&self, prediction: &Prediction) -> String {
        match prediction.range {
            Some((low, high)) => format!("{} to {}", self.value(low), self.value(high)),
            None => "unknown: only one value".to_owned(),
        }
    }

    /// Describes the prediction at the largest point, with the range that contains a new
    /// measurement with probability `level`.
    pub fn at_largest(&self, level: f64) -> String {
        let largest = &self.largest;
        let (value, range) = (self.value(largest.value), self.range(largest));
        let by = largest.range.map(|_| model_range(&chance(level)));
        let by = by.map(|by| format!(" ({by})")).unwrap_or_default();
        format!("{}: {value}, range {range}{by}", self.place(&largest.at))
    }

    /// Formats the mean error of predicting the largest scale from the smaller ones.
    pub(crate) fn error(&self) -> String {
        let error = self.fit.error_left_out;
        error.map_or_else(|| "-".to_owned(), prophet_text::percent)
    }

    pub(crate) fn place(&self, at: &[f64]) -> String {
        place(&self.parameters, at)
    }

    pub(crate) fn values(&self) -> usize {
        self.points.iter().map(|it| it.values.len()).sum()
    }
}

/// Reads the caches in a machine file, if one of the parameters is a working set.
#[expect(
    clippy::cast_precision_loss,
    reason = "caches are far below 2^53 bytes"
)]
fn knees(file: &Path, parameters: &[String]) -> Result<Knees, Problem> {
    let machine = prophet_runtime::Machine::read(&file.to_string_lossy())?;
    let caches = machine.memory.caches.iter();
    let sizes: Vec<f64> = caches.map(|it| it.size as f64).collect();
    if sizes.is_empty() {
        let why = format!("the machine `{}` has no `[[cache]]`", machine.name);
        return Err(problem!(
            "{why}\nhelp: measure the caches with `calibrate node`"
        ));
    }
    let parameter = parameters.iter().position(|it| it == WORKING_SET);
    let parameter = parameter.ok_or_else(|| {
        let names = parameters.join(", ");
        format!(
            "--machine needs the parameter `{WORKING_SET}` (the bytes that a region accesses \
             repeatedly), but the parameters are {names}\nhelp: add it as a column"
        )
    })?;
    Ok(Knees { parameter, sizes })
}

const NOT_TIMES: &str = "remove the row (if the values are not times, pass --allow-negative)";

/// Explains why there is no fit, using the names of the parameters.
fn refused(why: &Refusal, names: &[String], points: &[Point]) -> String {
    let at = |point: &usize| {
        points
            .get(*point)
            .map_or_else(String::new, |it| place(names, &it.at))
    };
    match why {
        Refusal::NegativeValue { point } => {
            let values = points.get(*point).map(|it| it.values.iter());
            let least = values
                .and_then(|it| it.copied().reduce(f64::min))
                .unwrap_or(-1.0);
            format!(
                "the value {least} at {} is negative, but times are 0 or more; {NOT_TIMES}",
                at(point)
            )
        }
        Refusal::NegativeParameter { point, parameter } => {
            format!(
                "`{parameter}` is negative at {}; remove the point",
                at(point)
            )
        }
        Refusal::Empty | Refusal::Arity { .. } | Refusal::NotFinite { .. } => why.to_string(),
    }
}

/// Returns a remark that a metric is a rate and not a cost.
pub(crate) fn rate_note(metric: &str) -> String {
    let metric = prophet_text::plain::line(metric);
    format!(
        "`{metric}` is a rate, not a time; pass `--work AMOUNT` to get the time for an amount of \
         work"
    )
}

fn shown(region: &str, metric: &str) -> String {
    let name = if region.is_empty() { metric } else { region };
    prophet_text::plain::line(name)
}

/// Formats a point with the names of its parameters, as in `p=4, n=100`.
pub(crate) fn place(names: &[String], at: &[f64]) -> String {
    let mut text = String::new();
    for (name, value) in names.iter().zip(at) {
        let before = if text.is_empty() { "" } else { ", " };
        let _ = write!(
            text,
            "{before}{}={}",
            prophet_text::plain::line(name),
            coordinate(*value)
        );
    }
    text
}

/// Formats the value of a parameter with all digits that the user or a file specified.
pub(crate) fn coordinate(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e15).contains(&size) {
        return value.to_string();
    }
    format!("{value:e}")
}

pub(crate) fn number(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-4..1e9).contains(&size) {
        let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
        return rounded.to_string();
    }
    format!("{number:.4e}")
}

/// Formats memory with at most four digits in a suitable binary unit, as in `1.5 GiB`.
pub(crate) fn memory(bytes: f64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let scaled = units.map(|(power, unit)| (bytes / 2_f64.powi(power), unit));
    let found = scaled.iter().find(|it| it.0.abs() >= 0.999_95);
    let (value, unit) = found.copied().unwrap_or((bytes, "B"));
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format!("{} {unit}", number(rounded))
}

/// Formats a probability as a percentage, as in `90%`.
pub(crate) fn chance(level: f64) -> String {
    format!("{}%", number(100.0 * level))
}

/// Returns the heading of a range. Its probability is only right if the program follows one of the
/// method's candidates.
pub(crate) fn model_range(percent: &str) -> String {
    format!("{percent} by the model")
}

fn prediction(fit: &Fit, level: Option<f64>, at: Vec<f64>) -> Prediction {
    let known = fit.residuals.iter().find(|it| it.at == at);
    Prediction {
        value: fit.model.at(&at),
        range: level.map(|level| fit.interval(level, &at)),
        measured: known.map(|it| it.measured),
        at,
    }
}

/// Returns the coordinates of a point that the user specified.
fn coordinates(parameters: &[String], place: &Place) -> Result<Vec<f64>, Problem> {
    let is_known = |name: &str| parameters.iter().any(|it| it == name);
    if let Some((name, _)) = place.iter().find(|(name, _)| !is_known(name)) {
        let names = parameters.join(", ");
        return Err(problem!(
            "unknown parameter `{name}` in --at; choose one of {names}"
        ));
    }
    let value = |parameter: &String| {
        let found = place.iter().find(|(name, _)| name == parameter);
        let missing = || problem!("--at needs a value for `{parameter}`, such as {parameter}=8");
        found.map(|it| it.1).ok_or_else(missing)
    };
    parameters.iter().map(value).collect()
}
