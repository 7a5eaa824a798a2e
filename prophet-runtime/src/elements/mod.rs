//! The performance modeling elements: what a generated program executes.

mod action;
mod activity;
mod atomic;
mod barrier;
mod critical;
mod fork;
mod master;
mod moving;
mod nbreceive;
mod node;
mod ompbarrier;
mod parallel;
mod paralleldo;
mod parallelsections;
mod receive;
mod repeat;
mod rooted;
mod send;
mod sendrecv;
mod single;
mod unrooted;
mod wait;

pub use action::{ActionPlus, Computing};
pub use activity::ActivityPlus;
pub use atomic::Atomic;
pub use barrier::Barrier;
pub use critical::Critical;
pub use fork::Fork;
pub use master::Master;
pub use moving::Moving;
pub use nbreceive::{NBRecv, Posting};
pub use node::Node;
pub use ompbarrier::OmpBarrier;
pub use parallel::Parallel;
pub use paralleldo::ParallelDo;
pub use parallelsections::ParallelSections;
pub(crate) use receive::NOT_WHOLE;
pub use receive::{ANY, BRecv, Receiving, whole};
pub use repeat::LoopPlus;
pub use rooted::{Broadcast, Gather, Reduce, Scatter};
pub use send::{BSend, Carrying, NBSend, Sending};
pub use sendrecv::{Exchanging, SendRecv};
pub use single::Single;
pub use unrooted::{AllGather, AllReduce, AllToAll, ReduceScatter, Scan};
pub(crate) use wait::Requested;
pub use wait::{Choosing, Wait, Waiting};

use crate::number::Int;
use crate::requests::UNNAMED;

/// What every element of a model has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Its place among the model's elements, unique there and below `u32::MAX`.
    pub index: u32,
    /// Its name in the model.
    pub name: &'static str,
    /// Its id in the model, which also names its random streams.
    pub id: i64,
}

/// An element of a model: what reports and messages name.
///
/// Elements of one's own are built on the waits of [`ProcessCtx`](crate::ProcessCtx).
///
/// ```
/// use prophet_runtime::{Element, Model, ModelElement, ProcessCtx, Simulation, Stopped, System};
///
/// struct Pause(Element);
///
/// impl ModelElement for Pause {
///     fn element(&self) -> &Element {
///         &self.0
///     }
/// }
///
/// impl Pause {
///     async fn execute(&self, ctx: &ProcessCtx<'_>, seconds: f64) -> Result<(), Stopped> {
///         ctx.at(self);
///         ctx.hold(seconds).await
///     }
/// }
///
/// const PAUSE: Pause = Pause(Element { index: 0, name: "Pause", id: 1 });
/// let model = Model::new("Own", &[], 1);
/// let simulation = Simulation::new(&model, System::default());
/// let run = simulation.run(async |ctx| PAUSE.execute(ctx, -1.0).await);
/// assert!(run.unwrap_err().to_string().contains("element `Pause` (id 1)"));
/// ```
pub trait ModelElement {
    /// What names it.
    fn element(&self) -> &Element;

    /// Its stereotype in lower case.
    fn kind(&self) -> &'static str {
        "element"
    }
}

/// Defines the struct of an element and what names it.
macro_rules! element {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name(crate::elements::Element);

        impl $name {
            /// The stereotype.
            const KIND: &'static str = $kind;

            /// The element with this index, name and id in the model.
            pub const fn new(index: u32, name: &'static str, id: i64) -> Self {
                Self(crate::elements::Element { index, name, id })
            }
        }

        impl crate::elements::ModelElement for $name {
            fn element(&self) -> &crate::elements::Element {
                &self.0
            }

            fn kind(&self) -> &'static str {
                Self::KIND
            }
        }
    };
}
use element;

/// The name of a request, as a model has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestName {
    /// Its place among the model's requests.
    pub(crate) index: u32,
    pub(crate) name: &'static str,
}

/// The process with a number that has been checked.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range has been checked"
)]
#[inline]
const fn known_process(number: i64) -> u32 {
    number as u32
}

/// The index of a request, or [`UNNAMED`].
pub(crate) fn request_index(request: Option<RequestName>) -> u32 {
    request.map_or(UNNAMED, |request| request.index)
}

/// Defines the struct of an element that begins an operation, and what names it.
macro_rules! requesting_element {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name {
            element: crate::elements::Element,
            request: Option<crate::elements::RequestName>,
        }

        impl $name {
            /// The stereotype.
            const KIND: &'static str = $kind;

            /// The element with this index, name and id in the model.
            pub const fn new(index: u32, name: &'static str, id: i64) -> Self {
                let element = crate::elements::Element { index, name, id };
                Self {
                    element,
                    request: None,
                }
            }

            /// The same with a request: its index among the requests of the model, from 0, and
            /// its name.
            #[must_use]
            pub const fn request(self, index: u32, name: &'static str) -> Self {
                let request = Some(crate::elements::RequestName { index, name });
                Self { request, ..self }
            }
        }

        impl crate::elements::ModelElement for $name {
            fn element(&self) -> &crate::elements::Element {
                &self.element
            }

            fn kind(&self) -> &'static str {
                Self::KIND
            }
        }
    };
}
use requesting_element;

/// The size and the tag of a message to send or to receive.
///
/// ```
/// use prophet_runtime::Message;
///
/// let eight = Message::bytes(8).tag(3);
/// assert_ne!(eight, Message::bytes(8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// None is any size.
    pub(crate) bytes: Option<i64>,
    pub(crate) tag: i64,
}

impl Message {
    /// A message of that many bytes, or a receive of that many at most; its tag is 0.
    pub fn bytes(bytes: impl Into<Int>) -> Self {
        Self {
            bytes: Some(bytes.into().0),
            tag: 0,
        }
    }

    /// A receive of a message of any size; its tag is 0. What is sent so is empty.
    pub const fn any_size() -> Self {
        Self {
            bytes: None,
            tag: 0,
        }
    }

    /// The same with another tag.
    #[must_use]
    pub fn tag(self, tag: impl Into<Int>) -> Self {
        Self {
            tag: tag.into().0,
            ..self
        }
    }
}
