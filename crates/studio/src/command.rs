//! Implements the `studio` command, whose page only this computer can open.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_text::{Context as _, Problem};

use crate::language::Language;
use crate::server::Server;

/// Draw a model in the browser, next to its prediction
#[derive(Debug, Parser)]
#[command(name = "studio")]
pub struct Arguments {
    /// The UML model (XMI), which is created if it does not exist, or a folder of models [default:
    /// the current folder]
    #[arg(
        value_name = "MODEL|FOLDER",
        default_value = ".",
        hide_default_value = true
    )]
    path: PathBuf,
    /// Listen on this port, which only this computer can reach [default: a free port]
    #[arg(
        long,
        value_name = "PORT",
        value_parser = |it: &str| prophet_text::whole_number::<u16>(it, 1..=65_535),
    )]
    port: Option<u16>,
    #[command(flatten)]
    pub rules: RuleFlags,
}

/// Prints the studio's address, and serves the studio until the program is stopped. `unsaved` is
/// the folder for unsaved text. Without a workspace, crates can't be exported.
///
/// # Errors
///
/// Returns an error if the rules or the models can't be read, or the studio can't be served.
pub fn run(
    arguments: &Arguments,
    unsaved: Option<&Path>,
    workspace: Option<Workspace>,
) -> Result<ExitCode, Problem> {
    let rules = &arguments.rules;
    let mut language = Language::shipped();
    let off = rules.off.iter().map(Path::new);
    for (flag, value) in { rules.files.iter().map(|it| ("--rules", it.as_path())) }
        .chain(
            rules
                .vocabulary
                .iter()
                .map(|it| ("--vocabulary", it.as_path())),
        )
        .chain(off.map(|it| ("--off", it)))
    {
        language.add(flag, value)?;
    }
    // Port 0 is a free port of the system.
    let port = arguments.port.unwrap_or(0);
    let server = Server::open_in(language, &arguments.path, port, unsaved)?;
    let server = match workspace {
        Some(workspace) => server.with_workspace(workspace),
        None => server,
    };
    // Whoever reads this line opens the page. The studio works without a reader too.
    let _ = prophet_text::print(&format!("{}\n", server.address()));
    server.run().context("the studio stopped")?;
    Ok(ExitCode::SUCCESS)
}
