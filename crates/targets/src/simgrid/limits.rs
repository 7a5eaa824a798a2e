//! Finds the parts of a model that `SimGrid` actors can't execute correctly.

use crate::family::{refuse_accelerators, refuse_signals};
use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_frontend::lang::ir::{Expression, System, Variable};
use prophet_frontend::lang::walk;
use prophet_frontend::program::Program;
use prophet_frontend::program::action::{Action, Completion};

/// Reports actions that `SimGrid` actors can't execute.
///
/// A receive from any sender waits for the first message. If it is nonblocking or combined with a
/// send, it would need another actor.
pub(super) fn check(program: &Program, problems: &mut Diagnostics) {
    refuse_signals(program, "simgrid", problems);
    refuse_accelerators(program, "simgrid", problems);
    for execute in program.executions() {
        if let Some((what, instead)) = refused(&execute.action) {
            let element = &program.elements[execute.element];
            let message = format!("the target simgrid does not support {what}");
            let problem = Diagnostic::new(&NOT_IN_TARGET, element.span, message);
            problems.push(problem.element(&element.path).help(instead));
        }
    }
}

/// Returns what isn't supported in an action, and what to use instead; `None` if everything is.
fn refused(action: &Action) -> Option<(String, &'static str)> {
    let (what, instead, source, tag) = match action {
        Action::Receive(it) if it.completion != Completion::Blocking => {
            let instead = "use a `brecv`, or name the source";
            ("nbrecv", instead, &it.source, &it.tag)
        }
        Action::SendReceive(it) => {
            let instead = "use separate sends and receives, or name the source";
            ("sendrecv", instead, &it.source, &it.tag)
        }
        Action::Compute(_)
        | Action::Send(_)
        | Action::Receive(_)
        | Action::Wait(_)
        | Action::Collective(_)
        | Action::Order(_)
        | Action::Delay(_)
        | Action::Signal(_)
        | Action::Offload(_)
        | Action::Own(_) => return None,
    };
    if is_wild(source.value()) {
        return Some((format!("`{what}` from any sender (ANY)"), instead));
    }
    tag.as_ref().filter(|tag| is_wild(tag)).map(|_| {
        let what = format!("`{what}` of messages with any tag (ANY)");
        (what, "use a `brecv`, or name the tag")
    })
}

fn is_wild(source: &Expression) -> bool {
    let mut wild = false;
    walk::expression(source, &mut |variable, _| {
        wild |= *variable == Variable::System(System::Any);
    });
    wild
}
