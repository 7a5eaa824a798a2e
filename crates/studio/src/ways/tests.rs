use prophet_model::diagnostic::Diagnostics;
use prophet_model::source::Source;
use prophet_model::xmi;

use super::*;

const SAMPLE: &str = include_str!("../../../../sample-models/sample.uml");
const KERNEL: &str = include_str!("../../../../sample-models/kernel6_detailed.uml");
const LAPW0: &str = include_str!("../../../../sample-models/lapw0.uml");

fn model(text: &str) -> Model {
    let source = Source::new("model.uml", text);
    xmi::read(&source, None, &mut Diagnostics::new()).unwrap()
}

fn named(model: &Model, name: &str) -> ElementId {
    let at = model.elements.iter().position(|it| it.name == name);
    ElementId(at.unwrap_or_else(|| panic!("no {name}")))
}

/// Returns the flows on the way as `SOURCE>TARGET`. An empty name means the start or the end of the
/// program.
fn way(text: &str, from: &str, to: &str) -> String {
    let model = model(text);
    let element = |name: &str| (!name.is_empty()).then(|| named(&model, name));
    let passed = passes(&model, [(element(from), element(to), 3)]);
    let name = |it: ElementId| model.element(it).name.clone();
    let flows = passed.into_iter().map(|((diagram, number), count)| {
        assert_eq!(count, 3);
        let flow = &model.diagram(diagram).flows[number];
        format!("{}>{}", name(flow.source), name(flow.target))
    });
    flows.collect::<Vec<_>>().join(" ")
}

#[test]
fn ways_pass_what_takes_no_time() {
    assert_eq!(way(SAMPLE, "", "A1"), "Initial>A1");
    assert_eq!(way(SAMPLE, "A1", "A2"), "A1>Decision Decision>A2");
    assert_eq!(way(SAMPLE, "A2", ""), "A2>Merge Merge>A4 A4>Final");
    // There is no way back.
    assert_eq!(way(SAMPLE, "A4", "A1"), "");
}

#[test]
fn ways_lead_into_content_and_out_of_it() {
    assert_eq!(
        way(SAMPLE, "A1", "SA1"),
        "A1>Decision Decision>SA Initial>SA1"
    );
    assert_eq!(way(SAMPLE, "SA2", "A4"), "SA>Merge Merge>A4 SA2>Final");
    // A call's own work comes before or after its content.
    assert_eq!(way(SAMPLE, "SA", "SA2"), "Initial>SA1 SA1>SA2");
    assert_eq!(way(SAMPLE, "SA2", "SA"), "SA2>Final");
}

#[test]
fn content_of_a_loop_repeats() {
    let model = model(KERNEL);
    let inner = model.elements.iter().find(|it| it.kind == NodeKind::Action);
    let inner = inner.unwrap().name.clone();
    let again = way(KERNEL, &inner, &inner);
    assert_eq!(again, format!("Initial>{inner}"));
    // Without a loop, there is no way back to an element.
    assert_eq!(way(LAPW0, "SFT", "SFT"), "");
}
