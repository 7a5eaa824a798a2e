//! Writes the resource requests of a Slurm batch script for a later job, based on jobs that have
//! run.

use std::fmt::Write as _;

use prophet_text::{Problem, problem};

use crate::command::arguments::FitOptions;
use crate::cost::fits;
use crate::cost::fitted::{FittedCost, chance, coordinate, memory};
use crate::measurements::Series;

const NAMED: usize = 20;
/// Longest time in seconds and most memory in bytes to request. Nothing is known about larger
/// requests.
const LONGEST: f64 = 3e8;
const MOST: f64 = 1e15;

/// Returns the lines for the requested point, each after a comment with its reason.
pub(crate) fn request(series: Vec<Series>, arguments: &FitOptions) -> Result<String, Problem> {
    if arguments.at.len() != 1 {
        let names = series.first().map(|it| it.parameters.as_slice());
        let example: Vec<String> = { names.unwrap_or_default().iter() }
            .map(|it| format!("{it}=64"))
            .collect();
        let why = match arguments.at.len() {
            0 => "--request needs the size of the job",
            _ => "--request writes one job, but --at is given several times",
        };
        let why = problem!(
            "{why}\nhelp: pass one --at, such as --at {}",
            example.join(",")
        );
        return Err(why);
    }
    one_region(&series)?;
    let is_alone = |is: fn(&Series) -> bool| {
        let names = series
            .iter()
            .filter(|it| is(it))
            .map(|it| it.metric.as_str());
        let names: Vec<String> = names.map(|it| format!("`{it}`")).collect();
        match names.len() {
            0 | 1 => Ok(names.len() == 1),
            _ => Err(problem!(
                "--request needs only one of the metrics {}\nhelp: ignore the other columns with \
                 --ignore",
                names.join(", ")
            )),
        }
    };
    if !is_alone(|it| it.is_time)? {
        let names: Vec<String> = series.iter().map(|it| format!("`{}`", it.metric)).collect();
        let why = format!(
            "--request needs a time, but the only metric is {}",
            names.join(", ")
        );
        return Err(problem!(
            "{why}\nhelp: if the data comes from sacct, add the column Elapsed"
        ));
    }
    is_alone(|it| it.is_memory)?;
    let wanted = arguments.wanted();
    let all = fits(series, false, &wanted)?;
    let job = Requested {
        level: wanted.level,
        at: all.first().map_or(Vec::new(), |it| it.asked[0].at.clone()),
        all,
    };
    job.lines()
}

