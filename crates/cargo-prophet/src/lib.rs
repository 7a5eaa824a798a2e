//! Offers the commands as an installed program that works in any folder.
//!
//! The program contains the runtime's sources, and unpacks them into a cache when it compiles the
//! crate of a model. All other files are written where the user wants them.

mod sources;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use prophet_cli::{Command, Common, Door, ProgramCache, Stop};
use prophet_codegen::workspace::Workspace;

/// Replaces musl's allocator in packages, with which the threads of a sweep would wait for each
/// other.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const AFTER_HELP: &str = "`help COMMAND` is the same as `COMMAND --help`, and `--json` as \
                          `--format json`. In check, run and fit, `-` is standard input.\n\
                          Pages such as docs/rules.md are in share/doc/performance-prophet of the \
                          archive and the Debian package, and in the source code.";

/// Predicts how long parallel programs run, from their UML activity diagrams.
#[derive(Debug, Parser)]
#[command(
    version = env!("PROPHET_VERSION"),
    disable_help_subcommand = true,
    after_help = AFTER_HELP
)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// Runs the command line. `program` is what users type to call the program. The first argument is
/// the name under which it was started.
pub fn run_command_line(program: &'static str, arguments: Vec<OsString>) -> ExitCode {
    // Without this, a Windows console may show color codes as text.
    #[cfg(windows)]
    let _ = anstyle_query::windows::enable_ansi_colors();
    let command = Arguments::command().name(program).bin_name(program);
    let matches = prophet_cli::parsed(&command, arguments);
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let door = Installed {
        program,
        cache: arguments.common.cache,
    };
    prophet_cli::end(arguments.command.run(&door))
}

#[derive(Debug)]
struct Installed {
    program: &'static str,
    cache: Option<PathBuf>,
}

impl Door for Installed {
    fn program(&self) -> &str {
        self.program
    }

    fn options(&self) -> Vec<OsString> {
        let cache = self.cache.iter();
        cache
            .flat_map(|folder| ["--cache".into(), folder.into()])
            .collect()
    }

    fn project(&self) -> Result<PathBuf, Stop> {
        std::env::current_dir()
            .map_err(|error| Stop::input(format!("cannot find the current folder: {error}")))
    }

    fn cache(&self) -> Result<ProgramCache, Stop> {
        let named = self.cache.as_deref().map(std::path::absolute);
        let named = named
            .transpose()
            .map_err(|error| Stop::usage(format!("cannot find the folder of --cache: {error}")))?;
        let cache = named.map_or_else(ProgramCache::usual, |it| Ok(ProgramCache::at(it)));
        cache.map_err(|why| Stop::input(format!("{why}, or use --cache DIR")))
    }

    fn target(&self) -> Result<PathBuf, Stop> {
        Ok(self.cache()?.target().join(sources::VERSION))
    }

    fn workspace(&self) -> Result<Workspace, Stop> {
        let cache = self.cache()?;
        let root = cache.sources(sources::VERSION);
        sources::unpack(&root).map_err(|(path, error)| unwritable(&path, &error))?;
        Ok(Workspace {
            runtime: root.join("prophet-runtime"),
            root,
            target: self.target()?,
            project: self.project()?,
            built: cache.crates(),
        })
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Stop {
    Stop::input(format!(
        "cannot write the cache: {}: {error}; choose another folder with --cache DIR, or use \
         `run --evaluate interpreted`, which needs no cache",
        path.display()
    ))
}
