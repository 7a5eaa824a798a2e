//! Resolves cost functions. Signatures come first, so that functions can call each other in any
//! order.

use std::collections::BTreeSet;

use super::Resolver;
use super::names::Taken;
use crate::lang;
use crate::lang::ir::{Needs, Signature, Type, Variable as Name};
use crate::lang::scope::Binding;
use crate::program::{Function, FunctionIndex, Functions, ListPlace as _};
use prophet_model::diagnostic::Diagnostic;
use prophet_model::diagnostic::catalogue::program as rules;
use prophet_model::model::CostFunction;

/// Problems of a behavior that may not be a cost function. They matter only if something calls it.
pub(super) struct Held {
    function: Option<FunctionIndex>,
    problems: Vec<Diagnostic>,
}

impl Resolver<'_> {
    /// Adds all cost functions to the scope, and then resolves their bodies.
    pub(super) fn functions(&mut self) {
        let model = self.model;
        let mut taken = Taken::default();
        let mut accepted = Vec::new();
        for function in &model.functions {
            let name = &function.name.value;
            let count = self.diagnostics.count();
            let accepted_name = self.accept_name(&function.name, &function.path, &mut taken);
            let mut problems = self.diagnostics.withdraw(count);
            problems.extend(function.problems.iter().cloned());
            if !accepted_name {
                // If several functions have the same name, the problem matters if the first is
                // called.
                let function = self.scope.functions.get(name).map(|(index, _)| *index);
                self.held.push(Held { function, problems });
                continue;
            }
            self.held.push(Held {
                function: Some(FunctionIndex::new(accepted.len())),
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
            let entry = (FunctionIndex::new(accepted.len()), signature.clone());
            self.scope.functions.insert(name.clone(), entry);
            accepted.push((function, signature));
        }
        for (function, signature) in accepted {
            let count = self.diagnostics.count();
            let body = self.body(function, &signature).unwrap_or_default();
            let problems = self.diagnostics.withdraw(count);
            let index = FunctionIndex::new(self.program.functions.len());
            self.held.push(Held {
                function: Some(index),
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
        let order = self.refuse_recursion();
        self.refuse_expanding_functions(&order);
        self.close_needs(&order);
        self.find_differing(&order);
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
        // A function without types returns a real number, in seconds.
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
        let shadowed = self.shadow(signature);
        let place = lang::CodePlace {
            source: self.source,
            element: &function.path,
        };
        let scope = &self.scope;
        let body = lang::function_body(&function.body, signature, scope, place, self.diagnostics);
        for (name, binding) in shadowed {
            match binding {
                Some(binding) => self.scope.variables.insert(name, binding),
                None => self.scope.variables.remove(&name),
            };
        }
        body
    }

    /// Adds a function's arguments to the scope, and returns the bindings that they hide. Copying
    /// the whole scope for each function would take quadratic time.
    fn shadow(&mut self, signature: &Signature) -> Vec<(String, Option<Binding>)> {
        let shadow = |(name, ty): &(String, Type)| {
            let binding = Binding {
                variable: Name::Own(name.clone()),
                ty: ty.clone(),
                writable: true,
            };
            let shadowed = self.scope.variables.insert(name.clone(), binding);
            (name.clone(), shadowed)
        };
        signature.arguments.iter().map(shadow).collect()
    }

    /// Orders the functions so that each comes after the functions that it calls. Reports functions
    /// that call each other in a cycle, because their cost can't be determined.
    fn refuse_recursion(&mut self) -> Vec<FunctionIndex> {
        let circles = match callees_first(&self.program.functions) {
            Ok(order) => return order,
            Err(circles) => circles,
        };
        for circle in circles {
            let names: Vec<&str> = circle
                .iter()
                .map(|&f| self.program.functions[f].signature.name.as_str())
                .collect();
            let message = format!(
                "cost functions call each other in a cycle: {}",
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
            let help = "a cost cannot be recursive: write a loop or a closed form";
            self.report(&rules::RECURSIVE_FUNCTIONS, span, &path, message, help);
        }
        // Later steps don't use the needs of functions after an error, so calls can be removed to
        // break the cycle.
        for function in &mut self.program.functions {
            function.needs.calls.clear();
        }
        Vec::new()
    }

    /// Reports the problems of called functions. If the program has errors, also reports functions
    /// with an invalid signature, because the errors may be calls of them.
    fn report_held(&mut self, used: &BTreeSet<FunctionIndex>) {
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

    pub(super) fn mark_used_functions(&mut self) {
        let used = super::needs::called_functions(&self.program);
        for &index in &used {
            self.program.functions[index].used = true;
        }
        self.report_held(&used);
    }
}

/// Nodes that call each other in a cycle. The last node is the first one again.
pub type Circle = Vec<usize>;

/// Maximum number of cycles to report one by one. Any further cycles are reported together.
const CIRCLES_MAX: usize = 20;

/// Orders the functions so that each comes after the functions that it calls.
///
/// # Errors
///
/// Returns the cycles if functions call each other: one for each call that closes a cycle.
pub fn callees_first(functions: &Functions) -> Result<Vec<FunctionIndex>, Vec<Vec<FunctionIndex>>> {
    let calls = functions.iter().map(|it| it.needs.calls.iter());
    let calls = calls.map(|it| it.map(|callee| callee.number()).collect());
    let indices = |numbers: Vec<usize>| numbers.into_iter().map(FunctionIndex::new).collect();
    match order(&calls.collect::<Vec<_>>()) {
        Ok(order) => Ok(indices(order)),
        Err(circles) => Err(circles.into_iter().map(indices).collect()),
    }
}

/// Orders the nodes of a call graph so that each comes after the nodes that it calls. If there are
/// cycles, returns them instead.
pub(super) fn order(calls: &[Vec<usize>]) -> Result<Vec<usize>, Vec<Circle>> {
    let mut circles = Vec::new();
    let mut order = Vec::with_capacity(calls.len());
    let mut is_seen = vec![false; calls.len()];
    let mut is_done = vec![false; calls.len()];
    for start in 0..calls.len() {
        // A path of nodes, each with the index of the next call to follow. It is on the heap,
        // because chains of calls can be long.
        let mut path = vec![(start, 0)];
        while let Some((here, next)) = path.last_mut() {
            let node = *here;
            is_seen[node] = true;
            let callee = calls[node].get(*next).filter(|_| !is_done[node]);
            let Some(&callee) = callee else {
                if !std::mem::replace(&mut is_done[node], true) {
                    order.push(node);
                }
                path.pop();
                continue;
            };
            *next += 1;
            if is_done[callee] {
                continue;
            }
            if is_seen[callee] {
                let on_path = path.iter().map(|(node, _)| *node);
                let circle = on_path.skip_while(|node| *node != callee);
                circles.push(circle.chain([callee]).collect());
                if circles.len() == CIRCLES_MAX {
                    return Err(circles);
                }
                continue;
            }
            path.push((callee, 0));
        }
    }
    if circles.is_empty() {
        Ok(order)
    } else {
        Err(circles)
    }
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn callees_come_first() {
        let calls = [vec![2, 1], vec![2, 2], vec![], vec![0]];
        assert_eq!(order(&calls).unwrap(), [2, 1, 0, 3]);
    }

    #[test]
    fn circles_are_found_whatever_leads_to_them() {
        assert_eq!(
            order(&[vec![1], vec![2, 3], vec![], vec![1]]).unwrap_err(),
            [[1, 3, 1]]
        );
        assert_eq!(order(&[vec![], vec![1]]).unwrap_err(), [[1, 1]]);
        assert_eq!(
            order(&[vec![1], vec![0, 2], vec![1, 2]]).unwrap_err(),
            [vec![0, 1, 0], vec![1, 2, 1], vec![2, 2]]
        );
    }
}
