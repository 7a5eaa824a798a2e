//! Resolves workflows: files of tasks, and models that predict the cost of tasks. Reports elements
//! that workflows can't contain.

use std::collections::BTreeSet;

use super::Resolver;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, ExpressionKind, Type};
use crate::program::action::{Action, TaskFile};
use crate::program::{Construct, ElementIndex, Execute, Program, Region, Step};
use crate::tables::is_plain_name;
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::model::{Element, Stereotype, StereotypeKind};
use prophet_model::source::Text;
use prophet_text::similar;

impl Resolver<'_> {
    pub(super) fn files(&mut self, element: &Element, of: &Stereotype) -> [Vec<TaskFile>; 2] {
        ["inputs", "outputs"].map(|tag| {
            let Some(text) = of.tags.get(tag) else {
                return Vec::new();
            };
            let mut files: Vec<TaskFile> = Vec::new();
            for (start, end) in entries(&text.value) {
                let entry = text.clone().slice(self.source, start, end);
                let entry = entry.trimmed(self.source);
                // A size that is written elsewhere keeps its place.
                let size = text.value[start..end].find(':').map(|at| {
                    let size = text.clone().slice(self.source, start + at + 1, end);
                    size.trimmed(self.source)
                });
                let Some(file) = self.file(element, tag, &entry, size) else {
                    continue;
                };
                if files.iter().any(|it| it.name == file.name) {
                    let message = format!("the tag `{tag}` names the file {:?} twice", file.name);
                    let help = "name each file once";
                    self.report(&rules::BAD_FILE, entry.span, &element.path, message, help);
                } else {
                    files.push(file);
                }
            }
            files
        })
    }

    /// Parses `name` or `name: size`.
    fn file(
        &mut self,
        element: &Element,
        tag: &str,
        entry: &Text,
        size: Option<Text>,
    ) -> Option<TaskFile> {
        let name = entry.value.split(':').next().unwrap_or_default().trim();
        let problem = if name.is_empty() {
            Some(("a file has no name".to_owned(), "write `name: size`"))
        } else if tag == "outputs" && size.is_none() {
            let help = "write `name: size` with the size in bytes, or the tag `size` of the `file`";
            Some((format!("the file {name:?} has no size"), help))
        } else {
            None
        };
        if let Some((message, help)) = problem {
            self.report(&rules::BAD_FILE, entry.span, &element.path, message, help);
            return None;
        }
        let size = match size {
            // After an error, the file counts as a file with a size.
            Some(size) => {
                let size = self.tag_expression(&size, &Type::Real, &element.path);
                let zero = || Expression {
                    kind: ExpressionKind::Real("0.0".to_owned()),
                    ty: Type::Real,
                };
                Some(size.unwrap_or_else(zero))
            }
            None => None,
        };
        Some(TaskFile {
            name: name.to_owned(),
            size,
        })
    }

    /// Returns the file of the model that predicts a task's cost, relative to the folder of this
    /// model.
    pub(super) fn model_of_task(&mut self, element: &Element, of: &Stereotype) -> Option<String> {
        let text = of.tags.get("model")?;
        let file = text.value.trim();
        if let Some(priced) = ["cost", "time"].iter().find_map(|it| of.tags.get(*it)) {
            let message = "the task has both a `model` and a cost".to_owned();
            let help = "keep one: the model's predicted time is the cost";
            let rule = &rules::SEVERAL_PRICES;
            self.report(rule, priced.span, &element.path, message, help);
        }
        if is_plain_name(file) {
            self.program.models.insert(file.to_owned());
            return Some(file.to_owned());
        }
        let message = format!("{file:?} is not a model in this model's folder");
        let help = "put the model next to this one, and name it without a path";
        self.report(&rules::WRONG_VALUE, text.span, &element.path, message, help);
        None
    }

    /// Reports a value that isn't allowed in a task's tag.
    pub(super) fn check_value_of_task(
        &mut self,
        text: &Text,
        (path, tag): (&str, &str),
        value: &Expression,
    ) {
        let (wrong, help) = match (tag, constant(value)) {
            ("retries", Some(Constant::Int(value))) if value < 0 => (
                value.to_string(),
                "write the number of attempts after the first one, 0 or more",
            ),
            ("failure_probability", Some(Constant::Real(value)))
                if !(0.0..=1.0).contains(&value) =>
            {
                (value.to_string(), "write a probability from 0 to 1")
            }
            _ => return,
        };
        let message = format!("the {tag} of `task` cannot be {wrong}");
        self.report(&rules::WRONG_VALUE, text.span, path, message, help);
    }

    /// Returns the name of the program that a task runs. Reports `retries` of a task that never
    /// fails.
    pub(super) fn program_of_task(&mut self, element: &Element, of: &Stereotype) -> Option<String> {
        if let (Some(retries), None) = (of.tags.get("retries"), of.tags.get("failure_probability"))
        {
            let message = "the task has `retries`, but it never fails".to_owned();
            let help = "give it a `failure_probability`, or remove `retries`";
            self.report(
                &rules::IDLE_RETRIES,
                retries.span,
                &element.path,
                message,
                help,
            );
        }
        let name = of.tags.get("program")?.value.trim();
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// Checks a workflow, and marks the program as one. Reports elements that workflows can't
    /// contain and, in other programs, elements that only workflows can contain.
    pub(super) fn check_workflow(&mut self) {
        let main = self.model.main;
        for (number, diagram) in self.model.diagrams.iter().enumerate() {
            let Some(stereotype) = &diagram.stereotype else {
                continue;
            };
            if stereotype.kind != StereotypeKind::Workflow {
                continue;
            }
            if number == main.0 {
                self.program.is_workflow = true;
            } else if self.reached[number] {
                let message = format!("the activity {} is not the main activity", diagram.path);
                let help = "remove `workflow`, or make this activity the main one with `--main`";
                let rule = &rules::NO_WORKFLOW;
                let (span, path) = (stereotype.span, diagram.path.clone());
                self.report(rule, span, &path, message, help);
            }
        }
        if self.program.is_workflow {
            self.refuse_processes();
            self.check_inputs();
        } else {
            self.refuse_tasks();
        }
    }

    fn refuse_tasks(&mut self) {
        let is_task = |it: &&Execute| match &it.action {
            Action::Compute(compute) => compute.task.is_some(),
            _ => false,
        };
        let tasks = self.program.executions().filter(is_task);
        let tasks: BTreeSet<ElementIndex> = tasks.map(|it| it.element).collect();
        for task in tasks {
            let (span, path) = self.place_of(task);
            let message = format!("{path} is a `task`, but the main activity is not a `workflow`");
            let help = "apply `workflow` to the main activity, or make it an `action+`";
            self.report(&rules::NO_WORKFLOW, span, &path, message, help);
        }
    }

    fn refuse_processes(&mut self) {
        let foreign: BTreeSet<ElementIndex> = self.program.steps().filter_map(foreign).collect();
        for element in foreign {
            let (span, path) = self.place_of(element);
            let kind = self.program.elements[element].stereotype;
            let kind = kind.map_or("node", StereotypeKind::name);
            let message =
                format!("`{kind}` is not supported in a workflow, which has no processes");
            let help = "use `task`, `action+`, `activity+`, `loop+`, `paralleldo`, forks and \
                        decisions; a task can run a `model` with processes";
            self.report(&rules::NOT_IN_WORKFLOW, span, &path, message, help);
        }
    }

    /// Reports inputs without a size, unless a task writes them.
    fn check_inputs(&mut self) {
        let written: BTreeSet<String> = tasks(&self.program)
            .flat_map(|(_, task)| task.outputs.iter().map(|it| it.name.clone()))
            .collect();
        let given: BTreeSet<String> = tasks(&self.program)
            .flat_map(|(_, task)| &task.inputs)
            .filter(|it| it.size.is_some())
            .map(|it| it.name.clone())
            .collect();
        let mut missing = Vec::new();
        for (element, task) in tasks(&self.program) {
            for file in &task.inputs {
                if !written.contains(&file.name) && !given.contains(&file.name) {
                    missing.push((element, file.name.clone()));
                }
            }
        }
        for (element, name) in missing {
            let (span, path) = self.place_of(element);
            let message = format!("no task writes the file {name:?}, and it has no size");
            let known = written.iter().map(String::as_str);
            let help = match similar(&name, known) {
                Some(guess) => format!("did you mean {guess:?}?"),
                None => {
                    "let a task write it, or give it a size to make it an input of the workflow"
                        .into()
                }
            };
            self.report(&rules::BAD_FILE, span, &path, message, help);
        }
    }

    fn place_of(&self, element: ElementIndex) -> (prophet_model::diagnostic::Span, String) {
        let element = &self.program.elements[element];
        (element.span, element.path.clone())
    }
}

