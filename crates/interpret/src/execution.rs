//! The executions of elements: the runtime's own futures, with operands from registers.

mod operands;

use std::pin::Pin;
use std::task::{Context, Poll};

use prophet_codegen::program::action::Told;
use prophet_runtime as runtime;
use prophet_runtime::{Fault, Int, ProcessCtx, Received, Stopped};

use crate::code::Place;
use crate::frame::int_word;
use crate::op::Reg;
use crate::process::Process;
use operands::{Given, Operands};

/// The execution of an element, with the registers of its operands.
#[derive(Debug)]
pub(crate) enum Execution {
    Compute(runtime::ActionPlus, Priced, Option<Reg>),
    BSend(runtime::BSend, Sent),
    NBSend(runtime::NBSend, Sent),
    BRecv(runtime::BRecv, Expected, Vec<Result>),
    NBRecv(runtime::NBRecv, Expected),
    SendRecv(runtime::SendRecv, Sent, Reg, Vec<Result>),
    Wait(runtime::Wait, Vec<Posted>),
    WaitAny(runtime::Wait, Vec<Posted>, Option<Place>),
    /// With the number of the communicator's color, if it is not that of all processes.
    Collective(Collective, Option<u32>, Priced),
    Order(Order, Option<Priced>),
}

/// Collective operation of a communicator.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Collective {
    /// With the registers of the root and the size.
    Rooted(Rooted, [Reg; 2]),
    /// With the register of the size.
    Unrooted(Unrooted, Reg),
    Barrier(runtime::Barrier),
}

/// An order among the threads of a process.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Barrier(runtime::OmpBarrier),
    Critical(runtime::Critical),
    Atomic(runtime::Atomic),
    Single(runtime::Single),
    Master(runtime::Master),
}

/// A collective with a root.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rooted {
    Broadcast(runtime::Broadcast),
    Reduce(runtime::Reduce),
    Gather(runtime::Gather),
    Scatter(runtime::Scatter),
}

/// A collective without a root.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unrooted {
    AllReduce(runtime::AllReduce),
    AllGather(runtime::AllGather),
    AllToAll(runtime::AllToAll),
    ReduceScatter(runtime::ReduceScatter),
    Scan(runtime::Scan),
}

/// Price of an element.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Priced {
    ByMachine,
    /// The seconds in a register, unless a fault was met on the way there.
    Seconds(Reg),
}

/// A message to send.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sent {
    pub(crate) dest: Reg,
    pub(crate) size: Option<Reg>,
    pub(crate) tag: Option<Reg>,
    /// The value that it carries, and whether that is a real.
    pub(crate) value: Option<(Reg, bool)>,
    pub(crate) price: Priced,
}

/// A message to receive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    pub(crate) source: Reg,
    pub(crate) limit: Option<Reg>,
    pub(crate) tag: Option<Reg>,
    pub(crate) price: Priced,
}

/// A variable that gets something of what a receive tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Result {
    pub(crate) part: Told,
    pub(crate) place: Place,
}

/// A receive that a wait may end, and what is assigned then.
#[derive(Debug)]
pub(crate) struct Posted {
    pub(crate) element: runtime::NBRecv,
    pub(crate) results: Vec<Result>,
}

