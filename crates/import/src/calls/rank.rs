//! Turns the calls of a rank into events: computing between calls, messages and collectives.

use std::collections::{BTreeMap, VecDeque};

use super::record::{CommunicatorRanks, MpiCall};
use crate::RankEvent;
use crate::event::{Collective, Group, Message, Work};
use crate::requests::Requests;

pub(super) const REQUESTS_MAX: usize = 1 << 20;
/// Handles of the two requests in an exchange with different partners. No program uses these
/// numbers.
const EXCHANGED: [i64; 2] = [i64::MAX, i64::MAX - 1];
/// Handle of the requests in a blocking neighborhood collective.
const NEIGHBORS: i64 = i64::MAX - 2;
/// Source that means any rank.
const ANY: i64 = -1;

/// Calls that don't affect the timing between ranks.
const LOCAL: [&str; 36] = [
    "Abort",
    "Add_",
    "Address",
    "Alloc_mem",
    "Attr_",
    "Buffer_",
    "Cancel",
    "Cart",
    "Comm_",
    "Dims_create",
    "Dist_graph",
    "Errhandler_",
    "Error_",
    "File_",
    "Finalized",
    "Free_mem",
    "Get_",
    "Graph",
    "Group_",
    "Info_",
    "Initialized",
    "Intercomm_",
    "Iprobe",
    "Is_thread_main",
    "Keyval_",
    "Op_",
    "Pack",
    "Pcontrol",
    "Probe",
    "Query_thread",
    "Request_get_status",
    "Status_",
    "Topo_test",
    "Type_",
    "Unpack",
    "Wti",
];

const MESSAGES: [&str; 23] = [
    "Bsend",
    "Bsend_init",
    "Finalize",
    "Ibsend",
    "Init",
    "Init_thread",
    "Irecv",
    "Irsend",
    "Isend",
    "Issend",
    "Recv",
    "Recv_init",
    "Request_free",
    "Rsend",
    "Rsend_init",
    "Send",
    "Send_init",
    "Sendrecv",
    "Sendrecv_replace",
    "Ssend",
    "Ssend_init",
    "Start",
    "Startall",
];

fn is_message(function: &str) -> bool {
    let begins = ["Bsend", "I", "Recv", "Rsend", "Send", "Ssend"];
    MESSAGES.contains(&function)
        && !function.ends_with("_init")
        && !function.starts_with("Init")
        && begins.iter().any(|it| function.starts_with(it))
}

/// Returns `true` if this function, which isn't a collective, is supported.
pub(super) fn is_read(function: &str) -> bool {
    let begins = |it: &&str| function.starts_with(it);
    MESSAGES.contains(&function)
        || is_neighbors(function)
        || LOCAL.iter().any(begins)
        || ["Wait", "Test"].iter().any(begins)
}

fn is_neighbors(function: &str) -> bool {
    function.starts_with("Neighbor_") || function.starts_with("Ineighbor_")
}

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is known on its own")]
pub(super) struct CallState {
    number: u32,
    ranks: u32,
    /// When the last call ended, in nanoseconds.
    last_ns: Option<u64>,
    /// Computing time since the last event, in nanoseconds.
    computing_ns: u64,
    pub(super) requests: Requests<i64>,
    /// Nonblocking collectives in flight, by request.
    pub(super) begun: VecDeque<(i64, Collective)>,
    /// Number of messages of each neighborhood collective in flight, by request.
    pub(super) neighbors: BTreeMap<i64, usize>,
    /// Messages of persistent requests; `true` for sends.
    persistent: BTreeMap<i64, (Message, bool)>,
    /// Whether requests turned out to be four bytes long.
    pub(super) are_short: bool,
    /// Whether the trace contains all calls that complete requests. Only then do repeated handles
    /// identify requests, because MPI can use the same handle for all sends that complete
    /// immediately.
    pub(super) are_complete: bool,
    /// Whether the rank has probed for a message from any source. The next receive then names a
    /// source, but only because that rank's message arrived first in this run.
    has_probed: bool,
    is_over: bool,
}

