//! Visits the parts of a program, one move at a time.

use prophet_frontend::program::{
    Arm, Diagram, DiagramIndex, DispatchState, Element, ElementIndex, Function, FunctionIndex,
    Global, GlobalIndex, Parameter, ParameterIndex, Program, Step, Table, TableIndex,
};

/// A part of a program that a navigator can visit.
#[derive(Debug, Clone, Copy)]
pub enum Item<'p> {
    /// The program. Its children are its declarations and diagrams.
    Program(&'p Program),
    /// A model parameter and its index.
    Parameter(ParameterIndex, &'p Parameter),
    /// A global variable and its index.
    Global(GlobalIndex, &'p Global),
    /// A table for `interpolate`, and its index.
    Table(TableIndex, &'p Table),
    /// A cost function and its index.
    Function(FunctionIndex, &'p Function),
    /// The declaration of an element, and its index.
    Element(ElementIndex, &'p Element),
    /// A diagram and its index. Its children are its steps.
    Diagram(DiagramIndex, &'p Diagram),
    /// A step. Its children are the arms of a branch, the states of a dispatch loop, or the steps
    /// inside.
    Step(&'p Step),
    /// An arm of a branch. Its children are its steps.
    Arm(&'p Arm),
    /// What a branch does if no guard holds. The children are these steps.
    Otherwise(&'p [Step]),
    /// A state of a dispatch loop. Its children are its steps.
    State(DispatchState, &'p [Step]),
}

/// A move of a navigator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// To the first child.
    Enter,
    /// To the next sibling.
    Next,
    /// Back to the parent.
    Leave,
}

/// Keeps track of the current part of a program, and moves to others. A navigator alone decides
/// which parts there are.
pub trait Navigator<'p> {
    /// Returns the program that is being visited.
    fn program(&self) -> &'p Program;

    /// Returns the parts inside `item`, in order.
    ///
    /// By default, these are the parts that [`children`] lists. A navigator can also omit parts, or
    /// show the content of a called diagram at the call.
    fn children(&self, item: Item<'p>) -> Vec<Item<'p>> {
        children(item)
    }

    /// Returns the path from the program to the current item.
    fn position(&mut self) -> &mut Position<'p>;

    /// Returns the current item.
    fn current(&mut self) -> Item<'p> {
        let program = self.program();
        self.position().current().unwrap_or(Item::Program(program))
    }

    /// Moves as commanded. If there is nothing in that direction, stays and returns `false`.
    fn navigate(&mut self, command: Command) -> bool {
        match command {
            Command::Enter => {
                let item = self.current();
                let inside = self.children(item);
                self.position().enter(inside)
            }
            Command::Next => self.position().advance(),
            Command::Leave => self.position().leave(),
        }
    }
}

/// The path from the program to the current item.
#[derive(Debug, Default)]
pub struct Position<'p>(Vec<(Vec<Item<'p>>, usize)>);

impl<'p> Position<'p> {
    /// Returns the current item, or `None` if it is the program itself.
    pub fn current(&self) -> Option<Item<'p>> {
        let (siblings, index) = self.0.last()?;
        siblings.get(*index).copied()
    }

    /// Moves to the first of `items`, the parts inside the current item. Returns `false` if there
    /// are none.
    pub fn enter(&mut self, items: Vec<Item<'p>>) -> bool {
        let any = !items.is_empty();
        if any {
            self.0.push((items, 0));
        }
        any
    }

    /// Moves to the next sibling. Returns `false` if the current item is the last one.
    pub fn advance(&mut self) -> bool {
        match self.0.last_mut() {
            Some((siblings, index)) if *index + 1 < siblings.len() => {
                *index += 1;
                true
            }
            _ => false,
        }
    }

    /// Moves back to the parent. Returns `false` if the current item is the program itself.
    pub fn leave(&mut self) -> bool {
        self.0.pop().is_some()
    }
}

/// Visits a program in the order of the papers' algorithm: parameters, globals, tables, cost
/// functions and elements, and then each diagram with its flow.
#[derive(Debug)]
pub struct ProgramNavigator<'p> {
    program: &'p Program,
    position: Position<'p>,
}

impl<'p> ProgramNavigator<'p> {
    /// Creates a navigator that starts at `program`.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            position: Position::default(),
        }
    }
}

impl<'p> Navigator<'p> for ProgramNavigator<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn position(&mut self) -> &mut Position<'p> {
        &mut self.position
    }
}

/// Returns the parts inside `item`, in the order of the papers' algorithm.
pub fn children(item: Item<'_>) -> Vec<Item<'_>> {
    match item {
        Item::Program(program) => {
            let parameters = program.parameters.entries();
            let parameters = parameters.map(|(index, it)| Item::Parameter(index, it));
            let globals = program.globals.entries();
            let globals = globals.map(|(index, it)| Item::Global(index, it));
            let tables = program.tables.entries();
            let tables = tables.map(|(index, it)| Item::Table(index, it));
            let functions = program.functions.entries();
            let functions = functions.map(|(index, it)| Item::Function(index, it));
            let elements = program.elements.entries();
            let elements = elements.map(|(index, it)| Item::Element(index, it));
            let diagrams = program.diagrams.entries();
            let diagrams = diagrams.map(|(index, it)| Item::Diagram(index, it));
            parameters
                .chain(globals)
                .chain(tables)
                .chain(functions)
                .chain(elements)
                .chain(diagrams)
                .collect()
        }
        Item::Diagram(_, diagram) => steps(&diagram.steps),
        Item::Step(Step::Branch(branch)) => {
            let arms = branch.arms.iter().map(Item::Arm);
            let otherwise = branch.otherwise.as_deref().map(Item::Otherwise);
            arms.chain(otherwise).collect()
        }
        Item::Step(Step::Dispatch(dispatch)) => dispatch
            .states
            .iter()
            .map(|(state, steps)| Item::State(*state, steps))
            .collect(),
        Item::Step(step) => step
            .blocks()
            .into_iter()
            .flat_map(|block| steps(block))
            .collect(),
        Item::Arm(arm) => steps(&arm.steps),
        Item::Otherwise(inside) | Item::State(_, inside) => steps(inside),
        Item::Parameter(..)
        | Item::Global(..)
        | Item::Table(..)
        | Item::Function(..)
        | Item::Element(..) => Vec::new(),
    }
}

fn steps(steps: &[Step]) -> Vec<Item<'_>> {
    steps.iter().map(Item::Step).collect()
}
