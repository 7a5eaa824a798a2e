//! Converts elements, units and states to the numbers in a page's columns.

use prophet_trace::{UnitId, UnitState};

use crate::analysis::path::Activity;
use crate::page::{self, NO_ELEMENT};

pub(super) fn place(indices: &[u32], element: Option<u32>) -> u32 {
    let place = element.and_then(|element| indices.binary_search(&element).ok());
    place
        .and_then(|place| u32::try_from(place).ok())
        .unwrap_or(NO_ELEMENT)
}

/// Converts an offset in columns, which have a few million rows at most.
pub(super) fn offset(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}

pub(super) fn uid(unit: UnitId, units_of_process: u32) -> u32 {
    unit.pid
        .saturating_mul(units_of_process)
        .saturating_add(unit.tid)
}

/// Returns the number of a state of the path or of a row.
pub(super) fn state(activity: Activity) -> u8 {
    let state = match activity {
        Activity::State(UnitState::Compute) => page::SegmentState::Compute,
        Activity::State(UnitState::Send) => page::SegmentState::Send,
        Activity::State(UnitState::Receive) => page::SegmentState::Receive,
        Activity::State(UnitState::Collective) => page::SegmentState::Collective,
        Activity::State(UnitState::Synchronize) => page::SegmentState::Synchronize,
        Activity::State(UnitState::Hold) => page::SegmentState::Hold,
        Activity::State(UnitState::Wait | UnitState::Content) | Activity::Unknown => {
            page::SegmentState::Wait
        }
        Activity::Transfer => page::SegmentState::Network,
    };
    state as u8
}
