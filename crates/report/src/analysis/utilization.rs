//! Computes the utilization of CPUs and networks over time.

use std::collections::BTreeMap;

use prophet_trace::{Header, Interfaces, Links, Record, Role, UnitState};

use super::messages::Message;
use super::series::Series;

/// How busy the CPUs and links of a machine are over time.
///
/// A CPU is busy while a unit computes on it. A message between nodes keeps a link busy for as long
/// as its bytes occupy the link ([`Links::taken_s`]). On the sender's side, this time starts with
/// the send. On the receiver's side, it starts with the arrival, or with the receive if network
/// interfaces charge for it. Collectives with a cost don't send messages.
#[derive(Debug)]
pub struct Utilization {
    /// Number of consecutive nodes that share a series.
    group: u32,
    nodes: u32,
    links: Option<Links>,
    /// Computing units in use, by group of nodes.
    computing: Vec<Series>,
    /// Links used by messages that leave a group of nodes.
    leaving: Vec<Series>,
    /// Links used by messages that enter a group of nodes.
    coming: Vec<Series>,
    /// Bytes per second sent between nodes.
    between_nodes: Series,
    /// Bytes per second sent within nodes.
    within_nodes: Series,
    mapping: Vec<u32>,
    /// The last computation of each unit, by process and thread; `None` if units never share CPUs.
    shares: Option<BTreeMap<(u32, u32), Record>>,
}

impl Utilization {
    /// Number of intervals in a series.
    pub const INTERVALS: usize = 256;
    /// Maximum number of groups of nodes. In larger machines, the groups are larger.
    pub const GROUPS_MAX: u32 = 64;

    /// Creates an empty record for a run of `predicted_s` seconds on `nodes` nodes. `mapping`
    /// contains the node of each process.
    pub fn new(header: &Header, predicted_s: f64, nodes: u32, mapping: &[u32]) -> Self {
        let series = || Series::new(predicted_s, Self::INTERVALS);
        let group = nodes.div_ceil(Self::GROUPS_MAX).max(1);
        let groups = || (0..nodes.div_ceil(group)).map(|_| series()).collect();
        let discipline = header.settings.get("discipline");
        let shares = discipline.is_some_and(|discipline| discipline == "processor-sharing");
        Self {
            group,
            nodes,
            links: header.links,
            computing: groups(),
            leaving: groups(),
            coming: groups(),
            between_nodes: series(),
            within_nodes: series(),
            mapping: mapping.to_vec(),
            shares: shares.then(BTreeMap::new),
        }
    }

    /// Returns a process's node. Processes outside the run count toward the first node.
    fn node(&self, pid: u32) -> u32 {
        self.mapping.get(pid as usize).copied().unwrap_or(0)
    }

    /// Adds a row. Rows must be added in trace order.
    pub fn add(&mut self, row: &Record) {
        match row.state {
            UnitState::Compute => self.add_computing(row),
            UnitState::Wait => self.spread(row),
            UnitState::Send | UnitState::Receive | UnitState::Collective => self.add_link(row),
            UnitState::Synchronize | UnitState::Hold | UnitState::Content => {}
        }
    }

    fn compute(&mut self, pid: u32, [from_s, to_s]: [f64; 2], rate: f64) {
        let group = (self.node(pid) / self.group) as usize;
        if let Some(series) = self.computing.get_mut(group) {
            series.add(from_s, to_s, rate);
        }
    }

    fn add_computing(&mut self, row: &Record) {
        self.compute(row.pid, [row.start_s, row.end_s], 1.0);
        if let Some(shares) = &mut self.shares {
            shares.insert((row.pid, row.tid), *row);
        }
    }

