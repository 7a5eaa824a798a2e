//! Checks whether the machine's nodes have enough memory for a model's processes.

use prophet_text::Problem;
use std::ffi::OsString;

use prophet_codegen::diagnostic::Diagnostic;
use prophet_codegen::diagnostic::catalogue::element::NO_MEMORY;
use prophet_frontend::checked::Checked;
use prophet_frontend::lang::constant::Constant;
use prophet_frontend::lang::ir::System as Name;
use prophet_frontend::program::Action;
use prophet_frontend::working_sets::working_sets;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Configuration, Shortage, System, Value};

pub(crate) fn has_working_sets(checked: &Checked) -> bool {
    let has_one = |it: &Action| matches!(it, Action::Compute(it) if it.working_set.is_some());
    let mut programs = checked.program.iter();
    programs.any(|program| program.executions().any(|it| has_one(&it.action)))
}

/// Finds working sets that don't fit in the memory of the nodes that these flags select. Includes
/// only working sets that every run uses, and whose sizes are known before the run.
///
/// # Errors
///
/// Returns an error if a flag is invalid.
pub(crate) fn problems(checked: &Checked, flags: &[OsString]) -> Result<Vec<Diagnostic>, Problem> {
    let Some(program) = &checked.program else {
        return Ok(Vec::new());
    };
    // A model that can only be compiled reports the problem when it runs.
    let Ok(interpreted) = Interpreted::new(checked, "", false) else {
        return Ok(Vec::new());
    };
    let words: Vec<String> = flags.iter().map(|it| it.to_string_lossy().into()).collect();
    let system = Configuration::of_run(interpreted.model(), &words)?.system()?;
    let parameters: Vec<Constant> = system.parameters.iter().map(constant).collect();
    let sets = working_sets(program, &parameters, &|name| named(&system, name)).into_iter();
    let problem = |(element, bytes)| {
        let shortage = system.shortage(u64::try_from(bytes).ok()?)?;
        let element = &program.elements[element];
        let message = format!("`{}`: {}", element.name, shortage.facts());
        let problem = Diagnostic::new(&NO_MEMORY, element.span, message);
        Some(problem.element(&element.path).help(Shortage::HELP))
    };
    Ok(sets.filter_map(problem).collect())
}

fn constant(value: &Value) -> Constant {
    match *value {
        Value::Int(value) => Constant::Int(value),
        Value::Real(value) => Constant::Real(value),
        Value::Bool(value) => Constant::Bool(value),
    }
}

/// Returns the value of a name, if it is the same in all processes.
fn named(system: &System, name: Name) -> Option<i64> {
    let number = match name {
        Name::NumNodes => system.nodes,
        Name::NumCpus => system.cpus_per_node,
        Name::NumProcesses => system.processes,
        Name::NumThreads => system.threads,
        Name::Uid | Name::Pid | Name::Tid | Name::Nid | Name::Any | Name::ProcNull => return None,
    };
    Some(i64::from(number))
}
