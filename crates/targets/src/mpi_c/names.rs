//! The C name of everything that a program names.

use std::collections::BTreeMap;

use prophet_codegen::program::{
    DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, List, ParameterIndex, Program,
    RequestIndex, TableIndex,
};
use prophet_codegen::target::c::{Names as Scope, identifier};
use prophet_codegen::target::rust::ident::{constant_case, snake_case};

/// Names of `main.c` that a model cannot have.
const TAKEN: &[&str] = &[
    "ELEMENTS",
    "MODEL",
    "PARAMETERS",
    "REQUESTS",
    "argc",
    "argv",
    "globals",
    "main",
    "parameters",
    "process",
    "start",
    "stream",
];

/// `name` as C can have it, clear of what `main.c` names.
pub(super) fn c_name(name: &str) -> String {
    let mut name = identifier(name, "x");
    if TAKEN.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// The C names of a program's parts, by index.
#[derive(Debug)]
pub(super) struct Names {
    /// Constants of elements; empty for those that are not in the run.
    pub(super) elements: List<ElementIndex, String>,
    /// Constants of tables.
    pub(super) tables: List<TableIndex, String>,
    /// Constants of requests.
    pub(super) requests: List<RequestIndex, String>,
    /// Cost functions.
    pub(super) functions: List<FunctionIndex, String>,
    /// Functions of diagrams.
    pub(super) diagrams: List<DiagramIndex, String>,
    /// Fields of global variables.
    pub(super) globals: List<GlobalIndex, String>,
    /// Fields of parameters.
    pub(super) parameters: List<ParameterIndex, String>,
    /// Names that are taken in the file.
    file: Scope,
}

impl Names {
    pub(super) fn new(program: &Program) -> Self {
        let mut file = Scope::default();
        let mut constant = |name: &str, instead: &str| {
            let name = c_name(&constant_case(name, instead));
            file.take(&name)
        };
        let elements = program.elements.iter().map(|element| {
            if element.in_run {
                constant(&element.name, "ELEMENT")
            } else {
                String::new()
            }
        });
        let elements = elements.collect();
        let tables = program.tables.iter();
        let tables = tables.map(|it| constant(&it.file, "TABLE")).collect();
        let requests = program.requests.iter();
        let requests = requests
            .map(|name| constant(&format!("{name}_request"), "REQUEST"))
            .collect();
        let functions = program.functions.iter();
        let functions = functions
            .map(|it| file.take(&c_name(&it.signature.name)))
            .collect();
        let diagrams = program.diagrams.iter();
        let diagrams = diagrams
            .map(|it| file.take(&c_name(&snake_case(&it.name, "diagram"))))
            .collect();
        let mut fields = Scope::default();
        let parameters = program.parameters.iter();
        let parameters = parameters
            .map(|it| fields.take(&c_name(&it.name)))
            .collect();
        let mut fields = Scope::default();
        let globals = program.globals.iter();
        let globals = globals.map(|it| fields.take(&c_name(&it.name))).collect();
        Self {
            elements,
            tables,
            requests,
            functions,
            diagrams,
            globals,
            parameters,
            file,
        }
    }

    /// A constant for something that the program itself has no name for.
    pub(super) fn constant(&mut self, label: &str) -> String {
        self.file.take(&c_name(&constant_case(label, "NODE")))
    }
}

/// The variables of one diagram: names of the model that differ get names that differ.
#[derive(Debug, Default)]
pub(super) struct Variables {
    names: BTreeMap<String, Variable>,
    taken: Scope,
}

/// A variable of a diagram.
#[derive(Debug, Clone)]
struct Variable {
    name: String,
    /// True if the name is that of a pointer to it.
    pointer: bool,
}

impl Variables {
    /// Declares a variable, and gives its name in C; `pointer` if that is one to it.
    pub(super) fn declare(&mut self, names: &Names, model: &str, pointer: bool) -> String {
        if let Some(known) = self.names.get(model) {
            return known.name.clone();
        }
        let name = self.fresh(names, &c_name(model));
        let variable = Variable {
            name: name.clone(),
            pointer,
        };
        self.names.insert(model.to_owned(), variable);
        name
    }

    /// A name that nothing else has.
    pub(super) fn fresh(&mut self, names: &Names, name: &str) -> String {
        let mut fresh = self.taken.take(name);
        while names.file.has(&fresh) {
            fresh = self.taken.take(name);
        }
        fresh
    }

    /// The variable as an expression.
    pub(super) fn place(&self, model: &str) -> String {
        match self.names.get(model) {
            Some(variable) if variable.pointer => format!("(*{})", variable.name),
            Some(variable) => variable.name.clone(),
            None => c_name(model),
        }
    }

    /// A pointer to the variable.
    pub(super) fn pointer(&self, model: &str) -> String {
        match self.names.get(model) {
            Some(variable) if variable.pointer => variable.name.clone(),
            _ => format!("&{}", self.place(model)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_clear_of_the_libraries() {
        for (name, expected) in [
            ("GV", "GV"),
            ("exp", "exp_"),
            ("main", "main_"),
            ("MODEL", "MODEL_"),
        ] {
            assert_eq!(c_name(name), expected);
        }
    }
}
