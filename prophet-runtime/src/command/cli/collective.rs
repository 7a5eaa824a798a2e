//! Flag `--collective`: choice of the algorithms of collectives.

use crate::language::quantity::quoted;
use crate::machine::algorithms::Algorithms;

/// Makes the choices that are values of the flag; of several for a collective, the last.
pub(super) fn choose(algorithms: &mut Algorithms, choices: &[String]) -> Result<(), String> {
    for choice in choices {
        algorithms.choose(choice).map_err(|problem| {
            let choice = quoted(choice);
            format!("invalid value '{choice}' for '--collective': {problem}")
        })?;
    }
    Ok(())
}
