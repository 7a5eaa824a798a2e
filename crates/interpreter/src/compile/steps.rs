//! Compiles the steps of diagrams.

use prophet_frontend::lang::constant::Constant;
use prophet_frontend::lang::ir::{Needs, Type, Variable as Name};
use prophet_frontend::program::{
    Branch, Call, Diagram, DiagramIndex, Dispatch, DispatchState, ElementIndex, Label,
    ListPlace as _, Local, Program, Repeat, Repetition, Step, While,
};
use prophet_frontend::resolve::{id_of_path, needs_of_all};
use prophet_runtime::{Element, Int, LoopPlus, Node};

use super::TOLD;
use super::unit::{Around, Jump, NamedVariable, Unit};
use crate::code::{self, Decision, Part, Passed};
use crate::element::{Execution, Repeating};
use crate::op::{Op, Scalar};
use crate::place::{ArrayPlace, Place};

impl Unit<'_, '_> {
    pub(super) fn diagram(&mut self, index: DiagramIndex, diagram: &Diagram) {
        self.scopes.open();
        for outer in &diagram.outer {
            self.outer(outer);
        }
        self.locals(index, &diagram.locals);
        self.block_of(index, &diagram.steps);
        self.emit(Op::Leave);
    }

    /// Initializes the parameters and global variables, and then runs the main diagram.
    pub(super) fn globals(&mut self, program: &Program) {
        for name in TOLD {
            if let Some(to) = self.compiler.told(name).and_then(|it| self.below(it)) {
                self.emit(Op::System { to, name });
            }
        }
        for (parameter, of) in (0..).zip(&program.parameters) {
            let ty = match of.default {
                Constant::Int(_) => Scalar::Int,
                Constant::Real(_) => Scalar::Real,
                Constant::Bool(_) => Scalar::Bool,
            };
            if let Some(to) = self.below(parameter) {
                self.emit(Op::Parameter { to, parameter, ty });
            }
        }
        let values = program.globals.iter().filter_map(|it| it.value.as_ref());
        let needs = needs_of_all(values, &program.functions);
        if needs.fallible || needs.stream {
            let element = self.compiler.node("global variables".to_owned(), 0);
            self.emit(Op::At { element });
            self.emit(Op::Stream { element });
        }
        for (index, global) in program.globals.entries() {
            let Some(value) = &global.value else {
                continue;
            };
            let mark = self.registers.mark();
            let from = self.value(value);
            self.store(&Name::Global(index), from);
            self.registers.forget(mark);
        }
        let calls = &mut self.compiler.code.calls;
        calls.push(code::Call {
            part: Part {
                diagram: DiagramIndex::MAIN.number(),
                passed: Vec::new(),
            },
            measured: None,
        });
        let call = super::count(calls.len() - 1);
        self.diagrams.push(DiagramIndex::MAIN.number());
        self.emit(Op::Enter { call });
        self.emit(Op::Leave);
    }

    fn locals(&mut self, diagram: DiagramIndex, locals: &[Local]) {
        let program = self.compiler.program;
        let values = locals.iter().filter_map(|local| local.value.as_ref());
        let needs = needs_of_all(values, &program.functions);
        if needs.fallible || needs.stream {
            // Errors in an initial value name this node.
            let diagram = &program.diagrams[diagram];
            let label = format!("variables of {}", diagram.name);
            let number = self.compiler.elements();
            let id = id_of_path(&format!("{}::{number}", diagram.path));
            let element = self.compiler.node(label, id);
            self.emit(Op::At { element });
            self.emit(Op::Stream { element });
        }
        for local in locals {
            let mark = self.registers.mark();
            self.declare(&local.name, &local.ty, local.value.as_ref());
            self.registers.forget(mark);
        }
    }

    /// Sets the element for errors and random numbers if the code of the element needs it.
    pub(super) fn mark(&mut self, element: ElementIndex, needs: &Needs) {
        let element = self.compiler.number(element);
        if needs.fallible || needs.stream {
            self.emit(Op::At { element });
        }
        if needs.stream {
            self.emit(Op::Stream { element });
        }
    }

    fn turn(&mut self, element: ElementIndex) {
        let element = self.compiler.number(element);
        self.emit(Op::Turn { element });
    }

    fn block_of(&mut self, diagram: DiagramIndex, steps: &[Step]) {
        for (at, step) in steps.iter().enumerate() {
            let mark = self.registers.mark();
            self.step(diagram, step);
            self.point_behind(step, steps.get(at + 1));
            self.registers.forget(mark);
        }
    }