/// The execution of an element, under way: what is executed most has no box of its own.
pub(crate) enum Executing<'a> {
    Computing(runtime::Computing<'a>),
    Sending(runtime::Sending<'a>),
    Receiving(runtime::Receiving<'a>),
    Posting(runtime::Posting<'a>),
    Exchanging(runtime::Exchanging<'a>),
    Waiting(runtime::Waiting<'a>),
    Collective(runtime::Collective<'a>),
    Other(Pin<Box<dyn Future<Output = Ended> + 'a>>),
}

/// End of an execution.
pub(crate) type Ended = std::result::Result<(), Stopped>;

impl Future for Executing<'_> {
    type Output = Ended;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        match self.get_mut() {
            Self::Computing(it) => Pin::new(it).poll(cx),
            Self::Sending(it) => Pin::new(it).poll(cx),
            Self::Receiving(it) => Pin::new(it).poll(cx),
            Self::Posting(it) => Pin::new(it).poll(cx),
            Self::Exchanging(it) => Pin::new(it).poll(cx),
            Self::Waiting(it) => Pin::new(it).poll(cx),
            Self::Collective(it) => Pin::new(it).poll(cx),
            Self::Other(it) => it.as_mut().poll(cx),
        }
    }
}

impl Execution {
    /// Begins to execute the element for the diagram at `base`; `fault` is what its price has met.
    pub(crate) fn start<'a>(
        &'a self,
        process: &'a Process<'_>,
        ctx: &'a ProcessCtx<'_>,
        base: usize,
        fault: Option<Fault>,
    ) -> Executing<'a> {
        let mut operands = Operands {
            process,
            base,
            fault,
        };
        match self {
            Self::Compute(element, price, bytes) => {
                let bytes = bytes.map(|bytes| operands.int(bytes));
                moving(element.execute(ctx, operands.price(*price)), bytes)
            }
            Self::BSend(element, sent) => {
                let (dest, message, price, value) = operands.sent(sent);
                carrying(element.execute(ctx, dest, message, price), value)
            }
            Self::NBSend(element, sent) => {
                let (dest, message, price, value) = operands.sent(sent);
                carrying(element.execute(ctx, dest, message, price), value)
            }
            Self::BRecv(element, expected, results) => {
                let (source, message, price) = operands.expected(expected);
                let receiving = element.execute(ctx, source, message, price);
                if results.is_empty() {
                    return Executing::Receiving(receiving);
                }
                telling((process, ctx, base), results, receiving.received())
            }
            Self::NBRecv(element, expected) => {
                let (source, message, price) = operands.expected(expected);
                Executing::Posting(element.execute(ctx, source, message, price))
            }
            Self::SendRecv(element, sent, source, results) => {
                let source = operands.int(*source);
                let (dest, message, price, value) = operands.sent(sent);
                let mut both = element.execute(ctx, dest, source, message, price);
                if let Some(value) = value {
                    both = both.value(value);
                }
                if results.is_empty() {
                    return Executing::Exchanging(both);
                }
                telling((process, ctx, base), results, both.received())
            }
            Self::Wait(element, posted) if posted.is_empty() => {
                Executing::Waiting(element.execute(ctx))
            }
            Self::Wait(element, posted) => other(async move {
                for received in element.execute(ctx).received().await? {
                    assign(process, ctx, base, posted, &received)?;
                }
                Ok(())
            }),
            Self::WaitAny(element, posted, index) => {
                other(wait_any((process, ctx, base), element, posted, *index))
            }
            Self::Collective(collective, comm, price) => {
                among(process, collective.start(ctx, &mut operands, *price), *comm)
            }
            Self::Order(order, price) => order.start(ctx, price.map(|price| operands.price(price))),
        }
    }
}

impl Collective {
    fn start<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        operands: &mut Operands<'_>,
        price: Priced,
    ) -> runtime::Collective<'a> {
        let price = operands.price(price);
        match self {
            Self::Rooted(name, [root, size]) => {
                let (root, size) = (operands.int(*root), operands.int(*size));
                match name {
                    Rooted::Broadcast(element) => element.execute(ctx, root, size, price),
                    Rooted::Reduce(element) => element.execute(ctx, root, size, price),
                    Rooted::Gather(element) => element.execute(ctx, root, size, price),
                    Rooted::Scatter(element) => element.execute(ctx, root, size, price),
                }
            }
            Self::Unrooted(name, size) => {
                let size = operands.int(*size);
                match name {
                    Unrooted::AllReduce(element) => element.execute(ctx, size, price),
                    Unrooted::AllGather(element) => element.execute(ctx, size, price),
                    Unrooted::AllToAll(element) => element.execute(ctx, size, price),
                    Unrooted::ReduceScatter(element) => element.execute(ctx, size, price),
                    Unrooted::Scan(element) => element.execute(ctx, size, price),
                }
            }
            Self::Barrier(element) => element.execute(ctx, price),
        }
    }
}

impl Order {
    /// Begins the order, whose content is its price.
    fn start<'a>(&'a self, ctx: &'a ProcessCtx<'_>, price: Option<Given>) -> Executing<'a> {
        macro_rules! gate {
            ($element:expr) => {
                match price {
                    None => other($element.execute(ctx, async { Ok(()) })),
                    Some(price) => other($element.execute(ctx, $element.compute(ctx, price))),
                }
            };
        }
        match self {
            Self::Barrier(element) => match price {
                None => other(element.execute(ctx)),
                Some(price) => other(element.execute_priced(ctx, price)),
            },
            Self::Critical(element) => gate!(element),
            Self::Atomic(element) => gate!(element),
            Self::Single(element) => gate!(element),
            Self::Master(element) => gate!(element),
        }
    }
}

/// An execution in a box.
fn other<'a>(execution: impl Future<Output = Ended> + 'a) -> Executing<'a> {
    Executing::Other(Box::pin(execution))
}

/// A computation, which may move bytes.
fn moving(computing: runtime::Computing<'_>, bytes: Option<Int>) -> Executing<'_> {
    match bytes {
        Some(bytes) => other(computing.moving(bytes)),
        None => Executing::Computing(computing),
    }
}

/// A receive that assigns what it tells of its message.
fn telling<'a>(
    (process, ctx, base): (&'a Process<'_>, &'a ProcessCtx<'_>, usize),
    results: &'a [Result],
    receiving: impl Future<Output = std::result::Result<Received, Stopped>> + 'a,
) -> Executing<'a> {
    other(async move {
        let received = receiving.await?;
        process.tell(ctx, base, results, &received)
    })
}

/// A send, whose message may carry a value.
fn carrying(sending: runtime::Sending<'_>, value: Option<runtime::Value>) -> Executing<'_> {
    match value {
        Some(value) => other(sending.value(value)),
        None => Executing::Sending(sending),
    }
}

/// Waits for the first of several requests, and assigns what it was.
async fn wait_any(
    (process, ctx, base): (&Process<'_>, &ProcessCtx<'_>, usize),
    element: &runtime::Wait,
    posted: &[Posted],
    index: Option<Place>,
) -> Ended {
    let (place, received) = if posted.is_empty() {
        (element.any(ctx).await?, None)
    } else {
        element.any(ctx).received().await?
    };
    if let Some(index) = index {
        process.assign(base, index, int_word(place));
    }
    match received {
        Some(received) => assign(process, ctx, base, posted, &received),
        None => Ok(()),
    }
}

/// A collective among all processes, or those of a communicator, whose color `comm` tells.
fn among<'a>(
    process: &Process<'_>,
    collective: runtime::Collective<'a>,
    comm: Option<u32>,
) -> Executing<'a> {
    Executing::Collective(match comm {
        Some(color) => {
            let frame = process.code.colors[color as usize];
            collective.comm(|ctx| process.evaluate(ctx, frame))
        }
        None => collective,
    })
}

/// Assigns what a wait has received.
fn assign(
    process: &Process<'_>,
    ctx: &ProcessCtx<'_>,
    base: usize,
    posted: &[Posted],
    received: &Received,
) -> Ended {
    for receive in posted.iter().filter(|it| received.is_of(&it.element)) {
        process.tell(ctx, base, &receive.results, received)?;
    }
    Ok(())
}
