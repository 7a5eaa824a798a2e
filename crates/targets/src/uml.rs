//! Converts models from other formats to UML 2, by adding their parts to an empty model.

mod decided;

use std::collections::BTreeMap;

use prophet_codegen::target::drawing::Drawing;
use prophet_codegen::target::svg::arrangement;
use prophet_edit::{CostParameter, Document, Edit};
use prophet_model::model::{
    Code, Diagram, DiagramId, Element, ElementId, Guard, Language, Model, NodeKind, Stereotype,
    StereotypeKind, Variable,
};
use prophet_text::{Problem, problem};

/// Text of the profile. UML tools look for it in the model's folder.
pub const PROFILE: &str = prophet_samples::PROFILE;
/// Name of the profile's file.
pub const PROFILE_NAME: &str = "prophet.profile.uml";
/// Text of a model with an empty program.
pub const EMPTY: &str = prophet_samples::first_model::EMPTY;
/// Name of the empty model in its text, in quotes.
pub const EMPTY_NAME: &str = "\"EmptyModel\"";

/// Maximum number of nodes and flows in a model to convert. It is limited because each edit reads
/// the whole text.
pub const ELEMENTS_MAX: usize = 3_000;
const MODEL: &str = "_Model";
const MAIN: &str = "_Main";

/// Converts the model to UML 2. `places` contains the bounds of the nodes of each diagram: left,
/// top, width and height.
///
/// # Errors
///
/// Returns the reason if UML 2 can't express a part of the model.
pub fn drawn_anew(model: &Model, places: &[Vec<[f64; 4]>]) -> Result<String, Problem> {
    let flows = model.diagrams.iter().map(|it| it.flows.len());
    if model.elements.len() + flows.sum::<usize>() > ELEMENTS_MAX {
        return Err(problem!(
            "models of more than {ELEMENTS_MAX} nodes and flows cannot be converted to UML 2"
        ));
    }
    let mut drawer = Drawer {
        model,
        places,
        edits: Vec::new(),
    };
    drawer.model()?;
    // Edits of the same kind are made together. Nodes come before their parts.
    drawer.edits.sort_by_key(order);
    let mut document = Document::new(EMPTY.replacen(EMPTY_NAME, "\"Model\"", 1));
    document.apply("Draw", &drawer.edits)?;
    Ok(document.text().to_owned())
}

/// Returns a number that determines when an edit is made: lower numbers come first.
fn order(edit: &Edit) -> usize {
    match edit {
        Edit::Rename { .. } => 0,
        Edit::AddActivity { .. } => 1,
        Edit::AddNode { .. } => 2,
        Edit::Variable { .. } => 3,
        Edit::Function { .. } => 4,
        Edit::Stereotype { .. } => 5,
        Edit::Tag { .. } => 6,
        Edit::Body { .. } => 7,
        Edit::Calls { .. } => 8,
        Edit::AddFlow { .. } => 9,
        _ => 10,
    }
}

/// Arranges the nodes of a model without positions, as in pictures. Returns their bounds (left,
/// top, width and height), by diagram.
pub fn places(model: &Model) -> Vec<Vec<[f64; 4]>> {
    let drawing = Drawing::without_program(model);
    let of = |at: usize| {
        let mut arranged = BTreeMap::new();
        arranged.extend(arrangement(&drawing, DiagramId(at)).into_iter().flatten());
        let elements = model.diagram(DiagramId(at)).elements.iter();
        let rows = (0_u32..).map(|row| [0.0, 80.0 * f64::from(row), 120.0, 40.0]);
        let place = |(element, row)| match arranged.get(element) {
            Some(it) => [it.x, it.y, it.width, it.height],
            None => row,
        };
        elements.zip(rows).map(place).collect()
    };
    (0..model.diagrams.len()).map(of).collect()
}

struct Drawer<'m> {
    model: &'m Model,
    places: &'m [Vec<[f64; 4]>],
    edits: Vec<Edit>,
}

