//! Compares predicted with recorded times, by function and region of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use prophet_codegen::model::StereotypeKind;
use prophet_frontend::program::Program;
use prophet_import::{Recording, activity_name};
use prophet_runtime::Outcome;
use prophet_text::{Align, Problem, counted, problem, signed_percent, table, time};
use serde::Serialize;

use crate::places::Places;
use crate::summary::seconds;

/// A comparison of a program's prediction and its recording. All times are in seconds.
#[derive(Debug, Serialize)]
pub struct RecordingComparison {
    model: String,
    recording: String,
    processes: u32,
    predicted_time_s: f64,
    /// Time of the slowest rank, from `MPI_Init` to `MPI_Finalize`, in seconds.
    recorded_time_s: f64,
    error: Option<f64>,
    /// The regions, sorted by difference, largest first.
    regions: Vec<Region>,
}

/// An activity of the model that is named after a function or region of the program.
#[derive(Debug, Default, Serialize)]
struct Region {
    name: String,
    /// Predicted time minus recorded time, in seconds.
    difference_s: f64,
    error: Option<f64>,
    predicted: Times,
    recorded: Times,
}

#[derive(Debug, Default, Serialize)]
struct Times {
    computing_s: f64,
    calls_s: f64,
}

/// Factor between the predicted and the recorded time of the same program that is possible.
const ALIKE: f64 = 100.0;

type Regions = BTreeMap<String, Region>;

impl Times {
    fn sum_s(&self) -> f64 {
        self.computing_s + self.calls_s
    }

    fn share(&self, processes: u32) -> Self {
        Self {
            computing_s: self.computing_s / f64::from(processes),
            calls_s: self.calls_s / f64::from(processes),
        }
    }
}

impl Region {
    /// Turns sums over all processes into averages, and compares them.
    fn finish(self, name: String, processes: u32) -> Self {
        let [predicted, recorded] = [self.predicted, self.recorded].map(|it| it.share(processes));
        Self {
            name,
            difference_s: predicted.sum_s() - recorded.sum_s(),
            error: error(predicted.sum_s(), recorded.sum_s()),
            predicted,
            recorded,
        }
    }
}

/// Returns the error of the prediction as a share of the recorded time.
fn error(predicted_s: f64, recorded_s: f64) -> Option<f64> {
    (recorded_s > 0.0).then(|| predicted_s / recorded_s - 1.0)
}

/// Compares the prediction for a program with the recording in a folder.
///
/// # Errors
///
/// Returns an error if they have different numbers of ranks, or no region in common.
pub fn compare_recording(
    (program, outcome): (&Program, &Outcome),
    (folder, recording): (&Path, &Recording),
) -> Result<RecordingComparison, Problem> {
    let shown = folder.display();
    let processes = u32::try_from(outcome.count_processes()).unwrap_or(u32::MAX);
    let ranks = recording.ranks().len();
    if ranks != processes as usize {
        return Err(problem!(
            "{shown} has {}, but the prediction has {}: predict for the same number, for example \
             with `--nodes {ranks}`",
            counted(ranks as u64, "rank", "ranks"),
            counted(processes.into(), "process", "processes"),
        ));
    }
    let main = program.diagrams.iter().next().map_or("", |it| &it.name);
    let (mut regions, recorded_time_s) = recorded(recording, main);
    let names: BTreeSet<String> = regions.keys().filter(|it| *it != main).cloned().collect();
    let is_any_named = predicted(program, outcome, (main, &names), &mut regions);
    if !names.is_empty() && !is_any_named {
        let names: Vec<_> = names.into_iter().collect();
        return Err(problem!(
            "{shown} and the model have no region in common: name activities after the program's \
             functions ({})",
            names.join(", ")
        ));
    }
    let ratio = outcome.predicted_time_s / recorded_time_s;
    if names.is_empty() && !(1.0 / ALIKE..=ALIKE).contains(&ratio) {
        prophet_text::tell!(
            "warning: the recording names no function, and its time is far from the predicted \
             one: is it of the same program?"
        );
    }
    let regions = regions.into_iter();
    let finished = regions.map(|(name, it)| it.finish(name, processes));
    let mut regions: Vec<Region> = finished.collect();
    regions.sort_by(|one, other| other.difference_s.abs().total_cmp(&one.difference_s.abs()));
    Ok(RecordingComparison {
        model: program.name.clone(),
        recording: shown.to_string(),
        processes,
        predicted_time_s: outcome.predicted_time_s,
        recorded_time_s,
        error: error(outcome.predicted_time_s, recorded_time_s),
        regions,
    })
}

