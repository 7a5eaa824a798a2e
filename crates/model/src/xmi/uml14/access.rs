//! Reads properties of UML 1.x elements, which are attributes or child elements.

use super::super::reader::Reader;
use super::super::references::Reference;
use super::super::tree::{NodeId, Tree};
use crate::source::Text;

impl Tree<'_> {
    /// Returns the children that contain a property. For example, `UML:Transition.source` contains
    /// `source`.
    fn slots<'t>(&'t self, node: NodeId, name: &'t str) -> impl Iterator<Item = NodeId> + 't {
        self.children(node).filter(move |&child| {
            let role = self.role(child);
            role.rsplit_once('.').is_some_and(|(_, last)| last == name)
        })
    }

    fn is_idref(&self, node: NodeId) -> bool {
        self.attribute(node, "xmi.idref").is_some() || self.attribute(node, "href").is_some()
    }

    pub(in crate::xmi) fn owned(&self, node: NodeId, name: &str) -> Vec<NodeId> {
        let members = self.slots(node, name).flat_map(|slot| self.children(slot));
        members.filter(|&member| !self.is_idref(member)).collect()
    }

    /// Returns the references in a property: ids in an attribute, or children with `xmi.idref` or
    /// `href`. Elements nested in the property count too.
    pub(in crate::xmi) fn named(&self, node: NodeId, name: &str) -> Vec<Reference> {
        let mut references = Vec::new();
        if let Some(value) = self.attribute(node, name) {
            self.split_references(value, &mut references);
        }
        for member in self.slots(node, name).flat_map(|slot| self.children(slot)) {
            if let Some(id) = self.attribute(member, "xmi.idref") {
                self.split_references(id, &mut references);
            } else if let Some(link) = self.attribute(member, "href") {
                let mut reference = self.link(link);
                if let Some(path) = self.referent(member) {
                    reference.id = path;
                }
                references.push(reference);
            } else if let Some(id) = self.attribute(member, "xmi.id") {
                self.split_references(id, &mut references);
            }
        }
        references
    }

    /// Returns the text of a property, from an attribute or a child.
    pub(super) fn text_of_uml14(&self, node: NodeId, name: &str) -> Option<Text> {
        let attribute = self.attribute(node, name).map(|it| self.attribute_text(it));
        // Some tools write the values of enumerations as `xmi.value`.
        let of_slot = |slot| {
            let value = self.attribute(slot, "xmi.value");
            let value = value.map(|it| self.attribute_text(it));
            value.or_else(|| self.content(slot))
        };
        attribute.or_else(|| self.slots(node, name).find_map(of_slot))
    }

    /// Returns the language and the body of the first expression in a property.
    pub(super) fn expression_of_uml14(&self, node: NodeId, name: &str) -> Option<(Text, Text)> {
        let expression = self.owned(node, name).into_iter().next()?;
        let body = self.text_of_uml14(expression, "body")?;
        let language = self.text_of_uml14(expression, "language");
        Some((language.unwrap_or_default(), body))
    }

    /// Returns the name that MagicDraw writes for an element in another file, such as
    /// `datatypes::double`.
    pub(in crate::xmi) fn referent(&self, node: NodeId) -> Option<String> {
        let mut extensions = self.children(node);
        let path = extensions.find_map(|extension| {
            let mut children = self.children(extension);
            children.find_map(|child| match self.role(child) {
                "referentPath" => self.attribute(child, "xmi.value"),
                "referenceExtension" => self.attribute(child, "referentPath"),
                _ => None,
            })
        })?;
        let path = self.attribute_text(path).value;
        path.rsplit(':').next().map(str::to_owned)
    }
}

impl Reader<'_, '_> {
    /// Iterates over the elements of a kind that the file defines, in file order.
    pub(super) fn defined(&self, kind: &'static str) -> impl Iterator<Item = NodeId> {
        self.tree.ids().filter(move |&node| {
            let it = self.tree.node(node);
            !it.is_extension && self.tree.role(node) == kind && !self.tree.is_idref(node)
        })
    }
}
