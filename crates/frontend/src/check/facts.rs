//! Computes facts about a model when a rule first needs them.
//!
//! Each fact is computed for all elements together, in time proportional to the model's size. The
//! time of a check is therefore proportional to the model's size and to the number of rules.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::branches::{Deciders, deciders};
use super::code::{CodeRef, Codes, c, conditions, names};
use super::graph::{ModelGraph, condition, contents};
use super::language::{Absent, Language, SetId, Unit};
use super::messages::Messages;
use super::order::{OrderWalk, leads_to, walk};
use super::shape::Set;
use super::{cycles, nesting};
use prophet_map::Map;
use prophet_model::diagnostic::Span;
use prophet_model::model::{DiagramId, Element, ElementId, NodeKind, StereotypeKind, Variable};
use prophet_model::source::Text;

type Cache<K, V> = RefCell<Map<K, Rc<V>>>;

#[derive(Debug, Default)]
pub(super) struct TagValues {
    /// The values as text, without spaces.
    texts: BTreeSet<String>,
    /// Whether any value is missing or unknown before a run.
    has_any: bool,
}

impl TagValues {
    pub(super) fn matches(&self, text: &str) -> bool {
        self.has_any || self.texts.contains(text)
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.has_any && self.texts.is_empty()
    }
}

#[derive(Debug)]
pub(super) struct Facts<'m> {
    pub(super) graph: &'m ModelGraph<'m>,
    pub(super) codes: Codes<'m>,
    pub(super) language: &'m Language,
    never: OnceCell<BTreeSet<usize>>,
    plain_walk: OnceCell<OrderWalk>,
    reachable: OnceCell<Vec<bool>>,
    endless: OnceCell<BTreeSet<ElementId>>,
    same_names: OnceCell<BTreeSet<ElementId>>,
    parting: OnceCell<BTreeSet<Span>>,
    /// Whether any nonblocking receive may have no sender.
    waits_for_none: OnceCell<bool>,
    globals: OnceCell<BTreeSet<&'m str>>,
    exists: Cache<SetId, bool>,
    program_reaches: Cache<(SetId, SetId), bool>,
    inside: Cache<(SetId, Option<SetId>), Vec<Option<ElementId>>>,
    counts: Cache<(SetId, bool), Vec<usize>>,
    walks: Cache<SetId, OrderWalk>,
    leads: Cache<(SetId, Option<SetId>), Vec<bool>>,
    circles: Cache<Option<SetId>, Vec<bool>>,
    nearest: Cache<(SetId, Option<SetId>), Vec<Option<ElementId>>>,
    follows: Cache<SetId, Vec<bool>>,
    varying: Cache<Unit, BTreeSet<String>>,
    offsets: Cache<String, Option<i64>>,
    deciders: Cache<(Unit, Option<SetId>), Deciders>,
    values: Cache<(SetId, String, bool), TagValues>,
    messages: Cache<(SetId, String), Messages>,
    pub(super) chains: Cache<SetId, Vec<Option<ElementId>>>,
}

impl<'m> Facts<'m> {
    pub(super) fn new(graph: &'m ModelGraph<'m>, codes: Codes<'m>, language: &'m Language) -> Self {
        Self {
            graph,
            codes,
            language,
            never: OnceCell::new(),
            plain_walk: OnceCell::new(),
            reachable: OnceCell::new(),
            endless: OnceCell::new(),
            same_names: OnceCell::new(),
            parting: OnceCell::new(),
            waits_for_none: OnceCell::new(),
            globals: OnceCell::new(),
            exists: RefCell::default(),
            program_reaches: RefCell::default(),
            inside: RefCell::default(),
            counts: RefCell::default(),
            walks: RefCell::default(),
            leads: RefCell::default(),
            circles: RefCell::default(),
            nearest: RefCell::default(),
            follows: RefCell::default(),
            varying: RefCell::default(),
            offsets: RefCell::default(),
            deciders: RefCell::default(),
            values: RefCell::default(),
            messages: RefCell::default(),
            chains: RefCell::default(),
        }
    }

