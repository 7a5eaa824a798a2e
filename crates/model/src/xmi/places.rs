//! Reads the positions of nodes in drawings.

use super::reader::Reader;
use super::tree::NodeId;
use crate::model::{DrawnPlace, ElementId};
use prophet_map::Map;

/// Maximum distance from the origin. Positions further away can't be real.
const FARTHEST: f64 = 1e6;
/// Maximum number of a shape's children to examine.
const NEAR: usize = 8;

impl Reader<'_, '_> {
    /// Reads where a tool has drawn a node, if the element says so. If a node is drawn several
    /// times, the first drawing counts.
    pub(super) fn drawn_place(&mut self, node: NodeId) {
        let found = match self.tree.role(node) {
            "element" => self.place_of_ea(node),
            "DiagramElement" => self.place_of_visual_paradigm(node),
            "bounds" => self.place_of_uml_di(node),
            _ => None,
        };
        if let Some((target, place)) = found {
            self.places.get_or_insert(target, place);
        }
    }

    /// Reads `<element geometry="Left=10;Top=20;Right=100;Bottom=80;" subject="EAID_1"/>`.
    fn place_of_ea(&self, node: NodeId) -> Option<(NodeId, DrawnPlace)> {
        let geometry = self.tree.attribute(node, "geometry")?;
        let geometry = self.tree.raw(geometry);
        let side = |name: &str| {
            let mut sides = geometry.split(';').filter_map(|side| side.split_once('='));
            let (_, value) = sides.find(|(side, _)| *side == name)?;
            number(value)
        };
        let (left, right) = (side("Left")?, side("Right")?);
        let (top, bottom) = (side("Top")?, side("Bottom")?);
        let place = DrawnPlace {
            x: 0.5 * (left + right),
            y: 0.5 * (top + bottom),
        };
        Some((self.subject(node)?, place))
    }

    /// Reads `<uml:DiagramElement geometry="10,20,90,60" subject="id"/>` with left, top, width and
    /// height. Edges have points separated by `;` instead.
    fn place_of_visual_paradigm(&self, node: NodeId) -> Option<(NodeId, DrawnPlace)> {
        let geometry = self.tree.attribute(node, "geometry")?;
        let mut numbers = self.tree.raw(geometry).split(',').map(number);
        let mut next = || numbers.next().flatten();
        let (left, top, width, height) = (next()?, next()?, next()?, next()?);
        Some((self.subject(node)?, middle(left, top, width, height)))
    }

    /// Reads `<… xmi:type="umldi:UMLShape" modelElement="id"><bounds x="10" y="20" width="90"
    /// height="60"/>`, as in UML Diagram Interchange (UML 2.5.1, annex B).
    fn place_of_uml_di(&self, node: NodeId) -> Option<(NodeId, DrawnPlace)> {
        let length = |name: &str| number(self.tree.raw(self.tree.attribute(node, name)?));
        // XMI omits attributes that are 0.
        let (left, top) = (length("x").unwrap_or(0.0), length("y").unwrap_or(0.0));
        let (width, height) = (length("width")?, length("height")?);
        let shape = self.tree.node(node).parent?;
        let is_near = |child: &NodeId| *child == node;
        self.tree.children(shape).take(NEAR).find(is_near)?;
        let id = self.tree.attribute(shape, "modelElement").or_else(|| {
            let mut children = self.tree.children(shape).take(NEAR);
            let child = children.find(|&it| self.tree.role(it) == "modelElement")?;
            self.tree.xmi_attribute(child, "idref")
        })?;
        let target = self.tree.with_id(id.start, self.tree.raw(id))?;
        Some((target, middle(left, top, width, height)))
    }

    fn subject(&self, node: NodeId) -> Option<NodeId> {
        let subject = self.tree.attribute(node, "subject")?;
        self.tree.with_id(subject.start, self.tree.raw(subject))
    }

    /// Returns the positions of elements.
    pub(super) fn places_of_elements(&mut self) -> Map<ElementId, DrawnPlace> {
        let places = std::mem::take(&mut self.places).into_iter();
        let element = |(node, place)| Some((*self.element_of.get(&node)?, place));
        places.filter_map(element).collect()
    }
}

fn middle(left: f64, top: f64, width: f64, height: f64) -> DrawnPlace {
    DrawnPlace {
        x: left + 0.5 * width,
        y: top + 0.5 * height,
    }
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    (number.abs() <= FARTHEST).then_some(number)
}
