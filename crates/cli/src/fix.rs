//! Implements `check --fix`, which writes assumptions into the model file.

use prophet_text::{Problem, problem};
mod text;

use std::collections::BTreeSet;
use std::path::Path;

use prophet_codegen::diagnostic::{Diagnostic, Severity, Span};
use prophet_edit::{Document, Edit, Outline};
use prophet_frontend::assume::{Assumption, Change, End, Node};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_source};
use prophet_frontend::program::Program;
use prophet_model::source::Source;
use prophet_model::source::lines::Lines;
use prophet_model::xmi;
use prophet_targets::read_back::{Difference, difference, place_of};

/// Edge length of a new node, and its distance from the neighboring node.
const SIZE: f64 = 20.0;

/// Writes the assumptions about a model into its file. All other bytes stay unchanged.
///
/// # Errors
///
/// Returns an error if the file is an archive, lacks ids where they are needed, or can't be
/// written.
pub(crate) fn write(
    model: &Path,
    (rules, main): (&RuleSet, Option<&str>),
    checked: &Checked,
) -> Result<(), Problem> {
    let Checked {
        source,
        assumptions,
        ..
    } = checked;
    let told = |why: Problem| problem!("cannot fix {}: {why}", model.display());
    if let Some(assumption) = assumptions
        .iter()
        .find(|it| it.span.start > source.own_text().len())
    {
        let file = source.name_at(assumption.span.start);
        let why = problem!(
            "{} is in another file; fix `{file}` separately",
            assumption.element
        );
        return Err(told(why));
    }
    let bytes = xmi::bytes(model)?;
    let form = xmi::form(&bytes);
    let text = xmi::decode(&model.display().to_string(), bytes.clone())?.text;
    let form = form.filter(|it| it.encode(&text) == bytes).ok_or_else(|| {
        let why = "only text files can be changed, not archives";
        told(why.into())
    })?;
    let by_hand = assumptions.iter().find(|it| it.change == Change::ByHand);
    if let Some(Assumption { text, .. }) = by_hand {
        return Err(told(problem!(
            "only the model's author can decide this: {text}"
        )));
    }
    let fixed = if prophet_model::plantuml::is_text(&text) {
        text::fixed(&text, assumptions)
    } else {
        fixed(text, assumptions)
    };
    let fixed = fixed.map_err(told)?;
    let after = check_text(model, (rules, main), fixed.clone());
    compared(checked, &after).map_err(told)?;
    prophet_files::save(model, form.encode(&fixed))
}

/// Checks a text as if it were the content of the file.
fn check_text(model: &Path, (rules, main): (&RuleSet, Option<&str>), text: String) -> Checked {
    let source = Source::new(model.display().to_string(), text);
    let source = xmi::with_files_beside(source, model);
    let folder = model.parent().unwrap_or(Path::new(""));
    check_source(rules, source, folder, main)
}

/// Compares a model with the text that is about to be written. The text must describe the same
/// program, without assumptions or new errors.
fn compared(before: &Checked, after: &Checked) -> Result<(), Problem> {
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let known = before.diagnostics.iter().filter(is_error);
    let known: BTreeSet<(&str, &str)> = known.map(|it| (&*it.code, &*it.element)).collect();
    let mut errors = after.diagnostics.iter().filter(is_error);
    let new = errors.find(|it| !known.contains(&(&*it.code, &*it.element)));
    let new = new.map(|it| {
        let place = before
            .model
            .as_ref()
            .and_then(|model| place_of(model, &it.element));
        (
            place,
            format!("have an error: {} ({})", it.message, it.code),
        )
    });
    let open = after.assumptions.first();
    let open = open.map(|it| (None, format!("leave something open: {}", it.text)));
    let other = || {
        let [wanted, made] = [before, after].map(|it| it.program.as_ref().map(without_comments));
        let Difference { place, why, .. } = difference(&wanted?, &made?)?;
        Some((place, format!("be a different program: {why}")))
    };
    let Some((place, what)) = new.or(open).or_else(other) else {
        return Ok(());
    };
    let place = place.map_or_else(String::new, |place| {
        let (line, column) = Lines::of(&before.source).place(place.start);
        format!("at {line}:{column}, ")
    });
    Err(problem!(
        "internal error: {place}the model would {what}; the file was not changed"
    ))
}

