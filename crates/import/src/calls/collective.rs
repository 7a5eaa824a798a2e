//! Calls of collectives.

use super::rank::{Rank, partial, unknown};
use super::record::{Members, Record};
use crate::event::{Blocks, Collective, Kind};

impl Rank {
    /// The collective of a call, unless the rank calls it alone.
    pub(super) fn collective(&self, record: &Record) -> Result<Option<Collective>, String> {
        let Some(kind) = kind(&record.function) else {
            return Err(unknown(&record.function));
        };
        match record.members()? {
            Members::All => {}
            Members::Own => return Ok(None),
            Members::Some => return Err(partial(record)),
        }
        let root = if kind.is_rooted() {
            let root = record.number("root")?;
            let rank = u32::try_from(root).ok().filter(|it| *it < self.ranks());
            rank.ok_or_else(|| format!("there is no rank {root}: there are {}", self.ranks()))?
        } else {
            0
        };
        if record.function.ends_with('v') {
            let blocks = self.blocks(record, kind, root)?;
            return Ok(Some(Collective::uneven(kind, root, self.number(), blocks)));
        }
        let bytes = self.size(record, kind, root)?;
        Ok(Some(Collective::even(kind, root, bytes)))
    }

    /// A block, or the whole vector.
    fn size(&self, record: &Record, kind: Kind, root: u32) -> Result<u64, String> {
        let is_root = root == self.number();
        match kind {
            Kind::Barrier => Ok(0),
            Kind::Broadcast | Kind::Reduce | Kind::AllReduce | Kind::Scan => {
                record.bytes("count", "datatype")
            }
            // Counts may be absent where a buffer takes the place of both.
            Kind::Gather if !is_root => record.bytes("sendcount", "sendtype"),
            Kind::Scatter if is_root => record.bytes("sendcount", "sendtype"),
            Kind::AllGather | Kind::AllToAll | Kind::Gather | Kind::Scatter => {
                record.bytes("recvcount", "recvtype")
            }
            Kind::ReduceScatter if record.function == "Reduce_scatter" => {
                Ok(record.list("recvcounts", "datatype")?.iter().sum())
            }
            Kind::ReduceScatter => {
                Ok(record.bytes("recvcount", "datatype")? * u64::from(self.ranks()))
            }
        }
    }

    /// Blocks that differ.
    fn blocks(&self, record: &Record, kind: Kind, root: u32) -> Result<Blocks, String> {
        let list = |counts, of| {
            let sizes = record.list(counts, of)?;
            if sizes.len() == self.ranks() as usize {
                return Ok(sizes);
            }
            let (given, ranks) = (sizes.len(), self.ranks());
            Err(format!("`{counts}` has {given} counts for {ranks} ranks"))
        };
        // Sizes by rank, of which only the root's is there.
        let of_root = |bytes| {
            let mut sizes = vec![0; root as usize + 1];
            sizes[root as usize] = bytes;
            sizes
        };
        let is_root = root == self.number();
        Ok(match kind {
            Kind::AllToAll => Blocks {
                sent: list("sendcounts", "sendtype")?,
                received: list("recvcounts", "recvtype")?,
            },
            Kind::AllGather => {
                let received = list("recvcounts", "recvtype")?;
                let own = received[self.number() as usize];
                let sent = vec![own; received.len()];
                Blocks { sent, received }
            }
            Kind::Gather if is_root => {
                let received = list("recvcounts", "recvtype")?;
                let sent = of_root(received[root as usize]);
                Blocks { sent, received }
            }
            Kind::Gather => Blocks {
                sent: of_root(record.bytes("sendcount", "sendtype")?),
                received: Vec::new(),
            },
            _ if is_root => {
                let sent = list("sendcounts", "sendtype")?;
                let received = of_root(sent[root as usize]);
                Blocks { sent, received }
            }
            _ => Blocks {
                sent: Vec::new(),
                received: of_root(record.bytes("recvcount", "recvtype")?),
            },
        })
    }
}

fn kind(function: &str) -> Option<Kind> {
    Some(match function {
        "Barrier" => Kind::Barrier,
        "Bcast" => Kind::Broadcast,
        "Reduce" => Kind::Reduce,
        "Gather" | "Gatherv" => Kind::Gather,
        "Scatter" | "Scatterv" => Kind::Scatter,
        "Allreduce" => Kind::AllReduce,
        "Allgather" | "Allgatherv" => Kind::AllGather,
        "Alltoall" | "Alltoallv" => Kind::AllToAll,
        "Reduce_scatter" | "Reduce_scatter_block" => Kind::ReduceScatter,
        "Scan" | "Exscan" => Kind::Scan,
        _ => return None,
    })
}
