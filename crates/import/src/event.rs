//! Defines a rank's events, independently of the trace format.

use std::sync::Arc;

/// Largest message size, and largest time as an integer. With this limit, sums don't overflow.
pub(crate) const SIZE_MAX: u64 = 1 << 48;

/// Something that a rank does, such as computing or sending a message.
#[derive(Debug, Clone, PartialEq)]
pub enum RankEvent {
    Compute(Work),
    Send(Message),
    Receive(Message),
    /// A send that completes when the rank waits for this request.
    BeginSend(Message, u32),
    /// A receive that completes when the rank waits for this request.
    BeginReceive(Message, u32),
    Wait(u32),
    WaitAll,
    /// A send and a receive that happen at the same time, as in `MPI_Sendrecv`.
    Exchange {
        to: Message,
        from: Message,
    },
    Collective(Collective),
}

/// An amount of computing, in operations, in time, or in both.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// Number of floating-point operations. How long they take depends on the machine.
    pub flops: f64,
    /// Seconds, in addition to the time of the operations.
    pub seconds: f64,
}

impl Work {
    pub const fn flops(flops: f64) -> Self {
        Self {
            flops,
            seconds: 0.0,
        }
    }

    pub const fn seconds(seconds: f64) -> Self {
        Self {
            flops: 0.0,
            seconds,
        }
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            flops: self.flops + other.flops,
            seconds: self.seconds + other.seconds,
        }
    }

    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            flops: self.flops * factor,
            seconds: self.seconds * factor,
        }
    }
}

/// A message, as its sender or its receiver describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// Rank of the partner; `None` in a receive from any rank.
    pub peer: Option<u32>,
    /// Tag of the message; `None` in a receive of any tag.
    pub tag: Option<i64>,
    /// Size of the message in bytes; `None` in a receive of any size.
    pub bytes: Option<u64>,
}

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Kind {
        /// No data; each rank waits for all ranks.
        Barrier = "barrier",
        /// From the root to all ranks.
        Broadcast = "broadcast",
        /// From all ranks to the root, which gets the combined data.
        Reduce = "reduce",
        /// From all ranks to the root, one block from each.
        Gather = "gather",
        /// From the root to all ranks, one block for each.
        Scatter = "scatter",
        /// From all ranks to all ranks; each gets the combined data.
        AllReduce = "allreduce",
        /// From all ranks to all ranks, one block from each.
        AllGather = "allgather",
        /// From all ranks to all ranks, one block for each pair.
        AllToAll = "alltoall",
        /// From all ranks to all ranks; each gets one part of the combined data.
        ReduceScatter = "reducescatter",
        /// From each rank to all later ranks, which get the combined data.
        Scan = "scan",
    }
}

impl Kind {
    /// Returns `true` if the collective has a root.
    pub const fn is_rooted(self) -> bool {
        matches!(
            self,
            Self::Broadcast | Self::Reduce | Self::Gather | Self::Scatter
        )
    }
}

/// One rank's call of a collective operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Collective {
    pub kind: Kind,
    /// Rank of the root; 0 for a collective without a root. In a group, this is the root's index
    /// among the members sorted by their ranks in the trace.
    pub root: u32,
    /// Size in bytes of one block (the mean, if the blocks differ), or of the whole vector if ranks
    /// don't have separate blocks.
    pub bytes: u64,
    /// Sizes of the blocks, if they differ.
    pub blocks: Option<Box<Blocks>>,
    /// The ranks that take part; `None` means all ranks.
    pub group: Option<Arc<Group>>,
}

/// The ranks of a communicator that contains only some of the ranks, or all of them in a different
/// order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group {
    /// Number of the group in the trace. Groups that have the same ranks in the same order share a
    /// number.
    pub number: u32,
    /// Ranks of the members in the trace, in the order of the communicator.
    pub members: Vec<u32>,
}

impl Group {
    /// Converts a rank of the communicator to the member's number in the runtime, which sorts
    /// members by their ranks in the trace. Returns `None` if the communicator has no such rank.
    pub fn place(&self, rank: u32) -> Option<u32> {
        let member = self.members.get(rank as usize)?;
        let before = self.members.iter().filter(|it| *it < member).count();
        u32::try_from(before).ok()
    }

    /// Returns the lowest rank of the group, which distinguishes it from groups that have no ranks
    /// in common with it.
    pub fn first(&self) -> u32 {
        self.members.iter().copied().min().unwrap_or(0)
    }
}

impl Collective {
    /// Creates a collective whose blocks have the same size.
    pub const fn even(kind: Kind, root: u32, bytes: u64) -> Self {
        Self {
            kind,
            root,
            bytes,
            blocks: None,
            group: None,
        }
    }

    /// Creates `rank`'s call to a collective whose blocks differ in size.
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

    /// Moves the call to `group`, or to all ranks if that is `None`. `root` is a rank of the
    /// group's communicator.
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

/// The sizes of the blocks that one rank sends and receives in a collective, by the partner's rank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Bytes sent to each rank. The list can be shorter than the number of ranks.
    pub sent: Vec<u64>,
    /// Bytes received from each rank. The list can be shorter than the number of ranks.
    pub received: Vec<u64>,
}
