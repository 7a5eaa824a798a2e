//! Stand-in: replaced by the file of the same name of the runtime branch.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::failure::Failure;
use crate::model::Model;
use crate::outcome::{Evaluation, Outcome};
use crate::process::ProcessCtx;
use crate::stopped::Stopped;
use crate::system::System;

/// One run of a model.
#[derive(Debug)]
pub struct Simulation<'a>(&'a Model, System);

impl<'a> Simulation<'a> {
    /// A run of `model` on `system`.
    pub fn new(model: &'a Model, system: System) -> Self {
        Self(model, system)
    }

    #[expect(clippy::needless_pass_by_value, reason = "the real one keeps it")]
    /// Polls the program once.
    ///
    /// # Errors
    ///
    /// If the program does not end at once.
    pub fn run<P>(self, program: P) -> Result<Outcome, Failure>
    where
        P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
    {
        let _ = (self.0.name, self.1.seed);
        let ctx = ProcessCtx(&());
        let Poll::Ready(Ok(())) = pin!(program(&ctx)).poll(&mut Context::from_waker(Waker::noop()))
        else {
            return Err(Failure);
        };
        Ok(Outcome {
            predicted_time_s: 0.0,
            processes: Vec::new(),
            elements: Vec::new(),
            evaluation: Evaluation {
                engine: "event",
                wall_s: 0.0,
                cpu_s: 0.0,
                events: 0,
                messages: 0,
                peak_memory_bytes: 0,
            },
        })
    }
}
