//! Writes a laid-out diagram as SVG text.
//!
//! This is written by hand because the crate `svg` takes 1.9 s of CPU time to compile before a
//! first prediction. It also builds a tree of objects, each with a map of attributes, before it
//! writes the first byte.

use std::fmt::Write as _;

use super::scene::{Figure, Line, Placed, Point, Route, Scene, Shape};
use super::text::{LineStyle, width};
use crate::target::drawing::{Drawing, one_line, xml};

const STYLE: &str = include_str!("style.css");
const MARGIN: f64 = 16.0;
/// Corner radius of actions.
const ROUND: f64 = 9.0;

pub(super) fn picture(drawing: &Drawing<'_>, title: &str, scene: &Scene) -> String {
    let (wide, high) = (
        scene.width.max(width(title, LineStyle::Name)) + 2.0 * MARGIN,
        scene.height + 2.0 * MARGIN + LineStyle::Name.line_height(),
    );
    let mut svg = begin(title, wide, high);
    let left = 0.5 * (wide - scene.width);
    let top = MARGIN + LineStyle::Name.line_height();
    write_scene(&mut svg, drawing, scene, Point { x: left, y: top });
    svg.push_str("</svg>\n");
    svg
}

/// Draws a notice in place of a picture that is too large.
pub(super) fn notice(title: &str, text: &str) -> String {
    let wide = width(text, LineStyle::Fact).max(width(title, LineStyle::Name)) + 2.0 * MARGIN;
    let mut svg = begin(title, wide, 64.0);
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"46\">{}</text>",
        n(MARGIN),
        xml(text)
    );
    svg.push_str("</svg>\n");
    svg
}

/// Starts the `svg` element, with the parts that all pictures have in common.
fn begin(title: &str, wide: f64, high: f64) -> String {
    let title = xml(&one_line(title));
    let (w, h) = (n(wide.ceil()), n(high.ceil()));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prophet-diagram\" role=\"img\" \
         width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>\n\
         <text class=\"title\" x=\"{}\" y=\"22\">{title}</text>\n",
        n(MARGIN)
    )
}

fn write_scene(svg: &mut String, drawing: &Drawing<'_>, scene: &Scene, at: Point) {
    let _ = writeln!(svg, "<g transform=\"translate({} {})\">", n(at.x), n(at.y));
    for edge in &scene.edges {
        write_edge(svg, drawing, scene, edge);
    }
    for node in &scene.nodes {
        write_node(svg, drawing, node);
    }
    svg.push_str("</g>\n");
}

fn write_node(svg: &mut String, drawing: &Drawing<'_>, node: &Placed) {
    let Placed { figure, center } = node;
    let element = drawing.model.element(figure.element);
    match drawing.id(element) {
        Some(id) => {
            let _ = write!(svg, "<g class=\"element\" data-element=\"{id}\"");
        }
        None => svg.push_str("<g class=\"node\""),
    }
    let (left, top) = (
        center.x - 0.5 * figure.width,
        center.y - 0.5 * figure.height,
    );
    let _ = writeln!(svg, " transform=\"translate({} {})\">", n(left), n(top));
    let _ = writeln!(svg, "<title>{}</title>", xml(&title(drawing, figure)));
    write_shape(svg, figure);
    write_lines(svg, figure);
    for section in &figure.sections {
        if let Some(Line { text, style }) = &section.label {
            let y = section.top + style.line_height();
            let (class, text) = (style.class(), xml(text));
            let _ = writeln!(
                svg,
                "<path class=\"rule\" d=\"M0 {}H{}\"/>\n\
                 <text class=\"{class}\" x=\"12\" y=\"{}\">{text}</text>",
                n(section.top),
                n(figure.width),
                n(y),
            );
        }
        write_scene(svg, drawing, &section.scene, section.at);
    }
    svg.push_str("</g>\n");
}

fn title(drawing: &Drawing<'_>, figure: &Figure) -> String {
    let element = drawing.model.element(figure.element);
    let caption = drawing.caption(figure.element);
    let mut title = one_line(&element.path);
    if let Some(keyword) = &caption.keyword {
        let _ = write!(title, " «{keyword}»");
    }
    for line in caption.facts.iter().chain(&caption.code) {
        let _ = write!(title, "\n{line}");
    }
    if let Some(comment) = &element.comment {
        let _ = write!(title, "\n{}", one_line(comment));
    }
    title
}

