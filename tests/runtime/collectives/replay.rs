//! Replays the algorithms of MPICH 3.3.2. Runs the loops of its C code for each rank, message by
//! message, with the network's formulas.

use std::collections::{BTreeMap, VecDeque};

use prophet_runtime::{Engine, Network};

use crate::collectives::{Case, HOCKNEY, LOGGP, all, ends};

#[derive(Debug, Clone, Copy)]
enum Op {
    Send(usize, usize),
    Receive(usize),
}

use Op::{Receive, Send};

struct Program {
    ranks: usize,
    rank: usize,
    root: usize,
    bytes: usize,
    ops: Vec<Op>,
}

fn counts(bytes: usize, parts: usize) -> Vec<usize> {
    let longer = |part| usize::from(part < bytes % parts);
    (0..parts)
        .map(|part| bytes / parts + longer(part))
        .collect()
}

impl Program {
    fn new(case: Case, rank: usize) -> Self {
        let name = case.name;
        let barrier = name == "barrier";
        Self {
            ranks: case.ranks as usize,
            rank,
            root: if ["broadcast", "reduce", "gather", "scatter"].contains(&name) {
                case.root as usize
            } else {
                0
            },
            bytes: if barrier { 0 } else { case.bytes as usize },
            ops: Vec::new(),
        }
    }

    fn send(&mut self, to: usize, bytes: usize) {
        self.ops.push(Send(to, bytes));
    }

    fn receive(&mut self, from: usize) {
        self.ops.push(Receive(from));
    }

    fn exchange(&mut self, to: usize, bytes: usize, from: usize) {
        self.send(to, bytes);
        self.receive(from);
    }

    fn relative(&self) -> usize {
        (self.rank + self.ranks - self.root) % self.ranks
    }

    fn absolute(&self, relative: usize) -> usize {
        (relative + self.root) % self.ranks
    }

    /// Sends from the root to each other rank, or back.
    fn star(&mut self, out: bool) {
        let (rank, root) = (self.rank, self.root);
        for other in (0..self.ranks).filter(|other| *other != root) {
            match (rank == root, rank == other, out) {
                (true, _, true) => self.send(other, self.bytes),
                (true, _, false) => self.receive(other),
                (_, true, true) => self.receive(root),
                (_, true, false) => self.send(root, self.bytes),
                _ => {}
            }
        }
    }

    fn with_each(&mut self, size: impl Fn(usize) -> usize) {
        let others: Vec<usize> = (0..self.ranks)
            .filter(|other| *other != self.rank)
            .collect();
        for other in &others {
            self.send(*other, size(*other));
        }
        for other in others {
            self.receive(other);
        }
    }

    /// `MPIR_Bcast_intra_binomial`, `MPIR_Scatter_intra_binomial`, `MPII_Scatter_for_bcast`. What a
    /// subtree gets depends on its first rank and on the first rank after it.
    fn down_the_tree(&mut self, size: impl Fn(usize, usize) -> usize) {
        let relative = self.relative();
        let mut mask = 1;
        while mask < self.ranks {
            if relative & mask != 0 {
                self.receive((self.rank + self.ranks - mask) % self.ranks);
                break;
            }
            mask <<= 1;
        }
        mask >>= 1;
        while mask > 0 {
            if relative + mask < self.ranks {
                let first = relative + mask;
                let end = (first + mask).min(self.ranks);
                self.send((self.rank + mask) % self.ranks, size(first, end));
            }
            mask >>= 1;
        }
    }

    /// `MPIR_Reduce_intra_binomial`, `MPIR_Gather_intra_binomial`.
    fn up_the_tree(&mut self, blocks: bool) {
        let relative = self.relative();
        let mut held = 1;
        let mut mask = 1;
        while mask < self.ranks {
            if mask & relative == 0 {
                let source = relative | mask;
                if source < self.ranks {
                    self.receive(self.absolute(source));
                    held += mask.min(self.ranks - source);
                }
            } else {
                let bytes = if blocks {
                    held * self.bytes
                } else {
                    self.bytes
                };
                self.send(self.absolute(relative & !mask), bytes);
                break;
            }
            mask <<= 1;
        }
    }

