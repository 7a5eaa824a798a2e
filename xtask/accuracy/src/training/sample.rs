//! A sample model of training, and the machine that it runs on.

use prophet_interpreter::Interpreted;
use prophet_runtime::{Engine, Machine, Outcome, ProcessCtx, Simulation, System, Value};

use super::{Known, Prices};
use crate::{Places, interpreted_sample};

/// GPUs of a node of all these machines.
pub(super) const NODE: u32 = 8;

/// A measured iteration as a run of a sample model.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Nodes of the machine.
    pub nodes: u32,
    /// GPUs of a node.
    pub gpus: u32,
    /// Processes of the model.
    pub processes: u32,
    /// Parameters of the model.
    pub parameters: Vec<(&'static str, u32)>,
    /// Seconds that were measured.
    pub measured_s: f64,
}

impl Layout {
    /// The value of a parameter; 0 if it is not given.
    pub(super) fn count(&self, name: &str) -> u32 {
        let mut all = self.parameters.iter();
        all.find(|it| it.0 == name).map_or(0, |it| it.1)
    }
}

/// The model and its machine.
#[derive(Debug)]
pub struct Sample {
    interpreted: Interpreted,
    machine: Machine,
    /// The prices that are fitted, and knowledge of them.
    pub known: Known,
}

impl Sample {
    /// Reads both.
    ///
    /// # Errors
    ///
    /// The reason why the model can't be read.
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

    /// The prices of the machine's file.
    ///
    /// # Panics
    ///
    /// If one is missing.
    pub fn prices(&self) -> Prices {
        let price_s = |name| self.machine.prices.get(name).expect("it has a price");
        let prices = self.known.prices.iter();
        prices.map(|price| price_s(price.operation)).collect()
    }

    /// The machine that an iteration runs on, with these prices, and the model's parameters.
    pub fn system(&self, row: &Layout, prices: &[f64]) -> System {
        let model = self.interpreted.model();
        let mut system = System::on(self.machine.clone(), row.nodes, row.gpus, row.processes, 1);
        system.parameters = model.defaults();
        for (parameter, value) in model.parameters.iter().zip(&mut system.parameters) {
            let mut given = row.parameters.iter();
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

    /// Interprets an iteration.
    ///
    /// # Panics
    ///
    /// If it has no layout that the model accepts.
    pub fn run(&self, system: System) -> Outcome {
        let simulation = Simulation::new(self.interpreted.model(), system);
        let simulation = simulation.with_engine(Engine::Local).interpreted();
        let outcome = simulation.run(async |ctx: &ProcessCtx<'_>| self.interpreted.run(ctx).await);
        outcome.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Seconds that an iteration takes with these prices.
    ///
    /// # Panics
    ///
    /// As [`Self::run`].
    pub fn predict(&self, row: &Layout, prices: &[f64]) -> f64 {
        self.run(self.system(row, prices)).predicted_time_s
    }
}
