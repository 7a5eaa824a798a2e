//! Implements the `run` command.
//!
//! | module | is |
//! |---|---|
//! | `native` | the crate of a model, compiled |
//! | `saved` | results that are saved |
//! | `race` | an interpretation that takes long, and the compilation that may overtake it |
//! | `starts` | commands that run each activity which may be the program |

mod native;
mod race;
#[cfg(feature = "whole")]
mod saved;
mod starts;

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use prophet_codegen::generate::crate_name;
use prophet_codegen::workspace::file_name;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_interpreter::Interpreted;
use prophet_runtime::{taken_flags, written_files};
use prophet_text::FileRole;

use crate::check::{refuse, show};
use crate::given::Given;
use crate::kind::role;
use crate::{CommandOutcome, Door, Stop, memory, outputs};
use prophet_frontend::rule_flags::RuleFlags;
#[cfg(feature = "whole")]
use prophet_workflow::command::{Drawing, run as workflow};
use race::Race;

#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI), a trace to replay, or a recorded workflow (`WfFormat`); `-` reads a
    /// model from standard input
    model: PathBuf,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Overwrite files that the generator did not write
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    rules: RuleFlags,
    /// Choose how to evaluate the model
    #[arg(long, value_enum, default_value_t = Evaluate::Auto)]
    evaluate: Evaluate,
    /// Compile the crate, and print the path of its program
    #[arg(long, hide = true)]
    compile_only: bool,
    /// Hide the note on how the model was evaluated
    #[arg(long, short)]
    quiet: bool,
    /// Save the result, in a file or in a PostgreSQL database [default: the repository of `runs`]
    #[arg(long, value_name = "FILE|URL", num_args = 0..=1, default_missing_value = "")]
    save: Option<OsString>,
    /// Flags of the model's program; `-- --help` lists them. Flags that `run` does not have work
    /// without `--`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Way of evaluating a model; the prediction is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Evaluate {
    /// Interprets the model immediately; if that takes longer than a second, also compiles it
    /// meanwhile
    Auto,
    /// Generates its crate, compiles it with optimizations, and runs it
    Native,
    /// Interprets the model to the end; this does not need Rust
    Interpreted,
}

/// A model that has been read and checked once, and its command line.
#[derive(Clone, Copy)]
struct Subject<'a> {
    arguments: &'a Arguments,
    rules: &'a RuleSet,
    checked: &'a Checked,
}

#[cfg(not(feature = "whole"))]
impl Arguments {
    /// Returns `true` if only the full program can run the command with these arguments.
    pub(crate) fn need_whole(&self) -> bool {
        self.evaluate == Evaluate::Native || self.save.is_some() || self.is_reported()
    }
}

impl Arguments {
    /// Returns `true` if the run writes a report or a picture, which show the drawings.
    fn is_reported(&self) -> bool {
        let shows = |flag: &OsString| {
            let flag = flag.to_string_lossy();
            ["--report", "--picture"]
                .iter()
                .any(|it| flag.starts_with(it))
        };
        self.flags.iter().any(shows)
    }
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let given = Given::of(&arguments.model)?;
    let arguments = &Arguments {
        model: given.path().to_owned(),
        ..arguments.clone()
    };
    let outputs = written_files(&arguments.flags);
    outputs::refuse_named(&outputs, &arguments.model, &arguments.rules)?;
    #[cfg(feature = "whole")]
    if let Some(repository) = &arguments.save {
        outputs::refuse_other_file(repository)?;
        outputs::refuse_repository(&outputs, repository)?;
    }
    let role = role(&arguments.model);
    // The model reader reports anything else.
    if matches!(role, FileRole::Workflow | FileRole::Trace) {
        refuse_unlike_a_program(arguments, role)?;
        #[cfg(not(feature = "whole"))]
        return crate::tool::become_whole(door, Some(given));
        #[cfg(feature = "whole")]
        return saved_or(door, arguments, |flags| {
            predict_recorded(door, &arguments.model, &flags, role)
        });
    }
    let main = arguments.main.as_deref();
    let rules = arguments.rules.read().inspect_err(|_| {
        // A flag for rules can be meant as a parameter: `--vocabulary 51200`.
        let checked = check_by(&RuleSet::shipped(), &arguments.model, main);
        let _ = checked.inspect(|it| warn_of_own_flags(arguments, it));
    })?;
    let checked = check_by(&rules, &arguments.model, main)?;
    warn_of_own_flags(arguments, &checked);
    outputs::refuse_beside(&outputs, &arguments.model, (&checked, &rules))?;
    if checked.program.as_ref().is_some_and(|it| it.is_workflow) {
        show(&checked);
        refuse_unlike_a_program(arguments, FileRole::Workflow)?;
        #[cfg(not(feature = "whole"))]
        return crate::tool::become_whole(door, Some(given));
        #[cfg(feature = "whole")]
        return saved_or(door, arguments, |flags| {
            let drawing = Drawing {
                checked: &checked,
                rules: &rules,
                rule_files: &{ arguments.rules.paths().cloned() }.collect::<Vec<_>>(),
            };
            let program = format!("{} run", door.program());
            let model = &arguments.model;
            Ok(workflow(&program, model, &flags, Some(drawing)))
        });
    }
    run_program(door, arguments, (&rules, checked))
}

