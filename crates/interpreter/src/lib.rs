//! Interprets checked programs, so that you get predictions without compiling the program's crate.
//!
//! An [`Interpreted`] is flat code for a register machine. It executes elements of the same runtime
//! as the compiled crate, so predictions, traces and errors are identical.
//!
//! Each module imports only from modules above it in this table.
//!
//! | module | contains |
//! |---|---|
//! | `op` | the interpreter's instructions |
//! | `frame` | the registers of a frame, and instructions that need nothing else |
//! | `place` | places of variables |
//! | `watch` | variables of a process, for observing a run |
//! | `unroll` | the tasks that workflows execute, with what each task waits for |
//! | `element` | the elements that code executes, with the registers of their operands |
//! | `code` | flat code, and everything that its instructions refer to by number |
//! | `compile` | the compiler from checked programs to flat code |
//! | `model` | the description of a model for its command line |
//! | `tags` | how the memory of processes differs if one of them represents others |
//! | `machine` | the loop that runs instructions until something takes simulated time |
//! | `process` | the memory of a simulated process |
//! | `executing` | executions in progress, which are futures of the runtime |
//! | `execution` | the execution of elements, with operands from registers |
//! | `thread` | the threads of a process, and the regions that they run |

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

/// A program that is ready to be interpreted. Create it from a checked model with
/// [`Interpreted::new`].
#[derive(Debug)]
pub struct Interpreted {
    code: Code,
    model: Model,
    known: KnownPlaces,
    places: Vec<ModelPlace>,
}

/// Why a workflow can't be unrolled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotUnrolled {
    pub message: String,
    /// Place of the task that can't be executed; if that is unknown, place of the last task.
    pub place: Option<ModelPlace>,
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Interpreted>();
};

impl Interpreted {
    /// Compiles a checked model to flat code. `file` is the name of the model's file in error
    /// messages.
    ///
    /// Diagrams are rendered only if `drawn` is set, because only reports show them. Names and
    /// tables stay in memory until the process exits.
    ///
    /// # Errors
    ///
    /// Returns an error if the model uses a feature that only a compiled crate supports.
    pub fn new(checked: &Checked, file: &str, drawn: bool) -> Result<Self, Unsupported> {
        Self::of(checked, file, drawn, false, false)
    }

    /// Compiles a workflow that you are going to [unroll](Self::unroll). See also [`Self::new`].
    ///
    /// # Errors
    ///
    /// Returns an error if the workflow uses a feature that only a compiled crate supports.
    pub fn workflow(checked: &Checked, file: &str) -> Result<Self, Unsupported> {
        Self::of(checked, file, false, false, true)
    }

    /// Compiles a program that you are going to [observe](Self::observe). See also [`Self::new`].
    ///
    /// # Errors
    ///
    /// Returns an error if the model uses a feature that only a compiled crate supports.
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
            let what = "workflow tasks instead of processes; predict it with the command `run`";
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

    /// Returns the same description of the model as in the generated crate.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Runs the program as a simulated process.
    ///
    /// # Errors
    ///
    /// Returns an error if the run can't continue. The simulation records the reason.
    pub fn run(&self, ctx: &ProcessCtx<'_>) -> impl Future<Output = Result<(), Stopped>> {
        Process::run(&self.code, ctx)
    }

    /// Runs the command line of a generated program in this terminal, and returns the exit code.
    /// The first argument is the name of the program.
    ///
    /// `settled` is called after each evaluation, before its result is written.
    pub fn main(&self, arguments: impl IntoIterator<Item = OsString>, settled: impl Fn()) -> u8 {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::main_interpreted(&self.model, program, arguments, settled)
    }

    /// Like [`Self::main`], but writes to `out` and `err` as if they were files, and ignores
    /// signals.
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

    /// Runs the command line of a generated program without printing anything, and returns the
    /// prediction. `handle` can end the run early.
    ///
    /// # Errors
    ///
    /// Returns an error if the command line is invalid or the run can't continue.
    pub fn evaluate(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        handle: &RunHandle,
    ) -> Result<Ran, RunError> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::evaluate_interpreted(&self.model, program, arguments, handle)
    }

    /// Like [`Self::evaluate`], with a configuration instead of a command line. This is faster,
    /// because there is nothing to parse.
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration is invalid or the run can't continue.
    pub fn evaluate_configured(
        &self,
        configuration: &Configuration,
        handle: &RunHandle,
    ) -> Result<Ran, RunError> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::evaluate_configured(&self.model, program, configuration, handle)
    }

    /// Returns the prediction for a configuration. `handle` can end the run early. You can call
    /// this from several threads at the same time.
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration is invalid or the run can't continue.
    pub fn predict(
        &self,
        configuration: &Configuration,
        handle: &RunHandle,
    ) -> Result<Prediction, Problem> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        let model = (&self.model, &self.known);
        prophet_runtime::predict_interpreted(model, program, configuration, handle)
    }

    /// Runs the program with these command-line flags in the event-driven engine. `handle` can end
    /// the run early.
    ///
    /// Programs from [`Self::observed`] add a mark to the trace when an element starts, after its
    /// code has run. [`Self::element_of`] returns the element for a mark.
    ///
    /// # Errors
    ///
    /// Returns an error if the flags are invalid or the run can't continue.
    pub fn observe(
        &self,
        arguments: impl IntoIterator<Item = OsString>,
        trace: Option<&mut Trace>,
        handle: &RunHandle,
    ) -> Result<Outcome, Problem> {
        let program = async |ctx: &ProcessCtx<'_>| self.run(ctx).await;
        prophet_runtime::observe_interpreted(&self.model, program, arguments, trace, handle)
    }

    /// Runs a [workflow](Self::workflow) as a single process with these command-line flags, and
    /// returns all tasks that it executes. Regions execute their parts one after another.
    ///
    /// # Errors
    ///
    /// Returns an error if the flags are invalid or the workflow can't be unrolled.
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

    /// Returns `true` if runs draw random numbers.
    pub fn is_random(&self) -> bool {
        let is_drawn = |op: &Op| matches!(op, Op::Stream { .. });
        self.code.ops.iter().any(is_drawn)
    }

    /// Returns the id of the element for a mark in a trace; `None` if there is no such mark.
    pub fn element_of(&self, mark: u64) -> Option<i64> {
        let point = self.code.points.get(usize::try_from(mark).ok()?)?;
        Some(point.element)
    }

    /// Runs a program from [`Self::observed`] up to a moment of a process, and returns the
    /// variables that are visible then. Returns `None` if the run doesn't reach the moment.
    /// `handle` can end the run early.
    ///
    /// # Errors
    ///
    /// Returns an error if the flags are invalid or the run fails before the moment.
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
