//! Tests what is assumed about drawings that leave something open.

use std::fmt::Write as _;
use std::path::Path;

use super::{Change, step_s};
use crate::check::RuleSet;
use crate::checked::{Checked, check_source};
use crate::lang::constant::Constant;
use prophet_model::diagnostic::Severity;
use prophet_model::source::Source;
use prophet_testing::assert_cases;

/// Creates an activity from lines such as `OpaqueAction x`, `OpaqueAction x: content`, `x -> y`, or
/// `x -> y: C: guard`. Lines with stereotype attributes go to the end of the model. XML isn't
/// changed.
fn drawing(lines: &str) -> String {
    if lines.starts_with('<') {
        return lines.to_owned();
    }
    let (mut activity, mut applied) = (String::new(), String::new());
    for (number, line) in lines.lines().enumerate() {
        if line.starts_with("base_") {
            let space = "xmlns:p=\"http:///schemas/prophet/1\"";
            let _ = write!(applied, "<p:action {space} {line}/>");
            continue;
        }
        let (head, more) = line.split_once(": ").unwrap_or((line, ""));
        if let Some((source, target)) = head.split_once(" -> ") {
            let _ = writeln!(
                activity,
                "<edge xmi:type=\"uml:ControlFlow\" xmi:id=\"e{number}\" source=\"{source}\" \
                 target=\"{target}\">{}</edge>",
                guard(more)
            );
        } else {
            let (kind, name) = head.split_once(' ').expect("a kind and a name");
            let _ = writeln!(
                activity,
                "<node xmi:type=\"uml:{kind}\" xmi:id=\"{name}\" name=\"{name}\">{more}</node>"
            );
        }
    }
    format!(
        "<uml:Model xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
         xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" name=\"M\">\n\
         <packagedElement xmi:type=\"uml:Activity\" xmi:id=\"Main\" name=\"Main\">\n\
         {activity}</packagedElement>{applied}</uml:Model>"
    )
}

/// Creates a guard from `C: pid > 0`, or from `: yes` if it has no language.
fn guard(text: &str) -> String {
    text.split_once(": ")
        .map_or_else(String::new, |(language, body)| {
            format!(
                "<guard xmi:type=\"uml:OpaqueExpression\"><language>{language}</language>\
             <body>{body}</body></guard>"
            )
        })
}

fn checked(text: &str, step_s: Option<f64>) -> Checked {
    let mut rules = RuleSet::shipped();
    if let Some(step_s) = step_s {
        rules.assume_steps(step_s);
    }
    let source = Source::new("model.uml", text.to_owned());
    check_source(&rules, source, Path::new(""), None)
}

fn verdict(checked: &Checked) -> String {
    let errors = checked
        .diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error);
    let errors: Vec<&str> = errors.map(|it| &*it.code).collect();
    match &checked.program {
        Some(program) if errors.is_empty() => format!("costs {}", program.costs),
        _ => format!("refused {}", errors.join(" ")),
    }
}

#[test]
fn what_drawings_leave_open_is_assumed() {
    assert_cases("tests/cases/assumed.txt", |case| {
        let steps = case
            .input
            .strip_prefix("steps ")
            .and_then(|it| it.split_once('\n'));
        let (step, lines) = steps.unwrap_or(("0", case.input));
        let text = drawing(lines);
        let strict = checked(&text, None);
        assert!(strict.assumptions.is_empty());
        let mended = checked(&text, Some(step.parse().expect("a number of seconds")));
        let mut told = format!("strictly: {}\n", verdict(&strict));
        for it in &mended.assumptions {
            let _ = writeln!(told, "{}", it.text);
            if let Change::Guard {
                text: Some(text), ..
            } = &it.change
            {
                let _ = writeln!(told, "    {text}");
            }
        }
        let _ = writeln!(told, "then: {}", verdict(&mended));
        let warnings = mended.diagnostics.iter().filter(|it| it.code == "PM0129");
        assert_eq!(warnings.count(), mended.assumptions.len(), "each is told");
        let Some(program) = &mended.program else {
            return told;
        };
        assert_eq!(program.is_unpriced(), program.costs.starts_with("missing"));
        for line in &program.assumptions {
            let _ = writeln!(told, "result: {line}");
        }
        for it in &program.parameters {
            if let Constant::Real(value) = it.default {
                let _ = writeln!(told, "{} = {value}", it.name);
            }
        }
        program
            .assumed_step_s
            .map_or(told.clone(), |it| format!("{told}step {it} s\n"))
    });
}

#[test]
fn nothing_is_assumed_of_a_sound_drawing() {
    let text = drawing("InitialNode i\nOpaqueAction x\ni -> x");
    let mended = checked(&text, Some(0.0));
    assert!(mended.assumptions.is_empty());
    let mut program = mended.program.expect("it is sound");
    let strict = checked(&text, None).program.expect("it is sound");
    program.costs.clone_from(&strict.costs);
    assert_eq!(program, strict);
}

#[test]
fn the_time_of_a_step_is_a_number_of_seconds() {
    assert_eq!(step_s(" 1e-3 "), Ok(0.001));
    for wrong in ["", "-1", "inf", "NaN", "2 ms"] {
        let problem = step_s(wrong).expect_err(wrong);
        assert!(
            problem
                .message
                .contains("the cost of a step in seconds, 0 or more"),
            "{problem}"
        );
    }
}

#[test]
fn conditions_in_words_may_follow_each_other() {
    let text = "@startuml\n(*) --> \"P\"\nif \"Is it\" then\n-->[yes] if \"Has it\" then\n\
                -->[yes] \"A\"\nelse\n->[no] \"B\"\nendif\nelse\n->[no] \"C\"\nendif\n@enduml\n";
    let mended = checked(text, Some(1.0));
    let program = mended.program.expect("all conditions are left to chance");
    for words in ["`Is it`", "`Has it`"] {
        let told = program.assumptions.iter().filter(|it| it.contains(words));
        assert_eq!(told.count(), 1, "{:#?}", program.assumptions);
    }
}