fn run_program(
    door: &dyn Door,
    arguments: &Arguments,
    (rules, mut checked): (&RuleSet, Checked),
) -> CommandOutcome {
    if memory::has_working_sets(&checked) && race::can_begin_anew(&arguments.flags) {
        // The program itself reports mistakes in its flags.
        let found = memory::problems(&checked, &arguments.flags).unwrap_or_default();
        if !found.is_empty() {
            refuse(&mut checked, found);
            show(&checked);
            return Err(Stop::input(""));
        }
    }
    let subject = Subject {
        arguments,
        rules,
        checked: &checked,
    };
    #[cfg(feature = "whole")]
    if arguments.compile_only {
        let program = native::compile(door, subject)?;
        crate::format::print(&serde_json::json!({ "executable": program }).to_string())?;
        return Ok(std::process::ExitCode::SUCCESS);
    }
    match arguments.evaluate {
        Evaluate::Native => run_compiled(door, subject),
        Evaluate::Auto | Evaluate::Interpreted => evaluate(door, subject),
    }
}

/// Warns if a flag of this command has the same name as a parameter of the model.
fn warn_of_own_flags(arguments: &Arguments, checked: &Checked) {
    let Some(program) = &checked.program else {
        return;
    };
    let given = [
        (arguments.main.is_some(), "--main"),
        (arguments.force, "--force"),
        (arguments.quiet, "--quiet"),
        (arguments.save.is_some(), "--save"),
        (arguments.evaluate != Evaluate::Auto, "--evaluate"),
    ];
    let given = given.into_iter().filter(|(is_given, _)| *is_given);
    let mut words: Vec<OsString> = given.map(|(_, flag)| flag.into()).collect();
    words.extend(arguments.rules.again());
    let own = words.clone();
    let is_own = |flag: &str| own.iter().any(|it| *it == *format!("--{flag}"));
    words.extend(arguments.flags.iter().cloned());
    let names = program.parameters.iter().map(|it| it.name.as_str());
    for warning in taken_flags(names, is_own, &words) {
        prophet_text::tell!("warning: {warning}");
    }
}

fn run_compiled(door: &dyn Door, subject: Subject<'_>) -> CommandOutcome {
    #[cfg(feature = "whole")]
    {
        let program = native::compile(door, subject)?;
        finish_as(door, subject, &program)
    }
    #[cfg(not(feature = "whole"))]
    crate::tool::become_whole(door, None)
}

/// Turns this process into the compiled program. Saves the result if the user asked for that.
fn finish_as(door: &dyn Door, subject: Subject<'_>, program: &Path) -> CommandOutcome {
    match &subject.arguments.save {
        #[cfg(feature = "whole")]
        Some(repository) => saved::finish_as(door, subject, repository, program),
        _ => native::become_it(subject.arguments, program),
    }
}

