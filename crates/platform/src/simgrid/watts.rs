//! Reads the power of hosts from their properties, as in the plugin `host_energy`.

use prophet_text::Problem;

use super::Watts;
use super::reader::Reader;

use crate::refuse::refuse;

impl Reader<'_> {
    /// Stores the power of the hosts that were read last. `list` contains a value for each power
    /// state.
    pub(super) fn watts(&mut self, list: &str) -> Result<(), Problem> {
        let (hosts, state) = self.described.clone();
        let Some(text) = list.split(',').nth(state) else {
            refuse!("`{list}` has no power for `pstate` {state}");
        };
        let watts = parse(text)?;
        for host in hosts {
            let cores = self.builder.platform.hosts[host as usize].cores;
            let one = watts.epsilon + (watts.all_cores - watts.epsilon) / f64::from(cores.max(1));
            if one < watts.idle || watts.all_cores < watts.epsilon {
                refuse!(
                    "the power `{text}` falls as cores start to work: {} W idle, {one} W with one \
                     core, {} W with all cores",
                    watts.idle,
                    watts.all_cores
                );
            }
            self.watts.insert(host, watts);
        }
        Ok(())
    }
}

/// Parses `Idle:AllCores` or `Idle:Epsilon:AllCores`.
fn parse(text: &str) -> Result<Watts, Problem> {
    let numbers = text.split(':').map(|part| part.trim().parse::<f64>());
    let numbers: Vec<f64> = numbers
        .filter_map(Result::ok)
        .filter(|watts| *watts >= 0.0 && watts.is_finite())
        .collect();
    match numbers[..] {
        [idle, all_cores] if text.split(':').count() == 2 => Ok(Watts {
            idle,
            epsilon: idle,
            all_cores,
        }),
        [idle, epsilon, all_cores] if text.split(':').count() == 3 => Ok(Watts {
            idle,
            epsilon,
            all_cores,
        }),
        _ => refuse!(
            "expected a power as `Idle:AllCores` or `Idle:Epsilon:AllCores` in watts, each 0 or \
             more, found `{text}`"
        ),
    }
}