/// Removes the comments of a program's parameters. Assumed parameters have comments, but parameters
/// in a file don't.
fn without_comments(program: &Program) -> Program {
    let mut program = program.clone();
    for parameter in &mut program.parameters {
        parameter.comment = None;
    }
    program
}

/// Returns the text of a model with the assumptions added.
fn fixed(text: String, assumptions: &[Assumption]) -> Result<String, Problem> {
    let outline = Outline::read(&text)?;
    let places = Places { outline };
    let mut edits = Vec::new();
    // The types of nodes are replaced last, from the end of the file, because each change moves
    // what follows it.
    let mut kinds = Vec::new();
    for Assumption {
        change, program, ..
    } in assumptions
    {
        match change {
            Change::Kind { element, from, to } => {
                kinds.push((places.id(*element)?, *from, *to));
            }
            change => edits.extend(places.edits(change, *program)?),
        }
    }
    let mut document = Document::new(text);
    document.apply("Fix", &edits)?;
    for (id, from, to) in kinds {
        retype(&mut document, &id, from, to)?;
    }
    Ok(document.text().to_owned())
}

fn retype(document: &mut Document, id: &str, from: &str, to: &str) -> Result<(), Problem> {
    let outline = Outline::read(document.text())?;
    let text = document.text();
    let tags = text.match_indices('<').map(|(start, _)| start);
    let start = tags.clone().find(|start| outline.id_at(*start) == Some(id));
    let tag = start.and_then(|start| Some(start..start + text[start..].find('>')?));
    let place = tag.and_then(|tag| {
        let at = tag.start + text[tag].find(from)?;
        Some(at..at + from.len())
    });
    let place = place.ok_or_else(|| problem!("`{id}` does not name its type {from}"))?;
    document.put("Fix", place, to)
}

struct Places {
    outline: Outline,
}

impl Places {
    fn id(&self, place: Span) -> Result<String, Problem> {
        let id = self.outline.id_at(place.start);
        // An element without an id is identified by its position, which differs in a new text.
        let id = id.filter(|it| !it.starts_with('#')).map(str::to_owned);
        id.ok_or_else(|| problem!("an element at byte {} has no id", place.start))
    }

    fn end(&self, end: End) -> Result<String, Problem> {
        match end {
            End::Drawn(place) => self.id(place),
            End::Added(number) => Ok(format!("${}", key(number))),
        }
    }

    fn edits(&self, change: &Change, program: Span) -> Result<Vec<Edit>, Problem> {
        Ok(match change {
            Change::Guard {
                flow,
                text,
                parameter,
            } => {
                let flow = self.id(*flow)?;
                let parameter = self.parameter(program, "Real", parameter.as_ref())?;
                // A guard in another language would keep that language.
                let gone = Edit::Guard {
                    flow: flow.clone(),
                    text: None,
                };
                let text = text.clone();
                let guard = Edit::Guard { flow, text };
                parameter.into_iter().chain([gone, guard]).collect()
            }
            Change::Body { element } => vec![Edit::Body {
                element: self.id(*element)?,
                text: None,
            }],
            Change::Before(node) => {
                let new = format!("${}", key(node.number));
                let mut edits = vec![self.new_node(node, -2.0 * SIZE)?];
                for moved in &node.flows {
                    let (flow, source) = (self.id(moved.flow)?, self.end(moved.kept)?);
                    edits.push(reconnect(flow, source, new.clone()));
                }
                edits.push(self.link(node, new, self.end(node.element)?)?);
                edits
            }
            Change::Behind(node) => {
                let new = format!("${}", key(node.number));
                let mut edits = vec![self.new_node(node, 2.0 * SIZE)?];
                for moved in &node.flows {
                    let (flow, target) = (self.id(moved.flow)?, self.end(moved.kept)?);
                    edits.push(reconnect(flow, new.clone(), target));
                }
                edits.push(self.link(node, self.end(node.element)?, new)?);
                edits
            }
            Change::Test { text, .. } => {
                return Err(problem!(
                    "the test of a loop or clause cannot be changed; write `{text}` as the body of \
                     its action"
                ));
            }
            Change::Stereotype {
                element,
                name,
                tags,
                parameter,
            } => {
                let parameter = self.parameter(program, "Integer", parameter.as_ref())?;
                let element = self.id(*element)?;
                parameter
                    .into_iter()
                    .chain(apply(&element, name, tags))
                    .collect()
            }
            Change::Gone(places) => {
                let elements = places.iter().map(|place| self.id(*place));
                let elements = elements.collect::<Result<Vec<_>, _>>()?;
                vec![Edit::Remove { elements }]
            }
            Change::Kind { .. } | Change::ByHand => Vec::new(),
        })
    }

