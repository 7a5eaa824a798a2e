//! Collectives, and the call of one by a rank.

use std::fmt;

/// Collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Operation {
    /// Each rank gets a block of every other rank.
    AllGather,
    /// A vector of each rank, combined, for all ranks.
    AllReduce,
    /// A block from every rank to every other.
    AllToAll,
    /// No rank leaves before all have come.
    Barrier,
    /// A vector from one rank to all.
    Broadcast,
    /// A block from every rank to one.
    Gather,
    /// A vector of each rank, combined, for one rank.
    Reduce,
    /// Combines a vector of each rank, and gives each rank a part of the result.
    ReduceScatter,
    /// A vector of each rank, combined with the vectors of all ranks before it.
    Scan,
    /// A block from one rank to each.
    Scatter,
}

impl Operation {
    /// All operations, by name, each at the index that is its number.
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

    /// Stereotype.
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

    /// Finds the operation of that stereotype.
    pub fn of_kind(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.kind() == kind)
    }

    /// True if one of its ranks is the root.
    pub const fn is_rooted(self) -> bool {
        matches!(
            self,
            Self::Broadcast | Self::Gather | Self::Reduce | Self::Scatter
        )
    }

    /// True if its size is the size of one block, of which there is one for each rank; otherwise it
    /// is the size of the whole vector.
    pub const fn has_blocks(self) -> bool {
        matches!(
            self,
            Self::AllGather | Self::AllToAll | Self::Gather | Self::Scatter
        )
    }
}

/// Call of a collective by one rank: all ranks have to make the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    pub operation: Operation,
    /// The root of a rooted collective as a rank of the communicator, else 0.
    pub root: u32,
    pub bytes: u64,
    /// True if the ranks give its price.
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
