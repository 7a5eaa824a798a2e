//! Command `run`.
//!
//! | module | is |
//! |---|---|
//! | `native` | the crate of a model, compiled |
//! | `replayed` | a trace in place of a model |
//! | `race` | an interpretation that takes long, and the compilation that may overtake it |
//! | `starts` | commands that run each activity which may be the program |
//! | `workflow` | workflows, recorded or drawn |

mod native;
mod race;
mod replayed;
mod starts;
mod workflow;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use prophet_codegen::generate::{Checked, check_by, crate_name};
use prophet_codegen::workspace::file_name;
use prophet_interpreter::Interpreted;
use prophet_runtime::written_files;

use crate::check::{refuse, show};
use crate::given::Given;
use crate::kind::{is_trace, is_workflow};
use crate::tool::Tool;
use crate::{Door, Outcome, Stop, memory, outputs};
use prophet_codegen::rule_flags::RuleFlags;
use race::Race;

#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI), a trace to replay, or a recorded workflow (`WfFormat`); `-` is a model
    /// from standard input
    model: PathBuf,
    /// The activity to start with, where the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Overwrite files that the generator did not write
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    rules: RuleFlags,
    /// Way of evaluating the model
    #[arg(long, value_enum, default_value_t = Evaluate::Auto)]
    evaluate: Evaluate,
    /// Say nothing of how the model was evaluated
    #[arg(long, short)]
    quiet: bool,
    /// Save the result, in a file or in a PostgreSQL database [default: the repository of `runs`]
    #[arg(long, value_name = "FILE|URL", num_args = 0..=1, default_missing_value = "")]
    save: Option<OsString>,
    /// Flags of the model's program; `-- --help` lists them, and other flags need no `--`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Way of evaluating a model; the prediction is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Evaluate {
    /// Interprets it immediately, and compiles it meanwhile if that takes longer than a second
    Auto,
    /// Generates its crate, compiles it with optimizations, and runs it
    Native,
    /// Interprets it to the end: no Rust is needed
    Interpreted,
}

impl Evaluate {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Native => "native",
            Self::Interpreted => "interpreted",
        }
    }
}

/// Predicts how long the program of the model runs.
pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let given = Given::of(&arguments.model)?;
    let arguments = &Arguments {
        model: given.path().to_owned(),
        ..arguments.clone()
    };
    let model = (&*arguments.model, arguments.main.as_deref());
    outputs::refuse_inputs(model, &arguments.rules, &arguments.flags)?;
    // A `trace.txt` may be Nextflow's or another tool's: the content decides, so workflows come
    // first.
    if is_workflow(&arguments.model) {
        return workflow::predict(door, arguments);
    }
    if is_trace(&arguments.model) {
        return replayed::replay(door, arguments);
    }
    let rules = arguments.rules.read()?;
    let main = arguments.main.as_deref();
    let mut checked = check_by(&rules, &arguments.model, main).map_err(Stop::input)?;
    if workflow::is_drawn(&checked) {
        show(&checked);
        return workflow::predict_drawn(door, arguments, (&checked, &rules));
    }
    if memory::has_working_sets(&checked) && race::can_begin_anew(&arguments.flags) {
        // The program itself reports mistakes in its flags.
        let found = memory::problems(&checked, &arguments.flags).unwrap_or_default();
        if !found.is_empty() {
            refuse(&mut checked, found);
            show(&checked);
            return Err(Stop::input(""));
        }
    }
    match (&arguments.save, arguments.evaluate) {
        (Some(repository), _) => keep(door, arguments, repository),
        (None, Evaluate::Native) => {
            let program = native::compile(door, arguments)?;
            native::become_it(arguments, &program)
        }
        (None, Evaluate::Auto | Evaluate::Interpreted) => evaluate(door, arguments, &checked),
    }
}

/// Evaluates the model: by its program if that is at hand, or else in this process.
fn evaluate(door: &dyn Door, arguments: &Arguments, checked: &Checked) -> Outcome {
    if checked.program.is_none() {
        show(checked);
        starts::show(door, arguments, &checked.mains);
        return Err(Stop::input(""));
    }
    let is_auto = arguments.evaluate == Evaluate::Auto;
    if is_auto && let Some(program) = native::at_hand(door, arguments, checked) {
        show(checked);
        return native::become_it(arguments, &program);
    }
    match interpreted(door, arguments, checked) {
        Ok(program) => {
            show(checked);
            let code = if is_auto {
                race(door, arguments, checked, &program)
            } else {
                program.main(words(arguments), || ())
            };
            Ok(ExitCode::from(code))
        }
        Err(_) if is_auto => {
            let program = native::compile(door, arguments)?;
            native::become_it(arguments, &program)
        }
        Err(stop) => Err(stop),
    }
}

