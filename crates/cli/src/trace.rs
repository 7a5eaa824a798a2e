//! Implements the `trace` command.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use prophet_export::{ExportError, TraceFormat, TraceSummary, export, export_plain};
use prophet_text::FileKind;

use crate::format::Format;
use crate::format::print;
use crate::{CommandOutcome, Stop};

const TRACE_SCHEMA: &str = prophet_templates::xml::PTI_TRACE;
/// Schema of the extension for networks with shared links.
const NETWORK_SCHEMA: &str = prophet_templates::xml::PTI_NETWORK;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// A trace that a run wrote with --trace
    #[arg(value_name = "TRACE", required_unless_present = "schema")]
    file: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FORMAT",
        group = "what",
        requires = "out",
        help = format!("Convert it to another format: {}", formats().join(", ")),
        value_parser = formats(),
        hide_possible_values = true
    )]
    to: Option<String>,
    /// The file to write; a folder for otf2
    #[arg(long, value_name = "FILE", requires = "to")]
    out: Option<PathBuf>,
    /// Omit what hardware models add, such as link loads
    #[arg(long, requires = "to")]
    no_extensions: bool,
    /// Print the schema of pti-xml, or of its extension: trace, network
    #[arg(
        long,
        value_enum,
        value_name = "SCHEMA",
        group = "what",
        conflicts_with = "file",
        num_args = 0..=1,
        default_missing_value = "trace",
        hide_possible_values = true
    )]
    schema: Option<Schema>,
    /// Show a summary of the trace
    #[arg(long, group = "what")]
    summary: bool,
    /// Format of the summary: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    format: Format,
}

/// Schema of a part of traces in the form of PTI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Schema {
    Trace,
    Network,
}

fn formats() -> [&'static str; TraceFormat::ALL.len()] {
    TraceFormat::ALL.map(TraceFormat::name)
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let Some(file) = &arguments.file else {
        let text = match arguments.schema {
            Some(Schema::Network) => NETWORK_SCHEMA,
            Some(Schema::Trace) | None => TRACE_SCHEMA,
        };
        print(text.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    prophet_files::expect(file, &[FileKind::Recorded])?;
    let failed = |why: ExportError| Stop::input(why.to_string());
    if let (Some(format), Some(out)) = (&arguments.to, &arguments.out) {
        let format: TraceFormat = format.parse().map_err(Stop::usage)?;
        let convert = if arguments.no_extensions {
            export_plain
        } else {
            export
        };
        convert(file, format, out).map_err(failed)?;
        return Ok(ExitCode::SUCCESS);
    }
    let summary = TraceSummary::read(file).map_err(failed)?;
    let text = match arguments.format {
        Format::Json => prophet_text::plain::json(&format!("{:#}\n", summary.json())),
        Format::Human => summary.to_string(),
    };
    prophet_text::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
