//! Runs the sample models for training on their machines.

use prophet_interpreter::Interpreted;
use prophet_runtime::{Engine, Machine, Outcome, ProcessCtx, Simulation, System, Value};

use super::{Known, Prices};
use crate::{Places, interpreted_sample};

/// GPUs per node on all these machines.
pub(super) const NODE: u32 = 8;

/// A measured iteration without its time, described as a run of a sample model.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of GPUs per node.
    pub gpus: u32,
    /// Number of processes.
    pub processes: u32,
    /// Names and values of the model's parameters.
    pub parameters: Vec<(&'static str, u32)>,
}

impl Layout {
    /// Returns a parameter's value; 0 if it isn't given.
    pub(super) fn count(&self, name: &str) -> u32 {
        let mut all = self.parameters.iter();
        all.find(|it| it.0 == name).map_or(0, |it| it.1)
    }
}

/// A sample model and its machine.
#[derive(Debug)]
pub struct Sample {
    interpreted: Interpreted,
    machine: Machine,
    /// The prices to fit, with prior knowledge about them.
    pub known: Known,
}

impl Sample {
    /// Reads the model and the machine.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the model can't be read.
    pub fn new(
        places: &Places,
        (model, machine): (&str, &str),
        known: Known,
    ) -> Result<Self, String> {
        let preset = Machine::preset(machine);
        Ok(Self {
            interpreted: interpreted_sample(places, model)?,
            machine: preset.ok_or_else(|| format!("unknown machine `{machine}`"))?,
            known,
        })
    }

    /// Returns the prices in the machine file.
    ///
    /// # Panics
    ///
    /// Panics if a price is missing.
    pub fn prices(&self) -> Prices {
        let price_s = |name| self.machine.prices.get(name).expect("it has a price");
        let prices = self.known.prices.iter();
        prices.map(|price| price_s(price.operation)).collect()
    }

    /// Returns the machine for an iteration with these prices, and with the values of the model's
    /// parameters.
    pub fn system(&self, row: &Layout, prices: &[f64]) -> System {
        let model = self.interpreted.model();
        let mut system = System::on(self.machine.clone(), row.nodes, row.gpus, row.processes, 1);
        system.parameters = model.defaults();
        for (parameter, value) in model.parameters.iter().zip(&mut system.parameters) {
            // Measured layouts did fit, so they need no reserve.
            let mut given = row.parameters.iter().chain(&[("RESERVE_GB", 0)]);
            if let Some((_, count)) = given.find(|(name, _)| *name == parameter.name) {
                *value = match value {
                    Value::Real(_) => Value::Real((*count).into()),
                    _ => Value::Int((*count).into()),
                };
            }
        }
        for (price, price_s) in self.known.prices.iter().zip(prices) {
            system.prices.set(price.operation, *price_s);
        }
        system
    }

    /// Simulates an iteration by interpreting the model.
    ///
    /// # Panics
    ///
    /// Panics if the model doesn't accept the layout.
    pub fn run(&self, system: System) -> Outcome {
        let simulation = Simulation::new(self.interpreted.model(), system);
        let simulation = simulation.with_engine(Engine::Local).interpreted();
        let outcome = simulation.run(async |ctx: &ProcessCtx<'_>| self.interpreted.run(ctx).await);
        outcome.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Predicts the time of one iteration, in seconds, with these prices.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::run`] panics.
    pub fn predict(&self, row: &Layout, prices: &[f64]) -> f64 {
        self.run(self.system(row, prices)).predicted_time_s
    }
}
