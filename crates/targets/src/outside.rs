//! Runs targets from users' crates. cargo compiles such a crate, and the resulting program
//! generates the files.

use prophet_text::{Context as _, Problem, problem};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use prophet_codegen::diagnostic::catalogue::target::NO_ANSWER;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics, Span};
use prophet_codegen::target::outside::{Answer, DESCRIBE, Description, MAKE, Task, VERSION};
use prophet_codegen::target::{Files, Input, Target};
use prophet_codegen::workspace::Workspace;
use serde_json::Value;

use prophet_codegen::build;

/// A target from a user's crate, compiled for a single model.
#[derive(Debug)]
pub struct Outside {
    flag: String,
    program: PathBuf,
    description: Description,
    tables: PathBuf,
    /// The files from the last check.
    files: Mutex<Files>,
}

impl Outside {
    /// Compiles the target in the crate at `folder` for the model `model`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no crate, if it doesn't compile, or if it isn't a target for
    /// this version.
    pub fn open(folder: &Path, model: &Path, workspace: &Workspace) -> Result<Self, Problem> {
        let shown = folder.display();
        let wanted = "`--target` needs a name that `gen --help` lists, or the folder of a crate \
                      (docs/vocabulary.md)";
        if !folder.is_dir() {
            return Err(problem!("the folder {shown} does not exist: {wanted}"));
        }
        if !folder.join("Cargo.toml").is_file() {
            return Err(problem!("{shown} does not contain Cargo.toml: {wanted}"));
        }
        let program = build::outside(folder, workspace)
            .map_err(|problem| problem!("cannot use the target in {shown}: {problem}"))?;
        let description = describe(&program)
            .map_err(|problem| problem!("cannot use the target in {shown}: {problem}"))?;
        Ok(Self {
            flag: shown.to_string(),
            program,
            description,
            tables: model.parent().unwrap_or(Path::new("")).to_owned(),
            files: Mutex::default(),
        })
    }

    /// Lets the target's program generate the files.
    fn ask(&self, input: &Input<'_>) -> Result<Answer, Problem> {
        let task = serde_json::to_vec(&Task::new(input, &self.tables));
        let task = task.cannot("be", "given the model")?;
        let output = start(&self.program, MAKE, Stdio::piped())
            .and_then(|child| finish(child, &task))
            .cannot("be", "started")?;
        if !output.status.success() {
            return Err(problem!("ended without an answer ({})", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| problem!("did not print a valid answer: {error}"))
    }
}

impl Target for Outside {
    fn name(&self) -> &str {
        &self.description.name
    }

    fn flag(&self) -> &str {
        &self.flag
    }

    fn about(&self) -> &str {
        &self.description.about
    }

    fn folder(&self) -> &str {
        &self.description.folder
    }

    fn knows_own_stereotypes(&self) -> bool {
        self.description.knows_own_stereotypes
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        let answer = self.ask(input).unwrap_or_else(|problem| {
            let message = format!("the target in {} {problem}", self.flag);
            Answer {
                problems: vec![Diagnostic::new(&NO_ANSWER, Span::default(), message)],
                files: Files::new(),
            }
        });
        for problem in answer.problems {
            problems.push(problem);
        }
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = answer.files;
    }

    fn files(&self, _input: &Input<'_>) -> Files {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *files)
    }
}

fn describe(program: &Path) -> Result<Description, Problem> {
    let output = start(program, DESCRIBE, Stdio::null())
        .and_then(Child::wait_with_output)
        .cannot("start", program.display())?;
    let none = || {
        problem!(
            "its program is not a target; call `prophet_codegen::target::main(&YourTarget)` in its \
             `main`"
        )
    };
    let said: Value = serde_json::from_slice(&output.stdout).map_err(|_| none())?;
    let version = said["prophet_codegen"].as_str().ok_or_else(none)?;
    if version != VERSION {
        return Err(problem!(
            "it uses version {version} of prophet-codegen, but this is {VERSION}; set this \
             version in its Cargo.toml"
        ));
    }
    serde_json::from_value(said).map_err(|_| none())
}

/// Starts a target's program. Its standard error isn't redirected.
fn start(program: &Path, argument: &str, input: Stdio) -> std::io::Result<Child> {
    Command::new(program)
        .arg(argument)
        .stdin(input)
        .stdout(Stdio::piped())
        .spawn()
}

/// Sends the task to a program, and reads its answer.
fn finish(mut child: Child, task: &[u8]) -> std::io::Result<Output> {
    if let Some(input) = child.stdin.take() {
        // If the program has already ended, its exit status says why.
        let _ = BufWriter::new(input).write_all(task);
    }
    child.wait_with_output()
}
