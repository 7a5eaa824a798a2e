//! Lays out diagrams as they were drawn: nodes at their positions in the model file, with straight
//! edges.
//!
//! Our figures contain more text than figures in most tools, so distances are increased until
//! nothing overlaps.

use super::route::itself;
use super::scene::{Connection, Figure, LABEL_OFFSET, Placed, Point, Route, Shape};
use super::text::{LineStyle, width};
use crate::target::drawing::Drawing;
use prophet_model::model::ElementId;

/// Minimum distance between nodes.
const BETWEEN: f64 = 28.0;
/// Maximum factor by which distances can grow. With more, the drawing would be mostly empty.
const MOST_GROWTH: f64 = 4.0;
/// Distance between edges that connect the same nodes.
const BESIDE: f64 = 14.0;
const AWAY: f64 = 2.0;

/// Returns the centers of the nodes as drawn, or `None` if the file lacks some or if nodes are too
/// close together.
pub(super) fn centers(
    drawing: &Drawing<'_>,
    elements: &[ElementId],
    figures: &[Figure],
) -> Option<Vec<Point>> {
    let place = |id: &ElementId| {
        let place = drawing.model.places.get(id)?;
        let (x, y) = (place.x, place.y);
        Some(Point { x, y })
    };
    let places: Vec<Point> = elements.iter().map(place).collect::<Option<_>>()?;
    let mut growth: f64 = 1.0;
    for (at, (a, figure)) in places.iter().zip(figures).enumerate() {
        for (b, other) in places.iter().zip(figures).take(at) {
            let across = 0.5 * (figure.width + other.width) + BETWEEN;
            let down = 0.5 * (figure.height + other.height) + BETWEEN;
            // If two nodes are in the same place, the growth is infinite.
            let needed = (across / (a.x - b.x).abs()).min(down / (a.y - b.y).abs());
            growth = growth.max(needed);
        }
    }
    let grown = |it: Point| Point {
        x: it.x * growth,
        y: it.y * growth,
    };
    (growth <= MOST_GROWTH).then(|| places.into_iter().map(grown).collect())
}

/// Draws straight edges. Returns `None` if one would cross a node.
pub(super) fn routes(nodes: &[Placed], connections: &[Connection]) -> Option<Vec<Route>> {
    let mut routes = Vec::new();
    for (at, connection) in connections.iter().enumerate() {
        let (source, target) = (connection.source, connection.target);
        let points = if source == target {
            itself(&nodes[source])
        } else {
            let ends = |it: &&Connection| {
                let pair = (it.source.min(it.target), it.source.max(it.target));
                pair == (source.min(target), source.max(target))
            };
            let before = connections[..at].iter().filter(ends).count();
            let beside = BESIDE * f64::from(u32::try_from(before).ok()?);
            straight(&nodes[source], &nodes[target], beside)
        };
        let passes = |(other, node): (usize, &Placed)| {
            let is_end = other == source || other == target;
            !is_end && points.windows(2).any(|it| crosses(node, it[0], it[1]))
        };
        if nodes.iter().enumerate().any(passes) {
            return None;
        }
        let label = match points.as_slice() {
            [from, to] => label(nodes, connection, *from, *to)?,
            points => points.get(1).map(|corner| Point {
                x: corner.x + LABEL_OFFSET,
                y: nodes[source].center.y,
            })?,
        };
        routes.push(Route {
            label: connection.guard.is_some().then_some(label),
            connection: connection.clone(),
            points,
        });
    }
    Some(routes)
}

/// Returns the ends of an edge. It is vertical or horizontal if the nodes allow that; otherwise it
/// runs from center to center.
fn straight(source: &Placed, target: &Placed, beside: f64) -> Vec<Point> {
    let (a, b) = (source.center, target.center);
    let x = shared(reach_x(source), reach_x(target)).map(|x| x + beside);
    let y = shared(reach_y(source), reach_y(target)).map(|y| y + beside);
    let (from, to) = match (x, y) {
        (Some(x), _) => (Point { x, y: a.y }, Point { x, y: b.y }),
        (None, Some(y)) => (Point { x: a.x, y }, Point { x: b.x, y }),
        (None, None) => (a, b),
    };
    vec![border(source, from, to), border(target, to, from)]
}