fn tasks(program: &Program) -> impl Iterator<Item = (ElementIndex, &crate::program::action::Task)> {
    program.executions().filter_map(|it| match &it.action {
        Action::Compute(compute) => Some((it.element, compute.task.as_deref()?)),
        _ => None,
    })
}

/// Returns the step's element if it needs processes or threads, which workflows don't have.
fn foreign(step: &Step) -> Option<ElementIndex> {
    match step {
        Step::Execute(execute) => match &execute.action {
            Action::Compute(compute) if compute.bytes.is_none() => None,
            _ => Some(execute.element),
        },
        Step::Region(Region {
            construct: Construct::Gated(_),
            element,
            ..
        }) => Some(*element),
        _ => None,
    }
}

/// Splits a list at commas, except commas in parentheses or brackets.
fn entries(text: &str) -> Vec<(usize, usize)> {
    let (mut depth, mut start) = (0_usize, 0);
    let mut entries = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                entries.push((start, at));
                start = at + 1;
            }
            _ => {}
        }
    }
    entries.push((start, text.len()));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_part_no_entries() {
        let text = "a: max(1, n[2,3]), b";
        let parts: Vec<&str> = entries(text).iter().map(|it| &text[it.0..it.1]).collect();
        assert_eq!(parts, ["a: max(1, n[2,3])", " b"]);
    }
}
