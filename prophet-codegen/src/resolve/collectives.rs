//! What the tags of collectives cannot be: sizes and roots below 0, and communicators that depend
//! on more than is known of every process.

use std::collections::BTreeSet;

use super::Resolver;
use crate::diagnostic::catalogue::element as rules;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, System, Variable};
use crate::lang::walk;
use crate::model::{Element, Stereotype};

impl Resolver<'_> {
    /// Reports a value that its tag cannot have.
    pub(super) fn check_value(
        &mut self,
        element: &Element,
        stereotype: &Stereotype,
        tag: &str,
        value: &Expression,
    ) {
        let Some(text) = stereotype.tags.get(tag) else {
            return;
        };
        let (path, name) = (&element.path, stereotype.kind.name());
        if tag == "comm" {
            if let Some(stranger) = self.not_known_of_all(value) {
                let message = format!(
                    "the `comm` of `{name}` depends on {stranger}, but each process must know it \
                     of every other"
                );
                let help = "use pid, nid, parameters and system constants";
                self.report(&rules::UNKNOWN_COMM, text.span, path, message, help);
            }
            return;
        }
        let least = match tag {
            "size" => "a size is a number of bytes, 0 or more",
            "root" => "a root is a rank of the communicator, from 0",
            _ => return,
        };
        if let Some(Constant::Int(value)) = constant(value)
            && value < 0
        {
            let message = format!("the {tag} of `{name}` is {value}");
            self.report(&rules::WRONG_VALUE, text.span, path, message, least);
        }
    }

    /// What an expression depends on that differs from process to process, or from time to time,
    /// besides the process's number and node.
    fn not_known_of_all(&self, value: &Expression) -> Option<String> {
        let needs = self.needs_of(value);
        if needs.stream {
            return Some("random numbers".to_owned());
        }
        let mut variables = BTreeSet::new();
        walk::expression(value, &mut |variable, _| {
            variables.insert(variable.clone());
        });
        for function in needs.calls {
            walk::statements(
                &self.program.functions[function].body,
                &mut |variable, _| {
                    variables.insert(variable.clone());
                },
            );
        }
        variables.into_iter().find_map(|variable| match variable {
            Variable::Global(index) => Some(self.program.globals[index].name.clone()),
            Variable::Local(name) => Some(name),
            Variable::System(system @ (System::Uid | System::Tid)) => {
                Some(system.name().to_owned())
            }
            Variable::Parameter(_) | Variable::Own(_) | Variable::System(_) => None,
        })
    }
}
