//! Lists the elements that a program executes, to compare the programs generated from a model.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use prophet_codegen::model::StereotypeKind;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_frontend::program::Program;
use prophet_runtime::{Model, ProcessCtx, Simulation, Stopped, Trace};
use prophet_trace::TraceReader;

use crate::priced;

/// Names of the elements that each unit executes, in order, by pid and tid.
pub type Executed = BTreeMap<(i64, i64), Vec<String>>;

/// Simulates a program, and returns the elements in its trace. `system` contains the numbers of
/// nodes, CPUs per node, processes and threads. Parameters have their default values, and
/// operations have prices.
///
/// # Panics
///
/// Panics if the simulation fails, or if its trace can't be written or read.
pub fn simulated<P>(model: &Model, program: P, system: [u32; 4]) -> Executed
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let system = priced::system(model, system);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("trace.arrow");
    let mut trace = Trace::new(path.clone());
    let outcome = Simulation::new(model, system).run_traced(program, &mut trace);
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    trace.written().expect("there is room for the trace");
    let mut reader = TraceReader::open(&path).expect("it is a trace");
    let elements = reader.results().elements.iter();
    let names: BTreeMap<u32, String> = elements
        .map(|element| (element.index, element.name.clone()))
        .collect();
    let mut executed = Executed::new();
    let mut batch = Vec::new();
    while reader.next_batch(&mut batch).expect("it is whole") {
        for record in &batch {
            if let (Some(index), Some(_)) = (record.element_index(), record.began_s()) {
                let unit = (i64::from(record.pid), i64::from(record.tid));
                let names_of = executed.entry(unit).or_default();
                names_of.push(names[&index].clone());
            }
        }
    }
    executed
}

/// Merges the elements of each process's threads. Their order is lost.
pub fn by_process(executed: Executed) -> Executed {
    let mut all = Executed::new();
    for ((pid, _), names) in executed {
        all.entry((pid, 0)).or_default().extend(names);
    }
    for names in all.values_mut() {
        names.sort();
    }
    all
}

/// Merges the elements of all processes, sorted by name.
pub fn together(executed: Executed) -> Vec<String> {
    let mut all: Vec<String> = executed.into_values().flatten().collect();
    all.sort();
    all
}

/// Returns the program of a model.
///
/// # Panics
///
/// Panics if the model has errors.
pub fn program_of(model: &Path) -> Program {
    let checked = check_by(&RuleSet::empty(), model, None).expect("the model can be read");
    checked.program.expect("it has no errors")
}

/// Removes elements that contain other elements, and waits, because a wait that has nothing to wait
/// for isn't recorded.
pub fn leaves(mut executed: Executed, program: &Program) -> Executed {
    use StereotypeKind as S;
    let orders = [S::Critical, S::Atomic, S::Single, S::Master, S::Wait];
    let is_leaf = |kind: &S| !kind.has_content() && !orders.contains(kind);
    let leaves = program.elements.iter();
    let leaves = leaves.filter(|it| it.stereotype.as_ref().is_some_and(is_leaf));
    let leaves: BTreeSet<&str> = leaves.map(|it| it.name.as_str()).collect();
    for names in executed.values_mut() {
        names.retain(|name| leaves.contains(name.as_str()));
    }
    executed
}
