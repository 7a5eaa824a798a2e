//! Compiles the integration tests into one program, so that there is only one to link.

mod accelerators;
mod changes;
mod collectives;
mod energy;
mod engines;
mod failures;
mod links;
mod meaning;
mod noise;
mod oracle;
mod oracles;
mod scenarios;
mod threads;
mod traced;
mod what_if;

use prophet_runtime::Outcome;

fn ends(outcome: &Outcome) -> Vec<f64> {
    let processes = outcome.processes.iter();
    processes.map(|process| process.end_s).collect()
}
