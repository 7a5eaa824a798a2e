//! Searches random graphs for the next element, and compares the results with a simple search from
//! each element.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{file, graph};
use crate::check::RuleSet;
use crate::check::report::report;
use prophet_model::diagnostic::{Diagnostics, Span};
use prophet_model::model::{Model, NodeKind};
use prophet_model::source::Source;

/// Kinds of nodes: goals, nodes that are allowed in between, and nodes that aren't.
const KINDS: [NodeKind; 3] = [NodeKind::Decision, NodeKind::Merge, NodeKind::Join];

const BETWEEN: [(&str, &[usize]); 3] = [
    ("", &[]),
    (r#"through="way""#, &[1]),
    (r#"through="any""#, &[0, 1, 2]),
];

/// Creates a model of a single diagram. Its nodes have these kinds, and their numbers as names.
fn model(kinds: &[usize], flows: &[(usize, usize)]) -> Model {
    let span = |number: usize| Span::new(number, number + 1);
    let nodes = kinds.iter().enumerate();
    let nodes = nodes.map(|(number, kind)| (number.to_string(), KINDS[*kind].clone()));
    let flows: Vec<_> = flows.iter().map(|&(from, to)| (from, to, None)).collect();
    let mut model = graph::model(nodes.collect(), &flows);
    for (number, element) in model.elements.iter_mut().enumerate() {
        (element.path, element.span) = (number.to_string(), span(number));
    }
    for flow in &mut model.diagrams[0].flows {
        flow.span = span(flow.source.0);
    }
    model
}

/// Returns the findings of a rule: each element, with the next one.
fn found(model: &Model, between: &str) -> Vec<String> {
    let mut rules = RuleSet::empty();
    let problems = rules.add(&file(&format!(
        r#"<elements><element name="goal" node="DecisionNode"/>
        <element name="way" node="MergeNode"/></elements>
        <rules><rule code="NEXT" severity="warning" element="any"><summary>S.</summary>
        <message>{{path}} {{where}}</message><help>h</help>
        <when><next element="goal" {between}/></when></rule></rules>"#
    )));
    assert_eq!(problems, []);
    let source = Source::new(String::new(), String::new());
    let mut diagnostics = Diagnostics::new();
    report(model, &source, &rules, &mut diagnostics);
    diagnostics.iter().map(|it| it.message.clone()).collect()
}

/// Finds the nearest goal with only `between` on the way. If several are equally near, returns the
/// first.
fn next(
    kinds: &[usize],
    flows: &[(usize, usize)],
    between: &[usize],
    from: usize,
) -> Option<usize> {
    let behind = |node: usize| {
        let flows = flows.iter().filter(move |(source, _)| *source == node);
        flows.map(|(_, target)| *target)
    };
    let mut reached: Vec<usize> = behind(from).collect();
    // Paths without cycles aren't longer than this.
    for _ in 0..=kinds.len() {
        let goals = reached.iter().copied().filter(|&it| kinds[it] == 0);
        if let Some(first) = goals.min() {
            return Some(first);
        }
        reached.retain(|&it| between.contains(&kinds[it]));
        reached = reached.into_iter().flat_map(behind).collect();
        reached.sort_unstable();
        reached.dedup();
    }
    None
}

proptest! {
    #[test]
    fn the_next_element_is_the_nearest_over_what_may_be_between(
        kinds in vec(0_usize..KINDS.len(), 12),
        flows in vec((0_usize..12, 0_usize..12), 0..30),
    ) {
        let model = model(&kinds, &flows);
        for (attribute, between) in BETWEEN {
            let expected: Vec<String> = (0..kinds.len())
                .filter_map(|from| {
                    Some(format!("{from} {}", next(&kinds, &flows, between, from)?))
                })
                .collect();
            prop_assert_eq!(found(&model, attribute), expected, "{}", attribute);
        }
    }
}
