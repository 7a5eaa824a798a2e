//! Command `watch`: predicts again on each change.
//!
//! | module | is |
//! |---|---|
//! | `files` | the files that a prediction depends on, and their changes |
//! | `difference` | what changed against the last prediction |

mod difference;
mod files;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use prophet_codegen::generate::{check_by, crate_name};
use prophet_codegen::workspace::file_name;
use prophet_interpreter::Interpreted;
use prophet_result::RunResult;

use crate::check::{Rules, show};
use crate::print::print;
use crate::{Door, Outcome, Stop, outputs};
use files::Files;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// The activity to start with, where the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    #[command(flatten)]
    rules: Rules,
    /// Flags of the prediction, as those of `run`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Prediction of a model.
type Prediction = RunResult<'static>;

/// Predicts until the user ends it.
pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let reads = outputs::Run {
        model: &arguments.model,
        main: arguments.main.as_deref(),
        rules: &arguments.rules,
        flags: &arguments.flags,
    };
    reads.refuse_inputs()?;
    let project = door.project()?;
    // A wrong name is told at once; a model that goes later may come back.
    std::fs::metadata(&arguments.model).map_err(|error| {
        Stop::input(format!(
            "cannot read {}: {error}",
            arguments.model.display()
        ))
    })?;
    let mut last: Option<Prediction> = None;
    loop {
        let mut files = Files::of(&arguments.model, arguments.rules.paths(), &arguments.flags);
        if arguments.model.exists() {
            match predict(&project, arguments, &mut files) {
                Ok(prediction) => {
                    tell(arguments, &difference::shown(last.as_ref(), &prediction))?;
                    last = Some(prediction);
                }
                Err(stop) if stop.code == 2 => return Err(stop),
                Err(stop) => {
                    if !stop.message.is_empty() {
                        eprintln!("error: {}", prophet_text::plain::lines(&stop.message));
                    }
                    // Which of them are its tables is not known.
                    files.add_neighbors(&arguments.model);
                }
            }
        } else {
            eprintln!("{} is gone: waiting for it", arguments.model.display());
        }
        files.wait();
    }
}

fn tell(arguments: &Arguments, text: &str) -> Result<(), Stop> {
    print(&format!("{}: {text}", arguments.model.display()))?;
    // Another program that reads this wants each prediction at once.
    io::stdout()
        .flush()
        .map_err(|error| Stop::input(error.to_string()))
}

/// Predicts once, and notes the files that the model reads.
fn predict(project: &Path, arguments: &Arguments, files: &mut Files) -> Result<Prediction, Stop> {
    let rules = arguments.rules.read()?;
    let checked = check_by(&rules, &arguments.model, arguments.main.as_deref());
    let checked = checked.map_err(Stop::input)?;
    show(&checked);
    files.add_beside(&arguments.model, checked.source.needed());
    let Some(program) = &checked.program else {
        return Err(Stop::input(""));
    };
    files.add_beside(
        &arguments.model,
        program.tables.iter().map(|table| &table.file),
    );
    let interpreted = Interpreted::new(&checked, &file_name(project, &arguments.model), false)
        .map_err(|why| Stop::usage(format!("the model cannot be watched: {why}")))?;
    let name = crate_name(&arguments.model);
    let flags = without_format(&arguments.flags);
    let words = std::iter::once(name.into())
        .chain(flags)
        .chain(["--format=json".into()]);
    let (mut result, mut messages) = (Vec::new(), Vec::new());
    let code = interpreted.run_to(words, &mut result, &mut messages);
    let messages = String::from_utf8_lossy(&messages);
    if code != 0 {
        let message = messages.trim_end();
        let message = message
            .strip_prefix("error: ")
            .unwrap_or(message)
            .to_owned();
        return Err(Stop { code, message });
    }
    eprint!("{messages}");
    serde_json::from_slice(&result).map_err(|_| {
        // Help and lists are answers, too.
        let answer = String::from_utf8_lossy(&result).into_owned();
        Stop::usage(format!(
            "the flags ask for no prediction but for:\n{answer}"
        ))
    })
}

/// Flags but for the format of the result.
fn without_format(flags: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if flag == "--format" {
            flags.next();
        } else if !flag.to_string_lossy().starts_with("--format=") {
            kept.push(flag.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_ours() {
        let flags = [
            "--nodes",
            "2",
            "--format",
            "table",
            "--format=json",
            "--seed=3",
        ];
        let kept = without_format(&flags.map(OsString::from));
        assert_eq!(kept, ["--nodes", "2", "--seed=3"]);
    }
}
