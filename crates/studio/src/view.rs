//! Converts a model to the form that pages get.

use std::collections::{BTreeMap, BTreeSet};

use prophet_codegen::target::drawing::Drawing;
use prophet_codegen::target::svg::{Bounds, arrangement};
use prophet_edit::{Outline, Spots};
use prophet_frontend::checked::Checked;
use prophet_frontend::program::Program;
use prophet_model::diagnostic::Diagnostic;
use prophet_model::model::{
    CostFunction, DiagramId, Element, ElementId, Guard, Model, NodeKind, Stereotype, Variable,
};
use prophet_model::source::lines::Lines;
use prophet_model::source::{Span, Text, escape};
use serde::Serialize;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModelView {
    name: String,
    main: Option<String>,
    diagrams: Vec<DiagramView>,
    globals: Vec<VariableView>,
    functions: Vec<FunctionView>,
    parameters: Vec<ParameterView>,
    problems: Vec<Problem>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DiagramView {
    id: String,
    name: String,
    path: String,
    owner: Option<String>,
    stereotype: Option<Applied>,
    comment: Option<String>,
    locals: Vec<VariableView>,
    nodes: Vec<NodeView>,
    flows: Vec<FlowView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeView {
    id: String,
    kind: String,
    name: String,
    stereotype: Option<Applied>,
    body: Option<String>,
    calls: Option<String>,
    contents: Vec<String>,
    comment: Option<String>,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// Whether the file specifies where the node is drawn.
    drawn: bool,
    element: Option<i64>,
}

#[derive(Debug, Serialize)]
struct FlowView {
    id: String,
    source: String,
    target: String,
    guard: Option<String>,
    points: Vec<[f64; 2]>,
}

#[derive(Debug, Serialize)]
struct Applied {
    name: String,
    tags: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VariableView {
    id: String,
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    read_only: bool,
    length: Option<usize>,
    default: Option<String>,
    comment: Option<String>,
}

#[derive(Debug, Serialize)]
struct FunctionView {
    id: String,
    name: String,
    parameters: Vec<FunctionParameter>,
    result: Option<String>,
    body: String,
    comment: Option<String>,
}

#[derive(Debug, Serialize)]
struct FunctionParameter {
    name: String,
    #[serde(rename = "type")]
    type_name: String,
}

#[derive(Debug, Serialize)]
struct ParameterView {
    name: String,
    #[serde(rename = "type")]
    type_name: String,
    default: Option<String>,
}

#[derive(Debug, Serialize)]
struct Problem {
    severity: &'static str,
    code: String,
    message: String,
    help: Option<String>,
    /// The text that would fix the problem.
    fix: Option<String>,
    owner: Option<String>,
    diagram: Option<String>,
    property: Option<String>,
    range: Option<[usize; 2]>,
}

const PROBLEMS_MAX: usize = 500;

impl ModelView {
    /// Builds the view of a text from what was read from it. `model` can contain errors.
    pub(crate) fn new(text: &str, model: Option<&Model>, checked: &Checked) -> Self {
        let Some(model) = model else {
            return Self {
                problems: problems(text, checked, &Places::default()),
                ..Self::default()
            };
        };
        // Some tools fail to escape a character. Such models can be read, so they must be visible.
        let outline = Outline::read(text).unwrap_or_else(|_| made_up(model, text.len()));
        let viewer = Viewer::new(model, &outline, checked.program.as_ref());
        let mut diagrams = viewer.diagrams();
        // Contents of other files aren't drawn here. They come after the model's own.
        let is_own = |span: Span| span.start <= text.len();
        let own = model.diagrams.iter().take_while(|it| is_own(it.span));
        diagrams.truncate(own.count());
        let globals: Vec<_> = model.globals.iter().map(|it| viewer.variable(it)).collect();
        let functions: Vec<_> = model
            .functions
            .iter()
            .filter(|it| is_own(it.span))
            .map(|it| viewer.function(it))
            .collect();
        let places = Places::new(&diagrams, &globals, &functions);
        let parameters = model
            .globals
            .iter()
            .filter(|it| it.read_only && it.length.is_none());
        Self {
            name: model.name.clone(),
            main: viewer.ids.get(model.main.0).cloned(),
            parameters: parameters.map(parameter).collect(),
            problems: problems(text, checked, &places),
            diagrams,
            globals,
            functions,
        }
    }

    /// Iterates over all code in the model: bodies, tags, guards and values.
    pub(crate) fn code(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.iter().map(|it| it.body.as_str());
        let nodes = self.diagrams.iter().flat_map(|it| &it.nodes);
        let applied = nodes.clone().filter_map(|it| it.stereotype.as_ref());
        let of_diagrams = self.diagrams.iter().filter_map(|it| it.stereotype.as_ref());
        let tags = applied
            .chain(of_diagrams)
            .flat_map(|it| it.tags.values())
            .map(String::as_str);
        let bodies = nodes.filter_map(|it| it.body.as_deref());
        let flows = self.diagrams.iter().flat_map(|it| &it.flows);
        let guards = flows.filter_map(|it| it.guard.as_deref());
        let locals = self.diagrams.iter().flat_map(|it| &it.locals);
        let values = self
            .globals
            .iter()
            .chain(locals)
            .filter_map(|it| it.default.as_deref());
        functions
            .chain(tags)
            .chain(bodies)
            .chain(guards)
            .chain(values)
    }

    /// Returns the bounds of the nodes by diagram: left, top, width, height.
    pub(crate) fn places(&self) -> Vec<Vec<[f64; 4]>> {
        let place = |it: &NodeView| [it.x, it.y, it.width, it.height];
        let of = |it: &DiagramView| it.nodes.iter().map(place).collect();
        self.diagrams.iter().map(of).collect()
    }

    /// Returns the nodes without a position in the file, as id, left, top, width and height.
    /// Includes only diagrams that have one of these ids, or that contain a node with one of them.
    pub(crate) fn undrawn(&self, touched: &BTreeSet<&str>) -> Vec<(String, [f64; 4])> {
        let is_touched = |it: &&DiagramView| {
            touched.contains(&*it.id) || it.nodes.iter().any(|it| touched.contains(&*it.id))
        };
        let nodes = self
            .diagrams
            .iter()
            .filter(is_touched)
            .flat_map(|it| &it.nodes);
        let undrawn = nodes.filter(|it| !it.drawn && !it.id.is_empty());
        undrawn
            .map(|it| (it.id.clone(), [it.x, it.y, it.width, it.height]))
            .collect()
    }
}

struct Viewer<'a> {
    model: &'a Model,
    outline: &'a Outline,
    drawing: Drawing<'a>,
    /// Unique ids of the diagrams, in the order of the diagrams.
    ids: Vec<String>,
    /// The node that contains each diagram, if the diagram is a node's content.
    owners: BTreeMap<usize, ElementId>,
}

impl<'a> Viewer<'a> {
    fn new(model: &'a Model, outline: &'a Outline, program: Option<&Program>) -> Self {
        let drawing = match program {
            Some(program) => Drawing::new(model, program),
            None => Drawing::without_program(model),
        };
        let mut taken = BTreeSet::new();
        let ids = model.diagrams.iter().map(|diagram| {
            let own = outline.id_at(diagram.span.start).unwrap_or("").to_owned();
            // Parts of a loop or conditional node can be in the same place.
            let mut numbered = (2..).map(|number| format!("{own}#{number}"));
            let is_free = |it: &String| !it.is_empty() && !taken.contains(it);
            let id = Some(own.clone()).filter(is_free);
            let id = id.or_else(|| numbered.find(is_free)).unwrap_or_default();
            taken.insert(id.clone());
            id
        });
        let ids = ids.collect();
        let mut owners = BTreeMap::new();
        for (at, element) in model.elements.iter().enumerate() {
            for content in element.kind.contents() {
                owners.insert(content.0, ElementId(at));
            }
        }
        Self {
            model,
            outline,
            drawing,
            ids,
            owners,
        }
    }

    fn id(&self, element: ElementId) -> String {
        let start = self.model.element(element).span.start;
        self.outline.id_at(start).unwrap_or("").to_owned()
    }

    fn is_drawn(&self, diagram: DiagramId) -> bool {
        let start = self.model.diagram(diagram).span.start;
        self.outline.id_at(start).is_some()
    }

    fn diagrams(&self) -> Vec<DiagramView> {
        (0..self.model.diagrams.len())
            .map(|at| self.diagram(DiagramId(at)))
            .collect()
    }

    fn diagram(&self, id: DiagramId) -> DiagramView {
        let diagram = self.model.diagram(id);
        let places = self.places(id);
        let nodes = diagram.elements.iter().zip(places);
        let flows = diagram.flows.iter().map(|flow| {
            let id = self.outline.id_at(flow.span.start).unwrap_or("").to_owned();
            FlowView {
                points: self.outline.points(&id).to_vec(),
                source: self.id(flow.source),
                target: self.id(flow.target),
                guard: flow.guard.as_ref().map(|it| match it {
                    Guard::Else => "else".to_owned(),
                    Guard::When(code) => code.text.value.clone(),
                }),
                id,
            }
        });
        DiagramView {
            id: self.ids[id.0].clone(),
            name: diagram.name.clone(),
            path: diagram.path.clone(),
            owner: self.owners.get(&id.0).map(|it| self.id(*it)),
            stereotype: diagram.stereotype.as_ref().map(applied),
            comment: diagram.comment.clone(),
            locals: diagram.locals.iter().map(|it| self.variable(it)).collect(),
            flows: flows.collect(),
            nodes: nodes
                .map(|(id, (bounds, drawn))| self.node(*id, bounds, drawn))
                .collect(),
        }
    }

    fn node(&self, id: ElementId, bounds: Bounds, drawn: bool) -> NodeView {
        let element = self.model.element(id);
        let own = self.id(id);
        let calls = match element.kind {
            NodeKind::Call(Some(called)) if self.is_drawn(called) => {
                self.ids.get(called.0).cloned()
            }
            _ => None,
        };
        let contents = element.kind.contents();
        NodeView {
            kind: self.kind(&own, element),
            name: element.name.clone(),
            stereotype: element.stereotype.as_ref().map(applied),
            body: element.body.as_ref().map(|it| it.text.value.clone()),
            calls,
            contents: contents.iter().map(|it| self.ids[it.0].clone()).collect(),
            comment: element.comment.clone(),
            x: bounds.x,
            y: bounds.y,
            width: bounds.width,
            height: bounds.height,
            drawn,
            element: self.drawing.id(element),
            id: own,
        }
    }

    /// Returns the UML type of an element, as in the file.
    fn kind(&self, id: &str, element: &Element) -> String {
        let kind = self
            .outline
            .kind(id)
            .unwrap_or_else(|| element.kind.uml_name());
        kind.to_owned()
    }

    /// Returns the bounds of a diagram's nodes in order, and whether the file specifies them.
    fn places(&self, id: DiagramId) -> Vec<(Bounds, bool)> {
        let elements = &self.model.diagram(id).elements;
        let drawn = |it: &ElementId| self.outline.bounds(&self.id(*it));
        let below = elements.iter().filter_map(drawn).map(|it| it[1] + it[3]);
        let below = below.fold(None, |most: Option<f64>, it| {
            Some(most.map_or(it, |most| most.max(it)))
        });
        let mut arranged: BTreeMap<ElementId, Bounds> = BTreeMap::new();
        if elements.iter().any(|it| drawn(it).is_none()) {
            arranged.extend(arrangement(&self.drawing, id).into_iter().flatten());
        }
        let has_all = elements
            .iter()
            .all(|it| self.model.places.get(it).is_some());
        let place = |(at, it): (usize, &ElementId)| {
            if let Some([x, y, width, height]) = drawn(it) {
                return (
                    Bounds {
                        x,
                        y,
                        width,
                        height,
                    },
                    true,
                );
            }
            let row = f64::from(u32::try_from(at).unwrap_or(u32::MAX));
            let in_a_row = Bounds {
                x: 0.0,
                y: 80.0 * row,
                width: 120.0,
                height: 40.0,
            };
            let mut bounds = arranged.get(it).copied().unwrap_or(in_a_row);
            match (self.model.places.get(it), below) {
                (Some(center), None) if has_all => {
                    bounds.x = center.x - 0.5 * bounds.width;
                    bounds.y = center.y - 0.5 * bounds.height;
                }
                (_, Some(below)) => bounds.y += below + 40.0,
                _ => {}
            }
            (bounds, false)
        };
        elements.iter().enumerate().map(place).collect()
    }

    fn variable(&self, variable: &Variable) -> VariableView {
        VariableView {
            id: self.id_of(&variable.name),
            name: variable.name.value.clone(),
            type_name: variable.type_name.value.clone(),
            read_only: variable.read_only,
            length: variable.length,
            default: variable.default.as_ref().map(|it| it.text.value.clone()),
            comment: variable.comment.clone(),
        }
    }

    fn id_of(&self, name: &Text) -> String {
        self.outline
            .id_before(name.span.start)
            .unwrap_or("")
            .to_owned()
    }

    fn function(&self, function: &CostFunction) -> FunctionView {
        let parameters = function.parameters.iter().map(|it| FunctionParameter {
            name: it.name.value.clone(),
            type_name: it.type_name.value.clone(),
        });
        FunctionView {
            id: self
                .outline
                .id_at(function.span.start)
                .unwrap_or("")
                .to_owned(),
            name: function.name.value.clone(),
            parameters: parameters.collect(),
            result: function.result.as_ref().map(|it| it.value.clone()),
            body: function.body.text.value.clone(),
            comment: function.comment.clone(),
        }
    }
}

/// Makes an outline for a model whose text isn't XML, without the contents of other files.
fn made_up(model: &Model, length: usize) -> Outline {
    let diagrams = model.diagrams.iter().map(|it| it.span.start);
    let elements = model.elements.iter().map(|it| it.span.start);
    let flows = model.diagrams.iter().flat_map(|it| &it.flows);
    let functions = model.functions.iter().map(|it| it.span.start);
    let locals = model.diagrams.iter().flat_map(|it| &it.locals);
    let variables = model.globals.iter().chain(locals);
    let starts = diagrams
        .chain(elements)
        .chain(flows.map(|it| it.span.start))
        .chain(functions)
        .chain(variables.map(|it| it.name.span.start));
    Outline::made_up(starts.filter(|it| *it <= length))
}

fn applied(stereotype: &Stereotype) -> Applied {
    let tags = stereotype.tags.iter();
    let tags = tags
        .map(|(name, value)| (name.clone(), value.value.clone()))
        .collect();
    Applied {
        name: stereotype.kind.name().to_owned(),
        tags,
    }
}

fn parameter(variable: &Variable) -> ParameterView {
    ParameterView {
        name: variable.name.value.clone(),
        type_name: variable.type_name.value.clone(),
        default: variable.default.as_ref().map(|it| it.text.value.clone()),
    }
}

/// Ids at which a page can show a problem, and the diagram of each.
#[derive(Debug, Default)]
struct Places(BTreeMap<String, Option<String>>);

impl Places {
    fn new(diagrams: &[DiagramView], globals: &[VariableView], functions: &[FunctionView]) -> Self {
        let mut places = BTreeMap::new();
        for diagram in diagrams {
            let own = Some(diagram.id.clone());
            places
                .entry(diagram.id.clone())
                .or_insert_with(|| own.clone());
            let inside = diagram.nodes.iter().map(|it| &it.id);
            let inside = inside.chain(diagram.flows.iter().map(|it| &it.id));
            for id in inside.chain(diagram.locals.iter().map(|it| &it.id)) {
                places.insert(id.clone(), own.clone());
            }
        }
        let outside = globals
            .iter()
            .map(|it| &it.id)
            .chain(functions.iter().map(|it| &it.id));
        places.extend(outside.map(|id| (id.clone(), None)));
        places.remove("");
        Self(places)
    }
}

fn problems(text: &str, checked: &Checked, places: &Places) -> Vec<Problem> {
    let spots = Spots::read(text).ok();
    let lines = Lines::of(&checked.source);
    let problem = |it: &Diagnostic| {
        let beside = checked.source.file_at(it.span.start).map(|file| {
            let (line, column) = lines.place(it.span.start);
            format!("{}:{line}:{column}: ", file.path)
        });
        let is_own = beside.is_none();
        let spots = spots.as_ref().filter(|_| is_own);
        let spot = spots.map(|spots| spots.at(it.span.start));
        let known = spot.as_ref().and_then(|spot| {
            let mut owners = spot.owners.iter();
            owners.find_map(|id| places.0.get_key_value(id))
        });
        let property = spot.as_ref().and_then(|it| it.property.clone());
        let is_value = property.is_some();
        let range = spot.filter(|_| is_value).and_then(|spot| {
            let inner = |offset: usize| {
                let offset = offset.clamp(spot.value.start, spot.value.end);
                let before = text.get(spot.value.start..offset)?;
                Some(escape::text(before).chars().count())
            };
            Some([inner(it.span.start)?, inner(it.span.end)?])
        });
        Problem {
            severity: it.severity.name(),
            code: it.code.to_string(),
            message: beside.unwrap_or_default() + &it.message,
            help: Some(it.help.clone()).filter(|it| !it.is_empty()),
            fix: it.fix().filter(|_| is_own).map(|(_, name)| name.to_owned()),
            owner: known.map(|(id, _)| id.clone()),
            diagram: known.and_then(|(_, diagram)| diagram.clone()),
            property,
            range,
        }
    };
    checked
        .diagnostics
        .iter()
        .take(PROBLEMS_MAX)
        .map(problem)
        .collect()
}