fn one_region(series: &[Series]) -> Result<(), Problem> {
    let mut names: Vec<&str> = series.iter().map(|it| it.region.as_str()).collect();
    names.dedup();
    if names.len() < 2 {
        return Ok(());
    }
    let shown = names.iter().take(NAMED).map(|it| format!("`{it}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let more = if names.len() > NAMED { ", …" } else { "" };
    Err(problem!(
        "--request writes one job, but the files contain {} kinds of jobs: {shown}{more}\nhelp: \
         choose one with --region NAME",
        names.len()
    ))
}

struct Requested {
    /// The fits of the job's time and, if known, of its memory.
    all: Vec<FittedCost>,
    at: Vec<f64>,
    level: f64,
}

impl Requested {
    fn lines(&self) -> Result<String, Problem> {
        let mut text = String::new();
        let mut line = |line: &str| {
            let _ = writeln!(text, "{line}");
        };
        let (nodes, tasks) = (self.size("nodes")?, self.size("ntasks")?);
        for (option, count) in [("nodes", nodes), ("ntasks", tasks)] {
            if let Some(count) = count {
                line(&format!("#SBATCH --{option}={count}"));
            }
        }
        for fitted in self.all.iter().filter(|it| it.is_time) {
            let (limit, reason) = self.limit(fitted, LONGEST)?;
            line(&format!("# {reason}; {}", self.jobs(fitted)));
            line(&format!("#SBATCH --time={}", minutes(limit)));
        }
        for fitted in self.all.iter().filter(|it| it.is_memory) {
            let (limit, reason) = self.limit(fitted, MOST)?;
            line(&format!("# {reason}; {}", self.jobs(fitted)));
            let on_node = tasks.zip(nodes).map(|(tasks, nodes)| tasks.div_ceil(nodes));
            match on_node {
                Some(1) => {}
                Some(count) => line(&format!(
                    "# on each node: {count} tasks, each assumed to be as large as the largest"
                )),
                None => {
                    line("# the number of tasks on a node is unknown: this is enough for one task");
                }
            }
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
            let bytes = limit * on_node.unwrap_or(1) as f64;
            line(&format!("#SBATCH --mem={}", whole(bytes)));
        }
        for remark in self.remarks() {
            line(&format!("# {remark}"));
        }
        Ok(text)
    }

    /// Returns a size of the job: a parameter, or a size derived from one.
    fn size(&self, name: &str) -> Result<Option<u64>, Problem> {
        let Some(fitted) = self.all.first() else {
            return Ok(None);
        };
        let value = |name: &str| {
            let place = fitted.parameters.iter().position(|it| it == name);
            place.map(|it| self.at[it])
        };
        let tie = fitted.ties.iter().find(|it| it.name == name);
        let tied = tie.and_then(|it| match &it.parameter {
            Some(parameter) => Some((it.factor * value(parameter)?).ceil()),
            None => Some(it.factor),
        });
        let Some(size) = value(name).or(tied) else {
            return Ok(None);
        };
        if size < 1.0 || size.fract() != 0.0 || size > 1e9 {
            let shown = coordinate(size);
            return Err(problem!(
                "expected a whole number of 1 or more as a job's `{name}`, found {shown}"
            ));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a whole number up to a billion"
        )]
        let size = size as u64;
        Ok(Some(size))
    }

    /// Returns the limit of a metric, and the reason for it.
    fn limit(&self, fitted: &FittedCost, most: f64) -> Result<(f64, String), Problem> {
        let predicted = &fitted.asked[0];
        let metric = prophet_text::plain::line(&fitted.metric);
        if predicted.range.is_none() {
            return Err(problem!(
                "one job does not show how much the `{metric}` of jobs varies\nhelp: add more jobs"
            ));
        }
        let limit = fitted.fit.limit(self.level, &self.at);
        if limit.is_nan() || limit > most {
            let at = fitted.place(&self.at);
            return Err(problem!(
                "the jobs do not determine the `{metric}` at {at} well enough for a request\nhelp: \
                 measure a job closer to it"
            ));
        }
        let shown = |value: f64| {
            if fitted.is_time {
                return clock(value.ceil());
            }
            format!("{} a task", memory(value))
        };
        let reason = format!(
            "according to the model, {} of such jobs need at most {}; predicted {}",
            chance(self.level),
            shown(limit),
            shown(predicted.value)
        );
        Ok((limit.max(0.0), reason))
    }

    /// Describes the jobs to which a metric was fitted.
    fn jobs(&self, fitted: &FittedCost) -> String {
        let jobs = prophet_text::counted(fitted.values() as u64, "job", "jobs");
        let ranges = (0..self.at.len()).filter_map(|it| self.measured(it));
        let ranges = ranges.map(|(name, range)| format!(", {name}={range}"));
        jobs + &ranges.collect::<String>()
    }

    /// Returns a parameter's name, and its smallest and largest measured values.
    fn measured(&self, parameter: usize) -> Option<(String, String)> {
        let fitted = self.all.first()?;
        let values = || fitted.points.iter().map(|it| it.at[parameter]);
        let (from, to) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
        let name = prophet_text::plain::line(&fitted.parameters[parameter]);
        let range = match [from, to].map(coordinate) {
            [from, to] if from == to => from,
            [from, to] => format!("{from} to {to}"),
        };
        Some((name, range))
    }

    /// Lists reasons to trust the request less.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        for (index, at) in self.at.iter().enumerate() {
            let values = || {
                self.all
                    .iter()
                    .flat_map(|it| &it.points)
                    .map(|it| it.at[index])
            };
            let is_between = values().any(|it| it <= *at) && values().any(|it| it >= *at);
            if let Some((name, range)) = self.measured(index).filter(|_| !is_between) {
                let at = coordinate(*at);
                remarks.push(format!(
                    "all measured jobs have {name}={range}: test {name}={at} once before you rely \
                     on it"
                ));
            }
        }
        for fitted in &self.all {
            let metric = prophet_text::plain::line(&fitted.metric);
            let why = fitted.fit.undecided.as_ref();
            remarks.extend(why.map(|it| format!("{metric} is undecided: {it}")));
        }
        for note in self.all.iter().flat_map(|it| &it.fit.notes) {
            if !remarks.contains(note) {
                remarks.push(note.clone());
            }
        }
        remarks
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are at most ten years, and not negative"
)]
fn clock(seconds: f64) -> String {
    let all = seconds.max(0.0) as u64;
    let (days, hours) = (all / 86400, all / 3600 % 24);
    let rest = format!("{hours:02}:{:02}:{:02}", all / 60 % 60, all % 60);
    if days > 0 {
        format!("{days}-{rest}")
    } else {
        rest
    }
}

/// Formats a time, rounded up to minutes.
fn minutes(seconds: f64) -> String {
    clock(60.0 * (seconds / 60.0).ceil().max(1.0))
}

/// Formats memory, rounded up to an integer: above 4 GiB in `G`, otherwise in `M`.
fn whole(bytes: f64) -> String {
    let [mega, giga] = [20, 30].map(|it| bytes / 2_f64.powi(it));
    if giga > 4.0 {
        format!("{}G", giga.ceil())
    } else {
        format!("{}M", mega.ceil().max(1.0))
    }
}
