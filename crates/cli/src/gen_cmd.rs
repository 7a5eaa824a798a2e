//! Implements the `gen` command.

use std::path::PathBuf;
use std::process::ExitCode;

use prophet_codegen::generate::{Generated, Request, Written, generate_checked};
use prophet_codegen::output::Mode;
use prophet_codegen::target::Target;
use prophet_codegen::target::rust::Rust;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::checked::{Checked, check_by};

use crate::check::{show, show_failure};
use crate::target::{Choice, Choices, chosen, known};
use crate::{CommandOutcome, Door, Stop};
use prophet_frontend::rule_flags::RuleFlags;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// Write to this folder; with several targets, each except rust has its own subfolder [default:
    /// output/NAME/TARGET; for a sample in the clone, generated/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Generate this target, or the target in this crate's folder (docs/vocabulary.md). Can be
    /// repeated
    #[arg(
        long,
        value_name = "TARGET",
        default_value = "rust",
        value_delimiter = ',',
        value_parser = Choices::shipped()
    )]
    target: Vec<Choice>,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Write nothing, but fail if the files are out of date
    #[arg(long)]
    check: bool,
    /// Overwrite files that the generator did not write
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let known = known(door, &arguments.target, &arguments.model)?;
    let targets = chosen(&known, &arguments.target);
    let rules = arguments.rules.read()?;
    let mode = if arguments.check {
        Mode::Check
    } else {
        Mode::Write
    };
    let generated = write(
        door,
        &Request {
            main: arguments.main.as_deref(),
            targets: &targets,
            out: arguments.out.as_deref(),
            mode,
            force: arguments.force,
            ..Request::new(&arguments.model, &rules)
        },
    )?;
    for Written { folder, report } in &generated.written {
        let folder = folder.display();
        match (arguments.check, report.is_fresh()) {
            (true, _) => prophet_text::tell!("{folder} is up to date"),
            (false, true) => prophet_text::tell!("{folder} was up to date"),
            (false, false) => prophet_text::tell!("wrote {folder}"),
        }
    }
    tell_of_compiling(door, &targets, &generated)?;
    Ok(ExitCode::SUCCESS)
}

/// Warns that compiling a crate outside the workspace takes a while the first time.
fn tell_of_compiling(
    door: &dyn Door,
    targets: &[&dyn Target],
    generated: &Generated,
) -> Result<(), Stop> {
    let workspace = workspace(door, targets, false)?;
    for (target, Written { folder, report }) in targets.iter().zip(&generated.written) {
        let is_crate = target.name() == Rust.name() && !workspace.has_member(folder);
        if is_crate && !report.missing.is_empty() {
            prophet_text::tell!(
                "note: `cargo run --release` in that folder first compiles the runtime, which \
                 takes minutes; set CARGO_TARGET_DIR to one folder for all generated crates to \
                 compile it only once"
            );
        }
    }
    Ok(())
}

/// Returns the workspace. It includes the runtime's sources only if a crate is generated, because
/// nothing else needs them.
fn workspace(door: &dyn Door, targets: &[&dyn Target], to_run: bool) -> Result<Workspace, Stop> {
    // The flag of a target in the user's crate is the crate's folder.
    let is_text = |it: &&dyn Target| it.flag() == it.name() && it.name() != Rust.name();
    if !targets.iter().all(is_text) {
        return door.workspace();
    }
    Ok(Workspace {
        root: PathBuf::new(),
        runtime: PathBuf::new(),
        target: PathBuf::new(),
        project: door.project()?,
        built: if to_run {
            door.cache()?.crates()
        } else {
            PathBuf::new()
        },
    })
}

/// Reads the model, generates the files, and shows the model's problems.
pub(crate) fn write(door: &dyn Door, request: &Request<'_>) -> Result<Generated, Stop> {
    let checked = check_by(request.rules, request.model, request.main)?;
    write_checked(door, request, checked)
}

pub(crate) fn write_checked(
    door: &dyn Door,
    request: &Request<'_>,
    checked: Checked,
) -> Result<Generated, Stop> {
    let request = Request {
        program: door.program(),
        ..*request
    };
    let workspace = workspace(door, request.targets, request.to_run)?;
    let generated = generate_checked(&request, checked, &workspace);
    let generated = generated.map_err(|failure| show_failure(&failure))?;
    show(&generated.checked);
    Ok(generated)
}
