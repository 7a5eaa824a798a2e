//! Command `studio`: the page is drawn by a server of its own, for this computer alone.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::check::Rules;
use crate::tool::Tool;
use crate::{Door, Outcome, Stop};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI), begun if it is not there, or a folder of models
    /// [default: the current folder]
    #[arg(
        value_name = "MODEL|FOLDER",
        default_value = ".",
        hide_default_value = true
    )]
    path: PathBuf,
    /// The port to listen on, of this computer alone [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    // Without a cache, what is not saved is not kept.
    let unsaved = door
        .cache()
        .ok()
        .map(|cache| cache.folder().join("unsaved"));
    let unsaved = unsaved.unwrap_or_default();
    // Without the runtime's sources, no crate is exported.
    let workspace = door.workspace().ok();
    let workspace = workspace.and_then(|it| serde_json::to_string(&it).ok());
    let mut words: Vec<OsString> = vec![
        (&arguments.path).into(),
        arguments.port.to_string().into(),
        unsaved.into(),
        workspace.unwrap_or_default().into(),
    ];
    words.extend(arguments.rules.again());
    Tool::Studio.finish(door, &words)
}

/// Builds the studio's page by npm in the folder of its sources, where these are newer.
///
/// # Errors
///
/// If there is no npm, or it fails.
pub fn build_page(web: &Path) -> Result<(), Stop> {
    let built = changed(&web.join("dist/index.html"));
    let sources = [
        "src",
        "index.html",
        "package-lock.json",
        "package.json",
        "vite.config.ts",
    ];
    let newest = sources.iter().filter_map(|it| newest(&web.join(it))).max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    eprintln!("building the studio's page by npm, once");
    for words in [
        &["ci", "--ignore-scripts", "--no-audit", "--no-fund"][..],
        &["run", "build"],
    ] {
        let mut npm = std::process::Command::new("npm");
        // Only the studio's address goes to stdout.
        let status = npm
            .args(words)
            .current_dir(web)
            .stdout(std::io::stderr())
            .status();
        let status = status.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Stop::input(
                "the studio's page is built by npm, which is not here; \
                 the installed program has the page in it",
            ),
            _ => Stop::input(format!("cannot start npm: {error}")),
        })?;
        if !status.success() {
            return Err(Stop::input(format!(
                "`npm {}` failed: see above",
                words.join(" ")
            )));
        }
    }
    Ok(())
}

fn changed(path: &Path) -> Option<std::time::SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Time of the last change of any file below `path`.
fn newest(path: &Path) -> Option<std::time::SystemTime> {
    if !path.is_dir() {
        return changed(path);
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|it| newest(&it.path())).max()
}
