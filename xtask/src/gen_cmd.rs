//! `cargo xtask gen`.

use std::path::PathBuf;
use std::process::ExitCode;

use prophet_codegen::generate::{Generated, Request, Written, generate};
use prophet_codegen::output::Mode;
use prophet_codegen::target::{Target, Targets};

use crate::check::{Rules, show, show_failure};
use crate::{Outcome, Stop, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// The folder of what is generated [default: generated/NAME, as the model file is named, and
    /// in it a folder for each target but rust]
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
    let known = prophet_targets::shipped();
    let targets = chosen(&known, &arguments.target)?;
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
    Ok(ExitCode::SUCCESS)
}

/// The targets of those names, each once.
fn chosen<'t>(known: &'t Targets, names: &[String]) -> Result<Vec<&'t dyn Target>, Stop> {
    let mut targets: Vec<&dyn Target> = Vec::new();
    for name in names {
        let Some(target) = known.get(name) else {
            let known: Vec<String> = known.iter().map(|it| format!("`{}`", it.name())).collect();
            return Err(Stop::usage(format!(
                "there is no target `{name}`; there is {}",
                known.join(", ")
            )));
        };
        if !targets.iter().any(|chosen| chosen.name() == name) {
            targets.push(target);
        }
    }
    Ok(targets)
}

/// Generates, and shows what there is to say about the model.
pub(crate) fn write(request: &Request<'_>) -> Result<Generated, Stop> {
    let generated = generate(request, &workspace()?).map_err(|failure| show_failure(&failure))?;
    show(&generated.checked);
    Ok(generated)
}
