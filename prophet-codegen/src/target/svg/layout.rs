//! Lays out a diagram's nodes as they were drawn or, if that isn't possible, in layers, with
//! Sugiyama's method.

use dugong::graphlib::{Graph, GraphOptions};
use dugong::{
    EdgeLabel, GraphLabel, LabelPos, NodeLabel, WorkControl, WorkError, layout_controlled,
};

use super::drawn;
use super::figure::{closed_figure, figure};
use super::route::routes;
use super::scene::{Connection, Figure, LABEL_OFFSET, Lane, Placed, Point, Route, Scene};
use super::text::{LineStyle, clip, width};
use crate::target::drawing::{Drawing, guard};
use prophet_model::model::{DiagramId, ElementId, NodeKind};

/// Maximum number of nodes in a diagram. Larger ones can't be read.
pub(super) const MOST_NODES: usize = 1_000;
/// Maximum work for the layout of all diagrams, in the library's units: a few seconds. A diagram of
/// 1,000 nodes in a row takes 0.5 million.
const MOST_WORK: usize = 100_000_000;
/// Distance between nodes in a layer.
const BESIDE: f64 = 32.0;
/// Distance between layers. The library adds a layer of labels between two layers of nodes.
const BETWEEN: f64 = 44.0;
/// Lays out a diagram. Returns `None` if it is too large to draw.
pub(super) fn scene(drawing: &Drawing<'_>, id: DiagramId, budget: &mut Budget) -> Option<Scene> {
    let (elements, connections) = graph(drawing, id)?;
    let mut figures = Vec::new();
    for (at, id) in elements.iter().enumerate() {
        let inside = |diagram| scene(drawing, diagram, budget);
        figures.push(figure(drawing, *id, busier(&connections, at), inside)?);
    }
    let mut scene = match as_drawn(drawing, &elements, figures, &connections) {
        Ok(scene) => scene,
        Err(figures) => {
            let (centers, lanes) = arrange(&figures, &connections, budget)?;
            let mut nodes = placed(figures, centers);
            let edges = routes(&mut nodes, connections, lanes);
            Scene::new(nodes, edges)
        }
    };
    scene.fit();
    Some(scene)
}

/// Lays out a diagram's nodes in layers, without their content. Returns `None` if it is too large.
pub(super) fn closed(
    drawing: &Drawing<'_>,
    id: DiagramId,
    budget: &mut Budget,
) -> Option<Vec<Placed>> {
    let (elements, connections) = graph(drawing, id)?;
    let figures = elements.iter().enumerate();
    let figures = figures.map(|(at, id)| closed_figure(drawing, *id, busier(&connections, at)));
    let figures: Vec<Figure> = figures.collect();
    let (centers, _) = arrange(&figures, &connections, budget)?;
    Some(placed(figures, centers))
}

fn graph(drawing: &Drawing<'_>, id: DiagramId) -> Option<(Vec<ElementId>, Vec<Connection>)> {
    let diagram = drawing.model.diagram(id);
    if diagram.elements.len() > MOST_NODES || diagram.flows.len() > 2 * MOST_NODES {
        return None;
    }
    // The library begins a cycle at the node that it visits first.
    let mut elements = diagram.elements.clone();
    elements.sort_by_key(|id| drawing.model.element(*id).kind != NodeKind::Initial);
    let index = |id: ElementId| elements.iter().position(|it| *it == id);
    let connections = diagram.flows.iter().filter_map(|flow| {
        let text = flow.guard.as_ref().map(guard);
        Some(Connection {
            source: index(flow.source)?,
            target: index(flow.target)?,
            guard: text.as_deref().map(|text| clip(text, LineStyle::Fact)),
            full: text,
        })
    });
    let connections = connections.collect();
    Some((elements, connections))
}

fn busier(connections: &[Connection], at: usize) -> usize {
    let count =
        |end: fn(&Connection) -> usize| connections.iter().filter(|it| end(it) == at).count();
    count(|it| it.source).max(count(|it| it.target))
}

/// Lays out a diagram as it was drawn. If its positions are unknown or unreadable, gives the
/// figures back.
fn as_drawn(
    drawing: &Drawing<'_>,
    elements: &[ElementId],
    figures: Vec<Figure>,
    connections: &[Connection],
) -> Result<Scene, Vec<Figure>> {
    let Some(centers) = drawn::centers(drawing, elements, &figures) else {
        return Err(figures);
    };
    let nodes = placed(figures, centers);
    match drawn::routes(&nodes, connections) {
        Some(edges) => Ok(Scene::new(nodes, edges)),
        None => Err(nodes.into_iter().map(|node| node.figure).collect()),
    }
}

fn placed(figures: Vec<Figure>, centers: Vec<Point>) -> Vec<Placed> {
    let nodes = figures.into_iter().zip(centers);
    nodes
        .map(|(figure, center)| Placed { figure, center })
        .collect()
}

/// How much work layouts may still do.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MOST_WORK)
    }
}

impl Budget {
    pub(super) fn small() -> Self {
        Self(MOST_WORK / 50)
    }
}

