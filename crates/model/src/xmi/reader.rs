//! Turns the tree of XML elements into a [`Model`], in the second pass.
//!
//! A walk in file order creates the diagrams, elements and cost functions. Everything that needs
//! all of them follows: edges, calls, the choice of the main activity, and its global variables.

use std::collections::BTreeSet;

use super::dialect::{self, Root};
use super::marte::Marte;
use super::profile::Profile;
use super::tree::{Namespace, NodeId, Tree};
use super::unread::Unread;
use super::vocabulary::{self as uml, Context};
use crate::diagnostic::catalogue::{model as model_rules, xmi as rules};
use crate::diagnostic::{Diagnostic, Diagnostics, Rule, Span};
use crate::model::{
    Assumed, CostFunction, Diagram, DiagramId, DrawnPlace, Element, ElementId, Model, Start,
    Stereotype,
};
use crate::path;
use crate::source::Text;
use crate::vocabulary::Vocabulary;
use prophet_map::Map;

/// Maximum number of elements that can share a comment or stereotype. Drawings don't exceed it, and
/// with more copies, a small file with a long text could fill the memory.
pub(super) const COPIES_MAX: usize = 16;

/// State of the reader, with everything that has been read so far.
pub(super) struct Reader<'t, 's> {
    pub(super) tree: &'t Tree<'s>,
    pub(super) guards: Guards,
    pub(super) vocabulary: &'t Vocabulary,
    pub(super) diagnostics: &'t mut Diagnostics,
    pub(super) unread: Unread,
    pub(super) suggestions: usize,
    /// Stereotypes of elements that haven't been read yet.
    pub(super) stereotypes: Map<NodeId, Stereotype>,
    /// Tags of Visual Paradigm that already belong to an element.
    pub(super) tags_used: BTreeSet<NodeId>,
    /// Tags without a profile, by the element that they apply to.
    pub(super) loose_tags: Map<NodeId, Vec<(String, Text)>>,
    pub(super) marte: Marte,
    pub(super) comments: Map<NodeId, String>,
    pub(super) places: Map<NodeId, DrawnPlace>,
    pub(super) operation_bodies: Map<NodeId, Text>,
    /// The operation of each behavior that is a method.
    pub(super) operations: Map<NodeId, NodeId>,
    /// Operations whose method has been read.
    pub(super) operations_read: BTreeSet<NodeId>,
    pub(super) functions: Vec<CostFunction>,
    pub(super) diagrams: Vec<Diagram>,
    pub(super) diagram_owners: Vec<NodeId>,
    pub(super) activities: Map<NodeId, DiagramId>,
    pub(super) elements: Vec<Element>,
    pub(super) element_nodes: Vec<NodeId>,
    pub(super) element_of: Map<NodeId, ElementId>,
    /// Nodes that don't become elements: actions that only decide, and nodes outside of all
    /// clauses.
    pub(super) absorbed: BTreeSet<NodeId>,
    /// Nodes with a body that is the condition of a loop or clause, rather than code to run.
    pub(super) conditions: BTreeSet<NodeId>,
    /// Nodes outside of all activities, with the paths of their owners.
    pub(super) strays: Vec<(NodeId, String)>,
    pub(super) edges: Vec<NodeId>,
    /// Activities that contained only the edges of other diagrams.
    pub(super) containers: BTreeSet<NodeId>,
    pub(super) assumed: Vec<Assumed>,
    pub(super) idle: BTreeSet<ElementId>,
    /// Edges that don't become flows, each with the reason.
    pub(super) dropped: Map<NodeId, &'static str>,
    pub(super) guards_from_names: BTreeSet<NodeId>,
    pub(super) is_uml14: bool,
    pub(super) profile: Profile,
    /// Activities that are drawn as nodes of other activities.
    pub(super) drawn: BTreeSet<NodeId>,
    pub(super) calls: Vec<(ElementId, NodeId)>,
    /// The region of each border node that a region lists; `None` until first needed.
    pub(super) borders: Option<Map<NodeId, NodeId>>,
    /// The ends of edges that don't refer to their ends themselves.
    pub(super) linked_ends: Map<NodeId, Vec<NodeId>>,
    /// Whether it is unclear which activity is the program.
    pub(super) is_open: bool,
    pub(super) candidates: Vec<NodeId>,
    /// The values of `--main` to choose from.
    pub(super) mains: Vec<String>,
}

