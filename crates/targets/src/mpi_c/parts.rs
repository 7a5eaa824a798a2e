//! Writes the parts of `main.c` that its template needs, except the functions of diagrams.

use std::collections::BTreeSet;

use serde::Serialize;

use super::comm::Comm;
use crate::family::tables::{lines, points};
use crate::family::{Cost, Idiom, Names, can_fail, declared, operations, scalar};
use prophet_codegen::emit::Listing;
use prophet_codegen::target::c::Printer;
use prophet_codegen::target::text::{c_block_comment as comment, c_string as literal};
use prophet_frontend::lang::constant::Constant;
use prophet_frontend::lang::ir::{System, Type};
use prophet_frontend::program::{DiagramIndex, List, Local, Program, Step};
use prophet_frontend::resolve::id_of_path;
use prophet_result::flag_name;

/// A node to name in the error if an initial value fails. It isn't in the model.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) constant: String,
    label: String,
    id: i64,
}

#[derive(Debug, Serialize)]
pub(super) struct Commented {
    comment: String,
    text: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Parts {
    /// Members of the parameters' struct, with their initial values.
    parameters: Vec<Commented>,
    defaults: Vec<String>,
    parameter_rows: Vec<String>,
    globals: Vec<Commented>,
    requests: Vec<String>,
    request_names: Vec<String>,
    tables: Vec<Table>,
    /// Declarations of the operations, and their names.
    operations: Vec<String>,
    operation_names: Vec<String>,
    elements: Vec<String>,
    element_names: Vec<String>,
    functions: Vec<Commented>,
    /// Prototypes of functions that are called before their definition.
    prototypes: Vec<String>,
    comms: Vec<String>,
    /// Statements of `main` before the clock starts.
    first: Vec<String>,
    main: String,
}

#[derive(Debug, Serialize)]
struct Table {
    name: String,
    points: Vec<String>,
    lines: Option<Vec<String>>,
}

/// Nodes to name in the error if a variable's initial value fails, by diagram and by group.
pub(super) type Nodes = List<DiagramIndex, Vec<Option<Node>>>;

/// Creates the nodes to name in the error if a variable's initial value fails, by diagram and by
/// group.
pub(super) fn nodes(program: &Program, names: &mut Names) -> Nodes {
    let mut index = program.elements.iter().filter(|it| it.in_run).count();
    let mut all = Nodes::default();
    for diagram in &program.diagrams {
        let mut groups = Vec::new();
        let mut note = |locals: &[Local]| {
            let values = locals.iter().filter_map(|local| local.value.as_ref());
            let node = can_fail(values, &program.functions).then(|| {
                let label = format!("variables of {}", diagram.name);
                let id = id_of_path(&format!("{}::{index}", diagram.path));
                index += 1;
                let constant = names.constant(&label);
                Node {
                    constant,
                    label,
                    id,
                }
            });
            groups.push(node);
        };
        note(&diagram.locals);
        scopes(&diagram.steps, &mut note);
        all.push(groups);
    }
    all
}

/// Returns `true` if initial values of globals can fail or draw random numbers.
pub(super) fn globals_can_fail(program: &Program) -> bool {
    let values = program.globals.iter().filter_map(|it| it.value.as_ref());
    can_fail(values, &program.functions)
}

/// Calls `show` with the variables of each scope, in text order.
fn scopes(steps: &[Step], show: &mut dyn FnMut(&[Local])) {
    for step in steps {
        if let Step::Scope(scope) = step
            && !scope.locals.is_empty()
        {
            show(&scope.locals);
        }
        for block in step.blocks() {
            scopes(block, show);
        }
    }
}

pub(super) struct Maker<'p> {
    pub(super) program: &'p Program,
    pub(super) names: &'p Names,
    pub(super) comms: &'p [Comm<'p>],
    pub(super) nodes: &'p Nodes,
    /// Constant of the node to name in the error if a global's initial value fails; `None` if no
    /// initial value can fail.
    pub(super) globals_node: Option<String>,
}

