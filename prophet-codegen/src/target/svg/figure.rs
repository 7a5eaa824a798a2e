//! Builds the figure of each node: its shape, text, and size. If a node has content, the figure
//! contains the layouts of its parts.

use super::scene::{Figure, Line, Point, Scene, Section, Shape};
use super::text::{LineStyle, clip, width};
use crate::target::drawing::{Caption, Drawing, parts};
use prophet_model::model::{DiagramId, Element, ElementId, NodeKind};

/// Maximum number of code lines in a node. An ellipsis replaces the rest.
const MOST_CODE: usize = 6;
const MARGIN: f64 = 12.0;

/// Builds the figure of an element. `edges` is the number of edges on its busier side, and `scene`
/// lays out the diagrams in it.
pub(super) fn figure(
    drawing: &Drawing<'_>,
    id: ElementId,
    edges: usize,
    scene: impl FnMut(DiagramId) -> Option<Scene>,
) -> Option<Figure> {
    let element = drawing.model.element(id);
    if shape(element) != Shape::Frame {
        return Some(closed_figure(drawing, id, edges));
    }
    let empty = Figure::new(id, Shape::Frame, lines(&drawing.caption(id)), (0.0, 0.0));
    frame(element, empty, scene)
}

pub(super) fn closed_figure(drawing: &Drawing<'_>, id: ElementId, edges: usize) -> Figure {
    let shape = shape(drawing.model.element(id));
    let plain = |width: f64, height: f64| Figure::new(id, shape, Vec::new(), (width, height));
    match shape {
        Shape::Initial => plain(18.0, 18.0),
        Shape::ActivityFinal | Shape::FlowFinal => plain(22.0, 22.0),
        Shape::Diamond => plain(32.0, 32.0),
        Shape::Bar => {
            let edges = u32::try_from(edges.clamp(2, 100)).unwrap_or(100);
            plain(50.0 * f64::from(edges), 6.0)
        }
        Shape::Action | Shape::Call | Shape::Frame => {
            let lines = lines(&drawing.caption(id));
            // The rake of a call needs room next to the last line.
            let rake = if shape == Shape::Action { 0.0 } else { 20.0 };
            let width = widest(&lines).max(48.0) + 2.0 * (MARGIN + rake);
            let height = height(&lines).max(20.0) + MARGIN;
            Figure::new(id, shape, lines, (width, height))
        }
    }
}

impl Figure {
    fn new(
        element: ElementId,
        shape: Shape,
        lines: Vec<Line>,
        (width, height): (f64, f64),
    ) -> Self {
        let sections = Vec::new();
        Self {
            element,
            shape,
            lines,
            sections,
            width,
            height,
        }
    }
}

fn shape(element: &Element) -> Shape {
    match element.kind {
        NodeKind::Initial => Shape::Initial,
        NodeKind::ActivityFinal => Shape::ActivityFinal,
        NodeKind::FlowFinal => Shape::FlowFinal,
        NodeKind::Decision | NodeKind::Merge => Shape::Diamond,
        NodeKind::Fork | NodeKind::Join => Shape::Bar,
        NodeKind::Action | NodeKind::Unsupported(_) | NodeKind::Call(None) => Shape::Action,
        NodeKind::Call(Some(_)) => Shape::Call,
        NodeKind::Structured(_) | NodeKind::Loop(_) | NodeKind::Conditional(_) => Shape::Frame,
    }
}

fn lines(caption: &Caption) -> Vec<Line> {
    let line = |text: &str, style| Line {
        text: clip(text, style),
        style,
    };
    let keyword = caption.keyword.as_ref().map(|it| format!("«{it}»"));
    let keyword = keyword.iter().map(|it| line(it, LineStyle::Keyword));
    let name = (!caption.name.is_empty()).then(|| line(&caption.name, LineStyle::Name));
    let facts = caption.facts.iter().map(|it| line(it, LineStyle::Fact));
    let code = caption.code.iter().map(|it| line(it, LineStyle::Code));
    let more = (caption.code.len() > MOST_CODE).then(|| line("…", LineStyle::Code));
    keyword
        .chain(name)
        .chain(facts)
        .chain(code.take(MOST_CODE))
        .chain(more)
        .collect()
}

fn widest(lines: &[Line]) -> f64 {
    lines
        .iter()
        .map(|line| width(&line.text, line.style))
        .fold(0.0, f64::max)
}

fn height(lines: &[Line]) -> f64 {
    lines.iter().map(|line| line.style.line_height()).sum()
}

/// Stacks the parts of a node below its header. Returns `None` if one is too large.
fn frame(
    element: &Element,
    empty: Figure,
    mut scene: impl FnMut(DiagramId) -> Option<Scene>,
) -> Option<Figure> {
    let mut frame = empty;
    let mut bottom = height(&frame.lines) + 0.5 * MARGIN;
    let mut inner = widest(&frame.lines);
    for part in parts(element) {
        let scene = scene(part.diagram)?;
        let label = (!part.label.is_empty()).then(|| Line {
            text: clip(&part.label, LineStyle::Fact),
            style: LineStyle::Fact,
        });
        let top = bottom;
        bottom += label
            .as_ref()
            .map_or(0.0, |it| it.style.line_height() + 4.0)
            + MARGIN;
        inner = inner
            .max(scene.width)
            .max(label.iter().map(|it| width(&it.text, it.style)).sum());
        let at = Point { x: 0.0, y: bottom };
        bottom += scene.height + MARGIN;
        frame.sections.push(Section {
            label,
            top,
            at,
            scene,
        });
    }
    frame.width = inner.max(60.0) + 2.0 * MARGIN;
    frame.height = bottom;
    for section in &mut frame.sections {
        section.at.x = 0.5 * (frame.width - section.scene.width);
    }
    Some(frame)
}
