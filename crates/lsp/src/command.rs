//! Command `lsp`: serves an editor on standard input and output.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use lsp_server::Connection;
use prophet_codegen::assume::step_s;
use prophet_codegen::check::RuleSet;

use crate::serve;

/// Serves until the editor ends it; the arguments are the flags of `check` for rules.
pub fn main(arguments: &[OsString]) -> ExitCode {
    prophet_text::exit_code(run(arguments).map(|()| ExitCode::SUCCESS))
}

fn run(arguments: &[OsString]) -> Result<(), String> {
    let mut rules = RuleSet::shipped();
    let mut arguments = arguments.iter();
    while let Some(flag) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .map(OsString::as_os_str)
                .unwrap_or_default()
        };
        match flag.to_str() {
            Some("--vocabulary") => rules.add_vocabulary(Path::new(value()))?,
            Some("--rules") => rules.add_file(Path::new(value()))?,
            Some("--off") => rules.switch_off(&value().to_string_lossy())?,
            Some("--assume") => rules.assume(),
            Some("--assume-cost") => {
                rules.assume_steps(step_s(&value().to_string_lossy())?);
            }
            _ => return Err(format!("lsp has no flag {}", flag.display())),
        }
    }
    let (connection, threads) = Connection::stdio();
    serve(connection, rules)?;
    threads.join().map_err(|error| error.to_string())
}
