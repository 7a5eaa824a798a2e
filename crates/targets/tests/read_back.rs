//! Reads the texts of models again, including models that leave something open: their texts contain
//! the assumptions.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_codegen::source::Source;
use prophet_codegen::target::{Input, Target};
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by, check_source};
use prophet_targets::plantuml::PlantUml;
use prophet_targets::xml::Xml;
use prophet_testing::models_in;

fn assuming() -> RuleSet {
    let mut rules = RuleSet::shipped();
    rules.assume();
    rules
}

/// Returns the problems with the text of a model; `None` if the model isn't a program.
fn refused(target: &dyn Target, checked: &Checked) -> Option<Vec<Diagnostic>> {
    let rules = RuleSet::shipped();
    let nowhere = PathBuf::new();
    let workspace = Workspace {
        root: nowhere.clone(),
        runtime: nowhere.clone(),
        target: nowhere.clone(),
        project: nowhere.clone(),
        built: nowhere,
    };
    let input = Input {
        program: checked.program.as_ref()?,
        model: checked.model.as_ref()?,
        source: &checked.source,
        vocabulary: rules.vocabulary(),
        name: "model",
        model_file: "model",
        main: None,
        folder: Path::new(""),
        workspace: &workspace,
    };
    let mut problems = Diagnostics::new();
    target.check(&input, &mut problems);
    Some(problems.sorted())
}

/// Lists all models in the repository and, if `PROPHET_MODELS` is set, in that folder.
fn all_models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["sample-models", "tests/models", "tests/fuzz/corpus", "docs"];
    let mut all: Vec<PathBuf> = folders.iter().map(|it| root.join(it)).collect();
    all.extend(std::env::var_os("PROPHET_MODELS").map(PathBuf::from));
    all.iter().flat_map(|it| models_in(it)).collect()
}

#[test]
fn what_is_assumed_is_read_back_from_the_text() {
    let rules = assuming();
    let mut counts = [0; 2];
    let mut wrong = String::new();
    for path in all_models() {
        let Ok(checked) = check_by(&rules, &path, None) else {
            continue;
        };
        for (target, count) in [&PlantUml as &dyn Target, &Xml]
            .into_iter()
            .zip(&mut counts)
        {
            let Some(problems) = refused(target, &checked) else {
                continue;
            };
            *count += 1;
            for it in problems {
                let name = target.name();
                let _ = writeln!(
                    wrong,
                    "{name} {} {}: {}",
                    path.display(),
                    it.element,
                    it.message
                );
            }
        }
    }
    assert_eq!(wrong, "", "of {counts:?} texts");
    assert!(counts.iter().all(|it| *it > 100), "{counts:?}");
}

/// Creates a plain XML model with these nodes and flows in its activity.
fn listed(content: &str) -> Checked {
    let space = prophet_model::xml_form::NAMESPACE;
    let text = format!(
        "<model xmlns=\"{space}\" name=\"M\"><parameter name=\"N\" type=\"int\" value=\"3\"/>\
         <activity name=\"A\" flows=\"listed\">{content}</activity></model>"
    );
    let source = Source::new("model.prophet.xml", text);
    check_source(&RuleSet::shipped(), source, Path::new(""), None)
}

fn work(name: &str) -> String {
    format!("<action name=\"{name}\" stereotype=\"action+\" cost=\"1\"/>")
}

#[test]
fn nodes_of_one_name_keep_their_ids() {
    let [one, other] = ["One", "Other"].map(work);
    let checked = listed(&format!(
        "<initial key=\"i\"/><merge key=\"m\"/><decision key=\"late\" name=\"D\"/>\
         <decision key=\"early\" name=\"D\"/>{one}{other}<final key=\"f\"/>\
         <flow from=\"i\" to=\"m\"/><flow from=\"m\" to=\"early\"/>\
         <flow from=\"early\" to=\"One\" guard=\"N &gt; 4\"/><flow from=\"One\" to=\"m\"/>\
         <flow from=\"early\" to=\"late\" guard=\"N &lt; 4\"/>\
         <flow from=\"late\" to=\"Other\" guard=\"N &gt; 2\"/>\
         <flow from=\"late\" to=\"f\" guard=\"N &lt; 2\"/><flow from=\"Other\" to=\"f\"/>"
    ));
    let model = checked.model.as_ref().expect("it has no error");
    let text = prophet_targets::plantuml::text(model, "model");
    assert_eq!(text.matches("'@ order = ").count(), 2, "{text}");
    assert_eq!(refused(&PlantUml, &checked), Some(Vec::new()), "{text}");
}

#[test]
fn a_text_starts_again_behind_an_end() {
    let [one, other] = ["One", "Other"].map(work);
    let checked = listed(&format!(
        "<initial key=\"a\"/>{one}<flow-final key=\"c\"/>\
         <initial key=\"b\"/>{other}<flow-final key=\"d\"/>\
         <flow from=\"a\" to=\"One\"/><flow from=\"One\" to=\"c\"/>\
         <flow from=\"b\" to=\"Other\"/><flow from=\"Other\" to=\"d\"/>"
    ));
    assert!(checked.program.is_some(), "{:?}", checked.diagnostics);
    assert_eq!(refused(&PlantUml, &checked), Some(Vec::new()));
}
