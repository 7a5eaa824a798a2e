//! `cargo xtask book`: the documentation as a book, by mdBook.

use std::io::ErrorKind;
use std::process::{Command, ExitCode};

use crate::{Outcome, Stop, workspace};

pub(crate) fn run() -> Outcome {
    let workspace = workspace()?;
    let folder = workspace.target.join("book");
    prophet_book::stage(&workspace.root, &folder).map_err(Stop::input)?;
    let status = Command::new("mdbook").arg("build").arg(&folder).status();
    match status {
        Ok(status) if status.success() => {
            eprintln!("wrote {}", folder.join("html/index.html").display());
            Ok(ExitCode::SUCCESS)
        }
        Ok(_) => Err(Stop::input("mdbook failed")),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Stop::input(format!(
            "there is no mdbook; `cargo install mdbook --locked --version {}` compiles it",
            prophet_book::MDBOOK
        ))),
        Err(error) => Err(Stop::input(format!("cannot start mdbook: {error}"))),
    }
}