/// Reads the model in a tree; `None` if it contains no activity, which is reported. Calls
/// `summarize` with everything that was read.
pub(super) fn read(
    tree: &Tree<'_>,
    guards: Guards,
    vocabulary: &Vocabulary,
    main: Option<&str>,
    diagnostics: &mut Diagnostics,
    summarize: impl FnOnce(&Reader<'_, '_>, Option<&Model>),
) -> Option<Model> {
    let mut reader = Reader {
        tree,
        guards,
        vocabulary,
        diagnostics,
        unread: Unread::default(),
        suggestions: 0,
        stereotypes: Map::new(),
        tags_used: BTreeSet::new(),
        loose_tags: Map::new(),
        marte: Marte::default(),
        comments: Map::new(),
        places: Map::new(),
        operation_bodies: Map::new(),
        operations: Map::new(),
        operations_read: BTreeSet::new(),
        functions: Vec::new(),
        diagrams: Vec::new(),
        diagram_owners: Vec::new(),
        activities: Map::new(),
        elements: Vec::new(),
        element_nodes: Vec::new(),
        element_of: Map::new(),
        absorbed: BTreeSet::new(),
        conditions: BTreeSet::new(),
        strays: Vec::new(),
        edges: Vec::new(),
        containers: BTreeSet::new(),
        assumed: Vec::new(),
        idle: BTreeSet::new(),
        dropped: Map::new(),
        guards_from_names: BTreeSet::new(),
        is_uml14: false,
        profile: Profile::default(),
        drawn: BTreeSet::new(),
        calls: Vec::new(),
        borders: None,
        linked_ends: Map::new(),
        is_open: false,
        candidates: Vec::new(),
        mains: Vec::new(),
    };
    let model = match dialect::root(tree) {
        Ok(Root::Uml2(root)) => reader.uml2(root, main),
        Ok(Root::Uml14(root)) => {
            reader.is_uml14 = true;
            reader.uml14(root, main)
        }
        Ok(Root::Structured(root)) => reader.structured_xml(root, main),
        Err(problem) => {
            reader.diagnostics.push(problem);
            return None;
        }
    };
    summarize(&reader, model.as_ref());
    reader.report_by_reach(model.as_ref());
    model
}

impl Reader<'_, '_> {
    fn uml2(&mut self, root: NodeId, main: Option<&str>) -> Option<Model> {
        self.prescan();
        let roots = std::iter::once(root).chain(dialect::roots_beside(self.tree));
        for package in roots
            .flat_map(|root| self.packages(root))
            .collect::<Vec<_>>()
        {
            let name = self.tree.name(package).value;
            self.walk(package, &path::join("", &name));
        }
        self.finish(root, main)
    }

    fn packages(&self, root: NodeId) -> Vec<NodeId> {
        dialect::packages(self.tree, root)
    }

    /// Collects everything that the file stores outside of the element that it describes.
    fn prescan(&mut self) {
        let profile = self.profile();
        for node in self.tree.ids() {
            if let Namespace::Other(namespace) = self.tree.node(node).namespace {
                if !self.annotation(node, &profile) {
                    self.stereotype(node, namespace, &profile);
                }
                continue;
            }
            if self.tree.node(node).is_extension {
                self.extension(node);
                self.drawn_place(node);
                continue;
            }
            match self.tree.role(node) {
                "ownedComment" => self.comment(node),
                "bounds" => self.drawn_place(node),
                "ownedOperation" => {
                    for method in self.tree.references(node, "method") {
                        if let Some(method) = method.target {
                            self.operations.get_or_insert(method, node);
                        }
                    }
                }
                _ => {}
            }
        }
        self.attach_loose_tags();
        self.attach_loose_annotations();
        self.profile = profile;
    }

