//! Polls executions in progress, which are futures of the runtime.

use std::pin::Pin;
use std::task::{Context, Poll};

use prophet_runtime::{self as runtime, ProcessCtx, Stopped};

use crate::process::Process;

/// An execution in progress. Common kinds are stored without a box.
pub(crate) enum Executing<'a> {
    Computing(runtime::Computing<'a>),
    Sending(runtime::Sending<'a>),
    Receiving(runtime::Receiving<'a>),
    Waiting(runtime::Waiting<'a>),
    Collective(Box<runtime::Collective<'a>>),
    Other(Pin<Box<dyn Future<Output = Ended> + 'a>>),
}

pub(crate) type Ended = std::result::Result<(), Stopped>;

/// An execution in progress; `None` if it has already ended.
pub(crate) type Begun<'a> = std::result::Result<Option<Executing<'a>>, Stopped>;

/// What an execution needs to know: the process, the context, and the address of the registers.
pub(crate) type Here<'a> = (&'a Process<'a>, &'a ProcessCtx<'a>, u32);

impl Future for Executing<'_> {
    type Output = Ended;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        match self.get_mut() {
            Self::Computing(it) => Pin::new(it).poll(cx),
            Self::Sending(it) => Pin::new(it).poll(cx),
            Self::Receiving(it) => Pin::new(it).poll(cx),
            Self::Waiting(it) => Pin::new(it).poll(cx),
            Self::Collective(it) => Pin::new(it).poll(cx),
            Self::Other(it) => it.as_mut().poll(cx),
        }
    }
}

/// Starts an execution. If it doesn't end immediately, `keep` wraps it.
#[inline]
pub(crate) fn begin<'a, F>(
    mut execution: F,
    cx: &mut Context<'_>,
    keep: fn(F) -> Executing<'a>,
) -> Begun<'a>
where
    F: Future<Output = Ended> + Unpin,
{
    match Pin::new(&mut execution).poll(cx) {
        Poll::Ready(ended) => ended.map(|()| None),
        Poll::Pending => Ok(Some(keep(execution))),
    }
}

pub(crate) fn begin_boxed<'a>(
    execution: impl Future<Output = Ended> + 'a,
    cx: &mut Context<'_>,
) -> Begun<'a> {
    begin(Box::pin(execution), cx, |it| Executing::Other(it))
}
