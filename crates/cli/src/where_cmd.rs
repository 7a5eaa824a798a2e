//! Implements the `where` command.

use std::path::PathBuf;
use std::process::ExitCode;

use prophet_codegen::trace_map::TraceMap;
use prophet_text::{Context as _, Problem};

use crate::format::Format;
use crate::format::print;
use crate::{CommandOutcome, Stop};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A line of a generated file, such as `generated/sample/src/lib.rs:42`
    #[arg(value_name = "FILE:LINE")]
    place: String,
    /// Format of the answer: human, json
    #[arg(long, value_enum, default_value_t = Format::Human, hide_possible_values = true)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let (file, line) = split(&arguments.place)?;
    let map = TraceMap::of(&file)?;
    let shown = file.display();
    let text = std::fs::read_to_string(&file).map_err(|why| Problem::unread(&file, why))?;
    let count = text.lines().count();
    if line > count {
        return Err(Stop::input(format!("{shown} has only {count} lines")));
    }
    let Some(origin) = map.find(line) else {
        return Err(Stop::input(format!(
            "line {line} of {shown} does not come from a single part of the model: it is in all \
             generated files, or combines several parts"
        )));
    };
    let file = origin.file.as_ref().unwrap_or(&map.model);
    let place = format!("{file}:{}:{}", origin.line, origin.column);
    if arguments.format == Format::Json {
        let mut value = serde_json::to_value(origin).told()?;
        value["model"] = map.model.into();
        print(&prophet_text::plain::json(&value.to_string()))?;
    } else {
        print(&prophet_text::plain::line(&format!(
            "{place}: {} {}",
            origin.kind, origin.path
        )))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Splits a place into a file and a line. Lines are counted from 1.
fn split(place: &str) -> Result<(PathBuf, usize), Stop> {
    let parts = place.rsplit_once(':');
    let line = parts.and_then(|(_, line)| line.parse().ok());
    match (parts, line) {
        (Some((file, _)), Some(line)) if line > 0 && !file.is_empty() => Ok((file.into(), line)),
        _ => Err(Stop::usage(format!(
            "expected FILE:LINE, such as generated/sample/src/lib.rs:42, found `{place}`"
        ))),
    }
}
