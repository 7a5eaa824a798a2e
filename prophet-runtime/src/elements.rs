//! Defines the performance modeling elements that generated programs execute.

mod acceptsignal;
mod action;
mod activity;
mod atomic;
mod barrier;
mod collectives;
mod copymemory;
mod critical;
mod delay;
mod flows;
mod fork;
mod gate;
mod kernel;
mod master;
mod moving;
mod nbreceive;
mod node;
mod offloading;
mod ompbarrier;
mod parallel;
mod paralleldo;
mod parallelsections;
mod receive;
mod received;
mod recordevent;
mod repeat;
mod send;
mod sendrecv;
mod sendsignal;
mod single;
mod synchronize;
mod wait;

use crate::language::element::{Element, ModelElement, RequestName};
use crate::language::number::Int;
use crate::messages::requests::UNNAMED;
pub use acceptsignal::AcceptSignal;
pub use action::{ActionPlus, Computing};
pub use activity::ActivityPlus;
pub use atomic::Atomic;
pub use barrier::Barrier;
pub use collectives::{
    AllGather, AllReduce, AllToAll, Broadcast, Gather, Reduce, ReduceScatter, Scan, Scatter,
};
pub use copymemory::CopyMemory;
pub use critical::Critical;
pub use delay::Delay;
pub use flows::Flows;
pub use fork::Fork;
pub use kernel::Kernel;
pub use master::Master;
pub use moving::Moving;
pub use nbreceive::{NBRecv, Posting};
pub use node::Node;
pub use offloading::Offloading;
pub use ompbarrier::OmpBarrier;
pub use parallel::Parallel;
pub use paralleldo::ParallelDo;
pub use parallelsections::ParallelSections;
pub use receive::{ANY, BRecv, Receiving};
pub use received::{Listening, ReceivedAll};
pub use recordevent::RecordEvent;
pub use repeat::{LoopPlus, Next, Repeat};
pub use send::{BSend, Carrying, NBSend, Sending};
pub use sendrecv::{Exchanging, SendRecv};
pub use sendsignal::SendSignal;
pub use single::Single;
pub use synchronize::Synchronize;
pub use wait::{Choosing, ReceivedAny, Wait, Waiting};

/// Defines an element's struct, with its stereotype, name, and id, and possibly one more field with
/// an initial value.
macro_rules! element {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name(crate::language::element::Element);

        crate::elements::element! { @ $name, $kind, 0, element => Self(element) }
    };
    ($(#[$doc:meta])* $name:ident, $kind:expr, $field:ident: $ty:ty = $value:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name {
            element: crate::language::element::Element,
            $field: $ty,
        }

        crate::elements::element! {
            @ $name, $kind, element, element => Self { element, $field: $value }
        }
    };
    (@ $name:ident, $kind:expr, $place:tt, $element:ident => $new:expr) => {
        impl $name {
            const KIND: &'static str = $kind;

            /// Creates the element that has this index, name, and id in the model.
            pub const fn new(index: u32, name: &'static str, id: i64) -> Self {
                let $element = crate::language::element::Element { index, name, id };
                $new
            }
        }

        impl crate::language::element::ModelElement for $name {
            fn element(&self) -> &crate::language::element::Element {
                &self.$place
            }

            fn kind(&self) -> &'static str {
                Self::KIND
            }
        }
    };
}
use element;

/// Converts a process number that has been checked.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range has been checked"
)]
#[inline]
const fn known_process(number: i64) -> u32 {
    number as u32
}

/// Returns the index of a request, or [`UNNAMED`].
pub(crate) fn request_index(request: Option<RequestName>) -> u32 {
    request.map_or(UNNAMED, |request| request.index)
}

/// Defines the struct of an element that starts an operation: its stereotype, name, id, and
/// request.
macro_rules! requesting_element {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        crate::elements::element! {
            $(#[$doc])*
            $name, $kind, request: Option<crate::language::element::RequestName> = None
        }

        impl $name {
            /// Sets the request by which a wait can refer to this operation: its name, and its
            /// index among the model's requests, from 0.
            #[must_use]
            pub const fn request(self, index: u32, name: &'static str) -> Self {
                let request = Some(crate::language::element::RequestName { index, name });
                Self { request, ..self }
            }
        }
    };
}
use requesting_element;

/// Defines the struct of an element that sends or accepts a signal: its stereotype, name, id, and
/// signal.
macro_rules! signaling_element {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        crate::elements::element! {
            $(#[$doc])*
            $name, $kind, signal: crate::language::element::SignalName =
                crate::language::element::SignalName { index: 0, name: "" }
        }

        impl $name {
            /// Sets the signal: its name, and its index among the model's signals, from 0. By
            /// default, the element uses the model's first signal.
            #[must_use]
            pub const fn signal(self, index: u32, name: &'static str) -> Self {
                let signal = crate::language::element::SignalName { index, name };
                Self { signal, ..self }
            }
        }
    };
}
use signaling_element;

/// The size and tag of a message that is sent or received.
///
/// ```
/// use prophet_runtime::Message;
///
/// let eight = Message::bytes(8).tag(3);
/// assert_ne!(eight, Message::bytes(8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// Size in bytes, or `None` for any size.
    pub(crate) bytes: Option<i64>,
    pub(crate) tag: i64,
}

impl Message {
    /// Describes a message of this size in bytes to send, or of at most this size to receive. Its
    /// tag is 0.
    pub fn bytes(bytes: impl Into<Int>) -> Self {
        Self {
            bytes: Some(bytes.into().0),
            tag: 0,
        }
    }

    /// Describes a message of any size to receive, or an empty message to send. Its tag is 0.
    pub const fn any_size() -> Self {
        Self {
            bytes: None,
            tag: 0,
        }
    }

    /// Sets the tag.
    #[must_use]
    pub fn tag(self, tag: impl Into<Int>) -> Self {
        Self {
            tag: tag.into().0,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn futures_are_small() {
        for (name, size, expected) in [
            ("Computing", size_of::<Computing<'_>>(), 56),
            ("Posting", size_of::<Posting<'_>>(), 72),
            ("Receiving", size_of::<Receiving<'_>>(), 80),
            ("Sending", size_of::<Sending<'_>>(), 80),
            ("Waiting", size_of::<Waiting<'_>>(), 40),
        ] {
            assert_eq!(size, expected, "{name}");
        }
    }
}
