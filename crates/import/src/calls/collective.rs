//! Turns calls of collective operations into events.

use std::collections::VecDeque;
use std::sync::Arc;

use super::rank::{CallState, REQUESTS_MAX, partial, unknown};
use super::record::{CommunicatorRanks, MpiCall};
use crate::RankEvent;
use crate::event::{Blocks, Collective, Group, Kind};

impl CallState {
    /// Handles a call that starts a collective. A nonblocking collective becomes an event only at
    /// its wait. All ranks start collectives in the same order, but they can wait for them in
    /// different orders.
    pub(super) fn collective(
        &mut self,
        record: &MpiCall,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        let Some(name) = blocking(&record.function).filter(|_| self.are_complete) else {
            let collective = self.called(record, &record.function)?;
            self.end_collectives(self.begun.len(), events);
            events.extend(collective.map(RankEvent::Collective));
            return Ok(());
        };
        let handle = record.number("request")?;
        let collective = self.called(record, &name)?;
        self.begun.extend(collective.map(|it| (handle, it)));
        if self.begun.len() > REQUESTS_MAX {
            return Err(format!("more than {REQUESTS_MAX} collectives are open"));
        }
        Ok(())
    }

    pub(super) fn end_collectives(&mut self, count: usize, events: &mut VecDeque<RankEvent>) {
        let ended = self.begun.drain(..count);
        events.extend(ended.map(|it| RankEvent::Collective(it.1)));
    }

    /// Returns a call's collective; `function` is the name of the blocking function. Returns `None`
    /// if no other rank takes part.
    fn called(&self, record: &MpiCall, function: &str) -> Result<Option<Collective>, String> {
        let Some(kind) = kind(function) else {
            return Err(unknown(function));
        };
        let group = match record.members()? {
            CommunicatorRanks::All => None,
            CommunicatorRanks::Own => return Ok(None),
            CommunicatorRanks::Some => return Err(partial(record)),
            CommunicatorRanks::TwoSides(_) => return Err(between(record)),
            CommunicatorRanks::Of(group) => Some(Arc::clone(group)),
        };
        let side = self.side(group.as_deref())?;
        let root = if kind.is_rooted() {
            let root = record.number("root")?;
            let rank = u32::try_from(root).ok().filter(|it| *it < side.ranks);
            rank.ok_or_else(|| format!("unknown rank {root}: the communicator has {}", side.ranks))?
        } else {
            0
        };
        if function.ends_with('v') {
            let blocks = side.blocks(record, kind, root)?;
            let (blocks, place) = match &group {
                None => (blocks, root),
                Some(group) => (in_trace(&blocks, group), group.members[root as usize]),
            };
            let collective = Collective::uneven(kind, place, self.number(), blocks);
            return Ok(Some(collective.of(root, group)));
        }
        let bytes = side.size(record, function, kind, root)?;
        Ok(Some(Collective::even(kind, root, bytes).of(root, group)))
    }

    fn side(&self, group: Option<&Group>) -> Result<OwnRank, String> {
        let Some(group) = group else {
            return Ok(OwnRank {
                own: self.number(),
                ranks: self.ranks(),
            });
        };
        let own = group.members.iter().position(|it| *it == self.number());
        let own = own.ok_or("the rank is not in its own communicator")?;
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Ok(OwnRank {
            own: number(own),
            ranks: number(group.members.len()),
        })
    }
}

fn between(record: &MpiCall) -> String {
    format!(
        "`MPI_{}` on an intercommunicator is not supported yet",
        record.function
    )
}

fn in_trace(blocks: &Blocks, group: &Group) -> Blocks {
    let of = |sizes: &[u64]| {
        let count = group.members.iter().max().map_or(0, |it| *it as usize + 1);
        let mut all = vec![0; count];
        for (bytes, member) in sizes.iter().zip(&group.members) {
            all[*member as usize] = *bytes;
        }
        all
    };
    Blocks {
        sent: of(&blocks.sent),
        received: of(&blocks.received),
    }
}

/// A rank's position in a communicator, and the communicator's size.
struct OwnRank {
    own: u32,
    ranks: u32,
}

impl OwnRank {
    fn size(&self, record: &MpiCall, function: &str, kind: Kind, root: u32) -> Result<u64, String> {
        let is_root = root == self.own;
        match kind {
            Kind::Barrier => Ok(0),
            Kind::Broadcast | Kind::Reduce | Kind::AllReduce | Kind::Scan => {
                record.bytes("count", "datatype")
            }
            // With `MPI_IN_PLACE`, counts can be missing.
            Kind::Gather if !is_root => record.bytes("sendcount", "sendtype"),
            Kind::Scatter if is_root => record.bytes("sendcount", "sendtype"),
            Kind::AllGather | Kind::AllToAll | Kind::Gather | Kind::Scatter => {
                record.bytes("recvcount", "recvtype")
            }
            Kind::ReduceScatter if function == "Reduce_scatter" => {
                Ok(record.list("recvcounts", "datatype")?.iter().sum())
            }
            Kind::ReduceScatter => {
                Ok(record.bytes("recvcount", "datatype")? * u64::from(self.ranks))
            }
        }
    }

    fn blocks(&self, record: &MpiCall, kind: Kind, root: u32) -> Result<Blocks, String> {
        let list = |counts, of| {
            let sizes = record.list(counts, of)?;
            if sizes.len() == self.ranks as usize {
                return Ok(sizes);
            }
            let (given, ranks) = (sizes.len(), self.ranks);
            Err(format!("`{counts}` has {given} counts for {ranks} ranks"))
        };
        // Sizes by rank, which only the root's trace contains.
        let of_root = |bytes| {
            let mut sizes = vec![0; root as usize + 1];
            sizes[root as usize] = bytes;
            sizes
        };
        let is_root = root == self.own;
        Ok(match kind {
            Kind::AllToAll => Blocks {
                sent: list("sendcounts", "sendtype")?,
                received: list("recvcounts", "recvtype")?,
            },
            Kind::AllGather => {
                let received = list("recvcounts", "recvtype")?;
                let own = received[self.own as usize];
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

/// Returns the blocking function of a nonblocking collective, such as `Bcast` for `Ibcast`.
pub(super) fn blocking(function: &str) -> Option<String> {
    let mut letters = function.strip_prefix('I')?.chars();
    let first = letters.next()?.to_ascii_uppercase();
    let name = format!("{first}{}", letters.as_str());
    kind(&name).map(|_| name)
}

pub(super) fn kind(function: &str) -> Option<Kind> {
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
