//! Checks the tags of collectives: sizes and roots must not be negative, and communicators must not
//! depend on values that other processes don't know.

use super::Resolver;
use crate::index::FunctionIndex;
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Expression, System, Variable};
use crate::lang::walk;
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::model::{Element, Stereotype, StereotypeKind};

impl Resolver<'_> {
    /// Reports a value that its tag doesn't allow.
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
                    "the `comm` of `{name}` depends on {stranger}, which other processes cannot \
                     know"
                );
                let help = "use only pid, nid, parameters and system constants";
                self.report(&rules::UNKNOWN_COMM, text.span, path, message, help);
            }
            return;
        }
        let least = match tag {
            "size" => "write a number of bytes, 0 or more",
            "root" => "write a rank of the communicator, starting at 0",
            _ if stereotype.kind == StereotypeKind::Task => {
                return self.check_value_of_task(text, (path, tag), value);
            }
            _ => return,
        };
        if let Some(Constant::Int(value)) = constant(value)
            && value < 0
        {
            let message = format!("the {tag} of `{name}` cannot be {value}");
            self.report(&rules::WRONG_VALUE, text.span, path, message, least);
        }
    }

    /// Returns the name of something that an expression depends on and that other processes don't
    /// know. All processes know each other's number and node.
    fn not_known_of_all(&self, value: &Expression) -> Option<String> {
        let needs = self.needs_of(value);
        if needs.stream {
            return Some("random numbers".to_owned());
        }
        let mut least = None;
        walk::expression(value, &mut |variable, _| {
            note_differing(variable, &mut least);
        });
        let of_functions = needs.calls.iter().map(|it| self.differing[*it].clone());
        match of_functions.chain([least]).flatten().min()? {
            Variable::Global(index) => Some(self.program.globals[index].name.clone()),
            Variable::System(system) => Some(system.name().to_owned()),
            Variable::Local(name) => Some(name),
            Variable::Parameter(_) | Variable::Own(_) => None,
        }
    }

    /// Finds, for each function, a variable that it depends on and that differs between processes.
    /// `order` lists each function after the functions that it calls.
    pub(super) fn find_differing(&mut self, order: &[FunctionIndex]) {
        self.differing = self.program.functions.with(None);
        for &index in order {
            self.differing[index] = self.differing_of(index);
        }
    }

    /// Finds such a variable for the function that was added last. The functions that it calls must
    /// already be known.
    pub(super) fn note_differing_function(&mut self, index: FunctionIndex) {
        let found = self.differing_of(index);
        self.differing.push(found);
    }

    fn differing_of(&self, index: FunctionIndex) -> Option<Variable> {
        let function = &self.program.functions[index];
        let mut least = None;
        walk::statements(&function.body, &mut |variable, _| {
            note_differing(variable, &mut least);
        });
        let calls = function.needs.calls.iter();
        let of_callees = calls.map(|it| self.differing[*it].clone());
        of_callees.chain([least]).flatten().min()
    }
}

/// Sets `least` to `variable` if the variable differs between processes and sorts before the
/// current one.
fn note_differing(variable: &Variable, least: &mut Option<Variable>) {
    let differs = match variable {
        Variable::Global(_) | Variable::Local(_) | Variable::System(System::Uid | System::Tid) => {
            true
        }
        Variable::Parameter(_) | Variable::Own(_) | Variable::System(_) => false,
    };
    if differs && least.as_ref().is_none_or(|least| variable < least) {
        *least = Some(variable.clone());
    }
}
