//! Implements non-blocking receives (`nbrecv`). They are posted immediately, and a later wait
//! charges their time.

use std::pin::Pin;
use std::task::{self, Poll};

use super::receive::{Receive, check_source};
use super::{Message, request_index, requesting_element};
use crate::engine::process::{self, ProcessCtx};
use crate::language::Stopped;
use crate::language::number::Int;
use crate::language::price::Price;
use crate::mpi::Lane;

requesting_element! {
    /// A non-blocking receive. It can take its message as soon as it has been posted, and is
    /// charged when a [`Wait`](crate::Wait) completes it.
    ///
    /// A receive that nothing waits for costs nothing.
    NBRecv, "nbrecv"
}

impl NBRecv {
    /// Posts a receive of a message from process `source`, or from [`ANY`](crate::ANY) process. A
    /// receive from [`PROC_NULL`](crate::PROC_NULL) completes immediately, without a message.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process doesn't exist, if the size or the price is negative,
    /// or if the message is larger than the size.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        source: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Posting<'a> {
        Posting {
            wait: process::Wait::new(ctx),
            element: self,
            receive: Receive {
                source: source.into().0,
                message,
                cost: ctx.charge(&self.element, price),
            },
        }
    }
}

/// The future of [`NBRecv::execute`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Posting<'a> {
    wait: process::Wait<'a>,
    element: &'a NBRecv,
    receive: Receive,
}

impl Posting<'_> {
    fn post(&self, lane: Option<Lane<'_>>) -> Result<(), Stopped> {
        let ctx = self.wait.ctx();
        let element = &self.element.element;
        let origin = self
            .wait
            .origin(element, request_index(self.element.request));
        let start_s = match lane {
            None => ctx.begin(element, NBRecv::KIND)?,
            Some(lane) => lane.begin(element, NBRecv::KIND)?,
        };
        if self.receive.has_partner(ctx) {
            let message = self.receive.incoming(ctx)?;
            if let Some(lane) = lane {
                check_source(lane, &message)?;
                lane.mpi.trace_posted(lane.rank);
                lane.post_receive(&message, origin, false)?;
            } else {
                ctx.world().trace_posted(ctx.unit());
                self.wait.post_receive(&message, origin, false)?;
            }
        } else {
            self.receive.receive_from_nobody(ctx)?;
            self.wait.post_nothing(origin);
        }
        match lane {
            None => ctx.finish(element, start_s),
            Some(lane) => lane.finish(element, NBRecv::KIND, start_s),
        }
        Ok(())
    }
}

impl Future for Posting<'_> {
    type Output = Result<(), Stopped>;

    fn poll(self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let lane = self.wait.ctx().lane();
        if lane.is_some_and(|lane| !lane.may_begin()) {
            return Poll::Pending;
        }
        Poll::Ready(self.post(lane))
    }
}