    fn step(&mut self, diagram: DiagramIndex, step: &Step) {
        match step {
            Step::Code(code) => {
                self.mark(code.element, &code.needs);
                self.code(&code.statements);
            }
            Step::Execute(execute) => {
                self.point(execute.element);
                self.execute(execute);
            }
            Step::Call(call) => {
                self.point(call.element);
                self.call_diagram(call);
            }
            Step::Region(region) => {
                self.point(region.element);
                self.region(region);
            }
            Step::Pass(pass) => self.pass(pass),
            Step::Scope(scope) => {
                self.scopes.open();
                self.locals(diagram, &scope.locals);
                self.block_of(diagram, &scope.steps);
                self.scopes.close();
            }
            Step::Branch(branch) => self.branch(diagram, branch),
            Step::Repeat(repeat) => self.repeat_steps(diagram, repeat),
            Step::While(one) => self.while_steps(diagram, one),
            Step::Loop(one) => {
                let (next, end) = self.begin_loop(one.label);
                self.bind(next);
                self.turn(one.element);
                self.point(one.element);
                self.block_of(diagram, &one.body);
                self.jump(next);
                self.end_loop(end);
            }
            Step::Labeled(label, inside) => self.labeled(diagram, *label, inside),
            Step::Break(label) => {
                if let Some(to) = self.find(*label).map(|it| it.end) {
                    self.jump(to);
                }
            }
            Step::Continue(label) => {
                if let Some(to) = self.find(*label).map(|it| it.next) {
                    self.jump(to);
                }
            }
            Step::Return => self.emit(Op::Leave),
            Step::Dispatch(dispatch) => self.dispatch(diagram, dispatch),
            Step::Goto(label, state) => {
                let states = self.find(Some(*label)).map(|it| &it.states);
                let state = states.and_then(|it| it.iter().find(|(known, _)| known == state));
                match state.map(|(_, to)| *to) {
                    Some(to) => self.jump(to),
                    None => self.emit(Op::Leave),
                }
            }
        }
    }

    fn labeled(&mut self, diagram: DiagramIndex, label: Label, inside: &[Step]) {
        let (next, end) = (self.label(), self.label());
        self.around.push(Around {
            label: Some(label),
            is_loop: false,
            next,
            end,
            states: Vec::new(),
        });
        self.block_of(diagram, inside);
        self.end_loop(end);
    }

    fn find(&self, label: Option<Label>) -> Option<&Around> {
        let mut around = self.around.iter().rev();
        match label {
            Some(label) => around.find(|it| it.label == Some(label)),
            None => around.find(|it| it.is_loop),
        }
    }

    fn begin_loop(&mut self, label: Option<Label>) -> (Jump, Jump) {
        let (next, end) = (self.label(), self.label());
        self.around.push(Around {
            label,
            is_loop: true,
            next,
            end,
            states: Vec::new(),
        });
        (next, end)
    }

    fn end_loop(&mut self, end: Jump) {
        self.around.pop();
        self.bind(end);
    }

    fn call_diagram(&mut self, call: &Call) {
        let part = self.part(call.diagram, None);
        self.diagrams.push(call.diagram.number());
        let element = self.compiler.number(call.element);
        let calls = &mut self.compiler.code.calls;
        calls.push(code::Call {
            part,
            measured: call.measured.then_some(element),
        });
        let call = super::count(calls.len() - 1);
        self.emit(Op::Enter { call });
    }

    /// Prepares a diagram with its inputs. `iteration` is the name of the loop's variable, if there
    /// is one.
    pub(super) fn part(&mut self, diagram: DiagramIndex, iteration: Option<&str>) -> Part {
        let outers = &self.compiler.program.diagrams[diagram].outer;
        let passed = outers.iter().map(|outer| {
            if outer.counter && iteration == Some(&outer.name) {
                return Passed::Iteration;
            }
            match self.scopes.find(&outer.name) {
                Some(NamedVariable::Scalar(Place::Own(reg))) if outer.counter => Passed::Value(reg),
                Some(NamedVariable::Scalar(Place::Own(reg))) => Passed::Address(reg),
                Some(NamedVariable::Scalar(Place::Outer(reg))) => Passed::Value(reg),
                Some(NamedVariable::Array(array)) => {
                    match self.compiler.code.arrays[array as usize].place {
                        ArrayPlace::Own(reg) => Passed::Address(reg),
                        ArrayPlace::Outer(reg) => Passed::Value(reg),
                        ArrayPlace::Global(_) => unreachable!("no diagram has globals"),
                    }
                }
                Some(NamedVariable::Scalar(Place::Global(_))) | None => {
                    unreachable!("a diagram sees the variables around it")
                }
            }
        });
        Part {
            passed: passed.collect(),
            diagram: diagram.number(),
        }
    }

