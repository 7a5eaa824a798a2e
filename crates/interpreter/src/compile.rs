//! Compiles checked programs to flat code.

mod actions;
mod elements;
mod expressions;
mod points;
mod regions;
mod statements;
mod steps;

use std::fmt;

/// A feature that the interpreter doesn't support, so that only the compiled crate can run the
/// program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(pub(crate) String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the model has {}", self.0)
    }
}

#[cfg(test)]
mod tests;
mod unit;

use prophet_codegen::split;
use prophet_frontend::lang::ir::{Expression, System, Type, Variable as Name};
use prophet_frontend::lang::walk::{self, Access};
use prophet_frontend::program::{
    DiagramIndex, ElementIndex, FunctionIndex, GlobalIndex, List, ListPlace as _, Posted, Program,
    RequestIndex, Step, TableRows, all_steps,
};
use prophet_runtime::{Surface, Table};

use crate::code::{Array, Code, FrameEntry, Function, Tabled};
use crate::op::{Op, Scalar};
use crate::place::{ArrayPlace, Place};
use elements::Run;
use unit::{NamedVariable, Unit};

pub(crate) struct Compiler<'p> {
    program: &'p Program,
    code: Code,
    run: Run,
    globals: List<GlobalIndex, NamedVariable>,
    observed: bool,
    /// Whether functions assign to global variables, so that a call can change a variable between
    /// two reads.
    functions_assign: bool,
    /// Address of the values of system-defined names, in the order of [`TOLD`].
    told: u32,
    /// Nonblocking receives that assign to variables when a wait completes them.
    posted: Vec<Posted<'p>>,
    /// The requests that each element starts or waits for.
    requests: List<ElementIndex, &'p [RequestIndex]>,
    /// The first unsupported feature that was found.
    unsupported: Option<Unsupported>,
}

/// Compiles a program. If it is `observed`, the code contains points where a run can be observed.
///
/// # Errors
///
/// Returns an error if the program uses a feature that only a compiled crate supports.
pub(crate) fn compile(program: &Program, observed: bool) -> Result<Code, Unsupported> {
    // Splits the program as the generated crate does, so that elements have the same numbers.
    let split = (!observed).then(|| split::split(program).0);
    let program = split.as_ref().unwrap_or(program);
    let mut requests = program.elements.with(&[][..]);
    for execute in program.executions() {
        requests[execute.element] = execute.action.requests();
    }
    let mut compiler = Compiler {
        posted: program.posted(),
        requests,
        run: Run::of(program),
        program,
        observed,
        code: Code::default(),
        globals: List::default(),
        functions_assign: program.functions.iter().any(assigns_globals),
        told: 0,
        unsupported: None,
    };
    compiler.tables();
    compiler.place_globals();
    if observed {
        compiler.common();
    }
    compiler.functions();
    compiler.diagrams();
    compiler.start();
    compiler.limit_memory();
    let Compiler {
        mut code,
        run,
        unsupported,
        ..
    } = compiler;
    code.elements = run.into_elements();
    match unsupported {
        Some(why) => Err(why),
        None => Ok(code),
    }
}

