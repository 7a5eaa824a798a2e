//! Captures the state of a run whose ranks are all at the heads of loops.
//!
//! All ranks have then begun the same number of iterations, so the clocks, the messages in transit,
//! and the variables' values determine the rest of the run.

use prophet_machine::network::NicClocks;
use prophet_map::Map;

use super::courses::{Course, courses};
use crate::engine::World;
use crate::kernel::local::{Head, Influence, Local};
use crate::kernel::{Account, Spending as _};
use crate::messages::letter::{Letter, Mode};
use crate::results::elements::Sum;
use crate::results::energy::{Joules, Meter};
use crate::tracing::Tracer;

/// The state of a run, and everything that it has counted so far.
#[derive(Debug)]
pub(super) struct Cut {
    heads: Vec<Head>,
    clocks: Vec<f64>,
    /// Times that change only when they are used: for network interfaces, and for sends that ended
    /// immediately.
    others: Vec<f64>,
    /// The messages in transit, with their receivers.
    letters: Vec<(u32, Letter)>,
    accounts: Vec<Account>,
    sums: Vec<Sum>,
    /// The energy of each element in joules, if the machine describes its power.
    joules: Map<u32, Joules>,
    messages: u64,
    /// How the ranks have influenced each other since the previous state, if that is recorded.
    influence: Option<Influence>,
}

/// What lies between two states that differ only by time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Period {
    pub(super) iterations: u64,
    /// How many times the period fits into the rest of the loop.
    times: u64,
    courses: Vec<Course>,
}

impl Cut {
    /// Captures the state of a run whose ranks are at these heads.
    ///
    /// # Errors
    ///
    /// Returns the reason if the state can't be compared with others, for example because it is too
    /// large.
    pub(super) fn of(
        world: &World<'_>,
        local: &Local,
        mut heads: Vec<Head>,
    ) -> Result<Self, &'static str> {
        heads.sort_by_key(|head| head.rank);
        let letters = local.letters();
        if !letters.is_empty() && world.keeps_contents() {
            return Err("a message value sent in one iteration is received in a later one");
        }
        if letters
            .iter()
            .any(|(_, letter)| letter.mode == Mode::Rendezvous)
        {
            return Err("a send started in one iteration is received in a later one");
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
                return Err("a request started in one iteration is completed in a later one");
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
            joules: meter(world).map(Meter::sums).unwrap_or_default(),
            messages: local.messages(),
            influence: local.influences.take(),
            heads,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        let heads = self.heads.len() * (size_of::<Head>() + size_of::<Account>());
        let times = (self.clocks.len() + self.others.len()) * size_of::<f64>();
        let letters = self.letters.len() * size_of::<(u32, Letter)>();
        let influence = self.influence.as_ref().map_or(0, Influence::bytes);
        let joules = self.joules.len() * size_of::<(u32, Joules)>();
        heads + times + letters + influence + joules + self.sums.len() * size_of::<Sum>()
    }

    /// Returns the number of iterations that all ranks have left, or 0 as long as they haven't
    /// simulated enough.
    fn left(&self) -> u64 {
        if self.heads.iter().any(|head| head.done < head.least) {
            return 0;
        }
        self.heads.iter().map(|head| head.left).min().unwrap_or(0)
    }

    /// Returns how the ranks have influenced each other since the previous state, if that was
    /// recorded.
    pub(super) fn influence(&self) -> Option<&Influence> {
        self.influence.as_ref()
    }

    /// Returns the period from `then` to this state, if they differ only by time. `influence` says
    /// how the ranks have influenced each other in between.
    pub(super) fn period_since(
        &self,
        then: &Self,
        influence: Option<&Influence>,
    ) -> Option<Period> {
        let went = |(now, then): (&Head, &Head)| now.done.checked_sub(then.done);
        let iterations = { self.heads.iter().zip(&then.heads) }.map(went).next()??;
        let same = |(now, then): (&Head, &Head)| {
            let stayed = (now.element, now.state) == (then.element, then.state);
            let met = iterations.checked_rem(now.modulus) == Some(0);
            stayed && met && went((now, then)) == Some(iterations)
        };
        let comes = self.left().checked_div(iterations).unwrap_or(0) > 0;
        if !comes || !self.heads.iter().zip(&then.heads).all(same) || !self.has_shape_of(then) {
            return None;
        }
        let times = self.left() / iterations;
        let courses = courses((&self.clocks, &then.clocks), real(times), influence)?;
        let period = Period {
            iterations,
            times,
            courses,
        };
        self.has_moved(then, &period).then_some(period)
    }

