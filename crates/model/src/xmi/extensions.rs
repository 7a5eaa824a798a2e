//! Reads stereotypes, tags and bodies that tools store in extensions instead of the model.

use super::profile::is_profile;
use super::reader::Reader;
use super::tree::{NodeId, ReadAttribute, Tree};
use crate::model::{Stereotype, StereotypeKind};
use crate::source::Text;

/// Maximum number of elements of an extension to search for tags.
const TAGS_MAX: usize = 10_000;

impl Tree<'_> {
    /// Returns the model element that an extension belongs to: the nearest ancestor that isn't part
    /// of an extension.
    fn extended(&self, node: NodeId) -> Option<NodeId> {
        let mut around = self.ancestors(node);
        around.find(|&it| !self.node(it).is_extension)
    }

    fn value(&self, node: NodeId) -> Option<Text> {
        let value = self.attribute(node, "value");
        let value = value.or_else(|| self.xmi_attribute(node, "value"))?;
        Some(self.attribute_text(value))
    }

    /// Iterates over all elements nested in an element, in file order.
    pub(super) fn inside(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let end = self.node(node).content_end;
        let behind = node.0.saturating_add(1)..self.count();
        let behind = behind.map(NodeId);
        behind.take_while(move |&it| self.node(it).tag.start < end)
    }
}

impl Reader<'_, '_> {
    /// Reads an element of an extension, if it is a known kind.
    pub(super) fn extension(&mut self, node: NodeId) {
        match self.tree.role(node) {
            "appliedStereotype" => self.visual_paradigm(node),
            "stereotype" => self.staruml(node),
            "contents" => self.old_eclipse(node),
            "behaviour" => self.operation_of_ea(node),
            "specification" => self.operation_of_staruml(node),
            _ => {}
        }
    }

    /// Reads `<appliedStereotype xmi:value="Action_action+_id"/>`. The value is the id of a
    /// stereotype. The tags are separate elements of the model that a list refers to.
    fn visual_paradigm(&mut self, node: NodeId) {
        let (Some(id), Some(extension)) = (self.tree.value(node), self.tree.node(node).parent)
        else {
            return;
        };
        let here = self.tree.node(node).tag.start;
        let declared = self.tree.with_id(here, &id.value);
        let name = declared.map(|it| self.tree.short_name(it)).or_else(|| {
            let (_, name) = id.value.strip_suffix("_id")?.split_once('_')?;
            Some(name.to_owned())
        });
        let Some(kind) = name.as_deref().and_then(|it| self.kind_named(it)) else {
            return;
        };
        self.apply_in_extension(node, kind, |reader| {
            let inside = reader.tree.inside(extension).take(TAGS_MAX);
            let references = inside.filter(|&it| reader.tree.role(it) == "modelRef");
            let ids = references.filter_map(|it| reader.tree.value(it));
            let named = ids.filter_map(|id| reader.tree.with_id(here, &id.value));
            let tags = named.filter(|&it| reader.tree.kind(it) == "TaggedValue");
            // Each tag belongs to a single element.
            let mut own: Vec<NodeId> = tags.collect();
            own.retain(|&it| reader.tags_used.insert(it));
            let tag = |it| {
                let name = reader.tree.property(it, "tag")?;
                Some((name.value, reader.tree.property(it, "value")?))
            };
            own.into_iter().filter_map(tag).collect()
        });
    }

    /// Reads `<stereotype value="action+"/><tag cost="1"/>` in an extension. The value is the name
    /// or id of the stereotype.
    fn staruml(&mut self, node: NodeId) {
        let Some(extension) = self.tree.node(node).parent else {
            return;
        };
        let (Some(value), "Extension") = (
            self.tree.attribute(node, "value"),
            self.tree.role(extension),
        ) else {
            return;
        };
        let value = self.tree.attribute_text(value).value;
        let here = self.tree.node(node).tag.start;
        let declared = self.tree.with_id(here, &value);
        let name = declared.map_or(value, |it| self.tree.short_name(it));
        let Some(kind) = self.kind_named(&name) else {
            return;
        };
        self.apply_in_extension(node, kind, |reader| {
            let tags = reader.tree.children_in(extension, "tag");
            let tags = tags.flat_map(|tag| reader.tree.attributes(tag));
            let tag = |it: &ReadAttribute| {
                let name = reader.tree.raw(it.name).to_owned();
                (name, reader.tree.attribute_text(it.value))
            };
            tags.map(tag).collect()
        });
    }

    /// Reads `<eAnnotations source="appliedStereotypes"><contents
    /// xmi:type="prophet_1:prophet__action"/>`, as written by Eclipse UML2 1.x and the Rational
    /// tools based on it.
    fn old_eclipse(&mut self, node: NodeId) {
        let parent = self.tree.node(node).parent;
        let source = parent.and_then(|it| self.tree.property(it, "source"));
        if source.is_none_or(|source| source.value != "appliedStereotypes") {
            return;
        }
        let Some((profile, name)) = self.tree.kind(node).split_once("__") else {
            return;
        };
        if let Some(kind) = self.kind_named(name).filter(|_| is_profile("", profile)) {
            self.apply_in_extension(node, kind, |reader| reader.tree.tag_values(node));
        }
    }

    /// Applies an extension's stereotype to the element that the extension belongs to. If the
    /// element already has a stereotype, tags aren't searched for.
    fn apply_in_extension(
        &mut self,
        node: NodeId,
        kind: StereotypeKind,
        tags: impl FnOnce(&mut Self) -> Vec<(String, Text)>,
    ) {
        let target = self.tree.extended(node);
        let Some(target) = target.filter(|&it| self.can_be_stereotyped(it)) else {
            return;
        };
        let is_second = self.stereotypes.contains_key(&target);
        let tags = if is_second { Vec::new() } else { tags(self) };
        let stereotype = Stereotype {
            kind,
            tags: self.tags(kind, tags),
            span: self.tree.span(node),
            is_implied: false,
        };
        self.apply(target, &stereotype);
    }

    /// Reads the body of an operation: `<operation xmi:idref="…"><behaviour value="return 1;"/>`.
    fn operation_of_ea(&mut self, node: NodeId) {
        let Some(text) = self.tree.value(node) else {
            return;
        };
        let operation = self.tree.node(node).parent;
        let operation = operation.filter(|&it| self.tree.role(it) == "operation");
        let id = operation.and_then(|it| self.tree.xmi_attribute(it, "idref"));
        let id = id.map(|it| self.tree.attribute_text(it).value);
        if let Some(target) =
            id.and_then(|id| self.tree.with_id(self.tree.node(node).tag.start, &id))
        {
            self.operation_bodies.get_or_insert(target, text);
        }
    }

    /// Reads the body in an operation's extension: `<specification value="return 1;"/>`.
    fn operation_of_staruml(&mut self, node: NodeId) {
        let operation = self.tree.extended(node);
        let operation = operation.filter(|&it| self.tree.role(it) == "ownedOperation");
        if let (Some(operation), Some(text)) = (operation, self.tree.value(node)) {
            self.operation_bodies.get_or_insert(operation, text);
        }
    }
}
