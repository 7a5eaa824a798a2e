//! Executes elements: creates the runtime's futures with operands from registers.

mod operands;
mod repeating;

use std::task::Context;

use prophet_runtime as runtime;
use prophet_runtime::{Fault, ProcessCtx, Received, Stopped};

use crate::element::{
    Collective, Execution, Moved, OffloadTag, Offloaded, Order, Posted, Priced, Result, Rooted,
    Sent, Task, Unrooted,
};
use crate::executing::{Begun, Ended, Executing, Here, begin, begin_boxed};
use crate::frame::int_word;
use crate::op::Reg;
use crate::place::Place;
use crate::process::Process;
use operands::{Operands, PriceValue};

impl Execution {
    /// Starts executing the element. `fault` is a fault in the element's price.
    pub(crate) fn start<'a>(
        &'a self,
        here: Here<'a>,
        fault: Option<Fault>,
        cx: &mut Context<'_>,
    ) -> Begun<'a> {
        let (process, ctx, base) = here;
        let operands = || Operands::new(process.registers(ctx, base), fault);
        match self {
            Self::Compute(element, price, moved) => {
                compute(here, (element, *price, *moved), operands(), cx)
            }
            Self::Task(element, price, task) => {
                let mut operands = operands();
                unroll(process, element, &mut operands, (*price, task))?;
                compute(here, (element, *price, Moved::default()), operands, cx)
            }
            Self::BSend(element, sent) => {
                let (dest, message, price, value) = operands().sent(sent);
                carrying(element.execute(ctx, dest, message, price), value, cx)
            }
            Self::NBSend(element, sent) => {
                let (dest, message, price, value) = operands().sent(sent);
                carrying(element.execute(ctx, dest, message, price), value, cx)
            }
            Self::BRecv(element, expected, results) => {
                let (source, message, price) = operands().expected(expected);
                let receiving = element.execute(ctx, source, message, price);
                if results.is_empty() {
                    begin(receiving, cx, Executing::Receiving)
                } else {
                    begin_boxed(telling(here, results, receiving.received()), cx)
                }
            }
            Self::NBRecv(element, expected) => {
                let (source, message, price) = operands().expected(expected);
                let posting = element.execute(ctx, source, message, price);
                begin(posting, cx, |it| Executing::Other(Box::pin(it)))
            }
            Self::SendRecv(element, sent, source, results) => {
                exchange(here, element, (sent, *source), results, operands(), cx)
            }
            Self::Collective(collective, comm, price) => {
                let collective = collective.start(ctx, operands(), *price);
                let collective = among((process, ctx), collective, *comm);
                begin(collective, cx, |it| Executing::Collective(Box::new(it)))
            }
            Self::Order(order, price) => {
                let mut operands = operands();
                let price = price.map(|price| operands.price(price));
                drop(operands);
                order.start(ctx, price, cx)
            }
            Self::Delay(element, price) => {
                begin_boxed(element.execute(ctx, operands().price(*price)), cx)
            }
            Self::SendSignal(element) => begin_boxed(element.execute(ctx), cx),
            Self::AcceptSignal(element) => begin_boxed(element.execute(ctx), cx),
            Self::Offload(it, price, values) => it.begin(ctx, operands(), (*price, values), cx),
            Self::Repeat(head) => repeating::begin(here, head, cx),
            Self::Wait(element, posted) if posted.is_empty() => {
                begin(element.execute(ctx), cx, Executing::Waiting)
            }
            Self::Wait(element, posted) => begin_boxed(wait(here, element, posted), cx),
            Self::WaitAny(element, posted, index) => {
                begin_boxed(wait_any(here, element, posted, *index), cx)
            }
        }
    }
}

fn compute<'a>(
    (_, ctx, _): Here<'a>,
    (element, price, moved): (&'a runtime::ActionPlus, Priced, Moved),
    mut operands: Operands<'_>,
    cx: &mut Context<'_>,
) -> Begun<'a> {
    let bytes = moved.bytes.map(|bytes| operands.int(bytes));
    let working_set = moved.working_set.map(|bytes| operands.int(bytes));
    let computing = element.execute(ctx, operands.price(price));
    drop(operands);
    match (bytes, working_set) {
        (Some(bytes), Some(set)) => begin_boxed(computing.moving(bytes).within(set), cx),
        (Some(bytes), None) => begin_boxed(computing.moving(bytes), cx),
        (None, _) => begin(computing, cx, Executing::Computing),
    }
}

/// Adds the task to the workflow while the workflow is unrolled.
fn unroll(
    process: &Process,
    element: &runtime::ActionPlus,
    operands: &mut Operands<'_>,
    (price, task): (Priced, &Task),
) -> std::result::Result<(), Stopped> {
    if let Some(mut unrolling) = process.code.unrolling()
        && let Some(cost_s) = operands.seconds(price)
    {
        let element = runtime::ModelElement::element(element);
        unrolling.add(&operands.task(element, cost_s, task))?;
    }
    Ok(())
}

