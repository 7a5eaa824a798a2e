//! Changes times of the model and the machine, for a what-if analysis or because of noise.

use std::cell::RefCell;

use prophet_machine::network::Sent;
use prophet_machine::noise::{Factors, Noise, Noisy};
use prophet_machine::system::System;

use super::scaled::Scaled;
use crate::language::element::Element;
use prophet_sim::variates::Generator;

#[derive(Debug)]
pub(crate) struct Altered {
    scaled: Option<Scaled>,
    costs: Option<Streams>,
    messages: Option<Streams>,
    /// The factor for the costs of each process. Empty if all are 1.
    paces: Vec<f64>,
}

/// Random factors. Each process has its own stream, so the order of processes doesn't matter.
#[derive(Debug)]
struct Streams {
    factors: Factors,
    generators: RefCell<Vec<Generator>>,
}

impl Streams {
    /// Creates the streams for a kind of noise, if the system has it.
    fn new(system: &System, what: Noisy) -> Option<Self> {
        let factors = system.noise.of(what)?.clone();
        // The streams of elements use the seed itself.
        let name = format!("noise of {}", what.name());
        let seed = Generator::named(system.seed, &name).bits();
        let generators = (0..system.processes).map(|pid| Generator::new(seed, pid, 0));
        Some(Self {
            factors,
            generators: RefCell::new(generators.collect()),
        })
    }

    fn draw(&self, pid: u32) -> f64 {
        let generator = &mut self.generators.borrow_mut()[pid as usize];
        self.factors.draw(generator)
    }
}

/// Returns the factor for the costs of each process, which stays the same for a whole run. Empty if
/// all are 1.
fn paces(system: &System) -> Vec<f64> {
    let ranks = Streams::new(system, Noisy::Ranks);
    let of_process = |(pid, nid): (u32, &u32)| {
        let drawn = ranks.as_ref().map_or(1.0, |ranks| ranks.draw(pid));
        system.cost_factor(*nid) * drawn
    };
    let paces: Vec<f64> = (0..).zip(&system.mapping).map(of_process).collect();
    #[expect(clippy::float_cmp, reason = "just this number changes nothing")]
    let all_same = paces.iter().all(|pace| *pace == 1.0);
    if all_same { Vec::new() } else { paces }
}

impl Altered {
    /// Creates the changes. Returns `None` if no time changes, so that such runs only need a
    /// comparison.
    pub(crate) fn new(scaled: Option<Scaled>, system: &System) -> Option<Box<Self>> {
        if scaled.is_none() && system.noise == Noise::default() && system.groups.have_one_speed() {
            return None;
        }
        Some(Box::new(Self {
            scaled,
            costs: Streams::new(system, Noisy::Costs),
            messages: Streams::new(system, Noisy::Messages),
            paces: paces(system),
        }))
    }

    #[cold]
    pub(crate) fn cost_s(&self, pid: u32, element: &Element, cost_s: f64) -> f64 {
        let drawn = self.costs.as_ref().map(|costs| costs.draw(pid));
        let pace = self.paces.get(pid as usize);
        let cost_s = self.scaled_cost_s(element, cost_s);
        if cost_s < 0.0 {
            // The message then shows the model's own cost.
            return cost_s;
        }
        cost_s * pace.unwrap_or(&1.0) * drawn.unwrap_or(1.0)
    }

    /// Returns the time of an element's messages in a process, after changes. `time_s` is what the
    /// formula says.
    #[cold]
    pub(crate) fn formula_s(&self, pid: u32, element: &Element, time_s: f64) -> f64 {
        self.scaled_cost_s(element, time_s) * self.message(pid)
    }

    #[cold]
    pub(crate) fn device_s(&self, element: &Element, time_s: f64) -> f64 {
        self.scaled_cost_s(element, time_s)
    }

    fn scaled_cost_s(&self, element: &Element, cost_s: f64) -> f64 {
        let scaled = self.scaled;
        scaled.map_or(cost_s, |scaled| scaled.cost_s(element, cost_s))
    }

    #[cold]
    pub(crate) fn bytes(&self, element: &Element, bytes: u64) -> u64 {
        let scaled = self.scaled;
        scaled.map_or(bytes, |scaled| scaled.bytes(element, bytes))
    }

    /// Draws the factor for the next message of a process.
    fn message(&self, pid: u32) -> f64 {
        let messages = self.messages.as_ref();
        messages.map_or(1.0, |messages| messages.draw(pid))
    }

    /// Returns the factor for the size of a message on shared links.
    #[cold]
    pub(super) fn flow(&self, sender: u32, element: u32) -> f64 {
        let scaled = self.scaled.map_or(1.0, |it| it.factor_of(element));
        scaled * self.message(sender)
    }

    /// Returns the times of a message that an element sends at `start_s`, after any what-if.
    #[cold]
    pub(super) fn scaled_sent(&self, element: u32, start_s: f64, sent: Sent) -> Sent {
        let scaled = self.scaled;
        scaled.map_or(sent, |scaled| scaled.sent(element, start_s, sent))
    }

    /// Returns the times of a message that has left its sender, with noise in its travel time.
    #[cold]
    pub(super) fn noisy_sent(&self, sender: u32, sent: Sent) -> Sent {
        let Some(messages) = &self.messages else {
            return sent;
        };
        let factor = messages.draw(sender);
        let left_s = sent.sender_free_s;
        let later = |time_s: f64| left_s + (time_s - left_s) * factor;
        Sent {
            sender_free_s: left_s,
            envelope_s: later(sent.envelope_s),
            arrival_s: later(sent.arrival_s),
        }
    }
}
