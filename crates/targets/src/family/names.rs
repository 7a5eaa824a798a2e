//! Chooses names for the parts of a program, and for the variables in scope, in C-family languages.

use std::collections::BTreeMap;

use prophet_codegen::target::c::{Names as Scope, identifier};
use prophet_frontend::lang::ir::Variable;
use prophet_frontend::program::{
    DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, List, ParameterIndex, Program,
    RequestIndex, TableIndex,
};

/// How a language spells the names of a program's parts.
#[derive(Debug)]
pub(crate) struct Forms {
    /// Names that the language itself uses and no part of a model can have.
    pub(crate) reserved: Vec<&'static str>,
    /// Spells the name of an element, table or request. The second text replaces a name that has no
    /// valid characters.
    pub(crate) constant: fn(&str, &str) -> String,
    pub(crate) diagram: fn(&str) -> String,
    /// Whether globals and parameters are struct members.
    pub(crate) has_members: bool,
}

impl Forms {
    fn identifier(&self, name: &str) -> String {
        let mut identifier = identifier(name, "x");
        if self.reserved.contains(&identifier.as_str()) {
            identifier.push('_');
        }
        identifier
    }
}

#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) parameters: List<ParameterIndex, String>,
    pub(crate) globals: List<GlobalIndex, String>,
    pub(crate) functions: List<FunctionIndex, String>,
    pub(crate) tables: List<TableIndex, String>,
    pub(crate) requests: List<RequestIndex, String>,
    /// The operations' names, by their names in the model.
    pub(crate) opcodes: BTreeMap<String, String>,
    /// The elements' names; empty for elements that aren't written.
    pub(crate) elements: List<ElementIndex, String>,
    pub(crate) diagrams: List<DiagramIndex, String>,
    forms: Forms,
    taken: Scope,
    /// The model names of the diagram variables in scope, innermost last.
    open: Vec<String>,
    /// The variables' names by model name, innermost last.
    variables: BTreeMap<String, Vec<Named>>,
}

#[derive(Debug)]
struct Named {
    name: String,
    /// Whether the name denotes a pointer to the variable.
    is_pointer: bool,
}

impl Names {
    /// Names a program's parts. Elements get a name only if `is_written` accepts them.
    pub(crate) fn new(
        program: &Program,
        forms: Forms,
        is_written: impl Fn(ElementIndex) -> bool,
    ) -> Self {
        let mut taken = Scope::default();
        let mut members = |names: &mut dyn Iterator<Item = &String>| -> Vec<String> {
            let mut own = Scope::default();
            let scope = if forms.has_members {
                &mut own
            } else {
                &mut taken
            };
            names.map(|it| scope.take(&forms.identifier(it))).collect()
        };
        let parameters = members(&mut program.parameters.iter().map(|it| &it.name));
        let globals = members(&mut program.globals.iter().map(|it| &it.name));
        let mut take = |name: String| taken.take(&forms.identifier(&name));
        let constant = forms.constant;
        let functions = program.functions.iter();
        let functions = functions.map(|it| take(it.signature.name.clone()));
        let functions = functions.collect();
        let tables = program.tables.iter();
        let tables = tables.map(|it| take(constant(&it.file, "table"))).collect();
        let requests = program.requests.iter();
        let requests = requests
            .map(|it| take(constant(&format!("{it}_request"), "request")))
            .collect();
        let elements = program.elements.entries();
        let elements = elements.map(|(index, element)| {
            let name = is_written(index).then(|| take(constant(&element.name, "element")));
            name.unwrap_or_default()
        });
        let elements = elements.collect();
        let diagrams = program.diagrams.iter();
        let diagrams = diagrams.map(|it| take((forms.diagram)(&it.name))).collect();
        let opcodes = program.opcodes.iter();
        let opcodes = opcodes
            .map(|it| (it.name.clone(), take(constant(&it.name, "operation"))))
            .collect();
        Self {
            parameters: parameters.into_iter().collect(),
            globals: globals.into_iter().collect(),
            functions,
            tables,
            requests,
            opcodes,
            elements,
            diagrams,
            forms,
            taken,
            open: Vec::new(),
            variables: BTreeMap::new(),
        }
    }