    /// Returns the largest power of two of ranks, and the number of ranks beyond it.
    fn core(&self) -> (usize, usize) {
        let core = 1 << self.ranks.ilog2();
        (core, self.ranks - core)
    }

    /// The even ranks of the first pairs send their data to the odd ones. Returns the new rank of a
    /// rank that takes part.
    fn fold_to_odd(&mut self) -> Option<usize> {
        let (_, rest) = self.core();
        if self.rank >= 2 * rest {
            return Some(self.rank - rest);
        }
        if self.rank.is_multiple_of(2) {
            self.send(self.rank + 1, self.bytes);
            return None;
        }
        self.receive(self.rank - 1);
        Some(self.rank / 2)
    }

    fn odd(&self, new: usize) -> usize {
        let (_, rest) = self.core();
        if new < rest { new * 2 + 1 } else { new + rest }
    }

    /// `MPIR_Allreduce_intra_recursive_doubling`.
    fn double(&mut self) {
        let (core, rest) = self.core();
        if let Some(new) = self.fold_to_odd() {
            let mut mask = 1;
            while mask < core {
                let partner = self.odd(new ^ mask);
                self.exchange(partner, self.bytes, partner);
                mask <<= 1;
            }
        }
        self.unfold(rest, self.bytes);
    }

    fn unfold(&mut self, rest: usize, bytes: usize) {
        if self.rank < 2 * rest {
            if self.rank % 2 == 1 {
                self.send(self.rank - 1, bytes);
            } else {
                self.receive(self.rank + 1);
            }
        }
    }

    /// `MPIR_Scan_intra_recursive_doubling`.
    fn scan(&mut self) {
        let mut mask = 1;
        while mask < self.ranks {
            let partner = self.rank ^ mask;
            if partner < self.ranks {
                self.exchange(partner, self.bytes, partner);
            }
            mask <<= 1;
        }
    }

    /// `MPIR_Allgather_intra_recursive_doubling`, for blocks of these sizes.
    fn gather_doubling(&mut self, sizes: &[usize]) {
        let all = |first: usize, end: usize| sizes[first..end.min(sizes.len())].iter().sum();
        let relative = self.relative();
        let (mut mask, mut i) = (1_usize, 0);
        while mask < self.ranks {
            let partner = relative ^ mask;
            let theirs = partner >> i << i;
            let mine = relative >> i << i;
            if partner < self.ranks {
                let partner = self.absolute(partner);
                self.exchange(partner, all(mine, mine + mask), partner);
            }
            if theirs + mask > self.ranks && self.ranks > mine + mask {
                let completed = self.ranks - mine - mask;
                let mut k = mask.ilog2();
                let mut apart = mask >> 1;
                while apart > 0 {
                    let partner = relative ^ apart;
                    let tree = relative >> k << k;
                    let (have, lack) = (relative < tree + completed, partner >= tree + completed);
                    if partner > relative && have && lack {
                        self.send(self.absolute(partner), all(mine + mask, self.ranks));
                    } else if partner < relative && !have && !lack {
                        self.receive(self.absolute(partner));
                    }
                    apart >>= 1;
                    k -= 1;
                }
            }
            mask <<= 1;
            i += 1;
        }
    }

    /// The reduce-scatter in `MPIR_Allreduce_intra_reduce_scatter_allgather`. Returns the first
    /// part that a new rank has at the end, and the end of the parts that it had before.
    fn halve(&mut self, new: usize, real: impl Fn(usize) -> usize) -> (usize, usize) {
        let (core, _) = self.core();
        let sizes = counts(self.bytes, core);
        let (mut send, mut receive, mut last) = (0, 0, core);
        let mut mask = 1;
        while mask < core {
            let partner = new ^ mask;
            let bytes = if new < partner {
                send = receive + core / (mask * 2);
                sizes[send..last].iter().sum()
            } else {
                receive = send + core / (mask * 2);
                sizes[send..receive].iter().sum()
            };
            self.exchange(real(partner), bytes, real(partner));
            send = receive;
            mask <<= 1;
            if mask < core {
                last = receive + core / mask;
            }
        }
        (send, last)
    }

