//! Describes the layers of a diagram: what is in them, and the gaps between them.

use super::scene::{Connection, Lane, Placed, Point};
use super::text::{LineStyle, width};

#[derive(Debug)]
struct Row {
    y: f64,
    top: f64,
    bottom: f64,
    /// The intervals that are occupied in the layer: start, end, and the node. Without a node, it
    /// is a guard.
    taken: Vec<(f64, f64, Option<usize>)>,
}

/// All layers, from top to bottom.
#[derive(Debug)]
pub(super) struct Rows(Vec<Row>);

/// Nodes whose heights differ by less than this are in the same layer.
const NEAR: f64 = 0.5;
const AWAY: f64 = 6.0;

impl Rows {
    pub(super) fn new(nodes: &[Placed], connections: &[Connection], lanes: &[Lane]) -> Self {
        let nodes_y = nodes.iter().map(|node| node.center.y);
        let lanes_y = lanes.iter().flat_map(|it| it.points.iter().map(|at| at.y));
        let mut heights: Vec<f64> = nodes_y.chain(lanes_y).collect();
        heights.sort_by(f64::total_cmp);
        heights.dedup_by(|b, a| *b - *a < NEAR);
        let row = |y: f64| Row {
            y,
            top: y,
            bottom: y,
            taken: Vec::new(),
        };
        let mut rows = Self(heights.into_iter().map(row).collect());
        for (at, Placed { figure, center }) in nodes.iter().enumerate() {
            rows.take(*center, figure.width, figure.height, Some(at));
        }
        for (connection, lane) in connections.iter().zip(lanes) {
            if let Some(guard) = &connection.guard {
                let width = width(guard, LineStyle::Fact);
                let middle = Point {
                    x: lane.label.x + 0.5 * width,
                    y: lane.label.y,
                };
                rows.take(middle, width, LineStyle::Fact.line_height(), None);
            }
        }
        rows
    }

    fn take(&mut self, center: Point, width: f64, height: f64, node: Option<usize>) {
        let at = self.at(center.y);
        if let Some(row) = self.0.get_mut(at) {
            row.top = row.top.min(center.y - 0.5 * height);
            row.bottom = row.bottom.max(center.y + 0.5 * height);
            let half = 0.5 * width;
            row.taken.push((center.x - half, center.x + half, node));
        }
    }

    pub(super) fn at(&self, y: f64) -> usize {
        self.0
            .partition_point(|row| row.y < y - NEAR)
            .min(self.0.len().saturating_sub(1))
    }

    /// Returns `true` if, at this height, there is nothing but `node` between two positions.
    pub(super) fn is_clear(&self, y: f64, from: f64, to: f64, node: usize) -> bool {
        let (left, right) = (from.min(to) - AWAY, from.max(to) + AWAY);
        self.0.get(self.at(y)).is_none_or(|row| {
            row.taken
                .iter()
                .all(|it| it.2 == Some(node) || it.1 < left || right < it.0)
        })
    }

    pub(super) fn gap(&self, row: usize) -> (f64, f64) {
        let top = self.0.get(row).map_or(0.0, |row| row.bottom);
        let bottom = self.0.get(row + 1).map_or(top, |row| row.top);
        (top, bottom)
    }
}
