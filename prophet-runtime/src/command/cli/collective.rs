//! Flag `--collective`: choice of the algorithms of collectives.

use prophet_machine::algorithms::Algorithms;

use super::flag::invalid;

/// Makes the choices that are values of the flag; of several for a collective, the last.
pub(super) fn choose(algorithms: &mut Algorithms, choices: &[String]) -> Result<(), String> {
    for choice in choices {
        let chosen = algorithms.choose(choice);
        chosen.map_err(|problem| invalid("--collective", choice, problem))?;
    }
    Ok(())
}
