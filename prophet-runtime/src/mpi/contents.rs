//! What messages carry, and what receives are to tell of them: kept beside the messages, and only
//! in runs whose programs want to know.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crate::elements::Choosing;
use crate::engine::World;
use crate::engine::process::ProcessCtx;
use crate::kernel::NO_ELEMENT;
use crate::language::element::ModelElement;
use crate::language::model::Value;
use crate::language::number::Int;
use crate::language::stopped::Stopped;
use crate::messages::matching::Arrived;
use crate::messages::message::{Begun, Outgoing};
use crate::results::failure::Cause;

/// What a receive has got: the source, the tag and the size of its message, as in MPI's status,
/// and the value that it carries, if it carries one.
///
/// ```
/// use prophet_runtime::{
///     ANY, BRecv, BSend, ByMachine, Int, Message, Model, Simulation, System, Value,
/// };
///
/// const SEND: BSend = BSend::new(0, "Send", 1);
/// const RECV: BRecv = BRecv::new(1, "Recv", 2);
/// let model = Model::new("Status", &[], 2);
/// let simulation = Simulation::new(&model, System::new(1, 2, 2, 1));
/// let outcome = simulation.run(async |ctx| {
///     if ctx.pid() == 1 {
///         let message = Message::bytes(8).tag(7);
///         return SEND.execute(ctx, 0, message, ByMachine).value(Value::Int(42)).await;
///     }
///     let message = Message::any_size().tag(ANY);
///     let received = RECV.execute(ctx, ANY, message, ByMachine).received().await?;
///     assert_eq!((received.source(), received.tag(), received.size()), (Int(1), Int(7), Int(8)));
///     assert_eq!(received.int(ctx)?, Int(42));
///     Ok(())
/// })?;
/// assert_eq!(outcome.predicted_time_s, 0.3e-6 + 8.0 / 20e9);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Received {
    /// The element that has begun the receive, by index, if a wait ends it.
    element: u32,
    /// Its number among the requests, in the order of posting.
    number: u64,
    source: u32,
    tag: i64,
    bytes: u64,
    value: Option<Value>,
}

impl Received {
    /// The process that sent the message.
    pub fn source(&self) -> Int {
        Int(i64::from(self.source))
    }

    /// The tag of the message.
    pub fn tag(&self) -> Int {
        Int(self.tag)
    }

    /// The size of the message, in bytes.
    pub fn size(&self) -> Int {
        Int(self.bytes.cast_signed())
    }

    /// The value that the message carries, if it carries one.
    pub fn value(&self) -> Option<Value> {
        self.value
    }

    /// Whether it is what that element has begun to receive, and a wait has ended.
    pub fn is_of(&self, element: &impl ModelElement) -> bool {
        self.element == element.element().index
    }

    /// The value that the message carries, converted to an integer as C does.
    ///
    /// # Errors
    ///
    /// Stops the run where the message carries none.
    pub fn int(&self, ctx: &ProcessCtx<'_>) -> Result<Int, Stopped> {
        Ok(match self.checked(ctx)? {
            Value::Int(value) => Int(value),
            Value::Real(value) => Int::truncate(value),
            Value::Bool(value) => Int(i64::from(value)),
        })
    }

    /// The value that the message carries, converted to a real number as C does.
    ///
    /// # Errors
    ///
    /// Stops the run where the message carries none.
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

/// What is kept beside the messages.
#[derive(Debug)]
pub(crate) struct Contents {
    /// How many messages each process has sent since somebody wants to know.
    sent: Vec<Cell<u32>>,
    /// Values on their way, by sender and number of the message.
    values: RefCell<BTreeMap<(u32, u32), Value>>,
    /// What units have received that want to know, by unit.
    received: RefCell<BTreeMap<u32, Vec<Received>>>,
}

impl World<'_> {
    /// What is kept beside the messages, from now on.
    pub(crate) fn contents(&self) -> &Contents {
        self.contents.get_or_init(|| {
            self.watch_messages();
            Contents {
                // Those sent before have the number 0.
                sent: vec![Cell::new(1); self.system.processes as usize],
                values: RefCell::default(),
                received: RefCell::default(),
            }
        })
    }

