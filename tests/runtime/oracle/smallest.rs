//! Finds the smallest program that still shows a problem.

use super::program::{Loop, Op, Phase, Program};

/// Removes operations as long as the program still `shows` the problem.
pub(crate) fn smallest(program: Program, mut shows: impl FnMut(&Program) -> bool) -> Program {
    let mut program = program;
    loop {
        let next = without_one(&program).into_iter().find(&mut shows);
        match next {
            Some(smaller) => program = smaller,
            None => return program,
        }
    }
}

/// Returns all programs from which one thing has been removed.
fn without_one(program: &Program) -> Vec<Program> {
    let lists = smaller_lists(&program.0, |ops| smaller_ops(ops));
    // A process that does nothing stays, so that other processes keep their numbers.
    let empty = |index: usize| {
        let mut processes = program.0.clone();
        processes[index].clear();
        processes
    };
    let emptied = (0..program.0.len()).filter(|index| !program.0[*index].is_empty());
    emptied.map(empty).chain(lists).map(Program).collect()
}

/// Returns the lists in which one item has been made smaller.
fn smaller_lists<T: Clone>(list: &[T], smaller: impl Fn(&T) -> Vec<T>) -> Vec<Vec<T>> {
    let with = |index: usize, thing: T| {
        let mut list = list.to_vec();
        list[index] = thing;
        list
    };
    let things = list.iter().enumerate();
    things
        .flat_map(|(index, thing)| smaller(thing).into_iter().map(move |thing| (index, thing)))
        .map(|(index, thing)| with(index, thing))
        .collect()
}

fn shorter<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let without = |index: usize| {
        let mut list = list.to_vec();
        list.remove(index);
        list
    };
    (0..list.len()).map(without).collect()
}

fn smaller_ops(ops: &[Op]) -> Vec<Vec<Op>> {
    let mut all = shorter(ops);
    // Replaces an operation with what it contains.
    for (index, op) in ops.iter().enumerate() {
        for inner in contents(op) {
            let mut list = ops.to_vec();
            list.splice(index..=index, inner);
            all.push(list);
        }
    }
    all.extend(smaller_lists(ops, smaller_op));
    all
}

fn contents(op: &Op) -> Vec<Vec<Op>> {
    match op {
        Op::Fork(lists) | Op::Sections(_, lists) => lists.clone(),
        Op::Loop(_, shared) => shared.iterations.clone(),
        Op::Critical(_, content) => vec![content.clone()],
        _ => Vec::new(),
    }
}

fn smaller_op(op: &Op) -> Vec<Op> {
    let fewer = |threads: usize| (threads > 1).then(|| threads - 1);
    match op {
        Op::Team(threads, phases) => {
            let less = fewer(*threads).map(|threads| Op::Team(threads, phases.clone()));
            let shorter = shorter(phases).into_iter();
            let smaller = smaller_lists(phases, smaller_phase).into_iter();
            let phases = shorter.chain(smaller);
            less.into_iter()
                .chain(phases.map(|phases| Op::Team(*threads, phases)))
                .collect()
        }
        Op::Loop(threads, shared) => {
            let less = fewer(*threads).map(|threads| Op::Loop(threads, shared.clone()));
            let shared = smaller_loop(shared).into_iter();
            less.into_iter()
                .chain(shared.map(|shared| Op::Loop(*threads, shared)))
                .collect()
        }
        Op::Sections(threads, sections) => {
            let less = fewer(*threads).map(|threads| Op::Sections(threads, sections.clone()));
            let sections = smaller_sections(sections).into_iter();
            less.into_iter()
                .chain(sections.map(|sections| Op::Sections(*threads, sections)))
                .collect()
        }
        Op::Fork(branches) => {
            let branches = smaller_sections(branches).into_iter();
            branches.map(Op::Fork).collect()
        }
        Op::Critical(lock, content) => {
            let contents = smaller_body(content).into_iter();
            contents
                .map(|content| Op::Critical(*lock, content))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Makes bodies smaller like [`smaller_ops`], but never empty, because an empty body behaves
/// differently.
fn smaller_body(ops: &[Op]) -> Vec<Vec<Op>> {
    let mut all = smaller_ops(ops);
    all.retain(|ops| !ops.is_empty());
    all
}

/// At least one section is left.
fn smaller_sections(sections: &[Vec<Op>]) -> Vec<Vec<Vec<Op>>> {
    let mut all = smaller_lists(sections, |ops| smaller_body(ops));
    if sections.len() > 1 {
        all.extend(shorter(sections));
    }
    all
}

fn smaller_loop(shared: &Loop) -> Vec<Loop> {
    let iterations = shorter(&shared.iterations)
        .into_iter()
        .chain(smaller_lists(&shared.iterations, |ops| smaller_body(ops)));
    iterations
        .map(|iterations| Loop {
            iterations,
            ..shared.clone()
        })
        .collect()
}

fn smaller_phase(phase: &Phase) -> Vec<Phase> {
    match phase {
        Phase::Each(lists) => {
            let lists = smaller_lists(lists, |ops| smaller_ops(ops)).into_iter();
            lists.map(Phase::Each).collect()
        }
        Phase::Loop(shared) => smaller_loop(shared).into_iter().map(Phase::Loop).collect(),
        Phase::Sections(sections) => {
            let sections = smaller_sections(sections).into_iter();
            sections.map(Phase::Sections).collect()
        }
        Phase::Single(ops) => smaller_body(ops).into_iter().map(Phase::Single).collect(),
        Phase::Master(ops) => smaller_ops(ops).into_iter().map(Phase::Master).collect(),
        Phase::Barrier(_) => Vec::new(),
    }
}
