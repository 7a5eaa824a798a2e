//! Finds out which elements are nested in which others, through contents and calls.

use super::graph::{ModelGraph, contents};
use super::shape::Set;
use prophet_model::model::{DiagramId, ElementId};

/// Finds, for each diagram, an element of `set` that contains it, directly or through contents and
/// calls. Elements of `until` end the search.
pub(super) fn inside(
    graph: &ModelGraph<'_>,
    set: &Set,
    until: Option<&Set>,
) -> Vec<Option<ElementId>> {
    let mut around: Vec<Option<ElementId>> = vec![None; graph.model.diagrams.len()];
    let mut open: Vec<DiagramId> = Vec::new();
    for element in graph.elements_where(|it| set.has(it)) {
        for content in contents(graph.element(element)) {
            if around[content.0].is_none() {
                around[content.0] = Some(element);
                open.push(content);
            }
        }
    }
    while let Some(diagram) = open.pop() {
        let witness = around[diagram.0];
        for &element in &graph.model.diagram(diagram).elements {
            let element = graph.element(element);
            if until.is_some_and(|until| until.has(element)) {
                continue;
            }
            for content in contents(element) {
                if around[content.0].is_none() {
                    around[content.0] = witness;
                    open.push(content);
                }
            }
        }
    }
    around
}

/// Counts the elements of `set` in each diagram, up to [`COUNTED_MAX`]. If `deep` is set, nested
/// elements count as well.
pub(super) fn counts(graph: &ModelGraph<'_>, set: &Set, deep: bool) -> Vec<usize> {
    let mut counts: Vec<usize> = vec![0; graph.model.diagrams.len()];
    // Visits contents before the elements that contain them.
    for &diagram in &graph.program {
        let mut count = 0_usize;
        for &element in &graph.model.diagram(diagram).elements {
            let element = graph.element(element);
            count += usize::from(set.has(element));
            if deep {
                count += contents(element)
                    .iter()
                    .map(|it| counts[it.0])
                    .sum::<usize>();
            }
        }
        counts[diagram.0] = count.min(COUNTED_MAX);
    }
    counts
}

/// Limit on counts, which can grow without bound if activities call each other.
const COUNTED_MAX: usize = 1_000_000;
