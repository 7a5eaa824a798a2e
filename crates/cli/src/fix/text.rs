//! Writes assumptions into a text model.

use prophet_text::{Problem, problem};
use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_frontend::assume::{Assumption, Change};
use prophet_model::diagnostic::Span;
use prophet_model::plantuml::{self, Switch};

/// Returns the text of a model with the assumptions added.
///
/// # Errors
///
/// Returns an error if text models can't express an assumption.
pub(super) fn fixed(text: &str, assumptions: &[Assumption]) -> Result<String, Problem> {
    // Edits by start: the end of the replaced bytes, and the new text.
    let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let mut parameters = Vec::new();
    let mut switches = BTreeMap::new();
    for assumption in assumptions {
        let no_place = || problem!("a text model cannot express this: {}", assumption.text);
        let (place, test, parameter) = match &assumption.change {
            Change::Stereotype { name, tags, .. } if assumption.is_step => {
                let (place, label) = step(text, assumption.span, name, tags)
                    .ok_or_else(|| problem!("there is no label to change: {}", assumption.text))?;
                edits.insert(place.start, (place.end, label));
                continue;
            }
            Change::Guard {
                flow,
                text: Some(test),
                parameter,
            } => (*flow, test, parameter.as_ref()),
            Change::Test {
                place,
                text: test,
                parameter,
            } => (*place, test, Some(parameter)),
            _ => return Err(no_place()),
        };
        if let Some((name, value)) = parameter {
            parameters.push(format!("  parameter double {name} = {value}\n"));
        }
        if let Some(switch) = plantuml::switch_at(text, place) {
            let case = switch.cases.iter().position(|it| it.line.end > place.start);
            let case = case.ok_or_else(no_place)?;
            let (_, tests) = switches
                .entry(switch.begin.start)
                .or_insert_with(|| (switch, BTreeMap::new()));
            tests.insert(case, test.as_str());
            continue;
        }
        if parameter.is_none() {
            return Err(no_place());
        }
        let (Span { start, end }, turned) = plantuml::condition_at(text, place)
            .ok_or_else(|| problem!("there is no condition to change: {}", assumption.text))?;
        let test = if turned {
            format!("!({test})")
        } else {
            test.clone()
        };
        edits.insert(start, (end, test));
    }
    for (switch, tests) in switches.values() {
        for (span, new) in chosen(text, switch, tests) {
            edits.insert(span.start, (span.end, new));
        }
    }
    if !parameters.is_empty() {
        let (at, legend) = plantuml::legend_at(text);
        let mut parameters = parameters.concat();
        if !legend {
            parameters = format!("legend\n{parameters}end legend\n");
        }
        edits.insert(at, (at, parameters));
    }
    Ok(replaced(text, edits))
}

/// Replaces parts of the text. Each edit has a start, an end, and new text.
fn replaced(text: &str, edits: BTreeMap<usize, (usize, String)>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut done = 0;
    for (start, (end, new)) in edits {
        written += &text[done..start];
        written += &new;
        done = end;
    }
    written + &text[done..]
}

