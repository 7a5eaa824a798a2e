//! Writes the skeleton's files. Some are made from templates. The support files are the same for
//! all models.

use std::path::PathBuf;

use serde::Serialize;
use tera::{Context as TeraContext, Tera};

use super::comm;
use super::contexts::{Context, ExecutedDiagrams, contexts, threads_communicate};
use super::handler::SkeletonHandler;
use super::names;
use super::parts::Function;
use super::parts::{Maker, Parts, globals_can_fail, nodes};
use crate::family::FamilyWriter;
use prophet_codegen::emit::Listing;
use prophet_codegen::output::MARKER;
use prophet_codegen::target::text::{c_block_comment as comment, c_string as literal};
use prophet_codegen::target::{Files, Input};
use prophet_codegen::traverser::{DepthFirst, Traverser};
use prophet_frontend::program::Program;
use prophet_frontend::program::action::Assigned;
use prophet_templates::{c, mpi_c};

const TEMPLATES: [(&str, &str); 2] = [("Makefile", mpi_c::MAKEFILE), ("main.c", mpi_c::MAIN)];

#[derive(Serialize)]
struct Values<'v> {
    marker: &'v str,
    model_name: String,
    model_file: String,
    model_literal: String,
    threads_communicate: bool,
    has_payloads: bool,
    keeps_requests: bool,
    parts: Parts,
    diagrams: Vec<Function>,
}

pub(super) fn render(input: &Input<'_>) -> Files {
    let program = input.program;
    let mut names = names::of(program);
    let nodes = nodes(program, &mut names);
    let globals_node = globals_can_fail(program).then(|| names.constant("GLOBALS"));
    let comms = comm::all(program, |element| {
        let of = &program.elements[element].name;
        names.constant(&format!("COMM_OF_{of}"))
    });
    let contexts = contexts(program);
    let skeleton = SkeletonHandler::new(program, names, &comms, &nodes, &contexts);
    let mut writer = FamilyWriter::new(skeleton, Listing::default());
    for context in Context::ALL {
        writer.language.context = context;
        let mut navigator = ExecutedDiagrams::new(program, &contexts, context);
        DepthFirst.traverse(&mut navigator, &mut writer);
    }
    let SkeletonHandler {
        names, functions, ..
    } = writer.language;
    let maker = Maker {
        program,
        names: &names,
        comms: &comms,
        nodes: &nodes,
        globals_node,
    };
    let parts = maker.parts(&functions);
    let values = Values {
        marker: MARKER,
        model_name: comment(&program.name),
        model_file: comment(input.model_file),
        model_literal: literal(&program.name),
        threads_communicate: threads_communicate(program),
        has_payloads: carries_values(program),
        keeps_requests: program.waits_for_any(),
        parts,
        diagrams: functions,
    };
    let mut files = from_templates(&values);
    for (name, text) in c::FILES.iter().chain(mpi_c::FILES) {
        let text = format!("/* {MARKER}. Do not edit. */\n{text}");
        files.insert(PathBuf::from(name), text.into());
    }
    files
}

fn from_templates(values: &Values<'_>) -> Files {
    let mut tera = Tera::default();
    let rendered = tera.add_raw_templates(TEMPLATES).and_then(|()| {
        let context = TeraContext::from_serialize(values)?;
        TEMPLATES
            .iter()
            .map(|(file, _)| Ok((PathBuf::from(file), tera.render(file, &context)?.into())))
            .collect()
    });
    match rendered {
        Ok(files) => files,
        // The templates are compiled in, and their values have types, so only a bug can cause this.
        Err(error) => panic!("a template of the MPI target failed: {error}"),
    }
}

fn carries_values(program: &Program) -> bool {
    let wants = |it: &Assigned| it.part.is_value();
    let mut actions = program.executions().map(|it| &it.action);
    actions.any(|it| it.sent().is_some() || it.results().iter().any(wants))
}
