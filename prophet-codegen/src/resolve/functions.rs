//! Cost functions: signatures first, so that they can call each other, then bodies.

use std::collections::BTreeSet;

use super::Resolver;
use super::names::Taken;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::catalogue::program as rules;
use crate::lang;
use crate::lang::ir::{Needs, Signature, Type, Variable as Name};
use crate::lang::scope::{Binding, Scope};
use crate::model::CostFunction;
use crate::program::Function;

/// What is wrong with a cost function. A model may have behaviors that are none of ours: their
/// problems matter only if something calls them.
pub(super) struct Held {
    /// Its index in the program; `None` without a signature that could be called.
    function: Option<usize>,
    problems: Vec<Diagnostic>,
}

impl Resolver<'_> {
    /// Puts all cost functions into the scope, then reads their bodies.
    pub(super) fn functions(&mut self) {
        let model = self.model;
        let mut taken = Taken::default();
        let mut accepted = Vec::new();
        for function in &model.functions {
            let name = &function.name.value;
            let count = self.diagnostics.count();
            let accepted_name = self.accept_name(&function.name, &function.path, &mut taken);
            let problems = self.diagnostics.withdraw(count);
            if !accepted_name {
                // Two of a name matter if the first of them is called.
                let function = self.scope.functions.get(name).map(|(index, _)| *index);
                self.held.push(Held { function, problems });
                continue;
            }
            self.held.push(Held {
                function: Some(accepted.len()),
                problems,
            });
            let count = self.diagnostics.count();
            let Some(signature) = self.signature(function) else {
                let problems = self.diagnostics.withdraw(count);
                self.held.push(Held {
                    function: None,
                    problems,
                });
                continue;
            };
            let entry = (accepted.len(), signature.clone());
            self.scope.functions.insert(name.clone(), entry);
            accepted.push((function, signature));
        }
        for (function, signature) in accepted {
            let count = self.diagnostics.count();
            let body = self.body(function, &signature).unwrap_or_default();
            let problems = self.diagnostics.withdraw(count);
            let index = Some(self.program.functions.len());
            self.held.push(Held {
                function: index,
                problems,
            });
            let needs = Needs::of(&body);
            self.program.functions.push(Function {
                signature,
                body,
                needs,
                used: false,
                source: function.body.clone(),
                comment: function.comment.clone(),
            });
        }
        self.refuse_recursion();
        self.close_needs();
    }

    fn signature(&mut self, function: &CostFunction) -> Option<Signature> {
        let mut taken = Taken::default();
        let mut arguments = Vec::new();
        for argument in &function.parameters {
            if !self.accept_name(&argument.name, &argument.path, &mut taken) {
                return None;
            }
            let ty = self.type_of(argument)?;
            if matches!(ty, Type::Array(..)) {
                let message = format!("the parameter {} is an array", argument.name.value);
                let help = "a cost function takes single values; read a global array instead";
                self.report(
                    &rules::ARRAY_HERE,
                    argument.name.span,
                    &argument.path,
                    message,
                    help,
                );
                return None;
            }
            arguments.push((argument.name.value.clone(), ty));
        }
        // A function of a model without types in its signature is a cost function in seconds.
        let result = match &function.result {
            Some(name) => self.scalar_type(name, &function.name, &function.path)?,
            None => Type::Real,
        };
        Some(Signature {
            name: function.name.value.clone(),
            arguments,
            result,
        })
    }

    fn body(
        &mut self,
        function: &CostFunction,
        signature: &Signature,
    ) -> Option<Vec<lang::ir::Statement>> {
        self.load_tables(&function.body, &function.path);
        let scope = self.function_scope(signature);
        let place = lang::Place {
            source: self.source,
            element: &function.path,
        };
        lang::function_body(&function.body, signature, &scope, place, self.diagnostics)
    }

    /// The scope of a function's body: its arguments shadow what is outside.
    fn function_scope(&self, signature: &Signature) -> Scope {
        let mut scope = self.scope.clone();
        for (name, ty) in &signature.arguments {
            let variable = Name::Own(name.clone());
            let binding = Binding {
                variable,
                ty: ty.clone(),
                writable: true,
            };
            scope.variables.insert(name.clone(), binding);
        }
        scope
    }

    /// Reports functions that call each other in a circle: their cost would never be known.
    fn refuse_recursion(&mut self) {
        let calls: Vec<Vec<usize>> = self
            .program
            .functions
            .iter()
            .map(|f| f.needs.calls.iter().copied().collect())
            .collect();
        if let Some(cycle) = cycle(&calls) {
            let names: Vec<&str> = cycle
                .iter()
                .map(|&f| self.program.functions[f].signature.name.as_str())
                .collect();
            let message = format!(
                "cost functions call each other in a circle: {}",
                names.join(" → ")
            );
            let first = self
                .model
                .functions
                .iter()
                .find(|f| f.name.value == names[0]);
            let (span, path) = first
                .map(|f| (f.name.span, f.path.clone()))
                .unwrap_or_default();
            let help = "recursion has no place in a cost: write a loop or a closed form";
            self.report(&rules::RECURSIVE_FUNCTIONS, span, &path, message, help);
            // What they need is not asked after this, so that the circle does no harm.
            for function in &mut self.program.functions {
                function.needs.calls.clear();
            }
        }
    }

    /// Reports what is wrong with functions that are called, and, if anything else is wrong, with
    /// those that nothing could call for that.
    fn report_held(&mut self, used: &BTreeSet<usize>) {
        let (called, others): (Vec<Held>, Vec<Held>) = std::mem::take(&mut self.held)
            .into_iter()
            .partition(|held| held.function.is_some_and(|index| used.contains(&index)));
        for problem in called.into_iter().flat_map(|held| held.problems) {
            self.diagnostics.push(problem);
        }
        if self.diagnostics.has_errors() {
            let others = others.into_iter().filter(|held| held.function.is_none());
            for problem in others.flat_map(|held| held.problems) {
                self.diagnostics.push(problem);
            }
        }
    }

    /// Marks what diagrams and first values call, directly or not.
    pub(super) fn mark_used_functions(&mut self) {
        let used = super::needs::called_functions(&self.program);
        for &index in &used {
            self.program.functions[index].used = true;
        }
        self.report_held(&used);
    }
}

/// A circle in the graph of who calls whom, its first function again at its end.
pub(super) fn cycle(calls: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut done = BTreeSet::new();
    for start in 0..calls.len() {
        // A path of (function, next call to follow), on the heap: models can nest deeply.
        let mut path = vec![(start, 0)];
        while let Some((function, next)) = path.last_mut() {
            let here = *function;
            if done.contains(&here) {
                path.pop();
                continue;
            }
            let Some(&callee) = calls[here].get(*next) else {
                done.insert(here);
                path.pop();
                continue;
            };
            *next += 1;
            if let Some(at) = path.iter().position(|(f, _)| *f == callee) {
                let mut cycle: Vec<usize> = path[at..].iter().map(|(f, _)| *f).collect();
                cycle.push(callee);
                return Some(cycle);
            }
            path.push((callee, 0));
        }
    }
    None
}
