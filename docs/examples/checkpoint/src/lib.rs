//! Contains the type that the stereotype `checkpoint` stands for.

use prophet_runtime::{Element, Int, ModelElement, ProcessCtx, Stopped};

/// Time to open a file, in seconds.
const OPEN_S: f64 = 0.01;

/// Default bandwidth of the file system, in bytes per second.
const BANDWIDTH: f64 = 2e9;

/// Writes the state of a process to the file system, which all processes share.
///
/// ```
/// use checkpoint_elements::Checkpoint;
/// use prophet_runtime::{Model, Simulation, System};
///
/// const SAVE: Checkpoint = Checkpoint::new(0, "Save", 1);
/// let model = Model::new("Saving", &[], 1);
/// let outcome = Simulation::new(&model, System::new(2, 1, 2, 1))
///     .run(async |ctx| SAVE.execute(ctx, 1_000_000_000.into(), None).await)?;
/// assert_eq!(outcome.predicted_time_s, 0.01 + 2.0 * 1e9 / 2e9);
/// assert_eq!(outcome.elements[0].count, 2);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Checkpoint(Element);

impl Checkpoint {
    /// Creates the element with this index, name and id in the model.
    pub const fn new(index: u32, name: &'static str, id: i64) -> Self {
        Self(Element { index, name, id })
    }

    /// Opens a file, and writes `bytes` bytes to it. All processes write at the same time, so each
    /// gets only its share of the bandwidth, which is in bytes per second.
    ///
    /// # Errors
    ///
    /// Stops the run if the time is negative or not finite.
    pub async fn execute(
        &self,
        ctx: &ProcessCtx<'_>,
        bytes: Int,
        bandwidth: Option<f64>,
    ) -> Result<(), Stopped> {
        let all = bytes.real() * ctx.num_processes().real();
        let write_s = all / bandwidth.unwrap_or(BANDWIDTH);
        ctx.execute(self, ctx.hold(OPEN_S + write_s)).await
    }
}

impl ModelElement for Checkpoint {
    fn element(&self) -> &Element {
        &self.0
    }

    fn kind(&self) -> &'static str {
        "checkpoint"
    }
}