    /// Returns the edit that adds a parameter, if a change needs one.
    fn parameter(
        &self,
        program: Span,
        type_name: &str,
        parameter: Option<&(String, String)>,
    ) -> Result<Option<Edit>, Problem> {
        let add = |it| Ok(model_parameter(self.id(program)?, type_name, it));
        parameter.map(add).transpose()
    }

    /// Returns the edit that draws a new node next to an existing one.
    fn new_node(&self, node: &Node, distance: f64) -> Result<Edit, Problem> {
        let beside = match node.element {
            End::Drawn(place) => self.outline.bounds(&self.id(place)?),
            End::Added(_) => None,
        };
        let [x, y, ..] = beside.unwrap_or_default();
        Ok(Edit::AddNode {
            diagram: self.id(node.diagram)?,
            kind: node.kind.to_owned(),
            name: String::new(),
            stereotype: None,
            x: x + distance,
            y,
            width: SIZE,
            height: SIZE,
            key: Some(key(node.number)),
        })
    }

    fn link(&self, node: &Node, source: String, target: String) -> Result<Edit, Problem> {
        Ok(Edit::AddFlow {
            diagram: self.id(node.diagram)?,
            source,
            target,
            guard: None,
            key: None,
        })
    }
}

fn key(number: usize) -> String {
    format!("assumed{number}")
}

fn reconnect(flow: String, source: String, target: String) -> Edit {
    Edit::Reconnect {
        flow,
        source,
        target,
    }
}

fn apply<'t>(
    element: &'t str,
    name: &str,
    tags: &'t [(&'static str, String)],
) -> impl Iterator<Item = Edit> + use<'t> {
    let stereotype = Edit::Stereotype {
        element: element.to_owned(),
        name: Some(name.to_owned()),
    };
    let tags = tags.iter().map(|(tag, value)| Edit::Tag {
        element: element.to_owned(),
        tag: (*tag).to_owned(),
        value: Some(value.clone()),
    });
    std::iter::once(stereotype).chain(tags)
}

