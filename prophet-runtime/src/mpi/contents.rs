//! Stores the values that messages carry, and the results of receives, separately from the
//! messages.

use prophet_machine::value::Value;
use prophet_map::Map;

use std::cell::{Cell, RefCell};

/// The result of a receive: the message's source, tag, and size, as in MPI's status, and the value
/// that it carries, if any.
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
    /// Index of the element that began the receive, if a wait completes it.
    pub(crate) element: u32,
    /// The request's number, in the order of posting.
    pub(crate) number: u64,
    pub(crate) source: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    pub(crate) value: Option<Value>,
}

/// Why one of several threads gives up: values aren't sent between threads.
pub(crate) const VALUES: &str = "message values";

#[derive(Debug)]
pub(crate) struct Contents {
    /// Number of messages that each process has sent while messages were watched.
    pub(super) sent: Vec<Cell<u32>>,
    /// The values in transit, by the sender and number of the message.
    pub(super) values: RefCell<Map<(u32, u32), Value>>,
    /// The messages that listening units have received, by unit.
    pub(super) received: RefCell<Map<u32, Vec<Received>>>,
}
