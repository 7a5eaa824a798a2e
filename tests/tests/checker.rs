//! The rules of the model checker: each with the drawing that breaks it and the one made right.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use prophet_codegen::check::{RuleSet, check};
use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::generate::check_by;
use prophet_codegen::source::Source;
use prophet_model::xmi;
use prophet_tests::{models, sketch, stem};

/// The codes of the rules that a sketch breaks, with their messages.
fn broken(sketch: &str, rules: &RuleSet) -> Vec<(String, String)> {
    let source = Source::new("sketch.uml", sketch::xmi(sketch));
    let mut read = Diagnostics::new();
    let model = xmi::read(&source, None, &mut read).expect("there is an activity");
    let problems: Vec<String> = read.sorted().into_iter().map(|it| it.message).collect();
    assert!(problems.is_empty(), "{sketch}\n{problems:?}");
    let mut found = Diagnostics::new();
    check(&model, &source, rules, &mut found);
    let found = found.sorted().into_iter();
    found.map(|it| (it.code.into_owned(), it.message)).collect()
}

#[test]
fn each_rule_has_a_drawing_that_breaks_it_alone_and_one_that_breaks_none() {
    let rules = RuleSet::shipped();
    let mut wrong = Vec::new();
    for rule in rules.rules() {
        let found = broken(&rule.wrong, &rules);
        let codes: BTreeSet<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        if !codes.iter().eq([&rule.code.as_str()]) {
            wrong.push(format!("{} wrong:\n{}\n{found:#?}", rule.code, rule.wrong));
        }
        let found = broken(&rule.right, &rules);
        if !found.is_empty() {
            wrong.push(format!("{} right:\n{}\n{found:#?}", rule.code, rule.right));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Exchanges of which it is not sure that each process waits for the one before.
#[test]
fn exchanges_that_may_take_turns_are_no_chain() {
    const GUARDED: &str = "start -> D -[LOW]-> U -> M -> D2 -[HIGH]-> L -> M2 -> end\n\
        D: decision\nM: merge\nD -[else]-> M\nD2: decision\nM2: merge\nD2 -[else]-> M2\n\
        U: sendrecv dest=\"pid - 1\" source=\"pid - 1\" size=\"8\"\n\
        L: sendrecv dest=\"pid + 1\" source=\"pid + 1\" size=\"8\"\n";
    let rules = RuleSet::shipped();
    let is_chain = |sketch: &str| {
        let found = broken(sketch, &rules);
        found.iter().any(|(code, _)| code == "PM0945")
    };
    let guarded = |low: &str, high: &str| GUARDED.replace("LOW", low).replace("HIGH", high);
    let high = "NUM_PROCESSES - 1 > pid";
    assert!(is_chain(&guarded("pid > 0", high)));
    // Two processes alone, the odd ranks and the even ones, and shifts to one side.
    assert!(!is_chain(&guarded("pid == 1", "pid == 0")));
    assert!(!is_chain(&guarded("pid % 2 == 1", "pid % 2 == 0")));
    let shifts = guarded("pid > 0", high).replace("source=\"pid - 1\"", "source=\"pid + 1\"");
    assert!(!is_chain(&shifts));
    let either = "start -> D -[pid > 3]-> U -> M -> end\nD: decision\nM: merge\n\
        D -[else]-> L -> M\n\
        U: sendrecv dest=\"pid - 1\" source=\"pid - 1\" size=\"8\"\n\
        L: sendrecv dest=\"pid + 1\" source=\"pid + 1\" size=\"8\"\n";
    assert!(!is_chain(either));
}

/// Findings of the rules in the models of a folder.
fn findings(folder: &str) -> Vec<String> {
    let rules = RuleSet::shipped();
    let mut found = Vec::new();
    for path in models(folder) {
        let checked = check_by(&rules, &path, None).expect("the model can be read");
        let of_rules = checked.diagnostics.iter();
        let of_rules = of_rules.filter(|it| rules.rules().any(|rule| rule.code == it.code));
        found.extend(of_rules.map(|it| format!("{}: {} {}", stem(&path), it.code, it.message)));
    }
    found
}

#[test]
fn good_models_give_no_alarm() {
    for folder in ["sample-models", "tests/models/flow"] {
        let found = findings(folder);
        assert!(found.is_empty(), "{folder}:\n{}", found.join("\n"));
    }
    // What these are about is what the rules warn of.
    let found = findings("tests/models/threads");
    let codes = found.iter().filter_map(|it| it.split(' ').nth(1));
    let codes: Vec<&str> = codes.collect();
    let expected = ["PM0943", "PM0935", "PM0937", "PM0937"];
    assert_eq!(codes, expected, "{}", found.join("\n"));
}

/// A rule file with a rule about `subject` for each of some conditions.
fn rules_about(subject: &str, conditions: &[&str]) -> RuleSet {
    let mut text = String::from("<mcl><rules>");
    for (number, condition) in conditions.iter().enumerate() {
        write!(
            text,
            "<rule code=\"T-{number}\" severity=\"warning\" {subject}><summary>S.</summary>\
             <message>{{name}} {{where}} {{count}}</message><help>h</help>\
             <when>{condition}</when></rule>"
        )
        .expect("text can always grow");
    }
    text.push_str("</rules></mcl>");
    let mut rules = RuleSet::shipped();
    let shipped: Vec<String> = rules.rules().map(|it| it.code.clone()).collect();
    let source = Source::new("test.mcl.xml", text);
    let problems = rules.add(&source);
    assert!(problems.is_empty(), "{problems:?}");
    for code in shipped {
        rules.switch_off(&code).expect("it is a rule");
    }
    rules
}

#[test]
fn a_message_that_names_its_subject_very_often_is_cut() {
    let message = "{path} ".repeat(50_000);
    let text = format!(
        "<mcl><rules><rule code=\"T-1\" severity=\"warning\" element=\"action+\">\
         <summary>S.</summary><message>{message}</message><help>{message}</help>\
         <when><named/></when></rule></rules></mcl>"
    );
    let mut rules = RuleSet::shipped();
    let problems = rules.add(&Source::new("test.mcl.xml", text));
    assert!(problems.is_empty(), "{problems:?}");
    let found = broken("start -> A -> end", &rules);
    let (_, message) = found.iter().find(|it| it.0 == "T-1").expect("it is broken");
    assert!(
        message.ends_with('…') && message.len() < 5000,
        "{}",
        message.len()
    );
}

#[test]
fn conditions_that_no_shipped_rule_needs_hold_where_they_should() {
    let sketch = "start -> A -> B -> D -[pid == 0]-> C -> M -> end
        D: decision
        M: merge
        D -[else]-> M
        C: critical {
          start -> E -> end
        }";
    let conditions = [
        r#"<follows element="decision"/><named/><is element="critical"/>"#,
        r#"<in diagram="content"/><is element="action+"/>"#,
        r#"<contains element="any" min="3" max="3"/>"#,
        r#"<any><text tag="time" equals=" 1 "/><code/></any><follows element="action+"/>"#,
        r#"<leads-to element="critical" without="decision"/>"#,
        r#"<flows way="out" min="2"/><flows way="out" guard="else"/>"#,
        r#"<value tag="time" above="0.5" below="2"/><branch on="pid"/>"#,
    ];
    let found = broken(sketch, &rules_about("element=\"any\"", &conditions));
    let mut found: Vec<String> = found
        .into_iter()
        .map(|(code, message)| format!("{code} {}", message.trim()))
        .collect();
    found.sort();
    let expected = [
        "T-0 C  0",
        "T-1 E  0",
        "T-2 C  3",
        "T-3 B  0",
        "T-4 D  0",
        "T-5 D M::P::Main::M 1",
        "T-6 E M::P::Main::D 0",
    ];
    assert_eq!(found, expected);
    let flows = [
        r#"<guard is="condition"/><varies by="pid"/><is element="critical"/>"#,
        r#"<guard is="else"/>"#,
    ];
    let found = broken(sketch, &rules_about("flow=\"decision\"", &flows));
    assert_eq!(found.len(), 2, "{found:?}");
    let diagrams = [r#"<contains element="any" min="9"/>"#, "<empty/>"];
    let found = broken(sketch, &rules_about("diagram=\"program\"", &diagrams));
    assert_eq!(found.len(), 1, "{found:?}");
}

/// The codes that a sketch gives, each once.
fn codes(sketch: &str) -> Vec<String> {
    let found = broken(sketch, &RuleSet::shipped());
    let codes: BTreeSet<String> = found.into_iter().map(|(code, _)| code).collect();
    codes.into_iter().collect()
}

#[test]
fn a_fraction_where_a_whole_number_belongs_is_told() {
    let is_told = |iterations: &str| {
        let found = codes(&format!(
            "const int ITEMS = 8
            const double P = 4
            start -> L -> end
            L: loop+ iterations=\"{iterations} + 0 * (ITEMS + P)\" {{
              start -> A -> end
            }}"
        ));
        assert!(
            found.is_empty() || found == ["PM0906"],
            "{iterations}: {found:?}"
        );
        !found.is_empty()
    };
    for fraction in [
        "ITEMS / 1.5",
        "2.5",
        "ITEMS * 0.5",
        "ITEMS / P",
        "-(ITEMS / 2.0)",
    ] {
        assert!(is_told(fraction), "{fraction}");
    }
    for whole in [
        "ITEMS / 2",
        "2.0",
        "P",
        "ITEMS * 3.0",
        "ceil(ITEMS / 1.5)",
        "log2(ITEMS)",
    ] {
        assert!(!is_told(whole), "{whole}");
    }
}

#[test]
fn partners_that_do_not_fit_are_told() {
    let found = |dest: &str, source: &str| {
        codes(&format!(
            "start -> D -[pid % 2 == 0]-> S -> M -> end
            D: decision
            M: merge
            D -[else]-> R -> M
            S: nbsend {dest} size=\"8\"
            R: brecv {source}"
        ))
    };
    for (dest, source) in [
        (r#"dest="pid + 2""#, r#"source="pid - 1""#),
        (r#"dest="pid + 1""#, r#"source="pid + 1""#),
        (r#"dest="pid + 1" tag="3""#, r#"source="pid - 2" tag="ANY""#),
    ] {
        assert_eq!(found(dest, source), ["PM0927"], "{dest} {source}");
    }
    for (dest, source) in [
        (r#"dest="pid + 2""#, r#"source="pid - 2""#),
        (r#"dest="2 + pid""#, r#"source="pid - (4 - 2)""#),
        (r#"dest="pid + 2""#, r#"source="ANY""#),
        (r#"dest="pid + 1""#, r#"source="0""#),
        (r#"dest="(pid + 2) % NUM_PROCESSES""#, r#"source="pid - 1""#),
    ] {
        assert!(found(dest, source).is_empty(), "{dest} {source}");
    }
    let other_tag = found(r#"dest="pid + 2" tag="1""#, r#"source="pid - 1""#);
    assert_eq!(other_tag, ["PM0915", "PM0916"]);
}

#[test]
fn receives_smaller_than_all_their_messages_are_told() {
    let found = |sends: [&str; 2], receive: &str| {
        codes(&format!(
            "start -> D -[pid == 0]-> S -> T -> M -> end
            D: decision
            M: merge
            D -[else]-> R -> M
            S: nbsend dest=\"1\" {}
            T: nbsend dest=\"1\" {}
            R: brecv source=\"0\" {receive}",
            sends[0], sends[1]
        ))
    };
    let sends = [r#"size="4 * 4""#, r#"size="32" tag="0""#];
    assert_eq!(found(sends, r#"size="8""#), ["PM0928"]);
    for receive in ["", r#"size="16""#, r#"size="NUM_PROCESSES""#] {
        assert!(found(sends, receive).is_empty(), "{receive}");
    }
    let unknown = [r#"size="NUM_PROCESSES""#, r#"size="32""#];
    assert!(found(unknown, r#"size="8""#).is_empty());
    let of_tag = [r#"size="16""#, r#"size="4" tag="1""#];
    assert_eq!(found(of_tag, r#"size="8" tag="0""#), ["PM0915", "PM0928"]);
    assert!(found(of_tag, r#"size="8" tag="ANY""#).is_empty());
}

#[test]
fn rings_that_receive_first_are_told() {
    let ring = |iterations: &str| {
        codes(&format!(
            "start -> L -> S -> end
            L: loop+ iterations=\"{iterations}\" {{
              start -> R -> end
              R: brecv source=\"(pid + NUM_PROCESSES - 1) % NUM_PROCESSES\"
            }}
            S: bsend dest=\"(pid + 1) % NUM_PROCESSES\" size=\"8\""
        ))
    };
    // Whoever has no iteration sends first.
    for iterations in ["0", "-1", "pid"] {
        let found = ring(iterations);
        assert!(!found.contains(&"PM0910".to_owned()), "{iterations}");
    }
    for iterations in ["1", "2 * 5"] {
        assert_eq!(ring(iterations), ["PM0910"], "{iterations}");
    }
}

/// Models that would take minutes if anything were quadratic in them.
#[test]
fn the_time_grows_with_the_size_alone() {
    const COUNT: usize = 10_000;
    let rules = RuleSet::shipped();
    let chain = |line: &dyn Fn(usize) -> String| {
        let mut text = String::from("start -> N0\n");
        for number in 0..COUNT {
            text.push_str(&line(number));
            text.push('\n');
        }
        text
    };
    let sketches = [
        // Decisions whose branches all end, so that all that follows depends on each.
        chain(&|n| {
            format!(
                "N{n}: decision\nN{n} -[pid == {n}]-> end\nN{n} -[else]-> N{}",
                n + 1
            )
        }),
        // Requests, each with a name of its own.
        chain(&|n| {
            format!(
                "N{n}: nbrecv source=\"0\" tag=\"{n}\" request=\"r{n}\"\nN{n} -> N{}",
                n + 1
            )
        }),
        // Globals, each assigned from the one before.
        chain(&|n| {
            format!(
                "int G{n}\nN{n}: action+ cost=\"G{n}\" code=\"G{n} = G{} + pid;\"\nN{n} -> N{}",
                n.saturating_sub(1),
                n + 1
            )
        }),
        // Flows back from each element to the first.
        chain(&|n| {
            format!(
                "N{n}: decision\nN{n} -[pid > {n}]-> N0\nN{n} -[else]-> N{}",
                n + 1
            )
        }),
    ];
    for sketch in sketches {
        broken(&sketch, &rules);
    }
}
