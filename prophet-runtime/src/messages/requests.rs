//! Manages requests: operations that a process has begun but hasn't waited for yet.
//!
//! Requests don't depend on the engine. Each rank has a list of requests for each name, and one for
//! those without a name. A wait takes the lists that it waits for. It ends when all requests in
//! these lists are complete or, if it waits for any of them, when the first one completes.

mod choice;

use std::ops::Range;

use prophet_map::Map;
use prophet_trace::UnitId;

use crate::messages::letter::{Arrived, Envelope};

/// Marks the end of a list, or the absence of a wait.
const NONE: u32 = u32::MAX;
pub(crate) const UNNAMED: u32 = u32::MAX;

/// An operation that continues while its process does something else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operation {
    Receive {
        envelope: Envelope,
        /// The maximum size of a message that it accepts, in bytes.
        bytes_max: u64,
        /// The price in seconds, if the receive sets one.
        cost_s: Option<f64>,
    },
    /// A send that waits for its receive.
    Send { dest: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Progress {
    /// The operation hasn't been matched yet.
    Open,
    Received(Arrived),
    /// A send whose times are known.
    Sent(Completion),
    /// The operation has been charged, but others of the same wait are still open.
    Charged,
}

impl Progress {
    /// Returns when the message arrives or the send is complete, in simulated seconds, if that is
    /// known.
    fn time_s(self) -> Option<f64> {
        match self {
            Self::Received(arrived) => Some(arrived.arrival_s),
            Self::Sent(completion) => Some(completion.end_s),
            Self::Open | Self::Charged => None,
        }
    }
}

/// The position of a request in the order in which a wait charges its requests: the bits of its
/// message's time, and then the request's number in the order of posting. The last field is the
/// request itself.
pub(crate) type Place = (u64, u64, u32);

/// The times of a completed send, in simulated seconds.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Completion {
    pub(crate) end_s: f64,
    pub(crate) start_s: f64,
    /// The unit that let the send start, if it wasn't the sender. Set only while tracing.
    pub(crate) cause: Option<UnitId>,
    /// The message that was sent. Set only while tracing.
    pub(crate) message: Option<Numbered>,
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Numbered {
    /// The message's number among all messages of its sender.
    pub(crate) number: u32,
    pub(crate) element: u32,
}

impl Completion {
    /// The times of operations that were complete from the start.
    const AT_START: Self = Self {
        end_s: 0.0,
        start_s: 0.0,
        cause: None,
        message: None,
    };

    fn later(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// The process that began an operation, and the name of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) rank: u32,
    pub(crate) unit: u32,
    pub(crate) element: u32,
    /// The index of the request's name in the model, or [`UNNAMED`].
    pub(crate) name: u32,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) origin: Origin,
    pub(crate) operation: Operation,
    pub(crate) progress: Progress,
    /// The request's number in the order of posting.
    pub(crate) number: u64,
    next: u32,
    wait: u32,
}

#[derive(Debug, Clone, Copy)]
struct List {
    head: u32,
    tail: u32,
}

impl List {
    const EMPTY: Self = Self {
        head: NONE,
        tail: NONE,
    };
}

fn join(slots: &mut [Request], first: List, second: List) -> List {
    if first.head == NONE {
        return second;
    }
    if second.head == NONE {
        return first;
    }
    slots[first.tail as usize].next = second.head;
    List {
        tail: second.tail,
        ..first
    }
}

/// The requests of a rank that have the same name.
#[derive(Debug, Clone, Copy)]
struct Named {
    name: u32,
    list: List,
    /// The latest completion among the sends that are complete, or whose end is known.
    sent: Completion,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Batch {
    list: List,
    /// The latest completion among the sends that aren't in any list.
    pub(crate) sent: Completion,
    pub(crate) open: u32,
}

impl Batch {
    pub(crate) const EMPTY: Self = Self {
        list: List::EMPTY,
        sent: Completion::AT_START,
        open: 0,
    };

    /// Returns `true` if the batch contains no requests, apart from sends that were free
    /// immediately.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.head == NONE
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    pub(crate) rank: u32,
    pub(crate) unit: u32,
    /// The generation of the unit's wait, or 0 once it is over.
    pub(crate) generation: u32,
    pub(crate) since_s: f64,
    pub(crate) batch: Batch,
    pub(crate) until: Until,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    All,
    /// Until the first request completes. The others stay outstanding.
    Any,
}

#[derive(Debug, Default)]
pub(crate) struct Requests {
    first: u32,
    /// The requests of each rank from rank `first` on, sorted by name.
    ranks: Vec<Vec<Named>>,
    slots: Vec<Request>,
    free_slot: u32,
    waits: Vec<(Waiting, u32)>,
    free_wait: u32,
    /// For each unit, the name of the request that ended its wait for any of several.
    chosen: Map<u32, u32>,
    count: u64,
}

impl Requests {
    pub(crate) fn new(ranks: Range<u32>) -> Self {
        Self {
            first: ranks.start,
            ranks: ranks.map(|_| Vec::new()).collect(),
            free_slot: NONE,
            free_wait: NONE,
            ..Self::default()
        }
    }

    fn named(&mut self, rank: u32, name: u32) -> &mut Named {
        let names = &mut self.ranks[(rank - self.first) as usize];
        let place = match names.binary_search_by_key(&name, |named| named.name) {
            Ok(place) => place,
            Err(place) => {
                let (list, sent) = (List::EMPTY, Completion::AT_START);
                names.insert(place, Named { name, list, sent });
                place
            }
        };
        &mut names[place]
    }

    fn append(&mut self, list: List, request: u32) -> List {
        if list.head == NONE {
            return List {
                head: request,
                tail: request,
            };
        }
        self.slots[list.tail as usize].next = request;
        List {
            tail: request,
            ..list
        }
    }

    /// Opens a request that waits don't find. Only [`Self::take_alone`] can take it.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "4 G requests do not fit in memory"
    )]
    pub(crate) fn open_alone(&mut self, origin: Origin, operation: Operation) -> u32 {
        let request = Request {
            origin,
            operation,
            progress: Progress::Open,
            number: self.count,
            next: NONE,
            wait: NONE,
        };
        self.count += 1;
        if self.free_slot == NONE {
            self.slots.push(request);
            return (self.slots.len() - 1) as u32;
        }
        let place = self.free_slot;
        self.free_slot = self.slots[place as usize].next;
        self.slots[place as usize] = request;
        place
    }

    pub(crate) fn open(&mut self, origin: Origin, operation: Operation) -> u32 {
        let request = self.open_alone(origin, operation);
        self.adopt(request);
        request
    }

    /// Adds a request to the outstanding ones of its rank.
    pub(crate) fn adopt(&mut self, request: u32) {
        let Origin { rank, name, .. } = self.get(request).origin;
        let list = self.named(rank, name).list;
        let list = self.append(list, request);
        self.named(rank, name).list = list;
    }

    /// Records a send whose times are known from the start.
    pub(crate) fn note_sent(&mut self, origin: Origin, sent: Completion) {
        let named = self.named(origin.rank, origin.name);
        named.sent = named.sent.later(sent);
    }

    /// Returns `true` if nothing has waited yet for some receive, or for some send that waits for
    /// its receive.
    pub(crate) fn are_outstanding(&self) -> bool {
        let mut named = self.ranks.iter().flatten();
        named.any(|named| named.list.head != NONE)
    }

    /// Calls `change` with the times of the last send whose end is known, for each rank and name.
    pub(crate) fn change_sent(&mut self, mut change: impl FnMut(&mut f64)) {
        for named in self.ranks.iter_mut().flatten() {
            change(&mut named.sent.end_s);
            change(&mut named.sent.start_s);
        }
    }

    pub(crate) fn get(&self, request: u32) -> &Request {
        &self.slots[request as usize]
    }

    /// Records the progress of an open request. Returns the wait that this ends, if any.
    pub(crate) fn progress(&mut self, request: u32, progress: Progress) -> Option<u32> {
        let request = &mut self.slots[request as usize];
        request.progress = progress;
        let wait = request.wait;
        let (waiting, _) = self.waits.get_mut(wait as usize)?;
        waiting.batch.open -= 1;
        (waiting.batch.open == 0 || waiting.until == Until::Any).then_some(wait)
    }

    /// Takes a rank's requests with a name, or all of its requests. Returns `None` if no request
    /// has ever had that name.
    pub(crate) fn take(&mut self, rank: u32, name: Option<u32>) -> Option<Batch> {
        let mut batch = Batch::EMPTY;
        let names = &mut self.ranks[(rank - self.first) as usize];
        let range = match name {
            None => 0..names.len(),
            Some(name) => {
                let place = names.binary_search_by_key(&name, |named| named.name).ok()?;
                place..place + 1
            }
        };
        for named in &mut names[range] {
            let list = std::mem::replace(&mut named.list, List::EMPTY);
            batch.sent = batch
                .sent
                .later(std::mem::replace(&mut named.sent, Completion::AT_START));
            batch.list = join(&mut self.slots, batch.list, list);
        }
        batch.open = self.count_open(batch.list);
        Some(batch)
    }

    pub(crate) fn join(&mut self, first: Batch, second: Batch) -> Batch {
        Batch {
            list: join(&mut self.slots, first.list, second.list),
            sent: first.sent.later(second.sent),
            open: first.open + second.open,
        }
    }

    /// Takes a request that was opened with [`Self::open_alone`].
    pub(crate) fn take_alone(&self, request: u32) -> Batch {
        let list = List {
            head: request,
            tail: request,
        };
        Batch {
            list,
            sent: Completion::AT_START,
            open: self.count_open(list),
        }
    }

    fn count_open(&self, list: List) -> u32 {
        let mut open = 0;
        let mut place = list.head;
        while let Some(request) = self.slots.get(place as usize) {
            open += u32::from(request.progress == Progress::Open);
            place = request.next;
        }
        open
    }

    /// Makes a unit wait for a batch that has open requests.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer waits than units"
    )]
    pub(crate) fn wait(&mut self, waiting: Waiting) -> u32 {
        let wait = if self.free_wait == NONE {
            self.waits.push((waiting, NONE));
            (self.waits.len() - 1) as u32
        } else {
            let wait = self.free_wait;
            self.free_wait = self.waits[wait as usize].1;
            self.waits[wait as usize] = (waiting, NONE);
            wait
        };
        self.set_wait(waiting.batch.list, wait);
        wait
    }

    fn set_wait(&mut self, list: List, wait: u32) {
        let mut place = list.head;
        while let Some(request) = self.slots.get_mut(place as usize) {
            request.wait = wait;
            place = request.next;
        }
    }

    /// Returns a request's wait, and the request's position in it. Returns `None` if the request
    /// hasn't been matched yet.
    pub(crate) fn place(&self, request: u32) -> Option<(u32, Place)> {
        let Request {
            progress,
            number,
            wait,
            ..
        } = *self.get(request);
        let time_s = progress.time_s().filter(|_| wait != NONE)?;
        Some((wait, (time_s.to_bits(), number, request)))
    }

    /// Returns the positions of all matched requests of a wait.
    pub(crate) fn places(&self, wait: u32) -> impl Iterator<Item = Place> {
        let of_batch = self.of_list(self.waiting(wait).batch.list);
        of_batch.filter_map(|request| Some(self.place(request)?.1))
    }

    /// Takes the charge of a request while its wait continues.
    pub(crate) fn charge(&mut self, request: u32) -> Request {
        let request = &mut self.slots[request as usize];
        let charged = *request;
        request.progress = Progress::Charged;
        charged
    }

    fn of_list(&self, list: List) -> impl Iterator<Item = u32> {
        let place = |place: u32| (place != NONE).then_some(place);
        let next = move |request: &u32| place(self.get(*request).next);
        std::iter::successors(place(list.head), next)
    }

    pub(crate) fn waiting(&self, wait: u32) -> &Waiting {
        &self.waits[wait as usize].0
    }

    pub(crate) fn take_wait(&mut self, wait: u32) -> Waiting {
        let (waiting, next) = &mut self.waits[wait as usize];
        let taken = *waiting;
        waiting.generation = 0;
        *next = std::mem::replace(&mut self.free_wait, wait);
        taken
    }

    /// Cancels a wait whose future was dropped. All its requests that haven't been charged can be
    /// waited for again. Returns `false` if the wait was already over.
    pub(crate) fn give_up(&mut self, wait: u32, unit: u32, generation: u32) -> bool {
        let waiting = self.waiting(wait);
        if (waiting.unit, waiting.generation) != (unit, generation) {
            return false;
        }
        let waiting = self.take_wait(wait);
        // Sends that aren't in any list have lost their names.
        let unnamed = self.named(waiting.rank, UNNAMED);
        unnamed.sent = unnamed.sent.later(waiting.batch.sent);
        self.give_back(waiting.batch.list, |_| true);
        true
    }

    /// Makes those requests in a list outstanding again that `goes_back` accepts.
    fn give_back(&mut self, list: List, goes_back: impl Fn(u32) -> bool) {
        let mut place = list.head;
        while let Some(request) = self.slots.get_mut(place as usize) {
            let next = std::mem::replace(&mut request.next, NONE);
            request.wait = NONE;
            if request.progress == Progress::Charged {
                self.free(place);
            } else if goes_back(place) {
                self.adopt(place);
            }
            place = next;
        }
    }

    pub(crate) fn first_open(&self, wait: u32) -> Option<&Request> {
        let mut place = self.waits.get(wait as usize)?.0.batch.list.head;
        loop {
            let request = self.slots.get(place as usize)?;
            if request.progress == Progress::Open {
                return Some(request);
            }
            place = request.next;
        }
    }

    fn free(&mut self, request: u32) {
        self.slots[request as usize].next = std::mem::replace(&mut self.free_slot, request);
    }

    pub(crate) fn discard(&mut self, batch: &Batch) {
        let mut place = batch.list.head;
        while let Some(request) = self.slots.get(place as usize) {
            let next = request.next;
            self.free(place);
            place = next;
        }
    }

    /// Removes and returns the requests of a batch, ordered by the time of their messages and then
    /// by number.
    pub(crate) fn empty(&mut self, batch: &Batch) -> Vec<Request> {
        let slots = self.of_list(batch.list);
        let mut requests: Vec<Request> = slots.map(|request| *self.get(request)).collect();
        self.discard(batch);
        requests.sort_by(|a, b| {
            let key = |request: &Request| request.progress.time_s().unwrap_or(f64::INFINITY);
            key(a).total_cmp(&key(b)).then(a.number.cmp(&b.number))
        });
        requests
    }
}
