//! Explains why a parameter doesn't matter for a result.

use crate::evaluate::{Metric, SweepRow};
use prophet_text::percent;

/// Share of the time below which communication is negligible.
const NEXT_TO_NOTHING: f64 = 0.02;

/// Why the network's costs don't affect the time of messages.
const OWN_COSTS: &str = "the model sets its own costs for all messages and collective operations \
                         that a process waits for";

#[derive(Debug, Default)]
pub(super) struct Facts {
    messages: f64,
    /// Largest share of the predicted time that is spent on communication or waiting.
    communication: f64,
    nodes: f64,
    processes: f64,
    /// Whether two processes shared a node at any point.
    are_together: bool,
    /// Whether any point had more processes and threads than CPUs on a node.
    are_crowded: bool,
}

impl Facts {
    /// Takes a point into account, if its results are about processes.
    pub(super) fn add(&mut self, results: &[Metric], row: &SweepRow) {
        let Ok(found) = &row.found else { return };
        let metric = |name: &str| {
            let place = results.iter().position(|it| it.name == name);
            place.map_or(f64::NAN, |it| found.metrics[it])
        };
        let (nodes, processes) = (metric("nodes"), metric("processes"));
        let busy_s = metric("communication_s") + metric("wait_s");
        self.messages = self.messages.max(metric("messages"));
        let share = busy_s / found.predicted_time_s();
        self.communication = self.communication.max(share);
        self.nodes = self.nodes.max(nodes);
        self.processes = self.processes.max(processes);
        self.are_together |= processes > nodes;
        let on_one = (processes / nodes).ceil() * metric("threads");
        self.are_crowded |= on_one > metric("cpus_per_node");
    }

    /// Explains why axes that vary together don't matter. `effect` describes their effect.
    pub(super) fn reason(&self, names: &[String], effect: f64) -> String {
        let reasons: Vec<Option<String>> = names
            .iter()
            .map(|name| self.reason_for_axis(name))
            .collect();
        let has_messages = names.iter().any(|name| is_of_messages(name));
        match reasons.as_slice() {
            [Some(reason)] => reason.clone(),
            _ if effect == 0.0 && has_messages => OWN_COSTS.to_owned(),
            _ if effect == 0.0 => "the result is the same for all of its values".to_owned(),
            _ => "the other parameters cause nearly all of the differences".to_owned(),
        }
    }

    fn reason_for_axis(&self, name: &str) -> Option<String> {
        let (flag, key) = name.split_once('.').unwrap_or((name, ""));
        match flag {
            "network" | "intranode" | "collective" => self.of_messages(flag),
            "mapping" if self.nodes <= 1.0 => Some("there is only one node".to_owned()),
            "cpus-per-node" | "discipline" | "quantum" | "wait-policy" | "sockets"
                if !self.are_crowded && key.is_empty() =>
            {
                let why = "each node has a CPU for each of its processes and threads";
                Some(why.to_owned())
            }
            "nodes" | "processes" if self.processes <= 1.0 => {
                Some("there is only one process".to_owned())
            }
            "engine" | "repetition" => {
                Some("it changes how a prediction is made, not what is predicted".to_owned())
            }
            _ => None,
        }
    }

    fn of_messages(&self, flag: &str) -> Option<String> {
        if self.processes <= 1.0 {
            return Some("there is only one process, which does not send messages".to_owned());
        }
        if self.communication <= 0.0 && self.messages <= 0.0 {
            return Some("no messages were sent".to_owned());
        }
        match flag {
            "network" if self.nodes <= 1.0 => {
                Some("there is only one node, so messages never leave it".to_owned())
            }
            "intranode" if !self.are_together => Some("no two processes share a node".to_owned()),
            _ if self.communication < NEXT_TO_NOTHING => Some(format!(
                "processes communicate or wait for at most {} of the time",
                percent(self.communication)
            )),
            _ => None,
        }
    }
}

fn is_of_messages(name: &str) -> bool {
    let flag = name.split_once('.').map_or(name, |(flag, _)| flag);
    ["network", "intranode", "collective"].contains(&flag)
}

#[cfg(test)]
mod tests {
    use crate::evaluate::{METRICS, PointResults, SweepRow};

    use super::*;

    /// Returns the facts of a point with these results. All other facts are 0.
    fn facts(results: &[(&str, f64)]) -> Facts {
        let value = |name: &str| {
            let found = results.iter().find(|(known, _)| *known == name);
            found.map_or(0.0, |(_, value)| *value)
        };
        let found = PointResults {
            metrics: METRICS.map(|metric| value(metric.name)),
            half_width_s: f64::NAN,
            seeds: 1,
        };
        let mut facts = Facts::default();
        let row = SweepRow {
            index: 0,
            values: Vec::new(),
            found: Ok(found),
        };
        facts.add(&METRICS, &row);
        facts
    }

    fn reason(facts: &Facts, name: &str) -> String {
        facts.reason(&[name.to_owned()], 0.0)
    }

    #[test]
    fn messages_explain_networks() {
        let size = [
            ("processes", 4.0),
            ("nodes", 2.0),
            ("predicted_time_s", 8.0),
        ];
        let silent = facts(&size);
        assert_eq!(reason(&silent, "network.latency"), "no messages were sent");
        let quiet = facts(&[&size[..], &[("messages", 9.0), ("communication_s", 0.02)]].concat());
        let why = "processes communicate or wait for at most 0.2% of the time";
        assert_eq!(reason(&quiet, "collective.allreduce"), why);
        let one = facts(&[("processes", 4.0), ("nodes", 1.0), ("messages", 9.0)]);
        let why = "there is only one node, so messages never leave it";
        assert_eq!(reason(&one, "network"), why);
        let busy = [("messages", 9.0), ("wait_s", 4.0)];
        let priced = facts(&[&size[..], &busy].concat());
        assert_eq!(reason(&priced, "network"), OWN_COSTS);
        let apart = facts(&[("processes", 2.0), ("nodes", 2.0), ("messages", 9.0)]);
        assert_eq!(reason(&apart, "intranode"), "no two processes share a node");
    }

    #[test]
    fn cpus_that_suffice_explain_those_of_nodes() {
        let size = [("processes", 4.0), ("nodes", 2.0), ("threads", 3.0)];
        let enough = facts(&[&size[..], &[("cpus_per_node", 6.0)]].concat());
        let why = "each node has a CPU for each of its processes and threads";
        assert_eq!(reason(&enough, "cpus-per-node"), why);
        let few = facts(&[&size[..], &[("cpus_per_node", 5.0)]].concat());
        let why = "the result is the same for all of its values";
        assert_eq!(reason(&few, "cpus-per-node"), why);
    }

    #[test]
    fn parameters_have_reasons_of_what_they_did() {
        let facts = facts(&[("processes", 4.0)]);
        let together = ["nat".to_owned(), "network".to_owned()];
        let why = "the other parameters cause nearly all of the differences";
        assert_eq!(facts.reason(&together, 0.001), why);
    }
}
