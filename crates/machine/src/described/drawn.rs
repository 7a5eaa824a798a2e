//! Draws a node: its sockets, memory domains, caches, CPUs and accelerators.

use std::fmt::Write as _;

use super::Machine;
use crate::groups::{Described, Groups};
use crate::memory::Memory;
use crate::quantity::engineering;
use prophet_text::markup::escaped;

/// Width of a picture, width of its margin, and height of a row, in pixels.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 12.0;
const ROW: f64 = 34.0;

/// Maximum number of boxes per row; if there are more, a single box shows their number.
const BOXES_MAX: u32 = 256;

/// Width of a letter, in pixels.
const LETTER: f64 = 6.0;

/// Parts of a node that are all equal, such as its sockets.
#[derive(Debug)]
struct Row {
    count: u32,
    name: String,
    color: &'static str,
}

/// Draws a node with `cpus` CPUs as SVG; each box is above the CPUs that share the part. The
/// accelerators of all groups of nodes are at the bottom. If some nodes lack a kind of accelerator,
/// the nodes that have it are listed.
pub(super) fn node(machine: &Machine, cpus: u32) -> String {
    let mut body = String::new();
    let mut top = MARGIN;
    let of_node = rows(&machine.memory, cpus).into_iter();
    let beside = machine
        .accelerators
        .iter()
        .enumerate()
        .map(|(place, it)| Row {
            count: it.count,
            name: escaped(&it.name) + &nodes_with(&machine.groups, place),
            color: "#e5d3ea",
        });
    for row in of_node.chain(beside) {
        draw(&mut body, &row, top);
        top += ROW;
    }
    let height = top + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prophet-node\" width=\"{WIDTH:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         {body}</svg>\n"
    )
}

/// Lists the nodes that have a kind of accelerator, such as ` of nodes 0-3, 8`; empty if all nodes
/// have it.
fn nodes_with(groups: &Groups, kind: usize) -> String {
    let (mut ranges, mut first): (Vec<(u32, u32)>, u32) = (Vec::new(), 0);
    for Described {
        count, kind: of, ..
    } in groups.iter()
    {
        let last = first + count - 1;
        match ranges.last_mut() {
            _ if !of.accelerators.has(kind) => {}
            Some(before) if before.1 + 1 == first => before.1 = last,
            _ => ranges.push((first, last)),
        }
        first += count;
    }
    if first == 0 || ranges == [(0, first - 1)] {
        return String::new();
    }
    let text = |(first, last): &(u32, u32)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    let texts: Vec<String> = ranges.iter().map(text).collect();
    format!(" of nodes {}", texts.join(", "))
}

/// Returns the rows of a node, from sockets to CPUs.
fn rows(memory: &Memory, cpus: u32) -> Vec<Row> {
    let row = |count: u32, name: String, color| Row { count, name, color };
    let rate = memory.bandwidth.map(|it| engineering(it, "B/s"));
    let of_memory = format!("memory {}", rate.unwrap_or_default());
    let mut rows = vec![
        row(
            memory.sockets.clamp(1, cpus),
            "socket".to_owned(),
            "#d9e2ec",
        ),
        row(memory.domains().min(cpus), of_memory, "#f3dcc2"),
    ];
    for cache in memory.caches.iter().rev() {
        #[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
        let size = engineering(cache.size as f64, "B");
        let count = cpus.checked_div(cache.cpus).unwrap_or(1).max(1);
        rows.push(row(count, format!("L{} {size}", cache.level), "#d5ead0"));
    }
    rows.push(row(cpus, "CPU".to_owned(), "#c6d8ef"));
    rows
}

// Writing to a string can't fail.
fn draw(body: &mut String, row: &Row, top: f64) {
    let (boxes, name) = if row.count > BOXES_MAX {
        (1, format!("{} x {}", row.count, row.name))
    } else {
        (row.count, row.name.clone())
    };
    let width = (WIDTH - 2.0 * MARGIN) / f64::from(boxes);
    for number in 0..boxes {
        let left = MARGIN + width * f64::from(number);
        let (wide, high) = ((width - 2.0).max(1.0), ROW - 4.0);
        let title = if boxes == 1 {
            name.clone()
        } else {
            format!("{name} ({number})")
        };
        let color = row.color;
        let _ = writeln!(
            body,
            "<g><rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" \
             rx=\"3\" fill=\"{color}\" stroke=\"#444\"/><title>{title}</title></g>"
        );
        #[expect(clippy::cast_precision_loss, reason = "a name is short")]
        let letters = name.trim_end().len() as f64;
        if letters * LETTER <= wide {
            let (x, y) = (left + wide / 2.0, top + 19.0);
            let name = name.trim_end();
            let _ = writeln!(
                body,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{name}</text>"
            );
        }
    }
}
