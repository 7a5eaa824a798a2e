//! Finds loops that no flow leaves.

use super::graph::ModelGraph;
use super::shape::Set;
use prophet_model::model::ElementId;

pub(super) fn endless(graph: &ModelGraph<'_>, is_open: &dyn Fn(usize) -> bool) -> Vec<ElementId> {
    let loops = endless_loops(graph, is_open).into_iter();
    loops.filter_map(|it| it.first().copied()).collect()
}

pub(super) fn endless_loops(
    graph: &ModelGraph<'_>,
    is_open: &dyn Fn(usize) -> bool,
) -> Vec<Vec<ElementId>> {
    let mut found = Vec::new();
    for_each_component(graph, None, &mut |component| {
        if is_endless(graph, component, is_open) {
            let mut component = component.to_vec();
            component.sort_unstable();
            found.push(component);
        }
    });
    found
}

/// Returns, for each element of the program, whether flows lead from it back to itself without
/// passing an element of `without`.
pub(super) fn on_circles(graph: &ModelGraph<'_>, without: Option<&Set>) -> Vec<bool> {
    let mut found = vec![false; graph.model.elements.len()];
    for_each_component(graph, without, &mut |component| {
        let is_circle = match component {
            [one] => graph.successors(*one).any(|next| next == *one),
            _ => true,
        };
        for id in component {
            found[id.0] = is_circle;
        }
    });
    found
}

fn for_each_component(
    graph: &ModelGraph<'_>,
    without: Option<&Set>,
    report: &mut dyn FnMut(&[ElementId]),
) {
    let count = graph.model.elements.len();
    let mut search = Search {
        graph,
        without,
        numbers: vec![None; count],
        lows: vec![0; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        count: 0,
    };
    for id in graph.elements_where(|it| !without.is_some_and(|set| set.has(it))) {
        search.from(id, report);
    }
}

/// Returns `true` if a component is a loop that none of the flows in `is_open` leave.
fn is_endless(
    graph: &ModelGraph<'_>,
    component: &[ElementId],
    is_open: &dyn Fn(usize) -> bool,
) -> bool {
    let mut inside: Vec<ElementId> = component.to_vec();
    inside.sort_unstable();
    component.iter().all(|&id| {
        let flows = graph.outgoing(id);
        let stays = |&flow: &usize| {
            !is_open(flow) || inside.binary_search(&graph.flows[flow].target).is_ok()
        };
        !flows.is_empty() && flows.iter().all(stays)
    })
}

struct Search<'g, 'm> {
    graph: &'g ModelGraph<'m>,
    without: Option<&'g Set>,
    numbers: Vec<Option<usize>>,
    lows: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<ElementId>,
    count: usize,
}

impl Search<'_, '_> {
    fn from(&mut self, start: ElementId, report: &mut dyn FnMut(&[ElementId])) {
        if self.numbers[start.0].is_some() {
            return;
        }
        self.enter(start);
        let mut open = vec![(start, 0)];
        while let Some((id, at)) = open.last_mut() {
            let here = id.0;
            let id = *id;
            if let Some(&flow) = self.graph.outgoing(id).get(*at) {
                *at += 1;
                let next = self.graph.flows[flow].target;
                let stops = |set: &Set| set.has(self.graph.element(next));
                if self.without.is_some_and(stops) {
                    continue;
                }
                match self.numbers[next.0] {
                    None => {
                        self.enter(next);
                        open.push((next, 0));
                    }
                    Some(number) if self.on_stack[next.0] => {
                        self.lows[here] = self.lows[here].min(number);
                    }
                    Some(_) => {}
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                let parent = parent.0;
                self.lows[parent] = self.lows[parent].min(self.lows[here]);
            }
            if Some(self.lows[here]) == self.numbers[here] {
                let at = self.stack.iter().rposition(|it| *it == id).unwrap_or(0);
                let component = self.stack.split_off(at);
                for member in &component {
                    self.on_stack[member.0] = false;
                }
                report(&component);
            }
        }
    }

    fn enter(&mut self, id: ElementId) {
        let here = id.0;
        self.numbers[here] = Some(self.count);
        self.lows[here] = self.count;
        self.on_stack[here] = true;
        self.count += 1;
        self.stack.push(id);
    }
}
