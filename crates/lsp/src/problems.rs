//! Finds the problems in a document.

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_source};
use prophet_model::diagnostic::{Diagnostic, Severity};
use prophet_model::source::Source;
use prophet_runtime::{Machine, Problem};
use serde_json::{Value, json};

use crate::document::{Document, Kind};
use crate::position::Positions;

const ERROR: u8 = 1;
const WARNING: u8 = 2;

/// Returns the problems in a document. If it is a model, also returns the checked model.
pub(crate) fn problems(document: &Document, rules: &RuleSet) -> (Vec<Value>, Option<Checked>) {
    match document.kind() {
        None => (Vec::new(), None),
        Some(Kind::Model) => {
            let checked = check_source(rules, document.model(), &document.folder(), None);
            let problems = listed(&checked.source, &document.text, &checked.diagnostics);
            (problems, Some(checked))
        }
        Some(Kind::Rules) => {
            let source = document.source();
            let problems = rules.clone().add(&source);
            (listed(&source, &document.text, &problems), None)
        }
        Some(Kind::Machine) => (machine(document), None),
    }
}

/// Returns the problems in this file. Problems in neighboring files are reported at its first
/// character.
fn listed(source: &Source, text: &str, problems: &[Diagnostic]) -> Vec<Value> {
    let positions = Positions::new(text);
    let value = |it: &Diagnostic| {
        let is_here = source.file_at(it.span.start).is_none();
        let range = if is_here {
            positions.first_line(it.span)
        } else {
            positions.range(0..0)
        };
        let mut message = it.message.clone();
        if !is_here {
            message = format!("{}: {message}", source.name_at(it.span.start));
        }
        if !it.help.is_empty() {
            message = format!("{message}\nhelp: {}", it.help);
        }
        json!({
            "range": range,
            "severity": severity(it.severity),
            "code": it.code,
            "source": "performance-prophet",
            "message": message,
        })
    };
    problems.iter().map(value).collect()
}

const fn severity(severity: Severity) -> u8 {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    }
}

fn machine(document: &Document) -> Vec<Value> {
    let path = document.path();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_xml = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("xml"));
    let read = if is_xml {
        Machine::parse_xml(&document.text, &name)
    } else {
        Machine::parse(&document.text, &name)
    };
    let positions = Positions::new(&document.text);
    let value = |problem: &Problem, severity: u8| {
        let line = usize::try_from(problem.line).unwrap_or(usize::MAX).max(1);
        json!({
            "range": positions.range(positions.line(line)),
            "severity": severity,
            "source": "performance-prophet",
            "message": problem.message,
        })
    };
    match read {
        Ok(machine) => {
            let warnings = machine.warnings().iter();
            warnings.map(|it| value(it, WARNING)).collect()
        }
        Err(problem) => vec![value(&problem, ERROR)],
    }
}
