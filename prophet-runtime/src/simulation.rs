//! A simulation as a value: a model on a system, to be run with a program.

use crate::engine::{self, Arena, UNITS_MAX, World};
use crate::failure::{Cause, Failure};
use crate::model::{Model, Value};
use crate::outcome::{Evaluation, Outcome, ProcessOutcome};
use crate::process::ProcessCtx;
use crate::stopped::Stopped;
use crate::system::System;

/// A model on a system.
///
/// It can be run many times, and gives the same outcome each time. Nothing of it is global, so
/// that many run side by side in one program; it may be sent to another thread.
#[derive(Debug, Clone)]
pub struct Simulation<'m> {
    model: &'m Model,
    system: System,
}

const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Simulation<'static>>();
};

impl<'m> Simulation<'m> {
    /// The model on this system. Parameters that the system does not set have their defaults.
    pub const fn new(model: &'m Model, system: System) -> Self {
        Self { model, system }
    }

    /// Runs one process of `program` for each of the system's processes, to their ends.
    ///
    /// `wall_s`, `cpu_s` and `peak_memory_bytes` of the outcome are 0: they are the caller's.
    ///
    /// # Errors
    ///
    /// What stopped the run, or what does not fit together in the system.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "callers write the program in place"
    )]
    pub fn run<P>(&self, program: P) -> Result<Outcome, Failure>
    where
        P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
    {
        self.check()?;
        let elements = self.model.elements as usize;
        let world = World::new(&self.system, self.parameters(), elements);
        let pids = 0..self.system.processes;
        let contexts: Vec<_> = pids.map(|pid| ProcessCtx::new(&world, pid)).collect();
        let mut arena = Arena::new(contexts.iter().map(|ctx| program(ctx)));
        // Dropped before the futures, however this function ends.
        let _closing = Closing(&world);
        let events = engine::run(&world, &mut arena)?;
        Ok(self.outcome(&world, events))
    }

    fn check(&self) -> Result<(), Failure> {
        let system = &self.system;
        let problem = if system.processes == 0 {
            "there are no processes".to_owned()
        } else if system.processes > UNITS_MAX {
            format!(
                "there are {} processes, more than {UNITS_MAX}",
                system.processes
            )
        } else if system.mapping.len() != system.processes as usize {
            let (mapped, processes) = (system.mapping.len(), system.processes);
            format!("{mapped} of {processes} processes are mapped to nodes")
        } else if let Some(nid) = system.mapping.iter().find(|nid| **nid >= system.nodes) {
            format!("a process is mapped to node {nid} of {}", system.nodes)
        } else {
            return Ok(());
        };
        let cause = Box::new(Cause::System(problem));
        Err(Failure {
            time_s: 0.0,
            process: None,
            element: None,
            cause,
        })
    }

    fn parameters(&self) -> Vec<Value> {
        let given = &self.system.parameters;
        let unset = self.model.parameters.iter().skip(given.len());
        given
            .iter()
            .copied()
            .chain(unset.map(|parameter| parameter.default))
            .collect()
    }

    fn outcome(&self, world: &World<'_>, events: u64) -> Outcome {
        let process = |(pid, nid): (u32, &u32)| {
            let unit = world.unit(pid);
            ProcessOutcome {
                pid,
                nid: *nid,
                end_s: unit.end_s.get(),
                compute_s: unit.compute_s.get(),
                communication_s: unit.communication_s.get(),
                wait_s: unit.wait_s.get(),
            }
        };
        let processes: Vec<_> = (0..).zip(&self.system.mapping).map(process).collect();
        Outcome {
            predicted_time_s: processes
                .iter()
                .fold(0.0, |max, process| process.end_s.max(max)),
            processes,
            elements: world.elements.borrow().outcomes(),
            evaluation: Evaluation {
                engine: "event",
                wall_s: 0.0,
                cpu_s: 0.0,
                events,
                messages: world.messages(),
                peak_memory_bytes: 0,
            },
        }
    }
}

/// Tells the world that futures are only dropped from now on.
struct Closing<'a>(&'a World<'a>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
