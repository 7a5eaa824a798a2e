//! Energy and cost of a run.

use std::fmt;

use prophet_text::plain::line;
use prophet_text::{percent, si_quantity};
use serde::{Deserialize, Serialize};

/// Energy of a run in joules, from its start to the predicted time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Energy of all nodes: the sum of the five that follow.
    pub total_j: f64,
    /// The energy by the predicted time, in watts; 0 if that is 0.
    pub mean_power_w: f64,
    /// Energy that the nodes would take if nothing ran on them.
    pub idle_j: f64,
    /// Energy of CPUs at work, beyond the idle power.
    pub cpus_j: f64,
    /// Energy of bytes that were moved in memory.
    pub memory_j: f64,
    /// Energy of network interfaces and of messages between nodes.
    pub network_j: f64,
    /// Energy of accelerators.
    pub accelerators_j: f64,
    /// Energy by element, of those that took any.
    pub elements: Vec<ElementEnergy>,
}

impl Energy {
    /// Returns the energies that make up the whole, by name.
    pub fn parts(&self) -> [(&'static str, f64); 5] {
        [
            ("idle", self.idle_j),
            ("CPUs", self.cpus_j),
            ("memory", self.memory_j),
            ("network", self.network_j),
            ("accelerators", self.accelerators_j),
        ]
    }
}

impl fmt::Display for Energy {
    /// Writes it as people read it: the energy, the mean power, and what takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, power) = (self.total_j, self.mean_power_w);
        write!(f, "{}, {}", si_quantity(all, "J"), si_quantity(power, "W"))?;
        let parts = self
            .parts()
            .into_iter()
            .filter(|(_, joules)| *joules != 0.0);
        for (at, (what, joules)) in parts.enumerate() {
            let separator = if at == 0 { ":" } else { "," };
            write!(f, "{separator} {what} {}", percent(joules / all))?;
        }
        Ok(())
    }
}

/// Energy in joules that an element's executions took in addition to the power of a node that is
/// on and, where the first CPU at work has a power of its own, awake.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementEnergy {
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Energy of CPUs.
    pub cpus_j: f64,
    /// Energy of bytes that were moved in memory.
    pub memory_j: f64,
    /// Energy of messages between nodes.
    pub network_j: f64,
}

/// Cost of a run by a tariff of its user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCost {
    /// Date from which on the tariff holds.
    pub tariff: String,
    /// Currency of the prices; empty is not written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub currency: String,
    /// Price of the energy and of the time of the nodes together; not written without a price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// Price of the energy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
    /// Price of the time of the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<f64>,
    /// Carbon dioxide of the energy, in grams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carbon_g: Option<f64>,
}

impl fmt::Display for RunCost {
    /// Writes it as people read it: prices, carbon, and the tariff.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(total) = self.total {
            write!(
                f,
                "{} {}",
                price(total),
                prophet_text::plain::line(&self.currency)
            )?;
            if let (Some(energy), Some(nodes)) = (self.energy, self.nodes) {
                write!(f, " (energy {}, nodes {})", price(energy), price(nodes))?;
            }
            write!(f, ", ")?;
        }
        if let Some(carbon_g) = self.carbon_g {
            write!(f, "{} CO2, ", si_quantity(carbon_g, "g"))?;
        }
        write!(f, "tariff of {}", line(&self.tariff))
    }
}

/// Returns a price with two digits, or more where it is large.
fn price(price: f64) -> String {
    match price {
        0.01.. => format!("{price:.2}"),
        0.0 => "0".to_owned(),
        _ => format!("{price:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_short_whatever_their_size() {
        let cost = |total: f64| RunCost {
            tariff: "2026-01-01".to_owned(),
            currency: "EUR".to_owned(),
            total: Some(total),
            energy: Some(0.0),
            nodes: Some(total),
            carbon_g: None,
        };
        let large = cost(1234.567).to_string();
        assert_eq!(
            large,
            "1234.57 EUR (energy 0, nodes 1234.57), tariff of 2026-01-01"
        );
        assert!(cost(8.3e-6).to_string().starts_with("8.3e-6 EUR ("));
    }
}
