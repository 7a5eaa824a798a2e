//! Flag `--collective`: choice of the algorithms of collectives.

use crate::language::quantity::quoted;
use crate::machine::algorithms::Algorithms;

/// Reads the algorithms that the values of the flag choose; of several for a collective, the last.
pub(super) fn algorithms(choices: &[String]) -> Result<Algorithms, String> {
    let mut algorithms = Algorithms::default();
    for choice in choices {
        algorithms.choose(choice).map_err(|problem| {
            let choice = quoted(choice);
            format!("invalid value '{choice}' for '--collective': {problem}")
        })?;
    }
    Ok(algorithms)
}
