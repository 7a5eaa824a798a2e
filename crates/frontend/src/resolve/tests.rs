//! Tests the resolver's reports. Each of its rules has at least one model.

mod concurrent;
mod expansion;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::resolve;
use crate::program::Program;
use prophet_model::diagnostic::{Diagnostics, catalogue};
use prophet_model::source::Source;
use prophet_model::vocabulary::StereotypeKind;
use prophet_model::xmi;
use prophet_testing::assert_cases;

/// A model of a class with the main activity `Main`, in a short notation.
#[derive(Default, Clone, Copy)]
struct Case<'a> {
    /// Nodes of `Main`, such as `Initial I; Action A; Decision D`.
    nodes: &'a str,
    /// Flows of `Main`, such as `I A; A B: x > 1; D E: else`.
    flows: &'a str,
    /// Stereotypes, such as `action A cost="1"`.
    stereotypes: &'a [&'a str],
    /// Further content of the class, as XMI.
    class: &'a str,
    /// Further content of `Main`, as XMI.
    main: &'a str,
}

impl Case<'_> {
    fn text(&self) -> String {
        let mut text = String::from(
            r#"<uml:Model xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML"
 xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:prophet="http:///schemas/prophet/1"
 name="M"><packagedElement xmi:type="uml:Class" xmi:id="Class" name="P" classifierBehavior="Main">
<ownedBehavior xmi:type="uml:Activity" xmi:id="Main" name="Main">"#,
        );
        for node in parts(self.nodes) {
            let (kind, name) = node.split_once(' ').expect("a kind and a name");
            let kind = if kind.ends_with("Action") || kind.ends_with("Node") {
                kind.to_owned()
            } else {
                format!("{kind}Node")
            };
            let kind = if kind == "Action" {
                "OpaqueAction"
            } else {
                &kind
            };
            let _ = writeln!(
                text,
                r#"<node xmi:type="uml:{kind}" xmi:id="{name}" name="{name}"/>"#
            );
        }
        for (number, flow) in parts(self.flows).enumerate() {
            let (ends, guard) = flow.split_once(':').unwrap_or((flow, ""));
            let (source, target) = ends.split_once(' ').expect("two ends");
            let guard = guard.trim();
            let guard = if guard.is_empty() {
                String::new()
            } else {
                format!(r#" guard="{guard}""#)
            };
            let _ = writeln!(
                text,
                r#"<edge xmi:type="uml:ControlFlow" xmi:id="f{number}" source="{source}" target="{target}"{guard}/>"#
            );
        }
        let _ = writeln!(
            text,
            "{}</ownedBehavior>{}</packagedElement>",
            self.main, self.class
        );
        for stereotype in self.stereotypes {
            let (kind, rest) = stereotype.split_once(' ').expect("a kind and an element");
            let (element, tags) = rest.split_once(' ').unwrap_or((rest, ""));
            let _ = writeln!(text, r#"<prophet:{kind} base_Element="{element}" {tags}/>"#);
        }
        text.push_str("</uml:Model>");
        text
    }

    /// Resolves the model. Returns the program, and the code and message of each problem.
    fn resolve(&self) -> (Option<Program>, Vec<String>) {
        let source = Source::new("model.uml", self.text());
        let mut diagnostics = Diagnostics::new();
        let read_table = |_: &str| Err("it is not there".into());
        let program = xmi::read(&source, None, &mut diagnostics)
            .and_then(|model| resolve(&model, &source, &read_table, &mut diagnostics));
        let problems = diagnostics
            .sorted()
            .into_iter()
            .map(|problem| format!("{} {}", problem.code, problem.message))
            .collect();
        (program, problems)
    }
}

fn parts(list: &str) -> impl Iterator<Item = &str> {
    list.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// Returns the problems of a model in [`Case`]'s notation, and its outline. Lines are `nodes: …`
/// (`priced: …` if all actions have costs), `flows: …`, `class: …`, `main: …`, and stereotypes.
fn resolved(parts_of_case: &str) -> String {
    let lines = |word: &str| -> Vec<String> {
        let lines = parts_of_case.lines();
        let of_word = lines.filter_map(|it| it.strip_prefix(word)?.strip_prefix(": "));
        of_word.map(str::to_owned).collect()
    };
    let [nodes, priced, flows, class, main] =
        ["nodes", "priced", "flows", "class", "main"].map(lines);
    let is_part = |it: &&str| {
        let (word, _) = it.split_once(": ").unwrap_or_default();
        ["nodes", "priced", "flows", "class", "main"].contains(&word)
    };
    let others = parts_of_case.lines().filter(|it| !is_part(it));
    let mut stereotypes: Vec<String> = others.map(str::to_owned).collect();
    let actions = priced.iter().flat_map(|it| parts(it));
    let actions = actions.filter_map(|it| it.strip_prefix("Action "));
    stereotypes.extend(actions.map(|name| format!("action {name} time=\"1\"")));
    let stereotypes: Vec<&str> = stereotypes.iter().map(String::as_str).collect();
    let (program, problems) = Case {
        nodes: &[nodes, priced].concat().join(";"),
        flows: &flows.join(";"),
        stereotypes: &stereotypes,
        class: &class.join("\n"),
        main: &main.join("\n"),
    }
    .resolve();
    let lines: Vec<String> = problems.iter().map(|it| format!("{it}\n")).collect();
    let mut text = lines.concat();
    if let Some(program) = program {
        let outline = concurrent::outline(&program);
        let shown = if outline.is_empty() {
            "nothing happens"
        } else {
            &outline
        };
        let _ = writeln!(text, "{shown}");
        for lock in &program.locks {
            let _ = writeln!(text, "lock {lock}");
        }
    }
    text
}

#[test]
fn each_problem_is_told_as_it_is() {
    let mut told = String::new();
    for file in ["tests/cases/resolver.txt", "tests/cases/forks.txt"] {
        assert_cases(file, |case| {
            let found = resolved(case.input);
            told.push_str(&found);
            found
        });
    }
    let codes = told.lines().filter_map(|it| it.get(..6));
    let is_resolver_s = |code: &str| {
        ["PM03", "PM04", "PM06"]
            .iter()
            .any(|it| code.starts_with(it))
    };
    let mut seen: BTreeSet<String> = codes
        .filter(|it| is_resolver_s(it))
        .map(str::to_owned)
        .collect();
    // Separate tests cover the rules about deep models, multiplying calls, argument names and
    // shared loops.
    seen.extend(["PM0612", "PM0609", "PM0317", "PM0318", "PM0450"].map(str::to_owned));
    let all = catalogue::all().map(|rule| rule.code.to_owned());
    let all: BTreeSet<String> = all.filter(|code| is_resolver_s(code)).collect();
    assert_eq!(seen, all, "each rule has a case, and each case a rule");
}

#[test]
fn a_missing_tag_is_told_by_its_name_and_meaning() {
    let mut kinds = 0;
    for kind in StereotypeKind::ALL {
        let name = kind.name();
        let text = Case {
            nodes: "Initial I; Action A",
            flows: "I A",
            stereotypes: &[&format!("{name} A")],
            ..Case::default()
        }
        .text();
        let source = Source::new("model.uml", text);
        let mut diagnostics = Diagnostics::new();
        let model = xmi::read(&source, None, &mut diagnostics).expect("a model");
        resolve(
            &model,
            &source,
            &|_| Err("no table".into()),
            &mut diagnostics,
        );
        let missing = diagnostics.sorted().into_iter();
        let missing: Vec<_> = missing.filter(|it| it.code == "PM0404").collect();
        kinds += usize::from(!missing.is_empty());
        for it in missing {
            let message = &it.message;
            assert!(message.contains(&format!("`{name}`")), "{message}");
            assert!(
                !message.contains("how many elements") && !it.help.is_empty(),
                "{message}"
            );
        }
    }
    assert!(kinds >= 10, "{kinds} kinds need a tag");
}

#[test]
fn an_argument_needs_a_name_only_if_its_function_is_called() {
    let function = r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="FA" name="FA">
<ownedParameter xmi:id="p" name="X$1" type="int"/><body>1</body></ownedBehavior>"#;
    let case = Case {
        nodes: "Action A",
        class: function,
        ..Case::default()
    };
    assert_eq!(case.resolve().1, [""; 0]);
    let called = Case {
        stereotypes: &[r#"action A cost="FA(1)""#],
        ..case
    };
    let problems = called.resolve().1;
    let told = problems
        .iter()
        .any(|it| it.starts_with("PM0609 \"X$1\" cannot be used as a name"));
    assert!(told, "{problems:#?}");
}

/// Creates activities A0, A1 and so on. Each runs the next one in `loops` loops with visible
/// variables.
fn loops_in_loops(levels: usize, loops: usize) -> Vec<String> {
    let mut class = String::new();
    let mut stereotypes = String::new();
    for level in 0..levels {
        let _ = write!(
            class,
            r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="A{level}" name="A{level}">"#
        );
        for number in 0..loops {
            let (id, next) = (format!("L{level}_{number}"), level + 1);
            let _ = write!(
                class,
                r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="{id}" name="{id}" behavior="A{next}"/>"#
            );
            if number > 0 {
                let before = number - 1;
                let _ = write!(
                    class,
                    r#"<edge xmi:type="uml:ControlFlow" xmi:id="{id}f" source="L{level}_{before}" target="{id}"/>"#
                );
            }
            let _ = write!(
                stereotypes,
                r#"<prophet:loop base_Element="{id}" iterations="2" variable="v{level}"/>"#
            );
        }
        class.push_str("</ownedBehavior>");
    }
    let names: Vec<String> = (0..levels).map(|level| format!("v{level}")).collect();
    let _ = write!(
        class,
        r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="A{levels}" name="A{levels}">
<node xmi:type="uml:OpaqueAction" xmi:id="W" name="W"/></ownedBehavior>"#
    );
    let _ = write!(
        stereotypes,
        r#"<prophet:action base_Element="W" cost="{}"/>"#,
        names.join("+")
    );
    let main = r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="Go" name="Go" behavior="A0"/>"#;
    let case = Case {
        class: &class,
        main,
        ..Case::default()
    };
    let text = case
        .text()
        .replace("</uml:Model>", &format!("{stereotypes}</uml:Model>"));
    let source = Source::new("model.uml", text);
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics).expect("there are activities");
    let read_table = |_: &str| Err("".into());
    let _ = resolve(&model, &source, &read_table, &mut diagnostics);
    diagnostics
        .sorted()
        .into_iter()
        .map(|problem| problem.code.into_owned())
        .collect()
}

#[test]
fn loops_in_loops_see_the_variables_around_them() {
    assert!(loops_in_loops(3, 2).is_empty());
}

#[test]
fn what_would_be_copied_without_bound_is_refused() {
    let problems = loops_in_loops(30, 2);
    assert!(problems.contains(&"PM0612".to_owned()), "{problems:?}");
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let problems = loops_in_loops(400, 1);
    assert!(problems.contains(&"PM0612".to_owned()), "{problems:?}");
}
