//! Routes each edge as people would draw it: down its lane, and then across if its end is
//! elsewhere. It crosses in the gap between two layers, or leaves a node at its side.

use std::collections::BTreeSet;

use super::rows::Rows;
use super::scene::{Connection, LABEL_OFFSET, Lane, Placed, Point, Route, Shape};

/// How far a node's loop to itself extends from the node.
const LOOP: f64 = 18.0;
/// Positions that are closer than this count as aligned.
const NEAR: f64 = 0.5;

/// Routes all edges, and stretches forks and joins so that edges reach them.
pub(super) fn routes(
    nodes: &mut [Placed],
    connections: Vec<Connection>,
    lanes: Vec<Lane>,
) -> Vec<Route> {
    let rows = Rows::new(nodes, &connections, &lanes);
    stretch_bars(nodes, &connections, &lanes, &rows);
    let mut router = Router {
        nodes,
        rows,
        jogs: Vec::new(),
        sides: BTreeSet::new(),
    };
    // Loops are the first to choose sides of their nodes.
    let mut order: Vec<usize> = (0..connections.len()).collect();
    order.sort_by_key(|at| !router.goes_back(&connections[*at]));
    let mut ways: Vec<Vec<Knot>> = vec![Vec::new(); connections.len()];
    for at in order {
        ways[at] = router.way(&connections[at], &lanes[at].points);
    }
    let tracks = router.tracks();
    connections
        .into_iter()
        .zip(lanes)
        .zip(ways)
        .map(|((connection, lane), way)| {
            let mut points = straight(&way, &tracks);
            if router.goes_back(&connection) {
                points.reverse();
            }
            let itself = connection.source == connection.target;
            let label = match points.get(1) {
                Some(corner) if itself => Point {
                    x: corner.x + LABEL_OFFSET,
                    y: corner.y + 0.5 * LOOP,
                },
                _ => lane.label,
            };
            Route {
                label: connection.guard.is_some().then_some(label),
                connection,
                points,
            }
        })
        .collect()
}

