//! Describes the machine that a program runs on.

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Machine {
    pub(crate) nodes: usize,
    pub(crate) cpus_per_node: usize,
    pub(crate) mapping: Vec<usize>,
    pub(crate) discipline: Discipline,
    /// Whether a unit keeps its CPU from its start to its end.
    pub(crate) holds: bool,
    /// The network between nodes.
    pub(crate) network: Network,
    pub(crate) intranode: Network,
    pub(crate) nic: Nic,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Discipline {
    Fcfs,
    /// Units take turns of this length, in seconds.
    RoundRobin(f64),
    Sharing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nic {
    Rank,
    Node,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Network {
    pub(crate) formula: Formula,
    /// Maximum size of messages without a cost that don't wait for their receives.
    pub(crate) eager_bytes: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Formula {
    Hockney {
        latency_s: f64,
        bytes_per_s: f64,
    },
    LogGp {
        l_s: f64,
        o_s: f64,
        g_s: f64,
        gap_per_byte_s: f64,
    },
}

impl Machine {
    pub(crate) fn network_of(&self, one: usize, other: usize) -> &Network {
        if self.mapping[one] == self.mapping[other] {
            &self.intranode
        } else {
            &self.network
        }
    }
}

impl Network {
    /// Returns `true` if a message without a cost must wait for its receive.
    pub(crate) fn holds_back(&self, bytes: u32) -> bool {
        self.eager_bytes.is_some_and(|most| bytes > most)
    }

    /// Returns when a message's envelope arrives, given when the message starts.
    pub(crate) fn envelope_s(&self, start_s: f64) -> f64 {
        match self.formula {
            Formula::Hockney { latency_s, .. } => start_s + latency_s,
            Formula::LogGp { l_s, o_s, .. } => (start_s + o_s) + l_s,
        }
    }

    /// Returns when the whole message arrives.
    pub(crate) fn arrival_s(&self, start_s: f64, bytes: u32) -> f64 {
        match self.formula {
            Formula::Hockney {
                latency_s,
                bytes_per_s,
            } => start_s + latency_s + f64::from(bytes) / bytes_per_s,
            Formula::LogGp { l_s, o_s, .. } => ((start_s + o_s) + l_s) + self.body_s(bytes),
        }
    }

    /// Returns the (m-1)G of `LogGP`.
    fn body_s(&self, bytes: u32) -> f64 {
        match self.formula {
            Formula::Hockney { .. } => 0.0,
            Formula::LogGp { gap_per_byte_s, .. } => {
                f64::from(bytes.saturating_sub(1)) * gap_per_byte_s
            }
        }
    }

    /// Returns until when a side is busy if it starts to use its network interface, and when the
    /// interface is free again. Returns `None` if the formula has no interface.
    pub(crate) fn interface(&self, start_s: f64, bytes: u32) -> Option<(f64, f64)> {
        match self.formula {
            Formula::Hockney { .. } => None,
            Formula::LogGp { o_s, g_s, .. } => {
                Some((start_s + o_s, start_s + g_s + self.body_s(bytes)))
            }
        }
    }
}
