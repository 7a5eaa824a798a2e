//! Numbers the elements of a run in the same way as the generated crate.

use prophet_codegen::model::StereotypeKind;
use prophet_frontend::program::{Element, ElementIndex, List, ListPlace, Program, RequestIndex};
use prophet_runtime as runtime;
use prophet_runtime::{Element as Named, ModelElement};

use super::{Compiler, count};

#[derive(Debug)]
pub(super) struct Run {
    /// The number of each element in the run; `None` for elements that the run doesn't execute.
    of: List<ElementIndex, Option<u32>>,
    elements: Vec<crate::code::Named>,
}

impl Run {
    pub(super) fn of(program: &Program) -> Self {
        let mut run = Self {
            of: program.elements.with(None),
            elements: Vec::new(),
        };
        for (index, element) in program.elements.entries() {
            if !element.in_run {
                continue;
            }
            let number = count(run.elements.len());
            run.of[index] = Some(number);
            let name: &str = element.name.clone().leak();
            run.elements.push(crate::code::Named {
                element: Named {
                    index: number,
                    name,
                    id: element.id,
                },
                kind: kind(element),
            });
        }
        run
    }

    /// Adds a node that isn't in the model, and returns its number.
    pub(super) fn add(&mut self, name: String, id: i64) -> u32 {
        let index = count(self.elements.len());
        let name = name.leak();
        let node = runtime::Node::new(index, name, id);
        self.elements.push(crate::code::Named::of(&node));
        index
    }

    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    pub(super) fn into_elements(self) -> Vec<crate::code::Named> {
        self.elements
    }
}

/// Returns the name of an element's stereotype in the runtime.
fn kind(element: &Element) -> &'static str {
    use StereotypeKind as S;
    macro_rules! of {
        ($name:ident) => {
            ModelElement::kind(&runtime::$name::new(0, "", 0))
        };
    }
    match element.stereotype {
        Some(S::ActionPlus | S::Task) => of!(ActionPlus),
        Some(S::ActivityPlus) => of!(ActivityPlus),
        Some(S::LoopPlus) => of!(LoopPlus),
        Some(S::BSend) => of!(BSend),
        Some(S::NbSend) => of!(NBSend),
        Some(S::BRecv) => of!(BRecv),
        Some(S::NbRecv) => of!(NBRecv),
        Some(S::SendRecv) => of!(SendRecv),
        Some(S::Wait) => of!(Wait),
        Some(S::Broadcast) => of!(Broadcast),
        Some(S::Reduce) => of!(Reduce),
        Some(S::Gather) => of!(Gather),
        Some(S::Scatter) => of!(Scatter),
        Some(S::AllReduce) => of!(AllReduce),
        Some(S::AllGather) => of!(AllGather),
        Some(S::AllToAll) => of!(AllToAll),
        Some(S::ReduceScatter) => of!(ReduceScatter),
        Some(S::Scan) => of!(Scan),
        Some(S::Barrier) => of!(Barrier),
        Some(S::Parallel) => of!(Parallel),
        Some(S::ParallelDo) => of!(ParallelDo),
        Some(S::ParallelSections) => of!(ParallelSections),
        Some(S::Critical) => of!(Critical),
        Some(S::Single) => of!(Single),
        Some(S::Master) => of!(Master),
        Some(S::OmpBarrier) => of!(OmpBarrier),
        Some(S::Atomic) => of!(Atomic),
        Some(S::Delay) => of!(Delay),
        Some(S::SendSignal) => of!(SendSignal),
        Some(S::AcceptSignal) => of!(AcceptSignal),
        Some(S::Kernel) => of!(Kernel),
        Some(S::Copy) => of!(CopyMemory),
        Some(S::Event) => of!(RecordEvent),
        Some(S::Synchronize) => of!(Synchronize),
        None if element.forks => of!(Fork),
        // Programs with custom stereotypes have already been rejected.
        Some(S::Own(_) | S::File | S::Workflow) | None => of!(Node),
    }
}

impl Compiler<'_> {
    pub(super) fn number(&self, element: ElementIndex) -> u32 {
        self.run.of[element].unwrap_or(u32::MAX)
    }

    pub(super) fn named(&self, element: ElementIndex) -> Named {
        let number = self.number(element) as usize;
        let named = self.run.elements.get(number).map(|it| it.element);
        // Every element that is executed has a number, so this is never used.
        named.unwrap_or(Named {
            index: u32::MAX,
            name: "",
            id: 0,
        })
    }

    /// Returns the lock of a critical section. Sections without a name share lock 0.
    pub(super) fn lock(&self, element: ElementIndex) -> u32 {
        let lock = self.program.elements[element].lock;
        lock.map_or(0, |lock| count(lock.number() + 1))
    }

    pub(super) fn requests_of(&self, element: ElementIndex) -> Vec<(u32, &'static str)> {
        let named = |&request: &RequestIndex| {
            let name: &str = self.program.requests[request].clone().leak();
            (count(request.number()), name)
        };
        self.requests[element].iter().map(named).collect()
    }

    /// Adds a node for messages about something that isn't in the model.
    pub(super) fn node(&mut self, name: String, id: i64) -> u32 {
        self.run.add(name, id)
    }

    pub(super) fn elements(&self) -> usize {
        self.run.len()
    }
}
