//! Sets a single key of a network, such as its latency.

use prophet_machine::hardware::Hardware;
use prophet_machine::network_flag::NetworkFlag;
use prophet_machine::quantity::quoted;
use prophet_machine::system::System;

use crate::command::cli::flag::invalid;

/// A value for one key of the network between or within nodes. The other keys keep their values.
#[derive(Debug, Clone)]
pub(super) struct NetworkKey {
    pub(super) within: bool,
    pub(super) key: String,
    pub(super) text: String,
}

impl NetworkKey {
    pub(super) fn set(&self, system: &mut System, hardware: Hardware) -> Result<(), String> {
        let flag = if self.within { "intranode" } else { "network" };
        let known = system.network_value(self.within);
        let (model, values) = known.split_once(':').unwrap_or((&known, ""));
        let mut pairs: Vec<String> = Vec::new();
        let is_this = |pair: &str| pair.split_once('=').is_some_and(|(key, _)| key == self.key);
        for pair in values.split(',').filter(|pair| !is_this(pair)) {
            pairs.push(pair.to_owned());
        }
        pairs.push(format!("{}={}", self.key, self.text));
        let changed = format!("{model}:{}", pairs.join(","));
        let network = NetworkFlag::read(&changed, hardware).map_err(|problem| {
            let of = format!("{flag}.{}", quoted(&self.key));
            invalid(&of, &self.text, problem)
        })?;
        let set = if self.within {
            system.set_networks(None, Some(network))
        } else {
            let within = system.intranode_flag();
            system.set_networks(Some(network), Some(within))
        };
        set.map_err(|error| error.to_string())
    }
}
