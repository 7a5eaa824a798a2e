//! Defines the energy and cost of a run.

use std::fmt;

use prophet_text::plain::line;
use prophet_text::{percent, si_quantity};
use serde::{Deserialize, Serialize};

/// The energy of a run from its start to the predicted time, in joules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// The energy of all nodes: the sum of the five parts, which [`Self::parts`] returns.
    pub total_j: f64,
    /// Mean power in watts: the energy divided by the predicted time; 0 if the predicted time is 0.
    pub mean_power_w: f64,
    /// What the nodes would use if nothing ran on them.
    pub idle_j: f64,
    /// What busy CPUs use, in addition to idle nodes.
    pub cpus_j: f64,
    /// What moving bytes in memory uses.
    pub memory_j: f64,
    /// What network interfaces and messages between nodes use.
    pub network_j: f64,
    pub accelerators_j: f64,
    /// The energy of each element that uses any.
    pub elements: Vec<ElementEnergy>,
}

impl Energy {
    /// Returns the five parts of the total with their names.
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
    /// Writes the energy for people: the total, the mean power, and the parts.
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

/// What an element's executions use, in joules, beyond the power of a node that is on and awake
/// (the first busy CPU can take extra power, which wakes the node).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementEnergy {
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    pub cpus_j: f64,
    /// What moving bytes in memory uses.
    pub memory_j: f64,
    /// Energy of messages between nodes, in joules.
    pub network_j: f64,
}

/// What a run costs, according to the user's tariff.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCost {
    /// The date from which the tariff applies.
    pub tariff: String,
    /// Currency of the prices; omitted if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub currency: String,
    /// Price of the energy plus price of the nodes' time; omitted if the tariff has neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    /// Price of the energy; omitted if the tariff has no price for energy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
    /// Price of the nodes' time; omitted if the tariff has no price for nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<f64>,
    /// Carbon dioxide emitted for the energy, in grams; omitted if the tariff doesn't specify
    /// emissions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carbon_g: Option<f64>,
}

impl fmt::Display for RunCost {
    /// Writes the cost for people: prices, carbon, and the tariff.
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

/// Formats a price with two decimals, or with two significant digits if it is below 0.01.
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
