//! Signals and accelerators, for targets whose language has neither.

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::target::refusal;
use prophet_frontend::program::Program;
use prophet_frontend::program::action::Action;

/// Reports the first element that sends or accepts a signal.
pub(crate) fn refuse_signals(program: &Program, target: &str, problems: &mut Diagnostics) {
    let is_signal = |action: &Action| matches!(action, Action::Signal(_));
    if let Some(execute) = program.executions().find(|it| is_signal(&it.action)) {
        let element = &program.elements[execute.element];
        let message = format!("the target `{target}` has no signals between flows");
        let help = "the crate, the C++ representation and the pictures show them";
        problems.push(refusal(element, message).help(help));
    }
}

/// Reports the first element that uses an accelerator.
pub(crate) fn refuse_accelerators(program: &Program, target: &str, problems: &mut Diagnostics) {
    let is_offload = |action: &Action| matches!(action, Action::Offload(_));
    if let Some(execute) = program.executions().find(|it| is_offload(&it.action)) {
        let element = &program.elements[execute.element];
        let message = format!("the target `{target}` has no accelerators");
        let help = "the crate and the pictures show them";
        problems.push(refusal(element, message).help(help));
    }
}
