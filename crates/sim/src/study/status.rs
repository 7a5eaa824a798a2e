//! The state of a run: the wait of each process, and the state of resources.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::process::Process;
use super::tasks::Tasks;
use crate::kernel::{Stopped, Wait, Wanted};
use crate::resources::Status;

/// The future of [`Process::status`](super::Process::status).
#[must_use = "futures do nothing unless awaited"]
pub struct StatusText<'a, 'w> {
    pub(super) tasks: &'w Tasks<'w>,
    pub(super) wait: Wait<'a, Process<'w>>,
    pub(super) resources: Vec<&'w dyn Status>,
}

impl std::fmt::Debug for StatusText<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StatusText")
            .field("wait", &self.wait)
            .finish_non_exhaustive()
    }
}

impl Future for StatusText<'_, '_> {
    type Output = Result<String, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if !this.wait.is_registered() {
            let waiter = this.wait.register()?;
            let resources = std::mem::take(&mut this.resources);
            this.tasks.inquire(waiter, resources);
            return Poll::Pending;
        }
        let key = this.wait.waiter();
        if this.wait.granted() {
            return Poll::Ready(Ok(this.tasks.take_answer(key)));
        }
        this.wait.explain(|| Wanted {
            text: "a status".to_owned(),
            process: None,
        });
        Poll::Pending
    }
}
