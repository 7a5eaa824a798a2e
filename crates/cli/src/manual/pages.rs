//! Implements the `man` command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man;
use prophet_text::Context as _;

use super::{Commands, PROGRAM, command_line};
use crate::format::print;
use crate::{CommandOutcome, Stop};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The command, such as `run` or `runs list` [default: the program]
    #[arg(conflicts_with = "out")]
    command: Vec<String>,
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, commands: Commands) -> CommandOutcome {
    let program = command_line(commands, PROGRAM);
    if let Some(folder) = &arguments.out {
        fs::create_dir_all(folder).cannot("make", folder.display())?;
        write(&program, folder)?;
    } else {
        let command = find(&program, &arguments.command)?;
        print(&String::from_utf8_lossy(&page(command)?))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn find<'c>(program: &'c Command, words: &[String]) -> Result<&'c Command, Stop> {
    words.iter().try_fold(program, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let name = words.join(" ");
            Stop::usage(format!(
                "unknown command `{name}`; list the commands with `--help`"
            ))
        })
    })
}

pub(super) fn page(command: &Command) -> Result<Vec<u8>, Stop> {
    let mut text = Vec::new();
    Man::new(command.clone())
        .render(&mut text)
        .cannot("make", "the page")?;
    Ok(text)
}

pub(super) fn write(command: &Command, folder: &Path) -> Result<(), Stop> {
    let file = folder.join(Man::new(command.clone()).get_filename());
    prophet_files::save(&file, page(command)?)?;
    command
        .get_subcommands()
        .try_for_each(|part| write(part, folder))
}