impl Drawer<'_> {
    fn model(&mut self) -> Result<(), String> {
        let model = self.model;
        self.rename(MODEL, &model.name);
        self.rename(MAIN, &model.diagram(model.main).name);
        for variable in &model.globals {
            self.variable(variable, None);
        }
        self.functions();
        let mut inside = vec![false; model.diagrams.len()];
        for content in model.elements.iter().flat_map(|it| it.kind.contents()) {
            inside[content.0] = true;
        }
        // The content of a node comes after the node.
        let activities = (0..model.diagrams.len()).filter(|at| !inside[*at]);
        let activities: Vec<_> = activities.map(DiagramId).collect();
        for id in activities.iter().filter(|id| **id != model.main) {
            self.edits.push(Edit::AddActivity {
                name: model.diagram(*id).name.clone(),
                key: Some(activity_key(*id)),
            });
        }
        let mut open: Vec<(DiagramId, String)> = activities
            .into_iter()
            .map(|id| (id, self.activity(id)))
            .collect();
        open.reverse();
        while let Some((id, own)) = open.pop() {
            self.diagram(id, &own)?;
            for &element in &model.diagram(id).elements {
                let contents = model.element(element).kind.contents().into_iter();
                let keys = self.content_keys(element);
                open.extend(contents.zip(keys).map(|(it, key)| (it, format!("${key}"))));
            }
        }
        Ok(())
    }

    fn activity(&self, id: DiagramId) -> String {
        if id == self.model.main {
            MAIN.to_owned()
        } else {
            format!("${}", activity_key(id))
        }
    }

    fn rename(&mut self, element: &str, name: &str) {
        if !name.is_empty() {
            self.edits.push(Edit::Rename {
                element: element.to_owned(),
                name: name.to_owned(),
            });
        }
    }

    fn comment(&mut self, element: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.edits.push(Edit::Comment {
                element: element.to_owned(),
                text: Some(text.clone()),
            });
        }
    }

    fn variable(&mut self, variable: &Variable, owner: Option<&str>) {
        let key = format!("v{}", self.edits.len());
        self.edits.push(Edit::Variable {
            id: None,
            owner: owner.map(str::to_owned),
            program: None,
            name: variable.name.value.clone(),
            type_name: variable.type_name.value.clone(),
            read_only: variable.read_only,
            length: variable.length.map(|it| it as u64),
            default: variable.default.as_ref().map(|it| it.text.value.clone()),
            key: Some(key.clone()),
        });
        self.comment(&format!("${key}"), variable.comment.as_ref());
    }

    fn functions(&mut self) {
        for (number, function) in self.model.functions.iter().enumerate() {
            let parameters = function.parameters.iter().map(|it| CostParameter {
                name: it.name.value.clone(),
                type_name: it.type_name.value.clone(),
            });
            let key = format!("f{number}");
            self.edits.push(Edit::Function {
                id: None,
                name: function.name.value.clone(),
                parameters: parameters.collect(),
                result: function.result.as_ref().map(|it| it.value.clone()),
                body: function.body.text.value.clone(),
                language: Some(language(&function.body).to_owned()),
                key: Some(key.clone()),
            });
            self.comment(&format!("${key}"), function.comment.as_ref());
        }
    }

    fn diagram(&mut self, id: DiagramId, own: &str) -> Result<(), String> {
        let model = self.model;
        let diagram = model.diagram(id);
        let is_activity = !own.starts_with("$n");
        if is_activity {
            self.comment(own, diagram.comment.as_ref());
            if let Some(stereotype) = &diagram.stereotype {
                let name = Some(stereotype_name(stereotype)?);
                let element = own.to_owned();
                self.edits.push(Edit::Stereotype { element, name });
                self.tags(own, stereotype);
            }
        }
        for local in &diagram.locals {
            self.variable(local, Some(own));
        }
        for (at, element) in diagram.elements.iter().enumerate() {
            let place = self.places.get(id.0).and_then(|it| it.get(at)).copied();
            self.node(*element, own, place.unwrap_or([0.0, 0.0, 90.0, 40.0]))?;
        }
        self.flows(diagram, own)
    }

    fn node(&mut self, id: ElementId, diagram: &str, place: [f64; 4]) -> Result<(), String> {
        let element = self.model.element(id);
        let stereotype = element.stereotype.as_ref();
        let [x, y, width, height] = place;
        let key = node_key(id);
        let own = format!("${key}");
        self.edits.push(Edit::AddNode {
            diagram: diagram.to_owned(),
            kind: kind(element)?.to_owned(),
            name: element.name.clone(),
            stereotype: stereotype.map(stereotype_name).transpose()?,
            x,
            y,
            width,
            height,
            key: Some(key),
        });
        if let Some(stereotype) = stereotype {
            self.tags(&own, stereotype);
        }
        if let Some(code) = &element.body {
            self.code(&own, element, code)?;
        }
        if let NodeKind::Call(Some(called)) = element.kind {
            let diagram = Some(self.activity(called));
            let element = own.clone();
            self.edits.push(Edit::Calls { element, diagram });
        }
        self.comment(&own, element.comment.as_ref());
        self.decided(id)
    }

    fn code(&mut self, own: &str, element: &Element, code: &Code) -> Result<(), String> {
        if code.language == Language::Rust || element.kind != NodeKind::Action {
            let path = &element.path;
            return Err(format!("the studio cannot express the code of {path}"));
        }
        self.edits.push(Edit::Body {
            element: own.to_owned(),
            text: Some(code.text.value.clone()),
        });
        Ok(())
    }

    fn tags(&mut self, element: &str, stereotype: &Stereotype) {
        let tags = stereotype.tags.iter().map(|(tag, value)| Edit::Tag {
            element: element.to_owned(),
            tag: tag.clone(),
            value: Some(value.value.clone()),
        });
        self.edits.extend(tags);
    }

    fn flows(&mut self, diagram: &Diagram, own: &str) -> Result<(), String> {
        let end = |it| format!("${}", node_key(it));
        for flow in &diagram.flows {
            let guard = match &flow.guard {
                None => None,
                Some(Guard::Else) => Some("else".to_owned()),
                Some(Guard::When(code)) => {
                    Some(condition(code, &self.model.element(flow.source).path)?)
                }
            };
            self.edits.push(Edit::AddFlow {
                diagram: own.to_owned(),
                source: end(flow.source),
                target: end(flow.target),
                guard,
                key: None,
            });
        }
        Ok(())
    }
}

