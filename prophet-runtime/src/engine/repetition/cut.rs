//! The state of a run while all of its ranks are at the heads of loops.
//!
//! No rank has begun the iteration that another has not: the clocks, the messages on their way and
//! the values of the variables are all that decides about the rest of the run.

use crate::engine::World;
use crate::kernel::local::{Head, Local};
use crate::kernel::{Account, Spending as _};
use crate::machine::network::NicClocks;
use crate::messages::matching::{Letter, Mode};
use crate::results::elements::Sum;

/// The state of a run, and what it has counted so far.
#[derive(Debug)]
pub(super) struct Cut {
    /// The heads, by rank.
    heads: Vec<Head>,
    /// The ranks' clocks.
    clocks: Vec<f64>,
    /// Times that stay as long as nothing uses them: of network interfaces, and of sends that were
    /// over at once.
    others: Vec<f64>,
    /// Messages on their way, with the ranks that they go to.
    letters: Vec<(u32, Letter)>,
    accounts: Vec<Account>,
    sums: Vec<Sum>,
    messages: u64,
}

/// The way from one state to another that differs from it by time alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Period {
    /// Number of iterations.
    pub(super) iterations: u64,
    /// Time that all clocks have advanced, in simulated seconds.
    advance_s: f64,
}

/// Deviation of a clock's advance from that of the others, as a share of it, that is rounding.
const ROUNDING: f64 = 1e-11;
/// Deviation as a multiple of the distance of two neighboring numbers at the clock's time.
const NEIGHBORS: f64 = 4.0;
/// Deviation of the time at the end, as a share of it, that all periods may have together.
const BUDGET: f64 = 1e-10;

