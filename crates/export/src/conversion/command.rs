//! Runs the command `trace`. Its arguments are `TRACE FORMAT OUT`, where a following `plain` omits
//! what hardware models add, or `TRACE summary text|json`.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use super::{ExportError, TraceSummary, export, export_plain};
use crate::format::TraceFormat;

/// Converts a trace to another format, or prints its summary.
pub fn main(arguments: &[OsString]) -> ExitCode {
    let done = match arguments {
        [from, what, how] if what == "summary" => summary(Path::new(from), how == "json"),
        [from, format, to, rest @ ..] if rest.is_empty() || rest == ["plain"] => {
            let export = if rest.is_empty() {
                export
            } else {
                export_plain
            };
            let format = format
                .to_string_lossy()
                .parse::<TraceFormat>()
                .map_err(ExportError::new);
            format.and_then(|format| export(Path::new(from), format, Path::new(to)))
        }
        _ => {
            prophet_text::tell!("error: run this tool as `cargo xtask trace`");
            return ExitCode::from(2);
        }
    };
    prophet_text::exit_code(done.map(|()| ExitCode::SUCCESS))
}

fn summary(from: &Path, as_json: bool) -> Result<(), ExportError> {
    let summary = TraceSummary::read(from)?;
    let text = if as_json {
        prophet_text::plain::json(&format!("{:#}\n", summary.json()))
    } else {
        summary.to_string()
    };
    prophet_text::print(&text).map_err(|why| ExportError::new(why.message))
}