/// Returns the text of a condition as a guard. Fails if it is in Rust.
fn condition(code: &Code, path: &str) -> Result<String, String> {
    match code.language {
        Language::C => Ok(code.text.value.clone()),
        Language::Rust => Err(format!(
            "a condition of {path} is in Rust, but guards must be in C"
        )),
    }
}

fn node_key(id: ElementId) -> String {
    format!("n{}", id.0)
}

fn activity_key(id: DiagramId) -> String {
    format!("d{}", id.0)
}

const fn language(code: &Code) -> &'static str {
    match code.language {
        Language::C => "C",
        Language::Rust => "Rust",
    }
}

fn kind(element: &Element) -> Result<&str, String> {
    match &element.kind {
        NodeKind::Action => Ok("OpaqueAction"),
        NodeKind::Loop(_) | NodeKind::Conditional(_) => Ok("StructuredActivityNode"),
        NodeKind::Unsupported(kind) => {
            let path = &element.path;
            Err(format!(
                "{path} has the type {kind}, which cannot be added in the studio"
            ))
        }
        kind => Ok(kind.uml_name()),
    }
}

fn stereotype_name(stereotype: &Stereotype) -> Result<String, String> {
    match stereotype.kind {
        StereotypeKind::Own(own) => {
            Err(format!("`{}` is not a stereotype of the profile", own.name))
        }
        kind => Ok(kind.name().to_owned()),
    }
}
