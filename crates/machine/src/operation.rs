//! Defines collectives and ranks' calls of them.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    /// Gives every rank the blocks of all other ranks.
    AllGather,
    /// Combines a vector from each rank, and gives the result to all ranks.
    AllReduce,
    /// Sends a different block from every rank to every other rank.
    AllToAll,
    /// Holds every rank until all ranks have arrived.
    Barrier,
    /// Sends a vector from one rank to all ranks.
    Broadcast,
    /// Sends a block from every rank to one rank.
    Gather,
    /// Combines a vector from each rank, and gives the result to one rank.
    Reduce,
    /// Combines a vector from each rank, and gives each rank a part of the result.
    ReduceScatter,
    /// Combines each rank's vector with the vectors of all ranks before it.
    Scan,
    /// Sends a different block from one rank to every rank.
    Scatter,
}

impl Operation {
    /// All operations, sorted by name. An operation's index is its number.
    pub const ALL: [Self; 10] = [
        Self::AllGather,
        Self::AllReduce,
        Self::AllToAll,
        Self::Barrier,
        Self::Broadcast,
        Self::Gather,
        Self::Reduce,
        Self::ReduceScatter,
        Self::Scan,
        Self::Scatter,
    ];

    pub const fn kind(self) -> &'static str {
        match self {
            Self::AllGather => "allgather",
            Self::AllReduce => "allreduce",
            Self::AllToAll => "alltoall",
            Self::Barrier => "barrier",
            Self::Broadcast => "broadcast",
            Self::Gather => "gather",
            Self::Reduce => "reduce",
            Self::ReduceScatter => "reducescatter",
            Self::Scan => "scan",
            Self::Scatter => "scatter",
        }
    }

    /// Returns the operation with this stereotype; `None` if it isn't a collective.
    pub fn of_kind(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.kind() == kind)
    }

    pub const fn is_rooted(self) -> bool {
        matches!(
            self,
            Self::Broadcast | Self::Gather | Self::Reduce | Self::Scatter
        )
    }

    /// Returns `true` if a call's size is the size of each rank's block, not of the whole vector.
    pub const fn has_blocks(self) -> bool {
        matches!(
            self,
            Self::AllGather | Self::AllToAll | Self::Gather | Self::Scatter
        )
    }
}

/// What the ranks of a communicator must agree on when they call a collective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    pub operation: Operation,
    /// Rank of the root in the communicator; 0 if the collective has no root.
    pub root: u32,
    pub bytes: u64,
    /// Whether the element has its own cost, which replaces the machine's.
    pub priced: bool,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, root, .. } = self;
        f.write_str(self.operation.kind())?;
        if self.operation != Operation::Barrier {
            write!(f, " of {bytes} bytes")?;
        }
        match self.operation {
            Operation::Broadcast | Operation::Scatter => write!(f, " from {root}")?,
            Operation::Reduce | Operation::Gather => write!(f, " to {root}")?,
            _ => {}
        }
        f.write_str(if self.priced {
            " with a cost"
        } else {
            " without a cost"
        })
    }
}
