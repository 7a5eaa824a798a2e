//! Implements `copy`, which copies bytes between the host and accelerators.

use super::element;
use super::offloading::{Call, Offloading};
use crate::engine::process::ProcessCtx;
use crate::language::price::Price;

element! {
    /// A copy to or from an accelerator, made by the accelerator's copy engine. The host needs a
    /// CPU only for the launch, and then continues.
    ///
    /// ```
    /// use prophet_runtime::{Accelerator, ByMachine, CopyMemory, DeviceLink, Model, Simulation};
    /// use prophet_runtime::{Synchronize, System};
    ///
    /// const IN: CopyMemory = CopyMemory::new(0, "In", 1);
    /// const OUT: CopyMemory = CopyMemory::new(1, "Out", 2);
    /// const WAIT: Synchronize = Synchronize::new(2, "Wait", 3);
    /// let model = Model::new("Both ways", &[], 3);
    /// let mut system = System::new(1, 1, 1, 1);
    /// let link = DeviceLink { latency_s: 0.0, bandwidth: 1e9 };
    /// system.accelerators = [Accelerator::new("gpu", 1e12, link)].into();
    /// // Two copy engines copy in both directions at the same time.
    /// let run = Simulation::new(&model, system).run(async |ctx| {
    ///     IN.execute(ctx, ByMachine).bytes(2_000_000_000).stream(1).await?;
    ///     OUT.execute(ctx, ByMachine).bytes(2_000_000_000).stream(2).to_host().await?;
    ///     WAIT.execute(ctx).await
    /// });
    /// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
    /// ```
    CopyMemory, "copy"
}

impl CopyMemory {
    /// Begins a copy from the host to the device. To change the direction, use
    /// [`Offloading::to_host`] or [`Offloading::peer`]. The copy takes as long as `price` says. If
    /// the price is [`ByMachine`](crate::ByMachine), it takes the link's latency plus the time to
    /// transfer the bytes at the link's bandwidth.
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine doesn't have the accelerator or link, or if a value
    /// is out of range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: impl Price) -> Offloading<'a> {
        let price = Some(ctx.plain_charge(price));
        Offloading::new(ctx, (&self.0, Self::KIND), Call::Copy, price)
    }
}
