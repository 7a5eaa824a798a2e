//! Counts, in drawings from real projects (`../shared/real-models`), how many activities run
//! unchanged, how many run with `--assume`, and how many of these take time.
//!
//! `REAL_MODELS=FOLDER` counts the files in another folder, and `cargo test -p prophet-tests --test
//! all assumed -- --nocapture` shows the table.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Diagnostics, Severity};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_frontend::program::Program;
use prophet_interpreter::Interpreted;
use prophet_model::xmi;
use prophet_tests::shared;

/// Returns the model files if they exist next to the checkout.
fn files() -> Option<Vec<PathBuf>> {
    let named = std::env::var_os("REAL_MODELS").map(PathBuf::from);
    let folder = named.or_else(|| Some(shared()?.join("real-models")));
    let Some(entries) = folder.and_then(|it| std::fs::read_dir(it).ok()) else {
        eprintln!("skipped: there is no ../shared/real-models beside the project");
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|it| it != "tsv"));
    paths.sort();
    Some(paths)
}

/// Returns the paths of the activities with nodes in a file.
fn activities(file: &Path) -> BTreeSet<String> {
    let source = xmi::load(file).expect("the file is readable");
    let mut problems = Diagnostics::new();
    let Some(model) = xmi::read(&source, None, &mut problems) else {
        return BTreeSet::new();
    };
    let contents = model.elements.iter().flat_map(|it| it.kind.contents());
    let contents: BTreeSet<usize> = contents.map(|it| it.0).collect();
    let drawn = model.diagrams.iter().enumerate();
    let drawn = drawn.filter(|(at, it)| !contents.contains(at) && !it.elements.is_empty());
    drawn.map(|(_, it)| it.path.clone()).collect()
}

/// Runs a program. Returns its result or its error message.
fn predicted(checked: &Checked) -> Result<String, String> {
    let program = Interpreted::new(checked, "model.uml", false).map_err(|why| why.to_string())?;
    let (mut result, mut problems) = (Vec::new(), Vec::new());
    let code = program.run_to([OsString::from("model")], &mut result, &mut problems);
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    if code == 0 {
        return Ok(text(result));
    }
    let problem = text(problems);
    Err(problem.lines().next().unwrap_or_default().to_owned())
}

#[derive(Debug, Default)]
struct Counts {
    all: usize,
    run: usize,
    /// Number of activities that run and take time, so that one of their elements is the
    /// bottleneck.
    timed: usize,
    /// The number of activities that each kind of error stops, and the number that it stops without
    /// any other kind.
    stops: BTreeMap<String, (usize, usize)>,
}

impl Counts {
    fn add(&mut self, rules: &RuleSet, file: &Path, activity: &str) {
        let checked = check_by(rules, file, Some(activity)).expect("the file is readable");
        let shown = format!("{activity} of {}", file.display());
        assert_eq!(
            checked.program.is_none(),
            checked.model.is_none(),
            "{shown}: {:?}",
            checked.diagnostics
        );
        self.all += 1;
        let problems = checked.diagnostics.iter();
        let errors = problems.filter(|it| it.severity == Severity::Error);
        let mut stops: BTreeSet<String> = errors.map(|it| it.code.to_string()).collect();
        assert!(rules.assumes() || checked.assumptions.is_empty());
        if checked.program.is_some() {
            assert!(stops.is_empty(), "{}", file.display());
            match predicted(&checked) {
                Ok(result) => {
                    let told = result.contains("\nAssumed\n");
                    assert_eq!(told, !checked.assumptions.is_empty(), "{result}");
                    self.run += 1;
                    let takes_no_time = result.starts_with("Predicted time  0 s\n");
                    self.timed += usize::from(!takes_no_time);
                    let unpriced = checked.program.as_ref().is_some_and(Program::is_unpriced);
                    assert_eq!(unpriced, result.contains("\nCosts           missing: "));
                }
                Err(why) => stops.extend([why]),
            }
        }
        let is_only = stops.len() == 1;
        for stop in stops {
            let (any, only) = self.stops.entry(stop).or_default();
            *any += 1;
            *only += usize::from(is_only);
        }
    }

    fn table(&self) -> String {
        let mut text = format!(
            "{} activities, {} run, {} take time\n",
            self.all, self.run, self.timed
        );
        for (stop, (any, only)) in &self.stops {
            let _ = writeln!(text, "  {any:4} stopped by {stop}, {only} by it alone");
        }
        text
    }
}

fn counted(files: &[PathBuf], assumes: bool) -> Counts {
    let mut rules = RuleSet::shipped();
    if assumes {
        rules.assume();
    }
    let mut counts = Counts::default();
    for file in files {
        for activity in activities(file) {
            counts.add(&rules, file, &activity);
        }
    }
    counts
}

#[test]
fn most_real_activities_run_with_assumptions() {
    let Some(files) = files() else { return };
    let (strict, assuming) = (counted(&files, false), counted(&files, true));
    eprintln!(
        "as they are: {}with --assume: {}",
        strict.table(),
        assuming.table()
    );
    assert_eq!(strict.all, assuming.all);
    assert!(assuming.run >= strict.run);
    // Files in another folder can contain anything.
    let (strictly, assumed) = match std::env::var_os("REAL_MODELS") {
        Some(_) => (0, 6),
        None => (7, 8),
    };
    let most = |counts: &Counts, tenths: usize| 10 * counts.run >= tenths * counts.all;
    assert!(most(&strict, strictly), "{}", strict.table());
    assert!(most(&assuming, assumed), "{}", assuming.table());
    // The other activities contain nothing that would take time.
    assert!(
        10 * assuming.timed >= 6 * assuming.run,
        "{}",
        assuming.table()
    );
}