/// Returns the edit that adds a parameter to the program whose main activity is `program`.
fn model_parameter(program: String, type_name: &str, (name, value): &(String, String)) -> Edit {
    Edit::Variable {
        id: None,
        owner: None,
        program: Some(program),
        name: name.clone(),
        type_name: type_name.to_owned(),
        read_only: true,
        length: None,
        default: Some(value.clone()),
        key: None,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;
    use std::path::PathBuf;

    use prophet_frontend::checked::check_by;
    use prophet_testing::assert_says;

    use super::*;

    const ORDER: &str = include_str!("../../../docs/models/order.uml");
    const SHOP: &str = include_str!("../../../docs/models/shop.uml");

    fn assuming() -> RuleSet {
        let mut rules = RuleSet::shipped();
        rules.assume();
        rules
    }

    fn assumed(model: &Path) -> Checked {
        check_by(&assuming(), model, None).expect("it is readable")
    }

    fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.uml");
        fs::write(&model, text).unwrap();
        (folder, model)
    }

    /// Fixes a model. Returns its folder, its path, the result of checking it, and the new text.
    fn mended(text: &str) -> (tempfile::TempDir, PathBuf, Checked, String) {
        let (folder, model) = written(text);
        let checked = assumed(&model);
        assert!(checked.program.is_some(), "{:?}", checked.diagnostics);
        write(&model, (&assuming(), None), &checked).unwrap();
        let text = fs::read_to_string(&model).unwrap();
        (folder, model, checked, text)
    }

    #[test]
    fn a_fixed_file_says_what_was_assumed() {
        let (_folder, model, assuming, text) = mended(ORDER);
        let strict = check_by(&RuleSet::shipped(), &model, None).unwrap();
        let program = strict.program.expect("nothing is open any more");
        let expected = assuming.program.unwrap();
        let names = |program: &prophet_frontend::program::Program| {
            let parameters = program.parameters.iter();
            let told = parameters.map(|it| (it.name.clone(), it.default));
            told.collect::<Vec<_>>()
        };
        assert_eq!(names(&program), names(&expected));
        assert!(program.assumptions.is_empty());
        assert!(assumed(&model).assumptions.is_empty(), "{text}");
        // Everything that was complete stays unchanged.
        let kept = ORDER.lines().filter(|line| text.contains(line));
        assert_eq!(kept.count() + 5, ORDER.lines().count(), "{text}");
    }

    #[test]
    fn parameters_are_where_the_main_activity_sees_them() {
        let text = ORDER.replacen(
            "<packagedElement",
            "<packagedElement xmi:type=\"uml:Activity\" xmi:id=\"_other\" name=\"Other\"/>\n\
             <packagedElement",
            1,
        );
        let (_folder, model) = written(&text);
        let main = Some("Order::Order");
        let rules = assuming();
        let checked = check_by(&rules, &model, main).unwrap();
        assert!(!checked.assumptions.is_empty());
        write(&model, (&rules, main), &checked).unwrap();
        let strict = check_by(&RuleSet::shipped(), &model, main).unwrap();
        assert!(strict.program.is_some(), "{:?}", strict.diagnostics);
    }

    #[test]
    fn a_text_with_new_errors_is_refused() {
        let (_folder, model) = written(ORDER);
        let before = assumed(&model);
        let broken = ORDER.replace("cost=\"20\"", "cost=\"unknown\"");
        let after = check_text(&model, (&assuming(), None), broken);
        let problem = compared(&before, &after).unwrap_err().to_string();
        assert!(problem.starts_with("internal error: "), "{problem}");
        let after = check_text(&model, (&assuming(), None), ORDER.to_owned());
        let problem = compared(&before, &after).unwrap_err().to_string();
        assert!(problem.contains("leave something open"), "{problem}");
    }

    fn models(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|it| it.path());
        let inside = |path: PathBuf| match path.extension().and_then(|it| it.to_str()) {
            Some("uml" | "xmi" | "puml") => vec![path],
            _ if path.is_dir() => models(&path),
            _ => Vec::new(),
        };
        paths.flat_map(inside).collect()
    }

    #[test]
    fn every_fix_is_the_program_that_was_assumed() {
        let mut all = models(Path::new("../../tests/models"));
        all.extend(models(Path::new("../../docs")));
        all.extend(
            std::env::var_os("PROPHET_MODELS")
                .iter()
                .flat_map(|it| models(it.as_ref())),
        );
        let mut fixed = 0;
        let mut wrong = String::new();
        for path in all {
            let folder = tempfile::tempdir().unwrap();
            let name = path.file_name().unwrap_or_default();
            let model = folder.path().join(name);
            fs::copy(&path, &model).unwrap();
            let Ok(checked) = check_by(&assuming(), &model, None) else {
                continue;
            };
            if checked.program.is_none() || checked.assumptions.is_empty() {
                continue;
            }
            match write(&model, (&assuming(), None), &checked) {
                Ok(()) => fixed += 1,
                Err(why) if why.message.contains("internal error") => {
                    let _ = writeln!(wrong, "{}: {why}", path.display());
                }
                Err(_) => {}
            }
        }
        assert_eq!(wrong, "");
        assert!(fixed > 5, "{fixed}");
    }

    #[test]
    fn a_text_of_another_program_is_refused_with_the_place() {
        let (_folder, model, before, text) = mended(ORDER);
        let slower = text.replace("cost=\"20\"", "cost=\"30\"");
        assert_ne!(slower, text);
        let after = check_text(&model, (&assuming(), None), slower);
        let problem = compared(&before, &after).unwrap_err().to_string();
        let (line, _) = Lines::of(&before.source).place(ORDER.find("\"_make\"").unwrap());
        let place = format!("internal error: at {line}:");
        assert!(problem.starts_with(&place), "{problem}");
        assert_says(&problem, &["the model would be a different program"]);
    }

    #[test]
    fn final_nodes_and_forks_are_redrawn() {
        let text = ORDER.replace("uml:DecisionNode", "uml:ForkNode").replace(
            "source=\"_make\" target=\"_ship\"",
            "source=\"_make\" target=\"_end\"",
        );
        let (_folder, model, assuming, text) = mended(&text);
        assert!(!assuming.assumptions.is_empty());
        assert!(text.contains("uml:FlowFinalNode"), "{text}");
        assert!(!text.contains("<guard"), "{text}");
        let strict = check_by(&RuleSet::shipped(), &model, None).unwrap();
        assert!(strict.program.is_some(), "{:?}", strict.diagnostics);
    }

    #[test]
    fn stereotypes_are_applied_and_interruptions_removed() {
        // The order can be canceled, which interrupts the shop.
        let text = SHOP.replace(
            "</ownedBehavior>",
            "<node xmi:type=\"uml:AcceptEventAction\" xmi:id=\"_Cancel\" name=\"Cancel\"/>\
             <edge xmi:type=\"uml:ControlFlow\" xmi:id=\"_Stop\" source=\"_Cancel\" \
             target=\"_Final\"/><group xmi:type=\"uml:InterruptibleActivityRegion\" \
             xmi:id=\"_All\" interruptingEdge=\"_Stop\"/></ownedBehavior>",
        );
        let (_folder, model, assuming, text) = mended(&text);
        let told: Vec<&str> = assuming.assumptions.iter().map(|it| &*it.text).collect();
        let main = "Shop::Program::Main";
        let expected = [
            format!(
                "the flow from {main}::Cancel to {main}::Final is never taken: its region is not \
                 interrupted"
            ),
            format!("{main}::Each runs for 1 element; `--n-each` sets the number"),
            format!("nothing sends the signal `Ordered`, so {main}::Order does not wait for it"),
        ];
        assert_eq!(told, expected);
        for added in [
            "iterations=\"n_each\"",
            "threads=\"max(n_each, 1)\"",
            "time=\"0\"",
        ] {
            assert!(text.contains(added), "{added} in {text}");
        }
        assert!(!text.contains("\"_Stop\""), "{text}");
        let strict = check_by(&RuleSet::shipped(), &model, None).unwrap();
        assert!(strict.program.is_some(), "{:?}", strict.diagnostics);
        assert!(assumed(&model).assumptions.is_empty(), "{text}");
    }

    #[test]
    fn steps_are_written_with_their_costs() {
        // One of three actions has a stereotype but no cost, and one has neither.
        let text = ORDER.replace(" cost=\"20\"", "");
        let start = text.find("  <prophet:action xmi:id=\"_s3\"").unwrap();
        let end = start + text[start..].find('\n').unwrap() + 1;
        let text = text[..start].to_owned() + &text[end..];
        let (_folder, model, assuming, text) = mended(&text);
        assert_eq!(
            assuming.assumptions.iter().filter(|it| it.is_step).count(),
            2
        );
        let costs = |checked: &Checked| {
            let program = checked.program.as_ref().unwrap();
            let executions = program.executions();
            executions
                .map(|it| format!("{:?}", it.action.price()))
                .collect::<Vec<_>>()
        };
        let strict = check_by(&RuleSet::shipped(), &model, None).unwrap();
        assert_eq!(costs(&strict), costs(&assuming), "{text}");
        assert!(assumed(&model).assumptions.is_empty(), "{text}");
        assert_eq!(strict.program.unwrap().costs, "");
    }

    #[test]
    fn what_cannot_be_written_is_told() {
        let text = ORDER.replace(" xmi:id=\"_3\"", "");
        let (_folder, model) = written(&text);
        let checked = assumed(&model);
        let problem = write(&model, (&assuming(), None), &checked)
            .unwrap_err()
            .to_string();
        assert!(problem.starts_with("cannot fix "), "{problem}");
        assert!(problem.ends_with(" has no id"), "{problem}");
        assert_eq!(fs::read_to_string(&model).unwrap(), text);
    }
}