impl Maker<'_> {
    pub(super) fn parts(&self, diagrams: &[Function]) -> Parts {
        let (elements, element_names) = self.elements();
        let names = self.names;
        Parts {
            parameters: self.parameters(),
            defaults: self
                .program
                .parameters
                .iter()
                .map(|it| constant(&it.default))
                .collect(),
            parameter_rows: self.parameter_rows(),
            globals: self.globals(),
            requests: names.requests.iter().cloned().collect(),
            request_names: self.program.requests.iter().map(|it| literal(it)).collect(),
            tables: self.tables(),
            operations: operations(self.program, names),
            operation_names: names.opcodes.values().cloned().collect(),
            elements,
            element_names,
            functions: self.functions(),
            prototypes: self.prototypes(diagrams),
            comms: self.comms.iter().map(|it| it.name.clone()).collect(),
            first: self.first(),
            main: names.diagrams[DiagramIndex::MAIN].clone(),
        }
    }

    fn dialect(&self, stream: String) -> Cost<'_> {
        Cost {
            idiom: &IDIOM,
            names: self.names,
            functions: &self.program.functions,
            stream,
        }
    }

    fn parameters(&self) -> Vec<Commented> {
        let parameters = self.program.parameters.iter().zip(&self.names.parameters);
        parameters
            .map(|(parameter, name)| Commented {
                comment: parameter
                    .comment
                    .as_deref()
                    .map(comment)
                    .unwrap_or_default(),
                text: format!("{} {name};", scalar(&type_of(&parameter.default))),
            })
            .collect()
    }

    fn parameter_rows(&self) -> Vec<String> {
        let mut taken: BTreeSet<String> = FLAGS.iter().map(|it| (*it).to_owned()).collect();
        taken.insert(String::new());
        let parameters = self.program.parameters.iter().zip(&self.names.parameters);
        parameters
            .map(|(parameter, field)| {
                let flag = flag_name(&parameter.name);
                let shown = if taken.contains(&flag) {
                    "NULL".to_owned()
                } else {
                    literal(&flag)
                };
                taken.insert(flag);
                let name = literal(&parameter.name);
                let ty = match parameter.default {
                    Constant::Int(_) => "PROPHET_INT",
                    Constant::Real(_) => "PROPHET_REAL",
                    Constant::Bool(_) => "PROPHET_BOOL",
                };
                format!("{{{name}, {shown}, {ty}, &parameters.{field}}}")
            })
            .collect()
    }

    fn globals(&self) -> Vec<Commented> {
        let globals = self.program.globals.iter().zip(&self.names.globals);
        globals
            .map(|(global, name)| Commented {
                comment: global.comment.as_deref().map(comment).unwrap_or_default(),
                text: format!("{};", declared(&global.ty, name)),
            })
            .collect()
    }

    fn tables(&self) -> Vec<Table> {
        let tables = self.program.tables.iter().zip(&self.names.tables);
        tables
            .map(|(table, name)| Table {
                name: name.clone(),
                points: points(table),
                lines: lines(table, &format!("{name}_POINTS")),
            })
            .collect()
    }

    fn elements(&self) -> (Vec<String>, Vec<String>) {
        let mut all = Vec::new();
        for (element, name) in self.program.elements.iter().zip(&self.names.elements) {
            if !element.in_run {
                continue;
            }
            let plain = if element.forks { "fork" } else { "node" };
            let kind = element.stereotype.map_or(plain, |it| it.name());
            all.push((name.clone(), element.name.clone(), element.id, kind));
        }
        for node in self.nodes.iter().flatten().flatten() {
            all.push((node.constant.clone(), node.label.clone(), node.id, "node"));
        }
        if let Some(constant) = &self.globals_node {
            all.push((constant.clone(), "global variables".to_owned(), 0, "node"));
        }
        let declarations = all
            .iter()
            .enumerate()
            .map(|(index, (name, label, id, kind))| {
                let label = literal(label);
                let head = format!("static const prophet_element {name}");
                format!("{head} = {{{index}, {label}, {id}, \"{kind}\"}};")
            });
        let declarations = declarations.collect();
        (declarations, all.into_iter().map(|it| it.0).collect())
    }

    fn functions(&self) -> Vec<Commented> {
        let dialect = self.dialect("stream".to_owned());
        let functions = self.program.functions.entries();
        let functions = functions.filter(|(_, function)| function.used);
        functions
            .map(|(index, function)| {
                let mut lines = Listing::new(0);
                Printer::function(&dialect, index, function, "}", &mut lines);
                Commented {
                    comment: function.comment.as_deref().map(comment).unwrap_or_default(),
                    text: format!("static {lines}"),
                }
            })
            .collect()
    }

    fn prototypes(&self, diagrams: &[Function]) -> Vec<String> {
        let dialect = self.dialect("stream".to_owned());
        let functions = self.program.functions.entries();
        let functions = functions.filter(|(_, function)| function.used);
        let heads = functions.map(|(index, function)| {
            let head = Printer::head(&dialect, index, function);
            format!("static {head};")
        });
        heads
            .chain(diagrams.iter().map(|it| format!("{};", it.head)))
            .collect()
    }

    /// Writes code that initializes the globals and then the communicators.
    fn first(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut stream = String::new();
        if let Some(node) = &self.globals_node {
            lines.push(format!("prophet_at(&{node});"));
            stream = stream_of(node);
        }
        let dialect = self.dialect(stream);
        for (global, name) in self.program.globals.iter().zip(&self.names.globals) {
            if let Some(value) = &global.value {
                let value = Printer::new(&dialect).converted(value);
                lines.push(format!("globals.{name} = {value};"));
            }
        }
        for comm in self.comms {
            let element = &self.names.elements[comm.element];
            let dialect = self.dialect(String::new());
            let value = Printer::new(&dialect).converted(comm.value);
            lines.push(format!("prophet_at(&{element});"));
            lines.push(format!(
                "{} = prophet_split(&{element}, {value});",
                comm.name
            ));
        }
        lines
    }
}

