//! Annotations of MARTE: what they become, and what is wrong with them.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

/// Namespaces of MARTE, as Papyrus and others write them.
const HEAD: &str = "<xmi:XMI xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" \
    xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
    xmlns:GQAM=\"http://www.eclipse.org/papyrus/GQAM/1\" \
    xmlns:PAM=\"http://www.eclipse.org/papyrus/PAM/1\" \
    xmlns:MARTE_2=\"http://www.omg.org/spec/MARTE/20090501\">";

/// An activity of a decision between two actions, in front of a third.
const ACTIVITY: &str = r#"
    <uml:Model name="M"><packagedElement xmi:type="uml:Activity" xmi:id="m" name="Main">
        <node xmi:type="uml:InitialNode" xmi:id="i"/>
        <node xmi:type="uml:DecisionNode" xmi:id="d" name="D"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="a" name="A"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="b" name="B"/>
        <node xmi:type="uml:MergeNode" xmi:id="e" name="E"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="c" name="C"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="id" source="i" target="d"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="da" source="d" target="a"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="db" source="d" target="b"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="ae" source="a" target="e"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="be" source="b" target="e"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="ec" source="e" target="c"/>
    </packagedElement></uml:Model>"#;

/// Probabilities that leave nothing open, for tests of other things.
const CHOICE: &str = r#"
    <GQAM:GaStep xmi:id="1" base_NamedElement="da" prob="0.25"/>
    <GQAM:GaStep xmi:id="2" base_NamedElement="db" prob="0.75"/>"#;

/// Reads the activity with annotations and a sound choice; only the problems are compared.
fn problems(annotations: &str, expected: &Expect) {
    let source = super::source(&format!("{HEAD}{ACTIVITY}{CHOICE}{annotations}</xmi:XMI>"));
    let mut diagnostics = crate::diagnostic::Diagnostics::new();
    super::super::read(&source, None, &mut diagnostics);
    expected.assert_eq(&super::reported(&source, diagnostics));
}

#[test]
fn gaps_are_exponential_unless_a_pattern_says_otherwise() {
    let gaps = [
        (
            "open(interArrivalTime=(2, ms))",
            "exponential(2.0 / 1000.0)",
        ),
        (
            "open(interArrivalTime=(uniform(1, 2), ms))",
            "uniform(1.0, 2.0) / 1000.0",
        ),
        ("open(interArrivalTime=(2, ms, determ))", "2.0 / 1000.0"),
        (
            "open(arrivalRate=4, arrivalProcess=poisson)",
            "exponential(1.0 / (4.0))",
        ),
        (
            "open(arrivalRate=4, arrivalProcess='constant')",
            "1.0 / (4.0)",
        ),
        ("periodic(period=(3, s))", "3.0"),
    ];
    for (pattern, gap) in gaps {
        let event = format!(
            r#"<GQAM:GaWorkloadEvent xmi:id="3" base_NamedElement="i" pattern="{pattern}"/>"#
        );
        let (model, problems) = super::read(&format!("{HEAD}{ACTIVITY}{CHOICE}{event}</xmi:XMI>"));
        let model = model.expect("there is an activity");
        let next = model.elements.iter().find(|it| it.name == "Next");
        let tags = next.and_then(|it| Some(&it.stereotype.as_ref()?.tags));
        assert_eq!(
            tags.expect("jobs follow")["cost"].value,
            gap,
            "{problems:?}"
        );
    }
}

