//! Reads a Snakemake DAG together with time records.
//!
//! A job's time is the mean of the records of its rule that match the job's wildcards: the ones
//! in its label, and the ones of its ancestors that have a single value.

mod record;

use std::collections::{BTreeMap, BTreeSet};

use prophet_text::{FileKind, Problem};

use super::found::{Found, FoundTask};
use super::graph::{self, Graph};
use super::{NamedText, Reading, no_part};
use record::{Measured, Record};

/// The rule that, by convention, runs nothing.
const TARGET: &str = "all";
const WILDCARDS_MAX: usize = 10_000_000;

struct SnakemakeJob {
    rule: String,
    label: String,
    /// Wildcard values by name; `None` if ancestors have different values.
    wildcards: BTreeMap<String, Option<String>>,
    own: BTreeMap<String, String>,
    /// Whether the job's output exists. Snakemake draws such jobs with dashed lines.
    is_done: bool,
    parents: BTreeSet<u32>,
}

pub(super) fn read(
    file: NamedText<'_>,
    records: &[(Option<FileKind>, NamedText<'_>)],
    reading: Reading,
) -> Result<Found, Vec<Problem>> {
    let graph = graph::read(file).map_err(|it| vec![it])?;
    let jobs = jobs(&graph).map_err(|it| vec![it])?;
    let rules: BTreeSet<&str> = jobs.iter().map(|it| &*it.rule).collect();
    let mut measured = Measured::default();
    for (kind, text) in records {
        match kind {
            Some(FileKind::Benchmark) => measured.benchmark(*text, &rules),
            Some(FileKind::Statistics) => measured.statistics(*text),
            Some(FileKind::OutputRecord) => measured.record(*text),
            _ => Err(no_part(*text)),
        }
        .map_err(|it| vec![it])?;
    }
    let by_rule = measured.by_rule();
    let has_done = jobs.iter().any(|it| it.is_done);
    let mut averaged = 0;
    let tasks = (jobs.iter().enumerate())
        .map(|(number, job)| {
            let of_rule = by_rule.get(&*job.rule).map_or(&[][..], |it| it);
            let chosen = chosen(job, of_rule);
            averaged += u64::from(chosen.len() > 1);
            task(number, job, &chosen)
        })
        .collect();
    let note = format!(
        "{} with the mean time of several records",
        prophet_text::counted(averaged, "job", "jobs")
    );
    Ok(Found {
        name: prophet_text::plain::line(file.name),
        engine: "Snakemake",
        makespan_s: measured.makespan_s.filter(|_| reading.all || !has_done),
        tasks,
        notes: (averaged > 0).then_some(note).into_iter().collect(),
        ..Found::default()
    })
}

/// Returns the jobs with their rules and wildcards.
fn jobs(graph: &Graph) -> Result<Vec<SnakemakeJob>, Problem> {
    let job = |(label, is_dashed): (&String, &bool)| {
        let mut lines = label.lines().map(str::trim).filter(|it| !it.is_empty());
        let rule = lines.next().unwrap_or_default().to_owned();
        let pairs = lines.filter_map(|it| it.split_once(": "));
        let own: BTreeMap<_, _> = pairs
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        SnakemakeJob {
            rule,
            label: label.trim().replace('\n', ", "),
            wildcards: BTreeMap::new(),
            own,
            is_done: *is_dashed,
            parents: BTreeSet::new(),
        }
    };
    let mut jobs: Vec<SnakemakeJob> = graph.labels.iter().zip(&graph.dashed).map(job).collect();
    for &(from, to) in &graph.edges {
        let from = u32::try_from(from).unwrap_or(u32::MAX);
        jobs[to].parents.insert(from);
    }
    inherit(&mut jobs)?;
    Ok(jobs)
}

/// Passes wildcards from parents to their jobs, in graph order. Jobs in a cycle keep only their own
/// wildcards. The cycle is reported later.
fn inherit(jobs: &mut [SnakemakeJob]) -> Result<(), Problem> {
    let mut left: Vec<usize> = jobs.iter().map(|it| it.parents.len()).collect();
    let mut children = vec![Vec::new(); jobs.len()];
    for (child, job) in jobs.iter().enumerate() {
        for parent in &job.parents {
            children[*parent as usize].push(child);
        }
    }
    let mut open: Vec<usize> = (0..jobs.len()).filter(|it| left[*it] == 0).collect();
    let mut count = 0;
    while let Some(at) = open.pop() {
        let mut all: BTreeMap<String, Option<String>> = BTreeMap::new();
        for parent in &jobs[at].parents {
            for (name, value) in &jobs[*parent as usize].wildcards {
                let known = all.entry(name.clone()).or_insert_with(|| value.clone());
                if known != value {
                    *known = None;
                }
            }
        }
        for (name, value) in &jobs[at].own {
            all.insert(name.clone(), Some(value.clone()));
        }
        count += all.len();
        if count > WILDCARDS_MAX {
            let what = "the jobs have too many wildcards";
            return Err(Problem::with_help(what, "Split the workflow."));
        }
        jobs[at].wildcards = all;
        for &child in &children[at] {
            left[child] -= 1;
            if left[child] == 0 {
                open.push(child);
            }
        }
    }
    Ok(())
}

/// Returns the records of a rule that match a job's wildcards, or all of them if none match.
fn chosen<'a>(job: &SnakemakeJob, of_rule: &[&'a Record]) -> Vec<&'a Record> {
    let mut chosen = of_rule.to_vec();
    for value in job.own.values().chain(job.wildcards.values().flatten()) {
        let named: Vec<_> = chosen
            .iter()
            .copied()
            .filter(|it| it.names(value))
            .collect();
        if !named.is_empty() {
            chosen = named;
        }
    }
    chosen
}

fn task(number: usize, job: &SnakemakeJob, records: &[&Record]) -> FoundTask {
    #[expect(clippy::cast_precision_loss, reason = "records are few")]
    let mean = |sum: f64| sum / records.len() as f64;
    let seconds = match records {
        [] => (job.rule == TARGET).then_some(0.0),
        _ => Some(mean(records.iter().map(|it| it.seconds).sum())),
    };
    FoundTask {
        id: format!("{} #{number}", job.label),
        kind: job.rule.clone(),
        seconds,
        cores: records.iter().filter_map(|it| it.threads).max(),
        load_percent: { records.iter() }
            .filter_map(|it| it.load_percent)
            .reduce(f64::max),
        is_done: job.is_done,
        memory_bytes: records.iter().filter_map(|it| it.memory_bytes).max(),
        parents: job.parents.clone(),
        ..FoundTask::default()
    }
}