/// Returns the recorded times of all ranks by name of the activity, and the time of the slowest
/// rank.
fn recorded(recording: &Recording, main: &str) -> (Regions, f64) {
    let places = Places::of(std::iter::once(recording));
    let mut regions = Regions::new();
    let mut longest_ns = 0;
    for rank in recording.ranks() {
        let mut sum_ns: u64 = 0;
        for (number, spent) in places.numbers(rank).into_iter().zip(&rank.spent) {
            let name = activity_name(&places.names().0[number as usize]);
            let region = regions.entry(name.unwrap_or_else(|| main.to_owned()));
            let times = &mut region.or_default().recorded;
            times.computing_s += seconds(spent.computing_ns);
            times.calls_s += seconds(spent.calls_ns);
            sum_ns = spent
                .calls_ns
                .saturating_add(spent.computing_ns)
                .saturating_add(sum_ns);
        }
        longest_ns = longest_ns.max(sum_ns);
    }
    // The recorder itself calls MPI once, from its own function.
    regions.retain(|_, it| it.recorded.sum_s() > 0.0);
    (regions, seconds(longest_ns))
}

/// Adds the predicted times of all processes. Returns `true` if any element is in one of the named
/// regions.
fn predicted(
    program: &Program,
    outcome: &Outcome,
    (main, names): (&str, &BTreeSet<String>),
    regions: &mut Regions,
) -> bool {
    let elements = program.elements.iter();
    let known: BTreeMap<_, _> = elements.map(|it| ((it.id, &*it.name), it)).collect();
    let mut is_any_named = false;
    for executed in &outcome.elements {
        let element = known.get(&(executed.id, &*executed.name));
        let kind = element.and_then(|it| it.stereotype);
        let (Some(element), Some(kind)) = (element, kind.filter(|it| !it.has_content())) else {
            continue;
        };
        let region = element.path.rsplit("::").find_map(|it| named(it, names));
        is_any_named |= region.is_some();
        let times = regions
            .entry(region.unwrap_or(main).to_owned())
            .or_default();
        // MPI elements are in this range, because kinds are in the order of the profile.
        if (StereotypeKind::BSend..=StereotypeKind::Barrier).contains(&kind) {
            times.predicted.calls_s += executed.total_s;
        } else {
            times.predicted.computing_s += executed.total_s;
        }
    }
    is_any_named
}

/// Returns the region of an activity. A function that is called at several sites has an activity
/// for each of them, with a number after its name.
fn named<'n>(activity: &'n str, names: &BTreeSet<String>) -> Option<&'n str> {
    let first = || {
        let (name, number) = activity.rsplit_once('_')?;
        number.parse::<u32>().is_ok().then_some(name)
    };
    let is_name = |it: &&str| names.contains(*it);
    Some(activity)
        .filter(is_name)
        .or_else(|| first().filter(is_name))
}

impl fmt::Display for RecordingComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [predicted, recorded] = [self.predicted_time_s, self.recorded_time_s].map(time);
        let (recording, error) = (
            &self.recording,
            signed_percent(self.error.unwrap_or(f64::NAN)),
        );
        let processes = counted(self.processes.into(), "process", "processes");
        writeln!(
            f,
            "Predicted {predicted}, recorded {recorded} ({recording}): {error}"
        )?;
        writeln!(f, "Averages of {processes}\n")?;
        let heading = "Region|Computing|recorded|In calls|recorded|Difference|Error".split('|');
        let aligns = std::iter::once(Align::Left).chain(std::iter::repeat(Align::Right));
        let heading: Vec<_> = heading.zip(aligns).collect();
        let row = |it: &Region| {
            let (ours, theirs) = (&it.predicted, &it.recorded);
            let computing = [ours.computing_s, theirs.computing_s];
            let calls = [ours.calls_s, theirs.calls_s];
            let times = computing.into_iter().chain(calls).chain([it.difference_s]);
            let name = std::iter::once(prophet_text::plain::line(&it.name));
            name.chain(times.map(time))
                .chain([signed_percent(it.error.unwrap_or(f64::NAN))])
                .collect()
        };
        let rows: Vec<Vec<String>> = self.regions.iter().map(row).collect();
        f.write_str(&table(&heading, &rows))
    }
}
