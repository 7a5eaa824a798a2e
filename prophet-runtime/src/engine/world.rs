//! Defines the `World`: the state that all processes of a run share, in all layers.

use std::cell::{Cell, RefCell};
use std::ops::Deref;

use prophet_machine::prices::Prices;
use prophet_machine::value::Value;

use super::devices::SimulatedDevice;
use super::extrapolations::Extrapolations;
use crate::kernel::Kernel;
use crate::language::fault::Fault;
use crate::language::opcode::Opcode;
use crate::language::price::Charge;
use crate::language::stream::Streams;
use crate::mpi::Mpi;
use crate::nodes::Nodes;
use crate::omp::Omp;
use crate::tracing::Tracer;

/// Values from the model and the system that all processes need.
#[derive(Debug)]
pub(crate) struct Values {
    /// The values of the model's parameters, from the system or else from the model's defaults.
    pub(crate) parameters: Vec<Value>,
    pub(crate) opcodes: &'static [Opcode],
    /// The prices of the model's operations, by index, in seconds.
    pub(crate) prices_s: Vec<Cell<f64>>,
    /// The model's devices, by index of their use.
    pub(crate) devices: Vec<SimulatedDevice>,
}

impl Values {
    /// Sets the prices of the model's operations, or NaN for those that have none.
    pub(crate) fn set_prices(&self, prices: &Prices) {
        for opcode in self.opcodes {
            if let Some(price_s) = self.prices_s.get(opcode.index as usize) {
                price_s.set(prices.get(opcode.name).unwrap_or(f64::NAN));
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct World<'s> {
    mpi: Mpi<'s>,
    pub(crate) values: Values,
    pub(crate) streams: Streams,
    pub(crate) omp: Omp,
    /// Faults in prices. If one of these prices is charged, the run ends.
    faults: RefCell<Vec<Fault>>,
    pub(crate) extrapolations: Extrapolations,
}

impl<'s> World<'s> {
    pub(crate) fn new(kernel: Kernel<'s>, values: Values, tracer: Option<&'s Tracer>) -> Self {
        Self {
            mpi: Mpi::new(Nodes::new(kernel, tracer)),
            values,
            streams: Streams::new(),
            omp: Omp::default(),
            faults: RefCell::default(),
            extrapolations: Extrapolations::default(),
        }
    }

    /// Returns the ranks, so that they can be set up before the run.
    pub(crate) fn mpi_mut(&mut self) -> &mut Mpi<'s> {
        &mut self.mpi
    }

    #[cold]
    #[inline(never)]
    pub(super) fn follow_prices(&self) {
        self.look_at_changes(|changes| {
            if let Some(prices) = changes.take_prices() {
                self.values.set_prices(prices);
            }
        });
    }

    /// Keeps the fault of a price until that price is charged.
    #[cold]
    #[inline(never)]
    pub(super) fn keep_fault(&self, fault: Fault) -> Charge {
        let mut faults = self.faults.borrow_mut();
        faults.push(fault);
        Charge::Fault(faults.len() - 1)
    }

    pub(super) fn fault(&self, number: usize) -> Fault {
        self.faults.borrow()[number].clone()
    }
}

/// Each layer contains the one below it.
impl<'s> Deref for World<'s> {
    type Target = Mpi<'s>;

    #[inline]
    fn deref(&self) -> &Mpi<'s> {
        &self.mpi
    }
}
