//! The state that the processes of a run share: all of its layers.

use std::cell::RefCell;
use std::ops::Deref;

use super::devices::SimulatedDevice;
use crate::kernel::Kernel;
use crate::language::fault::Fault;
use crate::language::model::Value;
use crate::language::price::Charge;
use crate::language::stream::Streams;
use crate::mpi::Mpi;
use crate::nodes::Nodes;
use crate::omp::Omp;
use crate::tracing::Tracer;

/// Values that the model and the system give all processes.
#[derive(Debug)]
pub(crate) struct Values {
    /// The model's parameters: those of the system, the defaults for the rest.
    pub(crate) parameters: Vec<Value>,
    /// Prices of the model's operations by index, in seconds.
    pub(crate) prices_s: Vec<f64>,
    /// Devices of the model by the indices of their uses.
    pub(crate) devices: Vec<SimulatedDevice>,
}

/// The state of one run.
#[derive(Debug)]
pub(crate) struct World<'s> {
    mpi: Mpi<'s>,
    pub(crate) values: Values,
    pub(crate) streams: Streams,
    pub(crate) omp: Omp,
    /// Faults that prices have met; the first of them that is charged ends the run.
    faults: RefCell<Vec<Fault>>,
}

impl<'s> World<'s> {
    /// A world where a kernel begins, recorded by `tracer`.
    pub(crate) fn new(kernel: Kernel<'s>, values: Values, tracer: Option<&'s Tracer>) -> Self {
        Self {
            mpi: Mpi::new(Nodes::new(kernel, tracer)),
            values,
            streams: Streams::new(),
            omp: Omp::default(),
            faults: RefCell::default(),
        }
    }

    /// The ranks, to be set up before they run.
    pub(crate) fn mpi_mut(&mut self) -> &mut Mpi<'s> {
        &mut self.mpi
    }

    /// Keeps the fault that a price has met, until it is charged.
    #[cold]
    #[inline(never)]
    pub(super) fn keep_fault(&self, fault: Fault) -> Charge {
        let mut faults = self.faults.borrow_mut();
        faults.push(fault);
        Charge::Fault(faults.len() - 1)
    }

    /// The fault with a number.
    pub(super) fn fault(&self, number: usize) -> Fault {
        self.faults.borrow()[number].clone()
    }
}

/// A layer has what is below it.
impl<'s> Deref for World<'s> {
    type Target = Mpi<'s>;

    #[inline]
    fn deref(&self) -> &Mpi<'s> {
        &self.mpi
    }
}
