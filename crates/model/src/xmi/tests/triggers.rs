//! Actions that send signals and wait for events.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::read;

/// Accepts each of these events after the other, and compares what the nodes became and what was
/// reported of the events.
fn accepts(events: &[&str], expected: &Expect) {
    let mut nodes = String::new();
    let mut packaged = String::new();
    for (number, event) in events.iter().enumerate() {
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
    expected.assert_eq(&text);
}

/// A relative time event with this value.
fn after(value: &str) -> String {
    format!("TimeEvent\" isRelative=\"true\"><when xmi:type=\"uml:TimeExpression\">{value}</when>")
}

#[test]
fn time_events_are_delays() {
    let literal = |kind: &str, value: &str| {
        after(&format!(
            "<expr xmi:type=\"uml:{kind}\" value=\"{value}\"/>"
        ))
    };
    let events = [
        literal("LiteralInteger", "3"),
        literal("LiteralReal", "0.5"),
        literal("LiteralString", "2s"),
        literal("LiteralString", "12h"),
        literal("LiteralString", "after 2 days"),
        literal("LiteralString", "1.5 minutes"),
        literal("LiteralString", "250 ms"),
        literal("LiteralString", "(value=7, unit=us)"),
        literal("LiteralString", "x * 2"),
        after("<expr xmi:type=\"uml:OpaqueExpression\"><body>exponential(2.0)</body></expr>"),
        "TimeEvent\" isRelative=\"true\"><when>4 s</when>".to_owned(),
        "TimeEvent\"><when><expr xmi:type=\"uml:LiteralInteger\" value=\"9\"/></when>".to_owned(),
    ];
    accepts(
        &events.each_ref().map(String::as_str),
        &expect![[r#"
            A0: delay cost=`3`
            A1: delay cost=`0.5`
            A2: delay cost=`2.0`
            A3: delay cost=`12.0 * 3600.0`
            A4: delay cost=`2.0 * 86400.0`
            A5: delay cost=`1.5 * 60.0`
            A6: delay cost=`250.0 / 1000.0`
            A7: delay cost=`7.0 / 1e6`
            A8: delay cost=`x * 2`
            A9: delay cost=`exponential(2.0)`
            A10: delay cost=`4.0`
            A11: delay cost=`9`
            PM0130 the time of the event counts from the start of its action
        "#]],
    );
}

#[test]
fn times_that_are_not_understood_are_told() {
    let bad = after("<expr xmi:type=\"uml:LiteralString\" value=\"5 parsecs\"/>");
    accepts(
        &[
            &bad,
            "TimeEvent\" isRelative=\"true\"><when/>",
            "TimeEvent\">",
        ],
        &expect![[r#"
            A0: delay cost=`0.0`
            A1:
            A2:
            PM0122 the AcceptEventAction waits for a time that is not given, which counts as come (
            PM1101 `when` cannot be read: `parsecs` is no unit of a duration: they are s, ms, us, n
        "#]],
    );
}

#[test]
fn signal_events_are_waits_and_others_count_as_come() {
    accepts(
        &[
            "SignalEvent\" signal=\"s\">",
            "SignalEvent\">",
            "ChangeEvent\">",
            "CallEvent\">",
            "AnyReceiveEvent\">",
        ],
        &expect![[r#"
            A0: acceptsignal signal=`Stop`
            A1:
            A2:
            A3:
            A4:
            PM0122 the AcceptEventAction waits for a signal that is not given, which counts as come
            PM0122 the AcceptEventAction waits for a condition (ChangeEvent), which counts as come
            PM0122 the AcceptEventAction waits for a call (CallEvent), which counts as come
            PM0122 the AcceptEventAction waits for any message (AnyReceiveEvent), which counts as c
        "#]],
    );
}
