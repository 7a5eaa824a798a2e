//! The C++ name of everything that a program names.

use std::collections::{BTreeMap, BTreeSet};

use prophet_codegen::program::{
    Diagram, DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, List, ParameterIndex, Program,
    Step, TableIndex, all_steps,
};
use prophet_codegen::target::c::{Names as Scope, identifier};

/// Names of this target that nothing of a model may have.
const RESERVED: &[&str] = &[
    "prophet",
    "std",
    "unit",
    "globals",
    "parameters",
    "stream",
    "cost_s",
    "part",
    "Globals",
    "Parameters",
    "INITIAL",
    "initialize",
    "main",
];

/// The C++ names of a program's parts, by index.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) elements: List<ElementIndex, String>,
    pub(super) tables: List<TableIndex, String>,
    pub(super) functions: List<FunctionIndex, String>,
    pub(super) diagrams: List<DiagramIndex, String>,
    /// Members of the globals.
    pub(super) globals: List<GlobalIndex, String>,
    /// Members of the parameters.
    pub(super) parameters: List<ParameterIndex, String>,
    /// Variables of diagrams, by their names in the model.
    locals: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn new(program: &Program) -> Self {
        let mut file = Scope::reserving(RESERVED.iter().copied());
        let mut take = |name: &str, instead: &str| file.take(&identifier(name, instead));
        let functions = program
            .functions
            .iter()
            .map(|it| take(&it.signature.name, "function_"))
            .collect();
        let elements = program
            .elements
            .iter()
            .map(|it| take(&it.name, "element_"))
            .collect();
        let diagrams = program
            .diagrams
            .iter()
            .map(|it| take(&format!("run {}", it.name), "run_"))
            .collect();
        let tables = program
            .tables
            .iter()
            .map(|it| take(&it.file, "table_"))
            .collect();
        let mut locals = BTreeMap::new();
        for diagram in &program.diagrams {
            for name in declared(diagram) {
                if !locals.contains_key(name) {
                    locals.insert(name.to_owned(), take(name, "local_"));
                }
            }
        }
        let mut members = Scope::reserving(RESERVED.iter().copied());
        let mut member = |name: &str| members.take(&identifier(name, "x"));
        Self {
            elements,
            tables,
            functions,
            diagrams,
            globals: program.globals.iter().map(|it| member(&it.name)).collect(),
            parameters: program
                .parameters
                .iter()
                .map(|it| member(&it.name))
                .collect(),
            locals,
        }
    }

    /// A variable of a diagram.
    pub(super) fn local(&self, name: &str) -> String {
        let known = self.locals.get(name).cloned();
        known.unwrap_or_else(|| identifier(name, "local_"))
    }

    /// The names that no variable of a piece of code may hide.
    pub(super) fn taken(&self) -> BTreeSet<&str> {
        let names = self.tables.iter().chain(&self.functions);
        let names = names.chain(&self.elements).chain(self.locals.values());
        RESERVED
            .iter()
            .copied()
            .chain(names.map(String::as_str))
            .collect()
    }
}

/// The names of the variables that a diagram has, those of the diagrams around it left out.
fn declared(diagram: &Diagram) -> Vec<&str> {
    let mut names: Vec<&str> = diagram.locals.iter().map(|it| it.name.as_str()).collect();
    for step in all_steps(&diagram.steps) {
        match step {
            Step::Scope(scope) => names.extend(scope.locals.iter().map(|it| it.name.as_str())),
            Step::Repeat(repeat) => names.extend(repeat.variable.as_deref()),
            Step::Region(region) => names.extend(region.variable()),
            _ => {}
        }
    }
    names
}
