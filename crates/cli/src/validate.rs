//! Implements the `validate` command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use prophet_codegen::generate::Request;
use prophet_codegen::target::Target;
use prophet_codegen::target::rust::Rust;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_interpreter::Interpreted;
use prophet_record::command::Validated;
use prophet_result::RunResult;
use prophet_runtime::written_files;
use prophet_targets::build;
use prophet_targets::mpi_c::MpiC;
use prophet_targets::validate::{
    self, CompiledSkeleton, Costs, Manner, Mpi, Network, ValidateFailure,
};

use crate::format::print;
use crate::{CommandOutcome, Door, Stop, gen_cmd, outputs};
use prophet_frontend::rule_flags::RuleFlags;
use prophet_text::{Context as _, Problem};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Compare with the recording in this folder instead of a run, function by function
    #[arg(long, value_name = "FOLDER")]
    #[arg(conflicts_with_all = ["costs", "scale", "runs", "timeout", "fit_network", "force"])]
    recording: Option<PathBuf>,
    /// Spend costs by computing, or by sleeping, which needs no CPU
    #[arg(long, value_enum, default_value_t = CostsFlag::Spin)]
    costs: CostsFlag,
    /// Spend this many seconds per second of cost
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = positive)]
    scale: f64,
    /// Run the program this many times; the fastest run counts
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Stop a run of the program after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    /// Measure a ping-pong first, and predict with the network fitted to it
    #[arg(long)]
    fit_network: bool,
    /// Format of the comparison
    #[arg(long, value_enum, default_value_t = ReportFormat::Table)]
    format: ReportFormat,
    /// Overwrite files that the generator did not write
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    rules: RuleFlags,
    /// Flags for the prediction; the program runs with the same system and parameters
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CostsFlag {
    /// By computing
    Spin,
    /// By sleeping
    Sleep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Text for people
    Table,
    /// One JSON object
    Json,
}

fn positive(text: &str) -> Result<f64, Problem> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|it| *it > 0.0 && it.is_finite())
        .ok_or_else(|| "expected a number above 0".into())
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let outputs = written_files(&arguments.flags);
    outputs::refuse_named(&outputs, &arguments.model, &arguments.rules)?;
    let rules = arguments.rules.read()?;
    let main = arguments.main.as_deref();
    let checked = check_by(&rules, &arguments.model, main)?;
    outputs::refuse_beside(&outputs, &arguments.model, (&checked, &rules))?;
    if let Some(recording) = &arguments.recording {
        let compared = Validated {
            model: &arguments.model,
            recording,
            json: arguments.format == ReportFormat::Json,
            flags: &arguments.flags,
        };
        return Ok(prophet_record::command::validate(&compared, &checked)?);
    }
    let mpi = match Mpi::find() {
        Ok(mpi) => mpi,
        Err(missing) => {
            prophet_text::tell!("skipped: {missing}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let timeout = Duration::from_secs(arguments.timeout.into());
    let mut flags = arguments.flags.clone();
    if arguments.fit_network {
        let network = measured_network(door, &mpi, &rules, timeout)?;
        prophet_text::tell!("measured: --network {network}");
        flags.push(format!("--network={network}").into());
    }
    let request = Request {
        main,
        force: arguments.force,
        ..Request::new(&arguments.model, &rules)
    };
    let (simulation, skeleton) = programs(door, &mpi, &request, checked)?;
    prophet_text::announce("running the skeleton, which takes as long as the program");
    let comparison = validate::validate(&validate::Request {
        predicted: &simulation.predict(&flags)?,
        skeleton: &skeleton,
        flags: &flags,
        manner: Manner {
            costs: match arguments.costs {
                CostsFlag::Spin => Costs::Spin,
                CostsFlag::Sleep => Costs::Sleep,
            },
            scale: arguments.scale,
            timeout,
        },
        runs: arguments.runs,
    })
    .map_err(stop)?;
    match arguments.format {
        ReportFormat::Table => print(&comparison.to_string())?,
        ReportFormat::Json => {
            let json = serde_json::to_string_pretty(&comparison).told()?;
            print(&prophet_text::plain::json(&json))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// How to simulate a model: by interpreting it, or with its crate if it contains the user's code.
enum Simulation {
    Interpreted(Box<Interpreted>),
    Compiled(PathBuf),
}

impl Simulation {
    fn predict(&self, flags: &[OsString]) -> Result<RunResult<'static>, Stop> {
        let program = match self {
            Self::Compiled(program) => return validate::predict(program, flags).map_err(stop),
            Self::Interpreted(program) => program,
        };
        let format = ["--format", "json"].map(OsString::from);
        let words = std::iter::once("validate".into()).chain(flags.iter().cloned());
        let (mut printed, mut told) = (Vec::new(), Vec::new());
        let code = program.run_to(words.chain(format), &mut printed, &mut told);
        prophet_text::say_styled(&prophet_text::plain::lines(&String::from_utf8_lossy(&told)));
        if code > 0 {
            return Err(stop(ValidateFailure::new(code, "")));
        }
        validate::prediction(&printed).map_err(stop)
    }
}

fn programs(
    door: &dyn Door,
    mpi: &Mpi,
    request: &Request<'_>,
    checked: Checked,
) -> Result<(Simulation, CompiledSkeleton), Stop> {
    let has_hardware = request.rules.vocabulary().has_hardware();
    let interpreted = Interpreted::new(&checked, &checked.source.name, false).ok();
    let interpreted = interpreted.filter(|_| !has_hardware);
    let targets: &[&dyn Target] = &[&MpiC, &Rust];
    let request = Request {
        targets: &targets[..=usize::from(interpreted.is_none())],
        to_run: true,
        ..*request
    };
    let generated = gen_cmd::write_checked(door, &request, checked)?;
    prophet_text::announce("compiling the skeleton with mpicc");
    let skeleton = mpi.build(&generated.written[0].folder).map_err(stop)?;
    let simulation = if let Some(program) = interpreted {
        Simulation::Interpreted(Box::new(program))
    } else {
        let folder = &generated.written[1].folder;
        Simulation::Compiled(build::generated(folder, &door.workspace()?)?)
    };
    Ok((simulation, skeleton))
}

/// Measures the network with the ping-pong sample.
fn measured_network(
    door: &dyn Door,
    mpi: &Mpi,
    rules: &RuleSet,
    timeout: Duration,
) -> Result<Network, Stop> {
    let folder = tempfile::tempdir()
        .map_err(|error| Stop::input(format!("cannot create a temporary folder: {error}")))?;
    let model = folder.path().join("pingpong.uml");
    let sample = prophet_samples::find("pingpong").map_or("", |it| it.text);
    prophet_files::save(&model, sample)?;
    let checked = check_by(rules, &model, None)?;
    let (simulation, skeleton) = programs(door, mpi, &Request::new(&model, rules), checked)?;
    let flags = ["--processes=2", "--cpus-per-node=2"].map(OsString::from);
    let prediction = simulation.predict(&flags)?;
    prophet_text::announce("measuring the network between two processes");
    Network::measure(&skeleton, &prediction, timeout).map_err(stop)
}

fn stop(failure: ValidateFailure) -> Stop {
    Stop {
        code: failure.code,
        message: failure.message,
    }
}
