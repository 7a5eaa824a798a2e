//! Finds the contexts in which each diagram is executed: by a single thread, by a team, or by a
//! part of a team. They matter because an OpenMP construct is written differently in each context.

use std::collections::BTreeSet;

use prophet_codegen::navigator::{Item, Navigator, Position, children};
use prophet_frontend::program::{
    Action, Construct, DiagramIndex, List, Program, Region, Step, all_steps,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Context {
    /// A thread without a team: the first thread of the process, or a thread of a fork.
    Alone,
    Team,
    /// A part of a team: in an iteration, in a section, or in work that one thread does for all.
    Part,
}

impl Context {
    pub(super) const ALL: [Self; 3] = [Self::Alone, Self::Team, Self::Part];

    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Alone => "",
            Self::Team => "_in_team",
            Self::Part => "_in_part",
        }
    }

    /// Returns the context of the content of a region in the context `self`.
    pub(super) fn inside(self, construct: &Construct) -> Self {
        match construct {
            Construct::Parallel(_) => Self::Team,
            Construct::ParallelDo(..) | Construct::ParallelSections(_) => Self::Part,
            Construct::Fork | Construct::Flows(_) => Self::Alone,
            Construct::Gated(_) => {
                if self == Self::Alone {
                    Self::Alone
                } else {
                    Self::Part
                }
            }
        }
    }
}

pub(super) type Contexts = List<DiagramIndex, BTreeSet<Context>>;

pub(super) fn contexts(program: &Program) -> Contexts {
    let mut contexts = program.diagrams.with(BTreeSet::new());
    let mut open = vec![(DiagramIndex::MAIN, Context::Alone)];
    while let Some((diagram, context)) = open.pop() {
        if contexts[diagram].insert(context) {
            callees(&program.diagrams[diagram].steps, &mut |callee, region| {
                let inside = region.map_or(context, |it| context.inside(&it.construct));
                open.push((callee, inside));
            });
        }
    }
    contexts
}

/// A navigator that visits only diagrams that are executed in some context.
#[derive(Debug)]
pub(super) struct ExecutedDiagrams<'p> {
    program: &'p Program,
    contexts: &'p Contexts,
    context: Context,
    position: Position<'p>,
}

impl<'p> ExecutedDiagrams<'p> {
    pub(super) fn new(program: &'p Program, contexts: &'p Contexts, context: Context) -> Self {
        Self {
            program,
            contexts,
            context,
            position: Position::default(),
        }
    }
}

impl<'p> Navigator<'p> for ExecutedDiagrams<'p> {
    fn program(&self) -> &'p Program {
        self.program
    }

    fn position(&mut self) -> &mut Position<'p> {
        &mut self.position
    }

    fn children(&self, item: Item<'p>) -> Vec<Item<'p>> {
        let is_executed = |item: &Item<'p>| match item {
            Item::Diagram(index, _) => self.contexts[*index].contains(&self.context),
            Item::Program(_)
            | Item::Parameter(..)
            | Item::Global(..)
            | Item::Table(..)
            | Item::Function(..)
            | Item::Element(..) => false,
            Item::Step(_) | Item::Arm(_) | Item::Otherwise(_) | Item::State(..) => true,
        };
        children(item).into_iter().filter(is_executed).collect()
    }
}

/// Returns `true` if threads of a region or fork communicate, so that several threads call MPI.
pub(super) fn threads_communicate(program: &Program) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![(DiagramIndex::MAIN, false)];
    while let Some((diagram, threaded)) = open.pop() {
        if !seen.insert((diagram, threaded)) {
            continue;
        }
        let steps = &program.diagrams[diagram].steps;
        if threaded && communicates(steps) {
            return true;
        }
        callees(steps, &mut |callee, region| {
            open.push((callee, threaded || region.is_some()));
        });
    }
    false
}

/// Calls `show` for each diagram that `steps` execute, with its region if it is part of one.
fn callees(steps: &[Step], show: &mut dyn FnMut(DiagramIndex, Option<&Region>)) {
    for step in steps {
        match step {
            Step::Call(call) => show(call.diagram, None),
            Step::Region(region) => {
                for &part in &region.parts {
                    show(part, Some(region));
                }
            }
            _ => {}
        }
        for block in step.blocks() {
            callees(block, show);
        }
    }
}

fn communicates(steps: &[Step]) -> bool {
    all_steps(steps)
        .any(|step| matches!(step, Step::Execute(execute) if is_communication(&execute.action)))
}

/// Returns `true` for elements that call MPI.
fn is_communication(action: &Action) -> bool {
    match action {
        Action::Send(_)
        | Action::Receive(_)
        | Action::SendReceive(_)
        | Action::Wait(_)
        | Action::Collective(_) => true,
        Action::Compute(_)
        | Action::Order(_)
        | Action::Delay(_)
        | Action::Signal(_)
        | Action::Offload(_)
        | Action::Own(_) => false,
    }
}
