//! Defines messages and receives that are waiting for each other, and the envelopes by which they
//! are matched.

/// The properties that receives and messages are matched by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Envelope {
    /// The sending rank, or [`ANY_SOURCE`] in a receive.
    pub(crate) source: u32,
    /// Whether the message belongs to the program or to a collective.
    pub(crate) context: Context,
    /// The program's tag or the tag of the collective call. In a receive, it can be [`ANY_TAG`].
    pub(crate) tag: i64,
}

pub(crate) const ANY_SOURCE: u32 = u32::MAX;
pub(crate) const ANY_TAG: i64 = i64::MIN;

impl Envelope {
    /// Creates the envelope of a message from the program rather than a collective.
    #[inline]
    pub(crate) const fn of_program(source: u32, tag: i64) -> Self {
        Self {
            source,
            context: Context::Program,
            tag,
        }
    }

    #[inline]
    pub(crate) const fn of_collective(source: u32, tag: i64) -> Self {
        Self {
            source,
            context: Context::Collective,
            tag,
        }
    }

    /// Returns `true` for a receive from any source or with any tag.
    #[inline]
    pub(crate) const fn is_wild(&self) -> bool {
        self.source == ANY_SOURCE || self.tag == ANY_TAG
    }
}

/// Who sends a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Context {
    Program,
    Collective,
}

/// How a message is transported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Sent immediately. The network determines the price.
    Eager,
    /// Sent immediately. The sender sets the price, and the message doesn't use the receiver's
    /// network interface.
    Priced,
    /// Sent as soon as its receive has been posted.
    Rendezvous,
    /// Sent immediately, over links that it shares with other messages.
    Flowing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Letter {
    pub(crate) envelope: Envelope,
    pub(crate) bytes: u64,
    /// When the message arrives or, if it waits for its receive, when it was sent, in simulated
    /// seconds.
    pub(crate) time_s: f64,
    /// When the message's envelope arrives, in simulated seconds. Receives from any source choose
    /// by this time.
    pub(crate) envelope_s: f64,
    pub(crate) mode: Mode,
    /// The message's number among all messages of its sender, set only while tracing. For a message
    /// that waits for its receive in the event engine, it is the number of the sender in
    /// `Matching`. For a message on shared links, it is the number among the messages in transit.
    pub(crate) number: u32,
}

/// What a receive needs to know about its message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrived {
    pub(crate) source: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// When the message arrived, in simulated seconds.
    pub(crate) arrival_s: f64,
    /// Whether the sender set the price.
    pub(crate) priced: bool,
    pub(crate) is_late: bool,
    /// The message's number among all messages of its sender, set only while tracing.
    pub(crate) number: u32,
}

impl Letter {
    /// Returns the key by which receives from any source choose among messages: the bits of
    /// [`Self::envelope_s`].
    pub(crate) const fn head(&self) -> u64 {
        self.envelope_s.to_bits()
    }

    /// Converts the letter for a receive that gets it at `arrival_s`.
    #[inline]
    pub(crate) fn arrived_at(&self, arrival_s: f64) -> Arrived {
        Arrived {
            source: self.envelope.source,
            tag: self.envelope.tag,
            bytes: self.bytes,
            arrival_s,
            priced: self.mode == Mode::Priced,
            is_late: false,
            number: self.number,
        }
    }
}

/// Whom to notify about the progress of a message or receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A waiting unit, and the generation of its wait.
    Unit { unit: u32, generation: u32 },
    /// A request that a unit can wait for later.
    Request(u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Post {
    pub(crate) envelope: Envelope,
    pub(crate) bytes_max: u64,
    /// The price in seconds, if the receive sets one.
    pub(crate) cost_s: Option<f64>,
    /// When the receive was posted, in simulated seconds.
    pub(crate) posted_s: f64,
    pub(crate) owner: Owner,
    /// The receive's number among all receives, in the order in which they were posted.
    pub(crate) number: u64,
}

/// The sender of a message that waits for its receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sender {
    pub(crate) rank: u32,
    pub(crate) tid: u32,
    pub(crate) element: u32,
    pub(crate) owner: Owner,
    /// The message's number among all messages of its rank.
    pub(crate) message: u32,
    /// The send's number among all sends that wait for shared network interfaces.
    pub(crate) number: u64,
}

/// A message and its receive, which rank `dest` posted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) sender: Sender,
    pub(crate) letter: Letter,
    pub(crate) dest: u32,
    pub(crate) post: Post,
    /// The earliest time at which the receive lets the transfer start, in simulated seconds.
    pub(crate) from_s: f64,
}
