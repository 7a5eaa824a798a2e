//! `copy`: bytes between the memories of the host and of accelerators.

use super::offloading::{Call, Direction, Offloading};
use super::{Element, ModelElement};
use crate::engine::process::ProcessCtx;
use crate::language::price::Price;

/// A copy of bytes by a copy engine of an accelerator: the host has a CPU for the time of the
/// launch, and goes on.
///
/// ```
/// use prophet_runtime::{Accelerator, ByMachine, CopyMemory, DeviceLink, Direction, Model};
/// use prophet_runtime::{Simulation, Synchronize, System};
///
/// const IN: CopyMemory = CopyMemory::new(0, "In", 1);
/// const OUT: CopyMemory = CopyMemory::new(1, "Out", 2).direction(Direction::DeviceToHost);
/// const WAIT: Synchronize = Synchronize::new(2, "Wait", 3);
/// let model = Model::new("Both ways", &[], 3);
/// let mut system = System::new(1, 1, 1, 1);
/// let link = DeviceLink { latency_s: 0.0, bandwidth: 1e9 };
/// system.accelerators = [Accelerator::new("gpu", 1e12, link)].into();
/// // Two copy engines copy in both directions at the same time.
/// let run = Simulation::new(&model, system).run(async |ctx| {
///     IN.execute(ctx, ByMachine).bytes(2_000_000_000).stream(1).await?;
///     OUT.execute(ctx, ByMachine).bytes(2_000_000_000).stream(2).await?;
///     WAIT.execute(ctx).await
/// });
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyMemory {
    element: Element,
    direction: Direction,
}

impl CopyMemory {
    /// The stereotype.
    const KIND: &'static str = "copy";

    /// Creates the element with this index, name and id in the model; it copies from the host to
    /// the device.
    pub const fn new(index: u32, name: &'static str, id: i64) -> Self {
        Self {
            element: Element { index, name, id },
            direction: Direction::HostToDevice,
        }
    }

    /// Sets the direction.
    #[must_use]
    pub const fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// Begins the copy. Its time is the price or, without one, latency and bytes on the link.
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine has no such accelerator or link, and when a value is
    /// out of its range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: impl Price) -> Offloading<'a> {
        let (price, call) = (Some(ctx.plain_charge(price)), Call::Copy(self.direction));
        Offloading::new(ctx, (&self.element, Self::KIND), call, price)
    }
}

impl ModelElement for CopyMemory {
    fn element(&self) -> &Element {
        &self.element
    }

    fn kind(&self) -> &'static str {
        Self::KIND
    }
}
