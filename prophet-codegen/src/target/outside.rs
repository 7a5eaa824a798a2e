//! Defines what a separate target program and the command that starts it exchange.
//!
//! Such a program calls [`main`]. First, the command starts it with [`DESCRIBE`] and reads a
//! [`Description`] from its standard output. Then the command starts it with [`MAKE`] and a
//! [`Task`] on standard input, and reads an [`Answer`]. All of these are JSON. The command itself
//! checks the model, shows problems, and writes files, so users see no difference between targets.

use std::borrow::Cow;
use std::env;
use std::io::stdin;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

use super::{Files, Input, Target, format};
use crate::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use prophet_frontend::resolve::resolve;
use prophet_model::diagnostic::{Diagnostic, Diagnostics};
use prophet_model::source::Source;
use prophet_text::{Context as _, Problem, problem};

use prophet_frontend::{assume, tables};

/// The argument that asks a program for its [`Description`].
pub const DESCRIBE: &str = "describe";
/// The argument that asks a program for the [`Answer`] to a [`Task`].
pub const MAKE: &str = "make";
/// The version of this library. Both programs must be compiled with the same version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A target's properties.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The version of this library that the target was compiled with.
    pub prophet_codegen: String,
    /// [`Target::name`].
    pub name: String,
    /// [`Target::about`].
    pub about: String,
    /// [`Target::folder`].
    pub folder: String,
    /// [`Target::knows_own_stereotypes`].
    pub knows_own_stereotypes: bool,
}

impl Description {
    fn of(target: &dyn Target) -> Self {
        Self {
            prophet_codegen: VERSION.to_owned(),
            name: target.name().to_owned(),
            about: target.about().to_owned(),
            folder: target.folder().to_owned(),
            knows_own_stereotypes: target.knows_own_stereotypes(),
        }
    }
}

/// A model to generate files from: everything that an [`Input`] needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task<'a> {
    source: Cow<'a, Source>,
    tables: Cow<'a, Path>,
    vocabulary: Cow<'a, [PathBuf]>,
    assumed_step_s: Option<f64>,
    name: Cow<'a, str>,
    model_file: Cow<'a, str>,
    main: Option<Cow<'a, str>>,
    folder: Cow<'a, Path>,
    workspace: Cow<'a, Workspace>,
}

impl<'a> Task<'a> {
    /// Creates the task of generating files from `input`. The model's tables are in the folder
    /// `tables`.
    pub fn new(input: &Input<'a>, tables: &'a Path) -> Self {
        Self {
            source: Cow::Borrowed(input.source),
            tables: Cow::Borrowed(tables),
            vocabulary: Cow::Borrowed(&input.vocabulary.files),
            assumed_step_s: input.program.assumed_step_s,
            name: Cow::Borrowed(input.name),
            model_file: Cow::Borrowed(input.model_file),
            main: input.main.map(Cow::Borrowed),
            folder: Cow::Borrowed(input.folder),
            workspace: Cow::Borrowed(input.workspace),
        }
    }
}

/// The result of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Parts of the model that the target cannot express.
    pub problems: Vec<Diagnostic>,
    /// The formatted files, including sidecars. Empty if any problem is an error.
    pub files: Files,
}

/// The `main` of a crate that contains one target. `gen --target FOLDER` starts it.
pub fn main(target: &dyn Target) -> ExitCode {
    let asked = env::args().nth(1);
    let done = match asked.as_deref() {
        Some(DESCRIBE) => print(&Description::of(target)),
        Some(MAKE) => read().and_then(|task| print(&answer(target, &task)?)),
        _ => Err(problem!(
            "`{}` is a target; `gen MODEL --target FOLDER` uses it, with the folder of its crate",
            target.name()
        )),
    };
    done.map_or_else(
        |message| {
            prophet_text::tell!("error: {message}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}

fn read() -> Result<Task<'static>, Problem> {
    serde_json::from_reader(stdin().lock()).cannot("read", "the task")
}

fn print(answer: &impl Serialize) -> Result<(), Problem> {
    prophet_text::print(&serde_json::to_string(answer).told()?)
}

/// Generates a target's files, or reports what it cannot express.
fn answer(target: &dyn Target, task: &Task<'_>) -> Result<Answer, Problem> {
    let mut rules = RuleSet::shipped();
    for file in task.vocabulary.iter() {
        rules.add_vocabulary(file)?;
    }
    if let Some(step_s) = task.assumed_step_s {
        rules.assume_steps(step_s);
    }
    let mut problems = Diagnostics::new();
    let main = task.main.as_deref();
    let table = |file: &str| tables::read(&task.tables, file);
    let (mut model, _) = assume::read(&rules, &task.source, &table, main, &mut problems);
    let program = model
        .as_mut()
        .and_then(|model| resolve(model, &task.source, &table, &mut problems));
    let (Some(model), Some(program), false) = (&model, &program, problems.has_errors()) else {
        return Ok(refused(problems));
    };
    let input = Input {
        program,
        model,
        source: &task.source,
        vocabulary: rules.vocabulary(),
        name: &task.name,
        model_file: &task.model_file,
        main,
        folder: &task.folder,
        workspace: &task.workspace,
    };
    // The command has already shown the problems of the model itself.
    let mut problems = Diagnostics::new();
    target.check(&input, &mut problems);
    if problems.has_errors() {
        return Ok(refused(problems));
    }
    let mut files = format(target.files(&input))?;
    let sidecars = target.sidecars(&input, &files);
    files.extend(sidecars);
    Ok(Answer {
        files,
        ..refused(problems)
    })
}

fn refused(problems: Diagnostics) -> Answer {
    Answer {
        problems: problems.sorted(),
        files: Files::new(),
    }
}
