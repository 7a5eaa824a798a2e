//! Implements `check --explain CODE`, which explains one diagnostic or lists all of them.

use std::collections::BTreeMap;
use std::process::ExitCode;

use prophet_codegen::diagnostic::{Severity, catalogue};
use prophet_frontend::check::{Rule, RuleSet};
use prophet_text::{Problem, did_you_mean, problem};

use crate::format::print;
use crate::{CommandOutcome, Stop};

/// The word that means all codes.
const ALL: &str = "all";

/// Prints the explanation of `code`, or a line for every code.
pub(crate) fn run(rules: &RuleSet, code: &str) -> CommandOutcome {
    let text = if code == ALL {
        list(rules)
    } else {
        explained(rules, code).map_err(Stop::usage)?
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Renders a line for each code, with its severity and its summary.
fn list(rules: &RuleSet) -> String {
    let stages = catalogue::all().map(|it| (it.code, (it.severity, it.summary)));
    let files = { rules.rules() }.map(|it| (&*it.code, (it.severity, &*it.summary)));
    let all: BTreeMap<&str, (Severity, &str)> = stages.chain(files).collect();
    let lines = { all.iter() }
        .map(|(code, (severity, summary))| format!("{code}  {:7}  {summary}\n", severity.name()));
    lines.collect()
}

/// Explains a code.
///
/// # Errors
///
/// Returns an error if the code is unknown.
fn explained(rules: &RuleSet, code: &str) -> Result<String, Problem> {
    if let Some(rule) = rules.rules().find(|it| it.code == code) {
        return Ok(explained_rule(rule));
    }
    if let Some(rule) = catalogue::all().find(|it| it.code == code) {
        return Ok(heading(rule.code, rule.severity, rule.summary));
    }
    let codes = rules.rules().map(|it| &*it.code);
    let hint = did_you_mean(code, codes.chain(catalogue::all().map(|it| it.code)));
    Err(problem!(
        "unknown code `{code}`{hint}\nhelp: list all codes with `check --explain {ALL}`"
    ))
}

/// Renders a rule from a rule file: its reason, its advice, and its drawings.
fn explained_rule(rule: &Rule) -> String {
    let mut text = heading(&rule.code, rule.severity, &rule.summary);
    if !rule.why.is_empty() {
        text.extend([&*rule.why, "\n"]);
    }
    text.extend([
        "\nhelp: ",
        &blank(&rule.help),
        "\nrule: ",
        &*rule.file,
        "\n",
    ]);
    for (title, sketch) in [("wrong", &rule.wrong), ("right", &rule.right)] {
        if !sketch.is_empty() {
            text.extend(["\n", title, ":\n"]);
            text.extend({ sketch.lines() }.map(|line| format!("  {line}\n")));
        }
    }
    text
}

fn heading(code: &str, severity: Severity, summary: &str) -> String {
    format!("{}[{code}]: {summary}\n", severity.name())
}

/// Replaces placeholders such as `{name}` with `…`.
fn blank(template: &str) -> String {
    let parts = template.split('{');
    let parts = parts.map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    parts.collect::<Vec<_>>().join("…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_its_reason_its_advice_and_its_drawings() {
        let text = explained(&RuleSet::shipped(), "PM0613").expect("there is such a rule");
        assert_eq!(
            text,
            "warning[PM0613]: An activity is never called.\n\
             Its elements are not part of the program and take no time.\n\n\
             help: call it, or delete it\n\
             rule: uml.mcl.xml\n\n\
             wrong:\n  start -> A -> end\n  activity Sub {\n    start -> B -> end\n  }\n\n\
             right:\n  start -> A -> S -> end\n  S: activity+ calls Sub\n  activity Sub {\n    \
             start -> B -> end\n  }\n"
        );
    }

    #[test]
    fn each_code_is_listed_once_and_explained() {
        let rules = RuleSet::shipped();
        let list = list(&rules);
        let codes: Vec<&str> = { list.lines() }
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{list}");
        assert_eq!(
            codes.len(),
            catalogue::all().count() + rules.rules().count()
        );
        for code in codes {
            let text = explained(&rules, code).expect("it is listed");
            assert!(text.contains(&format!("[{code}]: ")), "{text}");
            assert!(!text.contains('{') || text.contains("\nwrong:"), "{text}");
        }
    }

    #[test]
    fn an_unknown_code_is_an_error() {
        let problem = explained(&RuleSet::shipped(), "PM0614X").expect_err("it is unknown");
        assert_eq!(
            problem,
            "unknown code `PM0614X`; did you mean `PM0614`?\n\
             help: list all codes with `check --explain all`"
        );
    }
}
