//! Opens recordings of a program at different sizes.

use prophet_text::{FileRole, Problem, problem};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use prophet_import::{ImportedTrace, RankRule, Recorded, Recording};

use crate::places::Places;

pub(super) struct Opened {
    pub(super) folder: PathBuf,
    pub(super) trace: ImportedTrace,
}

impl Opened {
    pub(super) fn recording(&self) -> &Recording {
        let recording = self.trace.recording();
        recording.expect("only recordings are opened")
    }

    fn program(&self) -> &str {
        self.recording()
            .ranks()
            .first()
            .map_or("", |it| &it.program)
    }
}

/// Opens recordings, and sorts them by size.
pub(super) fn opened(folders: &[PathBuf]) -> Result<Vec<Opened>, Problem> {
    let mut runs = Vec::new();
    for folder in folders {
        let trace = recording(folder)?;
        let folder = folder.clone();
        runs.push(Opened { folder, trace });
    }
    runs.sort_by_key(|it| it.trace.ranks());
    refuse_others(&runs)?;
    let sizes: BTreeSet<u32> = runs.iter().map(|it| it.trace.ranks()).collect();
    if sizes.len() < 2 {
        return Err(problem!(
            "all recordings have {} ranks: also record the program with other numbers of ranks, \
             such as 2, 4 and 8; to get a model of one recording, use `import`",
            sizes.first().copied().unwrap_or(0)
        ));
    }
    Ok(runs)
}

/// Opens a recording, and rejects traces in other formats.
fn recording(path: &Path) -> Result<ImportedTrace, Problem> {
    if ImportedTrace::is_recording(path) || !path.exists() {
        return ImportedTrace::open(path);
    }
    let why = if path.is_dir() && ImportedTrace::find(path).is_none() {
        "the folder does not contain a recording"
    } else {
        match prophet_files::format_of(path) {
            Some(format) if format.kind.role() != FileRole::Trace => {
                format.told_for(FileRole::Trace)
            }
            _ => {
                "this is a trace of another tool; `learn` only reads recordings from `record`; to \
                  get a model of a trace, use `import`"
            }
        }
    };
    let help = "Pass the folder that `record -- mpirun -n 4 ./app` creates.";
    Err(Problem::with_help(why, help).in_file(path.display().to_string()))
}

fn refuse_others(runs: &[Opened]) -> Result<(), Problem> {
    let Some((first, others)) = runs.split_first() else {
        return Ok(());
    };
    let name = |it: &str| Path::new(it).file_name().unwrap_or_default().to_owned();
    for other in others {
        if name(first.program()) != name(other.program()) {
            return Err(problem!(
                "{} is a recording of {}, but {} is a recording of {}: pass recordings of one \
                 program",
                first.folder.display(),
                first.program(),
                other.folder.display(),
                other.program()
            ));
        }
    }
    Ok(())
}

/// Returns a run with a number of ranks that the rule forbids, if there is one.
pub(super) fn beside_rule(runs: &[Opened], rule: Option<RankRule>) -> Option<(&Opened, RankRule)> {
    let rule = rule?;
    let run = runs.iter().find(|it| !rule.allows(it.trace.ranks()))?;
    Some((run, rule))
}

/// Returns the names of the parameters, which must be the same in all runs.
pub(super) fn parameters(runs: &[Opened]) -> Result<Vec<String>, Problem> {
    let names = |run: &Opened| -> Vec<String> {
        let first = run.recording().ranks().first();
        first.map_or(Vec::new(), |it| it.parameters.keys().cloned().collect())
    };
    let first = names(&runs[0]);
    for run in &runs[1..] {
        if names(run) != first {
            let shown = |names: Vec<String>| match names.as_slice() {
                [] => "no parameters".to_owned(),
                names => names.join(", "),
            };
            return Err(problem!(
                "{} has {}, but {} has {}: record all runs with the same `--param`s",
                runs[0].folder.display(),
                shown(first),
                run.folder.display(),
                shown(names(run))
            ));
        }
    }
    Ok(first)
}

/// Returns the runs with the values of their parameters and with their call sites.
pub(super) fn recorded(runs: Vec<Opened>, names: &[String], places: &Places) -> Vec<Recorded> {
    let one = |run: Opened| {
        let ranks = run.recording().ranks();
        let value = |name: &String| {
            let text = ranks.first().and_then(|it| it.parameters.get(name));
            text.and_then(|it| it.parse().ok()).unwrap_or(0.0)
        };
        let parameters = names.iter().map(value).collect();
        let sites = ranks.iter().map(|it| places.numbers(it)).collect();
        Recorded {
            trace: run.trace,
            parameters,
            sites,
        }
    };
    runs.into_iter().map(one).collect()
}
