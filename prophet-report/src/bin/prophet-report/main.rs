//! What `cargo xtask report` starts: `prophet-report text|json OUT FILE…`, OUT empty for none.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use prophet_report::write_page;

mod compare;
mod read;
mod result;
mod summary;

use compare::compare;
use read::read;
use summary::{summary_json, summary_text};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let as_json = arguments.next().is_some_and(|format| format == "json");
    let out = arguments.next().unwrap_or_default();
    let out = Some(PathBuf::from(out)).filter(|path| !path.as_os_str().is_empty());
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    match run(as_json, out.as_deref(), &files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(1)
        }
    }
}

fn run(as_json: bool, out: Option<&Path>, files: &[PathBuf]) -> Result<(), String> {
    let runs: Vec<_> = files
        .iter()
        .map(|path| read(path))
        .collect::<Result<_, String>>()?;
    let runs = runs.into_iter().flatten().collect();
    let data = compare(runs);
    let text = if as_json {
        format!("{:#}\n", summary_json(&data))
    } else {
        summary_text(&data)
    };
    // A reader that has seen enough is no error.
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            return Err(format!("cannot write the result: {error}"));
        }
        _ => {}
    }
    let Some(out) = out else { return Ok(()) };
    write_page(out, &data)?;
    eprintln!("wrote {}", out.display());
    Ok(())
}
