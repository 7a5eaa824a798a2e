//! Represents flat code, and everything that its instructions refer to by number.

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

#[derive(Debug)]
pub(crate) enum Tabled {
    Table(Table),
    Surface(Surface),
}

#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// Elements that the run executes, by their number in the run.
    pub(crate) elements: Vec<Named>,
    pub(crate) functions: Vec<Function>,
    pub(crate) diagrams: Vec<FrameEntry>,
    pub(crate) executions: Vec<Execution>,
    pub(crate) regions: Vec<Region>,
    /// Passes of tokens to parts, with the numbers of the flows.
    pub(crate) passes: Vec<(prophet_runtime::Flows, Vec<u32>)>,
    /// Decisions where it is possible that no guard holds.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) calls: Vec<Call>,
    /// Expressions that are evaluated separately: colors of communicators, and factors of periods.
    pub(crate) thunks: Vec<FrameEntry>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) tables: Vec<Tabled>,
    /// Address of the first frame. The parameters and global variables, the system-defined names,
    /// and the functions' frames come before it.
    pub(crate) base: u32,
    pub(crate) points: Vec<Point>,
    pub(crate) common: Vec<Visible>,
    pub(crate) watch: Option<Watch>,
    pub(crate) unrolling: Option<Mutex<Unrolling>>,
    /// Code that initializes the parameters and global variables, and then calls the main diagram.
    pub(crate) start: FrameEntry,
}

impl Code {
    pub(crate) fn unrolling(&self) -> Option<MutexGuard<'_, Unrolling>> {
        let unrolling = self.unrolling.as_ref()?;
        Some(unrolling.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

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

/// Where a piece of code starts, and how many words it needs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FrameEntry {
    pub(crate) entry: Pc,
    /// Number of registers that the code itself uses.
    pub(crate) own: u32,
    /// Number of words for the code's own registers, and for the frames of the diagrams that it
    /// calls. These frames follow the registers.
    pub(crate) need: u32,
}

/// A cost function. Its first registers are its arguments.
///
/// Functions compute without pausing, and aren't recursive, so all calls of a function can use the
/// same frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function {
    pub(crate) entry: Pc,
    /// Address of the function's frame. It comes after the frames of the functions that it calls.
    pub(crate) base: u32,
    pub(crate) own: u32,
    pub(crate) arguments: u32,
    /// Name for error messages; `None` if the function can't fail.
    pub(crate) name: Option<&'static str>,
}

impl Function {
    pub(crate) fn end(&self) -> u32 {
        self.base.saturating_add(self.own)
    }
}

/// A call of one diagram from another.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) part: Part,
    /// The `activity+` that the diagram is the content of, if its time is measured.
    pub(crate) measured: Option<u32>,
}

/// A diagram, and the values to copy to its first registers.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) diagram: usize,
    pub(crate) passed: Vec<Passed>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Passed {
    /// The value of a register, which is a loop's counter or an address.
    Value(Reg),
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
    /// Parts, with the part that each flow leads to.
    Flows(prophet_runtime::Flows, Vec<u32>, Vec<Part>),
    Critical(prophet_runtime::Critical, Part),
    Atomic(prophet_runtime::Atomic, Part),
    Single(prophet_runtime::Single, Part),
    Master(prophet_runtime::Master, Part),
}

/// A loop with iterations that a team shares.
#[derive(Debug)]
pub(crate) struct ParallelDo {
    pub(crate) element: prophet_runtime::ParallelDo,
    pub(crate) threads: Option<Reg>,
    pub(crate) count: Reg,
    /// Creates the schedule from a chunk size.
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
    /// Returns the address of an item. Fails if `index` is out of range.
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

/// A decision where it is possible that no guard holds, and what to report in that case.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) node: Node,
    /// The numbers that the decision's guard compares, and C's operator between them.
    pub(crate) compared: Option<(Reg, &'static str, Reg)>,
    pub(crate) comment: String,
}
