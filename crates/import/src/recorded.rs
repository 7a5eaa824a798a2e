//! Reads traces of our own runs, and turns state records into events.
//!
//! A record says how long something took, and in which element. What an `nbrecv` received is known
//! only from the wait that completes it, so the events in between are held back.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use prophet_text::Problem;
use prophet_trace::{Record, Role, TraceReader, UnitState};

use crate::event::{Collective, Kind, Message, RankEvent, Work};
use crate::requests::{Requests, SHARED};

#[derive(Debug)]
pub(crate) struct RunTrace {
    path: PathBuf,
    pub(crate) ranks: u32,
    kinds: BTreeMap<u32, String>,
}

impl RunTrace {
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let reader = TraceReader::open(path).map_err(|it| Problem::of(path, it.to_string()))?;
        let (header, results) = (reader.header(), reader.results());
        let refuse = |why: &str| Err(Problem::of(path, why));
        if !results.complete {
            return refuse("the run ended early, so its trace is incomplete");
        }
        if header.filter.is_some() {
            return refuse("the trace is filtered; write it without `--trace-filter`");
        }
        let ranks = header.system["processes"].as_u64();
        let Some(ranks) = ranks
            .and_then(|it| u32::try_from(it).ok())
            .filter(|it| *it > 0)
        else {
            return refuse("the trace does not say how many processes there are");
        };
        let elements = results.elements.iter();
        let kinds = elements.map(|it| (it.index, it.kind.clone())).collect();
        Ok(Self {
            path: path.to_owned(),
            ranks,
            kinds,
        })
    }

    pub(crate) fn events(&self, rank: u32) -> Result<VecDeque<RankEvent>, Problem> {
        let mut events = VecDeque::new();
        self.read(
            |it| it == rank,
            |_, event| {
                events.push_back(event);
                Ok(())
            },
        )?;
        Ok(events)
    }

    pub(crate) fn for_each(
        &self,
        take: impl FnMut(u32, RankEvent) -> Result<(), String>,
    ) -> Result<(), Problem> {
        self.read(|_| true, take)
    }

    fn read(
        &self,
        wanted: impl Fn(u32) -> bool,
        mut take: impl FnMut(u32, RankEvent) -> Result<(), String>,
    ) -> Result<(), Problem> {
        let refuse = |why: String| Problem::of(&self.path, why);
        let mut reader = TraceReader::open(&self.path).map_err(|it| refuse(it.to_string()))?;
        let mut processes: BTreeMap<u32, Process> = BTreeMap::new();
        let mut records = Vec::new();
        while reader
            .next_batch(&mut records)
            .map_err(|it| refuse(it.to_string()))?
        {
            for record in records.iter().filter(|it| it.tid == 0 && wanted(it.pid)) {
                let pid = record.pid;
                if pid >= self.ranks {
                    return Err(refuse(format!("unknown process {pid}")));
                }
                let kind = record.element_index().and_then(|it| self.kinds.get(&it));
                let kind = kind.map_or("", String::as_str);
                let process = processes.entry(pid).or_default();
                process.record(record, kind).map_err(refuse)?;
                process.give(|event| take(pid, event)).map_err(refuse)?;
            }
        }
        for (pid, process) in &mut processes {
            process.is_over = true;
            process.give(|event| take(*pid, event)).map_err(refuse)?;
        }
        Ok(())
    }
}

/// A known event, or a receive whose message isn't known yet.
#[derive(Debug)]
enum PendingEvent {
    Known(RankEvent),
    Posted { element: u32, request: u32 },
}

#[derive(Debug, Default)]
struct Process {
    pending: VecDeque<PendingEvent>,
    /// Open receives, by element.
    requests: Requests<u32>,
    /// Whether a send has started since the last wait for all requests.
    sends: bool,
    /// Receives that the current wait has completed.
    ended: Vec<u32>,
    receives: usize,
    sent: Option<Message>,
    received: Option<Message>,
    is_over: bool,
}

