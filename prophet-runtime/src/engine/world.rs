//! The state that the processes of a run share: all of its layers.

use std::ops::Deref;

use super::shared_waits::SharedWaits;
use crate::kernel::Kernel;
use crate::language::model::Value;
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
    /// Since when units wait for what processes share.
    pub(super) shared_waits: SharedWaits,
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
            shared_waits: SharedWaits::default(),
        }
    }

    /// The ranks, to be set up before they run.
    pub(crate) fn mpi_mut(&mut self) -> &mut Mpi<'s> {
        &mut self.mpi
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
