//! What actors cannot do as the model means it.

use super::flow::tag;
use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_codegen::lang::ir::{Expression, System, Variable};
use prophet_codegen::lang::walk;
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::program::{Execute, Program, Step};

/// Reports what is not expressed.
///
/// A receive from whoever sends is an actor that waits for the first message to come. One that
/// does not block, or that sends besides, would need an actor more.
pub(super) fn check(program: &Program, problems: &mut Diagnostics) {
    let blocks = program.diagrams.iter().map(|diagram| &diagram.steps);
    let mut open: Vec<&Step> = blocks.flatten().collect();
    while let Some(step) = open.pop() {
        open.extend(step.blocks().into_iter().flatten());
        if let Step::Execute(execute) = step {
            check_source(program, execute, problems);
        }
    }
}

fn check_source(program: &Program, execute: &Execute, problems: &mut Diagnostics) {
    let (what, instead) = match execute.stereotype {
        StereotypeKind::NbRecv => ("nbrecv", "use a `brecv`, or name the source"),
        StereotypeKind::SendRecv => ("sendrecv", "send and receive apart, or name the source"),
        _ => return,
    };
    if !tag(execute, "source").is_some_and(is_wild) {
        return;
    }
    let element = &program.elements[execute.element];
    let message = format!("the target simgrid has no `{what}` from whoever sends (ANY)");
    let problem = Diagnostic::new(&NOT_IN_TARGET, element.span, message);
    problems.push(problem.element(&element.path).help(instead));
}

/// Whether an expression may stand for whoever sends.
fn is_wild(source: &Expression) -> bool {
    let mut wild = false;
    walk::expression(source, &mut |variable, _| {
        wild |= *variable == Variable::System(System::Any);
    });
    wild
}
