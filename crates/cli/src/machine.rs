//! Command `machine`.

use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use prophet_runtime::{Hardware, Machine, list_models};

use crate::check::print;
use crate::{Outcome, Stop};

/// Schema of machines in XML.
const SCHEMA: &str = include_str!("../../../templates/xml/machine.xsd");

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine by its name, or its file: TOML, XML, or a platform file of `SimGrid`
    #[arg(value_name = "FILE|NAME", required_unless_present_any = ["models", "schema"])]
    machine: Option<String>,
    /// The form to turn it into: toml, xml, svg
    #[arg(long, value_enum, hide_possible_values = true)]
    to: Option<Form>,
    /// List the hardware models
    #[arg(long, conflicts_with_all = ["machine", "to", "schema"])]
    models: bool,
    /// Print the schema of machines in XML
    #[arg(long, conflicts_with_all = ["machine", "to"])]
    schema: bool,
}

/// Form of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Toml,
    Xml,
    Svg,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let Some(name) = &arguments.machine else {
        let text = if arguments.models {
            list_models(Hardware::NONE)
        } else {
            SCHEMA.to_owned()
        };
        print(text.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let machine = found(name)?;
    for warning in machine.warnings() {
        eprintln!("warning: {warning}");
    }
    let told = |message: String| Stop::input(format!("{}: {message}", prophet_plain::line(name)));
    let text = match arguments.to {
        None => summary(&machine),
        Some(Form::Toml) => machine.to_toml().map_err(told)?.into_owned(),
        Some(Form::Xml) => machine.to_xml().map_err(told)?,
        Some(Form::Svg) => machine.draw().map_err(told)?,
    };
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Finds a machine by its name or in its file.
fn found(name: &str) -> Result<Machine, Stop> {
    if let Some(machine) = Machine::preset(name) {
        return Ok(machine);
    }
    if Path::new(name).exists() {
        return Machine::read(name).map_err(Stop::input);
    }
    let names: Vec<&str> = Machine::presets().collect();
    Err(Stop::input(format!(
        "there is neither a machine nor a file `{}` (machines are {})",
        prophet_plain::line(name),
        names.join(", ")
    )))
}

/// Describes a machine in a few lines.
fn summary(machine: &Machine) -> String {
    let number = |number: Option<u32>| number.map_or("any".to_owned(), |number| number.to_string());
    let plain = |text: &str| {
        let lines = text.trim().lines().map(prophet_plain::line);
        lines.collect::<Vec<_>>().join("\n         ")
    };
    format!(
        "Name     {}\nSource   {}\nNodes    {}\nCPUs     {} each\nNetwork  {}",
        plain(&machine.name),
        plain(&machine.source),
        number(machine.nodes),
        number(machine.cpus_per_node),
        plain(&machine.network())
    )
}