/// The model as a program that is interpreted.
fn interpreted(
    door: &dyn Door,
    arguments: &Arguments,
    checked: &Checked,
) -> Result<Interpreted, Stop> {
    if arguments.rules.read()?.vocabulary().has_hardware() {
        let model = arguments.model.display();
        let message = "hardware models of your own are code to be compiled";
        return Err(Stop::input(format!(
            "{model} cannot be interpreted: {message}; `--evaluate native` runs it"
        )));
    }
    let file = file_name(&door.project()?, &arguments.model);
    let is_report = |flag: &OsString| flag.to_string_lossy().starts_with("--report");
    let drawn = arguments.flags.iter().any(is_report);
    Interpreted::new(checked, &file, drawn).map_err(|why| {
        let model = arguments.model.display();
        Stop::input(format!(
            "{model} cannot be interpreted: {why}; `--evaluate native` runs it"
        ))
    })
}

/// The command line of the program: its name and flags.
fn words(arguments: &Arguments) -> impl Iterator<Item = OsString> {
    let name = OsString::from(crate_name(&arguments.model));
    std::iter::once(name).chain(arguments.flags.iter().cloned())
}

/// Interprets the program, unless its compiled form is faster; gives the exit code.
fn race(door: &dyn Door, arguments: &Arguments, checked: &Checked, program: &Interpreted) -> u8 {
    let key = native::key(arguments, checked);
    let race = Race::default();
    let begin = || native::begin(door, arguments, key);
    let win = |program: &Path| {
        native::remember(door, key, program);
        native::become_it(arguments, program)
    };
    std::thread::scope(|scope| {
        if race::can_begin_anew(&arguments.flags) {
            scope.spawn(|| race.overtake(begin, win));
        }
        let code = program.main(words(arguments), || race.end());
        race.end();
        if code == 0 && !arguments.quiet {
            tell(door, arguments, race.trouble());
        }
        code
    })
}

/// Tells how the crate is run natively, or why it was not.
fn tell(door: &dyn Door, arguments: &Arguments, trouble: Option<String>) {
    if let Some(trouble) = trouble {
        eprintln!("note: interpreted to the end, since the crate cannot be compiled: {trouble}");
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
    eprintln!(
        "note: interpreted; `{}` runs the crate {}",
        command.join(" "),
        crate_name(&arguments.model)
    );
}

/// Runs this command in its own process, and saves its result.
fn keep(door: &dyn Door, arguments: &Arguments, repository: &OsString) -> Outcome {
    outputs::refuse_repository(&written_files(&arguments.flags), Some(repository))?;
    let mut run = again(door, arguments)?;
    let mut command: Vec<OsString> = vec!["keep".into(), "--model".into()];
    command.push(arguments.model.clone().into());
    if let Some(folder) = native::folder(door, arguments) {
        command.extend(["--folder".into(), folder.into()]);
    }
    if !repository.is_empty() {
        command.extend(["--repository".into(), repository.clone()]);
    }
    command.extend(["--before".into(), run.len().to_string().into(), "--".into()]);
    run.extend(arguments.flags.iter().cloned());
    command.append(&mut run);
    Tool::Runs.finish(door, &command)
}

/// The command line up to the program's flags, without the wish to save.
fn again(door: &dyn Door, arguments: &Arguments) -> Result<Vec<OsString>, Stop> {
    let tool = std::env::current_exe()
        .map_err(|error| Stop::input(format!("this program cannot find itself: {error}")))?;
    let mut command = vec![tool.into_os_string()];
    command.extend(door.options());
    let way = arguments.evaluate.name();
    command.extend(["run", "--quiet", "--evaluate", way].map(OsString::from));
    if let Some(main) = &arguments.main {
        command.extend(["--main".into(), main.into()]);
    }
    if arguments.force {
        command.push("--force".into());
    }
    command.extend(arguments.rules.again());
    command.extend([arguments.model.clone().into(), "--".into()]);
    Ok(command)
}
