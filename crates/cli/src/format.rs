//! Lists the formats in which commands can print their output.

use crate::Stop;

/// Output for people, or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
}

pub(crate) fn print(text: &str) -> Result<(), Stop> {
    prophet_text::print(&format!("{}\n", text.trim_end())).map_err(Stop::input)
}