impl Process {
    /// Passes events to `take`, up to the first receive whose message isn't known yet.
    fn give(
        &mut self,
        mut take: impl FnMut(RankEvent) -> Result<(), String>,
    ) -> Result<(), String> {
        loop {
            match self.pending.pop_front() {
                Some(PendingEvent::Known(event)) => take(event)?,
                // No wait completed it.
                Some(PendingEvent::Posted { .. }) if self.is_over => {}
                Some(posted @ PendingEvent::Posted { .. }) => {
                    self.pending.push_front(posted);
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    fn push(&mut self, event: RankEvent) {
        self.pending.push_back(PendingEvent::Known(event));
    }

    fn record(&mut self, record: &Record, kind: &str) -> Result<(), String> {
        let seconds = record.end_s - record.start_s;
        match record.state {
            UnitState::Compute | UnitState::Synchronize | UnitState::Hold => {
                if seconds > 0.0 {
                    self.push(RankEvent::Compute(Work::seconds(seconds)));
                }
                return Ok(());
            }
            UnitState::Wait => return Ok(()),
            UnitState::Send | UnitState::Receive | UnitState::Collective | UnitState::Content => {}
        }
        match (kind, record.state, record.role()) {
            ("bsend", UnitState::Send, Some(Role::Send)) => {
                self.push(RankEvent::Send(message(record)));
            }
            ("nbsend", UnitState::Send, Some(Role::Send)) => {
                self.sends = true;
                // A trace doesn't say which wait completes a send.
                self.push(RankEvent::BeginSend(message(record), SHARED));
            }
            ("brecv", UnitState::Receive, Some(Role::Receive)) => {
                self.push(RankEvent::Receive(message(record)));
            }
            ("nbrecv", UnitState::Receive, Some(Role::Receive)) => self.complete_receive(record),
            ("nbrecv", UnitState::Receive, None) => self.post(record),
            ("wait", UnitState::Content, _) => self.wait(),
            ("sendrecv", _, Some(Role::Send)) => self.sent = Some(message(record)),
            ("sendrecv", _, Some(Role::Receive)) => self.received = Some(message(record)),
            ("sendrecv", UnitState::Content, None) => {
                if let (Some(to), Some(from)) = (self.sent.take(), self.received.take()) {
                    self.push(RankEvent::Exchange { to, from });
                }
            }
            (kind, UnitState::Content | UnitState::Collective, None)
                if record.began_s().is_some() =>
            {
                self.collective(record, kind)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn post(&mut self, record: &Record) {
        let element = record.element_index().unwrap_or(u32::MAX);
        let request = self.requests.begin(element);
        self.receives += 1;
        self.pending
            .push_back(PendingEvent::Posted { element, request });
    }

    /// Completes an element's oldest open receive.
    fn complete_receive(&mut self, record: &Record) {
        let element = record.element_index().unwrap_or(u32::MAX);
        let is_it =
            |it: &&mut _| matches!(it, PendingEvent::Posted { element: of, .. } if *of == element);
        if let Some(place) = self.pending.iter_mut().find(is_it)
            && let PendingEvent::Posted { request, .. } = *place
        {
            *place = PendingEvent::Known(RankEvent::BeginReceive(message(record), request));
            self.receives -= 1;
            self.requests.end(&element);
            self.ended.push(request);
        }
    }

    /// Ends a wait. If no receive is left, it was a wait for all requests; otherwise, for the
    /// requests that it completed.
    fn wait(&mut self) {
        let ended = std::mem::take(&mut self.ended);
        if self.receives > 0 {
            for request in ended {
                self.push(RankEvent::Wait(request));
            }
        } else if std::mem::take(&mut self.sends) || !ended.is_empty() {
            self.push(RankEvent::WaitAll);
        }
    }

    fn collective(&mut self, record: &Record, kind: &str) -> Result<(), String> {
        let Some(kind) = Kind::ALL.into_iter().find(|it| it.name() == kind) else {
            return Ok(());
        };
        if record.comm_pid().is_some() {
            let name = kind.name();
            return Err(format!(
                "process {}: {name} among some of the processes is not supported yet",
                record.pid
            ));
        }
        let root = record
            .partner_pid()
            .filter(|_| kind.is_rooted())
            .unwrap_or(0);
        let bytes = record.size_bytes().unwrap_or(0);
        self.push(RankEvent::Collective(Collective::even(kind, root, bytes)));
        Ok(())
    }
}

pub(crate) fn message(record: &Record) -> Message {
    Message {
        peer: record.partner_pid(),
        tag: record.message_tag(),
        bytes: record.size_bytes(),
    }
}
