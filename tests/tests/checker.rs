//! Tests the model checker's rules, each with a drawing that violates it and a corrected drawing.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

use prophet_codegen::diagnostic::{Diagnostics, Severity};
use prophet_codegen::source::Source;
use prophet_frontend::check::{RuleSet, check};
use prophet_frontend::checked::{Checked, check_by, check_source};
use prophet_interpreter::Interpreted;
use prophet_model::xmi;
use prophet_tests::drawing::escape;
use prophet_tests::random::Random;
use prophet_tests::{models, sketch, stem};
use serde_json::Value;

/// Returns the codes and messages of all rules that a sketch violates.
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

#[test]
fn sketches_break_the_rules_that_they_should() {
    let rules = RuleSet::shipped();
    prophet_testing::assert_cases("tests/cases/rules.txt", |case| {
        let told = |(variant, sketch): (&str, String)| {
            let codes = broken(&sketch, &rules).into_iter().map(|it| it.0);
            let codes: BTreeSet<String> = codes.collect();
            let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
            format!("{variant}: {}\n", codes.join(" "))
        };
        sketch::variants(case.input).map(told).collect()
    });
}

/// A rule file about tags that aren't in the profile.
const OWN_TAGS: &str = r#"<mcl xmlns="http:///schemas/prophet/mcl/1" name="own">
  <elements>
    <element name="block" stereotype="action+">
      <tag name="flops" type="integer" min="1" required="yes"/>
      <tag name="owner" type="text"/>
    </element>
  </elements>
  <rules>
    <rule code="OWN-01" severity="error" tag="block">
      <summary>An action has no flops.</summary>
      <message>{path} has no `{tag}`</message>
      <help>count them</help>
      <when><wrong-tag is="missing"/></when>
    </rule>
    <rule code="OWN-02" severity="error" tag="block">
      <summary>An action has too few flops.</summary>
      <message>{tag} is {value}, not {expected}</message>
      <help>count them again</help>
      <when><wrong-tag is="range"/></when>
    </rule>
    <rule code="OWN-03" severity="warning" element="block">
      <summary>Ann has left.</summary>
      <message>{path} is Ann's</message>
      <help>give it to Bob</help>
      <when><text tag="owner" equals="Ann"/></when>
    </rule>
  </rules>
</mcl>
"#;

#[test]
fn tags_that_a_rule_file_declares_reach_its_rules() {
    let mut rules = RuleSet::shipped();
    assert_eq!(rules.add(&Source::new("own.mcl.xml", OWN_TAGS)), []);
    let told = |rules: &RuleSet, name: &str, text: String| -> Vec<String> {
        let checked = check_source(rules, Source::new(name, text), Path::new(""), None);
        let told = checked.diagnostics.iter();
        told.map(|it| format!("{} {}", it.code, it.message))
            .collect()
    };
    for (tags, expected) in [
        ("flops=\"100\"", &[][..]),
        ("", &["OWN-01 M::P::Main::A has no `flops`"]),
        (
            "flops=\"0\"",
            &["OWN-02 flops is 0, not an integer of at least 1"],
        ),
        (
            "flops=\"1\" owner=\"Ann\"",
            &["OWN-03 M::P::Main::A is Ann's"],
        ),
        ("flops=\"1\" owner=\"Bob and Ann\"", &[]),
        (
            "flops=\"1\" flop=\"2\"",
            &["PM0114 `action+` has no tag `flop`"],
        ),
    ] {
        let sketch = format!("A: action cost=\"1\" {tags}\nstart -> A -> end\n");
        assert_eq!(
            told(&rules, "m.uml", sketch::xmi(&sketch)),
            expected,
            "{tags}"
        );
        let xml = format!(
            "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\" main=\"Main\">\
             <activity name=\"Main\"><initial/><action name=\"A\" stereotype=\"action+\" \
             cost=\"1\" {tags}/><final/></activity></model>"
        );
        if !tags.contains("flop=") {
            // The package of a sketch is called `P`.
            let expected: Vec<_> = expected
                .iter()
                .map(|it| it.replace("::P::", "::"))
                .collect();
            assert_eq!(told(&rules, "m.xml", xml), expected, "{tags}");
        }
    }
    let sketch = sketch::xmi("A: action cost=\"1\" flops=\"100\"\nstart -> A -> end\n");
    let expected = ["PM0114 `action+` has no tag `flops`"];
    assert_eq!(told(&RuleSet::shipped(), "m.uml", sketch), expected);
}

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
    // These models are examples of what the rules warn about.
    let found = findings("tests/models/threads");
    let codes = found.iter().filter_map(|it| it.split(' ').nth(1));
    let codes: Vec<&str> = codes.collect();
    let expected = ["PM0943", "PM0935", "PM0937", "PM0937"];
    assert_eq!(codes, expected, "{}", found.join("\n"));
}

/// Returns a rule file with a rule about `subject` for each condition.
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

