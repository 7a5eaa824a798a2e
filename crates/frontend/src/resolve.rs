//! Resolves a model into a program: finds out which variables names refer to, determines the types
//! of expressions, and structures diagrams.
//!
//! The order follows the algorithm in the papers: first globals, then cost functions, and then the
//! program with its locals, elements and control flow.

mod actions;
mod collectives;
mod content;
mod diagrams;
mod elements;
mod expansion;
mod flows;
mod fork_problems;
mod forks;
mod functions;
mod ids;
mod locals;
mod loops;
mod loose;
mod messages;
mod names;
mod needs;
mod offload;
mod opcodes;
mod operations;
mod pieces;
mod received;
mod recursion;
mod regions;
mod repetition;
mod scopes;
mod signals;
mod steps;
#[cfg(test)]
mod tests;
mod tokens;
mod variables;
mod workflows;

use crate::lang::ir::Variable;
use crate::lang::scope::{self, Scope};
use crate::program::{
    Element, ElementIndex, FunctionIndex, List, LockIndex, Program, RequestIndex, SignalIndex,
    Table, TableRows,
};
use diagrams::Diagrams;
use functions::Held;
use prophet_map::Map;
use prophet_model::diagnostic::{Advice, Diagnostic, Diagnostics, Rule, Span};
use prophet_model::model::{Code, ElementId, Model};
use prophet_model::source::Source;
use prophet_text::Problem;

pub use functions::{Circle, callees_first};
pub use ids::id_of_path;
pub use locals::used as used_locals;
pub use needs::{
    diagrams_with_globals, is_checked_by_element, needs_before_element, needs_of_all,
    needs_with_calls,
};
pub use regions::fits;

/// Reads a table from a file. Returns its rows, or the reason why it can't be read.
pub type ReadTable<'a> = dyn Fn(&str) -> Result<TableRows, Problem> + 'a;

/// Checks `model`, and returns its program. Reports errors, and returns `None` if there are any.
pub fn resolve(
    model: &Model,
    source: &Source,
    read_table: &ReadTable<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let mut resolver = Resolver {
        model,
        source,
        read_table,
        diagnostics,
        scope: Scope::default(),
        held: Vec::new(),
        global_scope: Scope::default(),
        made: Diagrams::default(),
        program: Program {
            name: model.name.clone(),
            ..Program::default()
        },
        differing: List::default(),
        ids: Vec::new(),
        numbers_of_requests: Map::new(),
        numbers_of_locks: Map::new(),
        numbers_of_signals: Map::new(),
        accepts: Vec::new(),
        waits: Vec::new(),
        declared: Map::new(),
        reached: model.reached(),
    };
    resolver.ids = ids::assign(model, &resolver.reached, resolver.diagnostics);
    resolver.variables();
    resolver.functions();
    resolver.initial_values();
    resolver.global_scope = resolver.scope.clone();
    resolver.diagrams();
    resolver.check_workflow();
    resolver.check_waits();
    resolver.check_signals();
    resolver.check_values();
    resolver.mark_used_functions();
    let mut program = resolver.program;
    if diagnostics.has_errors() {
        return None;
    }
    program.opcodes = opcodes::opcodes(&program);
    program.devices = opcodes::devices(&program);
    // In a workflow, each iteration consists of different tasks.
    if !program.is_workflow {
        repetition::find(&mut program);
    }
    Some(program)
}

struct Resolver<'a> {
    model: &'a Model,
    source: &'a Source,
    read_table: &'a ReadTable<'a>,
    diagnostics: &'a mut Diagnostics,
    /// Problems in cost functions. They are reported only if the function may be called.
    held: Vec<Held>,
    /// Names that the current code can use.
    scope: Scope,
    /// Names that all diagrams can use.
    global_scope: Scope,
    made: Diagrams,
    program: Program,
    /// For each function, a variable that it depends on and that differs between processes; `None`
    /// if there is no such variable.
    differing: List<FunctionIndex, Option<Variable>>,
    ids: Vec<i64>,
    /// Waits for requests, each with the element's path and place.
    waits: Vec<(RequestIndex, String, Span)>,
    numbers_of_requests: Map<String, RequestIndex>,
    numbers_of_locks: Map<String, LockIndex>,
    numbers_of_signals: Map<String, SignalIndex>,
    /// Waits for signals, each with the element's path and place.
    accepts: Vec<(SignalIndex, String, Span)>,
    /// Indices of the model elements that the program contains.
    declared: Map<ElementId, ElementIndex>,
    reached: Vec<bool>,
}

impl Resolver<'_> {
    fn report(
        &mut self,
        rule: &'static Rule,
        span: Span,
        path: &str,
        message: String,
        help: impl Into<Advice>,
    ) {
        let diagnostic = Diagnostic::new(rule, span, message)
            .element(path)
            .help(help);
        self.diagnostics.push(diagnostic);
    }

    /// Returns an element's index in the program. Adds the element on first use.
    fn declare(&mut self, id: ElementId, in_run: bool) -> ElementIndex {
        let elements = &mut self.program.elements;
        let index = *self.declared.get_or_insert_with(id, || {
            let element = self.model.element(id);
            elements.push(Element {
                name: names::display_name(element),
                path: element.path.clone(),
                span: element.span,
                id: self.ids[id.0],
                stereotype: element.stereotype.as_ref().map(|s| s.kind),
                forks: false,
                flows: false,
                lock: None,
                signal: None,
                in_run: false,
                comment: element.comment.clone(),
            })
        });
        elements[index].in_run |= in_run;
        index
    }

    fn load_tables(&mut self, code: &Code, path: &str) {
        for file in scope::table_names(&code.text.value) {
            if self.scope.tables.contains_key(&file) {
                continue;
            }
            let read = (self.read_table)(&file);
            let arguments = read.as_ref().ok().map(|rows| match rows {
                TableRows::Points(_) => 1,
                TableRows::Lines(_) => 2,
            });
            let rows = read.unwrap_or_else(|why| {
                let message = format!("cannot read the table {file:?}: {why}");
                let rule = &prophet_model::diagnostic::catalogue::program::BAD_TABLE;
                let help = "put the table next to the model, or correct its name";
                self.report(rule, code.text.span, path, message, help);
                TableRows::Points(Vec::new())
            });
            let name = file.clone();
            let index = self.program.tables.push(Table { file, rows });
            self.scope.tables.insert(name, (index, arguments));
        }
    }
}
