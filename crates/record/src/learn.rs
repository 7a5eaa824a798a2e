//! Learns one model from several recordings of a program.
//!
//! | module | is |
//! |---|---|
//! | `runs` | recordings of a program with several sizes |
//! | `costs` | costs fitted to the times of all runs |
//! | `trial` | trials of a model at the recorded sizes |
//! | `choice` | choosing the recordings to make the model from |

use prophet_text::{Problem, counted, percent, problem};
mod choice;
mod costs;
mod runs;
mod trial;

use std::path::{Path, PathBuf};

use prophet_import::{Folded, Manner, RankRule, Recorded, Unifier};

use crate::places::Places;
use choice::Candidate;
use costs::Fits;
use trial::{Size, Trial, Tried};

/// Share of the recorded computing above which a difference is reported.
const FAR: f64 = 0.2;
/// Number of elements from which a model isn't made again with mean sizes.
const RELAXED_MAX: usize = 4000;

const ONE_TAG: &str = "tags that change from turn to turn were replaced by one tag: the messages \
                       arrive in the same order";

pub(crate) struct Learned {
    pub(crate) folded: Folded,
    pub(crate) sizes: Vec<u32>,
    /// Notes about the fitted costs, and about what remains doubtful.
    pub(crate) notes: Vec<String>,
}

/// Learns a model with this name from folders of recordings, for the file at `path`.
///
/// # Errors
///
/// Returns an error if a recording is invalid or can't be repeated, if the recordings are from
/// different programs, or if they all have the same size. Unless `is_kept` is `true`, also returns
/// an error if the model doesn't do what was recorded.
pub(crate) fn learn(
    folders: &[PathBuf],
    (name, path): (&str, &Path),
    (rule, is_kept): (Option<RankRule>, bool),
) -> Result<Learned, Problem> {
    let runs = runs::opened(folders)?;
    let names = runs::parameters(&runs)?;
    let places = Places::of(runs.iter().map(runs::Opened::recording));
    let folders: Vec<PathBuf> = runs.iter().map(|it| it.folder.clone()).collect();
    refuse_rule(&runs, rule)?;
    let recorded = runs::recorded(runs, &names, &places);
    let of_size = |(number, run): (usize, &Recorded), unifier: &Unifier<'_>| Size {
        ranks: run.trace.ranks(),
        parameters: names.iter().cloned().zip(run.parameters.clone()).collect(),
        counts: unifier.counts(number),
    };
    let (unifier, sizes, best) = better(|is_relaxed: bool| {
        let unifier = Unifier::read(&recorded, &names, places.names(), &Fits, rule, is_relaxed)?;
        let sizes = recorded.iter().enumerate().map(|it| of_size(it, &unifier));
        let sizes: Vec<Size> = sizes.collect();
        let best = choice::best(&unifier, &sizes, name, path);
        Ok((unifier, sizes, best))
    })?;
    let told = |number: usize| {
        let ranks = counted(sizes[number].ranks.into(), "rank", "ranks");
        format!("{ranks} ({})", folders[number].display())
    };
    let mut notes = contradictions(&best, &told);
    notes.extend(unifier.has_one_tag().then(|| ONE_TAG.to_owned()));
    if let Some((number, miss)) = best.first_miss(true) {
        notes.push(missed(&told(number), miss, is_kept)?);
    }
    let (next, mut is_bounded) = (next(&best, &sizes), false);
    if best.first_miss(true).is_none()
        && let Some(why) = Tried::of(&best.folded.text).fails(&next, path)
    {
        is_bounded = true;
        notes.push(format!(
            "the formulas contradict each other for {} ranks ({}): with numbers of ranks that were \
             not recorded, every rank behaves like the average rank",
            next.ranks,
            why.lines().next().unwrap_or_default()
        ));
    }
    // The comment also contains the results of the trials.
    let model = |remarks: &[String]| {
        let manner = Manner {
            remarks,
            is_bounded,
        };
        unifier.model(&best.of, name, manner)
    };
    let mut folded = model(&notes);
    if is_bounded && let Some(why) = Tried::of(&folded.text).fails(&next, path) {
        let size = counted(next.ranks.into(), "rank", "ranks");
        notes.push(missed(&size, &Trial::Fails(why), is_kept)?);
        folded = model(&notes);
    }
    notes.extend(fitted(&folded));
    notes.extend(times(&best, &told));
    notes.extend(folded.undecided.iter().cloned());
    Ok(Learned {
        sizes: best.of.iter().map(|it| sizes[*it].ranks).collect(),
        folded,
        notes,
    })
}

