//! Parts of a picture: points, figures, edges, and scenes with all of these in their places.

use super::text::LineStyle;
use prophet_model::model::ElementId;

/// From a line to its guard.
pub(super) const LABEL_OFFSET: f64 = 5.0;

/// A point; `y` grows downwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The shape of UML for a kind of node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A dot.
    Initial,
    /// A dot in a circle.
    ActivityFinal,
    /// A cross in a circle.
    FlowFinal,
    /// A decision or a merge.
    Diamond,
    /// A fork or a join.
    Bar,
    Action,
    /// An action that calls another diagram.
    Call,
    /// A node with content.
    Frame,
}

#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) style: LineStyle,
}

/// A part of a frame.
#[derive(Debug)]
pub(super) struct Section {
    /// Text above it.
    pub(super) label: Option<Line>,
    /// Top of the part, from the frame's.
    pub(super) top: f64,
    /// Place of its scene in the frame.
    pub(super) at: Point,
    pub(super) scene: Scene,
}

/// A node, without its place.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) element: ElementId,
    pub(super) shape: Shape,
    pub(super) lines: Vec<Line>,
    pub(super) sections: Vec<Section>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A diagram with everything in its place.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) nodes: Vec<Placed>,
    pub(super) edges: Vec<Route>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A node and its middle.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) figure: Figure,
    pub(super) center: Point,
}

/// An edge's ends, by index of the nodes, and its guard.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) source: usize,
    pub(super) target: usize,
    /// As much of the guard as there is room for.
    pub(super) guard: Option<String>,
    /// All of the guard.
    pub(super) full: Option<String>,
}

/// Place that the layout wants for an edge.
#[derive(Debug)]
pub(super) struct Lane {
    /// A point in each layer between its ends, from above to below.
    pub(super) points: Vec<Point>,
    /// The left end of its guard, at half of its height.
    pub(super) label: Point,
}

/// An edge, in its place.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) connection: Connection,
    /// From the source to the target.
    pub(super) points: Vec<Point>,
    /// The left end of the guard, at half of its height.
    pub(super) label: Option<Point>,
}
