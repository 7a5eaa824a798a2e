//! `cargo xtask gen`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use prophet_codegen::generate::{Generated, Request, Written, generate};
use prophet_codegen::output::Mode;
use prophet_codegen::target::rust::Rust;
use prophet_codegen::target::{Target, Targets};
use prophet_targets::outside::Outside;

use crate::check::{Rules, show, show_failure};
use crate::{Outcome, Stop, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// The folder of what is generated, of several targets with a folder for each but rust
    /// [default: generated/NAME, as the model file is named, and output/NAME/TARGET for each
    /// target but rust]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to generate, or the folder of a crate that is a target (docs/new-target.md)
    #[arg(
        long,
        value_name = "TARGET",
        default_value = "rust",
        value_delimiter = ',',
        value_parser = Choices::shipped()
    )]
    target: Vec<Choice>,
    /// The activity to start with, where the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Write nothing; fail if the crate is not what would be written
    #[arg(long)]
    check: bool,
    /// Overwrite files that the generator did not write
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let known = known(&arguments.target, &arguments.model)?;
    let targets = chosen(&known, &arguments.target);
    let rules = arguments.rules.read()?;
    let mode = if arguments.check {
        Mode::Check
    } else {
        Mode::Write
    };
    let generated = write(&Request {
        main: arguments.main.as_deref(),
        targets: &targets,
        out: arguments.out.as_deref(),
        mode,
        force: arguments.force,
        ..Request::new(&arguments.model, &rules)
    })?;
    for Written { folder, report } in &generated.written {
        let folder = folder.display();
        match (arguments.check, report.is_fresh()) {
            (true, _) => eprintln!("{folder} is up to date"),
            (false, true) => eprintln!("{folder} was up to date"),
            (false, false) => eprintln!("wrote {folder}"),
        }
    }
    tell_of_compiling(&targets, &generated)?;
    Ok(ExitCode::SUCCESS)
}

/// Says that a crate outside of the workspace takes its time at first.
fn tell_of_compiling(targets: &[&dyn Target], generated: &Generated) -> Result<(), Stop> {
    let workspace = workspace()?;
    for (target, Written { folder, report }) in targets.iter().zip(&generated.written) {
        let is_crate = target.name() == Rust.name() && !workspace.has_member(folder);
        if is_crate && !report.missing.is_empty() {
            eprintln!(
                "note: `cargo run --release` there compiles the runtime first, which takes \
                 minutes; with CARGO_TARGET_DIR set to one folder for all such crates, only the \
                 first one does"
            );
        }
    }
    Ok(())
}

/// A target that the user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Choice {
    /// One that is shipped, by its name.
    Shipped(String),
    /// The one in a crate, by its folder.
    Crate(PathBuf),
}

/// Reads a [`Choice`]: the name of a target, or else a path.
#[derive(Debug, Clone)]
struct Choices(PossibleValuesParser);

impl Choices {
    /// The targets that are shipped, and what each makes.
    fn shipped() -> Self {
        let value =
            |it: &dyn Target| PossibleValue::new(it.name().to_owned()).help(it.about().to_owned());
        let known = prophet_targets::shipped();
        Self(known.iter().map(value).collect::<Vec<_>>().into())
    }
}

impl TypedValueParser for Choices {
    type Value = Choice;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Choice, clap::Error> {
        let folder = Path::new(value);
        let has_separator = value.to_string_lossy().contains(std::path::is_separator);
        match self.0.parse_ref(command, argument, value) {
            Ok(name) => Ok(Choice::Shipped(name)),
            Err(_) if has_separator || folder.is_dir() => Ok(Choice::Crate(folder.to_owned())),
            Err(error) => Err(error),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// The targets that are shipped, and those of the crates among the choices.
fn known(choices: &[Choice], model: &Path) -> Result<Targets, Stop> {
    let mut known = prophet_targets::shipped();
    for choice in choices {
        if let Choice::Crate(folder) = choice {
            let target = Outside::open(folder, model, &workspace()?).map_err(Stop::input)?;
            known.add(Box::new(target));
        }
    }
    Ok(known)
}

/// The targets that were chosen, each once.
fn chosen<'t>(known: &'t Targets, choices: &[Choice]) -> Vec<&'t dyn Target> {
    let mut targets: Vec<&dyn Target> = Vec::new();
    let find = |choice: &Choice| match choice {
        Choice::Shipped(name) => known.get(name),
        Choice::Crate(folder) => known.iter().find(|it| Path::new(it.flag()) == folder),
    };
    for target in choices.iter().filter_map(find) {
        if !targets.iter().any(|chosen| chosen.name() == target.name()) {
            targets.push(target);
        }
    }
    targets
}

/// Generates, and shows what there is to say about the model.
pub(crate) fn write(request: &Request<'_>) -> Result<Generated, Stop> {
    let generated = generate(request, &workspace()?).map_err(|failure| show_failure(&failure))?;
    show(&generated.checked);
    Ok(generated)
}
