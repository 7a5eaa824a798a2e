//! Writes estimates into files: as parameter defaults into a model, or as values into a machine
//! file.

mod defaults;
mod machine;

use std::path::Path;

use prophet_files::{Inputs, is_same_file};
use prophet_runtime::Configuration;
use prophet_text::{Context as _, Problem, problem};

use super::free::Free;
use super::runs::Runs;
use super::{Found, ParameterEstimate};
use crate::command::arguments::FitOptions;

/// Rejects files that can't contain any of the estimates, and a machine file that would overwrite
/// another input.
pub(super) fn check(arguments: &FitOptions, runs: &Runs<'_>, free: &[Free]) -> Result<(), Problem> {
    let of_model = |it: &&Free| it.parameter(runs.model()).is_some();
    if arguments.into.is_some() && !free.iter().any(|it| of_model(&it)) {
        return Err(problem!(
            "--into: none of the fitted parameters belongs to the model\n\
                    help: write machine values with --out FILE.toml"
        ));
    }
    let Some(out) = &arguments.out else {
        return Ok(());
    };
    let mut of_machine = free.iter().filter(|it| !of_model(it)).peekable();
    if of_machine.peek().is_none() {
        return Err(problem!(
            "--out: none of the fitted parameters belongs to the machine\n\
                    help: write model parameters with --into MODEL"
        ));
    }
    if let Some(other) = of_machine.find(|it| !machine::has(it.name())) {
        let name = other.name();
        return Err(problem!("--out: machine files do not support `{name}`"));
    }
    let inputs = arguments.measured.files.iter().chain(&arguments.runs);
    let inputs: Inputs = inputs.chain(&arguments.into).collect();
    inputs.refuse([("--out", out)])?;
    let named = runs
        .flags()
        .machine()
        .and_then(prophet_runtime::Machine::file);
    let is_over = out.exists() && !named.is_some_and(|it| is_same_file(Path::new(it), out));
    if is_over && !is_machine(out) {
        return Err(problem!(
            "{} already exists and is not a machine file\nhelp: name a new file with --out",
            out.display()
        ));
    }
    Ok(())
}

fn is_machine(file: &Path) -> bool {
    prophet_runtime::Machine::read(&file.to_string_lossy()).is_ok()
}

/// Writes the estimates into all files named on the command line. If that fails, no file is
/// changed.
pub(super) fn write(arguments: &FitOptions, runs: &Runs<'_>, found: &Found) -> Result<(), Problem> {
    let (of_model, of_machine): (Vec<&ParameterEstimate>, Vec<&ParameterEstimate>) = found
        .parameters
        .iter()
        .partition(|it| it.parameter.is_some());
    let mut files = Vec::new();
    if let Some(model) = &arguments.into {
        determined(&of_model)?;
        files.push((model, defaults::edited(model, arguments, &of_model)?));
    }
    if let Some(out) = &arguments.out {
        determined(&of_machine)?;
        let text = machine_file(out, runs.flags(), &of_machine, &source(arguments, found));
        files.push((out, text?.into_bytes()));
    }
    for (file, bytes) in files {
        prophet_files::save(file, bytes)?;
        prophet_text::tell!("wrote {}", file.display());
    }
    Ok(())
}

/// Rejects estimates that the runs don't determine, because other values fit equally well.
fn determined(estimates: &[&ParameterEstimate]) -> Result<(), Problem> {
    let vague = estimates.iter().find(|it| !it.is_determined);
    vague.map_or(Ok(()), |it| {
        Err(problem!(
            "the runs do not determine `{}`, so nothing was written\n\
             help: measure other settings, or fit fewer parameters",
            it.name
        ))
    })
}

/// Returns the text of the machine file, which is read back as a check.
fn machine_file(
    out: &Path,
    flags: &Configuration,
    estimates: &[&ParameterEstimate],
    source: &str,
) -> Result<String, Problem> {
    let text = machine::text(out, flags, estimates, source).context(out.display())?;
    prophet_runtime::Machine::parse(&text, &out.to_string_lossy())?;
    Ok(text)
}

/// Describes the runs that the estimates come from.
fn source(arguments: &FitOptions, found: &Found) -> String {
    let names = arguments.runs.iter().filter_map(|it| it.file_name());
    let names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
    format!(
        "Fitted to {} of {}",
        prophet_text::counted(found.rows.len() as u64, "run", "runs"),
        prophet_text::plain::line(&names.join(", "))
    )
}
