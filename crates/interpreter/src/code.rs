//! Flat code, and the things that its instructions refer to by number.

use std::sync::{Mutex, MutexGuard, PoisonError};

use prophet_runtime::{
    Element, Fault, FaultKind, Int, ModelElement, Node, Schedule, Surface, Table,
};

use crate::element::Execution;
use crate::frame::{address, at};
use crate::op::{Op, Pc, Reg};
use crate::place::ArrayPlace;
use crate::unroll::Unrolling;
use crate::watch::{Point, Visible, Watch};

/// A table of `interpolate`.
#[derive(Debug)]
pub(crate) enum Tabled {
    Table(Table),
    Surface(Surface),
}

/// A program as flat code.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The elements of the run, by their indices there.
    pub(crate) elements: Vec<Named>,
    pub(crate) functions: Vec<Function>,
    pub(crate) diagrams: Vec<FrameEntry>,
    pub(crate) executions: Vec<Execution>,
    pub(crate) regions: Vec<Region>,
    /// Tokens given to parts, by the numbers of their flows.
    pub(crate) passes: Vec<(prophet_runtime::Flows, Vec<u32>)>,
    /// Decisions no guard of which may hold.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) calls: Vec<Call>,
    /// Expressions that are evaluated on their own: colors of communicators, factors of periods.
    pub(crate) thunks: Vec<FrameEntry>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) tables: Vec<Tabled>,
    /// The address of the first frame: below it lie the parameters and global variables, what the
    /// system reports, and the frames of functions.
    pub(crate) base: u32,
    /// Points at which a run can be looked at.
    pub(crate) points: Vec<Point>,
    /// Variables that can be seen at all of them.
    pub(crate) common: Vec<Visible>,
    /// Wait for a moment of the run.
    pub(crate) watch: Option<Watch>,
    /// The workflow that the run unrolls.
    pub(crate) unrolling: Option<Mutex<Unrolling>>,
    /// Gives parameters and global variables their first values, and calls the main diagram.
    pub(crate) start: FrameEntry,
}

impl Code {
    /// The workflow that the run unrolls, if it does.
    pub(crate) fn unrolling(&self) -> Option<MutexGuard<'_, Unrolling>> {
        let unrolling = self.unrolling.as_ref()?;
        Some(unrolling.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// An element, as reports and messages name it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub(crate) element: Element,
    pub(crate) kind: &'static str,
}

impl Named {
    pub(crate) fn of(element: &impl ModelElement) -> Self {
        Self {
            element: *element.element(),
            kind: element.kind(),
        }
    }
}

impl ModelElement for Named {
    fn element(&self) -> &Element {
        &self.element
    }

    fn kind(&self) -> &'static str {
        self.kind
    }
}

/// Entry of a piece of code, and the words that it needs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FrameEntry {
    pub(crate) entry: Pc,
    /// Number of its own registers.
    pub(crate) own: u32,
    /// Words for its own registers and, after them, for the frames of diagrams that it calls.
    pub(crate) need: u32,
}

/// A cost function; its arguments are its first registers.
///
/// Functions calculate without a pause and are in no circle of calls, so one frame serves all calls
/// of one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function {
    pub(crate) entry: Pc,
    /// The address of its frame, which is above the frames of the functions that it calls.
    pub(crate) base: u32,
    /// Number of its registers.
    pub(crate) own: u32,
    pub(crate) arguments: u32,
    /// Name of a function that can fail, for the message of a fault in the function.
    pub(crate) name: Option<&'static str>,
}

impl Function {
    /// The first address after its frame.
    pub(crate) fn end(&self) -> u32 {
        self.base.saturating_add(self.own)
    }
}

/// The execution of a diagram within the calling diagram.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) part: Part,
    /// The `activity+` that it is, whose time is measured.
    pub(crate) measured: Option<u32>,
}

/// A diagram, and its first registers.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) diagram: usize,
    pub(crate) passed: Vec<Passed>,
}

/// Argument of a diagram, from the diagram around it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Passed {
    /// The value of a register: a loop's counter, or an address.
    Value(Reg),
    /// The address of a register.
    Address(Reg),
    Iteration,
}

/// A region, with the registers of its expressions.
#[derive(Debug)]
pub(crate) enum Region {
    Parallel(prophet_runtime::Parallel, Option<Reg>, Part),
    ParallelDo(Box<ParallelDo>),
    Sections(prophet_runtime::ParallelSections, Option<Reg>, Vec<Part>),
    Fork(prophet_runtime::Fork, Vec<Part>),
    /// With the parts that its flows lead to.
    Flows(prophet_runtime::Flows, Vec<u32>, Vec<Part>),
    Critical(prophet_runtime::Critical, Part),
    Atomic(prophet_runtime::Atomic, Part),
    Single(prophet_runtime::Single, Part),
    Master(prophet_runtime::Master, Part),
}

/// A loop whose iterations a team shares.
#[derive(Debug)]
pub(crate) struct ParallelDo {
    pub(crate) element: prophet_runtime::ParallelDo,
    pub(crate) threads: Option<Reg>,
    pub(crate) count: Reg,
    /// The schedule of a chunk.
    pub(crate) schedule: fn(Option<prophet_runtime::Int>) -> Schedule,
    pub(crate) chunk: Option<Reg>,
    pub(crate) part: Part,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Array {
    pub(crate) place: ArrayPlace,
    pub(crate) length: u32,
    pub(crate) name: &'static str,
}

impl Array {
    /// The address of an item, as the frame at `base` sees it.
    pub(crate) fn item(self, (words, base): (&[u64], u32), index: Int) -> Result<usize, Fault> {
        let inside = u32::try_from(index.0).ok().filter(|it| *it < self.length);
        let Some(inside) = inside else {
            return Err(self.out_of_range(index));
        };
        let start = match self.place {
            ArrayPlace::Own(reg) => at(base, reg),
            ArrayPlace::Global(address) => address as usize,
            ArrayPlace::Outer(place) => address(words[at(base, place)]),
        };
        Ok(start + inside as usize)
    }

    #[cold]
    fn out_of_range(self, index: Int) -> Fault {
        let kind = FaultKind::IndexOutOfRange {
            array: self.name,
            index: index.0,
            length: self.length as usize,
        };
        kind.into()
    }
}

/// A decision no guard of which may hold, and what it then tells.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) node: Node,
    /// The numbers that its guard compares, with C's operator between them.
    pub(crate) compared: Option<(Reg, &'static str, Reg)>,
    pub(crate) comment: String,
}
