//! Adds rows for the streams and copy engines of accelerators to the space-time diagram, below the
//! units.

use std::collections::BTreeMap;

use prophet_trace::{Lane, Operation, ReadError, TraceReader};

use super::number::{offset, place};
use crate::page::{AcceleratorLane, Records, SegmentState};

const LANES_MAX: usize = 1024;

/// Adds the operations in a trace to a page's records, as rows numbered from `first`. The page can
/// contain up to `limit` records. Returns how many operations were left out.
pub(super) fn add(
    reader: &mut TraceReader,
    indices: &[u32],
    records: &mut Records,
    (limit, first): (usize, u32),
) -> Result<u64, ReadError> {
    let mut lanes: BTreeMap<(u32, u32, Lane), Vec<Operation>> = BTreeMap::new();
    let mut room = limit.saturating_sub(records.element.len());
    let mut left_out = 0;
    let (mut rows, mut operations) = (reader.operations(), Vec::new());
    while rows.next_batch(&mut operations)? {
        for operation in &operations {
            let lane = (operation.node, operation.device, operation.lane());
            if room == 0 || (lanes.len() == LANES_MAX && !lanes.contains_key(&lane)) {
                left_out += 1;
                continue;
            }
            room -= 1;
            lanes.entry(lane).or_default().push(*operation);
        }
    }
    for ((node, device, lane), mut operations) in lanes {
        operations.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        let number = first.saturating_add(offset(records.lanes.len()));
        records.units.push(number);
        let label = match lane {
            Lane::Kernels(pid, stream) => format!("{node}.{device} stream {pid}.{stream}"),
            Lane::Copies(engine) => format!("{node}.{device} copies {engine}"),
        };
        records.lanes.push(AcceleratorLane {
            label,
            name: format!("accelerator {device} of node {node}, {lane}"),
        });
        let state = match lane {
            Lane::Kernels(..) => SegmentState::Compute,
            Lane::Copies(_) => SegmentState::Network,
        };
        let (sided, shared) = (!records.role.is_empty(), !records.parts.is_empty());
        for operation in operations {
            records
                .element
                .push(place(indices, Some(operation.element)));
            records.state.push(state as u8);
            if sided {
                records.role.push(0);
            }
            if shared {
                records.parts.push(1);
            }
            records.start_s.push(operation.start_s);
            records.end_s.push(operation.end_s);
        }
        records.offsets.push(offset(records.element.len()));
    }
    Ok(left_out)
}
