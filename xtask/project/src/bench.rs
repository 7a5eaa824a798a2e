//! Implements `cargo xtask bench`, which measures times and writes them into
//! `prophet-runtime/benches/figures.md` or `prophet-codegen/benches/scaling.md`.

mod generated;
mod traced;

use std::io;
use std::process::{Command, ExitCode, Output, Stdio};

use prophet_codegen::workspace::Workspace;
use prophet_result::RunResult;
use prophet_text::Context as _;

use crate::{CommandOutcome, Stop, workspace};

/// Path of the page with the tables, relative to the workspace.
const PAGE: &str = "prophet-runtime/benches/figures.md";
/// Path of the page with the table of `scaling`, which has a row for each kind of input.
const SCALING: &str = "prophet-codegen/benches/scaling.md";
/// The last line of the measured part. The text outside of it is written by people.
const END: &str = "<!-- End of what is measured. -->\n";

const WHAT: [&str; 11] = [
    "engine",
    "flows",
    "interpreter",
    "lsp",
    "python",
    "scaling",
    "studio",
    "sweep",
    "trace",
    "web",
    "workflow",
];

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Measure the engines, networks with shared links, the interpreter, the language server,
    /// Python, the time to generate as the model grows, the studio in a browser, sweeps, runs with
    /// a trace (in TMPDIR), the studio without a server, or workflows
    #[arg(value_parser = WHAT)]
    what: String,
    /// Only measure rows with this text in their first column; print them, without writing a file
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let workspace = workspace()?;
    let (what, only) = (&*arguments.what, arguments.only.as_deref());
    let table = match what {
        "trace" => traced::rows(&workspace, only)?,
        // Users of `cargo xtask` don't run the generator in release mode either.
        "scaling" => printed(
            &workspace,
            &["run", "--quiet"],
            &["prophet-tests", "--bin", what],
            only,
        )?,
        "web" => {
            crate::book::make_studio(&workspace)?;
            printed(
                &workspace,
                &["bench"],
                &["prophet-web", "--bench", what],
                only,
            )?
        }
        "interpreter" | "lsp" | "python" | "studio" | "sweep" | "workflow" => {
            let package = format!("prophet-{what}");
            printed(&workspace, &["bench"], &[&package, "--bench", what], only)?
        }
        "flows" => printed(
            &workspace,
            &["bench"],
            &["prophet-contention", "--bench", what],
            only,
        )?,
        _ => {
            // This runs outside of the workspace, which doesn't compile the libraries that are
            // compared here.
            let manifest = workspace
                .root
                .join("prophet-runtime/benches/engine/Cargo.toml");
            let manifest = manifest.display().to_string();
            let command = ["run", "--quiet", "--release", "--manifest-path", &manifest];
            let table = printed(&workspace, &command, &["engine"], only)?;
            table + &generated::rows(&workspace, only)?
        }
    };
    if arguments.only.is_some() {
        eprint!("{table}");
        return Ok(ExitCode::SUCCESS);
    }
    let name = if what == "scaling" { SCALING } else { PAGE };
    let path = workspace.root.join(name);
    let page = std::fs::read_to_string(&path).cannot("read", name)?;
    let text = format!("{}\n{table}", machine());
    let page = spliced(&page, what, &text).ok_or_else(|| {
        let begin = begin(what);
        Stop::input(format!(
            "{name} does not contain the markers around the measurements:\n{begin}{END}"
        ))
    })?;
    prophet_files::write(&path, page).cannot("write", name)?;
    eprintln!("wrote {name}");
    Ok(ExitCode::SUCCESS)
}

/// Parses the result in a generated program's output.
fn result_of(output: io::Result<Output>) -> Result<RunResult<'static>, Stop> {
    let output = output.cannot("start", "it")?;
    if !output.status.success() {
        let problem = String::from_utf8_lossy(&output.stderr);
        return Err(Stop::input(format!("the program failed: {problem}")));
    }
    RunResult::from_json(&output.stdout)
        .map_err(|error| Stop::input(format!("the program did not print a result: {error}")))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs `command` with cargo, and returns the table that it prints.
fn printed(
    workspace: &Workspace,
    command: &[&str],
    package: &[&str],
    only: Option<&str>,
) -> Result<String, Stop> {
    let output = prophet_testing::cargo()
        .args(command)
        .args(["--locked", "--package"])
        .args(package)
        .arg("--")
        .args(only)
        .current_dir(&workspace.root)
        .stderr(Stdio::inherit())
        .output()
        .cannot("start", "cargo")?;
    if !output.status.success() {
        return Err(Stop::input("the benchmark failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the line before the measured part.
fn begin(what: &str) -> String {
    format!("<!-- What follows is written by `cargo xtask bench {what}`. -->\n")
}

/// Replaces the text between the two marks on a page. Returns `None` if they are missing.
fn spliced(page: &str, what: &str, text: &str) -> Option<String> {
    let old = prophet_text::between(page, &begin(what), END)?;
    let (before, after) = (&page[..old.start], &page[old.end..]);
    Some(format!("{before}\n{text}\n{after}"))
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "yes" } else { "no" }
}

fn machine() -> String {
    let rustc = Command::new("rustc").arg("--version").output();
    let rustc = rustc.map_or_else(
        |_| "rustc".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "{}\nVersions: prophet-runtime {version}, {rustc}, odem-rs 0.3.0.\n",
        prophet_testing::machine()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_measured_is_replaced() {
        let (first, other) = (begin("engine"), begin("trace"));
        let page = format!("{first}kept\n{END}above\n{other}old\n{END}below\n");
        let expected = format!("{first}kept\n{END}above\n{other}\nnew\n{END}below\n");
        assert_eq!(spliced(&page, "trace", "new"), Some(expected));
        assert_eq!(spliced("no marks", "trace", "new"), None);
    }
}