/// Returns the position of an action's label, and the label with a stereotype and its tags added.
/// Returns `None` if the action has no label.
fn step(
    text: &str,
    place: Span,
    stereotype: &str,
    tags: &[(&'static str, String)],
) -> Option<(Span, String)> {
    let span = plantuml::label_at(text, place)?;
    let label = &text[span.range()];
    let begin = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[begin..place.start];
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut changed = if label.contains("<<") || label.contains('«') {
        label.trim_end().to_owned()
    } else {
        // After a stereotype, only the first line is the name.
        let lines = label.split('\n').flat_map(|it| it.split("\\n"));
        let lines = lines.map(str::trim).filter(|it| !it.is_empty());
        let words: Vec<&str> = lines.enumerate().map(without_bold).collect();
        format!("<<{stereotype}>> {}", words.join(" "))
    };
    for (tag, value) in tags {
        let _ = write!(changed, "\n{indent}{tag} = {value}");
    }
    Some((span, changed))
}

/// Returns a line of a label. If the first line is bold, its markup is removed, because joined
/// lines can't keep it.
fn without_bold((number, line): (usize, &str)) -> &str {
    let bold = line.strip_prefix("**").and_then(|it| it.strip_suffix("**"));
    bold.filter(|_| number == 0).unwrap_or(line)
}

/// Returns the edits that turn a `switch` into an `if`. `tests` contains new tests for some cases.
/// The test `else` means all remaining cases. The question of the `switch` becomes a comment.
fn chosen(text: &str, switch: &Switch, tests: &BTreeMap<usize, &str>) -> Vec<(Span, String)> {
    let Switch { begin, cases, end } = switch;
    let last = cases.len() - 1;
    let rest = tests
        .iter()
        .find(|(_, test)| **test == "else")
        .map(|(at, _)| *at);
    let mut first = format!("' {}", &text[begin.range()]);
    if rest != Some(last) {
        first.push_str("\n'@ otherwise = none");
    }
    let mut edits = vec![(*begin, first), (*end, "endif".to_owned())];
    for (at, case) in cases.iter().enumerate() {
        let test = tests.get(&at).copied().unwrap_or(&case.condition);
        let word = if at == 0 { "if" } else { "elseif" };
        let says_yes_or_no = ["yes", "true", "no", "false"]
            .iter()
            .any(|it| case.value.eq_ignore_ascii_case(it));
        let label = if says_yes_or_no {
            format!("(is {})", case.value)
        } else {
            format!("({})", case.value)
        };
        let line = match test {
            "else" if at == last && at > 0 => format!("else {label}"),
            // A single case is always taken.
            "else" => format!("{word} (true) then {label}"),
            test => format!("{word} ({test}) then {label}"),
        };
        edits.push((case.line, line));
    }
    edits
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use prophet_codegen::source::Source;
    use prophet_frontend::check::RuleSet;
    use prophet_frontend::checked::{Checked, check_source};

    use super::*;

    /// Checks a text. Assumed steps take `step_s` seconds.
    fn checked(text: &str, step_s: Option<f64>) -> Checked {
        let mut rules = RuleSet::shipped();
        if let Some(step_s) = step_s {
            rules.assume_steps(step_s);
        }
        let source = Source::new("order.puml", text);
        check_source(&rules, source, Path::new(""), None)
    }

    /// Returns the text with its assumptions added, and asserts that none are left.
    fn mended(text: &str, step_s: f64) -> String {
        let assuming = checked(text, Some(step_s));
        let expected = assuming.program.expect("nothing is open");
        let written = fixed(text, &assuming.assumptions).expect("all has a place");
        let strict = checked(&written, None);
        let program = strict.program.expect("nothing is open any more");
        let told = |program: &prophet_frontend::program::Program| {
            let parameters = program.parameters.iter();
            let mut all: Vec<_> = parameters
                .map(|it| (it.name.clone(), format!("{:?}", it.default)))
                .collect();
            all.sort();
            all
        };
        assert_eq!(told(&program), told(&expected), "{written}");
        assert!(program.assumptions.is_empty());
        written
    }

    #[test]
    fn words_become_probabilities() {
        let text = "@startuml\ntitle Order\nstart\nif (In stock?) then (yes)\n  :Pack;\n\
                    elseif (Made here?) then (no)\n  :Buy;\nendif\nrepeat\n  :Wait;\n\
                    repeat while (arrived?) is (no) not (yes)\nstop\n@enduml\n";
        let expected = "@startuml\nlegend\n  parameter double p_in_stock = 0.3333333333333333\n  \
                        parameter double p_made_here = 0.3333333333333333\n  \
                        parameter double p_arrived = 0.5\nend legend\ntitle Order\nstart\n\
                        if (bernoulli(p_in_stock)) then (yes)\n  :Pack;\n\
                        elseif (!(bernoulli(min(1.0, p_made_here / (1.0 - p_in_stock))))) \
                        then (no)\n  :Buy;\nendif\nrepeat\n  :Wait;\n\
                        repeat while (!(bernoulli(p_arrived))) is (no) not (yes)\nstop\n@enduml\n";
        assert_eq!(mended(text, 0.0), expected);
    }

    #[test]
    fn parameters_join_those_of_a_legend() {
        let text = "@startuml\nlegend\n  model Shop\nend legend\nstart\nwhile (more orders?)\n  \
                    :Pack;\nendwhile\nstop\n@enduml\n";
        let expected = "@startuml\nlegend\n  parameter double p_more_orders = 0.5\n  model Shop\n\
                        end legend\nstart\nwhile (bernoulli(p_more_orders))\n  :Pack;\nendwhile\n\
                        stop\n@enduml\n";
        assert_eq!(mended(text, 0.0), expected);
    }

    #[test]
    fn steps_get_a_stereotype_and_a_cost() {
        let text = "@startuml\nstart\n:Receive;\nif (pid > 0) then\n  #pink:Pack it|\n  \
                    :<<action+>> Wait;\nendif\nstop\n@enduml\n";
        let expected = "@startuml\nstart\n:<<action+>> Receive\ncost = 0.5;\nif (pid > 0) \
                        then\n  #pink:<<action+>> Pack it\n  cost = 0.5|\n  \
                        :<<action+>> Wait\n  cost = 0.5;\nendif\nstop\n@enduml\n";
        assert_eq!(mended(text, 0.5), expected);
    }

    #[test]
    fn a_label_may_have_several_lines() {
        let text = "@startuml\nstart\n  :**Read**\n  * the order;\n:x\ny = 2 units;\n\
                    :Save; <<save>>\nstop\n@enduml\n";
        let expected = "@startuml\nstart\n  :<<action+>> Read * the order\n  cost = 0.5;\n\
                        :<<action+>> x y = 2 units\ncost = 0.5;\n\
                        :<<action+>> Save\ncost = 0.5; <<save>>\nstop\n@enduml\n";
        assert_eq!(mended(text, 0.5), expected);
    }

    #[test]
    fn a_switch_becomes_an_if() {
        let text = "@startuml\nstart\nswitch (the color?)\ncase (red)\n  :Stop;\ncase (yes)\n  \
                    :Go;\ncase (blue)\n  :Wait;\nendswitch\nstop\n@enduml\n";
        let expected = "@startuml\nlegend\n  parameter double p_the_color_red = \
                        0.3333333333333333\n  parameter double p_the_color_yes = \
                        0.3333333333333333\nend legend\nstart\n' switch (the color?)\n\
                        if (bernoulli(p_the_color_red)) then (red)\n  :Stop;\n\
                        elseif (bernoulli(min(1.0, p_the_color_yes / (1.0 - p_the_color_red)))) \
                        then (is yes)\n  :Go;\nelse (blue)\n  :Wait;\nendif\nstop\n@enduml\n";
        assert_eq!(mended(text, 0.0), expected);
    }

    #[test]
    fn a_comparison_is_one_condition() {
        let text = "@startuml\nstart\nif (the color?) is (red) then (stop)\n  :Stop;\nelse\n  \
                    :Go;\nendif\nstop\n@enduml\n";
        let written = mended(text, 0.0);
        let expected = "\nif (bernoulli(p_the_color_red)) then (stop)\n";
        assert!(written.contains(expected), "{written}");
    }

    #[test]
    fn the_rounds_of_a_loop_with_a_break_are_left_to_chance() {
        let text = "@startuml\nstart\nrepeat\n  :Try;\n  if (Done?) then (yes)\n    break\n  \
                    endif\n  backward :Clean;\nrepeat while (More\nto try?) is (yes)\nstop\n\
                    @enduml\n";
        let written = mended(text, 0.0);
        let expected = "repeat while (bernoulli(p_more_to_try)) is (yes)\n";
        assert!(written.contains(expected), "{written}");
    }
}
