//! A cost function with all remarks on it.

use std::fmt::Write as _;
use std::path::Path;

use prophet_text::{Context as _, Problem, problem};

use crate::law::{Fit, Knees, Options, Refusal, Samples};
use crate::measurements::{Point, Series, Tie};

use crate::cost::names::identifiers;

/// Name of the parameter that is compared with sizes of caches, as of the tag.
const WORKING_SET: &str = "working_set";

/// A point: parameters with their values.
pub type Place = Vec<(String, f64)>;

/// Requests to fits.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'w> {
    /// The points where a cost is predicted.
    pub at: &'w [Place],
    /// Probability of ranges.
    pub level: f64,
    /// True if coefficients may be negative.
    pub signed: bool,
    /// File of the machine whose caches count.
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

/// Fits all series, or only times and memory if there are some and nothing else was asked for.
///
/// # Errors
///
/// A message that a series has no fit, and why.
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

/// A region's cost function.
#[derive(Debug)]
pub struct FittedCost {
    /// Name of the region; empty if the file names no region.
    pub region: String,
    /// Name of the metric.
    pub metric: String,
    pub(crate) is_time: bool,
    /// True for memory, in bytes.
    pub(crate) is_memory: bool,
    /// True for a rate, which no cost can be.
    pub(crate) is_rate: bool,
    /// Names of the parameters in the files.
    pub parameters: Vec<String>,
    /// Names of the parameters in the cost language.
    pub names: Vec<String>,
    /// The points, with their repetitions.
    pub(crate) points: Vec<Point>,
    /// Sizes that are no parameters.
    #[cfg_attr(
        not(feature = "command"),
        expect(dead_code, reason = "the command alone writes requests")
    )]
    pub(crate) ties: Vec<Tie>,
    pub(crate) fit: Fit,
    /// The point of the largest parameters.
    pub largest: Prediction,
    /// The points that the user asked for.
    pub(crate) asked: Vec<Prediction>,
}

/// Cost at a point.
#[derive(Debug)]
pub struct Prediction {
    pub(crate) at: Vec<f64>,
    pub(crate) value: f64,
    /// The range that a new measurement is expected in; `None` where a single value was measured,
    /// which tells nothing of how values vary.
    pub(crate) range: Option<(f64, f64)>,
    /// The measured value; `None` where nothing was measured.
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
        let refused = |why| refused(&why, &series.parameters, &measured.points);
        let fit = crate::law::fit(&measured, &options).map_err(refused);
        let mut fit = fit.context(&region)?;
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

    /// The region, or the metric if the file names no region.
    pub fn name(&self) -> String {
        shown(&self.region, &self.metric)
    }

    /// The cost function in the cost language.
    pub fn expression(&self) -> String {
        self.fit.model.expression(&self.names)
    }

    /// A value with its unit.
    pub(crate) fn value(&self, value: f64) -> String {
        if self.is_time {
            return prophet_text::short_time(value);
        }
        if self.is_memory {
            return memory(value);
        }
        number(value)
    }

    /// Unit of the values; `None` for an unknown one.
    pub(crate) fn unit(&self) -> Option<&'static str> {
        self.is_time
            .then_some("s")
            .or(self.is_memory.then_some("B"))
    }

    /// The range of a prediction, in words.
    pub(crate) fn range(&self, prediction: &Prediction) -> String {
        match prediction.range {
            Some((low, high)) => format!("{} to {}", self.value(low), self.value(high)),
            None => "unknown: only one value".to_owned(),
        }
    }

    /// The prediction at the largest point with its range, in words.
    pub fn at_largest(&self, level: f64) -> String {
        let largest = &self.largest;
        let (value, range) = (self.value(largest.value), self.range(largest));
        let by = largest.range.map(|_| model_range(&chance(level)));
        let by = by.map(|by| format!(" ({by})")).unwrap_or_default();
        format!("{}: {value}, range {range}{by}", self.place(&largest.at))
    }

    /// The mean error at the largest scale, where it was left out.
    pub(crate) fn error(&self) -> String {
        let error = self.fit.error_left_out;
        error.map_or_else(|| "-".to_owned(), prophet_text::percent)
    }

    /// A point by the names of the parameters.
    pub(crate) fn place(&self, at: &[f64]) -> String {
        place(&self.parameters, at)
    }

    /// Number of the measured values.
    pub(crate) fn values(&self) -> usize {
        self.points.iter().map(|it| it.values.len()).sum()
    }
}

/// Caches of the machine in a file, for the parameter that is a working set.
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
            "--machine needs a parameter `{WORKING_SET}`, the bytes that a region goes over \
             repeatedly, but the parameters are {names}\nhelp: add it as a column"
        )
    })?;
    Ok(Knees { parameter, sizes })
}

/// Reason why there is no fit, by the names of the point.
fn refused(why: &Refusal, names: &[String], points: &[Point]) -> String {
    let at = |point: &usize| {
        points
            .get(*point)
            .map_or_else(String::new, |it| place(names, &it.at))
    };
    match why {
        Refusal::NegativeValue { point } => format!(
            "a value at {} is negative; remove it, or pass --allow-negative to permit negative \
             costs",
            at(point)
        ),
        Refusal::NegativeParameter { point, parameter } => {
            format!(
                "`{parameter}` is negative at {}; remove the point",
                at(point)
            )
        }
        Refusal::Empty | Refusal::Arity { .. } | Refusal::NotFinite { .. } => why.to_string(),
    }
}

/// Remark on a rate, which is not a cost.
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

/// A point by the names of its parameters: `p=4, n=100`.
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

/// The value of a parameter with all its digits, as the user wrote it or a file has it.
pub(crate) fn coordinate(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e15).contains(&size) {
        return value.to_string();
    }
    format!("{value:e}")
}

/// A number of at most six digits.
pub(crate) fn number(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-4..1e9).contains(&size) {
        let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
        return rounded.to_string();
    }
    format!("{number:.4e}")
}

/// Memory of at most four digits in the unit that suits it, of 1024: `1.5 GiB`.
pub(crate) fn memory(bytes: f64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let scaled = units.map(|(power, unit)| (bytes / 2_f64.powi(power), unit));
    let found = scaled.iter().find(|it| it.0.abs() >= 0.999_95);
    let (value, unit) = found.copied().unwrap_or((bytes, "B"));
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    format!("{} {unit}", number(rounded))
}

/// A probability in percent: `90%`.
pub(crate) fn chance(level: f64) -> String {
    format!("{}%", number(100.0 * level))
}

/// Heading of a range. Its probability holds for the method's candidates, and promises nothing for
/// a program that follows none of them.
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

/// The coordinates of a point that the user named.
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
        let missing = || problem!("--at needs a value for `{parameter}`");
        found.map(|it| it.1).ok_or_else(missing)
    };
    parameters.iter().map(value).collect()
}
