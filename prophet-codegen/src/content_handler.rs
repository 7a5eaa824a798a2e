//! The trait of targets that write text for each part of a program.

use crate::navigator::Item;
use prophet_frontend::program::{
    Arm, Diagram, DiagramIndex, DispatchState, Element, ElementIndex, Function, FunctionIndex,
    Global, GlobalIndex, Parameter, ParameterIndex, Program, Step, Table, TableIndex,
};

/// A handler gets each part of a program, for example to write text for it. It does not walk: if a
/// part contains others, the handler gets its beginning before them and its end after them. Indices
/// are the same in the whole program.
///
/// All methods do nothing by default. The program is checked, so a handler has no error to report.
pub trait ContentHandler<'p> {
    /// Begins the whole.
    fn begin_program(&mut self, _program: &'p Program) {}
    /// Ends the whole.
    fn end_program(&mut self, _program: &'p Program) {}
    /// A model parameter.
    fn parameter(&mut self, _index: ParameterIndex, _parameter: &'p Parameter) {}
    /// A global variable.
    fn global(&mut self, _index: GlobalIndex, _global: &'p Global) {}
    /// A table of `interpolate`.
    fn table(&mut self, _index: TableIndex, _table: &'p Table) {}
    /// A cost function.
    fn function(&mut self, _index: FunctionIndex, _function: &'p Function) {}
    /// The declaration of an element.
    fn element(&mut self, _index: ElementIndex, _element: &'p Element) {}
    /// Begins a diagram.
    fn begin_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {}
    /// Ends a diagram.
    fn end_diagram(&mut self, _index: DiagramIndex, _diagram: &'p Diagram) {}
    /// Begins a step.
    fn begin_step(&mut self, _step: &'p Step) {}
    /// Ends a step.
    fn end_step(&mut self, _step: &'p Step) {}
    /// Begins an arm of a branch.
    fn begin_arm(&mut self, _arm: &'p Arm) {}
    /// Ends an arm of a branch.
    fn end_arm(&mut self, _arm: &'p Arm) {}
    /// Begins what a branch does when no guard holds; `steps` is empty where it does nothing.
    fn begin_otherwise(&mut self, _steps: &'p [Step]) {}
    /// Ends what a branch does when no guard holds.
    fn end_otherwise(&mut self, _steps: &'p [Step]) {}
    /// Begins a state of a dispatch loop.
    fn begin_state(&mut self, _state: DispatchState, _steps: &'p [Step]) {}
    /// Ends a state of a dispatch loop.
    fn end_state(&mut self, _state: DispatchState, _steps: &'p [Step]) {}

    /// Calls the method for the item's kind; called before the items inside it.
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

    /// Calls the method for the item's kind; called after the items inside it.
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