    /// `MPIR_Allreduce_intra_reduce_scatter_allgather`.
    fn rabenseifner(&mut self) {
        let (core, rest) = self.core();
        let sizes = counts(self.bytes, core);
        if let Some(new) = self.fold_to_odd() {
            let odd = |new: usize| if new < rest { new * 2 + 1 } else { new + rest };
            let (mut send, mut last) = self.halve(new, odd);
            let mut mask = core >> 1;
            while mask > 0 {
                let partner = new ^ mask;
                let (bytes, receive);
                if new < partner {
                    if mask != core / 2 {
                        last += core / (mask * 2);
                    }
                    receive = send + core / (mask * 2);
                    bytes = sizes[send..receive].iter().sum();
                } else {
                    receive = send - core / (mask * 2);
                    bytes = sizes[send..last].iter().sum();
                }
                self.exchange(odd(partner), bytes, odd(partner));
                if new > partner {
                    send = receive;
                }
                mask >>= 1;
            }
        }
        self.unfold(rest, self.bytes);
    }

    /// `MPIR_Reduce_intra_reduce_scatter_gather`.
    fn rabenseifner_to_root(&mut self) {
        let (core, rest) = self.core();
        let sizes = counts(self.bytes, core);
        let even = |new: usize| if new < rest { new * 2 } else { new + rest };
        let mut new = Some(self.rank - rest.min(self.rank));
        if self.rank < 2 * rest {
            if self.rank % 2 == 1 {
                self.send(self.rank - 1, self.bytes);
                new = None;
            } else {
                self.receive(self.rank + 1);
                new = Some(self.rank / 2);
            }
        }
        let (mut send, mut last) = (0, 2);
        if let Some(new) = new {
            (send, last) = self.halve(new, even);
        }
        let odd_root = self.root < 2 * rest && self.root % 2 == 1;
        let new_root = match self.root {
            _ if odd_root => 0,
            root if root < 2 * rest => root / 2,
            root => root - rest,
        };
        if odd_root {
            if self.rank == self.root {
                self.receive(0);
                (new, send, last) = (Some(0), 0, 2);
            } else if new == Some(0) {
                self.send(self.root, sizes[0]);
                new = None;
            }
        }
        let Some(new) = new else { return };
        let (mut mask, mut j) = (core >> 1, core.ilog2());
        while mask > 0 {
            j -= 1;
            let partner = new ^ mask;
            let real = if partner == 0 && odd_root {
                self.root
            } else {
                even(partner)
            };
            let (bytes, receive);
            if new < partner {
                if mask != core / 2 {
                    last += core / (mask * 2);
                }
                receive = send + core / (mask * 2);
                bytes = sizes[send..receive].iter().sum();
            } else {
                receive = send - core / (mask * 2);
                bytes = sizes[send..last].iter().sum();
            }
            if partner >> j == new_root >> j {
                self.send(real, bytes);
                break;
            }
            self.receive(real);
            if new > partner {
                send = receive;
            }
            mask >>= 1;
        }
    }

    /// `MPIR_Reduce_scatter_intra_recursive_halving`.
    fn reduce_scatter(&mut self) {
        let (core, rest) = self.core();
        let old = counts(self.bytes, self.ranks);
        if let Some(new) = self.fold_to_odd() {
            let sizes: Vec<usize> = (0..core)
                .map(|i| {
                    let real = self.odd(i);
                    if real < 2 * rest {
                        old[real] + old[real - 1]
                    } else {
                        old[real]
                    }
                })
                .collect();
            let (mut send, mut receive, mut last) = (0, 0, core);
            let mut mask = core >> 1;
            while mask > 0 {
                let partner = new ^ mask;
                let bytes = if new < partner {
                    send = receive + mask;
                    sizes[send..last].iter().sum()
                } else {
                    receive = send + mask;
                    sizes[send..receive].iter().sum()
                };
                self.exchange(self.odd(partner), bytes, self.odd(partner));
                send = receive;
                last = receive + mask;
                mask >>= 1;
            }
        }
        self.unfold(rest, old[self.rank - self.rank % 2]);
    }

    /// `MPIR_Allgather_intra_ring`, with blocks of these sizes. It begins with `first`, this rank's
    /// own block.
    fn ring(&mut self, sizes: &[usize], first: usize) {
        let (left, right) = (self.rank + self.ranks - 1, self.rank + 1);
        let mut j = first % self.ranks;
        for _ in 1..self.ranks {
            self.exchange(right % self.ranks, sizes[j], left % self.ranks);
            j = (self.ranks + j - 1) % self.ranks;
        }
    }