/// Rejects a rule for the numbers of ranks that a recording contradicts.
fn refuse_rule(runs: &[runs::Opened], rule: Option<RankRule>) -> Result<(), Problem> {
    let Some((run, rule)) = runs::beside_rule(runs, rule) else {
        return Ok(());
    };
    Err(problem!(
        "{} has {}, which contradicts `--ranks {}`: omit the flag",
        run.folder.display(),
        counted(run.trace.ranks().into(), "rank", "ranks"),
        rule.name()
    ))
}

/// What learning found: the formulas, the recorded sizes, and the model.
type Attempt<'l> = (Unifier<'l>, Vec<Size>, Candidate);

/// Returns the attempt with exact formulas. If it has to list values by rank, and an attempt with
/// mean sizes and one tag is right and lists fewer, returns that one instead.
fn better<'l>(
    attempt: impl Fn(bool) -> Result<Attempt<'l>, Problem>,
) -> Result<Attempt<'l>, Problem> {
    let exact = attempt(false)?;
    let listed = &exact.2.folded;
    if listed.listed.is_empty() || listed.elements >= RELAXED_MAX {
        return Ok(exact);
    }
    let relaxed = attempt(true)?;
    let is_right = |it: bool| relaxed.2.first_miss(it).is_none();
    let is_better = is_right(true) && is_right(false) && relaxed.2.lack() < exact.2.lack();
    Ok(if is_better { relaxed } else { exact })
}

/// Returns a note that the model differs from the recording at this size, or an error if the model
/// isn't kept in that case.
fn missed(size: &str, miss: &Trial, is_kept: bool) -> Result<String, Problem> {
    let why = format!("with {size}, {}", shown(miss));
    if is_kept {
        return Ok(format!("the model was written anyway: {why}"));
    }
    Err(Problem::with_help(
        format!("the model differs from the recordings: {why}"),
        "omit that recording, record other sizes, or write the model anyway with `--keep`",
    ))
}

/// Returns the next size that the program allows, with the parameters of the largest size.
fn next(best: &Candidate, sizes: &[Size]) -> Size {
    let largest = sizes.iter().max_by_key(|it| it.ranks);
    let ranks = largest.map_or(1, |it| it.ranks);
    let next = best.folded.rule.and_then(|it| it.next(ranks));
    Size {
        ranks: next.unwrap_or(ranks.saturating_mul(2)),
        parameters: largest.map_or(Vec::new(), |it| it.parameters.clone()),
        ..Size::default()
    }
}

fn shown(trial: &Trial) -> String {
    match trial {
        Trial::Same(_) => String::new(),
        Trial::Differs(what) => format!("its messages differ: {what}"),
        Trial::Fails(why) => format!("it does not run: {why}"),
    }
}

fn contradictions(best: &Candidate, told: &dyn Fn(usize) -> String) -> Vec<String> {
    let left_out = (0..best.trials.len()).filter(|it| !best.of.contains(it));
    let one = |number: usize| match &best.trials[number] {
        Trial::Same(_) => format!(
            "the recording of {} was not needed: a formula that was found without it is also right \
             for it",
            told(number)
        ),
        miss => format!(
            "the recording of {} contradicts the other recordings and was ignored; the model is \
             wrong there: {}",
            told(number),
            shown(miss)
        ),
    };
    left_out.map(one).collect()
}

fn fitted(folded: &Folded) -> Vec<String> {
    let note = |(note, count): (&String, &u32)| {
        format!("{note} ({})", counted(u64::from(*count), "cost", "costs"))
    };
    let mut notes: Vec<String> = folded.notes.iter().map(note).collect();
    if !folded.means.is_empty() {
        notes.push(format!(
            "message sizes depend on the program's data, so the model uses their mean: {}",
            folded.means.join(", ")
        ));
    }
    notes
}

/// Describes where the model's computing differs much from the recorded computing.
fn times(best: &Candidate, told: &dyn Fn(usize) -> String) -> Option<String> {
    let far = |number: &usize| match best.trials[*number] {
        Trial::Same(times) if (times - 1.0).abs() > FAR => {
            let sign = if times > 1.0 { "+" } else { "" };
            Some(format!(
                "{sign}{} with {}",
                percent(times - 1.0),
                told(*number)
            ))
        }
        _ => None,
    };
    let far: Vec<String> = best.of.iter().filter_map(far).collect();
    (!far.is_empty()).then(|| {
        format!(
            "computing times in the model differ from the recordings: {}",
            far.join(", ")
        )
    })
}
