//! What actors cannot do as the model means it.

use super::flow::tag;
use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics};
use prophet_codegen::lang::ir::{Expression, System, Variable};
use prophet_codegen::lang::walk;
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::program::{Execute, Mode, Program, Step};

/// Reports what is not expressed.
///
/// A receive from whoever sends is an actor that waits for the first message to come. One that
/// does not block, or that sends besides, would need an actor more, and so would a wait for any of
/// several requests.
pub(super) fn check(program: &Program, problems: &mut Diagnostics) {
    let blocks = program.diagrams.iter().map(|diagram| &diagram.steps);
    let mut open: Vec<&Step> = blocks.flatten().collect();
    while let Some(step) = open.pop() {
        open.extend(step.blocks().into_iter().flatten());
        if let Step::Execute(execute) = step {
            check_element(program, execute, problems);
        }
    }
}

fn check_element(program: &Program, execute: &Execute, problems: &mut Diagnostics) {
    let (what, instead) = match execute.stereotype {
        StereotypeKind::NbRecv => ("nbrecv", "use a `brecv`, or name the source"),
        StereotypeKind::SendRecv => ("sendrecv", "send and receive apart, or name the source"),
        StereotypeKind::Wait if execute.mode == Mode::Any => {
            let (whose, instead) = ("for any of several requests", "wait for all of them");
            return refuse(
                program,
                execute,
                &format!("`wait` {whose}"),
                instead,
                problems,
            );
        }
        _ => return,
    };
    let of_any = |name: &str| tag(execute, name).is_some_and(is_wild);
    let (whose, instead) = if of_any("source") {
        ("from whoever sends (ANY)", instead)
    } else if of_any("tag") {
        (
            "of messages of any tag (ANY)",
            "use a `brecv`, or name the tag",
        )
    } else {
        return;
    };
    refuse(
        program,
        execute,
        &format!("`{what}` {whose}"),
        instead,
        problems,
    );
}

fn refuse(
    program: &Program,
    execute: &Execute,
    what: &str,
    instead: &str,
    problems: &mut Diagnostics,
) {
    let element = &program.elements[execute.element];
    let message = format!("the target simgrid has no {what}");
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
