//! Turns the jobs in all files into rows, and decides which jobs and which parameters to use.

use std::collections::BTreeMap;

use prophet_text::{Problem, counted};

use crate::measurements::collector::{Collector, MeasuredRow, shown};
use crate::measurements::job::{COMPLETED, Job, Text};
use crate::measurements::series::Tie;
use crate::measurements::template::{self, Call};

/// States of jobs that needed more time or memory than they were allowed to use.
const CUT: [(&str, &str); 2] = [("TIMEOUT", "time"), ("OUT_OF_MEMORY", "memory")];
/// Maximum number of regions named in a message about regions without usable jobs.
const NAMED: usize = 5;

/// Parameters of a region's jobs: the name of each, and its value in each job.
type Columns<'j> = Vec<(&'j str, Vec<f64>)>;

pub(crate) fn settle(collector: &mut Collector<'_>) -> Result<(), Problem> {
    let jobs = collector.take_jobs();
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        if let Some(id) = &job.id {
            last.insert(id, index);
        }
    }
    let is_earlier = |index: usize| {
        let id = jobs[index].id.as_deref();
        id.and_then(|it| last.get(it)).is_some_and(|it| *it > index)
    };
    let calls = calls(&jobs);
    let mut regions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, call) in calls.iter().enumerate() {
        regions.entry(&call.text).or_default().push(index);
    }
    let mut regions: Vec<(&str, Vec<usize>)> = regions.into_iter().collect();
    regions.sort_by_key(|it| it.1[0]);
    let mut lost = Vec::new();
    let mut kept_in = None;
    for (region, all) in &regions {
        let mut left: BTreeMap<&str, u64> = BTreeMap::new();
        let mut kept = Vec::new();
        for &index in all {
            match &*jobs[index].state {
                _ if is_earlier(index) => *left.entry("an earlier attempt").or_default() += 1,
                COMPLETED => kept.push(index),
                other => *left.entry(other).or_default() += 1,
            }
        }
        if kept.is_empty() {
            lost.push(format!("`{region}` ({})", states(&left)));
            continue;
        }
        kept_in = kept_in.or(Some(*region));
        let count = left.values().sum();
        if count > 0 {
            let jobs = counted(count, "job is", "jobs are");
            collector.note(region, format!("{jobs} omitted: {}", states(&left)));
            for (state, metric) in CUT.iter().filter(|it| left.contains_key(it.0)) {
                let why = format!(
                    "jobs with the state {state} would have needed more, so the {metric} may \
                         be too low"
                );
                collector.note(region, why);
            }
        }
        if kept.iter().any(|it| jobs[*it].is_cut) {
            let why = "its name is cut off in the file, so it may include jobs with other names: \
                       write full names with `sacct -P`";
            collector.note(region, why.to_owned());
        }
        let kept: Vec<(&Job, &Call)> = kept.iter().map(|it| (&jobs[*it], &calls[*it])).collect();
        rows(collector, region, &kept)?;
    }
    if lost.is_empty() {
        return Ok(());
    }
    let more = if lost.len() > NAMED { ", …" } else { "" };
    let named = lost[..lost.len().min(NAMED)].join(", ");
    let why = format!("no completed jobs: {named}{more}");
    match kept_in {
        Some(region) => collector.note(region, why),
        None => return Err(collector.told(0, why)),
    }
    Ok(())
}

fn states(counts: &BTreeMap<&str, u64>) -> String {
    let shown = counts
        .iter()
        .map(|(state, count)| format!("{count} {state}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// Returns the names of the jobs, with parameters in place of numbers that vary.
fn calls(jobs: &[Job]) -> Vec<Call> {
    let call = |job: &Job| Call {
        text: job.name.clone(),
        at: Vec::new(),
    };
    let mut calls: Vec<Call> = jobs.iter().map(call).collect();
    for text in [Text::Command, Text::Name] {
        let of_text: Vec<usize> = (0..jobs.len())
            .filter(|it| jobs[*it].text == text)
            .collect();
        let mut some: Vec<Call> = of_text.iter().map(|it| calls[*it].clone()).collect();
        template::restore(&mut some, text);
        for (index, call) in of_text.into_iter().zip(some) {
            calls[index] = call;
        }
    }
    calls
}

fn rows(
    collector: &mut Collector<'_>,
    region: &str,
    jobs: &[(&Job, &Call)],
) -> Result<(), Problem> {
    let columns = columns(jobs);
    let columns = if collector.choice().parameters.is_empty() {
        independent(collector, region, columns)
    } else {
        columns
    };
    for (index, (job, _)) in jobs.iter().enumerate() {
        let at: Vec<(&str, f64)> = columns.iter().map(|it| (it.0, it.1[index])).collect();
        collector.begin(&job.file);
        for (metric, value) in &job.values {
            let row = MeasuredRow {
                region,
                metric,
                unit: None,
                at: &at,
                value: *value,
            };
            collector.add(job.line, &row)?;
        }
    }
    Ok(())
}

/// Returns the sizes, and the numbers in names, that all jobs of a region have.
fn columns<'j>(jobs: &[(&'j Job, &'j Call)]) -> Columns<'j> {
    let (job, call) = jobs[0];
    let mut columns: Columns<'_> = Vec::new();
    for (place, (name, _)) in job.sizes.iter().enumerate() {
        let values = jobs.iter().map(|it| it.0.sizes.get(place)?.1);
        let values: Option<Vec<f64>> = values.collect();
        columns.extend(values.map(|it| (*name, it)));
    }
    for (place, (name, ..)) in call.at.iter().enumerate() {
        let is_known = columns.iter().any(|it| it.0 == name);
        let values = jobs.iter().map(|it| Some(it.1.at.get(place)?.2));
        let values: Option<Vec<f64>> = values.collect();
        if let Some(values) = values.filter(|_| !is_known) {
            columns.push((name, values));
        }
    }
    columns
}

/// Drops sizes that never vary or are a multiple of another parameter, because no law can tell them
/// apart. If no size varies, keeps the first one.
fn independent<'j>(
    collector: &mut Collector<'_>,
    region: &str,
    mut columns: Columns<'j>,
) -> Columns<'j> {
    let mut kept: Columns<'_> = Vec::new();
    let varies = |values: &[f64]| values.iter().any(|it| !is_close(*it, values[0]));
    if !columns.iter().any(|it| varies(&it.1)) {
        kept.extend(columns.drain(..columns.len().min(1)));
    }
    for (name, values) in columns {
        let tie = if varies(&values) {
            let of = |other: &&(&str, Vec<f64>)| {
                let mut pairs = values.iter().zip(&other.1);
                pairs.all(|(a, b)| is_close(a * other.1[0], values[0] * b))
            };
            let other = kept.iter().find(of);
            other.map(|it| (Some(it.0.to_owned()), values[0] / it.1[0]))
        } else {
            Some((None, values[0]))
        };
        let Some((parameter, factor)) = tie.filter(|it| it.1.is_finite()) else {
            kept.push((name, values));
            continue;
        };
        if let Some(other) = &parameter {
            let times = if is_close(factor, 1.0) {
                format!("equal to `{other}`")
            } else {
                format!("{} times `{other}`", shown(factor))
            };
            collector.note(
                region,
                format!("`{name}` is always {times}, which is used instead"),
            );
        }
        let name = name.to_owned();
        collector.tie(
            region,
            Tie {
                name,
                factor,
                parameter,
            },
        );
    }
    kept
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}
