//! Describes a model for the command line that interprets it.

use prophet_codegen::model::{Model as Drawn, StereotypeKind};
use prophet_codegen::output::MARKER;
use prophet_codegen::source::Source;
use prophet_codegen::source::lines::Lines;
use prophet_codegen::trace_map::{Origin, TraceMap};
use prophet_frontend::checked::Checked;
use prophet_frontend::lang::constant::Constant;
use prophet_frontend::program::{Element, ListPlace as _, OpcodeIndex, Program};
use prophet_runtime::{Model, ModelPlace, Opcode, Parameter, Value};

/// Describes a checked program as a model. `file` is the name of its file. Rendering the drawings
/// takes time, so they are included only if `drawn` is set.
pub(crate) fn model(
    checked: &Checked,
    program: &Program,
    file: &str,
    elements: u32,
    drawn: bool,
) -> Model {
    let parameters: Vec<Parameter> = program.parameters.iter().map(parameter).collect();
    let name: &str = program.name.clone().leak();
    let mut model = Model::new(name, parameters.leak(), elements);
    if program.waits_for_any() {
        model = model.waits_for_any();
    }
    let simulated = program.differing_loops().into_iter();
    let simulated = simulated
        .map(|(name, why)| -> (&str, &str) { (name.to_owned().leak(), why.to_owned().leak()) });
    model = model.simulates(simulated.collect::<Vec<_>>().leak());
    model = model.costs(program.costs.clone().leak());
    let assumptions = program.assumptions.iter();
    let assumptions = assumptions.map(|it| -> &str { it.clone().leak() });
    model = model.assumes(assumptions.collect::<Vec<_>>().leak());
    model = model.opcodes(opcodes(program).leak());
    if let Some(of) = &checked.model {
        model = model.mapped(map(&checked.source, of, program, file).leak());
        #[cfg(feature = "drawings")]
        if drawn {
            model = model.drawn(drawings(of, program, file).leak());
        }
        #[cfg(not(feature = "drawings"))]
        debug_assert!(!drawn, "the feature `drawings` is needed to draw");
    }
    model
}

fn parameter(parameter: &prophet_frontend::program::Parameter) -> Parameter {
    let default = match parameter.default {
        Constant::Int(value) => Value::Int(value),
        Constant::Real(value) => Value::Real(value),
        Constant::Bool(value) => Value::Bool(value),
    };
    let name = parameter.name.clone().leak();
    let of = if parameter.is_required {
        Parameter::required(name, default)
    } else {
        Parameter::new(name, default)
    };
    of.about(parameter.about().leak())
}

fn opcodes(program: &Program) -> Vec<Opcode> {
    let opcode = |(index, of): (OpcodeIndex, &prophet_frontend::program::Opcode)| {
        let number = u32::try_from(index.number()).unwrap_or(u32::MAX);
        let opcode = Opcode::new(number, of.name.clone().leak());
        let Some(user) = of.user else { return opcode };
        let element = &program.elements[user];
        let kind = element.stereotype.map_or("node", StereotypeKind::name);
        opcode.used_by(kind, element.name.clone().leak(), element.id)
    };
    program.opcodes.entries().map(opcode).collect()
}

#[cfg(feature = "drawings")]
fn drawings(model: &Drawn, program: &Program, file: &str) -> Vec<prophet_runtime::Drawing> {
    use prophet_codegen::target::drawing::Drawing;
    use prophet_codegen::target::svg;

    let pictures = svg::carried(&Drawing::new(model, program)).into_iter();
    let drawing = |picture: svg::Picture| {
        let text = svg::file(&picture, file);
        prophet_runtime::Drawing::new(picture.title.leak(), text.leak())
    };
    pictures.map(drawing).collect()
}

/// Lists the places of the run's elements in the model file, by element number.
pub(crate) fn places(source: &Source, program: &Program, file: &str) -> Vec<ModelPlace> {
    let lines = Lines::of(source);
    let place = |element: &Element| {
        let start = element.span.start;
        let (line, column) = lines.place(start);
        let beside = source.file_at(start).map(|it| it.beside(file));
        ModelPlace {
            file: beside.map_or_else(|| file.to_owned(), |it| it.display().to_string()),
            line: line as u64,
            column: column as u64,
        }
    };
    let elements = program.elements.iter().filter(|it| it.in_run);
    elements.map(place).collect()
}

/// Maps elements and cost functions to their places in the model file, in the same format as the
/// map in a crate.
fn map(source: &Source, model: &Drawn, program: &Program, file: &str) -> String {
    let lines = Lines::of(source);
    let origin = |kind: &str, name: &str, path: &str, id, start| {
        let (line, column) = lines.place(start);
        let beside = source.file_at(start).map(|it| it.beside(file));
        Origin {
            kind: kind.to_owned(),
            name: name.to_owned(),
            path: path.to_owned(),
            id,
            file: beside.map(|it| it.display().to_string()),
            line,
            column,
        }
    };
    let elements = program.elements.iter().filter(|it| it.in_run);
    let elements =
        elements.map(|it| origin("element", &it.name, &it.path, Some(it.id), it.span.start));
    let functions = model.functions.iter();
    let functions =
        functions.map(|it| origin("function", &it.name.value, &it.path, None, it.span.start));
    let map = TraceMap {
        generated: MARKER.to_owned(),
        model: file.to_owned(),
        origins: elements.chain(functions).collect(),
        lines: Vec::new(),
    };
    map.to_json()
}
