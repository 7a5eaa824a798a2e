//! Reads expansion regions: content that runs for each element of a collection.
//!
//! UML can't express the number of elements, so a tag contains it. The nodes on the border of a
//! region carry its collections, like pins.

use super::reader::Reader;
use super::tree::NodeId;
use crate::model::{ElementId, Stereotype, StereotypeKind};

pub(super) const REGION: &str = "ExpansionRegion";

const BORDER: &str = "ExpansionNode";

impl Reader<'_, '_> {
    pub(super) fn region_of(&mut self, node: NodeId) -> Option<NodeId> {
        if self.tree.kind(node) != BORDER {
            return None;
        }
        let is_region = |it: &NodeId| self.tree.kind(*it) == REGION;
        let roles = ["regionAsInput", "regionAsOutput"];
        let named = roles
            .into_iter()
            .find_map(|it| self.tree.reference(node, it));
        if let Some(region) = named.and_then(|it| it.target).filter(is_region) {
            return Some(region);
        }
        if let Some(region) = self.listed_borders().get(&node) {
            return Some(*region);
        }
        self.tree
            .ancestors(node)
            .find(|it| self.tree.kind(*it) == REGION)
    }

    /// Returns the region that each border node belongs to.
    fn listed_borders(&mut self) -> &prophet_map::Map<NodeId, NodeId> {
        let tree = self.tree;
        self.borders.get_or_insert_with(|| {
            let mut borders = prophet_map::Map::new();
            for region in tree.ids().filter(|it| tree.kind(*it) == REGION) {
                for role in ["inputElement", "outputElement"] {
                    for border in tree.references(region, role) {
                        if let Some(border) = border.target {
                            borders.insert(border, region);
                        }
                    }
                }
            }
            borders
        })
    }

    /// Repeats the content of a region: in parallel for all elements if its mode is `parallel`, and
    /// otherwise for one element after another. Regions with a stereotype stay unchanged.
    pub(super) fn expand(&mut self, node: NodeId, id: ElementId) {
        if self.elements[id.0].stereotype.is_some() || self.is_step(node) {
            return;
        }
        let mode = self.tree.property(node, "mode");
        let is_parallel = mode.is_some_and(|it| it.value == "parallel");
        let kind = if is_parallel {
            StereotypeKind::ParallelDo
        } else {
            StereotypeKind::LoopPlus
        };
        self.elements[id.0].stereotype = Some(Stereotype {
            kind,
            tags: [].into(),
            span: self.tree.span(node),
            is_implied: true,
        });
    }
}
