//! Implements the `calibrate` command.

use prophet_text::{Problem, problem};
mod arguments;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use prophet_files::{Inputs, holds_something};

use crate::network::Fitted;
use crate::{cpu, network, node};
pub use arguments::Arguments;
use arguments::{Command, Network, Target};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if something can't be measured, read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Problem> {
    match &arguments.command {
        Command::Cpu(target) => refuse_replaced(target.out.as_deref(), target)
            .and_then(|()| write(&cpu::measure(&target.name), target)),
        Command::Node(target) => calibrate_node(target),
        Command::Network(arguments) => calibrate_network(arguments),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn calibrate_node(target: &Target) -> Result<(), Problem> {
    refuse_replaced(target.out.as_deref(), target)?;
    let progress = |what: &str| prophet_text::tell!("measuring {what}");
    write(&node::measure(&target.name, &progress)?, target)
}

fn calibrate_network(arguments: &Network) -> Result<(), Problem> {
    let outputs = [("--out", &arguments.target.out), ("--csv", &arguments.csv)];
    let outputs = || { outputs.iter() }.filter_map(|(flag, it)| Some((*flag, it.as_ref()?)));
    Inputs::from_iter(&arguments.files).refuse(outputs())?;
    for (_, output) in outputs() {
        refuse_replaced(Some(output), &arguments.target)?;
    }
    let measured = if arguments.run {
        let timeout = Duration::from_secs(arguments.timeout.into());
        network::measure(arguments.csv.as_deref(), timeout)?
    } else {
        network::read(&arguments.files)?
    };
    let sizes = arguments.from..=arguments.to;
    let fitted = Fitted::new(&measured, arguments.model.map(Into::into), &sizes)?;
    write(
        &fitted.machine(&arguments.target.name, &measured),
        &arguments.target,
    )
}

/// Rejects an output file that would be replaced without the user's consent, before anything is
/// measured.
fn refuse_replaced(output: Option<&Path>, target: &Target) -> Result<(), Problem> {
    let there = output.filter(|it| !target.force && holds_something(it));
    there.map_or(Ok(()), |it| {
        Err(problem!(
            "{} already exists; pass `--force` to replace it",
            it.display()
        ))
    })
}

fn write(toml: &str, target: &Target) -> Result<(), Problem> {
    let Some(file) = &target.out else {
        return prophet_text::print(toml);
    };
    prophet_files::save(file, toml)?;
    prophet_text::tell!("wrote {}", file.display());
    Ok(())
}