fn type_of(default: &Constant) -> Type {
    match default {
        Constant::Int(_) => Type::Int,
        Constant::Real(_) => Type::Real,
        Constant::Bool(_) => Type::Bool,
    }
}

fn constant(value: &Constant) -> String {
    match value {
        Constant::Int(i64::MIN) => format!("{} - 1", i64::MIN + 1),
        Constant::Int(value) => value.to_string(),
        Constant::Real(value) => format!("{value:?}"),
        Constant::Bool(value) => value.to_string(),
    }
}

/// The flags that aren't model parameters, in alphabetical order: the simulation's flags and the
/// skeleton's own. Because the list contains both, a parameter has a flag in both programs or in
/// neither. The generator doesn't depend on the runtime, so this repeats its list. The test
/// `skeletons_take_the_flags_of_the_simulation` compares the two.
pub const FLAGS: &[&str] = &[
    "all-processes",
    "bind",
    "changes",
    "collective",
    "config",
    "core-bandwidth",
    "costs",
    "cpus-per-node",
    "date",
    "discipline",
    "engine",
    "expect",
    "fold",
    "format",
    "help",
    "intranode",
    "jobs",
    "kept",
    "machine",
    "mapping",
    "memory-bandwidth",
    "model",
    "network",
    "nodes",
    "noise",
    "picture",
    "processes",
    "quantum",
    "record",
    "repetition",
    "replications",
    "report",
    "scale",
    "seed",
    "set",
    "slow-node",
    "sockets",
    "tariff",
    "threads",
    "trace",
    "trace-filter",
    "version",
    "wait-policy",
];

/// The cost language as the support library implements it.
pub(super) static IDIOM: Idiom = Idiom {
    leading_parameters: &[],
    leading_arguments: &[],
    no_parameters: "void",
    turn: "prophet_turn();",
    system: |system| match system {
        System::Uid => "prophet_uid()".to_owned(),
        System::Tid => "prophet_tid()".to_owned(),
        System::Any => "PROPHET_ANY".to_owned(),
        System::ProcNull => "PROPHET_PROC_NULL".to_owned(),
        fact => format!("process.{}", fact.name().to_ascii_lowercase()),
    },
};

#[derive(Debug, serde::Serialize)]
pub(super) struct Function {
    pub(super) comment: String,
    /// The declaration of the function, without `;`.
    pub(super) head: String,
    /// The lines between the braces of the function.
    pub(super) body: String,
}

/// Returns the random number stream for the element with this constant.
pub(super) fn stream_of(constant: &str) -> String {
    format!("prophet_stream_of(&{constant})")
}
