//! Draws machines as SVG: hosts, switches and links, zone by zone.

mod sketch;

use std::fmt::Write as _;

use crate::platform::Platform;
use sketch::{Dot, Line, Shape, Sketch};

/// Width of a picture, and width of the margin around a zone.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 40.0;

const ZONES_MAX: usize = 12;

/// Maximum number of links to list for a line.
const NUMBERS_MAX: usize = 64;

impl Platform {
    /// Draws the machine as SVG. Large zones are abbreviated, and a note in the picture says how
    /// much is shown.
    ///
    /// Scripts in a page can find shapes by their classes, and the links of a line in its
    /// `data-links`, which lists up to 64 of them.
    pub fn draw(&self) -> String {
        self.draw_with(|_| None)
    }

    /// Draws the machine with its links colored by load. `load` returns the load of a link, from 0
    /// to 1. Links are gray if it returns `None`.
    pub fn draw_with(&self, load: impl Fn(u32) -> Option<f64>) -> String {
        let mut body = String::new();
        let mut top = 0.0;
        for zone in 0..self.zones.len().min(ZONES_MAX) {
            let sketch = Sketch::of(self, zone);
            if sketch.dots.is_empty() {
                continue;
            }
            let height = sketch.height + 2.0 * MARGIN;
            let _ = writeln!(body, "<g transform=\"translate(0 {top:.0})\">");
            let title = escaped(&sketch.title);
            let _ = writeln!(
                body,
                "<text class=\"zone\" x=\"12\" y=\"22\">{title}</text>"
            );
            for line in &sketch.lines {
                self.draw_line(&mut body, &sketch, line, &load);
            }
            for dot in &sketch.dots {
                draw_dot(&mut body, dot);
            }
            body.push_str("</g>\n");
            top += height;
        }
        if self.zones.len() > ZONES_MAX {
            let more = self.zones.len() - ZONES_MAX;
            let y = top + 22.0;
            let _ = writeln!(
                body,
                "<text class=\"zone\" x=\"12\" y=\"{y:.0}\">and {more} zones</text>"
            );
            top += MARGIN;
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prophet-machine\" \
             width=\"{WIDTH:.0}\" height=\"{top:.0}\" \
             viewBox=\"0 0 {WIDTH:.0} {top:.0}\" font-family=\"sans-serif\" font-size=\"10\">\n\
             <style>.zone {{ font-size: 14px; font-weight: bold }} .link {{ fill: none }} \
             text {{ fill: #333 }}</style>\n\
             <rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }

    fn draw_line(
        &self,
        body: &mut String,
        sketch: &Sketch,
        line: &Line,
        load: &impl Fn(u32) -> Option<f64>,
    ) {
        let (from, to) = (&sketch.dots[line.from], &sketch.dots[line.to]);
        let (x1, y1, x2, y2) = (at_x(from), at_y(from), at_x(to), at_y(to));
        // Links that wrap around a row are curved, so that they avoid the nodes in between.
        let length = (x2 - x1).abs() + (y2 - y1).abs();
        let bend = if line.bent {
            (0.15 * length).min(40.0)
        } else {
            0.0
        };
        let (x, y) = if (y2 - y1).abs() < 1.0 {
            (f64::midpoint(x1, x2), y1 - bend)
        } else {
            (f64::midpoint(x1, x2) - bend, f64::midpoint(y1, y2))
        };
        let loads = line.links.iter().filter_map(|it| load(*it));
        let most = loads.reduce(f64::max);
        let color = most.map_or_else(|| "#999".to_owned(), color);
        let width = 1.0 + 3.0 * most.unwrap_or(0.0).clamp(0.0, 1.0);
        let names = line
            .links
            .iter()
            .take(8)
            .map(|it| self.links[*it as usize].name.as_str());
        let names = escaped(&names.collect::<Vec<_>>().join(", "));
        let numbers = line.links.iter().take(NUMBERS_MAX).map(u32::to_string);
        let numbers = numbers.collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            body,
            "<path class=\"link\" data-links=\"{numbers}\" \
             d=\"M{x1:.1} {y1:.1}Q{x:.1} {y:.1} {x2:.1} {y2:.1}\" \
             stroke=\"{color}\" stroke-width=\"{width:.1}\"><title>{names}</title></path>"
        );
    }
}

fn at_x(dot: &Dot) -> f64 {
    MARGIN + dot.x * (WIDTH - 2.0 * MARGIN)
}

fn at_y(dot: &Dot) -> f64 {
    MARGIN + dot.y
}

fn draw_dot(body: &mut String, dot: &Dot) {
    let (x, y) = (at_x(dot), at_y(dot));
    let name = escaped(&dot.name);
    let shape = match dot.shape {
        Shape::Host => {
            format!("<circle class=\"host\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"#3b76b8\"/>")
        }
        Shape::Switch => format!(
            "<rect class=\"switch\" x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" rx=\"2\" \
             fill=\"#444\"/>",
            x - 6.0,
            y - 6.0
        ),
        Shape::Zone => format!(
            "<rect class=\"inner\" x=\"{:.1}\" y=\"{:.1}\" width=\"20\" height=\"14\" rx=\"4\" \
             fill=\"#d9e2ec\" stroke=\"#444\"/>",
            x - 10.0,
            y - 7.0
        ),
    };
    let _ = writeln!(body, "<g>{shape}<title>{name}</title></g>");
    if dot.labeled {
        let below = y + 18.0;
        let _ = writeln!(
            body,
            "<text x=\"{x:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{name}</text>"
        );
    }
}

/// Returns the color of a load, from green to yellow to red.
fn color(load: f64) -> String {
    let load = if load.is_finite() {
        load.clamp(0.0, 1.0)
    } else {
        1.0
    };
    format!("hsl({:.0} 75% 42%)", 120.0 * (1.0 - load))
}

fn escaped(text: &str) -> String {
    let text = prophet_text::plain::line(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