    /// Returns `true` if both states are equal, so that no time passes between them.
    pub(super) fn rests_since(&self, then: &Self) -> bool {
        let same = |now: f64, then: f64| now.to_bits() == then.to_bits();
        let all = |now: &[f64], then: &[f64]| {
            let mut times = now.iter().zip(then);
            times.all(|(now, then)| same(*now, *then))
        };
        let head = |head: &Head| (head.element, head.state);
        let mut letters = self.letters.iter().zip(&then.letters);
        self.heads.iter().map(head).eq(then.heads.iter().map(head))
            && self.has_shape_of(then)
            && all(&self.clocks, &then.clocks)
            && all(&self.others, &then.others)
            && letters.all(|(now, then)| same(now.1.time_s, then.1.time_s))
    }

    /// Returns `true` if each of the other times has either moved as far as the clock of its rank,
    /// or not at all.
    fn has_moved(&self, then: &Self, period: &Period) -> bool {
        // After the times of network interfaces come times whose ranks are unknown.
        if self.others.len() > 2 * period.courses.len() && period.drifts() {
            return false;
        }
        let course = |place: usize| period.courses[(place / 2).min(period.courses.len() - 1)];
        let times = self.others.iter().zip(&then.others).enumerate();
        let mut times = times.map(|(place, (now, then))| {
            now.to_bits() == then.to_bits() || course(place).fits(*now, *then)
        });
        let mut letters = self.letters.iter().zip(&then.letters);
        let sent = |((_, now), (_, then)): (&(u32, Letter), &(u32, Letter))| {
            let course = period.courses[now.envelope.source as usize];
            course.fits(now.time_s, then.time_s)
        };
        times.all(|moved| moved) && letters.all(sent)
    }

    /// Returns `true` if both states have the same messages, and the same other things whose times
    /// differ.
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

    /// Advances the run by all whole periods that are left, without simulating them. Returns the
    /// number of iterations that this skips.
    pub(super) fn compute(
        &self,
        then: &Self,
        period: &Period,
        (world, local): (&World<'_>, &Local),
    ) -> u64 {
        let more = real(period.times);
        for (line, course) in local.lines.iter().zip(&period.courses) {
            line.now_s.set(line.now_s.get() + more * course.advance_s);
        }
        local.shift_letters(|source| more * period.courses[source as usize].advance_s);
        self.move_others(then, period, (world, local));
        for (rank, (now, then)) in (0..).zip(self.accounts.iter().zip(&then.accounts)) {
            let account = now.with(*then, |now, then| now + more * (now - then));
            world.first_unit(rank).set_account(account);
        }
        world.elements.repeat(&then.sums, period.times);
        if let Some(meter) = meter(world) {
            meter.repeat(&then.joules, period.times);
        }
        let messages = self.messages + period.times * (self.messages - then.messages);
        local.messages.set(messages);
        period.times * period.iterations
    }

    /// Shifts each of the other times that has changed.
    fn move_others(&self, then: &Self, period: &Period, (world, local): (&World<'_>, &Local)) {
        let mut changed = self.others.iter().zip(&then.others);
        let mut moved = |time_s: f64, course: Course| match changed.next() {
            Some((now, then)) if now.to_bits() != then.to_bits() => {
                time_s + real(period.times) * course.advance_s
            }
            _ => time_s,
        };
        for (line, course) in local.lines.iter().zip(&period.courses) {
            let NicClocks {
                send_free_s,
                recv_free_s,
            } = line.nic.get();
            line.nic.set(NicClocks {
                send_free_s: moved(send_free_s, *course),
                recv_free_s: moved(recv_free_s, *course),
            });
        }
        let requests = world.communication().requests.get();
        if let (Some(requests), Some(course)) = (requests, period.courses.last()) {
            let mut requests = requests.borrow_mut();
            requests.change_sent(|time_s| *time_s = moved(*time_s, *course));
        }
    }
}

impl Period {
    /// Returns `true` if some ranks' clocks advance farther than others.
    fn drifts(&self) -> bool {
        self.courses.iter().any(|course| *course != self.courses[0])
    }
}

fn meter<'w>(world: &World<'w>) -> Option<&'w Meter> {
    world.tracer.and_then(Tracer::meter)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "loops have fewer than 2^53 iterations"
)]
fn real(times: u64) -> f64 {
    times as f64
}
