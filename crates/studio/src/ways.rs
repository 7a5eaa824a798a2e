//! Finds the way of a run through a model: the flows between consecutive elements.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use prophet_codegen::model::{Diagram, DiagramId, ElementId, Model, NodeKind, StereotypeKind};

/// A flow: its diagram, and its number in the diagram.
pub(crate) type FlowId = (DiagramId, usize);

/// Maximum number of places to examine while looking for all ways through a model.
const LOOKS_MAX: usize = 10_000_000;

/// An edge to a place, and its flow if the edge is a flow.
type Edge = (usize, Option<FlowId>);

/// A model as a graph that has two places for each element: before and after its execution.
///
/// Flows lead from the place after an element to the place before another one. Other edges bypass
/// an element, or lead into its content and out of it. The content of a loop can be repeated.
struct Ways {
    /// The edges that start at each place.
    edges: Vec<Vec<Edge>>,
    met: Vec<Met>,
    searches: usize,
    looks: usize,
    program: [Vec<usize>; 2],
}

/// A place, as the last search that reached it found it.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    search: usize,
    /// Number of flows on the way to the place.
    flows: usize,
    /// The previous place, and the flow from it; `None` at the start of the search.
    by: Option<Edge>,
}

/// Counts how often the steps of a path use each flow. Each step has a count. The first step has no
/// source element, and the last step has no target.
pub(crate) fn passes(
    model: &Model,
    steps: impl IntoIterator<Item = (Option<ElementId>, Option<ElementId>, u64)>,
) -> BTreeMap<FlowId, u64> {
    let mut ways = Ways::new(model);
    let mut passes = BTreeMap::new();
    for (from, to, count) in steps {
        for flow in ways.between(from, to) {
            *passes.entry(flow).or_default() += count;
        }
    }
    passes
}

const fn before(element: ElementId) -> usize {
    2 * element.0
}

const fn behind(element: ElementId) -> usize {
    2 * element.0 + 1
}

impl Ways {
    fn new(model: &Model) -> Self {
        let places = 2 * model.elements.len();
        let ends: Vec<_> = model.diagrams.iter().map(ends).collect();
        let mut ways = Self {
            edges: vec![Vec::new(); places],
            met: vec![Met::default(); places],
            searches: 0,
            looks: 0,
            program: ends[model.main.0].clone(),
        };
        for at in 0..model.elements.len() {
            ways.pass(model, &ends, ElementId(at));
        }
        for (at, diagram) in model.diagrams.iter().enumerate() {
            for (number, flow) in diagram.flows.iter().enumerate() {
                let id = (DiagramId(at), number);
                ways.edges[behind(flow.source)].push((before(flow.target), Some(id)));
            }
        }
        ways
    }

    /// Adds the edges that bypass an element, and those that lead into its content and out of it.
    fn pass(&mut self, model: &Model, ends: &[[Vec<usize>; 2]], id: ElementId) {
        self.edges[before(id)].push((behind(id), None));
        let element = model.element(id);
        let kind = element.stereotype.as_ref().map(|it| &it.kind);
        let repeats = matches!(element.kind, NodeKind::Loop(_))
            || kind.is_some_and(|it| *it == StereotypeKind::LoopPlus);
        let contents = element.kind.diagrams();
        let contents = || contents.iter().map(|it| &ends[it.0]);
        let into: Vec<Edge> = contents()
            .flat_map(|[firsts, _]| firsts)
            .map(|first| (*first, None))
            .collect();
        for last in contents().flat_map(|[_, lasts]| lasts) {
            self.edges[*last].push((behind(id), None));
            if repeats {
                self.edges[*last].extend(&into);
            }
        }
        self.edges[before(id)].extend(into);
    }

    /// Returns the shortest sequence of flows from one element to another; empty if there is no
    /// way.
    fn between(&mut self, from: Option<ElementId>, to: Option<ElementId>) -> Vec<FlowId> {
        let [firsts, lasts] = &self.program;
        // Either element can contain the other one, but a repetition starts after its element.
        let (start, end) = match (from, to) {
            (Some(from), Some(to)) if from == to => (vec![behind(from)], vec![before(to)]),
            _ => (
                from.map_or_else(|| firsts.clone(), |from| vec![before(from)]),
                to.map_or_else(|| lasts.clone(), |to| vec![behind(to)]),
            ),
        };
        let mut flows = Vec::new();
        let mut at = self.search(&start, &end);
        while let Some((last, flow)) = at.by {
            flows.extend(flow);
            at = self.met[last];
        }
        flows
    }

    /// Searches for the nearest of several places. The distance is the number of flows.
    fn search(&mut self, start: &[usize], end: &[usize]) -> Met {
        self.searches += 1;
        let search = self.searches;
        let none = Met {
            search,
            ..Met::default()
        };
        for place in start {
            self.met[*place] = none;
        }
        let mut next: VecDeque<usize> = start.iter().copied().collect();
        while let Some(place) = next.pop_front()
            && self.looks < LOOKS_MAX
        {
            let so_far = self.met[place];
            if end.contains(&place) {
                return so_far;
            }
            self.looks += 1;
            for &(to, flow) in &self.edges[place] {
                let flows = so_far.flows + usize::from(flow.is_some());
                let known = &mut self.met[to];
                if known.search == search && known.flows <= flows {
                    continue;
                }
                let by = Some((place, flow));
                *known = Met { search, flows, by };
                // Visit places with the fewest flows first.
                if flow.is_some() {
                    next.push_back(to);
                } else {
                    next.push_front(to);
                }
            }
        }
        none
    }
}

fn ends(diagram: &Diagram) -> [Vec<usize>; 2] {
    let sources: BTreeSet<ElementId> = diagram.flows.iter().map(|it| it.source).collect();
    let targets: BTreeSet<ElementId> = diagram.flows.iter().map(|it| it.target).collect();
    let elements = || diagram.elements.iter().copied();
    let firsts = elements().filter(|it| !targets.contains(it)).map(before);
    let lasts = elements().filter(|it| !sources.contains(it)).map(behind);
    [firsts.collect(), lasts.collect()]
}

#[cfg(test)]
mod tests;
