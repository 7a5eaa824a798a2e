//! Tests the working sets of small models written as text.

use std::path::Path;

use super::*;
use crate::check::RuleSet;
use crate::checked::check_source;
use prophet_model::source::Source;

/// Returns the names of elements with their working sets, for a parameter `N` of 100 and four
/// processes.
fn found(legend: &str, body: &str) -> Vec<(String, i64)> {
    let text = format!(
        "@startuml\ntitle Main\nlegend\n model M\n parameter int N = 10\n{legend}\nend legend\n\
         start\n{body}\nstop\n@enduml\n"
    );
    let source = Source::new("model.puml".to_owned(), text);
    let checked = check_source(&RuleSet::shipped(), source, Path::new(""), None);
    let program = checked.program.expect("a program");
    let system = |name| (name == System::NumProcesses).then_some(4);
    let sets = working_sets(&program, &[Constant::Int(100)], &system).into_iter();
    let named = sets.map(|(element, bytes)| (program.elements[element].name.clone(), bytes));
    named.collect()
}

fn action(name: &str, working_set: &str) -> String {
    format!(":<<action+>> {name}\ncost = 1\nbytes = 1\nworking_set = {working_set};\n")
}

fn bytes(legend: &str, working_set: &str) -> Option<i64> {
    let sets = found(legend, &action("A", working_set));
    sets.first().map(|it| it.1)
}

#[test]
fn values_are_known_that_no_run_changes() {
    let global = "global int G = 8 * N";
    let function = "int F(int a) { a * G + N }";
    let both = format!("{global}\n{function}");
    assert_eq!(bytes("", "8 * N * N / NUM_PROCESSES"), Some(20_000));
    assert_eq!(bytes(&both, "F(2) + F(1)"), Some(2600));
    assert_eq!(bytes("", "pid > 0 ? 1 : 2"), None);
    assert_eq!(bytes("", "N / (N - 100)"), None);
    assert_eq!(bytes("global int G", "G"), Some(0));
    let code = format!(
        ":<<action+>> B\ncost = 1;\nnote right\ncode\nG = 1;\nend note\n{}",
        action("A", "G")
    );
    assert_eq!(found(global, &code), []);
}

#[test]
fn an_element_counts_that_each_run_executes() {
    let count = |body: String| found("", &body).len();
    let inside = action("A", "N");
    for (condition, is_certain) in [("N > 5", true), ("N > 500", false), ("pid == 0", false)] {
        let body = format!("if ({condition}) then\n{inside}endif\n{}", action("B", "1"));
        assert_eq!(count(body), 1 + usize::from(is_certain), "{condition}");
    }
    for (iterations, is_certain) in [("N", true), ("N - 100", false), ("pid", false)] {
        let body =
            format!("partition \"<<loop+>> L\\niterations = {iterations}\" {{\n{inside}}}\n");
        assert_eq!(count(body), usize::from(is_certain), "{iterations}");
    }
    let ends = format!("if (pid > 0) then\n  stop\nendif\n{inside}");
    assert_eq!(count(ends), 0, "some processes end before");
    let twice = format!(
        "repeat\n{inside}repeat while (pid > 9)\n{}",
        action("B", "1")
    );
    assert_eq!(count(twice), 1, "what comes after the loop is not certain");
    let threads = format!("fork\n{inside}fork again\n{}end fork\n", action("B", "1"));
    assert_eq!(count(threads), 2);
}