impl Collective {
    fn start<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        mut operands: Operands<'_>,
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

impl Offloaded {
    fn begin<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        mut operands: Operands<'_>,
        (price, values): (Option<Priced>, &[(OffloadTag, Reg)]),
        cx: &mut Context<'_>,
    ) -> Begun<'a> {
        let price = price.map_or(PriceValue::ByMachine, |price| operands.price(price));
        let mut offloading = match self {
            Self::Kernel(element) => element.execute(ctx, price),
            Self::Copy(element, to_host) => {
                let copy = element.execute(ctx, price);
                if *to_host { copy.to_host() } else { copy }
            }
            Self::Event(element) => element.execute(ctx),
            Self::Synchronize(element) => element.execute(ctx),
        };
        for (tag, reg) in values {
            let (int, real) = (|| operands.int(*reg), || operands.real(*reg));
            offloading = match tag {
                OffloadTag::Stream => offloading.stream(int()),
                OffloadTag::Device => offloading.device(int()),
                OffloadTag::Event => offloading.event(int()),
                OffloadTag::Peer => offloading.peer(int()),
                OffloadTag::Bytes => offloading.bytes(int()),
                OffloadTag::Memory => offloading.memory(int()),
                OffloadTag::Share => offloading.share(real()),
                OffloadTag::Fp64 => offloading.fp64(real()),
                OffloadTag::Fp32 => offloading.fp32(real()),
                OffloadTag::Fp16 => offloading.fp16(real()),
                OffloadTag::Int8 => offloading.int8(real()),
            };
        }
        drop(operands);
        begin_boxed(offloading, cx)
    }
}

impl Order {
    fn start<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        price: Option<PriceValue>,
        cx: &mut Context<'_>,
    ) -> Begun<'a> {
        macro_rules! gate {
            ($element:expr) => {
                match price {
                    None => begin_boxed($element.execute(ctx, async { Ok(()) }), cx),
                    Some(price) => {
                        begin_boxed($element.execute(ctx, $element.compute(ctx, price)), cx)
                    }
                }
            };
        }
        match self {
            Self::Barrier(element) => match price {
                None => begin_boxed(element.execute(ctx), cx),
                Some(price) => begin_boxed(element.execute_priced(ctx, price), cx),
            },
            Self::Critical(element) => gate!(element),
            Self::Atomic(element) => gate!(element),
            Self::Single(element) => gate!(element),
            Self::Master(element) => gate!(element),
        }
    }
}

/// Receives a message, and assigns to the variables for its parts.
async fn telling(
    (process, ctx, base): Here<'_>,
    results: &[Result],
    receiving: impl Future<Output = std::result::Result<Received, Stopped>>,
) -> Ended {
    let received = receiving.await?;
    process.tell(ctx, base, results, &received)
}

fn exchange<'a>(
    here: Here<'a>,
    element: &'a runtime::SendRecv,
    (sent, source): (&Sent, Reg),
    results: &'a [Result],
    operands: Operands<'_>,
    cx: &mut Context<'_>,
) -> Begun<'a> {
    let source = operands.partner(source);
    let (dest, message, price, value) = operands.sent(sent);
    let mut both = element.execute(here.1, dest, source, message, price);
    if let Some(value) = value {
        both = both.value(value);
    }
    if results.is_empty() {
        return begin(both, cx, |it| Executing::Other(Box::pin(it)));
    }
    begin_boxed(telling(here, results, both.received()), cx)
}

/// Starts a send. Its message can carry a value.
fn carrying<'a>(
    sending: runtime::Sending<'a>,
    value: Option<runtime::Value>,
    cx: &mut Context<'_>,
) -> Begun<'a> {
    match value {
        Some(value) => begin_boxed(sending.value(value), cx),
        None => begin(sending, cx, Executing::Sending),
    }
}

/// Waits for all requests, and assigns the received values.
async fn wait((process, ctx, base): Here<'_>, element: &runtime::Wait, posted: &[Posted]) -> Ended {
    for received in element.execute(ctx).received().await? {
        assign(process, ctx, base, posted, &received)?;
    }
    Ok(())
}

/// Waits until one of the requests is complete, and assigns its position and the received values.
async fn wait_any(
    (process, ctx, base): Here<'_>,
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

/// Restricts a collective to a communicator. The expression `comm` computes its color. Without
/// `comm`, all processes take part.
fn among<'a>(
    (process, ctx): (&Process<'_>, &ProcessCtx<'_>),
    collective: runtime::Collective<'a>,
    comm: Option<u32>,
) -> runtime::Collective<'a> {
    match comm {
        Some(_) if ctx.folded().is_some() => {
            ctx.differs("communicators");
            collective
        }
        Some(color) => {
            let frame = process.code.thunks[color as usize];
            collective.comm(|ctx| process.evaluate(ctx, frame))
        }
        None => collective,
    }
}

fn assign(
    process: &Process<'_>,
    ctx: &ProcessCtx<'_>,
    base: u32,
    posted: &[Posted],
    received: &Received,
) -> Ended {
    for receive in posted.iter().filter(|it| received.is_of(&it.element)) {
        process.tell(ctx, base, &receive.results, received)?;
    }
    Ok(())
}
