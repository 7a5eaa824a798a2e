//! The C++ names of a program, and how its expressions are written with them.

use std::collections::{BTreeMap, BTreeSet};

use prophet_codegen::lang::ir::{System, Variable};
use prophet_codegen::lang::{self, walk};
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::program::{
    DiagramIndex, ElementIndex, FunctionIndex, Functions, GlobalIndex, List, ParameterIndex,
    Program, Step, TableIndex,
};
use prophet_codegen::resolve::callees_first;
use prophet_codegen::target::c::{Dialect, Names, identifier};
use prophet_codegen::vocabulary;

/// Names of `prophet.h` that nothing of a model may have.
const TAKEN: &[&str] = &[
    "ANY",
    "Buffer",
    "Content",
    "Element",
    "Fork",
    "Mailbox",
    "Mailboxes",
    "Message",
    "Ordering",
    "PROPHET_H",
    "Process",
    "Rooted",
    "Unrooted",
    "bufferComm",
    "interpolate",
    "main",
    "p",
    "program",
    "std",
    "tfName",
];

/// The names of a program's parts, by index.
#[derive(Debug)]
pub(super) struct CppNames {
    pub(super) parameters: List<ParameterIndex, String>,
    pub(super) globals: List<GlobalIndex, String>,
    pub(super) tables: List<TableIndex, String>,
    functions: List<FunctionIndex, String>,
    /// Empty for elements that nothing executes.
    pub(super) elements: List<ElementIndex, String>,
    /// The names of the unit that a function needs, itself or for the functions that it calls.
    units: Units,
    /// All that is taken.
    scope: Names,
    /// The variables of the diagrams around the current step, innermost last, as the model names
    /// them.
    locals: Vec<String>,
    /// The C++ names of those that the model gives one name, innermost last.
    local_names: BTreeMap<String, Vec<String>>,
    /// The functions of shared diagrams.
    diagrams: BTreeMap<DiagramIndex, String>,
}

impl CppNames {
    pub(super) fn new(program: &Program) -> Self {
        let mut scope = Names::reserving(TAKEN.iter().copied());
        for (_, name) in System::ALL {
            scope.reserve(name);
        }
        for name in lang::functions() {
            scope.reserve(name);
        }
        for stereotype in StereotypeKind::ALL {
            if let Some(word) = vocabulary::word(stereotype) {
                scope.reserve(word.runtime_type);
            }
        }
        let mut take = |name: &str, instead| scope.take(&identifier(name, instead));
        let parameters = program
            .parameters
            .iter()
            .map(|it| take(&it.name, "x"))
            .collect();
        let globals = program
            .globals
            .iter()
            .map(|it| take(&it.name, "x"))
            .collect();
        let functions = program.functions.iter();
        let functions = functions.map(|it| take(&it.signature.name, "f")).collect();
        let tables = program
            .tables
            .iter()
            .map(|it| take(&it.file, "table"))
            .collect();
        let executed = executed(program);
        let elements = program.elements.entries();
        let elements = elements
            .map(|(index, element)| {
                if executed.contains(&index) {
                    take(&element.name, "element")
                } else {
                    String::new()
                }
            })
            .collect();
        Self {
            parameters,
            globals,
            tables,
            functions,
            elements,
            units: units(program),
            scope,
            locals: Vec::new(),
            local_names: BTreeMap::new(),
            diagrams: BTreeMap::new(),
        }
    }

    /// A name that nothing has yet.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        self.scope.take(&identifier(name, "x"))
    }

    /// The function of a shared diagram.
    pub(super) fn diagram(&mut self, index: DiagramIndex, name: &str) -> String {
        if let Some(known) = self.diagrams.get(&index) {
            return known.clone();
        }
        let function = self.fresh(name);
        self.diagrams.insert(index, function.clone());
        function
    }

    /// Begins the scope of a variable of a diagram; gives its C++ name.
    pub(super) fn declare(&mut self, name: &str) -> String {
        let cpp = self.fresh(name);
        self.enter(name.to_owned(), cpp.clone());
        cpp
    }

    fn enter(&mut self, name: String, cpp: String) {
        self.locals.push(name.clone());
        self.local_names.entry(name).or_default().push(cpp);
    }

    /// Begins the scope of a variable that the model does not have; gives its C++ name.
    pub(super) fn hide(&mut self, wish: &str) -> String {
        let cpp = self.fresh(wish);
        // No name of a model has a space.
        self.enter(format!(" {cpp}"), cpp.clone());
        cpp
    }

    /// Number of variables of diagrams in scope.
    pub(super) fn depth(&self) -> usize {
        self.locals.len()
    }

    /// Ends the scope of the variables declared since there were so many.
    pub(super) fn leave(&mut self, depth: usize) {
        for name in self.locals.drain(depth.min(self.locals.len())..) {
            if let Some(cpp) = self.local_names.get_mut(&name).and_then(Vec::pop) {
                self.scope.release(&cpp);
            }
        }
    }
}

impl Dialect for CppNames {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => self.globals[*index].clone(),
            Variable::Parameter(index) => self.parameters[*index].clone(),
            Variable::System(system) => system.name().to_owned(),
            Variable::Local(name) | Variable::Own(name) => {
                let found = self.local_names.get(name).and_then(|it| it.last());
                found.map_or_else(|| self.own(name), String::clone)
            }
        }
    }

    fn function(&self, index: FunctionIndex) -> String {
        self.functions[index].clone()
    }

    /// Functions know the unit that executes by arguments, as the papers' own do.
    fn leading_arguments(&self, function: FunctionIndex) -> Vec<String> {
        let units = self.units[function].iter();
        units.map(|it| it.name().to_owned()).collect()
    }

    fn leading_parameters(&self, function: FunctionIndex) -> Vec<String> {
        let units = self.units[function].iter();
        units.map(|it| format!("long {}", it.name())).collect()
    }

    fn interpolate(&self, table: TableIndex, x: &str) -> String {
        format!("interpolate({}, {x})", self.tables[table])
    }
}

/// The elements that the program executes.
fn executed(program: &Program) -> BTreeSet<ElementIndex> {
    let executed = program.steps().filter_map(|step| match step {
        Step::Execute(execute) => Some(execute.element),
        Step::Region(region) => Some(region.element),
        _ => None,
    });
    executed.collect()
}

/// The names of the unit, by function.
type Units = List<FunctionIndex, BTreeSet<System>>;

/// The names of the unit that each function needs, those that it calls included.
fn units(program: &Program) -> Units {
    let mut units: Units = program
        .functions
        .iter()
        .map(|function| {
            let mut found = BTreeSet::new();
            walk::statements(&function.body, &mut |variable, _| {
                if let Variable::System(system) = variable
                    && matches!(
                        system,
                        System::Uid | System::Pid | System::Tid | System::Nid
                    )
                {
                    found.insert(*system);
                }
            });
            found
        })
        .collect();
    for index in definitions(&program.functions) {
        for &callee in &program.functions[index].needs.calls {
            let of_callee = units[callee].clone();
            units[index].extend(of_callee);
        }
    }
    units
}

/// The order in which functions are defined: each behind those it calls.
pub(super) fn definitions(functions: &Functions) -> Vec<FunctionIndex> {
    // A checked program has no recursion.
    callees_first(functions).unwrap_or_default()
}
