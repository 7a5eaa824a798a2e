//! Takes prices of operations, and parameters that the source leaves open, from recordings.
//!
//! The model from the source runs with the recorded number of ranks. It makes the recorded
//! calls, so that the computing between two calls is the same, too.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::Severity;
use prophet_codegen::source::Source;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_import::event::Kind;
use prophet_import::{ImportedTrace, RankEvent, Recording};
use prophet_interpreter::Interpreted;
use prophet_runtime::{RunHandle, Trace};
use prophet_text::{Context as _, Problem, percent, problem};
use prophet_trace::{Role, TraceReader, UnitState};

use crate::write::{PRICE_S, Written};

/// Maximum number of calls of all ranks in a recording.
const CALLS_MAX: usize = 4 << 20;
/// Maximum number of parameters to look for.
const OPEN_MAX: usize = 64;

/// A call of a rank, with the computing before it.
#[derive(Debug, Clone, Default)]
struct Called {
    /// `send`, `receive`, or the name of a collective.
    kind: String,
    bytes: Option<u64>,
    computing_s: f64,
    /// For calls of the model: its element, and the computing elements before it.
    element: String,
    parts: Vec<(String, f64)>,
}

type Ranks = Vec<Vec<Called>>;

struct Run {
    folder: PathBuf,
    settings: Vec<(String, f64)>,
    recorded: Ranks,
}

/// What recordings tell: values of parameters, and notes.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) settings: Vec<(String, f64)>,
    pub(crate) notes: Vec<String>,
}

/// Finds values of a model's parameters that its recordings tell.
pub(crate) fn found(
    written: &Written,
    given: &[(String, f64)],
    folders: &[PathBuf],
    out: &Path,
) -> Result<Found, Problem> {
    let model = interpreted(&written.text)?;
    let runs: Result<Vec<Run>, Problem> =
        folders.iter().map(|it| run(written, given, it)).collect();
    let runs = runs?;
    let mut found = Found::default();
    // What is the same in all recordings becomes the default.
    if let Some((first, others)) = runs.split_first() {
        let is_in_all = |it: &&(String, f64)| others.iter().all(|run| run.settings.contains(it));
        let same = first.settings.iter().filter(is_in_all);
        found.settings.extend(same.cloned());
    }
    let ranks = |run: &Run, more: &[(String, f64)]| modeled(&model, run, more, out);
    for name in written.opened.iter().take(OPEN_MAX) {
        let values = runs.iter().map(|run| {
            let before = ranks(run, &found.settings)?;
            let mut more = found.settings.clone();
            more.push((name.clone(), written.value(name) + 1.0));
            // A value that the model can't run with tells nothing.
            let after = ranks(run, &more).ok();
            let value = after.and_then(|it| solved(&before, &it, &run.recorded));
            Ok(value.map(|it| written.value(name) + it))
        });
        let values: Result<Vec<Option<f64>>, Problem> = values.collect();
        let values: Vec<f64> = values?.into_iter().flatten().collect();
        let Some(last) = values.last() else {
            continue;
        };
        if values.iter().any(|it| (it - last).abs() > 0.5) {
            let all: Vec<String> = values.iter().map(|it| format!("{it:.0}")).collect();
            let all = all.join(", ");
            let told = format!("{name} differs between the recordings ({all}); the last was taken");
            found.notes.push(told);
        }
        found.settings.push((name.clone(), *last));
    }
    let mut stretches = Vec::new();
    for mut run in runs {
        let mut ours = ranks(&run, &found.settings)?;
        // An exchange with only one partner is a receive alone in recordings.
        if receives(&ours) != receives(&run.recorded) {
            ours = without_receives(ours);
            run.recorded = without_receives(run.recorded);
        }
        found.notes.extend(difference(&ours, &run, written));
        stretches.extend(stretches_of(ours, &run.recorded));
    }
    price(&stretches, written, &mut found);
    Ok(found)
}

fn interpreted(text: &str) -> Result<Interpreted, Problem> {
    let source = Source::new("model.prophet.xml", text.to_owned());
    let checked = check_source(&RuleSet::shipped(), source, Path::new(""), None);
    let mut errors = checked.diagnostics.iter();
    match errors.find(|it| it.severity == Severity::Error) {
        Some(first) => Err(problem!(
            "the model is invalid: {} {}",
            first.code,
            first.message
        )),
        None => Interpreted::new(&checked, "model", false).told(),
    }
}