#[cfg(test)]
impl Budget {
    pub(super) fn with(units: usize) -> Self {
        Self(units)
    }
}

impl WorkControl for Budget {
    fn charge(&mut self, units: usize) -> Result<(), WorkError> {
        self.0 = self.0.checked_sub(units).ok_or(WorkError::Interrupted)?;
        Ok(())
    }
}

/// The graph type of the layout library.
type Layered = Graph<NodeLabel, EdgeLabel, GraphLabel>;

fn node_name(at: usize) -> String {
    format!("node{at}")
}

fn edge_name(at: usize) -> String {
    format!("edge{at}")
}

fn layered(figures: &[Figure], connections: &[Connection]) -> Layered {
    let mut graph: Layered = Graph::new(GraphOptions {
        directed: true,
        multigraph: true,
        compound: false,
    });
    graph.set_graph(GraphLabel {
        nodesep: BESIDE,
        ranksep: BETWEEN,
        edgesep: BESIDE,
        ..GraphLabel::default()
    });
    for (at, figure) in figures.iter().enumerate() {
        let label = NodeLabel {
            width: figure.width,
            height: figure.height,
            ..NodeLabel::default()
        };
        graph.set_node(node_name(at), label);
    }
    for (at, connection) in connections.iter().enumerate() {
        let guard = connection.guard.as_deref();
        let label = EdgeLabel {
            width: guard.map_or(0.0, |text| width(text, LineStyle::Fact)),
            height: guard.map_or(0.0, |_| LineStyle::Fact.line_height()),
            labelpos: LabelPos::R,
            labeloffset: LABEL_OFFSET,
            weight: 1.0,
            ..EdgeLabel::default()
        };
        let (source, target) = (node_name(connection.source), node_name(connection.target));
        graph.set_edge_named(source, target, Some(edge_name(at)), Some(label));
    }
    graph
}

/// Returns the centers of the nodes and the lanes of the connections, or `None` if that takes too
/// long.
fn arrange(
    figures: &[Figure],
    connections: &[Connection],
    budget: &mut Budget,
) -> Option<(Vec<Point>, Vec<Lane>)> {
    let mut graph = layered(figures, connections);
    layout_controlled(&mut graph, budget).ok()?;
    let center = |at| {
        let node = graph.node(&node_name(at))?;
        let (x, y) = (node.x?, node.y?);
        Some(Point { x, y })
    };
    let lane = |(at, connection): (usize, &Connection)| {
        let (source, target) = (node_name(connection.source), node_name(connection.target));
        let label = graph.edge(&source, &target, Some(&edge_name(at)))?;
        let points = label.points.iter().map(|it| Point { x: it.x, y: it.y });
        // The first and last points are on the borders of nodes.
        let mut points: Vec<Point> = points.collect();
        points.pop();
        points.drain(..points.len().min(1));
        points.sort_by(|a, b| a.y.total_cmp(&b.y));
        let label = Point {
            x: label.x.unwrap_or_default() - 0.5 * label.width,
            y: label.y.unwrap_or_default(),
        };
        Some(Lane { points, label })
    };
    let centers = (0..figures.len()).map(center).collect::<Option<_>>()?;
    let lanes = connections.iter().enumerate().map(lane);
    Some((centers, lanes.collect::<Option<_>>()?))
}

impl Scene {
    fn new(nodes: Vec<Placed>, edges: Vec<Route>) -> Self {
        Self {
            nodes,
            edges,
            ..Self::default()
        }
    }

    /// Moves everything to the origin, and computes the size.
    fn fit(&mut self) {
        let mut least = Point {
            x: f64::INFINITY,
            y: f64::INFINITY,
        };
        let mut most = Point {
            x: f64::NEG_INFINITY,
            y: f64::NEG_INFINITY,
        };
        let mut reach = |x: f64, y: f64| {
            least = Point {
                x: least.x.min(x),
                y: least.y.min(y),
            };
            most = Point {
                x: most.x.max(x),
                y: most.y.max(y),
            };
        };
        for Placed { figure, center } in &self.nodes {
            let (right, down) = (0.5 * figure.width, 0.5 * figure.height);
            reach(center.x - right, center.y - down);
            reach(center.x + right, center.y + down);
        }
        for edge in &self.edges {
            edge.points.iter().for_each(|it| reach(it.x, it.y));
            if let (Some(at), Some(guard)) = (edge.label, &edge.connection.guard) {
                let half = 0.5 * LineStyle::Fact.line_height();
                reach(at.x, at.y - half);
                reach(at.x + width(guard, LineStyle::Fact), at.y + half);
            }
        }
        if self.nodes.is_empty() {
            return;
        }
        (self.width, self.height) = (most.x - least.x, most.y - least.y);
        let shift = |point: &mut Point| {
            point.x -= least.x;
            point.y -= least.y;
        };
        self.nodes.iter_mut().for_each(|it| shift(&mut it.center));
        for edge in &mut self.edges {
            edge.points.iter_mut().for_each(shift);
            edge.label.iter_mut().for_each(shift);
        }
    }
}
