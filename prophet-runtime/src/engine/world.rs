//! The state that the processes of a run share: all of its layers.

use std::cell::RefCell;
use std::ops::Deref;

use crate::kernel::Kernel;
use crate::language::fault::Fault;
use crate::language::model::Value;
use crate::language::price::Charge;
use crate::language::stream::Streams;
use crate::mpi::Mpi;
use crate::nodes::Nodes;
use crate::omp::Omp;
use crate::tracing::Tracer;

/// The state of one run.
#[derive(Debug)]
pub(crate) struct World<'s> {
    mpi: Mpi<'s>,
    /// The model's parameters: those of the system, the defaults for the rest.
    pub(crate) parameters: Vec<Value>,
    pub(crate) streams: Streams,
    pub(crate) omp: Omp,
    /// Faults that prices have met; the first of them that is charged ends the run.
    faults: RefCell<Vec<Fault>>,
}

impl<'s> World<'s> {
    /// A world where a kernel begins, recorded by `tracer`.
    pub(crate) fn new(
        kernel: Kernel<'s>,
        parameters: Vec<Value>,
        tracer: Option<&'s Tracer>,
    ) -> Self {
        Self {
            mpi: Mpi::new(Nodes::new(kernel, tracer)),
            parameters,
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
