//! `cargo xtask gen`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValue, PossibleValuesParser};
use prophet_codegen::generate::{Generated, Request, Written, generate};
use prophet_codegen::output::Mode;
use prophet_codegen::target::rust::Rust;
use prophet_codegen::target::{Target, Targets};

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
    /// What to generate
    #[arg(
        long,
        value_name = "TARGET",
        default_value = "rust",
        value_delimiter = ',',
        value_parser = known()
    )]
    target: Vec<String>,
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
    let known = prophet_targets::shipped();
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

/// The names of the targets, and what each makes.
fn known() -> PossibleValuesParser {
    let known = prophet_targets::shipped();
    let value =
        |it: &dyn Target| PossibleValue::new(it.name().to_owned()).help(it.about().to_owned());
    known.iter().map(value).collect::<Vec<_>>().into()
}

/// The targets of those names, each once.
fn chosen<'t>(known: &'t Targets, names: &[String]) -> Vec<&'t dyn Target> {
    let mut targets: Vec<&dyn Target> = Vec::new();
    for target in names.iter().filter_map(|name| known.get(name)) {
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
