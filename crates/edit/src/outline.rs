//! Outlines the text of a model for a page: ids, what is at a position, and drawings.

use std::collections::BTreeMap;

use prophet_text::Problem;
use roxmltree::Node;

use crate::edit::Point;
use crate::xml::{Element, Tree, base, children, id, kind, local};

/// The elements of a text by position, and their drawings.
#[derive(Debug, Default)]
pub struct Outline {
    /// Ids by the position where the element's start tag begins.
    ids: BTreeMap<usize, String>,
    /// UML types by id.
    kinds: BTreeMap<String, String>,
    /// Bounds of drawings by id: left, top, width and height.
    bounds: BTreeMap<String, [f64; 4]>,
    points: BTreeMap<String, Vec<Point>>,
    lacks_ids: bool,
}

/// What is at a position in a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Ids of the elements around this position, innermost first.
    pub owners: Vec<String>,
    /// Name of the attribute, tag or text at this position; `None` if there is no such property.
    pub property: Option<String>,
    /// Byte range of the property's value in the text, with its escapes.
    pub value: std::ops::Range<usize>,
}

impl Outline {
    /// Parses an XML text, and outlines it.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't valid XML.
    pub fn read(text: &str) -> Result<Self, Problem> {
        let tree = Tree::parse(text)?;
        let mut outline = Self::default();
        for element in tree.elements() {
            let Some(own) = known_as(element) else {
                continue;
            };
            outline.lacks_ids |= own.starts_with(MADE_UP) && is_node(element);
            outline.ids.insert(element.range().start, own.clone());
            outline.kinds.insert(own, kind(element).to_owned());
            if local(element) == "ownedElement" {
                outline.note_drawing(element);
            }
        }
        Ok(outline)
    }

    /// Creates the outline of a text that isn't XML, from the positions where its elements start.
    /// The elements are named by position, so edits can't refer to them.
    #[must_use]
    pub fn made_up(starts: impl IntoIterator<Item = usize>) -> Self {
        let named = |start| (start, format!("{MADE_UP}{start}"));
        Self {
            ids: starts.into_iter().map(named).collect(),
            lacks_ids: true,
            ..Self::default()
        }
    }

    fn note_drawing(&mut self, drawn: Element<'_, '_>) {
        let Some(of) = drawn.attribute("modelElement") else {
            return;
        };
        let number = |it: Element<'_, '_>, name: &str| -> Option<f64> {
            it.attribute(name)
                .map_or(Some(0.0), |text| text.trim().parse().ok())
        };
        if let Some(it) = children(drawn, "bounds").next() {
            let sides = ["x", "y", "width", "height"].map(|name| number(it, name));
            if let [Some(x), Some(y), Some(width), Some(height)] = sides {
                self.bounds.insert(of.to_owned(), [x, y, width, height]);
            }
        }
        let points = children(drawn, "waypoint");
        let points = points.map(|it| Some([number(it, "x")?, number(it, "y")?]));
        let points: Option<Vec<Point>> = points.collect();
        if let Some(points) = points.filter(|it| !it.is_empty()) {
            self.points.insert(of.to_owned(), points);
        }
    }

    /// Returns `true` if the text contains nodes without ids. They are named by position, so edits
    /// can't refer to them.
    pub const fn lacks_ids(&self) -> bool {
        self.lacks_ids
    }

    /// Returns the id of the element with a start tag at `start`.
    pub fn id_at(&self, start: usize) -> Option<&str> {
        self.ids.get(&start).map(String::as_str)
    }

    /// Returns the id of the last element that starts at or before `offset`.
    pub fn id_before(&self, offset: usize) -> Option<&str> {
        self.ids
            .range(..=offset)
            .next_back()
            .map(|(_, id)| id.as_str())
    }

    /// Returns the UML type of an element, such as `OpaqueAction`.
    pub fn kind(&self, id: &str) -> Option<&str> {
        self.kinds.get(id).map(String::as_str)
    }

    /// Returns the bounds of an element's drawing: left, top, width and height.
    pub fn bounds(&self, id: &str) -> Option<[f64; 4]> {
        self.bounds.get(id).copied()
    }

    /// Returns the points of a flow's drawing; empty for a straight line.
    pub fn points(&self, id: &str) -> &[Point] {
        self.points.get(id).map_or(&[], Vec::as_slice)
    }
}

/// Prefix of the names of elements without ids.
const MADE_UP: char = '#';

/// Returns the id of an element. A part of the model without an id is named by its position.
fn known_as(element: Element<'_, '_>) -> Option<String> {
    if let Some(id) = id(element) {
        return Some(id.to_owned());
    }
    // An element that only refers to another element, or describes it, has that element's id.
    let refers = element.attributes().any(|it| it.name() == "idref");
    let is_typed = kind(element) != local(element);
    let is_part = (is_typed || element.has_attribute("name")) && !refers;
    is_part.then(|| format!("{MADE_UP}{}", element.range().start))
}

fn is_node(element: Element<'_, '_>) -> bool {
    let kind = kind(element);
    kind != local(element) && (kind.ends_with("Node") || kind.ends_with("Action"))
}

/// Finds out what is at a position in a text.
#[derive(Debug)]
pub struct Spots<'t>(Tree<'t>);

impl<'t> Spots<'t> {
    /// Parses an XML text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't valid XML.
    pub fn read(text: &'t str) -> Result<Self, Problem> {
        Tree::parse(text).map(Self)
    }

    /// Returns the elements around the byte at `offset`, and the property that contains it.
    pub fn at(&self, offset: usize) -> Spot {
        let mut innermost = self.0.root();
        while let Some(child) = innermost
            .children()
            .find(|it| it.is_element() && it.range().contains(&offset))
        {
            innermost = child;
        }
        let attributes = innermost.attributes();
        let attribute = attributes
            .into_iter()
            .find(|it| it.range().contains(&offset));
        let (property, value) = match attribute {
            Some(it) => (Some(it.name()), it.range_value()),
            None => match (
                local(innermost),
                innermost.first_child().filter(Node::is_text),
            ) {
                ("body", Some(text)) => (Some("body"), text.range()),
                _ => (None, innermost.range()),
            },
        };
        let around = innermost
            .ancestors()
            .filter(Node::is_element)
            .filter_map(|it| base(it).map(str::to_owned).or_else(|| known_as(it)));
        let owners = around.collect();
        let property = property.map(str::to_owned);
        Spot {
            owners,
            property,
            value,
        }
    }
}