    /// `MPIR_Alltoall_intra_pairwise`, `MPIR_Reduce_scatter_intra_pairwise`.
    fn pairwise(&mut self, sizes: &[usize], pairs: bool) {
        for i in 1..self.ranks {
            let (mut to, mut from) = (self.rank ^ i, self.rank ^ i);
            if !pairs {
                from = (self.rank + self.ranks - i) % self.ranks;
                to = (self.rank + i) % self.ranks;
            }
            self.exchange(to, sizes[to], from);
        }
    }

    /// `MPIR_Allgather_intra_brucks`.
    fn gather_bruck(&mut self) {
        let (mut held, mut distance) = (1, 1);
        while distance <= self.ranks / 2 {
            let from = (self.rank + distance) % self.ranks;
            let to = (self.rank + self.ranks - distance) % self.ranks;
            self.exchange(to, held * self.bytes, from);
            held *= 2;
            distance *= 2;
        }
        let rest = self.ranks - distance;
        if rest > 0 {
            let from = (self.rank + distance) % self.ranks;
            let to = (self.rank + self.ranks - distance) % self.ranks;
            self.exchange(to, rest * self.bytes, from);
        }
    }

    /// `MPIR_Alltoall_intra_brucks`, and the dissemination in `MPIR_Barrier_intra_dissemination`,
    /// whose blocks are empty.
    fn bruck(&mut self) {
        let mut distance = 1;
        while distance < self.ranks {
            let to = (self.rank + distance) % self.ranks;
            let from = (self.rank + self.ranks - distance) % self.ranks;
            let blocks = (1..self.ranks)
                .filter(|block| block & distance != 0)
                .count();
            self.exchange(to, blocks * self.bytes, from);
            distance *= 2;
        }
    }

    fn reduce_then_scatter(&mut self, parts: &[usize]) {
        self.star(false);
        match self.rank {
            0 => (1..self.ranks).for_each(|to| self.send(to, parts[to])),
            _ => self.receive(0),
        }
    }

