//! Reads stereotypes, tagged values and comments of UML 1.x.

use super::super::reader::{COPIES_MAX, Reader};
use super::super::tree::NodeId;
use crate::diagnostic::Span;
use crate::model::Stereotype;
use crate::source::Text;

impl Reader<'_, '_> {
    /// Returns the stereotype of an element if it is one of the profile's. UML 1.x doesn't say
    /// which profile a stereotype belongs to, so only its name counts.
    pub(super) fn stereotype_of_uml14(&mut self, node: NodeId) -> Option<Stereotype> {
        let mut found: Option<Stereotype> = None;
        for (name, span) in self.stereotype_names(node).into_iter().take(COPIES_MAX) {
            let Some(kind) = self.kind_named(&name) else {
                continue;
            };
            let tags = self.tagged_values(node);
            let is_tag = |(name, _): &(String, Text)| name != "documentation";
            let tags = tags.into_iter().filter(is_tag).collect();
            let stereotype = Stereotype {
                kind,
                tags: self.tags(kind, tags),
                span,
                is_implied: false,
            };
            match &found {
                None => found = Some(stereotype),
                Some(first) => {
                    let first = first.clone();
                    self.report_second_stereotype(node, &first, &stereotype);
                }
            }
        }
        found
    }

    fn stereotype_names(&self, node: NodeId) -> Vec<(String, Span)> {
        let named = self.tree.named(node, "stereotype").into_iter();
        let named = named.map(|reference| match reference.target {
            Some(target) => (self.tree.short_name(target), reference.span),
            None => (reference.id, reference.span),
        });
        let owned = self.tree.owned(node, "stereotype").into_iter();
        let owned = owned.filter(|&it| self.tree.attribute(it, "xmi.id").is_none());
        let owned = owned.map(|it| (self.tree.short_name(it), self.tree.span(it)));
        named.chain(owned).collect()
    }

    fn tagged_values(&self, node: NodeId) -> Vec<(String, Text)> {
        let tagged = self.tree.owned(node, "taggedValue").into_iter();
        tagged.filter_map(|it| self.tagged_value(it)).collect()
    }

    /// Returns the name and value of a tagged value. The name excludes a profile's prefix.
    fn tagged_value(&self, tagged: NodeId) -> Option<(String, Text)> {
        let definition = self.tree.named(tagged, "type").into_iter().next();
        let defined = definition.map(|it| match it.target {
            Some(target) => self.tree.short_name(target),
            None => it.id,
        });
        // MagicDraw writes the name into the tagged value.
        let own = || self.tree.text_of_uml14(tagged, "name");
        let name = defined.or_else(|| own().map(|text| text.value))?;
        let value = self.tree.text_of_uml14(tagged, "dataValue")?;
        let last = name.rsplit(':').next().unwrap_or_default();
        Some((last.to_owned(), value))
    }

    /// Collects comments, including the text that tools store in the tag `documentation`.
    pub(super) fn comments_of_uml14(&mut self) {
        let comments: Vec<NodeId> = self.defined("Comment").collect();
        for comment in comments {
            let body = self.tree.text_of_uml14(comment, "body");
            let body = body.unwrap_or_else(|| self.tree.name(comment));
            let annotated = self.tree.named(comment, "annotatedElement");
            let targets = annotated.into_iter().filter_map(|it| it.target);
            let targets: Vec<NodeId> = targets.take(COPIES_MAX).collect();
            for target in targets {
                self.add_comment(target, &body.value);
            }
        }
        let tags: Vec<NodeId> = self.defined("TaggedValue").collect();
        for tag in tags {
            let slot = self.tree.node(tag).parent;
            let owner = slot.and_then(|it| self.tree.node(it).parent);
            let value = self.tagged_value(tag);
            let value = value.filter(|(name, _)| name == "documentation");
            if let (Some(owner), Some((_, text))) = (owner, value) {
                self.add_comment(owner, &text.value);
            }
        }
    }
}
