//! Lists the built-in schedulers by name.

mod backfilling;
mod fcfs;
mod plan;
mod profile;
mod ranks;
mod recorded;

pub use backfilling::{Conservative, Easy};
pub use fcfs::{DataAware, Fcfs};
pub use plan::{Plan, Planned, Planner};
pub use recorded::AsRecorded;

use crate::Scheduler;

/// Names and descriptions of the built-in schedulers.
pub const NAMES: &[(&str, &str)] = &[
    (
        "fcfs",
        "first come, first served, on the fastest host with enough room",
    ),
    (
        "easy",
        "backfilling that does not delay the first task in the queue",
    ),
    (
        "conservative",
        "backfilling that does not delay any task in the queue",
    ),
    (
        "data-aware",
        "first come, first served, on the host that stores most of the inputs",
    ),
    ("min-min", "plans the task that can end first"),
    ("max-min", "plans the task with the latest earliest end"),
    (
        "heft",
        "plans by upward rank, each on the host where it ends first",
    ),
    ("cpop", "plans the critical path on one host"),
    (
        "peft",
        "plans with an optimistic table of the remaining costs",
    ),
];

/// Returns the built-in scheduler with this name; `None` if the name is unknown.
pub fn by_name(name: &str) -> Option<Box<dyn Scheduler>> {
    Some(match name {
        "fcfs" => Box::<Fcfs>::default(),
        "easy" => Box::<Easy>::default(),
        "conservative" => Box::<Conservative>::default(),
        "data-aware" => Box::<DataAware>::default(),
        "min-min" => Box::new(Planned::by(Planner::MinMin)),
        "max-min" => Box::new(Planned::by(Planner::MaxMin)),
        "heft" => Box::new(Planned::by(Planner::Heft)),
        "cpop" => Box::new(Planned::by(Planner::Cpop)),
        "peft" => Box::new(Planned::by(Planner::Peft)),
        _ => return None,
    })
}
