//! What every simulation has: units, their memory, and what happens later.

mod alarms;
mod arena;
pub(crate) mod list;
mod observer;
mod unit;
mod wanted;

pub(crate) use alarms::{Alarms, Task};
pub(crate) use arena::{Arena, Spare, Wrapped, prefetch};
pub(crate) use list::UNITS_MAX;
pub(crate) use observer::{Ended, LOOK_EVERY, Nobody, Observer, Progress};
pub(crate) use unit::{Account, More, NO_ELEMENT, Phase, SPARE_UNITS, Unit, add};
pub(crate) use wanted::Wanted;
