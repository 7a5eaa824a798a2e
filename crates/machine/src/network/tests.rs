#![expect(clippy::float_cmp, reason = "results are exact")]

use proptest::prelude::*;

use super::*;

const LOGGP_ORACLE: Network = Network::LogGp {
    l_s: 2e-6,
    o_s: 1e-6,
    g_s: 0.0,
    gap_per_byte_s: 1e-9,
};

fn error(text: &str) -> String {
    text.parse::<Network>().unwrap_err().to_string()
}

#[test]
fn both_models_are_read() {
    assert_eq!("loggp:L=2us,o=1us,g=0,G=1ns".parse(), Ok(LOGGP_ORACLE));
    assert_eq!("loggp: G=1ns, g=0, o=1us, L=2us,".parse(), Ok(LOGGP_ORACLE));
    assert_eq!(
        "hockney:latency=1us,bandwidth=10GB/s".parse(),
        Ok(Network::DEFAULT)
    );
    assert_eq!(
        "hockney:bandwidth=20e9,latency=3e-7".parse(),
        Ok(Network::DEFAULT_INTRANODE)
    );
}

#[test]
fn what_is_wrong_is_named() {
    prophet_testing::assert_cases("tests/cases/networks.txt", |case| {
        let told = |text: &str| format!("{text}\n  {}\n", error(text));
        case.input.lines().map(told).collect()
    });
    let none = "`` is not a network model (hockney, loggp, shared, packet); write for example \
                `hockney:latency=1us,bandwidth=10GB/s`";
    assert_eq!(error(""), none);
}

proptest! {
    #[test]
    fn what_is_shown_is_read_again(a in 0.0..10.0_f64, b in 0.0..1e-6_f64, c in 1.0..1e12_f64) {
        let networks = [
            Network::Hockney { latency_s: a, bytes_per_s: c },
            Network::LogGp { l_s: a, o_s: b, g_s: 0.0, gap_per_byte_s: b * a },
        ];
        for network in networks {
            prop_assert_eq!(network.to_string().parse(), Ok(network));
        }
    }

    #[test]
    fn no_text_panics(text: String, pairs in "(hockney|loggp):[Loggatency=,1us]{0,30}") {
        let _ = text.parse::<Network>();
        let _ = pairs.parse::<Network>();
    }

    /// Compares with the formulas of SPEC 4, implemented independently.
    #[test]
    fn a_message_costs_what_the_specification_says(
        now in 0.0..1.0_f64,
        later in 0.0..1.0_f64,
        bytes in 0..1_000_000_u64,
        clocks in (0.0..2.0_f64, 0.0..2.0_f64),
        times in (0.0..0.1_f64, 0.0..0.1_f64, 0.0..0.1_f64, 0.0..1e-6_f64),
    ) {
        let before = NicClocks { send_free_s: clocks.0, recv_free_s: clocks.1 };
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let (m, body) = (bytes as f64, bytes.saturating_sub(1) as f64);

        let mut nic = before;
        let hockney = Network::Hockney { latency_s: times.0, bytes_per_s: 1e9 };
        let sent = hockney.send(now, bytes, &mut nic);
        prop_assert_eq!(sent.sender_free_s, now);
        prop_assert_eq!(sent.arrival_s, (now + times.0) + m / 1e9);
        prop_assert_eq!(hockney.receive(later, sent.arrival_s, bytes, &mut nic),
            later.max(sent.arrival_s));
        prop_assert_eq!(nic, before, "Hockney's model leaves the interface alone");

        let (l, o, g, gap) = times;
        let loggp = Network::LogGp { l_s: l, o_s: o, g_s: g, gap_per_byte_s: gap };
        let sent = loggp.send(now, bytes, &mut nic);
        let start = now.max(clocks.0);
        prop_assert_eq!(sent.sender_free_s, start + o);
        prop_assert_eq!(sent.arrival_s, ((start + o) + l) + body * gap);
        prop_assert_eq!(nic.send_free_s, (start + g) + body * gap);
        let start = later.max(sent.arrival_s).max(clocks.1);
        prop_assert_eq!(loggp.receive(later, sent.arrival_s, bytes, &mut nic), start + o);
        prop_assert_eq!(nic.recv_free_s, (start + g) + body * gap);
    }
}

/// Ranks that exchange messages, each with its own clock. Every rank sends before others receive
/// from it, so simple loops are enough.
struct Ranks {
    network: Network,
    now: Vec<f64>,
    nics: Vec<NicClocks>,
}