    /// Spreads a wait at the end of a computation over the whole computation. If units share a CPU,
    /// the slowdown appears in the trace as such a wait, although the unit computed all the time at
    /// a lower rate.
    fn spread(&mut self, wait: &Record) {
        let Some(shares) = &mut self.shares else {
            return;
        };
        let Some(row) = shares.remove(&(wait.pid, wait.tid)) else {
            return;
        };
        let is_rest = wait.role().is_none() && wait.cause_unit().is_none();
        if is_rest && wait.start_s.to_bits() == row.end_s.to_bits() {
            self.compute(row.pid, [row.start_s, row.end_s], -1.0);
            let rate = row.seconds() / (wait.end_s - row.start_s);
            self.compute(row.pid, [row.start_s, wait.end_s], rate);
        }
    }

    /// Adds a message's use of links, if the message goes to another node.
    fn add_link(&mut self, row: &Record) {
        let (Some(links), Some(role), Some(partner)) = (self.links, row.role(), row.partner_pid())
        else {
            return;
        };
        let (own, other) = (self.node(row.pid), self.node(partner));
        if own == other {
            return;
        }
        let taken_s = links.taken_s(row.size_bytes().unwrap_or(0));
        let start_s = link_start_s(&links, row, taken_s);
        let take = |side: &mut Vec<Series>, node: u32, start_s: f64| {
            if let Some(series) = side.get_mut((node / self.group) as usize) {
                series.add(start_s, start_s + taken_s, 1.0);
            }
        };
        match role {
            Role::Send => {
                take(&mut self.leaving, own, start_s);
                if links.interfaces.is_none() {
                    take(&mut self.coming, other, start_s + links.latency_s);
                }
            }
            Role::Receive if links.interfaces.is_some() => {
                take(&mut self.coming, own, start_s);
            }
            Role::Receive => {}
        }
    }

    pub fn add_message(&mut self, message: &Message) {
        let series = if self.node(message.from.pid) == self.node(message.to.pid) {
            &mut self.within_nodes
        } else {
            &mut self.between_nodes
        };
        let seconds = message.arrived_s - message.sent_s;
        #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
        let bytes = message.bytes as f64;
        if seconds > 0.0 {
            series.add(message.sent_s, message.arrived_s, bytes / seconds);
        }
    }

    /// Returns the number of nodes per group; the last group can have fewer.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// Returns, for each group of nodes, the share of its CPUs that is busy in each interval.
    pub fn cpus(&self, cpus_per_node: u32) -> Vec<Vec<f64>> {
        let nodes = self.nodes_of_groups();
        let cpus = nodes.iter().map(|nodes| nodes * f64::from(cpus_per_node));
        rates(&self.computing, cpus)
    }

    /// Returns, for each group of nodes, the share of its links that is busy in each interval:
    /// first with messages that leave the group, then with messages that enter it. The share can
    /// exceed 1 if messages don't wait for each other.
    pub fn links(&self) -> Option<[Vec<Vec<f64>>; 2]> {
        let capacities = match self.links?.interfaces {
            Some(Interfaces::Process) => self.processes_of_groups(),
            Some(Interfaces::Node) | None => self.nodes_of_groups(),
        };
        let rates = |side| rates(side, capacities.iter().copied());
        Some([rates(&self.leaving), rates(&self.coming)])
    }

    /// Returns a sentence that explains the values of [`Self::links`].
    pub fn meaning_of_links(&self) -> &'static str {
        match self.links.and_then(|links| links.interfaces) {
            None => {
                "The bytes that go from node to node, compared with the bandwidth. In this \
                 network, messages do not wait for each other: above 100 %, they would have to."
            }
            Some(Interfaces::Node) => {
                "The share of time in which messages between nodes occupy the node's network \
                 interface (g and G)."
            }
            Some(Interfaces::Process) => {
                "The share of time in which messages between nodes occupy the network interfaces \
                 of a node's processes, one per process (g and G)."
            }
        }
    }

    fn nodes_of_groups(&self) -> Vec<f64> {
        let firsts = (0..self.nodes).step_by(self.group as usize);
        firsts
            .map(|first| f64::from(self.group.min(self.nodes - first)))
            .collect()
    }

    fn processes_of_groups(&self) -> Vec<f64> {
        let mut processes = vec![0.0; self.computing.len()];
        for node in &self.mapping {
            if let Some(processes) = processes.get_mut((node / self.group) as usize) {
                *processes += 1.0;
            }
        }
        processes
    }

    /// Returns the bytes per second sent in each interval: first between nodes, then within nodes.
    pub fn bytes_per_s(&self) -> [Vec<f64>; 2] {
        [&self.between_nodes, &self.within_nodes].map(|series| series.rates(1.0))
    }
}

