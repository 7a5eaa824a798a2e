//! Results on standard output.

use crate::Stop;

/// Writes a result to standard output.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    prophet_text::print(&format!("{}\n", text.trim_end())).map_err(Stop::input)
}