fn run(written: &Written, given: &[(String, f64)], folder: &Path) -> Result<Run, Problem> {
    let recording = Recording::open(folder)?;
    let first = recording.ranks().first();
    let mut settings = Vec::new();
    for (word, name) in &written.given {
        let word = first.and_then(|it| it.command.get(*word));
        let value = word.and_then(|it| it.parse().ok());
        settings.extend(value.map(|it| (name.clone(), it)));
    }
    settings.extend(given.iter().cloned());
    for (name, value) in first.into_iter().flat_map(|it| &it.parameters) {
        if written.parameters.contains_key(name)
            && let Ok(value) = value.parse()
        {
            settings.push((name.clone(), value));
        }
    }
    let count: u64 = recording
        .ranks()
        .iter()
        .flat_map(|it| it.calls.values())
        .sum();
    if count > CALLS_MAX as u64 {
        let why = format!("it has {count} calls; up to {CALLS_MAX} are supported");
        return Err(Problem::of(folder, why));
    }
    let trace = ImportedTrace::open(folder)?;
    let mut recorded: Ranks = (0..trace.ranks()).map(|_| Vec::new()).collect();
    let mut computing_s = vec![0.0; recorded.len()];
    trace.for_each(|rank, event| {
        let (kind, bytes) = match event {
            RankEvent::Compute(work) => {
                computing_s[rank as usize] += work.seconds;
                return Ok(());
            }
            RankEvent::Send(it) | RankEvent::BeginSend(it, _) => ("send", it.bytes),
            RankEvent::Receive(_) | RankEvent::BeginReceive(..) => ("receive", None),
            RankEvent::Exchange { to, .. } => ("send", to.bytes),
            RankEvent::Collective(it) => (it.kind.name(), Some(it.bytes)),
            RankEvent::Wait(_) | RankEvent::WaitAll => return Ok(()),
        };
        recorded[rank as usize].push(Called {
            kind: kind.to_owned(),
            bytes,
            computing_s: std::mem::take(&mut computing_s[rank as usize]),
            ..Called::default()
        });
        Ok(())
    })?;
    let folder = folder.to_owned();
    Ok(Run {
        folder,
        settings,
        recorded,
    })
}

/// Returns the calls of the model with the ranks and parameters of a recording.
fn modeled(
    model: &Interpreted,
    run: &Run,
    more: &[(String, f64)],
    out: &Path,
) -> Result<Ranks, Problem> {
    let mut words = vec!["analyze".to_owned(), "--nodes".to_owned()];
    words.push(run.recorded.len().to_string());
    let all = more.iter().chain(&run.settings);
    let settings: BTreeMap<&String, f64> = all.map(|it| (&it.0, it.1)).collect();
    for (name, value) in settings {
        words.extend(["--set".to_owned(), format!("{name}={value}")]);
    }
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    let mut trace = Trace::scratch(out);
    let folder = run.folder.display();
    let ran = model.observe(words, Some(&mut trace), &RunHandle::default());
    ran.map_err(|it| problem!("the model does not run as in {folder}: {it}"))?;
    trace.written().told()?;
    calls(trace.read().told()?, run.recorded.len())
}

fn is_collective(kind: &str) -> bool {
    Kind::ALL.into_iter().any(|it| it.name() == kind)
}

fn calls(mut reader: TraceReader, ranks: usize) -> Result<Ranks, Problem> {
    let elements = reader.results().elements.iter();
    let elements: BTreeMap<u32, (String, String)> = elements
        .map(|it| (it.index, (it.name.clone(), it.kind.clone())))
        .collect();
    let nothing = (String::new(), String::new());
    let mut all: Ranks = (0..ranks).map(|_| Vec::new()).collect();
    let mut parts: Vec<Vec<(String, f64)>> = vec![Vec::new(); ranks];
    let mut records = Vec::new();
    while reader.next_batch(&mut records).told()? {
        for record in records.iter().filter(|it| it.tid == 0) {
            let rank = record.pid as usize;
            let element = record.element_index().and_then(|it| elements.get(&it));
            let (name, kind) = element.unwrap_or(&nothing);
            let called = match (record.state, kind.as_str(), record.role()) {
                (UnitState::Compute, ..) => {
                    let seconds = record.end_s - record.start_s;
                    parts[rank].push((name.clone(), seconds / PRICE_S));
                    continue;
                }
                (UnitState::Receive, "brecv", Some(Role::Receive))
                | (UnitState::Receive, "nbrecv", None) => "receive",
                (UnitState::Send, "bsend" | "nbsend", Some(Role::Send))
                | (_, "sendrecv", Some(Role::Send)) => "send",
                (UnitState::Content | UnitState::Collective, kind, None)
                    if record.began_s().is_some() && is_collective(kind) =>
                {
                    kind
                }
                _ => continue,
            };
            all[rank].push(Called {
                kind: called.to_owned(),
                bytes: record.size_bytes(),
                element: name.clone(),
                parts: std::mem::take(&mut parts[rank]),
                ..Called::default()
            });
        }
    }
    Ok(all)
}

/// Returns by how much a parameter has to grow for the model to have the recorded calls, or their
/// mean size, if it changes when the parameter grows by 1.
#[expect(clippy::cast_precision_loss, reason = "calls and bytes are few enough")]
fn solved(before: &Ranks, after: &Ranks, recorded: &Ranks) -> Option<f64> {
    let count = |it: &Ranks| it.iter().map(Vec::len).sum::<usize>();
    let [zero, one, all] = [before, after, recorded].map(count);
    if zero != one {
        let by = (all as f64 - zero as f64) / (one as f64 - zero as f64);
        return (by.fract().abs() < 1e-9).then_some(by);
    }
    let lines = before.iter().zip(after).zip(recorded);
    let calls = lines.flat_map(|((one, two), three)| one.iter().zip(two).zip(three));
    let grown = calls.filter_map(|((one, two), recorded)| {
        let [one, two, recorded] = [one, two, recorded].map(|it| it.bytes.map(|it| it as f64));
        let by = two? - one?;
        (by != 0.0)
            .then_some(recorded?)
            .map(|it| (it - one.unwrap_or(0.0)) / by)
    });
    let grown: Vec<f64> = grown.collect();
    let mean = grown.iter().sum::<f64>() / grown.len().max(1) as f64;
    (!grown.is_empty()).then(|| mean.round())
}

