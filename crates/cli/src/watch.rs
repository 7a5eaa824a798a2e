//! Implements the `watch` command, which predicts again after each change.
//!
//! | module | is |
//! |---|---|
//! | `files` | the files that a prediction depends on, and their changes |
//! | `difference` | what changed against the last prediction |

mod difference;
mod files;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use prophet_codegen::generate::crate_name;
use prophet_codegen::workspace::file_name;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_result::RunResult;
use prophet_runtime::{RunError, RunHandle, written_files};

use crate::check::show;
use crate::format::print;
use crate::kind::role;
use crate::{CommandOutcome, Door, Stop, outputs};
use difference::Predicted;
use files::Files;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_text::{FileRole, Problem};
use prophet_workflow::command::{Drawing, predict as predict_workflow};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI), or a recorded workflow
    model: PathBuf,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    #[command(flatten)]
    rules: RuleFlags,
    /// Flags for the prediction, as for `run`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let outputs = written_files(&arguments.flags);
    outputs::refuse_named(&outputs, &arguments.model, &arguments.rules)?;
    let project = door.project()?;
    // A wrong name is reported immediately. A model that disappears later may come back.
    std::fs::metadata(&arguments.model).map_err(|why| Problem::unread(&arguments.model, why))?;
    let mut last: Option<Predicted> = None;
    loop {
        let mut files = Files::of(
            &arguments.model,
            arguments.rules.paths().cloned().collect(),
            &arguments.flags,
        );
        if arguments.model.exists() {
            match predict(&project, arguments, &mut files) {
                Ok(prediction) => {
                    tell(arguments, &difference::shown(last.as_ref(), &prediction))?;
                    last = Some(prediction);
                }
                Err(stop) if stop.code == 2 => return Err(stop),
                Err(stop) => {
                    if !stop.message.is_empty() {
                        prophet_text::tell!("error: {}", prophet_text::plain::lines(&stop.message));
                    }
                    // Any file next to the model can be one of its tables.
                    files.add_neighbors(&arguments.model);
                }
            }
        } else {
            prophet_text::tell!(
                "{} is missing; waiting until it is back",
                arguments.model.display()
            );
        }
        files.wait_for_change();
    }
}

fn tell(arguments: &Arguments, text: &str) -> Result<(), Stop> {
    print(&format!("{}: {text}", arguments.model.display()))
}

/// Predicts once, and records the files that the model reads.
fn predict(project: &Path, arguments: &Arguments, files: &mut Files) -> Result<Predicted, Stop> {
    if role(&arguments.model) == FileRole::Workflow {
        return workflow(arguments, None, files);
    }
    let rules = arguments.rules.read()?;
    let checked = check_by(&rules, &arguments.model, arguments.main.as_deref());
    let checked = checked?;
    let outputs = written_files(&arguments.flags);
    outputs::refuse_beside(&outputs, &arguments.model, (&checked, &rules))?;
    show(&checked);
    files.add_beside(&arguments.model, checked.source.needed());
    let Some(program) = &checked.program else {
        return Err(Stop::input(""));
    };
    files.add_beside(
        &arguments.model,
        program.tables.iter().map(|table| &table.file),
    );
    if program.is_workflow {
        let drawing = Drawing {
            checked: &checked,
            rules: &rules,
            rule_files: &[],
        };
        return workflow(arguments, Some(drawing), files);
    }
    let interpreted = Interpreted::new(&checked, &file_name(project, &arguments.model), false)
        .map_err(|why| Stop::usage(format!("cannot watch the model: {why}")))?;
    let name = crate_name(&arguments.model);
    let words = std::iter::once(name.into()).chain(arguments.flags.iter().cloned());
    let ran = interpreted
        .evaluate(words, &RunHandle::default())
        .map_err(stop)?;
    prophet_text::say_styled(&ran.notes);
    match ran.failed {
        Some(error) => Err(stop(error)),
        None => Ok(ran.prediction.result(interpreted.model()).into()),
    }
}

fn workflow(
    arguments: &Arguments,
    drawing: Option<Drawing<'_>>,
    files: &mut Files,
) -> Result<Predicted, Stop> {
    let predicted = predict_workflow(&arguments.model, &arguments.flags, drawing)?;
    files.add_beside(&arguments.model, predicted.files().iter());
    Ok(predicted.result().into())
}

impl From<RunResult<'_>> for Predicted {
    fn from(result: RunResult<'_>) -> Self {
        Self {
            time_s: result.predicted_time_s,
            is_random: result.random,
            elements: result.elements.into_owned(),
        }
    }
}

/// Returns how a prediction ended. Help and lists count as results.
fn stop(error: RunError) -> Stop {
    prophet_text::say_styled(&error.notes);
    let RunError { code, message, .. } = error;
    match code {
        0 => Stop::usage(format!(
            "these flags print information instead of a prediction:\n{message}"
        )),
        _ => Stop { code, message },
    }
}