/// Evaluates the model with its compiled program, if there is one, or otherwise in this process.
fn evaluate(door: &dyn Door, subject: Subject<'_>) -> CommandOutcome {
    let Subject {
        arguments, checked, ..
    } = subject;
    if checked.program.is_none() {
        show(checked);
        starts::show(door, arguments, &checked.mains);
        return Err(Stop::input(""));
    }
    let is_auto = arguments.evaluate == Evaluate::Auto;
    if is_auto && let Some(program) = native::at_hand(door, subject) {
        show(checked);
        return finish_as(door, subject, &program);
    }
    match interpreted(door, subject) {
        Ok(program) => {
            show(checked);
            match &arguments.save {
                #[cfg(feature = "whole")]
                Some(repository) => {
                    let from = (arguments, native::folder(door, subject));
                    saved::keep(door, from, repository, |flags| {
                        Ok(interpret(door, subject, &program, &flags).into())
                    })
                }
                _ => Ok(interpret(door, subject, &program, &arguments.flags).into()),
            }
        }
        Err(_) if is_auto => run_compiled(door, subject),
        Err(stop) => Err(stop),
    }
}

fn interpreted(door: &dyn Door, subject: Subject<'_>) -> Result<Interpreted, Stop> {
    let arguments = subject.arguments;
    let refuse = |why: &dyn Display| {
        let model = arguments.model.display();
        Stop::input(format!(
            "cannot interpret {model}: {why}; run it with `--evaluate native`"
        ))
    };
    if subject.rules.vocabulary().has_hardware() {
        return Err(refuse(&"custom hardware models must be compiled"));
    }
    let file = file_name(&door.project()?, &arguments.model);
    let drawn = arguments.is_reported();
    Interpreted::new(subject.checked, &file, drawn).map_err(|why| refuse(&why))
}

/// Interprets the program, unless the compiled program finishes first. Returns the exit code.
fn interpret(
    door: &dyn Door,
    subject: Subject<'_>,
    program: &Interpreted,
    flags: &[OsString],
) -> u8 {
    let arguments = subject.arguments;
    let name = OsString::from(crate_name(&arguments.model));
    let words = std::iter::once(name).chain(flags.iter().cloned());
    if arguments.evaluate == Evaluate::Interpreted {
        return program.main(words, || ());
    }
    let race = Race::default();
    let win = |program: &Path| {
        native::remember(door, native::key(subject), program);
        finish_as(door, subject, program)
    };
    std::thread::scope(|scope| {
        if race::can_begin_anew(&arguments.flags) {
            scope.spawn(|| race.overtake(|| native::begin(door, subject), win));
        }
        let code = program.main(words, || race.end());
        race.end();
        if code == 0 && !arguments.quiet && arguments.save.is_none() {
            tell(door, arguments, race.trouble());
        }
        code
    })
}

/// Reports how to run the crate natively, or why that failed.
fn tell(door: &dyn Door, arguments: &Arguments, trouble: Option<String>) {
    if let Some(trouble) = trouble {
        prophet_text::tell!(
            "note: interpreted to the end, because the crate cannot be compiled: {trouble}"
        );
        return;
    }
    let mut command = vec![
        door.program().to_owned(),
        "run --evaluate native".to_owned(),
    ];
    command.push(arguments.model.display().to_string());
    if !arguments.flags.is_empty() {
        command.push("--".to_owned());
        command.extend(arguments.flags.iter().map(|it| it.display().to_string()));
    }
    prophet_text::tell!(
        "note: interpreted; use `{}` to run the crate {}",
        command.join(" "),
        crate_name(&arguments.model)
    );
}

/// Refuses flags of `run` that only programs support.
fn refuse_unlike_a_program(arguments: &Arguments, role: FileRole) -> Result<(), Stop> {
    if arguments.evaluate != Evaluate::Native {
        return Ok(());
    }
    Err(Stop::input(if role == FileRole::Workflow {
        "workflows are simulated, not compiled"
    } else {
        "traces are replayed, not compiled"
    }))
}

/// Runs a prediction with its flags, and saves its result if the user asked for that.
#[cfg(feature = "whole")]
fn saved_or(
    door: &dyn Door,
    arguments: &Arguments,
    run: impl FnOnce(Vec<OsString>) -> CommandOutcome,
) -> CommandOutcome {
    match &arguments.save {
        Some(repository) => saved::keep(door, (arguments, None), repository, run),
        None => run(arguments.flags.clone()),
    }
}

#[cfg(feature = "whole")]
fn predict_recorded(
    door: &dyn Door,
    file: &Path,
    flags: &[OsString],
    role: FileRole,
) -> CommandOutcome {
    if role == FileRole::Trace {
        return Ok(prophet_import::command::replay(file, flags)?);
    }
    let program = format!("{} run", door.program());
    Ok(workflow(&program, file, flags, None))
}