    /// The number of a message that a process sends, among all of its; 0 if nobody wants to know.
    #[inline]
    pub(crate) fn number_message(&self, from: u32, message: &Outgoing) -> u32 {
        if self.watches_messages() {
            self.number_watched(from, message.value)
        } else {
            0
        }
    }

    #[cold]
    #[inline(never)]
    fn number_watched(&self, from: u32, value: Option<Value>) -> u32 {
        let counts = self.contents.get();
        let number = match (self.tracer, counts) {
            (Some(tracer), _) => tracer.number_message(from),
            (None, Some(contents)) => match contents.sent.get(from as usize) {
                Some(sent) => sent.replace(sent.get().wrapping_add(1)),
                None => 0,
            },
            (None, None) => 0,
        };
        if let (Some(contents), Some(value)) = (counts, value) {
            let mut values = contents.values.borrow_mut();
            values.insert((from, number), value);
        }
        number
    }

    /// Lets a unit know what it receives from now on.
    pub(crate) fn listen(&self, unit: u32) {
        let mut received = self.contents().received.borrow_mut();
        received.insert(unit, Vec::new());
    }

    /// What a unit has received since it listens, in the order in which its receives began; it
    /// listens no more.
    pub(crate) fn heard(&self, unit: u32) -> Vec<Received> {
        let received = self.contents.get();
        let heard = received.and_then(|contents| contents.received.borrow_mut().remove(&unit));
        let mut heard = heard.unwrap_or_default();
        heard.sort_by_key(|received| received.number);
        heard
    }

    /// Notes what a unit has received, and what has begun that, if it is a request.
    pub(crate) fn note_content(&self, unit: u32, arrived: &Arrived, begun: Option<Begun>) {
        let Some(contents) = self.contents.get() else {
            return;
        };
        let key = (arrived.source, arrived.number);
        let value = contents.values.borrow_mut().remove(&key);
        if let Some(heard) = contents.received.borrow_mut().get_mut(&unit) {
            heard.push(Received {
                element: begun.map_or(NO_ELEMENT, |begun| begun.element),
                number: begun.map_or(0, |begun| begun.number),
                source: arrived.source,
                tag: arrived.tag,
                bytes: arrived.bytes,
                value,
            });
        }
    }
}

/// A receive that tells what it has got: the future of [`Receiving::received`] and
/// [`Exchanging::received`].
///
/// [`Receiving::received`]: crate::Receiving::received
/// [`Exchanging::received`]: crate::Exchanging::received
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Listening<'a, F> {
    /// The element that receives, by index.
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
        // A receive that is over has received.
        let received = received.first().ok_or(Stopped::RECORDED);
        Poll::Ready(received.map(|&received| Received {
            element,
            ..received
        }))
    }
}

/// A wait that tells what it has received: the future of [`Waiting::received`].
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
    /// What the future gives, and what was received.
    fn poll_heard<T>(
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

/// A wait for any of several requests that tells which was complete, and what it has received if
/// that was a receive: the future of [`Choosing::received`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct ReceivedAny<'a>(ReceivedAll<'a, Choosing<'a>>);

impl<'a> ReceivedAny<'a> {
    pub(crate) fn new(ctx: &'a ProcessCtx<'a>, future: Choosing<'a>) -> Self {
        Self(ReceivedAll::new(ctx, future))
    }
}

impl Future for ReceivedAny<'_> {
    type Output = Result<(Int, Option<Received>), Stopped>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let (place, received) = ready!(self.0.poll_heard(context))?;
        Poll::Ready(Ok((place, received.first().copied())))
    }
}
