//! Resolves references by position, which EMF writes in files without ids: `//A/x`, `//A/@node.2`.
//!
//! A fragment path starts with `/` and the number of the root, which is omitted if there is only
//! one. A segment follows for each step inward: a name, `NAME.1` for the second child with that
//! name, `@ROLE.2` for the third child in a role, `@ROLE` for the only child in a role, or
//! `%SOURCE%` for an annotation. Characters that a URI can't contain are written as `%` and two
//! hexadecimal digits (EMF's `EModelElementImpl`, `XMLResource`).

use std::rc::Rc;

use super::segments::NamedChildren;
use super::tree::{Document, Namespace, NodeId, Tree};

impl<'s> Tree<'s> {
    /// Finds the element of a file that a reference identifies by its id or position.
    pub(super) fn find(&self, document: &Document<'s>, id: &str) -> Option<NodeId> {
        let at_place = || self.at_path(NodeId(document.root), id.strip_prefix('/')?);
        document.index.find(id).or_else(at_place)
    }

    fn at_path(&self, outermost: NodeId, path: &str) -> Option<NodeId> {
        let mut segments = path.split('/');
        let root = segments.next()?;
        let root = if root.is_empty() {
            0
        } else {
            root.parse().ok()?
        };
        let mut at = self.root(outermost, root)?;
        for segment in segments {
            at = self.children_of(at).at(segment)?;
        }
        Some(at)
    }

    /// Finds the root element with this number. Only files with an `XMI` element can contain
    /// several.
    fn root(&self, outermost: NodeId, number: usize) -> Option<NodeId> {
        match self.node(outermost).namespace {
            Namespace::Xmi => {
                let is_root = |&it: &NodeId| {
                    let it = self.node(it);
                    !it.is_extension && it.namespace != Namespace::Xmi
                };
                self.children(outermost).filter(is_root).nth(number)
            }
            _ => (number == 0).then_some(outermost),
        }
    }

    fn children_of(&self, node: NodeId) -> Rc<NamedChildren<'s>> {
        if let Some(known) = self.passed.borrow().get(&node) {
            return Rc::clone(known);
        }
        let mut children = NamedChildren::default();
        for child in self.children(node) {
            let role = self.role(child);
            children.roles.get_or_default(role).push(child);
            if role == "eAnnotations" {
                let source = self.property(child, "source");
                let source = source.map_or_else(String::new, |it| it.value);
                children.annotations.get_or_insert(source, child);
            } else {
                let name = self.name(child).value;
                children.names.get_or_default(name).push(child);
            }
        }
        let children = Rc::new(children);
        let mut passed = self.passed.borrow_mut();
        passed.insert(node, Rc::clone(&children));
        children
    }
}
