//! Command `trace`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::format::Format;
use crate::tool::Tool;
use crate::{Door, Outcome};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// A trace, as a run wrote it with --trace
    #[arg(value_name = "TRACE")]
    file: PathBuf,
    #[arg(
        long,
        value_name = "FORMAT",
        group = "what",
        requires = "out",
        help = format!("Turn it into another format: {}", formats().join(", ")),
        value_parser = formats(),
        hide_possible_values = true
    )]
    to: Option<String>,
    /// The file to write; a folder for otf2
    #[arg(long, value_name = "FILE", requires = "to")]
    out: Option<PathBuf>,
    /// Show a summary of it
    #[arg(long, group = "what")]
    summary: bool,
    /// Format of the summary: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    format: Format,
}

/// Names of the formats of other tools.
fn formats() -> [&'static str; prophet_export::Format::ALL.len()] {
    prophet_export::Format::ALL.map(prophet_export::Format::name)
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let [what, how]: [OsString; 2] = match (&arguments.to, &arguments.out) {
        (Some(format), Some(out)) => [format.into(), out.into()],
        _ => ["summary".into(), arguments.format.name().into()],
    };
    Tool::Trace.finish(door, &[arguments.file.clone().into(), what, how])
}
