//! Implements the `calibrate` command.

use prophet_text::{Problem, problem};
mod arguments;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _};
use prophet_files::{Inputs, holds_something};

use crate::network::Fitted;
use crate::{cpu, network, node};
use arguments::{Arguments, Command, Network, Target};

/// Returns the definition of `calibrate`'s command line, for manuals and shell completions.
pub fn command_line() -> clap::Command {
    Arguments::command()
}

/// Runs the command. `program` is what the user typed to run the command, such as
/// `cargo xtask calibrate`.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let command = Arguments::command().bin_name(program);
    let arguments = Arguments::from_arg_matches(&command.get_matches_from(words))
        .unwrap_or_else(|error| error.exit());
    let outcome = match &arguments.command {
        Command::Cpu(target) => refuse_replaced(target.out.as_deref(), target)
            .and_then(|()| write(&cpu::measure(&target.name), target)),
        Command::Node(target) => calibrate_node(target),
        Command::Network(arguments) => calibrate_network(arguments),
    };
    prophet_text::exit_code(outcome.map(|()| ExitCode::SUCCESS))
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