/// Returns when a message starts to use a link. `row` is the row of its sender or of its receiver.
fn link_start_s(links: &Links, row: &Record, taken_s: f64) -> f64 {
    if links.interfaces.is_none() {
        return row.start_s;
    }
    // The unit may have waited for its interface. It is busy with the message for the overhead. If
    // the message waits for its receive, the sender is busy until the message arrives.
    let limit = links.eager_bytes.filter(|_| row.state == UnitState::Send);
    let waits = limit.is_some_and(|limit| row.size_bytes().is_some_and(|bytes| bytes > limit));
    let way_s = if waits {
        links.latency_s + taken_s - links.gap_s
    } else {
        0.0
    };
    row.start_s.max(row.end_s - links.overhead_s - way_s)
}

/// Returns the mean rate of each series in each interval, as a share of its capacity.
fn rates(series: &[Series], capacities: impl Iterator<Item = f64>) -> Vec<Vec<f64>> {
    let rates = series.iter().zip(capacities);
    rates
        .map(|(series, capacity)| series.rates(capacity))
        .collect()
}

#[cfg(test)]
mod tests {
    use prophet_trace::UnitId;

    use super::*;

    fn of(header: &Header, predicted_s: f64, nodes: u32, mapping: &[u32]) -> Utilization {
        Utilization::new(header, predicted_s, nodes, mapping)
    }

    #[test]
    fn a_message_is_on_its_way_until_it_arrives() {
        let mut utilization = of(&Header::default(), 4.0, 2, &[0, 0, 1]);
        let unit = |pid| UnitId { pid, tid: 0 };
        for (from, to, [sent_s, arrived_s]) in [(0, 1, [0.0, 2.0]), (2, 0, [1.0, 1.5])] {
            let (from, to) = (unit(from), unit(to));
            utilization.add_message(&Message {
                from,
                to,
                sent_s,
                arrived_s,
                bytes: 600,
            });
        }
        let [between, within] = utilization.bytes_per_s();
        assert!((within[127] - 300.0).abs() < 1e-9 && within[128] == 0.0);
        assert!((between[95] - 1200.0).abs() < 1e-9 && between[96] == 0.0);
    }

    fn means(series: &[Vec<f64>]) -> Vec<f64> {
        let mean = |values: &Vec<f64>| values.iter().sum::<f64>() / 256.0;
        series.iter().map(mean).collect()
    }

    fn close(found: &[f64], expected: &[f64]) {
        let is_close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        let all = found.len() == expected.len() && found.iter().zip(expected).all(is_close);
        assert!(all, "{found:?}, not {expected:?}");
    }

    #[test]
    fn cpus_are_busy_with_what_is_computed() {
        let mut utilization = of(&Header::default(), 1.0, 2, &[0, 1]);
        for (pid, state) in [
            (1, UnitState::Compute),
            (0, UnitState::Wait),
            (7, UnitState::Compute),
        ] {
            utilization.add(&Record::new(pid, 0, state, 0.25, 0.75));
        }
        // A process outside the run counts toward the first node.
        close(&means(&utilization.cpus(2)), &[0.25, 0.25]);
        assert_eq!(utilization.links(), None);
    }

    #[test]
    fn of_many_nodes_neighbors_are_one() {
        let mut utilization = of(&Header::default(), 1.0, 130, &[129]);
        assert_eq!(utilization.group(), 3);
        utilization.add(&Record::new(0, 0, UnitState::Compute, 0.0, 1.0));
        // The last group has only one node.
        let busy = means(&utilization.cpus(1));
        assert_eq!(busy.len(), 44);
        close(&busy[42..], &[0.0, 1.0]);
    }