impl Compiler<'_> {
    fn tables(&mut self) {
        let tables = self.program.tables.iter().map(|it| {
            let file = it.file.clone().leak();
            match &it.rows {
                TableRows::Points(points) => Tabled::Table(Table::new(file, points.clone().leak())),
                TableRows::Lines(lines) => {
                    let line = |(x, points): &(f64, Vec<_>)| (*x, &*points.clone().leak());
                    let lines: Vec<_> = lines.iter().map(line).collect();
                    Tabled::Surface(Surface::new(file, lines.leak()))
                }
            }
        });
        self.code.tables = tables.collect();
    }

    /// Assigns addresses to parameters and global variables. The address of a parameter is its
    /// index.
    fn place_globals(&mut self) {
        let mut next = count(self.program.parameters.len());
        for global in &self.program.globals {
            let length = words(&global.ty);
            let variable = match &global.ty {
                Type::Array(..) => self.array(ArrayPlace::Global(next), length, &global.name),
                Type::Int | Type::Real | Type::Bool => NamedVariable::Scalar(Place::Global(next)),
            };
            self.globals.push(variable);
            next = next.saturating_add(length);
        }
        self.told = next;
        self.code.base = next.saturating_add(count(TOLD.len()));
    }

    /// Returns the address of a system-defined name that doesn't change while a process runs;
    /// `None` for other names.
    fn told(&self, name: System) -> Option<u32> {
        let place = TOLD.iter().position(|told| *told == name)?;
        Some(self.told.saturating_add(count(place)))
    }

    fn opcode(&self, name: &str) -> u32 {
        let place = self.program.opcodes.iter().position(|it| it.name == name);
        count(place.unwrap_or(usize::MAX))
    }

    fn array(&mut self, place: ArrayPlace, length: u32, name: &str) -> NamedVariable {
        let arrays = &mut self.code.arrays;
        arrays.push(Array {
            place,
            length,
            name: name.to_owned().leak(),
        });
        NamedVariable::Array(count(arrays.len() - 1))
    }

    fn functions(&mut self) {
        let program = self.program;
        let none = Function {
            entry: 0,
            base: self.code.base,
            own: 0,
            arguments: 0,
            name: None,
        };
        let first = self.code.base;
        self.code.functions = vec![none; program.functions.len()];
        // Recursion is an error in the model, so there is always an order.
        let order = prophet_frontend::resolve::callees_first(&program.functions);
        let order = order.unwrap_or_default();
        self.limit_calls(&order);
        for index in order {
            let function = &program.functions[index];
            if !function.used {
                continue;
            }
            let callees = function.needs.calls.iter();
            let ends = callees.map(|it| self.code.functions[it.number()].end());
            let base = ends.max().unwrap_or(first);
            let mut unit = Unit::new(self, Some(base));
            unit.scopes.open();
            for (name, ty) in &function.signature.arguments {
                let reg = unit.registers.fresh(1);
                unit.scopes.declare(name, ty, reg);
            }
            unit.code(&function.body);
            let FrameEntry { entry, own, .. } = unit.end();
            self.code.functions[index.number()] = Function {
                entry,
                base,
                own,
                arguments: count(function.signature.arguments.len()),
                name: function
                    .needs
                    .fallible
                    .then(|| &*function.signature.name.clone().leak()),
            };
        }
        let ends = self.code.functions.iter().map(Function::end);
        self.code.base = ends.max().unwrap_or(first);
    }

    fn diagrams(&mut self) {
        let program = self.program;
        self.code.diagrams = vec![FrameEntry::default(); program.diagrams.len()];
        let callers = callers(program);
        let mut bases = vec![None; program.diagrams.len()];
        if let Some(main) = bases.first_mut() {
            *main = Some(self.code.base);
        }
        let mut called = Vec::new();
        for (index, diagram) in program.diagrams.entries() {
            let base = bases[index.number()];
            let mut unit = Unit::new(self, base);
            unit.of_process = true;
            unit.diagram(index, diagram);
            let callees = std::mem::take(&mut unit.diagrams);
            let thunks = std::mem::take(&mut unit.thunks);
            let frame = unit.end();
            for (thunk, expression) in thunks {
                self.code.thunks[thunk] = self.thunk(&expression);
            }
            self.code.diagrams[index.number()] = frame;
            // If only this diagram calls the other one, the other one's frame always follows this
            // frame.
            for &callee in callees.iter().filter(|it| callers[**it] == [index]) {
                bases[callee] = base.map(|base| base.saturating_add(frame.own));
            }
            called.push(callees);
        }
        needs_with_callees(&mut self.code.diagrams, &called);
    }

    /// Rejects a program if its variables need more addresses than there are.
    fn limit_memory(&mut self) {
        let frames = self.code.diagrams.iter().chain([&self.code.start]);
        let most = frames.map(|frame| frame.need).max().unwrap_or(0);
        if most.saturating_add(self.code.base) > WORDS_MOST {
            let what = format!("variables with more than {WORDS_MOST} numbers in a process");
            self.unsupported.get_or_insert(Unsupported(what));
        }
    }

    /// Rejects functions with calls that are nested too deeply. In `order`, each function comes
    /// after the functions that it calls.
    fn limit_calls(&mut self, order: &[FunctionIndex]) {
        let program = self.program;
        let mut deep = program.functions.with(0);
        for &index in order {
            let calls = program.functions[index].needs.calls.iter();
            deep[index] = 1 + calls.map(|&callee| deep[callee]).max().unwrap_or(0);
        }
        if deep.iter().any(|&calls| calls > CALLS_MOST) {
            let what = format!("more than {CALLS_MOST} nested cost functions");
            self.unsupported.get_or_insert(Unsupported(what));
        }
    }

    /// Compiles an expression that is evaluated separately, in a new frame.
    fn thunk(&mut self, expression: &Expression) -> FrameEntry {
        let mut unit = Unit::new(self, None);
        let from = unit.value(expression);
        unit.emit(Op::Return { from });
        unit.end()
    }

    fn start(&mut self) {
        let program = self.program;
        let mut unit = Unit::new(self, Some(self.code.base));
        unit.of_process = true;
        unit.globals(program);
        let frame = unit.end();
        let main = self.code.diagrams.first().map_or(0, |main| main.need);
        // This code uses no registers after it calls the main diagram, so their frames can overlap.
        self.code.start = FrameEntry {
            own: 0,
            need: frame.need.max(main),
            ..frame
        };
    }
}

