//! Chooses Rust names for the parts of a program.

use std::rc::Rc;

use crate::ident::{Namespace, constant_case, snake_case};
use prophet_frontend::lang::ir::DeviceUse;
use prophet_frontend::program::{
    DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, List, ParameterIndex, Program,
    TableIndex,
};
use prophet_map::Map;

/// Names of the runtime and the templates that functions and variables must not shadow.
const RESERVED: &[&str] = &[
    "ctx",
    "div",
    "globals",
    "iterations",
    "math",
    "program",
    "received",
    "rem",
    "repeat",
    "steps",
    "stream",
];

#[derive(Debug)]
pub(super) struct RustNames {
    pub(super) elements: List<ElementIndex, String>,
    pub(super) tables: List<TableIndex, String>,
    /// The constants of operations, by operation.
    pub(super) opcodes: Map<String, String>,
    pub(super) devices: Map<DeviceUse, String>,
    pub(super) functions: List<FunctionIndex, String>,
    pub(super) diagrams: List<DiagramIndex, String>,
    pub(super) globals: List<GlobalIndex, String>,
    pub(super) parameters: List<ParameterIndex, String>,
    constants: Namespace,
    /// Names that variables must not have.
    functions_taken: Rc<Namespace>,
}

impl RustNames {
    pub(super) fn new(program: &Program) -> Self {
        let mut constants = Namespace::reserving(["MODEL", "GLOBALS"]);
        let elements = program
            .elements
            .iter()
            .map(|element| {
                if !element.in_run {
                    return String::new();
                }
                constants.take(&constant_case(&element.name, "ELEMENT"))
            })
            .collect();
        let tables = program
            .tables
            .iter()
            .map(|table| constants.take(&constant_case(&table.file, "TABLE")))
            .collect();
        let opcodes = program
            .opcodes
            .iter()
            .map(|opcode| {
                let constant = constants.take(&constant_case(&opcode.name, "OPERATION"));
                (opcode.name.clone(), constant)
            })
            .collect();
        let devices = program.devices.iter();
        let devices = devices.map(|device| {
            let (name, _) = &device.usage;
            let words = [Some(&name.device), name.model.as_ref()];
            let words: Vec<&str> = words.into_iter().flatten().map(String::as_str).collect();
            let constant = constants.take(&constant_case(&words.join("_"), "DEVICE"));
            (device.usage.clone(), constant)
        });
        let devices = devices.collect();
        let mut functions = Namespace::reserving(RESERVED.iter().copied());
        let cost_functions = program
            .functions
            .iter()
            .map(|function| functions.take(&snake_case(&function.signature.name, "function")))
            .collect();
        let diagrams = program
            .diagrams
            .iter()
            .map(|diagram| functions.take(&diagram_function(&diagram.name)))
            .collect();
        let mut fields = Namespace::default();
        let parameters = program
            .parameters
            .iter()
            .map(|parameter| fields.take(&snake_case(&parameter.name, "parameter")))
            .collect();
        let globals = program
            .globals
            .iter()
            .map(|global| fields.take(&snake_case(&global.name, "variable")))
            .collect();
        Self {
            elements,
            tables,
            opcodes,
            devices,
            functions: cost_functions,
            diagrams,
            globals,
            parameters,
            constants,
            functions_taken: Rc::new(functions),
        }
    }

    /// Returns a unique name for a constant that the program doesn't name.
    pub(super) fn constant(&mut self, label: &str) -> String {
        self.constants.take(&constant_case(label, "NODE"))
    }

    /// Creates the names of a function's variables. They don't shadow functions.
    pub(super) fn variables(&self) -> Variables {
        let functions = Rc::clone(&self.functions_taken);
        Variables {
            functions,
            names: Map::new(),
            taken: Namespace::default(),
        }
    }
}

/// Returns the name of a diagram's function. It can't be `main`, which is the program's own
/// function.
fn diagram_function(name: &str) -> String {
    match snake_case(name, "diagram").as_str() {
        "main" => "main_diagram".to_owned(),
        name => name.to_owned(),
    }
}

/// The Rust names of variables. Different names in the model get different names here.
#[derive(Debug)]
pub(super) struct Variables {
    functions: Rc<Namespace>,
    names: Map<String, String>,
    taken: Namespace,
}

impl Variables {
    pub(super) fn name(&mut self, name: &str) -> String {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let plain = snake_case(name, "variable");
        let mut fresh = self.taken.take(&plain);
        while self.functions.has(&fresh) {
            fresh = self.taken.take(&plain);
        }
        self.names.insert(name.to_owned(), fresh.clone());
        fresh
    }
}
