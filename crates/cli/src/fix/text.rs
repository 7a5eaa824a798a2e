//! Assumptions, written into a model as text.

use std::collections::BTreeMap;

use prophet_codegen::assume::{Assumption, Change};
use prophet_model::diagnostic::Span;
use prophet_model::plantuml;

/// The text with the assumptions in it.
///
/// # Errors
///
/// A message, if one has no place in a text.
pub(super) fn fixed(text: &str, assumptions: &[Assumption]) -> Result<String, String> {
    // By their places: the bytes there, and what comes instead.
    let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    let mut parameters = Vec::new();
    for assumption in assumptions {
        let (place, test, parameter) = match &assumption.change {
            Change::Guard {
                flow,
                text: Some(test),
                parameter: Some(parameter),
            } => (*flow, test, parameter),
            Change::Test {
                place,
                text: test,
                parameter,
            } => (*place, test, parameter),
            _ => return Err(format!("this has no place in a text: {}", assumption.text)),
        };
        let (Span { start, end }, turned) = plantuml::condition_at(text, place)
            .ok_or_else(|| format!("there is no condition to change: {}", assumption.text))?;
        let test = if turned {
            format!("!({test})")
        } else {
            test.clone()
        };
        edits.insert(start, (end, test));
        let (name, value) = parameter;
        parameters.push(format!("  parameter double {name} = {value}\n"));
    }
    let (at, legend) = plantuml::legend_at(text);
    let mut parameters = parameters.concat();
    if !legend {
        parameters = format!("legend\n{parameters}end legend\n");
    }
    edits.insert(at, (at, parameters));
    let mut written = String::with_capacity(text.len());
    let mut done = 0;
    for (start, (end, new)) in edits {
        written += &text[done..start];
        written += &new;
        done = end;
    }
    Ok(written + &text[done..])
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use prophet_codegen::check::RuleSet;
    use prophet_codegen::generate::{Checked, check_source};
    use prophet_codegen::source::Source;

    use super::*;

    fn checked(text: &str, assumes: bool) -> Checked {
        let mut rules = RuleSet::shipped();
        if assumes {
            rules.assume();
        }
        let source = Source::new("order.puml", text);
        check_source(&rules, source, Path::new(""), None)
    }

    /// The text with what is assumed of it, which assumes nothing more.
    fn mended(text: &str) -> String {
        let assuming = checked(text, true);
        let expected = assuming.program.expect("nothing is open");
        let written = fixed(text, &assuming.assumptions).expect("all has a place");
        let strict = checked(&written, false);
        let program = strict.program.expect("nothing is open any more");
        let told = |program: &prophet_codegen::program::Program| {
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
        assert_eq!(mended(text), expected);
    }

    #[test]
    fn parameters_join_those_of_a_legend() {
        let text = "@startuml\nlegend\n  model Shop\nend legend\nstart\nwhile (more orders?)\n  \
                    :Pack;\nendwhile\nstop\n@enduml\n";
        let expected = "@startuml\nlegend\n  parameter double p_more_orders = 0.5\n  model Shop\n\
                        end legend\nstart\nwhile (bernoulli(p_more_orders))\n  :Pack;\nendwhile\n\
                        stop\n@enduml\n";
        assert_eq!(mended(text), expected);
    }

    #[test]
    fn a_case_is_not_changed() {
        let text = "@startuml\nstart\nswitch (the color?)\ncase (red)\n  :Stop;\ncase (green)\n  \
                    :Go;\nendswitch\nstop\n@enduml\n";
        let assuming = checked(text, true);
        assert!(!assuming.assumptions.is_empty());
        let problem = fixed(text, &assuming.assumptions).unwrap_err();
        assert!(
            problem.starts_with("there is no condition to change: "),
            "{problem}"
        );
    }
}