/// Returns the range in which edges can leave a node at its top or bottom. Only actions and bars
/// have room next to the center.
fn reach_x(node: &Placed) -> (f64, f64) {
    let half = match node.figure.shape {
        Shape::Action | Shape::Call | Shape::Frame => 0.5 * node.figure.width - 14.0,
        Shape::Bar => 0.5 * node.figure.width - 4.0,
        _ => 0.5,
    };
    (node.center.x - half, node.center.x + half)
}

fn reach_y(node: &Placed) -> (f64, f64) {
    let half = match node.figure.shape {
        Shape::Action | Shape::Call | Shape::Frame => 0.5 * node.figure.height - 10.0,
        _ => 0.5,
    };
    (node.center.y - half, node.center.y + half)
}

/// Returns the middle of the intersection of two intervals, or `None` if they don't overlap.
fn shared(a: (f64, f64), b: (f64, f64)) -> Option<f64> {
    let (low, high) = (a.0.max(b.0), a.1.min(b.1));
    (low <= high).then_some(0.5 * (low + high))
}

/// Returns the point where the line from `from`, which is inside the node, to `to` leaves the node.
fn border(node: &Placed, from: Point, to: Point) -> Point {
    let (half_width, half_height) = (0.5 * node.figure.width, 0.5 * node.figure.height);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let part = match node.figure.shape {
        Shape::Diamond => 1.0 / (dx.abs() / half_width + dy.abs() / half_height),
        Shape::Initial | Shape::ActivityFinal | Shape::FlowFinal => half_width / dx.hypot(dy),
        _ => {
            let side = |start: f64, way: f64, middle: f64, half: f64| {
                let end = if way > 0.0 {
                    middle + half
                } else {
                    middle - half
                };
                if way == 0.0 {
                    f64::INFINITY
                } else {
                    (end - start) / way
                }
            };
            let across = side(from.x, dx, node.center.x, half_width);
            across.min(side(from.y, dy, node.center.y, half_height))
        }
    };
    let part = part.min(1.0);
    Point {
        x: from.x + part * dx,
        y: from.y + part * dy,
    }
}

/// Returns `true` if a line comes close to a node (by Liang and Barsky's clipping).
fn crosses(node: &Placed, from: Point, to: Point) -> bool {
    let half_width = 0.5 * node.figure.width + AWAY;
    let half_height = 0.5 * node.figure.height + AWAY;
    let (mut enters, mut leaves): (f64, f64) = (0.0, 1.0);
    for (start, way, low, high) in [
        (
            from.x,
            to.x - from.x,
            node.center.x - half_width,
            node.center.x + half_width,
        ),
        (
            from.y,
            to.y - from.y,
            node.center.y - half_height,
            node.center.y + half_height,
        ),
    ] {
        if way == 0.0 {
            if start < low || start > high {
                return false;
            }
            continue;
        }
        let (one, other) = ((low - start) / way, (high - start) / way);
        enters = enters.max(one.min(other));
        leaves = leaves.min(one.max(other));
    }
    enters < leaves
}

/// Finds a place for a guard next to its edge, in the middle or closer to an end, where it doesn't
/// touch any node.
fn label(nodes: &[Placed], connection: &Connection, from: Point, to: Point) -> Option<Point> {
    let Some(guard) = &connection.guard else {
        return Some(from);
    };
    let (wide, half) = (
        width(guard, LineStyle::Fact),
        0.5 * LineStyle::Fact.line_height(),
    );
    let is_level = (to.y - from.y).abs() < 2.0 * half;
    let places = [0.5, 0.35, 0.65, 0.2, 0.8].into_iter().flat_map(|part| {
        let (x, y) = (
            from.x + part * (to.x - from.x),
            from.y + part * (to.y - from.y),
        );
        if is_level {
            let above = y - half - 2.0;
            let below = y + half + 2.0;
            [(x - 0.5 * wide, above), (x - 0.5 * wide, below)]
        } else {
            [(x + LABEL_OFFSET, y), (x - LABEL_OFFSET - wide, y)]
        }
    });
    let is_free = |&(x, y): &(f64, f64)| {
        !nodes.iter().any(|node| {
            let Point { x: at_x, y: at_y } = node.center;
            (x + 0.5 * wide - at_x).abs() < 0.5 * (wide + node.figure.width)
                && (y - at_y).abs() < half + 0.5 * node.figure.height
        })
    };
    let mut places = places;
    places.find(is_free).map(|(x, y)| Point { x, y })
}
