//! Events of one rank, the same for all formats.

use std::sync::Arc;

/// Largest size of a message, and largest whole time, so that sums can't overflow.
pub(crate) const SIZE_MAX: u64 = 1 << 48;

/// One thing that a rank of a trace does.
#[derive(Debug, Clone, PartialEq)]
pub enum RankEvent {
    /// Computing.
    Compute(Work),
    /// A blocking send.
    Send(Message),
    /// A blocking receive.
    Receive(Message),
    /// A send that a wait for this request ends.
    BeginSend(Message, u32),
    /// A receive that a wait for this request ends.
    BeginReceive(Message, u32),
    /// A wait for a request.
    Wait(u32),
    /// A wait for all requests.
    WaitAll,
    /// A send and a receive that go on at the same time.
    Exchange {
        /// The message that is sent.
        to: Message,
        /// The message that is received.
        from: Message,
    },
    /// A collective of all ranks, or of a group of ranks.
    Collective(Collective),
}

/// Amount of computing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// Operations, whose time depends on the machine.
    pub flops: f64,
    /// Seconds.
    pub seconds: f64,
}

impl Work {
    /// Creates an amount of operations.
    pub const fn flops(flops: f64) -> Self {
        Self {
            flops,
            seconds: 0.0,
        }
    }

    /// Creates an amount of seconds.
    pub const fn seconds(seconds: f64) -> Self {
        Self {
            flops: 0.0,
            seconds,
        }
    }

    /// Gives the sum of two amounts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            flops: self.flops + other.flops,
            seconds: self.seconds + other.seconds,
        }
    }

    /// Gives a multiple of the amount.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            flops: self.flops * factor,
            seconds: self.seconds * factor,
        }
    }
}

/// Message, as one of its ends sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// The rank on the other side; a receive may leave it open.
    pub peer: Option<u32>,
    /// The tag; a receive may leave it open.
    pub tag: Option<i64>,
    /// The size; a receive may leave it open.
    pub bytes: Option<u64>,
}

prophet_text::named_enum! {
    /// Kind of a collective.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Kind {
        /// No data: all wait for all.
        Barrier = "barrier",
        /// From the root to all.
        Broadcast = "broadcast",
        /// From all to the root, combined.
        Reduce = "reduce",
        /// From all to the root, a block of each.
        Gather = "gather",
        /// From the root to all, a block for each.
        Scatter = "scatter",
        /// From all to all, combined.
        AllReduce = "allreduce",
        /// From all to all, a block of each.
        AllGather = "allgather",
        /// From all to all, a block for each pair.
        AllToAll = "alltoall",
        /// From all to all, combined, a part for each.
        ReduceScatter = "reducescatter",
        /// From each to those behind it, combined.
        Scan = "scan",
    }
}

impl Kind {
    /// True if one rank is the root.
    pub const fn is_rooted(self) -> bool {
        matches!(
            self,
            Self::Broadcast | Self::Reduce | Self::Gather | Self::Scatter
        )
    }
}

/// Collective, as one rank calls it.
#[derive(Debug, Clone, PartialEq)]
pub struct Collective {
    /// Kind of the collective.
    pub kind: Kind,
    /// The root, or 0; of a group, its place among the members in the order of the trace's ranks.
    pub root: u32,
    /// One block where each rank has its own, else the whole vector; the mean of blocks that
    /// differ.
    pub bytes: u64,
    /// Blocks that differ; without them all have the same size.
    pub blocks: Option<Box<Blocks>>,
    /// The ranks that take part, unless all do.
    pub group: Option<Arc<Group>>,
}

/// Ranks of a communicator that lacks some, or has another order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// Number of the group in its trace; groups of the same ranks in the same order are one.
    pub number: u32,
    /// The ranks of the trace, in the order of their ranks in the communicator.
    pub members: Vec<u32>,
}

impl Group {
    /// Place of a member of the communicator among its ranks in their own order, as the runtime
    /// counts them.
    pub fn place(&self, rank: u32) -> Option<u32> {
        let member = self.members.get(rank as usize)?;
        let before = self.members.iter().filter(|it| *it < member).count();
        u32::try_from(before).ok()
    }

    /// The lowest rank, which distinguishes the group from others that share no rank with it.
    pub fn first(&self) -> u32 {
        self.members.iter().copied().min().unwrap_or(0)
    }
}

impl Collective {
    /// Collective whose blocks all have the same size.
    pub const fn even(kind: Kind, root: u32, bytes: u64) -> Self {
        Self {
            kind,
            root,
            bytes,
            blocks: None,
            group: None,
        }
    }

    /// Collective of a rank whose blocks differ.
    pub fn uneven(kind: Kind, root: u32, rank: u32, blocks: Blocks) -> Self {
        let bytes = match (kind, root == rank) {
            (Kind::AllToAll, _) | (Kind::Scatter, true) => mean(&blocks.sent),
            (Kind::Gather, false) => blocks.sent[root as usize],
            (Kind::Scatter, false) => blocks.received[root as usize],
            _ => mean(&blocks.received),
        };
        Self {
            kind,
            root,
            bytes,
            blocks: Some(Box::new(blocks)),
            group: None,
        }
    }

    /// The collective of a group, where that is given, with a root of its communicator.
    #[must_use]
    pub fn of(self, root: u32, group: Option<Arc<Group>>) -> Self {
        let place = group.as_ref().and_then(|it| it.place(root));
        Self {
            root: place.unwrap_or(root),
            group,
            ..self
        }
    }
}

fn mean(sizes: &[u64]) -> u64 {
    let count = sizes.len().max(1) as u64;
    (sizes.iter().sum::<u64>() + count / 2) / count
}

/// Sizes of the messages of one rank in a collective, by the rank on the other side.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Bytes that go to each rank; it may end early.
    pub sent: Vec<u64>,
    /// Bytes that come from each rank; it may end early.
    pub received: Vec<u64>,
}