fn stretch_bars(nodes: &mut [Placed], connections: &[Connection], lanes: &[Lane], rows: &Rows) {
    for (at, node) in nodes.iter_mut().enumerate() {
        if node.figure.shape != Shape::Bar {
            continue;
        }
        let out = connections.iter().zip(lanes).filter_map(|(it, lane)| {
            let first = lane.points.first().filter(|_| it.source == at);
            let last = lane.points.last().filter(|_| it.target == at);
            first.or(last).map(|point| point.x)
        });
        let (mut left, mut right) = (node.center.x - 24.0, node.center.x + 24.0);
        for x in out {
            (left, right) = (left.min(x - 12.0), right.max(x + 12.0));
        }
        if rows.is_clear(node.center.y, left, right, at) {
            node.center.x = 0.5 * (left + right);
            node.figure.width = right - left;
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Knot {
    x: f64,
    y: Height,
}

#[derive(Debug, Clone, Copy)]
enum Height {
    At(f64),
    Jog(usize),
}

/// A piece of an edge that crosses a gap sideways.
#[derive(Debug, Clone, Copy)]
struct Jog {
    row: usize,
    /// Horizontal position where the edge comes from above.
    above: f64,
    /// Horizontal position where the edge continues below.
    below: f64,
}

struct Router<'n> {
    nodes: &'n [Placed],
    rows: Rows,
    jogs: Vec<Jog>,
    /// The sides of nodes that edges use. `true` is the right side.
    sides: BTreeSet<(usize, bool)>,
}

impl Router<'_> {
    fn goes_back(&self, connection: &Connection) -> bool {
        self.nodes[connection.source].center.y > self.nodes[connection.target].center.y
    }

    /// Returns the corners of an edge from top to bottom.
    fn way(&mut self, connection: &Connection, lane: &[Point]) -> Vec<Knot> {
        let back = self.goes_back(connection);
        let (upper, lower) = if back {
            (connection.target, connection.source)
        } else {
            (connection.source, connection.target)
        };
        if upper == lower {
            let loops = itself(&self.nodes[upper]).into_iter();
            let knot = |Point { x, y }| Knot {
                x,
                y: Height::At(y),
            };
            return loops.map(knot).collect();
        }
        let middle = Point {
            x: self.nodes[upper].center.x,
            y: self.nodes[upper].center.y,
        };
        let first = lane.first().copied().unwrap_or(middle);
        let last = lane.last().copied().unwrap_or(middle);
        let mut way = self.end(upper, first.x, true, back);
        for pair in lane.windows(2) {
            let row = self.rows.at(pair[0].y);
            way.extend(self.jog(row, pair[0].x, pair[1].x));
        }
        let mut end = self.end(lower, last.x, false, back);
        end.reverse();
        way.extend(end);
        way
    }

    /// Returns the corners at one end of an edge, starting at the node. The lane continues at `x`.
    fn end(&mut self, node: usize, x: f64, upper: bool, back: bool) -> Vec<Knot> {
        let Placed { figure, center } = &self.nodes[node];
        let (half_width, half_height) = (0.5 * figure.width, 0.5 * figure.height);
        let (shape, center) = (figure.shape, *center);
        let right = x > center.x;
        let corner = if right {
            center.x + half_width
        } else {
            center.x - half_width
        };
        let beside = (x - center.x).abs() > half_width + 6.0;
        let by_side = shape == Shape::Diamond || back && shape != Shape::Bar;
        if by_side
            && beside
            && self.rows.is_clear(center.y, corner, x, node)
            && self.sides.insert((node, right))
        {
            let y = Height::At(center.y);
            return vec![Knot { x: corner, y }, Knot { x, y }];
        }
        let reach = match shape {
            Shape::Bar => half_width - 4.0,
            Shape::Action | Shape::Call | Shape::Frame => half_width - 14.0,
            _ => 0.0,
        };
        let port = x.clamp(center.x - reach, center.x + reach);
        let row = self.rows.at(center.y);
        let (y, jog) = if upper {
            (center.y + half_height, self.jog(row, port, x))
        } else {
            let mut jog = self.jog(row.saturating_sub(1), x, port);
            jog.reverse();
            (center.y - half_height, jog)
        };
        let y = Height::At(y);
        let mut end = vec![Knot { x: port, y }];
        end.extend(jog);
        end
    }

    /// Returns the corners of a step from `above` to `below` in the gap below a row, or none if no
    /// step is needed.
    fn jog(&mut self, row: usize, above: f64, below: f64) -> Vec<Knot> {
        if (above - below).abs() < NEAR {
            return Vec::new();
        }
        let y = Height::Jog(self.jogs.len());
        self.jogs.push(Jog { row, above, below });
        vec![Knot { x: above, y }, Knot { x: below, y }]
    }

    /// Returns the height of each jog. Jogs that would touch in a gap are at different heights.
    fn tracks(&self) -> Vec<f64> {
        let mut heights = vec![0.0; self.jogs.len()];
        let mut order: Vec<usize> = (0..self.jogs.len()).collect();
        // In this order, edges to the same side don't cross.
        let key = |jog: &Jog| {
            let to_right = jog.below > jog.above;
            let inner = if to_right { -jog.above } else { jog.above };
            (jog.row, to_right, inner)
        };
        order.sort_by(|a, b| {
            let (a, b) = (key(&self.jogs[*a]), key(&self.jogs[*b]));
            (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2))
        });
        for gap in order.chunk_by(|a, b| self.jogs[*a].row == self.jogs[*b].row) {
            let mut tracks: Vec<usize> = Vec::new();
            for (at, jog) in gap.iter().enumerate() {
                let meeting = (0..at).filter(|before| self.meet(gap[*before], *jog));
                let track = meeting.map(|before| tracks[before] + 1).max().unwrap_or(0);
                tracks.push(track);
            }
            let count = tracks.iter().max().map_or(0, |most| most + 1);
            let (top, bottom) = self.rows.gap(self.jogs[gap[0]].row);
            for (jog, track) in gap.iter().zip(tracks) {
                heights[*jog] = top + (bottom - top) * share(track + 1, count + 1);
            }
        }
        heights
    }

    /// Returns `true` if two jogs at the same height would touch. Jogs from the same port are
    /// allowed to.
    fn meet(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.jogs[a], &self.jogs[b]);
        let apart = |a: f64, b: f64| (a - b).abs() >= NEAR;
        let (a_left, a_right) = (a.above.min(a.below), a.above.max(a.below));
        let (b_left, b_right) = (b.above.min(b.below), b.above.max(b.below));
        let parts = !apart(a.above, b.above) || !apart(a.below, b.below);
        !parts && a_left < b_right + 4.0 && b_left < a_right + 4.0
    }
}

pub(super) fn itself(node: &Placed) -> Vec<Point> {
    let Placed { figure, center } = node;
    let right = center.x + 0.5 * figure.width;
    let inset = match figure.shape {
        Shape::Diamond => 0.5 * LOOP,
        _ => 0.0,
    };
    let point = |x: f64, y: f64| Point { x, y: center.y + y };
    let half = 0.5 * LOOP;
    vec![
        point(right - inset, -half),
        point(right + LOOP, -half),
        point(right + LOOP, half),
        point(right - inset, half),
    ]
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

/// Returns only the corners where the route turns.
fn straight(way: &[Knot], tracks: &[f64]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for knot in way {
        let y = match knot.y {
            Height::At(y) => y,
            Height::Jog(jog) => tracks[jog],
        };
        let point = Point { x: knot.x, y };
        if let [.., before, last] = points.as_slice() {
            let along = |a: f64, b: f64, c: f64| (a - b).abs() < NEAR && (b - c).abs() < NEAR;
            if along(before.x, last.x, point.x) || along(before.y, last.y, point.y) {
                points.pop();
            }
        }
        points.push(point);
    }
    points
}
