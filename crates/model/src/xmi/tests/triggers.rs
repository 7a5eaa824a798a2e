//! Actions that send signals and wait for events.

use std::fmt::Write as _;

use prophet_testing::assert_cases;

use super::read;

/// Nodes that accept each of these events after the other, as they are read, and the problems of
/// the events.
fn accepted(events: &str) -> String {
    let mut nodes = String::new();
    let mut packaged = String::new();
    for (number, event) in events.lines().enumerate() {
        let _ = writeln!(
            nodes,
            "<node xmi:type=\"uml:AcceptEventAction\" xmi:id=\"a{number}\" name=\"A{number}\">\
             <trigger xmi:type=\"uml:Trigger\" xmi:id=\"t{number}\" event=\"v{number}\"/></node>"
        );
        let (kind, rest) = event.split_once('>').expect("a kind and its content");
        let _ = writeln!(
            packaged,
            "<packagedElement xmi:type=\"uml:{kind} xmi:id=\"v{number}\">{rest}</packagedElement>"
        );
    }
    let (model, problems) = read(&format!(
        "<packagedElement xmi:type=\"uml:Activity\" xmi:id=\"_m\" name=\"Main\">\
         <variable xmi:id=\"x\" name=\"x\"/>{nodes}</packagedElement>\
         <packagedElement xmi:type=\"uml:Signal\" xmi:id=\"s\" name=\"Stop\"/>{packaged}"
    ));
    let mut text = String::new();
    for element in model.expect("there is an activity").elements {
        let _ = write!(text, "{}:", element.name);
        if let Some(stereotype) = &element.stereotype {
            let _ = write!(text, " {}", stereotype.kind.name());
            for (tag, value) in &stereotype.tags {
                let _ = write!(text, " {tag}=`{}`", value.value);
            }
        }
        text.push('\n');
    }
    for problem in problems {
        let message: String = problem.message.chars().take(80).collect();
        let _ = writeln!(text, "{} {message}", problem.code);
    }
    text
}

#[test]
fn events_are_delays_and_waits() {
    assert_cases("tests/cases/triggers.txt", |case| accepted(case.input));
}
