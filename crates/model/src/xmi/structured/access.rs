//! Reads attributes, texts and children in our own XML format, and reports what is wrong with them.

use super::StructuredReader;
use crate::diagnostic::catalogue::xmi as rules;
use crate::diagnostic::{Diagnostic, Rule, Span};
use crate::model::{Stereotype, StereotypeKind};
use crate::path;
use crate::source::Text;
use crate::vocabulary::{self, similar_stereotype};
use crate::xmi::references::did_you_mean;
use crate::xmi::tree::{Namespace, NodeId};
use crate::xml_form::attribute_of;
use prophet_text::similar;

impl<'s> StructuredReader<'_, '_, 's> {
    pub(super) fn report<T>(
        &mut self,
        rule: &'static Rule,
        span: Span,
        path: &str,
        message: String,
        help: &str,
    ) -> Option<T> {
        let finding = Diagnostic::new(rule, span, message)
            .element(path)
            .help(help);
        self.reader.diagnostics.push(finding);
        None
    }

    pub(super) fn role(&self, node: NodeId) -> &'s str {
        self.reader.tree.role(node)
    }

    pub(super) fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.reader.tree.children(node).collect()
    }

    /// Returns the value of an attribute; `None` if it is missing or blank.
    pub(super) fn attribute(&self, node: NodeId, name: &str) -> Option<Text> {
        let value = self.reader.tree.attribute(node, name)?;
        let text = self.reader.tree.attribute_text(value);
        (!text.value.trim().is_empty()).then_some(text)
    }

    pub(super) fn required(&mut self, node: NodeId, name: &str, path: &str) -> Option<Text> {
        let value = self.attribute(node, name);
        if value.is_none() {
            let span = self.reader.tree.span(node);
            let message = format!("`{}` has no `{name}`", path::shorten(self.role(node)));
            self.report::<()>(&rules::XML_VALUE, span, path, message, "");
        }
        value
    }

    /// Reports an element that isn't allowed here. `expected` lists the allowed elements.
    pub(super) fn foreign(&mut self, node: NodeId, path: &str, expected: &str) {
        let span = self.reader.tree.span(node);
        let role = path::shorten(self.role(node));
        let message = format!("`{role}` is not allowed here");
        let help = format!("expected {expected}");
        self.report::<()>(&rules::XML_VOCABULARY, span, path, message, &help);
    }

    /// Reports attributes that aren't in `known`, and text where it isn't allowed.
    pub(super) fn check_attributes(&mut self, node: NodeId, known: &[&str], path: &str) {
        let tree = self.reader.tree;
        let role = path::shorten(self.role(node));
        for attribute in tree.attributes(node) {
            let name = tree.raw(attribute.name);
            if attribute.namespace != Namespace::None || known.contains(&name) {
                continue;
            }
            let message = format!("unknown attribute `{}` of `{role}`", path::shorten(name));
            let guess = did_you_mean(name, known.iter().copied());
            let is_tag = StereotypeKind::ALL
                .into_iter()
                .any(|kind| vocabulary::tags(kind).any(|tag| attribute_of(tag) == name));
            let help = match guess {
                Some(guess) => guess,
                None if is_tag => "it is a tag of another `stereotype`".to_owned(),
                None => String::new(),
            };
            let span = attribute.value.span();
            self.report::<()>(&rules::XML_VOCABULARY, span, path, message, &help);
        }
        let is_text = matches!(self.role(node), "comment" | "body" | "code");
        if tree.node(node).has_text && !is_text {
            let span = tree.span(node);
            let message = format!("`{role}` cannot contain text");
            let help = "only `comment`, `body` and `code` can contain text";
            self.report::<()>(&rules::XML_VOCABULARY, span, path, message, help);
        }
    }

    /// Returns the value of an attribute whose name was reported as a misspelling of `name`. It
    /// isn't missing as well.
    fn misspelled(&self, node: NodeId, name: &str, known: &[&str]) -> Option<Text> {
        let tree = self.reader.tree;
        let mut names = tree.attributes(node).iter().map(|it| tree.raw(it.name));
        let is_meant = |it: &&str| {
            !known.contains(it) && similar(it, known.iter().copied()).is_some_and(|it| it == name)
        };
        self.attribute(node, names.find(is_meant)?)
    }

    /// Returns the text in an element. Reports child elements.
    pub(super) fn text(&mut self, node: NodeId, path: &str) -> Option<Text> {
        if let Some(child) = self.children(node).first() {
            self.foreign(*child, path, "text alone");
        }
        self.reader.tree.content(node)
    }

    pub(super) fn comment(&mut self, node: NodeId) -> Option<String> {
        let mut comment: Option<String> = None;
        for child in self.children(node) {
            if self.role(child) != "comment" {
                continue;
            }
            self.check_attributes(child, &[], "");
            let Some(text) = self.text(child, "") else {
                continue;
            };
            let comment = comment.get_or_insert_default();
            if !comment.is_empty() {
                comment.push_str("\n\n");
            }
            comment.push_str(text.value.trim());
        }
        comment.filter(|it| !it.is_empty())
    }

    pub(super) fn name(&self, node: NodeId) -> String {
        self.attribute(node, "name")
            .map_or_else(String::new, |it| it.value)
    }

    /// Returns the path of an element: its attribute `path`, or otherwise its owner's path followed
    /// by its name or kind.
    pub(super) fn path(&self, node: NodeId, owner: &str, name: &str, kind: &str) -> String {
        match self.attribute(node, "path") {
            Some(path) => path::shorten_path(&path.value),
            None => path::join(owner, if name.is_empty() { kind } else { name }),
        }
    }

    /// Returns the stereotype of an element with its tags. Reports attributes that are neither tags
    /// nor `known`.
    pub(super) fn stereotype(
        &mut self,
        node: NodeId,
        known: &[&str],
        path: &str,
    ) -> Option<Stereotype> {
        let mut known = known.to_vec();
        known.push("stereotype");
        let kind = self.attribute(node, "stereotype").and_then(|text| {
            let mut all = StereotypeKind::ALL.into_iter();
            let found = all.find(|kind| kind.name() == text.value.trim());
            found.or_else(|| {
                let message = format!("unknown stereotype `{}`", path::shorten(&text.value));
                let names = StereotypeKind::ALL.iter().map(|kind| kind.name());
                let near = similar_stereotype(text.value.trim(), names);
                let help = near
                    .map(|it| format!("did you mean `{it}`?"))
                    .unwrap_or_default();
                self.report(&rules::XML_REFERENCE, text.span, path, message, &help)
            })
        });
        let unknown = kind.is_none() && self.attribute(node, "stereotype").is_some();
        let own = self.reader.vocabulary;
        let tags: Vec<&str> = kind.map_or_else(Vec::new, |kind| own.tags_of(kind).collect());
        known.extend(tags.iter().map(|tag| attribute_of(tag)));
        if !unknown {
            self.check_attributes(node, &known, path);
        }
        let tags = tags.into_iter().filter_map(|tag| {
            let name = attribute_of(tag);
            let value = self.attribute(node, name);
            Some((
                tag.to_owned(),
                value.or_else(|| self.misspelled(node, name, &known))?,
            ))
        });
        Some(Stereotype {
            tags: tags.collect(),
            kind: kind?,
            span: self.reader.tree.span(node),
            is_implied: false,
        })
    }
}