    /// Spells a name as a valid identifier that isn't one of the language's own names.
    pub(crate) fn identifier(&self, name: &str) -> String {
        self.forms.identifier(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.has(name)
    }

    /// Creates a constant for something that has no name in the program.
    pub(crate) fn constant(&mut self, label: &str) -> String {
        let name = (self.forms.constant)(label, "node");
        self.taken.take(&self.forms.identifier(&name))
    }

    /// Starts the scope of a diagram variable and returns the variable's name.
    pub(crate) fn declare(&mut self, model: &str) -> String {
        self.enter(model.to_owned(), model, false)
    }

    /// Starts the scope of a pointer to a diagram variable and returns the pointer's name.
    pub(crate) fn declare_pointer(&mut self, model: &str) -> String {
        self.enter(model.to_owned(), model, true)
    }

    /// Starts the scope of a variable that the model doesn't contain and returns its name.
    pub(crate) fn hide(&mut self, wish: &str) -> String {
        // No name in a model has a space.
        self.enter(format!(" {wish}"), wish, false)
    }

    fn enter(&mut self, model: String, wish: &str, is_pointer: bool) -> String {
        let name = self.taken.take(&self.forms.identifier(wish));
        let named = Named {
            name: name.clone(),
            is_pointer,
        };
        self.open.push(model.clone());
        self.variables.entry(model).or_default().push(named);
        name
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Ends the scope of all variables declared since [`Self::depth`] was `depth`.
    pub(super) fn leave(&mut self, depth: usize) {
        for model in self.open.drain(depth.min(self.open.len())..) {
            if let Some(left) = self.variables.get_mut(&model).and_then(Vec::pop) {
                self.taken.release(&left.name);
            }
        }
    }

    fn innermost(&self, model: &str) -> Option<&Named> {
        self.variables.get(model)?.last()
    }

    pub(crate) fn local(&self, model: &str) -> String {
        match self.innermost(model) {
            Some(Named {
                name,
                is_pointer: true,
            }) => format!("(*{name})"),
            Some(Named { name, .. }) => name.clone(),
            None => self.identifier(model),
        }
    }

    pub(crate) fn pointer_to_local(&self, model: &str) -> String {
        match self.innermost(model) {
            Some(Named {
                name,
                is_pointer: true,
            }) => name.clone(),
            Some(_) | None => format!("&{}", self.local(model)),
        }
    }

    pub(crate) fn pointer(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => format!("&globals.{}", self.globals[*index]),
            Variable::Local(name) | Variable::Own(name) => self.pointer_to_local(name),
            Variable::Parameter(_) | Variable::System(_) => {
                unreachable!("the checker lets nothing be assigned to them")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Forms, Names};
    use prophet_frontend::program::Program;

    #[test]
    fn variables_keep_clear_of_what_is_in_scope() {
        let forms = Forms {
            reserved: vec!["process"],
            constant: |name, _| name.to_owned(),
            diagram: str::to_owned,
            has_members: true,
        };
        let mut names = Names::new(&Program::default(), forms, |_| true);
        assert_eq!(names.declare("process"), "process_");
        assert_eq!(names.declare("exp"), "exp_");
        let depth = names.depth();
        assert_eq!(names.declare_pointer("i"), "i");
        assert_eq!(names.declare("i"), "i_2");
        assert_eq!(names.hide("i"), "i_3");
        assert_eq!(names.local("i"), "i_2");
        names.leave(depth + 1);
        assert_eq!(
            [names.local("i"), names.pointer_to_local("i")],
            ["(*i)", "i"]
        );
        names.leave(depth);
        assert_eq!(names.declare("i"), "i");
        assert_eq!(names.pointer_to_local("i"), "&i");
    }
}
