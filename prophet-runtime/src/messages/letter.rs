//! Defines messages and receives that wait for each other, and the envelopes that match them.

/// The properties by which receives are matched with messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Envelope {
    /// The sending rank, or [`ANY_SOURCE`] in a receive.
    pub(crate) source: u32,
    /// Separates messages of collectives from messages of the program.
    pub(crate) context: Context,
    /// The program's tag, or the tag of the collective call; [`ANY_TAG`] in a receive.
    pub(crate) tag: i64,
}

pub(crate) const ANY_SOURCE: u32 = u32::MAX;
pub(crate) const ANY_TAG: i64 = i64::MIN;

impl Envelope {
    /// Creates the envelope of a message sent by the program, not by a collective.
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

    /// Returns `true` for a receive from any source or of any tag.
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
    /// Sent immediately, priced by the network.
    Eager,
    /// Sent immediately, priced by its sender; doesn't use the receiver's NIC.
    Priced,
    /// Sent once its receive has been posted.
    Rendezvous,
    /// Sent immediately, on links shared with other messages.
    Flowing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Letter {
    pub(crate) envelope: Envelope,
    pub(crate) bytes: u64,
    /// Time at which the message arrives or, if it waits for its receive, was sent, in simulated
    /// seconds.
    pub(crate) time_s: f64,
    /// Time at which the message's envelope arrives, which decides between messages for a receive
    /// from any source.
    pub(crate) envelope_s: f64,
    pub(crate) mode: Mode,
    /// Number among its sender's messages; only while tracing. For a message that waits for its
    /// receive in the event engine, the number of its sender in `Matching`. For a message on shared
    /// links, its number among the messages on their way.
    pub(crate) number: u32,
}

/// What a receive must know about its message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Arrived {
    pub(crate) source: u32,
    pub(crate) tag: i64,
    pub(crate) bytes: u64,
    /// Time at which the message has arrived, in simulated seconds.
    pub(crate) arrival_s: f64,
    /// Whether the sender set the price.
    pub(crate) priced: bool,
    pub(crate) is_late: bool,
    /// Number among its sender's messages, only while tracing.
    pub(crate) number: u32,
}

impl Letter {
    /// Returns the key by which receives from any source choose a message: the bits of
    /// [`Self::envelope_s`].
    pub(crate) const fn head(&self) -> u64 {
        self.envelope_s.to_bits()
    }

    /// Converts the letter for its receive, which gets the message at `arrival_s`.
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

/// The owner of a message or a receive, who is notified of its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A unit that waits, with the generation of its wait.
    Unit { unit: u32, generation: u32 },
    /// A request, which a unit can wait for later.
    Request(u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Post {
    pub(crate) envelope: Envelope,
    pub(crate) bytes_max: u64,
    /// Price set by the receive, if any, in seconds.
    pub(crate) cost_s: Option<f64>,
    /// Time at which the receive was posted, in simulated seconds.
    pub(crate) posted_s: f64,
    pub(crate) owner: Owner,
    /// Number of the receive among all receives, in the order of posting.
    pub(crate) number: u64,
}

/// The sender of a message that waits for its receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sender {
    pub(crate) rank: u32,
    pub(crate) tid: u32,
    pub(crate) element: u32,
    pub(crate) owner: Owner,
    /// Number of the message among its rank's messages.
    pub(crate) message: u32,
    /// Number of the send among all sends that wait for shared network interfaces.
    pub(crate) number: u64,
}

/// A message that has met its receive, which rank `dest` posted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transfer {
    pub(crate) sender: Sender,
    pub(crate) letter: Letter,
    pub(crate) dest: u32,
    pub(crate) post: Post,
    /// Earliest time at which the transfer can start, as determined by the receive.
    pub(crate) from_s: f64,
}