#[test]
fn what_has_no_value_is_told() {
    problems(
        r#"<GQAM:GaStep xmi:id="3" base_NamedElement="a" hostDemand="(expr=$t)"/>
        <GQAM:GaAnalysisContext xmi:id="4" base_NamedElement="m"><context>in$t</context>
            <context>in$unused</context></GQAM:GaAnalysisContext>
        <GQAM:GaStep xmi:id="5" base_NamedElement="b" priority="2"/>"#,
        &expect![[r#"
            warning PM1102: the variable `$t` has no value, and a cost names it
              at t
              help: give one to each run, or write one, as in `in$t=1.5`
            warning PM1108: `GaStep` has no `hostDemand`: the step takes no time
              at <GQAM:GaStep xmi:id="5" base_NamedElement="b" priority="2"/>
              in M::Main::B
              help: add it, as in `(value=5, unit=ms)`
            warning PM1106: the tag `priority` of `GaStep` is not read
              at 2
        "#]],
    );
}

#[test]
fn lists_of_values_stand_for_their_first() {
    problems(
        r#"<GQAM:GaStep xmi:id="3" base_NamedElement="a" hostDemand="(expr=$t)"/>
        <GQAM:GaAnalysisContext xmi:id="4" base_NamedElement="m" context="in$t={ 1, 2, 3, 4 }"/>"#,
        &expect![[r#"
            warning PM1108: `$t` has 4 values, of which the first counts
              at 1, 2, 3, 4
              help: a sweep takes them all: `--vary t=1,2,3,…`
        "#]],
    );
}

#[test]
fn values_that_are_not_understood_are_told() {
    problems(
        r#"<GQAM:GaStep xmi:id="3" base_NamedElement="a" hostDemand="(expr=$t, unit=parsec)"/>
        <GQAM:GaStep xmi:id="4" base_NamedElement="b" hostDemand="((5,s)" rep="poisson(3)"/>
        <GQAM:GaStep xmi:id="5" base_NamedElement="c" hostDemand="1" rep="poisson(3)"/>
        <GQAM:GaAnalysisContext xmi:id="6" base_NamedElement="m" context="in$x=mean"/>
        <GQAM:GaAnalysisContext xmi:id="7" base_NamedElement="m" context="x=3"/>"#,
        &expect![[r#"
            error PM1101: `hostDemand` cannot be read: `parsec` is no unit of a duration: they a…
              at parsec
              help: write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`
            error PM1101: `hostDemand` cannot be read: expected `,` or `)` at its end
              at ((5,s)
              help: write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`
            error PM1101: `rep` cannot be read: a number of repetitions that is random is not un…
              at poisson(3)
              help: write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`
            error PM1101: `x` cannot be read: `mean` is no number; variables are written as `$me…
              at mean
              help: write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`
            error PM1101: `context` cannot be read: `x` is no direction: they are `in`, `out` an…
              at x
              help: write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`
        "#]],
    );
}

#[test]
fn choices_that_are_none_are_told() {
    let choice = |a: &str, b: &str, more: &str, expected: &Expect| {
        let steps = format!(
            r#"{HEAD}{ACTIVITY}<GQAM:GaStep xmi:id="1" base_NamedElement="da" prob="{a}"/>
            <GQAM:GaStep xmi:id="2" base_NamedElement="db" prob="{b}"/>{more}</xmi:XMI>"#
        );
        let source = super::source(&steps);
        let mut diagnostics = crate::diagnostic::Diagnostics::new();
        super::super::read(&source, None, &mut diagnostics);
        expected.assert_eq(&super::reported(&source, diagnostics));
    };
    choice(
        "0.5",
        "0.25",
        "",
        &expect![[r#"
        error PM1103: M::Main::D cannot choose: the probabilities of its flows sum to 0.75
          at <node xmi:type="uml:DecisionNode" xmi:id="d" name="D"/>
          in M::Main::D
          help: give each flow out of it a `prob`, all but one at least, with a sum of…
    "#]],
    );
    choice(
        "2",
        "",
        "",
        &expect![[r#"
        error PM1103: M::Main::D cannot choose: a probability of its flows is 2
          at <node xmi:type="uml:DecisionNode" xmi:id="d" name="D"/>
          in M::Main::D
          help: give each flow out of it a `prob`, all but one at least, with a sum of…
    "#]],
    );
    choice(
        "$p",
        "$p",
        r#"<GQAM:GaAnalysisContext xmi:id="3" base_NamedElement="m" context="in$p=0.75"/>"#,
        &expect![[r#"
            error PM1103: M::Main::D cannot choose: the probabilities of its flows sum to 1.5
              at <node xmi:type="uml:DecisionNode" xmi:id="d" name="D"/>
              in M::Main::D
              help: give each flow out of it a `prob`, all but one at least, with a sum of…
        "#]],
    );
    choice(
        "0.5",
        "0.5",
        r#"<GQAM:GaStep xmi:id="3" base_NamedElement="c" prob="0.5" hostDemand="1"/>
        <GQAM:GaStep xmi:id="4" base_NamedElement="ec" prob="0.5"/>"#,
        &expect![[r#"
            error PM1103: a `prob` decides nothing here, as no decision leads to the step
              at 0.5
              in M::Main::C
              help: put a DecisionNode in front of it, with another flow out of it
            error PM1103: a `prob` decides nothing: its flow leaves no DecisionNode
              at <GQAM:GaStep xmi:id="4" base_NamedElement="ec" prob="0.5"/>
              help: put a DecisionNode in front of the flow
        "#]],
    );
}

#[test]
fn too_many_choices_are_told_once() {
    let mut nodes = String::new();
    for number in 0..40 {
        let _ = write!(
            nodes,
            r#"<node xmi:type="uml:OpaqueAction" xmi:id="n{number}" name="N{number}"/>
            <edge xmi:type="uml:ControlFlow" xmi:id="e{number}" source="d" target="n{number}"/>"#
        );
    }
    let model = format!(
        r#"{HEAD}<uml:Model name="M"><packagedElement xmi:type="uml:Activity" xmi:id="m"
            name="Main"><node xmi:type="uml:DecisionNode" xmi:id="d" name="D"/>{nodes}
        </packagedElement></uml:Model>
        <GQAM:GaStep xmi:id="1" base_NamedElement="e0" prob="0.5"/></xmi:XMI>"#
    );
    let (read, problems) = super::read(&model);
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        messages,
        ["M::Main::D cannot choose: 39 of its 40 flows have no `prob`"]
    );
    let flows = &read.expect("there is an activity").diagrams[0].flows;
    assert!(flows.iter().all(|it| it.guard.is_some()));
}

#[test]
fn steps_that_are_unclear_are_told() {
    problems(
        r#"<GQAM:GaStep xmi:id="3" base_NamedElement="a" hostDemand="1" execTime="2"/>
        <GQAM:GaStep xmi:id="4" base_NamedElement="b">
            <hostDemand>(expr=1, statQ=min)</hostDemand>
            <hostDemand>(expr=2, statQ=max)</hostDemand></GQAM:GaStep>
        <GQAM:GaStep xmi:id="5" base_NamedElement="c" hostDemand="(expr=1, statQ=max)"/>
        <GQAM:GaStep xmi:id="6" base_NamedElement="d" hostDemand="1"/>"#,
        &expect![[r#"
            error PM1104: it has both a `hostDemand` and an `execTime`
              at <GQAM:GaStep xmi:id="3" base_NamedElement="a" hostDemand="1" execTime=…
              in M::Main::A
              help: remove one of them
            error PM1104: its `hostDemand` has 2 values, not one mean
              at <GQAM:GaStep xmi:id="4" base_NamedElement="b">
              in M::Main::B
              help: keep one with `statQ=mean`
            warning PM1108: the largest demand is taken: the prediction is an upper bound
              at (expr=1, statQ=max)
              in M::Main::C
            error PM1104: DecisionNode takes no time, but has a `hostDemand`
              at <GQAM:GaStep xmi:id="6" base_NamedElement="d" hostDemand="1"/>
              in M::Main::D
              help: annotate the action in front of it or behind it
        "#]],
    );
}

#[test]
fn tags_may_stand_apart_from_their_stereotypes() {
    problems(
        r#"<t:GaStep xmlns:t="http://www.sparxsystems.com/profiles/thecustomprofile/1.0"
            base_Action="a"/>
        <t:hostDemand xmlns:t="http://www.sparxsystems.com/profiles/thecustomprofile/1.0"
            base_Action="a" hostDemand="(value=5, unit=parsec)"/>"#,
        &expect![[r#"
            error PM1101: `hostDemand` cannot be read: `parsec` is no unit of a duration: they a…
              at parsec
              help: write it as in `(value=5, unit=ms)` or `(expr=$x*2, unit=ms)`
        "#]],
    );
}

#[test]
fn what_is_not_read_is_told() {
    problems(
        r#"<GQAM:GaStep xmi:id="3" base_NamedElement="a" hostDemand="1" selfDelay="(2,s)"/>
        <GQAM:GaStep xmi:id="4" base_NamedElement="b" hostDemand="1" selfDelay="0"/>
        <PAM:PaLogicalResource xmi:id="5" base_Classifier="i" poolSize="4"/>
        <PAM:PaRequestedStep xmi:id="9" base_NamedElement="c" behavCount="2"/>
        <GQAM:GaExecHost xmi:id="6" base_Classifier="m" resMult="2" schedPolicy="EDF"
            speedFactor="2"/>
        <GQAM:StormBolt xmi:id="7" base_NamedElement="c" hostDemand="1"/>
        <GQAM:GaStep xmi:id="8" base_NamedElement="m" hostDemand="1"/>"#,
        &expect![[r#"
            warning PM1106: the tag `selfDelay` of `GaStep` is not read
              at (2,s)
            warning PM1109: the `poolSize` of a `PaLogicalResource` is 4
              at 4
              help: `--cpus-per-node` says how many steps are served at a time; no other p…
            warning PM1107: `PaRequestedStep` of MARTE is not read
              at <PAM:PaRequestedStep xmi:id="9" base_NamedElement="c" behavCount="2"/>
              help: the page marte.md of the documentation lists what is
            warning PM1109: the `resMult` of a `GaExecHost` is 2
              at 2
              help: `--cpus-per-node` says how many CPUs the steps of all processes share
            warning PM1109: the policy `EDF` is not read
              at EDF
              help: CPUs serve first come, first served; see `--discipline`
            warning PM1106: the tag `speedFactor` of `GaExecHost` is not read
              at 2
            warning PM1107: `hostDemand` of `StormBolt` is not read: `StormBolt` is no stereotype …
              at <GQAM:StormBolt xmi:id="7" base_NamedElement="c" hostDemand="1"/>
              help: apply `GaStep` or `PaStep`, too
            warning PM1107: `hostDemand` of an Activity is not read
              at <GQAM:GaStep xmi:id="8" base_NamedElement="m" hostDemand="1"/>
              help: annotate the actions of an activity
        "#]],
    );
}

#[test]
fn workloads_that_cannot_be_simulated_are_told() {
    let patterns = [
        "burst(minInterarrival=(1, s))",
        "open(arrivalRate=2, interArrivalTime=3)",
        "open(arrivalRate=2, arrivalProcess=selfSimilar)",
        "open(rate=2)",
        "open(2)",
        "closed(extDelay=2)",
        "periodic(period=(2, Hz))",
        "aperiodic",
    ];
    let mut told = String::new();
    for pattern in patterns {
        let event = format!(
            r#"<GQAM:GaWorkloadEvent xmi:id="3" base_NamedElement="i" pattern="{pattern}"/>"#
        );
        let (_, problems) = super::read(&format!("{HEAD}{ACTIVITY}{CHOICE}{event}</xmi:XMI>"));
        for problem in problems {
            let _ = writeln!(told, "{} {pattern}: {}", problem.code, problem.message);
        }
    }
    expect![[r#"
        PM1105 burst(minInterarrival=(1, s)): the workload cannot be simulated: `burst` is no pattern that is understood
        PM1105 open(arrivalRate=2, interArrivalTime=3): the workload cannot be simulated: it needs one of `arrivalRate` and `interArrivalTime`
        PM1105 open(arrivalRate=2, arrivalProcess=selfSimilar): the workload cannot be simulated: the process `selfSimilar` is not understood, `poisson` is
        PM1105 open(rate=2): the workload cannot be simulated: its part `rate` is not understood
        PM1105 open(2): the workload cannot be simulated: its parts have names: arrivalRate, interArrivalTime, arrivalProcess
        PM1105 closed(extDelay=2): the workload cannot be simulated: it has no `population`
        PM1105 periodic(period=(2, Hz)): the workload cannot be simulated: `Hz` is no unit of a duration: they are s, ms, us, ns, ps, min, hrs and dys
        PM1105 aperiodic: the workload cannot be simulated: a pattern is expected, as `open(…)`
    "#]].assert_eq(&told);
}