    #[test]
    fn units_that_share_a_cpu_keep_it_busy_once() {
        let mut header = Header::default();
        let discipline = "processor-sharing".into();
        header.settings.insert("discipline".to_owned(), discipline);
        let mut utilization = of(&header, 4.0, 1, &[0, 0]);
        // Each process computes for 2 of 4 s.
        for pid in 0..2 {
            utilization.add(&Record::new(pid, 0, UnitState::Compute, 0.0, 2.0));
        }
        for pid in 0..2 {
            utilization.add(&Record::new(pid, 0, UnitState::Wait, 2.0, 4.0).began(0.0));
        }
        close(&utilization.cpus(1)[0], &[1.0; 256]);
    }

    fn with_links(interfaces: Option<Interfaces>) -> Header {
        let links = Links {
            interfaces,
            latency_s: 1.0,
            overhead_s: if interfaces.is_some() { 0.5 } else { 0.0 },
            gap_s: 0.25,
            byte_s: 0.125,
            eager_bytes: None,
        };
        Header {
            links: Some(links),
            ..Header::default()
        }
    }

    /// Process 0 sends 9 bytes to process 1 on the same node, and to process 2 on another node.
    fn sent(header: &Header) -> Utilization {
        let mut utilization = of(header, 8.0, 2, &[0, 0, 1]);
        for (number, to) in [(0, 1), (1, 2)] {
            let busy_s = header.links.map_or(0.0, |links| links.overhead_s);
            let send = Record::new(0, 0, UnitState::Send, 0.0, 1.0 + busy_s);
            utilization.add(&send.message(Role::Send, number, to, 9));
            for (state, start_s, end_s) in [
                (UnitState::Wait, 0.0, 6.0),
                (UnitState::Receive, 6.0, 6.0 + busy_s),
            ] {
                let row = Record::new(to, 0, state, start_s, end_s);
                utilization.add(&row.message(Role::Receive, number, 0, 9));
            }
        }
        utilization
    }

    #[test]
    fn a_link_is_taken_for_as_long_as_bytes_take() {
        // In Hockney's model, the link carries 9 bytes, starting with the send, and again one
        // latency later.
        let utilization = sent(&with_links(None));
        let [leaving, coming] = utilization.links().unwrap();
        close(&means(&leaving), &[1.375 / 8.0, 0.0]);
        close(&means(&coming), &[0.0, 1.375 / 8.0]);
        close(&leaving[0][..1], &[1.0]);
        close(&coming[1][31..33], &[0.0, 1.0]);
    }

    #[test]
    fn an_interface_is_taken_from_when_it_is_free() {
        let utilization = sent(&with_links(Some(Interfaces::Node)));
        let [leaving, coming] = utilization.links().unwrap();
        close(&means(&leaving), &[1.25 / 8.0, 0.0]);
        close(&means(&coming), &[0.0, 1.25 / 8.0]);
        close(&leaving[0][31..33], &[0.0, 1.0]);
        close(&coming[1][191..193], &[0.0, 1.0]);
        // A sender that waits for its receive is busy until its message has arrived.
        let mut header = with_links(Some(Interfaces::Node));
        header.links = header.links.map(|links| Links {
            eager_bytes: Some(8),
            ..links
        });
        let mut utilization = of(&header, 8.0, 2, &[0, 1]);
        let send = Record::new(0, 0, UnitState::Send, 1.5, 4.5).message(Role::Send, 0, 1, 9);
        utilization.add(&send);
        let [leaving, _] = utilization.links().unwrap();
        close(&leaving[0][63..65], &[0.0, 1.0]);
        // The two processes on the first node have one interface each.
        let utilization = sent(&with_links(Some(Interfaces::Process)));
        let [leaving, coming] = utilization.links().unwrap();
        close(&means(&leaving), &[0.625 / 8.0, 0.0]);
        close(&means(&coming), &[0.0, 1.25 / 8.0]);
    }
}
