//! Interpreter of the checked program: predicts without compiling it, on the runtime that its crate
//! uses.
//!
//! [`Interpreted`] is flat code for a machine with registers. Its elements are the runtime's own,
//! so that its predictions, traces and failures equal the compiled crate's to the last bit.
//!
//! The modules are layers, the lowest first: each imports only from modules above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `op` | the instructions of the code that the interpreter runs |
//! | `frame` | the registers of a frame, and what is done with them alone |
//! | `place` | places of variables |
//! | `watch` | variables of a process, as somebody sees them who watches the run |
//! | `unroll` | workflows as the tasks that they execute, with what each waits for |
//! | `element` | the elements that code executes, with the registers of their operands |
//! | `code` | flat code, and the things that its instructions refer to by number |
//! | `compile` | from the checked program to flat code |
//! | `model` | description of a model for the command line of its interpreted program |
//! | `tags` | differences between processes of which one stands for others |
//! | `machine` | runs instructions until something takes simulated time |
//! | `process` | the memory of one simulated process |
//! | `executing` | executions that are under way: the runtime's own futures |
//! | `execution` | the executions of elements, with operands from registers |
//! | `thread` | the threads of a process, and the regions whose parts they run |

mod code;
mod compile;
mod element;
mod executing;
mod execution;
mod frame;
mod machine;
mod model;
mod op;
mod place;
mod process;
mod tags;
mod thread;
mod unroll;
mod watch;

use std::ffi::OsString;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use prophet_frontend::checked::Checked;
use prophet_runtime::{
    Configuration, KnownPlaces, Model, ModelPlace, Outcome, Prediction, ProcessCtx, Ran, RunError,
    RunHandle, Stopped, Trace,
};
use prophet_text::Problem;

use code::Code;
pub use compile::Unsupported;
use op::Op;
use process::Process;
pub use unroll::{FileRun, Numbers, TaskRun, Unrolled};
use watch::Watch;
pub use watch::{Moment, Scope, Variable};

/// A program that is ready to be interpreted.
#[derive(Debug)]
pub struct Interpreted {
    code: Code,
    model: Model,
    /// Places that failures name.
    known: KnownPlaces,
    /// Places of the elements of a workflow.
    places: Vec<ModelPlace>,
}

/// Reason why a workflow cannot be unrolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnrolled {
    /// Describes what is wrong.
    pub message: String,
    /// The place of the task that could not be executed, or of the last one.
    pub place: Option<ModelPlace>,
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Interpreted>();
};

impl Interpreted {
    /// Makes code of a model that has been checked; failures name places in it by `file`.
    ///
    /// Pictures of its diagrams are made where they are `drawn`: only reports show them. Names and
    /// tables are kept until the end of the tool's own process.
    ///
    /// # Errors
    ///
    /// A feature of the program that only a compiled crate can run.
    pub fn new(checked: &Checked, file: &str, drawn: bool) -> Result<Self, Unsupported> {
        Self::of(checked, file, drawn, false, false)
    }

    /// [`Self::new`] for [`Self::unroll`]: of a workflow.
    ///
    /// # Errors
    ///
    /// A feature of the program that only a compiled crate can run.
    pub fn workflow(checked: &Checked, file: &str) -> Result<Self, Unsupported> {
        Self::of(checked, file, false, false, true)
    }

    /// [`Self::new`] for [`Self::observe`].
    ///
    /// # Errors
    ///
    /// A feature of the program that only a compiled crate can run.
    pub fn observed(checked: &Checked, file: &str) -> Result<Self, Unsupported> {
        Self::of(checked, file, false, true, false)
    }

    fn of(
        checked: &Checked,
        file: &str,
        drawn: bool,
        observed: bool,
        unrolled: bool,
    ) -> Result<Self, Unsupported> {
        let Some(program) = &checked.program else {
            return Err(Unsupported("errors".to_owned()));
        };
        if program.is_workflow && !unrolled {
            let what =
                "tasks of a workflow instead of processes; predict it with the command `run`";
            return Err(Unsupported(what.to_owned()));
        }
        if let Some(device) = program.devices.iter().next() {
            let name = &device.usage.0.device;
            return Err(Unsupported(format!("the custom device `{name}`")));
        }
        let code = compile::compile(program, observed)?;
        let elements = u32::try_from(code.elements.len()).unwrap_or(u32::MAX);
        let model = model::model(checked, program, file, elements, drawn);
        let places = if unrolled {
            model::places(&checked.source, program, file)
        } else {
            Vec::new()
        };
        Ok(Self {
            code,
            model,
            known: KnownPlaces::default(),
            places,
        })
    }

