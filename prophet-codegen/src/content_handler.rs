//! Defines the trait that a target implements to write text for the parts of a program.

use crate::navigator::Item;
use prophet_frontend::program::{
    Arm, Diagram, DiagramIndex, DispatchState, Element, ElementIndex, Function, FunctionIndex,
    Global, GlobalIndex, Parameter, ParameterIndex, Program, Step, Table, TableIndex,
};

/// Handles the parts of a program, for example by writing text for each. A
/// [`Traverser`](super::traverser::Traverser) walks the program and calls these methods: at the
/// start of a part, for the parts inside it, and at its end. Indices are unique within the program.
///
/// By default, the methods do nothing. They can't report errors, because the program has already
/// been checked.
pub trait ContentHandler<'p> {
    /// Starts the program.
    fn begin_program(&mut self, _program: &'p Program) {}
    /// Ends the program.
    fn end_program(&mut self, _program: &'p Program) {}
    /// Handles a model parameter.
    fn parameter(&mut self, _index: ParameterIndex, _parameter: &'p Parameter) {}
    /// Handles a global variable.
    fn global(&mut self, _index: GlobalIndex, _global: &'p Global) {}
    /// Handles a table for `interpolate`.
    fn table(&mut self, _index: TableIndex, _table: &'p Table) {}
    /// Handles a cost function.
    fn function(&mut self, _index: FunctionIndex, _function: &'p Function) {}
    /// Handles the declaration of an element.
    fn element(&mut self, _index: ElementIndex, _element: &'p Element) {}
    /// Starts a diagram.
    fn begin_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {}
    /// Ends a diagram.
    fn end_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {}
    /// Starts a step.
    fn begin_step(&mut self, _step: &'p Step) {}
    /// Ends a step.
    fn end_step(&mut self, _step: &'p Step) {}
    /// Starts an arm of a branch, with its guard.
    fn begin_arm(&mut self, _arm: &'p Arm) {}
    /// Ends an arm of a branch.
    fn end_arm(&mut self, _arm: &'p Arm) {}
    /// Starts what a branch does if no guard holds. `steps` is empty if it does nothing.
    fn begin_otherwise(&mut self, _steps: &'p [Step]) {}
    /// Ends what a branch does if no guard holds.
    fn end_otherwise(&mut self, _steps: &'p [Step]) {}
    /// Starts a state of a dispatch loop.
    fn begin_state(&mut self, _state: DispatchState, _steps: &'p [Step]) {}
    /// Ends a state of a dispatch loop.
    fn end_state(&mut self, _state: DispatchState, _steps: &'p [Step]) {}

    /// Calls the method for the kind of item, before its children are visited.
    fn begin(&mut self, item: Item<'p>) {
        match item {
            Item::Program(program) => self.begin_program(program),
            Item::Parameter(index, parameter) => self.parameter(index, parameter),
            Item::Global(index, global) => self.global(index, global),
            Item::Table(index, table) => self.table(index, table),
            Item::Function(index, function) => self.function(index, function),
            Item::Element(index, element) => self.element(index, element),
            Item::Diagram(index, diagram) => self.begin_diagram(index, diagram),
            Item::Step(step) => self.begin_step(step),
            Item::Arm(arm) => self.begin_arm(arm),
            Item::Otherwise(steps) => self.begin_otherwise(steps),
            Item::State(state, steps) => self.begin_state(state, steps),
        }
    }

    /// Calls the method for the kind of item, after its children have been visited.
    fn end(&mut self, item: Item<'p>) {
        match item {
            Item::Program(program) => self.end_program(program),
            Item::Diagram(index, diagram) => self.end_diagram(index, diagram),
            Item::Step(step) => self.end_step(step),
            Item::Arm(arm) => self.end_arm(arm),
            Item::Otherwise(steps) => self.end_otherwise(steps),
            Item::State(state, steps) => self.end_state(state, steps),
            Item::Parameter(..)
            | Item::Global(..)
            | Item::Table(..)
            | Item::Function(..)
            | Item::Element(..) => {}
        }
    }
}
