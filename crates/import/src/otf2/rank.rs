//! Turns the records of a rank into events. Which message a nonblocking receive got is known only
//! when the receive ends, so the events since its start are held back.

use std::collections::VecDeque;

use super::definitions::{CommMembers, Definitions, RegionKind};
use super::printed::PrintedRecord;
use crate::RankEvent;
use crate::event::{Collective, Kind, Message, Work};
use crate::requests::Requests;

/// Maximum number of events that are held back until a receive ends.
const PENDING_MAX: usize = 1 << 20;
/// Request numbers for an exchange with different partners.
const EXCHANGED: [u64; 2] = [u64::MAX, u64::MAX - 1];

#[derive(Debug)]
pub(super) struct Otf2Rank {
    number: u32,
    ranks: u32,
    depth: u32,
    /// When the rank started to compute, if it is computing.
    since: Option<u64>,
    last: u64,
    /// Computing since the last event, in ticks.
    computing: u64,
    requests: Requests<u64>,
    pending: VecDeque<PendingRecord>,
    /// Messages and requests of the function that the rank is in.
    sent: Vec<Message>,
    received: Vec<Message>,
    ended: Vec<u64>,
    records: u64,
    is_over: bool,
}

/// A known event, or a receive whose message isn't known yet.
#[derive(Debug)]
enum PendingRecord {
    Known(RankEvent),
    Posted { request: u64, number: u32 },
}

impl Otf2Rank {
    pub(super) fn new(number: u32, ranks: u32) -> Self {
        Self {
            number,
            ranks,
            depth: 0,
            since: None,
            last: 0,
            computing: 0,
            requests: Requests::default(),
            pending: VecDeque::new(),
            sent: Vec::new(),
            received: Vec::new(),
            ended: Vec::new(),
            records: 0,
            is_over: false,
        }
    }

    pub(super) fn ready(&mut self) -> Option<RankEvent> {
        loop {
            match self.pending.pop_front()? {
                PendingRecord::Known(event) => return Some(event),
                // No wait completed it.
                PendingRecord::Posted { .. } if self.is_over => {}
                posted @ PendingRecord::Posted { .. } => {
                    self.pending.push_front(posted);
                    return None;
                }
            }
        }
    }

