//! Implements `cargo xtask book`, which turns the documentation into a book with mdBook.

mod studio;

use std::io::ErrorKind;
use std::process::{Command, ExitCode};

use prophet_codegen::workspace::Workspace;

use crate::{CommandOutcome, Stop, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Add the studio to the book, as a page that needs no server, and link to it (needs npm)
    #[arg(long)]
    studio: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let workspace = workspace()?;
    let folder = workspace.target.join("book");
    prophet_book::stage(&workspace.root, &folder, arguments.studio).map_err(Stop::input)?;
    let status = Command::new("mdbook").arg("build").arg(&folder).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => return Err(Stop::input("mdbook failed")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Stop::input(format!(
                "mdbook is not installed; install it with \
                 `cargo install mdbook --locked --version {}`",
                prophet_book::MDBOOK
            )));
        }
        Err(error) => return Err(Stop::input(format!("cannot start mdbook: {error}"))),
    }
    if arguments.studio {
        make_studio(&workspace)?;
    }
    eprintln!("wrote {}", folder.join("html/index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// Makes the page of the studio inside the book.
pub(crate) fn make_studio(workspace: &Workspace) -> Result<(), Stop> {
    let html = workspace.target.join("book/html");
    studio::make(workspace, &html.join(prophet_book::STUDIO))
}
