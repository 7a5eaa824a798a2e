//! `cargo xtask gen`.

use std::path::PathBuf;
use std::process::ExitCode;

use prophet_codegen::generate::{Generated, Request, generate};
use prophet_codegen::output::Mode;

use crate::check::{Rules, show, show_failure};
use crate::{Outcome, Stop, workspace};

/// What can be generated now, and what is to come.
const TARGETS_TO_COME: &[&str] = &[
    "cpp", "xml", "mpi-c", "svg", "mermaid", "plantuml", "simgrid",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// The crate's folder [default: generated/NAME, as the model file is named]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to generate
    #[arg(
        long,
        value_name = "TARGET",
        default_value = "rust",
        value_delimiter = ','
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
    for target in &arguments.target {
        if TARGETS_TO_COME.contains(&target.as_str()) {
            return Err(Stop::usage(format!(
                "the target `{target}` is not supported yet"
            )));
        }
        if target != "rust" {
            return Err(Stop::usage(format!(
                "there is no target `{target}`; there is `rust`"
            )));
        }
    }
    let rules = arguments.rules.read()?;
    let request = Request {
        model: &arguments.model,
        main: arguments.main.as_deref(),
        out: arguments.out.as_deref(),
        mode: if arguments.check {
            Mode::Check
        } else {
            Mode::Write
        },
        force: arguments.force,
        rules: &rules,
    };
    let generated = write(&request)?;
    let folder = generated.folder.display();
    match (arguments.check, generated.report.is_fresh()) {
        (true, _) => eprintln!("{folder} is up to date"),
        (false, true) => eprintln!("{folder} was up to date"),
        (false, false) => eprintln!("wrote {folder}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// Generates, and shows what there is to say about the model.
pub(crate) fn write(request: &Request<'_>) -> Result<Generated, Stop> {
    let generated = generate(request, &workspace()?).map_err(|failure| show_failure(&failure))?;
    show(&generated.checked);
    Ok(generated)
}