    /// Adds a comment to the elements that it annotates. If there are none, adds it to its owner.
    fn comment(&mut self, comment: NodeId) {
        let Some(body) = self.tree.property(comment, "body") else {
            return;
        };
        let annotated = self.tree.references(comment, "annotatedElement");
        let mut targets: Vec<NodeId> = annotated.iter().filter_map(|it| it.target).collect();
        if targets.is_empty() {
            targets.extend(self.tree.node(comment).parent);
        }
        for target in targets.into_iter().take(COPIES_MAX) {
            self.add_comment(target, &body.value);
        }
    }

    pub(super) fn add_comment(&mut self, target: NodeId, body: &str) {
        let text = self.comments.get_or_default(target);
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(body.trim());
    }

    /// Looks for activities, functions and edges in an element outside of all activities.
    pub(super) fn walk(&mut self, node: NodeId, owner: &str) {
        match self.tree.kind(node) {
            "Activity" => return self.activity(node, owner),
            "OpaqueBehavior" | "FunctionBehavior" => return self.function(node, owner),
            kind if is_edge(kind) => return self.edges.push(node),
            kind if is_node(kind) => return self.strays.push((node, owner.to_owned())),
            _ => {}
        }
        for child in self.tree.children(node) {
            if !self.is_content(child) {
                continue;
            }
            if let Some(body) = self.operation_bodies.remove(&child) {
                self.operation_with(child, owner, body);
                continue;
            }
            let is_leaf = self.tree.node(child).first_child.is_none();
            if is_leaf && self.tree.kind(child).is_empty() {
                continue;
            }
            // The path is needed here so that messages about the content name its owner.
            let name = self.tree.name(child).value;
            let is_found = matches!(
                self.tree.kind(child),
                "Activity" | "OpaqueBehavior" | "FunctionBehavior"
            );
            if is_found || name.is_empty() {
                self.walk(child, owner);
            } else {
                self.walk(child, &path::join(owner, &name));
            }
        }
    }

    /// Returns `true` if an element is part of the model: not a reference, an extension or a
    /// stereotype.
    pub(super) fn is_content(&self, node: NodeId) -> bool {
        let it = self.tree.node(node);
        matches!(it.namespace, Namespace::None | Namespace::Uml)
            && !it.is_extension
            && !self.tree.is_reference(node)
    }

    /// Records children and attributes that are unknown in this context.
    pub(super) fn check_vocabulary(&mut self, node: NodeId, context: Context, path: &str) {
        let kind = match self.tree.kind(node) {
            "" => self.tree.role(node),
            kind => kind,
        };
        for child in self.tree.children(node) {
            let role = self.tree.role(child);
            let it = self.tree.node(child);
            let is_uml = matches!(it.namespace, Namespace::None | Namespace::Uml);
            let is_known = uml::is_known(context, role)
                || it.is_extension
                || (context == Context::Node && uml::is_known(Context::Activity, role))
                || is_pin(self.tree.kind(child));
            if is_uml && !is_known {
                let span = self.tree.span(child);
                let what = format!("`{}` in `{}`", path::shorten(role), path::shorten(kind));
                self.note(&rules::UNREAD_ELEMENT, span, &what, path);
            }
        }
        for attribute in self.tree.attributes(node) {
            let name = self.tree.raw(attribute.name);
            let is_known = uml::is_known(context, name)
                || (context == Context::Node && uml::is_known(Context::Activity, name));
            let is_empty = self.tree.raw(attribute.value).trim().is_empty();
            if attribute.namespace == Namespace::None && !is_known && !is_empty && name != "href" {
                let span = Span::new(attribute.name.span().start, attribute.value.span().end + 1);
                let what = format!("`{}` of `{}`", path::shorten(name), path::shorten(kind));
                self.note(&rules::UNREAD_ATTRIBUTE, span, &what, path);
            }
        }
    }

    fn note(&mut self, rule: &'static Rule, span: Span, what: &str, path: &str) {
        let finding = Diagnostic::new(rule, span, format!("{what} is ignored"));
        self.note_kind(what, finding.element(path));
    }

