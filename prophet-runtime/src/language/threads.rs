//! Defines what a model can say about threads: how many there are, and how they share loops.

use std::fmt;

use super::number::Int;

/// Maximum number of members at the same time, in all regions of a run together.
pub(crate) const MEMBERS_MAX: u32 = 1 << 22;
pub(crate) const TEAM_MAX: u32 = 1 << 16;

/// The number of threads that a region asks for.
///
/// ```
/// use prophet_runtime::{Model, Parallel, Simulation, System, Threads};
///
/// const TEAM: Parallel = Parallel::new(0, "Team", 1);
/// let model = Model::new("Two teams", &[], 1);
/// // Two CPUs, and NUM_THREADS is 2.
/// let outcome = Simulation::new(&model, System::new(1, 2, 1, 2)).run(async |ctx| {
///     TEAM.execute(ctx, Threads::Default, async |ctx| ctx.hold(1.0).await).await?;
///     TEAM.execute(ctx, Threads::Of(1.into()), async |ctx| ctx.hold(1.0).await).await
/// })?;
/// assert_eq!(outcome.predicted_time_s, 2.0);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// The current team, if the construct can share it, or else a new team of `NUM_THREADS`
    /// threads.
    Default,
    /// A new team with this number of threads.
    Of(Int),
}

/// How the iterations of a loop are divided among the threads of a team, as in OpenMP. Each
/// schedule has a chunk size: the number of iterations that a thread takes at a time (with
/// `Guided`, the minimum).
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, ParallelDo, Schedule, Simulation, System, Threads};
///
/// const LOOP: ParallelDo = ParallelDo::new(0, "Loop", 1);
/// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
/// let model = Model::new("Growing", &[], 2);
/// let time_s = |schedule| {
///     let simulation = Simulation::new(&model, System::new(1, 4, 1, 4));
///     let run = simulation.run(async |ctx| {
///         LOOP.execute(ctx, Threads::Default, 16, schedule, async |ctx, i| {
///             WORK.execute(ctx, 1.0 + i.real()).await
///         })
///         .await
///     });
///     run.map(|outcome| outcome.predicted_time_s)
/// };
/// assert_eq!(time_s(Schedule::Static(None))?, 13.0 + 14.0 + 15.0 + 16.0);
/// assert_eq!(time_s(Schedule::Dynamic(None))?, 4.0 + 8.0 + 12.0 + 16.0);
/// assert_eq!(time_s(Schedule::Guided(None))?, 39.0);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Divides the iterations beforehand: the threads get chunks in turn. Without a chunk size,
    /// each thread gets one block. The blocks are as equal as possible, with the larger ones first.
    Static(Option<Int>),
    /// Gives each free thread the next chunk. If several are free, the lowest number comes first.
    /// The default chunk size is 1.
    Dynamic(Option<Int>),
    /// Like `Dynamic`, but each thread gets the number of remaining iterations divided by the
    /// number of threads, rounded up, and at least a chunk. The default chunk size is 1.
    Guided(Option<Int>),
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, chunk) = match self {
            Self::Static(chunk) => ("static", chunk),
            Self::Dynamic(chunk) => ("dynamic", chunk),
            Self::Guided(chunk) => ("guided", chunk),
        };
        f.write_str(name)?;
        chunk.iter().try_for_each(|chunk| write!(f, " by {chunk}"))
    }
}