impl Cut {
    /// The state of a run whose ranks are at these heads.
    ///
    /// # Errors
    ///
    /// The reason why that is more than can be compared.
    pub(super) fn of(
        world: &World<'_>,
        local: &Local,
        mut heads: Vec<Head>,
    ) -> Result<Self, &'static str> {
        heads.sort_by_key(|head| head.rank);
        let letters = local.letters();
        if !letters.is_empty() && world.watches_messages() {
            return Err("values that messages carry wait from one iteration to the next");
        }
        if letters
            .iter()
            .any(|(_, letter)| letter.mode == Mode::Rendezvous)
        {
            return Err("a send waits from one iteration to the next");
        }
        let mut others = Vec::with_capacity(2 * heads.len());
        for line in &local.lines {
            let NicClocks {
                send_free_s,
                recv_free_s,
            } = line.nic.get();
            others.extend([send_free_s, recv_free_s]);
        }
        let communication = world.communication();
        if let Some(requests) = communication.requests.get() {
            let mut requests = requests.borrow_mut();
            if requests.are_outstanding() {
                return Err("a request of one iteration is waited for in another");
            }
            requests.change_sent(|time_s| others.push(*time_s));
        }
        let account = |head: &Head| world.first_unit(head.rank).account();
        Ok(Self {
            clocks: local.lines.iter().map(|line| line.now_s.get()).collect(),
            others,
            letters,
            accounts: heads.iter().map(account).collect(),
            sums: world.elements.sums(),
            messages: local.messages(),
            heads,
        })
    }

    /// Memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let heads = self.heads.len() * (size_of::<Head>() + size_of::<Account>());
        let times = (self.clocks.len() + self.others.len()) * size_of::<f64>();
        let letters = self.letters.len() * size_of::<(u32, Letter)>();
        heads + times + letters + self.sums.len() * size_of::<Sum>()
    }

    /// Number of iterations that all ranks have before them, once they have simulated enough.
    fn left(&self) -> u64 {
        if self.heads.iter().any(|head| head.done < head.least) {
            return 0;
        }
        self.heads.iter().map(|head| head.left).min().unwrap_or(0)
    }

    /// The way from `then` to this state, if the two differ by time alone.
    pub(super) fn period_since(&self, then: &Self) -> Option<Period> {
        let went = |(now, then): (&Head, &Head)| now.done.checked_sub(then.done);
        let iterations = { self.heads.iter().zip(&then.heads) }.map(went).next()??;
        let same = |(now, then): (&Head, &Head)| {
            let stayed = (now.element, now.state) == (then.element, then.state);
            let met = iterations.checked_rem(now.modulus) == Some(0);
            stayed && met && went((now, then)) == Some(iterations)
        };
        if !self.heads.iter().zip(&then.heads).all(same) || !self.has_shape_of(then) {
            return None;
        }
        let advances = self
            .clocks
            .iter()
            .zip(&then.clocks)
            .map(|(now, then)| now - then);
        let advance_s = advances.fold(0.0, f64::max);
        let period = Period {
            iterations,
            advance_s,
        };
        let end_s = self.end_s(self.left(), period);
        let tolerance_s = self.tolerance_s(self.left(), period);
        let advanced = |(now, then): (&f64, &f64)| now - then > advance_s - tolerance_s;
        let moved = |(now, then): (&f64, &f64)| {
            let stayed = now.to_bits() == then.to_bits();
            stayed || (now - then - advance_s).abs() < tolerance_s
        };
        let sent = |((_, now), (_, then)): (&(u32, Letter), &(u32, Letter))| {
            (now.time_s - then.time_s - advance_s).abs() < tolerance_s
        };
        let repeats = self.left() >= iterations
            && advance_s > tolerance_s
            && end_s.is_finite()
            && self.clocks.iter().zip(&then.clocks).all(advanced)
            && self.others.iter().zip(&then.others).all(moved)
            && self.letters.iter().zip(&then.letters).all(sent);
        repeats.then_some(period)
    }

    /// True if the two have the same messages and the same other things that have times.
    fn has_shape_of(&self, then: &Self) -> bool {
        let kind =
            |(dest, letter): &(u32, Letter)| (*dest, letter.envelope, letter.bytes, letter.mode);
        self.sums.len() == then.sums.len()
            && self.others.len() == then.others.len()
            && self
                .letters
                .iter()
                .map(kind)
                .eq(then.letters.iter().map(kind))
    }

    /// The latest clock.
    fn latest_s(&self) -> f64 {
        self.clocks.iter().copied().fold(0.0, f64::max)
    }

    /// The latest clock after so many iterations.
    fn end_s(&self, left: u64, period: Period) -> f64 {
        self.latest_s() + period.times(left) * period.advance_s
    }

    /// Deviation of one time in one period that is rounding, and does not add up to more than the
    /// budget.
    fn tolerance_s(&self, left: u64, period: Period) -> f64 {
        let neighbors_s = NEIGHBORS * f64::EPSILON * self.latest_s();
        let rounding_s = ROUNDING * period.advance_s + neighbors_s;
        rounding_s.min(BUDGET * self.end_s(left, period) / period.times(left).max(1.0))
    }

    /// Moves the run on by as many periods as there are iterations left, without simulating them;
    /// returns the number of iterations.
    pub(super) fn compute(
        &self,
        then: &Self,
        period: Period,
        (world, local): (&World<'_>, &Local),
    ) -> u64 {
        let times = self.left() / period.iterations;
        let by_s = period.times(self.left()) * period.advance_s;
        for line in &local.lines {
            line.now_s.set(line.now_s.get() + by_s);
        }
        local.shift_letters(|_| by_s);
        self.move_others(then, by_s, (world, local));
        for (rank, (now, then)) in (0..).zip(self.accounts.iter().zip(&then.accounts)) {
            let more = period.times(self.left());
            let account = now.with(*then, |now, then| now + more * (now - then));
            world.first_unit(rank).set_account(account);
        }
        world.elements.repeat(&then.sums, times);
        let messages = self.messages + times * (self.messages - then.messages);
        local.messages.set(messages);
        times * period.iterations
    }

    /// Moves those of the other times that have changed.
    fn move_others(&self, then: &Self, by_s: f64, (world, local): (&World<'_>, &Local)) {
        let mut changed = self.others.iter().zip(&then.others);
        let mut moved = |time_s: f64| match changed.next() {
            Some((now, then)) if now.to_bits() != then.to_bits() => time_s + by_s,
            _ => time_s,
        };
        for line in &local.lines {
            let NicClocks {
                send_free_s,
                recv_free_s,
            } = line.nic.get();
            line.nic.set(NicClocks {
                send_free_s: moved(send_free_s),
                recv_free_s: moved(recv_free_s),
            });
        }
        if let Some(requests) = world.communication().requests.get() {
            let mut requests = requests.borrow_mut();
            requests.change_sent(|time_s| *time_s = moved(*time_s));
        }
    }
}

impl Period {
    /// Number of periods in so many iterations.
    #[expect(
        clippy::cast_precision_loss,
        reason = "loops have fewer than 2^53 iterations"
    )]
    fn times(self, iterations: u64) -> f64 {
        (iterations / self.iterations.max(1)) as f64
    }
}
