//! Loops that nothing leaves.

use super::graph::Graph;
use crate::model::ElementId;

/// For each loop of the program that no flow leaves which may be taken, its first element in the
/// file.
///
/// The loops are the strongly connected components of the flows (Tarjan, SIAM J. Computing 1,
/// 1972), found without recursion.
pub(super) fn endless(graph: &Graph<'_>, is_open: &dyn Fn(usize) -> bool) -> Vec<ElementId> {
    let count = graph.model.elements.len();
    let mut search = Search {
        graph,
        numbers: vec![None; count],
        lows: vec![0; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        count: 0,
    };
    let mut found = Vec::new();
    for id in graph.elements_where(|_| true) {
        search.from(id, &mut |component| {
            if is_endless(graph, component, is_open) {
                found.extend(component.iter().min());
            }
        });
    }
    found
}

/// Whether a component is a loop, and all flows that may be taken stay in it.
fn is_endless(graph: &Graph<'_>, component: &[ElementId], is_open: &dyn Fn(usize) -> bool) -> bool {
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
    graph: &'g Graph<'m>,
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
