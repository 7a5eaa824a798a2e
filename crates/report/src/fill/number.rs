//! Numbers by which the columns of a page refer to elements, units and states.

use prophet_trace::{State, UnitId};

use crate::analysis::path::Activity;
use crate::page::{self, NO_ELEMENT};

/// Finds the index of an element among the page's.
pub(super) fn place(indices: &[u32], element: Option<u32>) -> u32 {
    let place = element.and_then(|element| indices.binary_search(&element).ok());
    place
        .and_then(|place| u32::try_from(place).ok())
        .unwrap_or(NO_ELEMENT)
}

/// Converts an offset in columns, which have at most some millions of rows.
pub(super) fn offset(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}

/// Number of a unit on a page.
pub(super) fn uid(unit: UnitId, units_of_process: u32) -> u32 {
    unit.pid
        .saturating_mul(units_of_process)
        .saturating_add(unit.tid)
}

/// Number of a state of the path, or of a row, on a page.
pub(super) fn state(activity: Activity) -> u8 {
    let state = match activity {
        Activity::State(State::Compute) => page::State::Compute,
        Activity::State(State::Send) => page::State::Send,
        Activity::State(State::Receive) => page::State::Receive,
        Activity::State(State::Collective) => page::State::Collective,
        Activity::State(State::Synchronize) => page::State::Synchronize,
        Activity::State(State::Hold) => page::State::Hold,
        Activity::State(State::Wait | State::Content) | Activity::Unknown => page::State::Wait,
        Activity::Transfer => page::State::Network,
    };
    state as u8
}