/// Checks large models. This would take minutes if the time grew with the square of the size.
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
        // Decisions. One branch of each ends, so that whatever follows depends on all of them.
        chain(&|n| {
            format!(
                "N{n}: decision\nN{n} -[pid == {n}]-> end\nN{n} -[else]-> N{}",
                n + 1
            )
        }),
        // Receives with different requests.
        chain(&|n| {
            format!(
                "N{n}: nbrecv source=\"0\" tag=\"{n}\" request=\"r{n}\"\nN{n} -> N{}",
                n + 1
            )
        }),
        // Global variables, each of which is assigned from the previous one.
        chain(&|n| {
            format!(
                "int G{n}\nN{n}: action+ cost=\"G{n}\" code=\"G{n} = G{} + pid;\"\nN{n} -> N{}",
                n.saturating_sub(1),
                n + 1
            )
        }),
        // A flow from each element to the first one.
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

/// Sources and destinations of messages that match: on a grid, in a line, in a ring, in pairs, and
/// for no process. `PROC_NULL` is -1, even as the result of a remainder.
const PARTNERS: [(&str, &str); 8] = [
    (
        "grid_left(pid, 2, NUM_PROCESSES / 2, false)",
        "grid_right(pid, 2, NUM_PROCESSES / 2, false)",
    ),
    (
        "grid_down(pid, 2, NUM_PROCESSES / 2, false)",
        "grid_up(pid, 2, NUM_PROCESSES / 2, false)",
    ),
    ("pid - 1", "pid + 1 < NUM_PROCESSES ? pid + 1 : PROC_NULL"),
    ("pid + 1 < NUM_PROCESSES ? pid + 1 : PROC_NULL", "pid - 1"),
    (
        "(pid - 1) % NUM_PROCESSES",
        "pid == NUM_PROCESSES - 1 ? PROC_NULL : pid + 1",
    ),
    (
        "(pid + NUM_PROCESSES - 1) % NUM_PROCESSES",
        "(pid + 1) % NUM_PROCESSES",
    ),
    ("pid ^ 1", "pid ^ 1"),
    ("PROC_NULL", "PROC_NULL"),
];

/// Generates a random program with messages, and the same program with decisions that test whether
/// there is a partner.
fn twins(random: &mut Random) -> [String; 2] {
    let mut steps: Vec<[String; 2]> = Vec::new();
    let mut add = |random: &mut Random, partner: &str, actions: &[String]| {
        let partner = escape(partner);
        let plain = actions.concat();
        let when = format!("<when guard=\"({partner}) != PROC_NULL\">{plain}</when>");
        let decided = format!("<decision>{when}<otherwise/></decision>");
        let at = random.below(steps.len() + 1);
        steps.insert(at, [plain, decided]);
    };
    for tag in 0..=random.below(3) {
        let (source, dest) = *random.pick(&PARTNERS);
        let message = |name: &str, kind: &str, more: &str| {
            format!("<action name=\"{name}{tag}\" stereotype=\"{kind}\" tag=\"{tag}\"{more}/>")
        };
        let from = format!(" source=\"{}\"", escape(source));
        let receive = match random.below(3) {
            0 => vec![
                message("R", "nbrecv", &format!("{from} request=\"r{tag}\"")),
                format!("<action name=\"W{tag}\" stereotype=\"wait\" request=\"r{tag}\"/>"),
            ],
            _ => vec![message("R", "brecv", &from)],
        };
        add(random, source, &receive);
        let kind = random.pick(&["bsend", "nbsend"]);
        let to = format!(" dest=\"{}\" size=\"800\"", escape(dest));
        add(random, dest, &[message("S", kind, &to)]);
    }
    [0, 1].map(|twin| {
        let steps: String = steps.iter().map(|it| it[twin].as_str()).collect();
        format!(
            "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\" main=\"Main\">\
             <activity name=\"Main\"><action name=\"A\" stereotype=\"action+\" cost=\"1e-6\"/>\
             {steps}</activity></model>"
        )
    })
}

fn checked(text: &str, rules: &RuleSet) -> Checked {
    let source = Source::new("model.prophet.xml", text);
    check_source(rules, source, Path::new(""), None)
}

fn predicted(text: &str, processes: usize) -> Option<Value> {
    let checked = checked(text, &RuleSet::empty());
    assert!(
        checked.program.is_some(),
        "{text}\n{:?}",
        checked.diagnostics
    );
    let program = Interpreted::new(&checked, "", false).expect("it can be interpreted");
    let words = format!("m --processes {processes} --nodes {processes} --format json");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = program.run_to(words.split(' ').map(OsString::from), &mut out, &mut err);
    let result: Value = serde_json::from_slice(&out).ok().filter(|_| code == 0)?;
    Some(result["processes"].clone())
}

#[test]
fn the_checker_refuses_no_messages_of_a_program_that_runs() {
    let rules = RuleSet::shipped();
    let (mut running, mut refused) = (0, 0);
    let seeds = prophet_testing::cases(300);
    for seed in 0..seeds.into() {
        let [plain, decided] = twins(&mut Random(seed));
        let times = [2, 4, 6].map(|processes| predicted(&decided, processes));
        let runs = times.iter().any(Option::is_some);
        let found = checked(&plain, &rules).diagnostics;
        let error = found.iter().find(|it| it.severity == Severity::Error);
        assert!(!runs || error.is_none(), "{plain}\n{error:#?}");
        refused += usize::from(error.is_some());
        running += usize::from(runs);
        for (processes, time) in [2, 4, 6].into_iter().zip(times) {
            assert_eq!(predicted(&plain, processes), time, "{processes}: {plain}");
        }
    }
    assert!(
        running * 3 > seeds as usize && refused * 30 > seeds as usize,
        "{running} run, {refused} are refused"
    );
}