    pub(super) fn set(&self, id: SetId) -> &'m Set {
        &self.language.sets[id]
    }

    pub(super) fn exists(&self, set: SetId) -> bool {
        *cached(&self.exists, set, || {
            let set = self.set(set);
            self.graph.elements_where(|it| set.has(it)).next().is_some()
        })
    }

    /// Returns `true` if a run can reach an element of `set` without passing an element of
    /// `without`.
    pub(super) fn program_reaches(&self, set: SetId, without: SetId) -> bool {
        *cached(&self.program_reaches, (set, without), || {
            let walk = self.walk_without(without);
            let set = self.set(set);
            let mut all = self.graph.elements_where(|it| set.has(it));
            all.any(|id| walk.reached[id.0])
        })
    }

    /// Returns `true` if a variable is a model parameter: a read-only global.
    pub(super) fn is_parameter(&self, variable: &Variable) -> bool {
        variable.read_only && self.is_global(&variable.name.value)
    }

    pub(super) fn is_global(&self, name: &str) -> bool {
        let globals = self.globals.get_or_init(|| {
            let globals = self.graph.model.globals.iter();
            globals.map(|it| it.name.value.as_str()).collect()
        });
        globals.contains(name)
    }

    pub(super) fn is(&self, id: ElementId, set: SetId) -> bool {
        self.set(set).has(self.graph.element(id))
    }

    /// Returns the flows with guards that are always false.
    fn never(&self) -> &BTreeSet<usize> {
        self.never.get_or_init(|| {
            let flows = self.graph.flows.iter().enumerate();
            let is_never = |code| self.codes.constant_condition(code) == Some(false);
            flows
                .filter(|(_, flow)| condition(flow).is_some_and(is_never))
                .map(|(index, _)| index)
                .collect()
        })
    }

    /// Returns the walk over the whole program, without flows that are never taken.
    pub(super) fn plain_walk(&self) -> &OrderWalk {
        let is_open = |flow: usize| !self.never().contains(&flow);
        self.plain_walk
            .get_or_init(|| walk(self.graph, &|_| false, &is_open, BTreeSet::new()))
    }

    /// Returns `true` if a flow leads to the element from the start of its diagram.
    pub(super) fn is_reachable(&self, id: ElementId) -> bool {
        let reachable = self.reachable.get_or_init(|| {
            let starts = self.graph.program.iter();
            let starts = starts.flat_map(|&diagram| self.graph.starts(diagram));
            let mut reached = vec![false; self.graph.model.elements.len()];
            ModelGraph::reach(starts, &mut reached, |id| self.graph.successors(id));
            reached
        });
        reachable[id.0]
    }

    /// Returns `true` if the element is the first element of a loop that no flow leaves, or a loop
    /// with a condition that nothing changes.
    pub(super) fn is_endless(&self, id: ElementId) -> bool {
        if self.is_steady_loop(id) {
            return true;
        }
        let endless = self.endless.get_or_init(|| {
            let is_open = |flow: usize| !self.never().contains(&flow);
            cycles::endless(self.graph, &is_open).into_iter().collect()
        });
        endless.contains(&id)
    }

    /// Returns `true` for a loop that runs never or forever, because nothing changes its condition
    /// and nothing in it ends the program.
    fn is_steady_loop(&self, id: ElementId) -> bool {
        let element = self.graph.element(id);
        let NodeKind::Loop(node) = &element.kind else {
            return false;
        };
        let is_steady = node
            .condition
            .as_ref()
            .is_some_and(|it| self.codes.is_steady(it));
        let mut open = element.kind.contents();
        while let Some(diagram) = open.pop().filter(|_| is_steady) {
            for inner in &self.graph.model.diagram(diagram).elements {
                let kind = &self.graph.element(*inner).kind;
                if matches!(kind, NodeKind::ActivityFinal | NodeKind::Call(_)) {
                    return false;
                }
                open.extend(kind.contents());
            }
        }
        is_steady
    }

    /// Returns `true` if an earlier element of the same diagram has a stereotype and the same name.
    pub(super) fn has_same_name(&self, id: ElementId) -> bool {
        let same = self.same_names.get_or_init(|| {
            let mut taken = BTreeSet::new();
            self.graph
                .elements_where(|it| it.stereotype.is_some() && !it.name.trim().is_empty())
                .filter(|&id| {
                    let element = self.graph.element(id);
                    !taken.insert((element.diagram, element.name.trim()))
                })
                .collect()
        });
        same.contains(&id)
    }

    /// Returns `true` for a merge or join that isn't drawn. Our own formats add it after a decision
    /// or fork, at the same place.
    pub(super) fn is_implied(&self, id: ElementId) -> bool {
        let parting = self.parting.get_or_init(|| {
            let parts = |it: &Element| matches!(it.kind, NodeKind::Decision | NodeKind::Fork);
            let parting = self.graph.elements_where(parts);
            parting.map(|it| self.graph.element(it).span).collect()
        });
        let element = self.graph.element(id);
        let meets = matches!(element.kind, NodeKind::Merge | NodeKind::Join);
        meets && parting.contains(&element.span)
    }

    pub(super) fn inside(&self, set: SetId, until: Option<SetId>) -> Rc<Vec<Option<ElementId>>> {
        let until_set = until.map(|id| self.set(id));
        cached(&self.inside, (set, until), || {
            nesting::inside(self.graph, self.set(set), until_set)
        })
    }

    pub(super) fn count_in(&self, id: ElementId, set: SetId, deep: bool) -> usize {
        let counts = self.counts(set, deep);
        let contents = contents(self.graph.element(id));
        contents.iter().map(|it| counts[it.0]).sum()
    }

    pub(super) fn counts(&self, set: SetId, deep: bool) -> Rc<Vec<usize>> {
        cached(&self.counts, (set, deep), || {
            nesting::counts(self.graph, self.set(set), deep)
        })
    }

    pub(super) fn walk_without(&self, set: SetId) -> Rc<OrderWalk> {
        cached(&self.walks, set, || {
            let repeated = self.repeated().collect();
            let stops = |id: ElementId| {
                let element = self.graph.element(id);
                self.set(set).has(element) && !self.may_pass(element)
            };
            walk(self.graph, &stops, &|_| true, repeated)
        })
    }

    /// Returns `true` if an element may not communicate: its partner may be `PROC_NULL`, or it
    /// waits and some nonblocking receive may have no sender.
    fn may_pass(&self, element: &Element) -> bool {
        use StereotypeKind as Kind;
        let Some(stereotype) = &element.stereotype else {
            return false;
        };
        let is_process = |tag| {
            let text = stereotype.tags.get(tag);
            text.is_none_or(|it| self.codes.is_process(it))
        };
        match stereotype.kind {
            Kind::BSend | Kind::NbSend => !is_process("dest"),
            Kind::BRecv | Kind::NbRecv => !is_process("source"),
            Kind::SendRecv => !is_process("dest") && !is_process("source"),
            Kind::Wait => *self.waits_for_none.get_or_init(|| {
                let is_receive = |it: &Element| {
                    it.stereotype
                        .as_ref()
                        .is_some_and(|it| it.kind == Kind::NbRecv)
                };
                let mut receives = self.graph.elements_where(is_receive);
                receives.any(|id| self.may_pass(self.graph.element(id)))
            }),
            _ => false,
        }
    }

    /// Iterates over loops that run a constant number of times, at least once.
    fn repeated(&self) -> impl Iterator<Item = ElementId> {
        let is_repeated = |it: &Element| {
            let stereotype = it.stereotype.as_ref();
            let stereotype = stereotype.filter(|it| it.kind == StereotypeKind::LoopPlus);
            let iterations = stereotype.and_then(|it| it.tags.get("iterations"));
            iterations.is_some_and(|it| self.codes.constant_tag(it).is_some_and(|it| it >= 1.0))
        };
        self.graph.elements_where(is_repeated)
    }

    pub(super) fn leads_to(&self, set: SetId, without: Option<SetId>) -> Rc<Vec<bool>> {
        let without_set = without.map(|id| self.set(id));
        cached(&self.leads, (set, without), || {
            leads_to(self.graph, self.set(set), without_set)
        })
    }

    /// Returns `true` if flows lead from an element back to itself, either in its diagram or
    /// because its diagram is repeated.
    pub(super) fn leads_to_itself(&self, id: ElementId, without: Option<SetId>) -> bool {
        let found = cached(&self.circles, without, || {
            let without = without.map(|id| self.set(id));
            let mut found = cycles::on_circles(self.graph, without);
            // An element of `without` may start a cycle, but not be inside one.
            for id in self
                .graph
                .elements_where(|it| without.is_some_and(|set| set.has(it)))
            {
                found[id.0] = self.comes_back(id, without);
            }
            found
        });
        found[id.0]
    }

    fn comes_back(&self, id: ElementId, without: Option<&Set>) -> bool {
        let stops = |id: ElementId| without.is_some_and(|set| set.has(self.graph.element(id)));
        let mut seen = BTreeSet::new();
        let mut open: Vec<ElementId> = self.graph.successors(id).collect();
        while let Some(next) = open.pop() {
            if next == id {
                return true;
            }
            if seen.len() < NEIGHBORS_MAX && !stops(next) && seen.insert(next) {
                open.extend(self.graph.successors(next));
            }
        }
        false
    }

    /// Returns, for each element, whether an element of the set can come before it in its diagram.
    pub(super) fn follows(&self, set: SetId) -> Rc<Vec<bool>> {
        cached(&self.follows, set, || {
            let first = self.graph.elements_where(|it| self.set(set).has(it));
            let behind = first.flat_map(|id| self.graph.successors(id));
            let mut reached = vec![false; self.graph.model.elements.len()];
            ModelGraph::reach(behind, &mut reached, |id| self.graph.successors(id));
            reached
        })
    }

    /// Finds the nearest following element of the set, with only elements of `through` in between.
    /// If several are equally near, the first in the file wins.
    pub(super) fn next(
        &self,
        id: ElementId,
        set: SetId,
        through: Option<SetId>,
    ) -> Option<ElementId> {
        let nearest = cached(&self.nearest, (set, through), || {
            self.graph
                .nearest(self.set(set), through.map(|id| self.set(id)))
        });
        nearest[id.0]
    }

    pub(super) fn varying(&self, unit: Unit) -> Rc<BTreeSet<String>> {
        cached(&self.varying, unit, || self.codes.varying(unit))
    }

    /// Returns `true` if code mentions a name with values that differ between units.
    pub(super) fn varies(&self, code: CodeRef<'_>, unit: Unit) -> bool {
        let varying = self.varying(unit);
        names(code).any(|name| varying.contains(name))
    }

    /// Returns the constant that a tag adds to `pid`; `None` if the tag isn't `pid` plus or minus a
    /// constant.
    pub(super) fn offset(&self, text: &Text) -> Option<i64> {
        *cached(&self.offsets, text.value.clone(), || {
            self.codes.offset(text)
        })
    }

    /// Returns, for each element, the element with the condition that makes only some units run it.
    pub(super) fn deciders(&self, unit: Unit, balanced: Option<SetId>) -> Rc<Deciders> {
        cached(&self.deciders, (unit, balanced), || {
            let varies = |id: ElementId| self.decides_differently(id, unit);
            deciders(self.graph, &varies, balanced.map(|id| self.set(id)))
        })
    }

    /// Returns `true` if the conditions on an element's outgoing flows or inside it differ between
    /// units.
    fn decides_differently(&self, id: ElementId, unit: Unit) -> bool {
        let element = self.graph.element(id);
        let stereotype = element.stereotype.as_ref();
        let iterations = stereotype.and_then(|it| it.tags.get("iterations"));
        let own = conditions(element);
        let mut on_flows = self
            .graph
            .outgoing(id)
            .iter()
            .map(|&flow| self.graph.flows[flow]);
        own.into_iter().any(|code| self.varies(code.into(), unit))
            || on_flows
                .any(|flow| condition(flow).is_some_and(|code| self.varies(code.into(), unit)))
            || iterations.is_some_and(|text| self.varies(c(text), unit))
    }

    pub(super) fn is_loop(&self, id: ElementId) -> bool {
        let element = self.graph.element(id);
        let stereotype = element.stereotype.as_ref();
        matches!(element.kind, NodeKind::Loop(_))
            || stereotype.is_some_and(|it| it.tags.contains_key("iterations"))
    }

    pub(super) fn values(
        &self,
        set: SetId,
        tag: &str,
        absent: &Absent,
        names: bool,
    ) -> Rc<TagValues> {
        cached(&self.values, (set, tag.to_owned(), names), || {
            let mut values = TagValues::default();
            for id in self.graph.elements_where(|it| self.set(set).has(it)) {
                let stereotype = self.graph.element(id).stereotype.as_ref();
                let text = stereotype.and_then(|it| it.tags.get(tag));
                match absent.or(text.map(|it| it.value.as_str()), names) {
                    Some(text) if names => {
                        values.texts.extend(text.split(',').map(str::to_owned));
                    }
                    Some(text) => {
                        values.texts.insert(text);
                    }
                    None => values.has_any = true,
                }
            }
            values
        })
    }

    /// Returns the values of `tag` in the set's elements, as ends of messages.
    pub(super) fn messages(&self, set: SetId, tag: &str) -> Rc<Messages> {
        cached(&self.messages, (set, tag.to_owned()), || {
            let elements = self.graph.elements_where(|it| self.set(set).has(it));
            let mut messages = Messages::default();
            for id in elements {
                let element = self.graph.element(id);
                let stereotype = element.stereotype.as_ref();
                let text = stereotype.and_then(|it| it.tags.get(tag));
                let offset = text.and_then(|text| self.offset(text));
                let value = text.and_then(|text| self.codes.constant_tag(text));
                messages.add(element, offset, value);
            }
            messages
        })
    }

    pub(super) fn is_called(&self, diagram: DiagramId) -> bool {
        self.graph.is_in_program(diagram) || self.graph.is_content(diagram)
    }

    /// Returns `true` if a node contains only empty diagrams, and has no effect of its own.
    pub(super) fn is_empty(&self, id: ElementId) -> bool {
        let element = self.graph.element(id);
        let diagrams = contents(element);
        let is_empty = |it: &DiagramId| self.graph.model.diagram(*it).elements.is_empty();
        !diagrams.is_empty()
            && diagrams.iter().all(is_empty)
            && !matches!(element.kind, NodeKind::Conditional(_))
    }
}

const NEIGHBORS_MAX: usize = 200;

pub(super) fn cached<K: Ord + Clone, V>(
    cache: &Cache<K, V>,
    key: K,
    make: impl FnOnce() -> V,
) -> Rc<V> {
    if let Some(known) = cache.borrow().get(&key) {
        return known.clone();
    }
    let made = Rc::new(make());
    cache.borrow_mut().insert(key, made.clone());
    made
}