impl CallState {
    pub(super) fn new(number: u32, ranks: u32) -> Self {
        Self {
            number,
            ranks,
            last_ns: None,
            computing_ns: 0,
            requests: Requests::default(),
            begun: VecDeque::new(),
            neighbors: BTreeMap::new(),
            persistent: BTreeMap::new(),
            are_short: false,
            are_complete: false,
            has_probed: false,
            is_over: false,
        }
    }

    /// Creates the state of a rank whose trace contains all calls that complete requests.
    pub(super) fn complete(number: u32, ranks: u32) -> Self {
        Self {
            are_complete: true,
            ..Self::new(number, ranks)
        }
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn ranks(&self) -> u32 {
        self.ranks
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Appends the events of a call, including the computing before it.
    pub(super) fn call(
        &mut self,
        record: &MpiCall,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        if let Some(computing) = record.computing_ns {
            self.computing_ns = self.computing_ns.saturating_add(computing);
        } else if let (Some(last), Some(start)) = (self.last_ns, record.start_ns) {
            self.computing_ns += start.saturating_sub(last);
        }
        let place = events.len();
        self.read(record, events)?;
        // A message to `PROC_NULL` separates the computing before and after it, as on ranks with a
        // partner.
        let is_parted = self.are_complete && is_message(&record.function);
        if events.len() > place || self.is_over || is_parted {
            #[expect(clippy::cast_precision_loss, reason = "it is a duration")]
            let seconds = std::mem::take(&mut self.computing_ns) as f64 * 1e-9;
            events.insert(place, RankEvent::Compute(Work::seconds(seconds)));
        }
        // Time in the file system counts as the rank's own.
        if let (Some(start), Some(end)) = (record.start_ns, record.end_ns)
            && record.function.starts_with("File_")
        {
            self.computing_ns += end.saturating_sub(start);
        }
        self.last_ns = record.end_ns.or(record.start_ns).max(self.last_ns);
        Ok(())
    }

    fn read(&mut self, record: &MpiCall, events: &mut VecDeque<RankEvent>) -> Result<(), String> {
        let function = record.function.as_str();
        match function {
            "Init" | "Init_thread" => {}
            "Finalize" => {
                self.is_over = true;
                self.end_collectives(self.begun.len(), events);
            }
            "Send" | "Bsend" | "Ssend" | "Rsend" => {
                let message = self.sent(record, ["count", "datatype", "tag"])?;
                events.extend(message.map(RankEvent::Send));
            }
            // Recordings can lack the source, because a nonblocking probe may find nothing.
            "Probe" => self.has_probed = record.given("source").is_none_or(|it| it == ANY),
            "Recv" => self.receive(record, events)?,
            "Isend" | "Ibsend" | "Issend" | "Irsend" => {
                let message = self.sent(record, ["count", "datatype", "tag"])?;
                self.begin(
                    record.number("request")?,
                    message.map(|it| (it, true)),
                    events,
                )?;
            }
            "Irecv" => {
                let message = self.received(record, "tag")?;
                self.begin(
                    record.number("request")?,
                    message.map(|it| (it, false)),
                    events,
                )?;
            }
            "Sendrecv" => {
                let to = self.sent(record, ["sendcount", "sendtype", "sendtag"])?;
                let bytes = record.bytes("recvcount", "recvtype")?;
                self.exchange(record, to, bytes, events)?;
            }
            "Sendrecv_replace" => {
                let to = self.sent(record, ["count", "datatype", "sendtag"])?;
                let bytes = record.bytes("count", "datatype")?;
                self.exchange(record, to, bytes, events)?;
            }
            "Start" | "Startall" => {
                for request in self.handles(record, &self.persistent)? {
                    let message = self.persistent.get(&request).copied();
                    self.begin(request, message, events)?;
                }
            }
            "Request_free" => {
                let request = record.number("request")?;
                self.persistent.remove(&request);
                if self.are_complete {
                    self.requests.end(&request);
                }
            }
            _ if function.ends_with("_init") => self.prepare(record)?,
            _ if function.starts_with("Wait") || function.starts_with("Test") => {
                self.wait(record, events)?;
            }
            _ if is_neighbors(function) => self.neighbors(record, events)?,
            _ => {
                let is_local = LOCAL.iter().any(|it| function.starts_with(it));
                if !is_local {
                    self.collective(record, events)?;
                }
            }
        }
        Ok(())
    }

    /// Appends a receive. After a probe, it matches a message from any source.
    fn receive(
        &mut self,
        record: &MpiCall,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        let mut message = self.received(record, "tag")?;
        if let Some(it) = message.as_mut().filter(|_| self.has_probed) {
            it.peer = None;
        }
        self.has_probed = false;
        events.extend(message.map(RankEvent::Receive));
        Ok(())
    }

    fn prepare(&mut self, record: &MpiCall) -> Result<(), String> {
        let message = match record.function.as_str() {
            "Recv_init" => self.received(record, "tag")?.map(|it| (it, false)),
            "Send_init" | "Bsend_init" | "Ssend_init" | "Rsend_init" => self
                .sent(record, ["count", "datatype", "tag"])?
                .map(|it| (it, true)),
            function => return Err(unknown(function)),
        };
        let request = record.number("request")?;
        self.measure(request);
        match message {
            Some(message) => self.persistent.insert(request, message),
            None => self.persistent.remove(&request),
        };
        if self.persistent.len() > REQUESTS_MAX {
            return Err(format!(
                "more than {REQUESTS_MAX} persistent requests are open"
            ));
        }
        Ok(())
    }

    /// Starts a request. If a request with the same handle is still open, the trace lacks its
    /// completion.
    fn begin(
        &mut self,
        handle: i64,
        message: Option<(Message, bool)>,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        self.measure(handle);
        if !self.are_complete
            && let Some(number) = self.requests.end(&handle)
        {
            events.push_back(RankEvent::Wait(number));
        }
        let Some((message, is_sent)) = message else {
            return Ok(());
        };
        let number = self.requests.begin(handle);
        if number as usize >= REQUESTS_MAX {
            return Err(format!("more than {REQUESTS_MAX} requests are open"));
        }
        events.push_back(if is_sent {
            RankEvent::BeginSend(message, number)
        } else {
            RankEvent::BeginReceive(message, number)
        });
        Ok(())
    }

    /// Notices whether requests are four or eight bytes apart.
    fn measure(&mut self, handle: i64) {
        self.are_short |= handle % 8 == 4;
    }

    /// Adds the messages of a neighborhood collective as requests that share a handle.
    fn neighbors(
        &mut self,
        record: &MpiCall,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        let [sources, dests] = ["sources", "dests"].map(|it| record.numbers(it));
        let (sources, dests, bytes) = (sources?, dests?, record.numbers("bytes")?);
        let handle = record.given("request").unwrap_or(NEIGHBORS);
        let tag = Some(0);
        let mut count = 0;
        let received = sources.iter().map(|it| (it, None));
        let sent = dests.iter().zip(bytes.iter().map(Some));
        for (place, (peer, bytes)) in received.chain(sent).enumerate() {
            let bytes = bytes.map(|it| record.sized(*it, 1)).transpose()?;
            let peer = self.peer(record, *peer)?;
            let message = peer.map(|_| (Message { peer, tag, bytes }, place >= sources.len()));
            count += usize::from(message.is_some());
            self.begin(handle, message, events)?;
        }
        if handle == NEIGHBORS {
            self.end(vec![handle; count], false, events);
        } else if count > 0 {
            self.neighbors.insert(handle, count);
        }
        Ok(())
    }

    fn exchange(
        &mut self,
        record: &MpiCall,
        to: Option<Message>,
        bytes: u64,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        let from = self.received(record, "recvtag")?;
        match (to, from) {
            (Some(to), Some(from)) if is_plain(to, from) => {
                // A receive buffer can be larger than the message.
                let bytes = to.bytes.filter(|it| *it == bytes);
                let from = Message { bytes, ..from };
                events.push_back(RankEvent::Exchange { to, from });
            }
            (Some(to), Some(from)) => {
                self.begin(EXCHANGED[0], Some((from, false)), events)?;
                self.begin(EXCHANGED[1], Some((to, true)), events)?;
                let ended = EXCHANGED.iter().filter_map(|it| self.requests.end(it));
                events.extend(ended.map(RankEvent::Wait));
            }
            (to, from) => {
                events.extend(to.map(RankEvent::Send));
                events.extend(from.map(RankEvent::Receive));
            }
        }
        Ok(())
    }

    /// Returns the sent message; `None` for `PROC_NULL`.
    fn sent(&self, record: &MpiCall, names: [&str; 3]) -> Result<Option<Message>, String> {
        let [count, of, tag] = names;
        let Some(peer) = self.peer(record, record.number("dest")?)? else {
            return Ok(None);
        };
        Ok(Some(Message {
            peer: Some(peer),
            tag: Some(record.number(tag)?.max(0)),
            bytes: Some(record.bytes(count, of)?),
        }))
    }

    /// Returns the received message; `None` for `PROC_NULL`. Its size stays open, because the call
    /// only states the size of the buffer.
    fn received(&self, record: &MpiCall, tag: &str) -> Result<Option<Message>, String> {
        let source = record.number("source")?;
        let peer = self.peer(record, source)?;
        if peer.is_none() && source != ANY {
            return Ok(None);
        }
        let tag = record.number(tag)?;
        Ok(Some(Message {
            peer,
            tag: (tag >= 0).then_some(tag),
            bytes: None,
        }))
    }

    /// Returns the partner's rank in the trace; `None` if `peer` is negative.
    fn peer(&self, record: &MpiCall, peer: i64) -> Result<Option<u32>, String> {
        if peer < 0 {
            return Ok(None);
        }
        let ranks = match record.members()? {
            CommunicatorRanks::All => self.ranks,
            CommunicatorRanks::Own => 1,
            CommunicatorRanks::Some => return Err(partial(record)),
            CommunicatorRanks::Of(group) | CommunicatorRanks::TwoSides(group) => {
                return self.member(group, peer);
            }
        };
        let rank = u32::try_from(peer).ok().filter(|it| *it < ranks);
        let rank =
            rank.ok_or_else(|| format!("unknown rank {peer}: the trace has {ranks} ranks"))?;
        Ok(Some(if ranks == 1 { self.number } else { rank }))
    }

    fn member(&self, group: &Group, peer: i64) -> Result<Option<u32>, String> {
        let place = usize::try_from(peer).ok();
        let rank = place.and_then(|it| group.members.get(it)).copied();
        let count = group.members.len();
        let unknown = || format!("unknown rank {peer} in a communicator of {count} ranks");
        let rank = rank.ok_or_else(unknown)?;
        if rank >= self.ranks {
            return Err(
                "messages to programs that this program has started or joined are not supported yet"
                    .into(),
            );
        }
        Ok(Some(rank))
    }
}

/// Returns `true` if one element can describe both sides of an exchange.
fn is_plain(to: Message, from: Message) -> bool {
    to.tag == from.tag && from.peer.is_some()
}

pub(super) fn partial(record: &MpiCall) -> String {
    format!(
        "`MPI_{}` on a communicator of only some ranks is not supported yet",
        record.function
    )
}

pub(super) fn unknown(function: &str) -> String {
    format!("`MPI_{function}` is not supported yet")
}