fn write_shape(svg: &mut String, figure: &Figure) {
    let (w, h) = (n(figure.width), n(figure.height));
    let (x, y) = (n(0.5 * figure.width), n(0.5 * figure.height));
    let _ = match figure.shape {
        Shape::Initial => writeln!(
            svg,
            "<circle class=\"shape solid\" cx=\"{x}\" cy=\"{y}\" r=\"{x}\"/>"
        ),
        Shape::ActivityFinal => writeln!(
            svg,
            "<circle class=\"shape\" cx=\"{x}\" cy=\"{y}\" r=\"{x}\"/>\
             <circle class=\"solid\" cx=\"{x}\" cy=\"{y}\" r=\"6.5\"/>"
        ),
        Shape::FlowFinal => writeln!(
            svg,
            "<circle class=\"shape\" cx=\"{x}\" cy=\"{y}\" r=\"{x}\"/>\
             <path class=\"mark\" d=\"M4 4L18 18M18 4L4 18\"/>"
        ),
        Shape::Diamond => writeln!(
            svg,
            "<path class=\"shape\" d=\"M{x} 0L{w} {y}L{x} {h}L0 {y}Z\"/>"
        ),
        Shape::Bar => writeln!(
            svg,
            "<rect class=\"shape solid\" width=\"{w}\" height=\"{h}\" rx=\"2\"/>"
        ),
        Shape::Action | Shape::Call => {
            writeln!(
                svg,
                "<rect class=\"shape\" width=\"{w}\" height=\"{h}\" rx=\"{ROUND}\"/>"
            )
        }
        Shape::Frame => writeln!(
            svg,
            "<rect class=\"shape frame\" width=\"{w}\" height=\"{h}\" rx=\"{ROUND}\"/>"
        ),
    };
    if figure.shape == Shape::Call {
        // UML's rake, because the action has its own diagram.
        let (x, y) = (figure.width - 16.0, figure.height - 17.0);
        let (left, right, middle, bottom) = (n(x - 6.0), n(x + 6.0), n(y + 5.0), n(y + 10.0));
        let _ = writeln!(
            svg,
            "<path class=\"mark\" \
             d=\"M{} {}V{bottom}M{left} {bottom}V{middle}H{right}V{bottom}\"/>",
            n(x),
            n(y),
        );
    }
}

fn write_lines(svg: &mut String, figure: &Figure) {
    let total: f64 = figure
        .lines
        .iter()
        .map(|line| line.style.line_height())
        .sum();
    let frame = figure.shape == Shape::Frame;
    let mut y = if frame {
        4.0
    } else {
        0.5 * (figure.height - total)
    };
    let (x, anchor) = if frame {
        (12.0, "")
    } else {
        (0.5 * figure.width, " text-anchor=\"middle\"")
    };
    for Line { text, style } in &figure.lines {
        y += style.line_height();
        let (class, text) = (style.class(), xml(text));
        let (x, base) = (n(x), n(y - 4.0));
        let _ = writeln!(
            svg,
            "<text class=\"{class}\" x=\"{x}\" y=\"{base}\"{anchor}>{text}</text>"
        );
    }
}

fn write_edge(svg: &mut String, drawing: &Drawing<'_>, scene: &Scene, edge: &Route) {
    let name = |node: usize| {
        let element = scene.nodes[node].figure.element;
        one_line(&drawing.model.element(element).path)
    };
    let mut title = format!(
        "{} to {}",
        name(edge.connection.source),
        name(edge.connection.target)
    );
    if let Some(guard) = &edge.connection.full {
        let _ = write!(title, " {guard}");
    }
    let _ = writeln!(
        svg,
        "<g class=\"edge\"><title>{}</title>\n<path class=\"line\" d=\"{}\"/>{}",
        xml(&title),
        rounded(&edge.points),
        head(&edge.points),
    );
    if let (Some(guard), Some(at)) = (&edge.connection.guard, edge.label) {
        let (x, y, text) = (n(at.x), n(at.y + 4.0), xml(guard));
        let _ = writeln!(
            svg,
            "<text class=\"guard\" x=\"{x}\" y=\"{y}\">{text}</text>"
        );
    }
    svg.push_str("</g>\n");
}

/// Draws a path along points with rounded corners.
fn rounded(points: &[Point]) -> String {
    let mut path = String::new();
    let Some(first) = points.first() else {
        return path;
    };
    let _ = write!(path, "M{} {}", n(first.x), n(first.y));
    for corner in points.windows(3) {
        let (before, at, behind) = (corner[0], corner[1], corner[2]);
        let radius = 6.0_f64
            .min(0.5 * distance(before, at))
            .min(0.5 * distance(at, behind));
        let (into, out) = (toward(at, before, radius), toward(at, behind, radius));
        let _ = write!(
            path,
            "L{} {}Q{} {} {} {}",
            n(into.x),
            n(into.y),
            n(at.x),
            n(at.y),
            n(out.x),
            n(out.y)
        );
    }
    if let Some(last) = points.last() {
        let _ = write!(path, "L{} {}", n(last.x), n(last.y));
    }
    path
}

/// Draws an arrowhead at the last point.
fn head(points: &[Point]) -> String {
    let [.., before, tip] = points else {
        return String::new();
    };
    let back = toward(*tip, *before, 8.0);
    let (across, along) = (0.5 * (back.y - tip.y), 0.5 * (back.x - tip.x));
    format!(
        "<path class=\"head\" d=\"M{} {}L{} {}L{} {}\"/>",
        n(back.x - across),
        n(back.y + along),
        n(tip.x),
        n(tip.y),
        n(back.x + across),
        n(back.y - along)
    )
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

fn toward(from: Point, to: Point, far: f64) -> Point {
    let part = far / distance(from, to).max(f64::MIN_POSITIVE);
    Point {
        x: from.x + part * (to.x - from.x),
        y: from.y + part * (to.y - from.y),
    }
}

/// Formats a coordinate with one decimal, which is omitted if it is zero.
fn n(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // Not `-0`.
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    rounded.to_string()
}
