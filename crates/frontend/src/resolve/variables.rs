//! Resolves global variables, model parameters and diagram variables.

use super::Resolver;
use super::names::Taken;
use crate::lang;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Type, Variable as Name};
use crate::lang::scope::{Binding, type_by_name};
use crate::program::{Global, Local, Parameter};
use prophet_model::diagnostic::Diagnostic;
use prophet_model::diagnostic::catalogue::lang::SYNTAX;
use prophet_model::diagnostic::catalogue::program as rules;
use prophet_model::model::{Code, Language, Variable};
use prophet_model::path::shorten;
use prophet_model::source::Text;

impl Resolver<'_> {
    /// Adds parameters and globals to the scope. Initial values follow later, because they may call
    /// functions.
    pub(super) fn variables(&mut self) {
        let model = self.model;
        let mut taken = Taken::default();
        for variable in &model.globals {
            let Some(ty) = self.type_of_global(variable) else {
                continue;
            };
            if !self.accept_name(&variable.name, &variable.path, &mut taken) {
                continue;
            }
            let name = variable.name.value.clone();
            let comment = variable.comment.clone();
            let (meaning, writable) = if variable.read_only {
                // Adds the name even after a problem, so that uses of it aren't reported as well.
                let default = self.parameter_default(variable, &ty);
                let default = default.unwrap_or(Constant::Int(0));
                let index = self.program.parameters.push(Parameter {
                    name: name.clone(),
                    default,
                    is_required: variable.is_required,
                    comment,
                });
                (Name::Parameter(index), false)
            } else {
                let index = self.program.globals.push(Global {
                    name: name.clone(),
                    ty: ty.clone(),
                    declared_type: variable.type_name.value.clone(),
                    value: None,
                    comment,
                });
                (Name::Global(index), true)
            };
            self.scope.variables.insert(
                name,
                Binding {
                    variable: meaning,
                    ty,
                    writable,
                },
            );
        }
    }

    /// Resolves the initial values of globals, in file order.
    pub(super) fn initial_values(&mut self) {
        let model = self.model;
        for variable in model.globals.iter().filter(|variable| !variable.read_only) {
            let name = &variable.name.value;
            let known = self.scope.variables.get(name).map(|it| &it.variable);
            let Some(&Name::Global(index)) = known else {
                continue;
            };
            let ty = self.program.globals[index].ty.clone();
            self.program.globals[index].value = self.first_value(variable, &ty);
        }
    }

    /// Resolves the variables of a diagram. They stay in scope until [`Self::forget`] removes them.
    pub(super) fn locals(&mut self, variables: &[Variable]) -> Vec<Local> {
        let mut taken = Taken::default();
        let mut locals = Vec::new();
        for variable in variables {
            let count = self.diagnostics.count();
            if !self.is_a_name(&variable.name, &variable.path) {
                self.leave_out(variable, count);
                continue;
            }
            if !self.accept_name(&variable.name, &variable.path, &mut taken) {
                continue;
            }
            let name = &variable.name.value;
            if self.is_local(name) {
                let message =
                    format!("{name} hides the variable of the same name in the enclosing diagram");
                let help = "rename one of them";
                self.report(
                    &rules::HIDDEN_LOCAL,
                    variable.name.span,
                    &variable.path,
                    message,
                    help,
                );
                continue;
            }
            let Some(ty) = self.type_of(variable) else {
                continue;
            };
            let value = self.first_value(variable, &ty);
            let binding = Binding {
                variable: Name::Local(name.clone()),
                ty: ty.clone(),
                writable: !variable.read_only,
            };
            self.scope.variables.insert(name.clone(), binding);
            let comment = variable.comment.clone();
            locals.push(Local {
                name: name.clone(),
                ty,
                value,
                comment,
            });
        }
        locals
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        let binding = self.scope.variables.get(name);
        binding.is_some_and(|binding| matches!(binding.variable, Name::Local(_)))
    }

    fn first_value(&mut self, variable: &Variable, ty: &Type) -> Option<lang::ir::Expression> {
        let code = variable.default.as_ref()?;
        if matches!(ty, Type::Array(..)) {
            let message = format!("the array {} has a default value", variable.name.value);
            let help =
                "the values of an array start at 0; set them in the code of the first element";
            self.report(
                &rules::ARRAY_HERE,
                code.text.span,
                &variable.path,
                message,
                help,
            );
            return None;
        }
        self.expression(code, ty, &variable.path)
    }

    fn parameter_default(&mut self, variable: &Variable, ty: &Type) -> Option<Constant> {
        if matches!(ty, Type::Array(..)) {
            let message = format!("the parameter {} is an array", variable.name.value);
            let help = "a parameter is a command-line flag: give it multiplicity 1";
            self.report(
                &rules::ARRAY_HERE,
                variable.name.span,
                &variable.path,
                message,
                help,
            );
            return None;
        }
        let Some(code) = &variable.default else {
            return match ty {
                Type::Real => Some(Constant::Real(0.0)),
                Type::Bool => Some(Constant::Bool(false)),
                _ => Some(Constant::Int(0)),
            };
        };
        let expression = self.expression(code, ty, &variable.path)?;
        let value = constant(&expression);
        if value.is_none() {
            let message = format!(
                "the default of the parameter {} is not a constant",
                variable.name.value
            );
            let help = "write a number, true or false; use a global variable for a computed value";
            self.report(
                &rules::NOT_CONSTANT,
                code.text.span,
                &variable.path,
                message,
                help,
            );
        }
        value
    }

    /// Returns the type of a global variable. Ignores variables whose type is unknown or whose name
    /// can't appear in expressions, because classes can have attributes that have nothing to do
    /// with costs.
    fn type_of_global(&mut self, variable: &Variable) -> Option<Type> {
        let count = self.diagnostics.count();
        let ty = self.type_of(variable);
        let is_named = ty.is_none() || self.is_a_name(&variable.name, &variable.path);
        self.leave_out(variable, count);
        ty.filter(|_| is_named)
    }

    /// Turns the problems of a variable since `count` into warnings that it is ignored.
    fn leave_out(&mut self, variable: &Variable, count: usize) {
        for problem in self.diagnostics.withdraw(count) {
            let name = shorten(&variable.name.value);
            let message = format!("{name} is ignored: {}", problem.message);
            let (rule, span) = (&rules::LEFT_OUT, problem.span);
            self.report(rule, span, &variable.path, message, &problem.help);
        }
    }

    pub(super) fn type_of(&mut self, variable: &Variable) -> Option<Type> {
        let ty = self.scalar_type(&variable.type_name, &variable.name, &variable.path)?;
        Some(match variable.length {
            Some(length) => Type::Array(Box::new(ty), length),
            None => ty,
        })
    }

    pub(super) fn scalar_type(&mut self, name: &Text, owner: &Text, path: &str) -> Option<Type> {
        let ty = type_by_name(name.value.trim());
        if ty.is_none() {
            let help =
                "the supported types are int (Integer), long, double (Real) and bool (Boolean)";
            let (message, span) = if name.value.trim().is_empty() {
                (format!("{} has no type", owner.value), owner.span)
            } else {
                (
                    format!("{} is not a type of the cost language", name.value.trim()),
                    name.span,
                )
            };
            self.report(&rules::UNKNOWN_TYPE, span, path, message, help);
        }
        ty
    }

    pub(super) fn expression(
        &mut self,
        code: &Code,
        ty: &Type,
        path: &str,
    ) -> Option<lang::ir::Expression> {
        self.load_tables(code, path);
        let place = lang::CodePlace {
            source: self.source,
            element: path,
        };
        lang::expression(code, ty, &self.scope, place, self.diagnostics)
    }

    /// Resolves the condition of a guard, loop or clause. If it consists of words, the help text
    /// suggests `--assume`.
    pub(super) fn condition_expression(
        &mut self,
        code: &Code,
        path: &str,
    ) -> Option<lang::ir::Expression> {
        let before = self.diagnostics.count();
        let expression = self.expression(code, &Type::Bool, path);
        if is_in_words(&code.text.value) {
            let found = self.diagnostics.iter_mut().skip(before);
            let unhelped = |it: &&mut Diagnostic| it.help.is_empty() || it.code == SYNTAX.code;
            for problem in found.filter(unhelped) {
                if problem.code == SYNTAX.code && code.text.value.contains(['?', '%', ',']) {
                    let shown = shorten(code.text.value.trim());
                    problem.message = format!("`{shown}` is not a condition");
                }
                "write a condition as code, or use `--assume` to give it a probability"
                    .clone_into(&mut problem.help);
            }
        }
        expression
    }

    /// Resolves the text of a tag as a C expression.
    pub(super) fn tag_expression(
        &mut self,
        text: &Text,
        ty: &Type,
        path: &str,
    ) -> Option<lang::ir::Expression> {
        let code = Code {
            language: Language::C,
            text: text.clone(),
        };
        self.expression(&code, ty, path)
    }
}

/// Returns `true` if a condition is written in ordinary words, such as `in stock?`, or is a
/// probability, such as `30%` or `often, p = 0.3`.
fn is_in_words(condition: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || "_ ?.,'%=".contains(c);
    condition.contains(char::is_alphanumeric) && condition.trim().chars().all(is_word)
}
