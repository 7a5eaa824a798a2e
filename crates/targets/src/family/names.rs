//! Chooses the C-family names of a program's parts and of the variables in scope.

use std::collections::BTreeMap;

use prophet_codegen::target::c::{Names as Scope, identifier};
use prophet_frontend::lang::ir::Variable;
use prophet_frontend::program::{
    DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, List, ParameterIndex, Program,
    RequestIndex, TableIndex,
};

/// How a language spells names.
#[derive(Debug)]
pub(crate) struct Forms {
    /// Names in the language itself that no part of a model can have.
    pub(crate) reserved: Vec<&'static str>,
    /// Spells the name of an element, table or request. The second argument is used if the name has
    /// no valid characters.
    pub(crate) constant: fn(&str, &str) -> String,
    pub(crate) diagram: fn(&str) -> String,
    /// Whether globals and parameters are members of structs.
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
    /// Names of operations, by their names in the model.
    pub(crate) opcodes: BTreeMap<String, String>,
    /// Names of elements; empty for elements that aren't written.
    pub(crate) elements: List<ElementIndex, String>,
    pub(crate) diagrams: List<DiagramIndex, String>,
    forms: Forms,
    taken: Scope,
    /// Names in the model of the diagram variables in scope, innermost last.
    open: Vec<String>,
    /// Names of variables by their names in the model, innermost last.
    variables: BTreeMap<String, Vec<Named>>,
}

#[derive(Debug)]
struct Named {
    name: String,
    /// Whether the name is a pointer to the variable.
    is_pointer: bool,
}

impl Names {
    /// Chooses names for the parts of a program. Only elements that `is_written` accepts get names.
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

    /// Turns a name into a valid identifier that isn't reserved.
    pub(crate) fn identifier(&self, name: &str) -> String {
        self.forms.identifier(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.taken.has(name)
    }

    /// Creates a constant for something that the program has no name for.
    pub(crate) fn constant(&mut self, label: &str) -> String {
        let name = (self.forms.constant)(label, "node");
        self.taken.take(&self.forms.identifier(&name))
    }

    /// Brings a diagram variable into scope, and returns its name.
    pub(crate) fn declare(&mut self, model: &str) -> String {
        self.enter(model.to_owned(), model, false)
    }

    /// Brings a pointer to a diagram variable into scope, and returns its name.
    pub(crate) fn declare_pointer(&mut self, model: &str) -> String {
        self.enter(model.to_owned(), model, true)
    }

    /// Brings a variable that isn't in the model into scope, and returns its name.
    pub(crate) fn hide(&mut self, wish: &str) -> String {
        // Names in a model contain no spaces, so this one can't clash.
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

    /// Removes the variables from the scope that were added since [`Self::depth`] returned `depth`.
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
