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

use std::iter::successors;
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
/// Maximum number of ranks, and of calls together, of trials with sizes that weren't recorded.
const TRIED_RANKS: u32 = 1024;
const TRIED_CALLS: u64 = 2 << 20;
/// Number of ranks below which all sizes are tried.
const TRIED_BETWEEN: u32 = 16;

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
    let further = further(&best, &sizes);
    let failed = match best.first_miss(true) {
        None => failed(&best, &further, path),
        Some(_) => Vec::new(),
    };
    let shown = rule_shown(&sizes, &failed).filter(|_| best.draft.folded.rule.is_none());
    let is_bounded = !failed.is_empty() && shown.is_none();
    notes.extend(failed.first().map(|it| contradiction(it, shown)));
    // The comment also contains the results of the trials.
    let model = |remarks: &[String]| {
        let manner = Manner {
            remarks,
            is_bounded,
            rule: shown,
        };
        unifier.model(&best.draft, name, manner)
    };
    let mut folded = model(&notes);
    if is_bounded
        && let Some(next) = further.first()
        && let Some(why) = Tried::of(&folded.text).fails(next, path)
    {
        let size = counted(next.ranks.into(), "rank", "ranks");
        notes.push(missed(&size, &Trial::Fails(why), is_kept)?);
        folded = model(&notes);
    }
    notes.extend(fitted(&folded));
    let tried = Tried::of(&folded.text);
    notes.extend(times(&best.of, |it| tried.at(&sizes[it], path), &told));
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
    let listed = &exact.2.draft.folded;
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

/// Returns sizes that weren't recorded and that the program allows, with the parameters of the
/// largest size: the next larger one, smaller ones, and larger ones that don't take long.
fn further(best: &Candidate, sizes: &[Size]) -> Vec<Size> {
    let Some(largest) = sizes.iter().max_by_key(|it| it.ranks) else {
        return Vec::new();
    };
    let (folded, most) = (&best.draft.folded, largest.ranks);
    let next = |ranks: &u32| {
        let allowed = folded.rule.and_then(|it| it.next(*ranks));
        Some(allowed.unwrap_or(ranks.saturating_mul(2)))
    };
    let least = sizes.iter().map(|it| it.ranks).min().unwrap_or(most);
    let is_new = |it: &u32| {
        folded.rule.is_none_or(|rule| rule.allows(*it)) && sizes.iter().all(|own| own.ranks != *it)
    };
    let larger = successors(next(&most), next).take_while(|it| *it <= TRIED_RANKS.max(2 * most));
    let smaller = (least..most.min(TRIED_BETWEEN)).filter(is_new);
    let mut left = TRIED_CALLS;
    let mut all: Vec<u32> = larger
        .take_while(|it| {
            let times = u64::from(it / most + 1);
            left = left.saturating_sub(largest.counts.calls() * times * times);
            left > 0
        })
        .collect();
    if all.is_empty() {
        all.extend(next(&most));
    }
    if folded.listed.is_empty() {
        all.extend(smaller);
    } else {
        all.truncate(1);
    }
    let size = |ranks| Size {
        ranks,
        parameters: largest.parameters.clone(),
        ..Size::default()
    };
    all.into_iter().map(size).collect()
}

/// Returns the sizes at which a model doesn't run, with the reasons.
fn failed(best: &Candidate, sizes: &[Size], path: &Path) -> Vec<(u32, String)> {
    let tried = Tried::of(&best.draft.folded.text);
    let fails = |it: &Size| Some((it.ranks, tried.fails(it, path)?));
    sizes.iter().filter_map(fails).collect()
}

/// Returns the rule that all recorded sizes follow, but none at which the model failed.
fn rule_shown(sizes: &[Size], failed: &[(u32, String)]) -> Option<RankRule> {
    let fits = |rule: &RankRule| {
        sizes.iter().all(|it| rule.allows(it.ranks)) && !failed.iter().any(|it| rule.allows(it.0))
    };
    RankRule::ALL
        .into_iter()
        .find(fits)
        .filter(|_| !failed.is_empty())
}

fn contradiction((ranks, why): &(u32, String), shown: Option<RankRule>) -> String {
    let why = why.lines().next().unwrap_or_default();
    let so = match shown {
        Some(rule) => format!(
            "as with `--ranks {}`, the model stops with such numbers; if the program supports \
             them, record one",
            rule.name()
        ),
        None => {
            "with numbers of ranks that were not recorded, every rank behaves like the average \
                 rank"
                .to_owned()
        }
    };
    format!("the formulas contradict each other for {ranks} ranks ({why}): {so}")
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
fn times(
    of: &[usize],
    trial: impl Fn(usize) -> Trial,
    told: &dyn Fn(usize) -> String,
) -> Option<String> {
    let far = |number: &usize| match trial(*number) {
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
    let far: Vec<String> = of.iter().filter_map(far).collect();
    (!far.is_empty()).then(|| {
        format!(
            "computing times in the model differ from the recordings: {}",
            far.join(", ")
        )
    })
}