    /// The model, as a generated crate declares it.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Runs the program as one simulated process.
    ///
    /// # Errors
    ///
    /// If the run cannot continue; the simulation knows why.
    pub fn run(&self, ctx: &ProcessCtx<'_>) -> impl Future<Output = Result<(), Stopped>> {
        Process::run(&self.code, ctx)
    }

    /// Runs the command line of a generated program on this process's terminal; the first argument
    /// is its name. Gives the exit code.
    ///
    /// `settled` is called each time an evaluation has ended, before any of its results is written.
    pub fn main(&self, arguments: impl IntoIterator<Item = OsString>, settled: impl Fn()) -> u8 {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::main_interpreted(&self.model, program, arguments, settled)
    }

    /// [`Self::main`], which writes to `out` and `err` as if these were files, and which no signal
    /// ends.
    pub fn run_to(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> u8 {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        let handle = RunHandle::default();
        prophet_runtime::run_interpreted(&self.model, program, arguments, (out, err), &handle)
    }

    /// Runs the command line of a generated program, whose prediction and error are values, until
    /// `handle` ends the run; nothing is printed.
    ///
    /// # Errors
    ///
    /// What is wrong with the command line, or why the run could not continue.
    pub fn evaluate(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        handle: &RunHandle,
    ) -> Result<Ran, RunError> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::evaluate_interpreted(&self.model, program, arguments, handle)
    }

    /// [`Self::evaluate`] of a configuration, which takes less time to read than a command line.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, or why the run could not continue.
    pub fn evaluate_configured(
        &self,
        configuration: &Configuration,
        handle: &RunHandle,
    ) -> Result<Ran, RunError> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::evaluate_configured(&self.model, program, configuration, handle)
    }

    /// Runs the program as a configuration says, until `handle` ends it; many threads may do so at
    /// the same time.
    ///
    /// # Errors
    ///
    /// What is wrong with the configuration, or why the run could not continue.
    pub fn predict(
        &self,
        configuration: &Configuration,
        handle: &RunHandle,
    ) -> Result<Prediction, Problem> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        let model = (&self.model, &self.known);
        prophet_runtime::predict_interpreted(model, program, configuration, handle)
    }

    /// Runs the program by events, with the flags of a command line, until `handle` ends it.
    ///
    /// The code of [`Self::observed`] marks the trace where an element begins whose own code has
    /// run: [`Self::element_of`] says which.
    ///
    /// # Errors
    ///
    /// What is wrong with the flags, or why the run could not continue.
    pub fn observe(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        trace: Option<&mut Trace>,
        handle: &RunHandle,
    ) -> Result<Outcome, Problem> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::observe_interpreted(&self.model, program, arguments, trace, handle)
    }

    /// Runs a [workflow](Self::workflow) as one process, with the flags of a command line, and
    /// reports each task that it executes; regions execute their parts one after the other.
    ///
    /// # Errors
    ///
    /// What is wrong with the flags, or why the workflow cannot be unrolled.
    pub fn unroll(
        &mut self,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<Unrolled, NotUnrolled> {
        self.code.unrolling = Some(Mutex::default());
        let ran = self.observe(arguments, None, &RunHandle::default());
        let unrolling = self.code.unrolling.take().unwrap_or_default();
        let unrolled = unrolling
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let unrolled = unrolled.end().map_err(|refused| NotUnrolled {
            place: { refused.element }
                .and_then(|it| self.places.get(it as usize))
                .cloned(),
            message: refused.why,
        })?;
        ran.map_err(|problem| NotUnrolled {
            message: problem.into(),
            place: None,
        })?;
        Ok(unrolled)
    }

    /// True if a run draws random numbers.
    pub fn is_random(&self) -> bool {
        let is_drawn = |op: &Op| matches!(op, Op::Stream { .. });
        self.code.ops.iter().any(is_drawn)
    }

    /// The id of the element at a mark of a trace.
    pub fn element_of(&self, mark: u64) -> Option<i64> {
        let point = self.code.points.get(usize::try_from(mark).ok()?)?;
        Some(point.element)
    }

    /// Runs the code of [`Self::observed`] up to a moment of a process, unless `handle` ends it
    /// before; returns the variables that are visible there, or `None` if there is no such moment.
    ///
    /// # Errors
    ///
    /// What is wrong with the flags, or why the run could not come that far.
    pub fn variables_at(
        &mut self,
        moment: Moment,
        arguments: impl IntoIterator<Item = OsString>,
        handle: &RunHandle,
    ) -> Result<Option<Vec<Variable>>, Problem> {
        self.code.watch = Some(Watch::new(moment, handle.clone()));
        let ran = self.observe(arguments, None, handle);
        let seen = self.code.watch.take().and_then(|it| it.seen.into_inner());
        if seen.is_none() {
            ran?;
        }
        Ok(seen)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
