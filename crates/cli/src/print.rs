//! Results on standard output.

use std::io::Write as _;

use crate::Stop;

/// Writes a result to standard output; a reader that has gone away is not an error.
pub(crate) fn print(text: &str) -> Result<(), Stop> {
    match writeln!(std::io::stdout(), "{}", text.trim_end()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Stop::input(format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}