    fn branch(&mut self, diagram: DiagramIndex, branch: &Branch) {
        self.point(branch.element);
        self.mark(branch.element, &branch.needs);
        let end = self.label();
        for arm in &branch.arms {
            let next = self.label();
            self.jump_unless(&arm.guard, next);
            self.block_of(diagram, &arm.steps);
            self.jump(end);
            self.bind(next);
        }
        if let Some(steps) = &branch.otherwise {
            self.block_of(diagram, steps);
        } else {
            let Element { index, name, id } = self.compiler.named(branch.element);
            let comment = self.compiler.program.elements[branch.element]
                .comment
                .clone();
            let mark = self.registers.mark();
            let compared = branch.compared();
            let decision = Decision {
                node: Node::new(index, name, id),
                compared: compared.map(|(a, how, b)| (self.value(&a), how, self.value(&b))),
                comment: comment.unwrap_or_default(),
            };
            self.registers.forget(mark);
            let decisions = &mut self.compiler.code.decisions;
            decisions.push(decision);
            let decision = super::count(decisions.len() - 1);
            self.emit(Op::Stuck { decision });
        }
        self.bind(end);
    }

    fn repeat_steps(&mut self, diagram: DiagramIndex, repeat: &Repeat) {
        self.point(repeat.element);
        self.mark(repeat.element, &repeat.needs);
        let (count, number) = (self.registers.fresh(1), self.registers.fresh(1));
        self.put(&repeat.iterations, count);
        self.emit(Op::Const {
            to: number,
            bits: 0,
        });
        let one = self.constant(1);
        self.scopes.open();
        if let Some(name) = &repeat.variable {
            self.scopes.declare(name, &Type::Int, number);
        }
        if let Repetition::MayRepeat {
            least,
            variables,
            periods,
        } = &repeat.repetition
        {
            let begun = self.registers.fresh(1);
            self.emit(Op::Const { to: begun, bits: 0 });
            let periods = periods.iter().map(|factors| {
                let thunks = factors.iter().map(|factor| self.thunk(factor)).collect();
                (self.registers.fresh(1), thunks)
            });
            let head = Repeating {
                periods: periods.collect(),
                element: self.loop_of(repeat.element),
                begun,
                number,
                count,
                goes_on: self.registers.fresh(1),
                least: Int(*least),
                variables: variables.iter().map(|it| self.place(it)).collect(),
            };
            return self.repeating(diagram, head, &repeat.body);
        }
        let (next, end) = self.begin_loop(None);
        let (test, turn) = (self.label(), self.label());
        self.jump(test);
        self.bind(turn);
        self.turn(repeat.element);
        self.block_of(diagram, &repeat.body);
        self.bind(next);
        self.emit(Op::AddInt {
            to: number,
            a: number,
            b: one,
        });
        self.bind(test);
        self.emit(Op::JumpLtInt {
            a: number,
            b: count,
            to: turn.0,
        });
        self.end_loop(end);
        self.scopes.close();
    }

    fn loop_of(&self, element: ElementIndex) -> LoopPlus {
        let Element { index, name, id } = self.compiler.named(element);
        LoopPlus::new(index, name, id)
    }

    /// Compiles a loop with iterations that may repeat earlier ones. The runtime counts the
    /// iterations.
    fn repeating(&mut self, diagram: DiagramIndex, head: Repeating, body: &[Step]) {
        let goes_on = head.goes_on;
        let executions = &mut self.compiler.code.executions;
        executions.push(Execution::Repeat(head));
        let execution = super::count(executions.len() - 1);
        let (next, end) = self.begin_loop(None);
        self.bind(next);
        self.emit(Op::Execute { execution });
        self.emit(Op::JumpUnless {
            a: goes_on,
            to: end.0,
        });
        self.block_of(diagram, body);
        self.jump(next);
        self.end_loop(end);
    }

    fn while_steps(&mut self, diagram: DiagramIndex, one: &While) {
        let (next, end) = self.begin_loop(one.label);
        self.bind(next);
        self.point(one.element);
        self.mark(one.element, &one.needs);
        self.jump_unless(&one.condition, end);
        self.turn(one.element);
        self.block_of(diagram, &one.body);
        self.jump(next);
        self.end_loop(end);
    }

    fn dispatch(&mut self, diagram: DiagramIndex, dispatch: &Dispatch) {
        let (next, end) = self.begin_loop(Some(dispatch.label));
        let states = dispatch.states.iter();
        let states: Vec<(DispatchState, Jump)> =
            states.map(|(state, _)| (*state, self.label())).collect();
        if let Some(around) = self.around.last_mut() {
            around.states.clone_from(&states);
        }
        let entry = states.iter().find(|(state, _)| *state == dispatch.entry);
        self.bind(next);
        if let Some((_, to)) = entry {
            self.jump(*to);
        } else {
            self.turn(dispatch.element);
            self.emit(Op::Leave);
        }
        for ((_, steps), (_, at)) in dispatch.states.iter().zip(&states) {
            self.bind(*at);
            // Entering a state counts as an iteration of the loop.
            self.turn(dispatch.element);
            self.block_of(diagram, steps);
            self.jump(*at);
        }
        self.end_loop(end);
    }
}
