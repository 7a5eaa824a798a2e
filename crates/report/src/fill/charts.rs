//! Fills in the charts: the communication matrix, the load balance, the utilization of CPUs, and
//! the critical path.

use super::{offset, place, state, uid};
use crate::analysis::matrix::Matrix;
use crate::analysis::path::{CriticalPath, PathStep};
use crate::analysis::totals::Totals;
use crate::analysis::utilization::Utilization;
use crate::order::largest_first;
use crate::page::{self, Data, NO_ELEMENT};

const MATRIX_MAX: u32 = 1024;

#[expect(clippy::cast_precision_loss, reason = "a page shows four digits")]
pub(super) fn matrix(matrix: &mut Matrix, processes: u32) -> Option<page::MatrixData> {
    while processes.div_ceil(matrix.group()) > MATRIX_MAX {
        matrix.coarsen();
    }
    let mut columns = page::MatrixData {
        size: processes.div_ceil(matrix.group()),
        block: matrix.group(),
        ..page::MatrixData::default()
    };
    for ((from, to), traffic) in matrix.pairs() {
        columns.from.push(from);
        columns.to.push(to);
        columns.messages.push(traffic.messages as f64);
        columns.bytes.push(traffic.bytes as f64);
    }
    (!columns.from.is_empty()).then_some(columns)
}

const UNEVEN_MAX: usize = 16;

pub(super) fn imbalance(totals: &Totals, data: &Data) -> Option<page::Imbalance> {
    let balance = page::Imbalance::of(&data.processes, data.run.predicted_time_s)?;
    Some(page::Imbalance {
        elements: uneven(totals, data.processes.pid.len()),
        ..balance
    })
}

/// Sorts elements by how far their longest time in any process exceeds their mean time.
fn uneven(totals: &Totals, processes: usize) -> Vec<page::ElementImbalance> {
    let mut elements: Vec<page::ElementImbalance> = Vec::new();
    for pid in 0..u32::try_from(processes).unwrap_or(u32::MAX) {
        for (element, times) in (0..).zip(totals.elements_of(pid).into_iter().flatten()) {
            if element as usize >= elements.len() {
                elements.push(page::ElementImbalance {
                    element,
                    ..page::ElementImbalance::default()
                });
            }
            let found = &mut elements[element as usize];
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let share_s = times.taken_s / processes as f64;
            found.mean_s += share_s;
            if times.taken_s > found.max_s {
                (found.max_s, found.max_pid) = (times.taken_s, pid);
            }
        }
    }
    elements.retain(|element| element.max_s > 0.0);
    let mut elements = largest_first(&elements, |element| element.max_s - element.mean_s);
    elements.truncate(UNEVEN_MAX);
    elements
}

pub(super) fn utilization(found: &Utilization, data: &Data) -> Vec<page::UtilizationData> {
    #[expect(clippy::cast_possible_truncation, reason = "a page shows three digits")]
    let values = |series: &[Vec<f64>]| series.iter().flatten().map(|value| *value as f32).collect();
    let steps = Utilization::INTERVALS;
    let of =
        |title: &str, meaning: &str, names: &[String], series: &[Vec<f64>]| page::UtilizationData {
            title: title.to_owned(),
            meaning: meaning.to_owned(),
            unit: String::new(),
            #[expect(clippy::cast_precision_loss, reason = "some hundreds")]
            step_s: data.run.predicted_time_s / steps as f64,
            steps: offset(steps),
            names: names.to_vec(),
            values: values(series),
        };
    let group = found.group();
    let name = |first: u32| match data.run.nodes.min(first + group) - 1 {
        last if last == first => format!("node {first}"),
        last => format!("nodes {first} to {last}"),
    };
    let cpus = found.cpus(data.run.cpus_per_node);
    let nodes: Vec<String> = (0..offset(cpus.len()))
        .map(|place| name(place * group))
        .collect();
    let meaning = "The share of a node's CPUs that were computing.";
    let mut series = vec![of("CPUs", meaning, &nodes, &cpus)];
    if data.matrix.is_none() {
        return series;
    }
    if let Some([leaving, coming]) = found.links() {
        let meaning = found.meaning_of_links();
        series.push(of("Links out", meaning, &nodes, &leaving));
        series.push(of("Links in", meaning, &nodes, &coming));
    }
    let ways = ["between nodes", "within nodes"].map(str::to_owned);
    let meaning = "Bytes that were sent but not yet received, over the time of their transfer.";
    series.push(page::UtilizationData {
        unit: "B/s".to_owned(),
        ..of(
            "Messages on their way",
            meaning,
            &ways,
            &found.bytes_per_s(),
        )
    });
    series
}

/// Builds the critical path, and adds notes about parts that aren't exact.
pub(super) fn critical_path(
    path: &CriticalPath,
    indices: &[u32],
    data: &mut Data,
) -> page::CriticalPathData {
    if path.is_coarse() {
        data.notes.push(format!(
            "The critical path has {} segments; neighboring segments are combined into {} here, \
             each shown as the longest of them. The parts of the path are exact.",
            path.count,
            path.segments.len()
        ));
    }
    let mut columns = page::CriticalPathData::default();
    for segment in &path.segments {
        columns
            .unit
            .push(uid(segment.unit, data.run.units_of_process));
        columns.element.push(place(indices, segment.element));
        columns.state.push(state(segment.activity));
        columns.start_s.push(segment.from_s);
        columns.end_s.push(segment.to_s);
    }
    let parts = path.parts.iter().map(|part| page::PathPart {
        element: place(indices, part.element),
        state: state(part.activity),
        count: part.segments,
        total_s: part.seconds,
    });
    let parts: Vec<page::PathPart> = parts.collect();
    columns.parts = largest_first(&parts, |part| part.total_s);
    let known = |element: Option<u32>| match element {
        Some(_) => Some(place(indices, element))
            .filter(|place| *place != NO_ELEMENT)
            .map(Some),
        None => Some(None),
    };
    let step = |step: &PathStep| {
        let (from, to) = (known(step.from)?, known(step.to)?);
        Some(PathStep { from, to, ..*step })
    };
    columns.steps = path.steps.iter().filter_map(step).collect();
    columns
}