    pub(super) fn read(
        &mut self,
        record: &PrintedRecord<'_>,
        of: &Definitions,
    ) -> Result<(), String> {
        self.records += 1;
        if self.is_over {
            return Ok(());
        }
        self.last = self.last.max(record.time);
        let since = self.since.get_or_insert(record.time);
        let region = || of.region(record.reference("Region: ")?);
        match record.kind {
            "ENTER" => {
                if region().is_some() {
                    if self.depth == 0 {
                        self.computing += record.time.saturating_sub(*since);
                    }
                    self.depth += 1;
                }
            }
            "LEAVE" => {
                if let Some(region) = region() {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.close(of);
                        self.leave(region, record.time, of);
                    }
                }
            }
            kind => {
                self.record_event(kind, record, of)?;
                if self.depth == 0 {
                    self.close(of);
                }
            }
        }
        if self.pending.len() > PENDING_MAX {
            return Err(format!(
                "rank {}: more than {PENDING_MAX} events wait for a receive to end",
                self.number
            ));
        }
        Ok(())
    }

    fn leave(&mut self, region: RegionKind, time: u64, of: &Definitions) {
        self.since = Some(time);
        match region {
            RegionKind::Mpi => {}
            RegionKind::Init => self.computing = 0,
            RegionKind::Finalize => self.finish(of),
        }
    }

    /// Ends the rank after all of its records have been read.
    pub(super) fn end(&mut self, of: &Definitions) -> Result<(), String> {
        self.finish(of);
        let (number, read, all) = (self.number, self.records, of.records(self.number));
        if read < all {
            return Err(format!(
                "the archive is cut off: only {read} of {all} records of rank {number} can be read"
            ));
        }
        Ok(())
    }

    fn finish(&mut self, of: &Definitions) {
        if self.is_over {
            return;
        }
        self.close(of);
        let since = self.since.unwrap_or(self.last);
        if self.depth == 0 {
            self.computing += self.last.saturating_sub(since);
        }
        self.compute(of);
        self.is_over = true;
    }

    fn record_event(
        &mut self,
        kind: &str,
        record: &PrintedRecord<'_>,
        of: &Definitions,
    ) -> Result<(), String> {
        let missing = || format!("the {kind} record is incomplete");
        let request = || record.number(", Request: ").ok_or_else(missing);
        match kind {
            "MPI_SEND" => self.sent.extend(self.message(record, "Receiver: ", of)?),
            "MPI_RECV" => self.received.extend(self.message(record, "Sender: ", of)?),
            "MPI_ISEND" => {
                if let Some(message) = self.message(record, "Receiver: ", of)? {
                    let number = self.requests.begin(request()?);
                    self.push(RankEvent::BeginSend(message, number), of);
                }
            }
            "MPI_ISEND_COMPLETE" => self.ended.extend(record.number("Request: ")),
            "MPI_IRECV_REQUEST" => {
                let request = record.number("Request: ").ok_or_else(missing)?;
                let number = self.requests.begin(request);
                self.compute(of);
                self.pending
                    .push_back(PendingRecord::Posted { request, number });
            }
            "MPI_IRECV" => {
                let request = request()?;
                let message = self.message(record, "Sender: ", of)?;
                self.complete_receive(request, message);
            }
            "MPI_COLLECTIVE_END" => {
                if let Some(collective) = self.collective(record, of)? {
                    self.push(RankEvent::Collective(collective), of);
                }
            }
            _ if kind.starts_with("MPI_NONBLOCKING") || kind.starts_with("RMA_") => {
                return Err(format!("{kind} records are not supported yet"));
            }
            _ => {}
        }
        Ok(())
    }

    fn complete_receive(&mut self, request: u64, message: Option<Message>) {
        let is_it =
            |it: &_| matches!(it, PendingRecord::Posted { request: of, .. } if *of == request);
        if let Some(place) = self.pending.iter().position(is_it)
            && let PendingRecord::Posted { number, .. } = self.pending[place]
        {
            if let Some(it) = message {
                self.pending[place] = PendingRecord::Known(RankEvent::BeginReceive(it, number));
                self.ended.push(request);
            } else {
                // A message to itself takes no time and doesn't need a wait.
                self.pending.remove(place);
                self.requests.end(&request);
            }
        }
    }

    /// Adds the computing since the last event.
    fn compute(&mut self, of: &Definitions) {
        let seconds = of.seconds(std::mem::take(&mut self.computing));
        let work = RankEvent::Compute(Work::seconds(seconds));
        self.pending.push_back(PendingRecord::Known(work));
    }

    fn push(&mut self, event: RankEvent, of: &Definitions) {
        self.compute(of);
        self.pending.push_back(PendingRecord::Known(event));
    }

    /// Adds what happened in a function when the rank leaves it.
    fn close(&mut self, of: &Definitions) {
        let (sent, received) = (
            std::mem::take(&mut self.sent),
            std::mem::take(&mut self.received),
        );
        match (&sent[..], &received[..]) {
            ([to], [from]) if to.tag == from.tag && to.bytes == from.bytes => {
                let (to, from) = (*to, *from);
                self.push(RankEvent::Exchange { to, from }, of);
            }
            ([to], [from]) => {
                let [first, second] = EXCHANGED.map(|it| self.requests.begin(it));
                self.push(RankEvent::BeginReceive(*from, first), of);
                self.push(RankEvent::BeginSend(*to, second), of);
                self.ended.extend(EXCHANGED);
            }
            _ => {
                for message in sent {
                    self.push(RankEvent::Send(message), of);
                }
                for message in received {
                    self.push(RankEvent::Receive(message), of);
                }
            }
        }
        let ended = std::mem::take(&mut self.ended);
        let open = ended.iter().filter(|it| self.requests.is_open(it)).count();
        if open > 1 && open == self.requests.count() {
            self.requests.end_all();
            self.push(RankEvent::WaitAll, of);
            return;
        }
        for request in ended {
            if let Some(number) = self.requests.end(&request) {
                self.push(RankEvent::Wait(number), of);
            }
        }
    }

    /// Returns a message; `None` if the rank sends it to itself.
    fn message(
        &self,
        record: &PrintedRecord<'_>,
        end: &str,
        of: &Definitions,
    ) -> Result<Option<Message>, String> {
        let missing = || format!("the {} record is incomplete", record.kind);
        let peer = super::printed::leading(record.word(end)).ok_or_else(missing)?;
        let communicator = record.reference("Communicator: ").ok_or_else(missing)?;
        let peer = u32::try_from(peer).unwrap_or(u32::MAX);
        let peer = match of.members(communicator).ok_or_else(missing)? {
            CommMembers::All => Some(peer).filter(|it| *it < self.ranks),
            CommMembers::Own => return Ok(None),
            CommMembers::Some(ranks) => ranks.get(peer as usize).copied(),
        };
        let tag = record.number(", Tag: ").ok_or_else(missing)?;
        Ok(Some(Message {
            peer: Some(peer.ok_or("a message goes to or comes from an unknown rank")?),
            tag: i64::try_from(tag).ok(),
            bytes: Some(record.number(", Length: ").ok_or_else(missing)?),
        }))
    }

    /// Returns a collective of all ranks.
    fn collective(
        &self,
        record: &PrintedRecord<'_>,
        of: &Definitions,
    ) -> Result<Option<Collective>, String> {
        let missing = || format!("the {} record is incomplete", record.kind);
        let name = record.word("Operation: ");
        let communicator = record.reference("Communicator: ").ok_or_else(missing)?;
        match of.members(communicator).ok_or_else(missing)? {
            CommMembers::All => {}
            CommMembers::Own => return Ok(None),
            CommMembers::Some(_) => {
                return Err(format!(
                    "rank {}: the collective {name} among some of the ranks is not supported yet",
                    self.number
                ));
            }
        }
        let sent = record.number(", Sent: ").ok_or_else(missing)?;
        let received = record.number(", Received: ").ok_or_else(missing)?;
        let ranks = u64::from(self.ranks);
        let (kind, bytes) = match name {
            "BARRIER" => (Kind::Barrier, 0),
            "BCAST" => (Kind::Broadcast, received),
            "SCATTER" => (Kind::Scatter, received),
            "GATHER" => (Kind::Gather, sent),
            "REDUCE" => (Kind::Reduce, sent),
            "ALLGATHER" | "ALLGATHERV" => (Kind::AllGather, received / ranks),
            "ALLTOALL" => (Kind::AllToAll, received / ranks),
            "ALLREDUCE" => (Kind::AllReduce, received / ranks),
            "REDUCE_SCATTER" | "REDUCE_SCATTER_BLOCK" => (Kind::ReduceScatter, sent),
            "SCAN" | "EXSCAN" => (Kind::Scan, received / (u64::from(self.number) + 1)),
            // These create or destroy communicators and windows, but don't move data.
            "CREATE_HANDLE" | "DESTROY_HANDLE" | "ALLOCATE" | "DEALLOCATE" => return Ok(None),
            _ => return Err(format!("the collective {name} is not supported yet")),
        };
        let root = if kind.is_rooted() {
            let root = super::printed::leading(record.word(", Root: "));
            let root = root.and_then(|it| u32::try_from(it).ok());
            root.filter(|it| *it < self.ranks).ok_or_else(missing)?
        } else {
            0
        };
        Ok(Some(Collective::even(kind, root, bytes)))
    }
}