    fn write(&mut self, case: Case) {
        let (bytes, ranks) = (self.bytes, self.ranks);
        let parts = counts(bytes, ranks);
        let blocks = vec![bytes; ranks];
        let scattered = |first: usize, end: usize| parts[first..end].iter().sum::<usize>();
        match (case.name, case.algorithm) {
            ("broadcast" | "scatter", "linear") => self.star(true),
            ("reduce" | "gather", "linear") => self.star(false),
            ("allreduce" | "barrier", "linear") => {
                self.star(false);
                self.star(true);
            }
            ("allreduce", "simgrid") => {
                self.star(false);
                self.down_the_tree(|_, _| bytes);
            }
            ("reducescatter", "simgrid") => self.reduce_then_scatter(&parts),
            ("scan", "simgrid") => {
                (self.rank + 1..ranks).for_each(|to| self.send(to, bytes));
                (0..self.rank).for_each(|from| self.receive(from));
            }
            ("allgather" | "alltoall", "linear") => self.with_each(|_| bytes),
            ("reducescatter", "linear") => self.with_each(|to| parts[to]),
            ("scan", "linear") => {
                if self.rank > 0 {
                    self.receive(self.rank - 1);
                }
                if self.rank + 1 < ranks {
                    self.send(self.rank + 1, bytes);
                }
            }
            ("broadcast", "binomial") => self.down_the_tree(|_, _| bytes),
            ("scatter", "binomial") => self.down_the_tree(|first, end| (end - first) * bytes),
            ("reduce", "binomial") => self.up_the_tree(false),
            ("gather", "binomial") => self.up_the_tree(true),
            ("allreduce" | "barrier", "binomial") => {
                self.up_the_tree(false);
                self.down_the_tree(|_, _| bytes);
            }
            ("allreduce" | "barrier", "recursive-doubling") => self.double(),
            ("scan", "recursive-doubling") => self.scan(),
            ("allgather", "recursive-doubling") => self.gather_doubling(&blocks),
            ("broadcast", "recursive-doubling") => {
                self.down_the_tree(scattered);
                self.gather_doubling(&parts);
            }
            ("broadcast", "ring") => {
                self.down_the_tree(scattered);
                self.ring(&parts, self.relative());
            }
            ("reducescatter", "recursive-halving") => self.reduce_scatter(),
            ("allgather", "ring") => self.ring(&blocks, self.rank),
            ("reducescatter", "ring") => self.ring(&parts, self.rank + ranks - 1),
            ("allreduce", "ring") => {
                self.ring(&parts, self.rank);
                self.ring(&parts, self.rank + 1);
            }
            ("allreduce", "rabenseifner") => self.rabenseifner(),
            ("reduce", "rabenseifner") => self.rabenseifner_to_root(),
            ("alltoall", "pairwise") => self.pairwise(&blocks, ranks.is_power_of_two()),
            ("reducescatter", "pairwise") => self.pairwise(&parts, false),
            ("allgather", "bruck") => self.gather_bruck(),
            ("alltoall", "bruck") | ("barrier", "dissemination") => self.bruck(),
            _ => panic!("{case:?} has no replay"),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Clocks {
    now: f64,
    send_free: f64,
    receive_free: f64,
}

#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn send(network: Network, me: &mut Clocks, bytes: usize) -> f64 {
    match network {
        Network::Hockney {
            latency_s,
            bytes_per_s,
        } => me.now + latency_s + bytes as f64 / bytes_per_s,
        Network::LogGp {
            l_s,
            o_s,
            g_s,
            gap_per_byte_s,
        } => {
            let body = bytes.saturating_sub(1) as f64 * gap_per_byte_s;
            let start = me.now.max(me.send_free);
            me.now = start + o_s;
            me.send_free = start + g_s + body;
            ((start + o_s) + l_s) + body
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "sizes are small")]
fn receive(network: Network, me: &mut Clocks, bytes: usize, arrival: f64) {
    match network {
        Network::Hockney { .. } => me.now = me.now.max(arrival),
        Network::LogGp {
            o_s,
            g_s,
            gap_per_byte_s,
            ..
        } => {
            let start = me.now.max(arrival).max(me.receive_free);
            me.now = start + o_s;
            me.receive_free = start + g_s + bytes.saturating_sub(1) as f64 * gap_per_byte_s;
        }
    }
}

fn replay(case: Case) -> Vec<f64> {
    let ranks = case.ranks as usize;
    let mut programs: Vec<VecDeque<Op>> = (0..ranks)
        .map(|rank| {
            let mut program = Program::new(case, rank);
            program.write(case);
            program.ops.into()
        })
        .collect();
    let mut clocks = vec![Clocks::default(); ranks];
    let mut mail = BTreeMap::<(usize, usize), VecDeque<(usize, f64)>>::new();
    while programs.iter().any(|program| !program.is_empty()) {
        for rank in 0..ranks {
            while let Some(op) = programs[rank].front() {
                match *op {
                    Send(to, bytes) => {
                        let arrival = send(case.network, &mut clocks[rank], bytes);
                        mail.entry((rank, to))
                            .or_default()
                            .push_back((bytes, arrival));
                    }
                    Receive(from) => {
                        let letters = mail.get_mut(&(from, rank));
                        let Some((bytes, arrival)) = letters.and_then(VecDeque::pop_front) else {
                            break;
                        };
                        receive(case.network, &mut clocks[rank], bytes, arrival);
                    }
                }
                programs[rank].pop_front();
            }
        }
    }
    clocks.iter().map(|clocks| clocks.now).collect()
}

#[test]
fn collectives_take_what_their_replay_takes_to_the_last_bit() {
    let bits = |ends: Vec<f64>| ends.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    for (name, algorithm) in all() {
        for ranks in 2..=33 {
            for (bytes, root) in [(7, 0), (1000, ranks - 1), (65_537, ranks / 2), (0, 1)] {
                let network = if bytes == 1000 { HOCKNEY } else { LOGGP };
                let case = Case {
                    name,
                    algorithm,
                    ranks,
                    root,
                    bytes,
                    network,
                };
                let found = bits(ends(case, Engine::Event));
                assert_eq!(found, bits(replay(case)), "{case:?}");
                let local = bits(ends(case, Engine::Local));
                assert_eq!(local, found, "{case:?} by the local engine");
            }
        }
    }
}