/// System-defined names that don't change while a process runs.
const TOLD: [System; 6] = [
    System::Pid,
    System::Nid,
    System::NumNodes,
    System::NumCpus,
    System::NumProcesses,
    System::NumThreads,
];

/// Returns `true` if a function assigns to a global variable, and the run uses the function.
fn assigns_globals(function: &prophet_frontend::program::Function) -> bool {
    let mut assigns = false;
    walk::statements(&function.body, &mut |variable, access| {
        assigns |= matches!((variable, access), (Name::Global(_), Access::Write));
    });
    function.used && assigns
}

/// Lists the callers of each diagram. Callers are listed twice if threads execute the diagram.
fn callers(program: &Program) -> Vec<Vec<DiagramIndex>> {
    let mut callers = vec![Vec::new(); program.diagrams.len()];
    for (index, diagram) in program.diagrams.entries() {
        for step in all_steps(&diagram.steps) {
            match step {
                Step::Call(call) if !callers[call.diagram.number()].contains(&index) => {
                    callers[call.diagram.number()].push(index);
                }
                Step::Region(region) => {
                    for part in &region.parts {
                        callers[part.number()].extend([index; 2]);
                    }
                }
                _ => {}
            }
        }
    }
    callers
}

/// Maximum nesting depth of function calls. It is limited because each call takes stack space.
const CALLS_MOST: usize = 1000;

const WORDS_MOST: u32 = 1 << 30;

/// Adds to each diagram's need the largest need of the diagrams that it calls. Diagrams must not be
/// recursive.
fn needs_with_callees(frames: &mut [FrameEntry], called: &[Vec<usize>]) {
    let mut done = vec![false; frames.len()];
    let mut open: Vec<(usize, bool)> = (0..frames.len()).rev().map(|it| (it, false)).collect();
    while let Some((index, expanded)) = open.pop() {
        if done[index] {
            continue;
        }
        if expanded {
            let deepest = called[index].iter().map(|&it| frames[it].need).max();
            let frame = &mut frames[index];
            let deepest = frame.own.saturating_add(deepest.unwrap_or(0));
            frame.need = frame.need.max(deepest);
            done[index] = true;
        } else {
            open.push((index, true));
            open.extend(called[index].iter().map(|&it| (it, false)));
        }
    }
}

fn scalar(ty: &Type) -> Scalar {
    match ty {
        Type::Int => Scalar::Int,
        Type::Real => Scalar::Real,
        Type::Bool => Scalar::Bool,
        Type::Array(of, _) => scalar(of),
    }
}

fn words(ty: &Type) -> u32 {
    match ty {
        Type::Int | Type::Real | Type::Bool => 1,
        Type::Array(of, length) => words(of).saturating_mul(count(*length)),
    }
}

/// Converts a count to an operand. Counts in a program always fit.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