impl Ranks {
    fn new(count: usize, network: Network) -> Self {
        Self {
            network,
            now: vec![0.0; count],
            nics: vec![NicClocks::default(); count],
        }
    }

    fn send(&mut self, from: usize, bytes: u64) -> f64 {
        let sent = self
            .network
            .send(self.now[from], bytes, &mut self.nics[from]);
        self.now[from] = sent.sender_free_s;
        sent.arrival_s
    }

    fn receive(&mut self, to: usize, arrival: f64, bytes: u64) {
        self.now[to] = self
            .network
            .receive(self.now[to], arrival, bytes, &mut self.nics[to]);
    }

    /// Each rank sends to `partner(rank)`, and then receives from the rank that sent to it.
    fn exchange(&mut self, bytes: u64, partner: impl Fn(usize) -> usize) {
        let arrivals: Vec<f64> = (0..self.now.len())
            .map(|rank| self.send(rank, bytes))
            .collect();
        for (rank, arrival) in arrivals.into_iter().enumerate() {
            self.receive(partner(rank), arrival, bytes);
        }
    }

    #[track_caller]
    fn check_end(&self, expected_ns: f64) {
        let end_ns = self.now.iter().copied().fold(0.0, f64::max) * 1e9;
        let error = (end_ns - expected_ns).abs() / expected_ns;
        assert!(error <= 1e-9, "{end_ns} ns, expected {expected_ns}");
    }
}

#[test]
fn ping_pong_takes_its_hops() {
    let mut ranks = Ranks::new(2, LOGGP_ORACLE);
    for message in 0..100_000 {
        let arrival = ranks.send(message % 2, 8);
        ranks.receive((message + 1) % 2, arrival, 8);
    }
    ranks.check_end(400_700_000.0);
}

#[test]
fn a_binomial_broadcast_takes_the_depth_of_its_tree() {
    for (count, expected_ns) in [(8, 12_021.0), (64, 24_042.0), (1024, 40_070.0)] {
        let mut ranks = Ranks::new(count, LOGGP_ORACLE);
        let mut step = count / 2;
        while step > 0 {
            for from in (0..count).step_by(2 * step) {
                let arrival = ranks.send(from, 8);
                ranks.receive(from + step, arrival, 8);
            }
            step /= 2;
        }
        ranks.check_end(expected_ns);
    }
}

#[test]
fn recursive_doubling_takes_the_logarithm() {
    for (count, expected_ns) in [(64, 12_404_200.0), (256, 13_205_600.0)] {
        let mut ranks = Ranks::new(count, LOGGP_ORACLE);
        for _ in 0..100 {
            ranks.now.iter_mut().for_each(|now| *now += 100e-6);
            let mut distance = 1;
            while distance < count {
                ranks.exchange(8, |rank| rank ^ distance);
                distance *= 2;
            }
        }
        ranks.check_end(expected_ns);
    }
}

#[test]
fn a_ring_allreduce_takes_two_rounds() {
    let slow = Network::LogGp {
        l_s: 2.5e-6,
        o_s: 1.5e-6,
        g_s: 0.0,
        gap_per_byte_s: 6e-9,
    };
    for (network, expected_ns) in [(LOGGP_ORACLE, 69_986.0), (slow, 160_916.0)] {
        let mut ranks = Ranks::new(8, network);
        for _ in 0..14 {
            ranks.exchange(1000, |rank| (rank + 1) % 8);
        }
        ranks.check_end(expected_ns);
    }
}

#[test]
fn a_dissemination_barrier_takes_the_logarithm_rounded_up() {
    for (count, expected_ns) in [(64, 24_000.0), (1000, 40_000.0)] {
        let mut ranks = Ranks::new(count, LOGGP_ORACLE);
        let mut distance = 1;
        while distance < count {
            ranks.exchange(1, |rank| (rank + distance) % count);
            distance *= 2;
        }
        ranks.check_end(expected_ns);
    }
}

#[test]
fn the_gap_delays_the_next_message() {
    let network = Network::LogGp {
        l_s: 2.0,
        o_s: 1.0,
        g_s: 5.0,
        gap_per_byte_s: 0.5,
    };
    let mut ranks = Ranks::new(2, network);
    let first = ranks.send(0, 3);
    let second = ranks.send(0, 3);
    assert_eq!((first, second), (4.0, 10.0));
    ranks.receive(1, first, 3);
    ranks.receive(1, second, 3);
    assert_eq!(ranks.now[1], 11.0);
    assert_eq!(ranks.nics[1].recv_free_s, 16.0);
}
