//! One HTML file that explains a run: it needs no network, no other file and no library.
//!
//! The file is the frame `page.html` with the style sheet, the scripts and the data in it.
//! All text from a model travels as JSON, and only the scripts turn it into text: no
//! text of a model is ever read as markup. A policy (CSP) in the file besides allows nothing
//! but the style sheet and the script whose digests it names.

use std::fmt::Write as _;

mod column;
mod data;
mod file;
pub mod network;
mod what_if;

pub use column::Column;
pub use data::*;
pub use file::write_page;

const FRAME: &str = include_str!("page/page.html");
/// Policy of the page: it may load nothing, and run only its own scripts, by their SHA-256.
///
/// The digests are those of [`style`] and [`script`]; a test compares them, and writes them with
/// `UPDATE_EXPECT=1`.
const POLICY: &str = include_str!("page/policy.txt");

/// Style sheets, in the order in which later ones override earlier ones.
const STYLES: &[&str] = &[
    include_str!("page/colors.css"),
    include_str!("page/page.css"),
    include_str!("page/views.css"),
    include_str!("page/media.css"),
];

/// Scripts, in the order in which they depend on each other.
const SCRIPTS: &[&str] = &[
    include_str!("page/format.js"),
    include_str!("page/dom.js"),
    include_str!("page/theme.js"),
    include_str!("page/data.js"),
    include_str!("page/selection.js"),
    include_str!("page/studio.js"),
    include_str!("page/address.js"),
    include_str!("page/search.js"),
    include_str!("page/exports.js"),
    include_str!("page/chart.js"),
    include_str!("page/table.js"),
    include_str!("page/places.js"),
    include_str!("page/range.js"),
    include_str!("page/overview.js"),
    include_str!("page/bars.js"),
    include_str!("page/processes.js"),
    include_str!("page/raster.js"),
    include_str!("page/timeline.js"),
    include_str!("page/timeline_colors.js"),
    include_str!("page/timeline_paint.js"),
    include_str!("page/timeline_view.js"),
    include_str!("page/critical_path.js"),
    include_str!("page/what_if.js"),
    include_str!("page/drawing.js"),
    include_str!("page/animator.js"),
    include_str!("page/matrix.js"),
    include_str!("page/utilization.js"),
    include_str!("page/topology.js"),
    include_str!("page/availability.js"),
    include_str!("page/knee.js"),
    include_str!("page/network.js"),
    include_str!("page/compare.js"),
    include_str!("page/main.js"),
];

/// Renders the page of a run.
///
/// ```
/// use prophet_report::page::{Data, render};
///
/// let mut data = Data::default();
/// data.run.model = "</script><b>Bold".to_owned();
/// let html = render(&data);
/// assert!(html.contains("<title>&lt;/script&gt;&lt;b&gt;Bold: prediction</title>"));
/// assert!(!html.contains("<b>Bold"));
/// ```
pub fn render(data: &Data) -> String {
    fill(&data.run.model, &json(data))
}

fn json(data: &Data) -> String {
    serde_json::to_string(data).expect("names are text, and nothing else can fail")
}

fn fill(title: &str, json: &str) -> String {
    let (style, script) = (style(), script());
    let mut page = String::with_capacity(json.len() + script.len() + style.len() + FRAME.len());
    let mut frame = FRAME;
    while let Some((before, rest)) = frame.split_once("{{") {
        let (name, after) = rest
            .split_once("}}")
            .expect("the frame closes what it opens");
        page.push_str(before);
        match name {
            "policy" => page.push_str(policy()),
            "title" => escape_html(title, &mut page),
            "style" => page.push_str(&style),
            "data" => escape_json(json, &mut page),
            "script" => page.push_str(&script),
            _ => unreachable!("the frame knows no {name}"),
        }
        frame = after;
    }
    page.push_str(frame);
    page
}

/// Policy of every page: it may run its own script, and load nothing.
pub fn policy() -> &'static str {
    POLICY.trim_end()
}

/// Joins all style sheets.
fn style() -> String {
    STYLES.concat()
}

/// Joins all scripts into one that leaves no names behind.
fn script() -> String {
    format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat())
}

/// Escapes text for HTML, in elements and attributes.
fn escape_html(text: &str, page: &mut String) {
    for character in text.chars() {
        match character {
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '&' => page.push_str("&amp;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            hidden if prophet_plain::is_hidden(hidden) => page.push('\u{fffd}'),
            _ => page.push(character),
        }
    }
}

/// Escapes JSON so that it cannot end the script element around it. The result is pure ASCII:
/// browsers keep that in one byte a character, which counts with columns of megabytes.
fn escape_json(json: &str, page: &mut String) {
    let mut rest = json;
    while let Some(place) = rest.find(|c: char| matches!(c, '<' | '>' | '&') || !c.is_ascii()) {
        page.push_str(&rest[..place]);
        let character = rest[place..].chars().next().expect("one was found");
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(page, "\\u{unit:04x}").expect("strings take all");
        }
        rest = &rest[place + character.len_utf8()..];
    }
    page.push_str(rest);
}

#[cfg(test)]
mod tests;
