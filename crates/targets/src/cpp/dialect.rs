//! Writes names and expressions in C++.

use std::collections::BTreeSet;

use crate::family::{Forms, Names, sum_of_prices};
use prophet_codegen::model::StereotypeKind;
use prophet_codegen::target::c::{Dialect, identifier};
use prophet_codegen::target::text::c_string;
use prophet_codegen::vocabulary;
use prophet_frontend::lang::ir::{Curve, System, Usage, Variable};
use prophet_frontend::lang::{self, walk};
use prophet_frontend::program::{
    ElementIndex, FunctionIndex, Functions, List, Program, Step, TableIndex,
};
use prophet_frontend::resolve::callees_first;

/// Names in `prophet.h` that no part of a model can have.
const TAKEN: &[&str] = &[
    "ANY",
    "Buffer",
    "Content",
    "Element",
    "Fork",
    "Mailbox",
    "Mailboxes",
    "Message",
    "Ordering",
    "PROC_NULL",
    "PROPHET_H",
    "Process",
    "Rooted",
    "Unrooted",
    "bufferComm",
    "interpolate",
    "interpolate_monotone",
    "main",
    "operation",
    "p",
    "program",
    "std",
    "tfName",
];

pub(super) fn names(program: &Program) -> Names {
    let mut reserved = TAKEN.to_vec();
    reserved.extend(System::ALL.map(System::name));
    reserved.extend(lang::functions());
    let words = StereotypeKind::ALL.into_iter().filter_map(vocabulary::word);
    reserved.extend(words.map(|word| word.runtime_type));
    let forms = Forms {
        reserved,
        constant: |name, instead| identifier(name, instead),
        diagram: str::to_owned,
        has_members: false,
    };
    let executed = executed(program);
    Names::new(program, forms, |it| executed.contains(&it))
}

/// The cost language as in the papers, with C's own integers and without checks.
pub(super) struct Plain<'n> {
    pub(super) names: &'n Names,
    pub(super) units: &'n Units,
}

impl Dialect for Plain<'_> {
    fn variable(&self, variable: &Variable) -> String {
        match variable {
            Variable::Global(index) => self.names.globals[*index].clone(),
            Variable::Parameter(index) => self.names.parameters[*index].clone(),
            Variable::System(system) => system.name().to_owned(),
            Variable::Local(name) | Variable::Own(name) => self.names.local(name),
        }
    }

    fn function(&self, index: FunctionIndex) -> String {
        self.names.functions[index].clone()
    }

    /// Passes the executing unit's properties to functions as arguments, as in the papers.
    fn leading_arguments(&self, function: FunctionIndex) -> Vec<String> {
        let units = self.units[function].iter();
        units.map(|it| it.name().to_owned()).collect()
    }

    fn leading_parameters(&self, function: FunctionIndex) -> Vec<String> {
        let units = self.units[function].iter();
        units.map(|it| format!("long {}", it.name())).collect()
    }

    fn interpolate(&self, table: TableIndex, curve: Curve, at: &[String]) -> String {
        let function = match curve {
            Curve::Linear => "interpolate",
            Curve::Monotone => "interpolate_monotone",
        };
        format!(
            "{function}({}, {})",
            self.names.tables[table],
            at.join(", ")
        )
    }

    fn clc(&self, usages: &[(Option<String>, &str)]) -> String {
        let sum = sum_of_prices(usages, |opcode| format!("operation({})", c_string(opcode)));
        format!("{sum} /* {} */", Usage::list(usages.iter().cloned()))
    }
}

fn executed(program: &Program) -> BTreeSet<ElementIndex> {
    let executed = program.steps().filter_map(|step| match step {
        Step::Execute(execute) => Some(execute.element),
        Step::Region(region) => Some(region.element),
        _ => None,
    });
    executed.collect()
}

pub(super) type Units = List<FunctionIndex, BTreeSet<System>>;

/// Collects, for each function, the properties of the unit that it needs, including functions that
/// it calls.
pub(super) fn units(program: &Program) -> Units {
    let mut units: Units = program
        .functions
        .iter()
        .map(|function| {
            let mut found = BTreeSet::new();
            walk::statements(&function.body, &mut |variable, _| {
                if let Variable::System(system) = variable
                    && matches!(
                        system,
                        System::Uid | System::Pid | System::Tid | System::Nid
                    )
                {
                    found.insert(*system);
                }
            });
            found
        })
        .collect();
    for index in definitions(&program.functions) {
        for &callee in &program.functions[index].needs.calls {
            let of_callee = units[callee].clone();
            units[index].extend(of_callee);
        }
    }
    units
}

/// Orders the functions so that each comes after the functions that it calls.
pub(super) fn definitions(functions: &Functions) -> Vec<FunctionIndex> {
    // A checked program contains no recursion.
    callees_first(functions).unwrap_or_default()
}
