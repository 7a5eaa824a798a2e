//! Defines what receives return to the program.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use prophet_machine::value::Value;

use crate::engine::process::ProcessCtx;
use crate::kernel::NO_ELEMENT;
use crate::language::Stopped;
use crate::language::element::ModelElement;
use crate::language::grid::PROC_NULL;
use crate::language::number::Int;
use crate::mpi::contents::Received;
use crate::results::failure::Cause;

/// The source of [`Received::NOTHING`].
const NOBODY: u32 = u32::MAX;

impl Received {
    /// The result of a receive from [`PROC_NULL`].
    const NOTHING: Self = Self {
        element: NO_ELEMENT,
        number: 0,
        source: NOBODY,
        tag: 0,
        bytes: 0,
        value: Some(Value::Int(0)),
    };

    /// Returns the number of the process that sent the message, or [`PROC_NULL`] if there is no
    /// message.
    pub fn source(&self) -> Int {
        match self.source {
            NOBODY => PROC_NULL,
            source => Int(i64::from(source)),
        }
    }

    /// Returns the tag of the message.
    pub fn tag(&self) -> Int {
        Int(self.tag)
    }

    /// Returns the size of the message, in bytes.
    pub fn size(&self) -> Int {
        Int(self.bytes.cast_signed())
    }

    /// Returns the value that the message carries, or `None` if it has only bytes.
    pub fn value(&self) -> Option<Value> {
        self.value
    }

    /// Returns `true` if `element` received this message.
    pub fn is_of(&self, element: &impl ModelElement) -> bool {
        self.element == element.element().index
    }

    /// Returns the value that the message carries, converted to an integer as in C.
    ///
    /// # Errors
    ///
    /// Stops the run if the message doesn't carry a value.
    pub fn int(&self, ctx: &ProcessCtx<'_>) -> Result<Int, Stopped> {
        Ok(match self.checked(ctx)? {
            Value::Int(value) => Int(value),
            Value::Real(value) => Int::truncate(value),
            Value::Bool(value) => Int(i64::from(value)),
        })
    }

    /// Returns the value that the message carries, converted to a real number as in C.
    ///
    /// # Errors
    ///
    /// Stops the run if the message doesn't carry a value.
    pub fn real(&self, ctx: &ProcessCtx<'_>) -> Result<f64, Stopped> {
        Ok(match self.checked(ctx)? {
            Value::Int(value) => Int(value).real(),
            Value::Real(value) => value,
            Value::Bool(value) => f64::from(u8::from(value)),
        })
    }

    fn checked(&self, ctx: &ProcessCtx<'_>) -> Result<Value, Stopped> {
        self.value.ok_or_else(|| {
            let cause = Cause::NoValue {
                source: self.source,
                tag: self.tag,
            };
            ctx.world().fail_at(Some(ctx.unit()), self.element, cause)
        })
    }
}

/// The future of [`Receiving::received`] and [`Exchanging::received`]. It returns the received
/// message.
///
/// [`Receiving::received`]: crate::Receiving::received
/// [`Exchanging::received`]: crate::Exchanging::received
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Listening<'a, F> {
    element: u32,
    all: ReceivedAll<'a, F>,
}

impl<'a, F> Listening<'a, F> {
    pub(crate) fn new(ctx: &'a ProcessCtx<'a>, element: u32, future: F) -> Self {
        let all = ReceivedAll::new(ctx, future);
        Self { element, all }
    }
}

impl<F> Future for Listening<'_, F>
where
    F: Future<Output = Result<(), Stopped>> + Unpin,
{
    type Output = Result<Received, Stopped>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let element = self.element;
        let received = ready!(Pin::new(&mut self.all).poll(context))?;
        // A completed receive always has a message, unless it is from [`PROC_NULL`].
        let received = received.first().copied().unwrap_or(Received::NOTHING);
        Poll::Ready(Ok(Received {
            element,
            ..received
        }))
    }
}

/// The future of [`Waiting::received`]. It returns the received messages.
///
/// [`Waiting::received`]: crate::Waiting::received
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct ReceivedAll<'a, F> {
    ctx: &'a ProcessCtx<'a>,
    listens: bool,
    future: F,
}

impl<'a, F> ReceivedAll<'a, F> {
    pub(crate) fn new(ctx: &'a ProcessCtx<'a>, future: F) -> Self {
        Self {
            ctx,
            listens: false,
            future,
        }
    }
}

impl<F> ReceivedAll<'_, F> {
    /// Polls the future. Returns its result and the messages that were received.
    pub(super) fn poll_heard<T>(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Result<(T, Vec<Received>), Stopped>>
    where
        F: Future<Output = Result<T, Stopped>> + Unpin,
    {
        let (world, unit) = (self.ctx.world(), self.ctx.unit());
        if !std::mem::replace(&mut self.listens, true) {
            world.listen(unit);
        }
        let given = ready!(Pin::new(&mut self.future).poll(context))?;
        self.listens = false;
        Poll::Ready(Ok((given, world.heard(unit))))
    }
}

impl<F> Future for ReceivedAll<'_, F>
where
    F: Future<Output = Result<(), Stopped>> + Unpin,
{
    type Output = Result<Vec<Received>, Stopped>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let ((), received) = ready!(self.poll_heard(context))?;
        Poll::Ready(Ok(received))
    }
}

impl<F> Drop for ReceivedAll<'_, F> {
    fn drop(&mut self) {
        if self.listens {
            self.ctx.world().heard(self.ctx.unit());
        }
    }
}
