//! Tests calls that multiply.

use prophet_testing::assert_says;
use std::fmt::Write as _;

use super::Case;

fn chain_of_functions(body: &str) -> Vec<String> {
    let mut class = String::new();
    for level in 0..60 {
        let body = body.replace("NEXT", &format!("F{}()", level + 1));
        let _ = write!(
            class,
            r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="F{level}" name="F{level}">
<language>C</language><body>{body}</body></ownedBehavior>"#
        );
    }
    class.push_str(
        r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="F60" name="F60">
<language>C</language><body>return 1;</body></ownedBehavior>"#,
    );
    let case = Case {
        nodes: "Action A",
        class: &class,
        stereotypes: &[r#"action A cost="F0()""#],
        ..Case::default()
    };
    case.resolve().1
}

#[test]
fn functions_whose_calls_multiply_are_refused() {
    let problem = "PM0612 the cost function F34 makes more than 100000000 calls";
    for body in [
        "return NEXT + NEXT;",
        "double x = NEXT; return x + NEXT;",
        "if (pid &gt; 0) { return NEXT + NEXT; } return 1;",
    ] {
        assert_eq!(chain_of_functions(body), [problem], "{body}");
    }
}

#[test]
fn functions_that_call_one_of_two_are_taken() {
    for body in [
        "return NEXT;",
        "return pid &gt; 0 ? NEXT : NEXT;",
        "if (pid &gt; 0) { return NEXT; } return NEXT;",
        "if (pid &gt; 0) { return NEXT; } else { return NEXT; }",
    ] {
        assert!(chain_of_functions(body).is_empty(), "{body}");
    }
}

/// Creates activities A0, A1 and so on. Each runs the next one twice.
#[test]
fn activities_whose_executions_multiply_are_refused() {
    let mut class = String::new();
    for level in 0..60 {
        let next = level + 1;
        let _ = write!(
            class,
            r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="A{level}" name="A{level}">
<node xmi:type="uml:CallBehaviorAction" xmi:id="P{level}" name="P{level}" behavior="A{next}"/>
<node xmi:type="uml:CallBehaviorAction" xmi:id="Q{level}" name="Q{level}" behavior="A{next}"/>
<edge xmi:type="uml:ControlFlow" xmi:id="E{level}" source="P{level}" target="Q{level}"/>
</ownedBehavior>"#
        );
    }
    class.push_str(
        r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="A60" name="A60">
<node xmi:type="uml:OpaqueAction" xmi:id="W" name="W"/></ownedBehavior>"#,
    );
    let case = Case {
        class: &class,
        nodes: "",
        main: r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="Go" name="Go" behavior="A0"/>"#,
        ..Case::default()
    };
    let (program, problems) = case.resolve();
    assert!(program.is_none());
    let [problem] = &problems[..] else {
        panic!("{problems:?}");
    };
    assert!(problem.starts_with("PM0612 the activity "), "{problem}");
    assert_says(problem, &["more than 100000000 executions"]);
}
