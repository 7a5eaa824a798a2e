//! Implements `kernel`, which the host launches on an accelerator.

use super::element;
use super::offloading::{Call, Offloading};
use crate::engine::process::ProcessCtx;
use crate::language::price::Price;

element! {
    /// Work for an accelerator. The host needs a CPU only for the launch, and then continues.
    ///
    /// Kernels in the same stream run in order. Kernels in different streams run one at a time,
    /// unless their [shares](Offloading::share) add up to at most 1.
    ///
    /// For an example, see [`Accelerator`](crate::Accelerator).
    Kernel, "kernel"
}

impl Kernel {
    /// Launches the kernel. It takes the longest of three times: its price, the time for its
    /// operations, and the time for its bytes.
    ///
    /// # Errors
    ///
    /// The future stops the run if the machine doesn't have the accelerator, if the accelerator
    /// lacks the memory or the peak rate that the kernel needs, or if a value is out of range.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: impl Price) -> Offloading<'a> {
        let price = Some(ctx.plain_charge(price));
        Offloading::new(ctx, (&self.0, Self::KIND), Call::Kernel, price)
    }
}
