//! Outline of a text for a page: ids, owners of places, drawings.

use std::collections::BTreeMap;

use prophet_text::Problem;
use roxmltree::Node;

use crate::edit::Point;
use crate::xml::{Element, Tree, base, children, id, kind, local};

/// Elements of a text by their places.
#[derive(Debug, Default)]
pub struct Outline {
    /// The id of each element, by where its start tag begins.
    ids: BTreeMap<usize, String>,
    /// The UML type of each element that has an id.
    kinds: BTreeMap<String, String>,
    /// Bounds of drawings: left, top, width, height.
    bounds: BTreeMap<String, [f64; 4]>,
    /// Points of drawn flows.
    points: BTreeMap<String, Vec<Point>>,
    /// True if there are nodes without ids.
    lacks_ids: bool,
}

/// A place in a model, as people speak of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Ids of the element that has the place, and of the elements around it, the innermost first.
    pub owners: Vec<String>,
    /// Name of the attribute, tag or text.
    pub property: Option<String>,
    /// The bytes of its value in the text, escapes included.
    pub value: std::ops::Range<usize>,
}

impl Outline {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// If it is no XML.
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

    /// Outline of a text that is no XML, made of the places where elements begin: each has a name
    /// made up of its place, and no edit finds it.
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

    /// True if nodes have no ids in the text: their names are made up of their places, and no edit
    /// finds them.
    pub const fn lacks_ids(&self) -> bool {
        self.lacks_ids
    }

    /// The id of the element whose start tag begins there.
    pub fn id_at(&self, start: usize) -> Option<&str> {
        self.ids.get(&start).map(String::as_str)
    }

    /// The id of the element that has the byte, or begins last before it.
    pub fn id_before(&self, offset: usize) -> Option<&str> {
        self.ids
            .range(..=offset)
            .next_back()
            .map(|(_, id)| id.as_str())
    }

    /// The UML type of an element: `OpaqueAction`.
    pub fn kind(&self, id: &str) -> Option<&str> {
        self.kinds.get(id).map(String::as_str)
    }

    /// Bounds of an element's drawing: left, top, width, height.
    pub fn bounds(&self, id: &str) -> Option<[f64; 4]> {
        self.bounds.get(id).copied()
    }

    /// Along which points a flow is drawn; empty for a straight line.
    pub fn points(&self, id: &str) -> &[Point] {
        self.points.get(id).map_or(&[], Vec::as_slice)
    }
}

/// Beginning of names that are made up.
const MADE_UP: char = '#';

/// The id of an element; of one without that is part of a model, a name made up of its place.
fn known_as(element: Element<'_, '_>) -> Option<String> {
    if let Some(id) = id(element) {
        return Some(id.to_owned());
    }
    // What only refers to an element, or tells more of it, has that element's id.
    let refers = element.attributes().any(|it| it.name() == "idref");
    let is_typed = kind(element) != local(element);
    let is_part = (is_typed || element.has_attribute("name")) && !refers;
    is_part.then(|| format!("{MADE_UP}{}", element.range().start))
}

/// True for the nodes of a diagram by their UML types.
fn is_node(element: Element<'_, '_>) -> bool {
    let kind = kind(element);
    kind != local(element) && (kind.ends_with("Node") || kind.ends_with("Action"))
}

/// Finds places in a text.
#[derive(Debug)]
pub struct Spots<'t>(Tree<'t>);

impl<'t> Spots<'t> {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// If it is no XML.
    pub fn read(text: &'t str) -> Result<Self, Problem> {
        Tree::parse(text).map(Self)
    }

    /// The element and the property that have that byte of the text.
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
