//! Draws the diagrams as SVG pictures in UML notation.
//!
//! Each picture is self-contained and has no script. Its style works on light and dark backgrounds.
//! A page can find the group of an element by the id in results: `<g class="element"
//! data-element="351571381">`. The group has a child with `class="shape"` that can be filled.

mod drawn;
mod figure;
mod layout;
mod route;
mod rows;
mod scene;
#[cfg(test)]
pub(crate) mod tests;
mod text;
mod write;

use std::path::PathBuf;

use super::drawing::{Drawing, one_line};
use super::{Files, Input, Target};
use crate::output::MARKER;
use layout::Budget;
use prophet_model::model::{DiagramId, ElementId};

/// Draws a picture of each activity.
#[derive(Debug, Clone, Copy)]
pub struct Svg;

impl Target for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn about(&self) -> &'static str {
        "a picture of each diagram"
    }

    fn knows_own_stereotypes(&self) -> bool {
        true
    }

    fn shows_workflows(&self) -> bool {
        true
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let drawing = Drawing::new(input.model, input.program);
        let files = pictures(&drawing).into_iter().map(|picture| {
            let path = PathBuf::from(format!("{}.svg", picture.name));
            (path, file(&picture, input.model_file).into())
        });
        files.collect()
    }
}

/// The picture of an activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// A unique name for the picture's file, in lower case with `_`.
    pub name: String,
    /// The activity's name in the model.
    pub title: String,
    /// The `svg` element.
    pub svg: String,
}

/// Draws all activities, the main activity first.
///
/// If a diagram is too large to read, or to lay out in about a second, its picture says so instead.
pub fn pictures(drawing: &Drawing<'_>) -> Vec<Picture> {
    let mut budget = Budget::default();
    drawing
        .activities()
        .into_iter()
        .map(|(name, id)| picture(drawing, name, id, &mut budget))
        .collect()
}

/// The bounds of a drawn node, in pixels. `y` grows downward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// Lays out a diagram's nodes in layers, without their content. Returns `None` if it is too large
/// to lay out in about a second.
pub fn arrangement(drawing: &Drawing<'_>, id: DiagramId) -> Option<Vec<(ElementId, Bounds)>> {
    let nodes = layout::closed(drawing, id, &mut Budget::default())?;
    let bounds = |node: scene::Placed| {
        let (width, height) = (node.figure.width, node.figure.height);
        let (x, y) = (node.center.x - 0.5 * width, node.center.y - 0.5 * height);
        (
            node.figure.element,
            Bounds {
                x,
                y,
                width,
                height,
            },
        )
    };
    Some(nodes.into_iter().map(bounds).collect())
}

/// Maximum number of pictures in a crate, so that a large model doesn't make the crate large or
/// slow to lay out.
const CARRIED_PICTURES: usize = 64;
const CARRIED_BYTES: usize = 1 << 20;

/// Returns the pictures that a crate contains for its reports: the first 64, or fewer if they
/// exceed a megabyte in total.
pub fn carried(drawing: &Drawing<'_>) -> Vec<Picture> {
    let mut budget = Budget::small();
    let mut free = CARRIED_BYTES;
    let mut pictures = Vec::new();
    for (name, id) in drawing.activities().into_iter().take(CARRIED_PICTURES) {
        let picture = picture(drawing, name, id, &mut budget);
        let Some(rest) = free.checked_sub(picture.svg.len()) else {
            break;
        };
        free = rest;
        pictures.push(picture);
    }
    pictures
}

/// Returns the text of the file for a picture of `model_file`.
pub fn file(picture: &Picture, model_file: &str) -> String {
    // XML comments must not contain `--`.
    let from = one_line(model_file).replace("--", "- -");
    format!(
        "<!-- {MARKER} from {from}. Do not edit. -->\n{}",
        picture.svg
    )
}

/// Returns the files of [`carried`] pictures by their path in the crate.
pub(super) fn files(pictures: &[Picture], model_file: &str) -> Files {
    let path = |picture: &Picture| PathBuf::from(format!("drawings/{}.svg", picture.name));
    let files = pictures
        .iter()
        .map(|picture| (path(picture), file(picture, model_file).into()));
    files.collect()
}

fn picture(drawing: &Drawing<'_>, name: String, id: DiagramId, budget: &mut Budget) -> Picture {
    let diagram = drawing.model.diagram(id);
    let title = one_line(&diagram.name);
    let svg = if let Some(scene) = layout::scene(drawing, id, budget) {
        write::picture(drawing, &title, &scene)
    } else {
        let (nodes, edges) = (diagram.elements.len(), diagram.flows.len());
        let text = format!(
            "This diagram is too large to be drawn: it has {nodes} nodes and {edges} edges."
        );
        write::notice(&title, &text)
    };
    Picture { name, title, svg }
}
