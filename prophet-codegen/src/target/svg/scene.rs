//! Defines the parts of a picture: points, figures, edges, and scenes that combine them.

use super::text::LineStyle;
use prophet_model::model::ElementId;

/// Distance from a line to its guard.
pub(super) const LABEL_OFFSET: f64 = 5.0;

/// A point. `y` grows downward.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The shape that UML uses for a kind of node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A dot.
    Initial,
    /// A dot in a circle.
    ActivityFinal,
    /// A cross in a circle.
    FlowFinal,
    /// A decision or merge.
    Diamond,
    /// A fork or join.
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

#[derive(Debug)]
pub(super) struct Section {
    /// The text above the part.
    pub(super) label: Option<Line>,
    /// The top of the part, relative to the frame.
    pub(super) top: f64,
    /// Where its scene is in the frame.
    pub(super) at: Point,
    pub(super) scene: Scene,
}

#[derive(Debug)]
pub(super) struct Figure {
    pub(super) element: ElementId,
    pub(super) shape: Shape,
    pub(super) lines: Vec<Line>,
    pub(super) sections: Vec<Section>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A diagram that has been laid out.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) nodes: Vec<Placed>,
    pub(super) edges: Vec<Route>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A node and its center.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) figure: Figure,
    pub(super) center: Point,
}

#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The guard, cut to the room that is available.
    pub(super) guard: Option<String>,
    pub(super) full: Option<String>,
}

#[derive(Debug)]
pub(super) struct Lane {
    /// A point in each layer between the edge's ends, from top to bottom.
    pub(super) points: Vec<Point>,
    /// The left end of the guard, at half its height.
    pub(super) label: Point,
}

#[derive(Debug)]
pub(super) struct Route {
    pub(super) connection: Connection,
    /// From the source to the target.
    pub(super) points: Vec<Point>,
    /// The left end of the guard, at half its height.
    pub(super) label: Option<Point>,
}
