//! Renders diagnostics as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format").
//!
//! This module writes the JSON itself, and a test validates it against the schema. `serde-sarif`
//! and its 32 packages would add more than 30 s of CPU time to the first build.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Diagnostic, Severity};
use crate::source::Source;
use crate::source::lines::Lines;
use prophet_map::Map;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub(super) fn log(
    source: &Source,
    diagnostics: &[Diagnostic],
    describe: &dyn Fn(&str) -> Option<String>,
) -> String {
    let lines = Lines::of(source);
    let kinds: Map<&str, Severity> = diagnostics
        .iter()
        .map(|it| (it.code.as_ref(), it.severity))
        .collect();
    let indices: Map<&str, usize> = kinds.keys().copied().zip(0..).collect();
    let rules: Vec<Value> = kinds
        .iter()
        .map(|(code, severity)| rule(code, *severity, describe(code)))
        .collect();
    let results: Vec<Value> = diagnostics
        .iter()
        .map(|it| result(source, &lines, it, indices[it.code.as_ref()]))
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Performance Prophet",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let text = serde_json::to_string_pretty(&log).expect("strings and numbers are always JSON");
    prophet_text::plain::json(&text)
}

fn rule(code: &str, severity: Severity, summary: Option<String>) -> Value {
    let mut rule = json!({
        "id": code,
        "defaultConfiguration": { "level": severity.name() },
    });
    if let Some(summary) = summary {
        rule["shortDescription"] = json!({ "text": summary });
    }
    rule
}

fn result(source: &Source, lines: &Lines<'_>, it: &Diagnostic, rule_index: usize) -> Value {
    let (line, column) = lines.place(it.span.start);
    let (end_line, end_column) = lines.place(it.span.end.max(it.span.start));
    let text = if it.help.is_empty() {
        it.message.clone()
    } else {
        format!("{}; {}", it.message, it.help)
    };
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(source.name_at(it.span.start)) },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": end_line,
                "endColumn": end_column,
            },
        },
    });
    if !it.element.is_empty() {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": it.element }]);
    }
    json!({
        "ruleId": it.code,
        "ruleIndex": rule_index,
        "level": it.severity.name(),
        "message": { "text": text },
        "locations": [location],
    })
}

/// Converts a file's name to a URI reference (RFC 3986). Bytes that aren't allowed are escaped as
/// `%` and two digits.
fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len());
    if name.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Span;

    fn check(name: &str) -> Value {
        let source = Source::new(name.to_owned(), "<a>\n  <é b=\"c\"/>\n</a>".to_owned());
        let start = source.text.find("b=").expect("it is there");
        let code = "PM0801".into();
        let problem = Diagnostic::of_kind(
            code,
            Severity::Warning,
            Span::new(start, start + 5),
            "wrong",
        );
        let problems = [problem.element("Model::A").help("change it")];
        let text = log(&source, &problems, &|code| Some(format!("About {code}.")));
        serde_json::from_str(&text).expect("it is JSON")
    }

    #[test]
    fn says_what_is_where() {
        let log = check("a model.uml");
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "PM0801");
        assert_eq!(result["message"]["text"], "wrong; change it");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20model.uml");
        let region = json!({"startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 11});
        assert_eq!(place["region"], region);
        let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
        assert_eq!(rule["shortDescription"]["text"], "About PM0801.");
    }

    #[test]
    fn an_absolute_path_becomes_a_file_uri() {
        let log = check("/tmp/ä.uml");
        let location = &log["runs"][0]["results"][0]["locations"][0];
        let uri = &location["physicalLocation"]["artifactLocation"]["uri"];
        assert_eq!(uri, "file:///tmp/%C3%A4.uml");
    }
}