    /// Warns about stereotypes and nodes that have no effect on the model.
    fn leftovers(&mut self) {
        for (node, stereotype) in std::mem::take(&mut self.stereotypes) {
            let name = stereotype.kind.name();
            let message = format!("`{name}` on {} has no effect", self.tree.describe(node));
            let help = "apply it to a node of an activity";
            let rule = &model_rules::IDLE_STEREOTYPE;
            self.diagnostics
                .push(Diagnostic::new(rule, stereotype.span, message).help(help));
        }
        for (node, owner) in std::mem::take(&mut self.strays) {
            if self.element_of.contains_key(&node) {
                continue;
            }
            let span = self.tree.span(node);
            let kind = path::shorten(self.tree.kind(node));
            let message = format!("the {kind} is outside any activity and is ignored");
            let finding = Diagnostic::new(&model_rules::STRAY_NODE, span, message);
            self.note_kind(&kind, finding.element(owner));
        }
    }

    /// Does everything that needs all diagrams and elements.
    fn finish(&mut self, root: NodeId, main: Option<&str>) -> Option<Model> {
        self.adopt_strays();
        self.connect();
        self.read_triggers();
        self.start_events();
        let called = self.resolve_calls();
        self.price_steps();
        self.leftovers();
        let (main_node, main) = self.main(root, main, &called)?;
        let mut globals = self.globals(main_node);
        let main = self.arrivals(main_node, main, &mut globals);
        globals.extend(self.analysis_variables(main_node));
        let others = self.other_starts(main_node, |reader, other| {
            let mut globals = reader.globals(other);
            globals.extend(reader.analysis_variables(other));
            globals
        });
        self.locals(main_node);
        let names = self.packages(root).into_iter();
        let mut names = names.map(|package| self.tree.name(package).value);
        let name = names.find(|name| !name.is_empty());
        let mut model = self.model(name, Start { main, globals }, others);
        self.require_values(&mut model);
        Some(model)
    }

    /// Assembles the model. Without a name, it is named after its file.
    pub(super) fn model(
        &mut self,
        name: Option<String>,
        start: Start,
        others: Vec<Start>,
    ) -> Model {
        let of_file = || {
            let file = std::path::Path::new(&self.tree.source.name);
            let stem = file.file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        };
        Model {
            name: name.unwrap_or_else(of_file),
            main: start.main,
            globals: start.globals,
            others,
            mains: std::mem::take(&mut self.mains),
            functions: std::mem::take(&mut self.functions),
            diagrams: std::mem::take(&mut self.diagrams),
            assumed: std::mem::take(&mut self.assumed),
            idle: std::mem::take(&mut self.idle),
            places: self.places_of_elements(),
            elements: std::mem::take(&mut self.elements),
        }
    }
}

pub(super) fn is_edge(kind: &str) -> bool {
    matches!(kind, "ControlFlow" | "ObjectFlow" | "ActivityEdge")
}

pub(super) fn is_pin(kind: &str) -> bool {
    kind.ends_with("Pin")
}

pub(super) fn is_node(kind: &str) -> bool {
    match kind {
        "InitialNode"
        | "ActivityFinalNode"
        | "FlowFinalNode"
        | "FinalNode"
        | "DecisionNode"
        | "MergeNode"
        | "ForkNode"
        | "JoinNode"
        | "ControlNode"
        | "ActivityParameterNode"
        | "CentralBufferNode"
        | "DataStoreNode"
        | "ObjectNode"
        | "ExpansionNode"
        | "StructuredActivityNode"
        | "SequenceNode"
        | "LoopNode"
        | "ConditionalNode"
        | "ExpansionRegion"
        | "ActivityNode"
        | "ExecutableNode" => true,
        _ => kind.ends_with("Action"),
    }
}

/// What to do with guards, conditions and initial values in unsupported languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guards {
    /// Report them as errors.
    Strict,
    /// Keep them as words, so that `--assume` can find a meaning for them. The text starts with the
    /// language and a colon, which can't be the start of an expression.
    Words,
}