fn receives(ranks: &Ranks) -> usize {
    let all = ranks.iter().flatten();
    all.filter(|it| it.kind == "receive").count()
}

/// Adds the computing before each receive to what follows.
fn without_receives(ranks: Ranks) -> Ranks {
    let one = |calls: Vec<Called>| {
        let (mut kept, mut before) = (Vec::new(), Called::default());
        for mut call in calls {
            call.computing_s += before.computing_s;
            before.parts.append(&mut call.parts);
            call.parts = before.parts;
            before = Called::default();
            if call.kind == "receive" {
                before = call;
            } else {
                kept.push(call);
            }
        }
        kept
    };
    ranks.into_iter().map(one).collect()
}

/// Describes the first call in which the model differs from a recording.
fn difference(ours: &Ranks, run: &Run, written: &Written) -> Option<String> {
    let shown = |it: Option<&Called>| match it {
        Some(Called { kind, bytes, .. }) => match bytes {
            Some(bytes) => format!("`{kind}` of {bytes} B"),
            None => format!("`{kind}`"),
        },
        None => "the end".to_owned(),
    };
    let lines = ours.iter().zip(&run.recorded).enumerate();
    lines.into_iter().find_map(|(rank, (ours, theirs))| {
        let mut all = 0..ours.len().max(theirs.len());
        let differs = |at: &usize| match (ours.get(*at), theirs.get(*at)) {
            (Some(one), Some(other)) => {
                let is_size =
                    one.bytes.is_some() && other.bytes.is_some() && other.kind != "receive";
                one.kind != other.kind || is_size && one.bytes != other.bytes
            }
            (one, other) => one.is_some() != other.is_some(),
        };
        let at = all.find(differs)?;
        let (one, other) = (ours.get(at), theirs.get(at));
        let last = one.or(ours.last()).map_or("", |it| &it.element);
        let place = written.places.get(last).map_or("", String::as_str);
        Some(format!(
            "{place}: the source has {}, but call {} of rank {rank} in {} is {}",
            shown(one),
            at + 1,
            run.folder.display(),
            shown(other),
        ))
    })
}

/// A time, and the elements that it is of, with their operations.
type Stretch = (f64, Vec<(String, f64)>);

/// Returns the computing between calls, of the ranks that call the same.
fn stretches_of(ours: Ranks, recorded: &Ranks) -> Vec<Stretch> {
    let ranks = ours.into_iter().zip(recorded);
    let alike = ranks.filter(|(ours, theirs)| {
        let pairs = ours.iter().zip(theirs.iter());
        ours.len() == theirs.len() && pairs.into_iter().all(|(one, other)| one.kind == other.kind)
    });
    let pairs = alike.flat_map(|(ours, theirs)| ours.into_iter().zip(theirs));
    pairs
        .map(|(ours, theirs)| (theirs.computing_s, ours.parts))
        .collect()
}

/// Finds the price of an operation in each element. If a time is of several elements, they share
/// it as their operations with the prices found so far say.
fn price(stretches: &[Stretch], written: &Written, found: &mut Found) {
    let mut prices: BTreeMap<&str, f64> = BTreeMap::new();
    for _ in 0..32 {
        let mut sums: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
        for (time_s, parts) in stretches {
            let own = |name: &str, number: f64| prices.get(name).unwrap_or(&PRICE_S) * number;
            let all: f64 = parts.iter().map(|it| own(&it.0, it.1)).sum();
            for (name, number) in parts.iter().filter(|_| all > 0.0) {
                let sum = sums.entry(name).or_default();
                sum[0] += time_s * own(name, *number) / all;
                sum[1] += number;
            }
        }
        let priced = sums.into_iter().filter(|it| it.1[1] > 0.0);
        prices = priced
            .map(|(name, [time_s, number])| (name, time_s / number))
            .collect();
    }
    let is_stray = |it: &&Stretch| it.1.iter().all(|it| it.1 <= 0.0);
    let all_s: f64 = stretches.iter().map(|it| it.0).sum();
    let stray_s: f64 = stretches.iter().filter(is_stray).map(|it| it.0).sum();
    if stray_s > 0.05 * all_s {
        let share = percent(stray_s / all_s);
        let told =
            format!("{share} of the recorded computing is where the source computes nothing");
        found.notes.push(told);
    }
    for (element, name) in &written.prices {
        if let Some(price) = prices.get(element.as_str()) {
            found.settings.push((name.clone(), *price));
        } else {
            let place = written.places.get(element).map_or("", String::as_str);
            let told = format!("{place}: no recording tells the parameter {name}");
            found.notes.push(told);
        }
    }
}
