//! Implements the `studio` command: `PATH PORT UNSAVED WORKSPACE [FLAG VALUE]…`.
//!
//! PATH is a model or a folder of models. UNSAVED is the folder for unsaved text. WORKSPACE is JSON
//! that locates the runtime. Both can be empty. FLAG is a flag of `check` that changes its rules.

use prophet_text::{Context as _, Problem, problem};
use std::ffi::OsString;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::language::Language;
use crate::server::Server;

/// Prints the studio's address, and serves the studio until the program is stopped.
pub fn main(arguments: &[OsString]) -> ExitCode {
    prophet_text::exit_code(run(arguments).map(|()| ExitCode::SUCCESS))
}

fn run(arguments: &[OsString]) -> Result<(), Problem> {
    let [path, port, unsaved, workspace, rules @ ..] = arguments else {
        return Err("the studio needs PATH PORT UNSAVED WORKSPACE".into());
    };
    let mut language = Language::shipped();
    for pair in rules.chunks(2) {
        let flag = pair[0].to_string_lossy();
        let value = pair
            .get(1)
            .ok_or_else(|| problem!("{flag} needs a value"))?;
        language.add(&flag, Path::new(value))?;
    }
    let port = port.to_str().and_then(|it| it.parse().ok());
    let port: u16 = port.ok_or("expected PORT as a number from 0 to 65535")?;
    let unsaved = Some(PathBuf::from(unsaved)).filter(|it| !it.as_os_str().is_empty());
    let server = Server::open_in(language, &PathBuf::from(path), port, unsaved.as_deref())?;
    let workspace = workspace
        .to_str()
        .and_then(|it| serde_json::from_str(it).ok());
    let server = match workspace {
        Some(workspace) => server.with_workspace(workspace),
        None => server,
    };
    // Whoever reads this line opens the page. The studio works without a reader too.
    let _ = prophet_text::print(&format!("{}\n", server.address()));
    server.run().context("the studio stopped")
}
