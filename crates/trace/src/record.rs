//! One row of a trace.

/// What a unit does during a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum State {
    /// It computes on a CPU.
    Compute,
    /// It is busy with a message that it sends.
    Send,
    /// It is busy with a message that it receives.
    Receive,
    /// It waits: for a message, for a CPU, for other processes.
    Wait,
    /// It is busy with a collective.
    Collective,
    /// It waits for other threads of its process: at a barrier, for a lock, at a region's end.
    Synchronize,
    /// It lets time pass: it is on no CPU, and waits for nobody.
    Hold,
    /// The whole of an execution that contains others: an `activity+`, a region of threads. It
    /// overlaps the records of its content; all others of a unit follow one another.
    Content,
}

impl State {
    /// All of them, each at the place that its number names.
    pub const ALL: [Self; 8] = [
        Self::Compute,
        Self::Send,
        Self::Receive,
        Self::Wait,
        Self::Collective,
        Self::Synchronize,
        Self::Hold,
        Self::Content,
    ];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Wait => "wait",
            Self::Collective => "collective",
            Self::Synchronize => "synchronize",
            Self::Hold => "hold",
            Self::Content => "content",
        }
    }
}

/// On which side of its message a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// The unit sends the message: `partner` receives it.
    Send,
    /// The unit receives the message, or waits for it: `partner` sends it.
    Receive,
}

impl Role {
    /// Both, each at the place that its number names.
    pub const ALL: [Self; 2] = [Self::Send, Self::Receive];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
        }
    }
}

/// A unit: a thread of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitId {
    /// The process.
    pub pid: u32,
    /// The thread: see [`Record::tid`].
    pub tid: u32,
}

/// What stands for nothing in a number that may be missing.
pub(crate) const NONE: u32 = u32::MAX;
pub(crate) const NONE_BYTES: u64 = u64::MAX;
pub(crate) const NO_ROLE: u8 = u8::MAX;
pub(crate) const NO_LINK: u64 = u64::MAX / 2 + 1;

/// What else a record tells beside its message: one thing at most, by its state and role, so that
/// a record stays as small as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// A wait: who ended it.
    Cause,
    /// Busy with a message: its tag.
    Tag,
    /// Busy with something else, or all of it: the communicator of a collective.
    Comm,
}

impl Link {
    /// What records of a state and a role tell.
    #[inline]
    pub(crate) const fn of(state: State, role: u8) -> Self {
        match state {
            State::Wait | State::Synchronize => Self::Cause,
            State::Compute
            | State::Send
            | State::Receive
            | State::Collective
            | State::Hold
            | State::Content => {
                if role == NO_ROLE {
                    Self::Comm
                } else {
                    Self::Tag
                }
            }
        }
    }
}

/// One row: a unit is in one state from `start_s` to `end_s`.
///
/// ```
/// use prophet_trace::{Record, Role, State};
///
/// // Process 3 waits until 1.5 s for message 7 of process 2, which has 8 bytes.
/// let wait = Record::new(3, 0, State::Wait, 1.0, 1.5).element(4);
/// let wait = wait.message(Role::Receive, 7, 2, 8);
/// assert_eq!(wait.partner_pid(), Some(2));
/// assert_eq!(wait.sender(), Some((2, 7)));
/// assert_eq!(wait.began_s(), None);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Record {
    /// The process.
    pub pid: u32,
    /// The thread in its process: 0 is the one that the process begins with, another has the
    /// lowest number that is free when it starts.
    pub tid: u32,
    pub(crate) element: u32,
    /// What the unit does.
    pub state: State,
    pub(crate) role: u8,
    /// When that starts, in simulated seconds.
    pub start_s: f64,
    /// When that ends, in simulated seconds.
    pub end_s: f64,
    /// NaN when it is none.
    pub(crate) began_s: f64,
    pub(crate) partner: u32,
    pub(crate) message: u32,
    pub(crate) bytes: u64,
    /// What [`Link`] says, or [`NO_LINK`].
    pub(crate) link: u64,
}

impl Record {
    /// A record of a unit and a state, from `start_s` to `end_s`, without anything else.
    #[inline]
    pub const fn new(pid: u32, tid: u32, state: State, start_s: f64, end_s: f64) -> Self {
        Self {
            pid,
            tid,
            element: NONE,
            state,
            role: NO_ROLE,
            start_s,
            end_s,
            began_s: f64::NAN,
            partner: NONE,
            message: NONE,
            bytes: NONE_BYTES,
            link: NO_LINK,
        }
    }

    /// The same at an element, by its index in the model.
    #[inline]
    #[must_use]
    pub const fn element(self, index: u32) -> Self {
        Self {
            element: index,
            ..self
        }
    }

    /// The same as the last of an execution of its element that began at `began_s`.
    #[inline]
    #[must_use]
    pub const fn began(self, began_s: f64) -> Self {
        Self { began_s, ..self }
    }

    /// The same about a message: its number among those of its sender, the process on its other
    /// side and its size.
    #[inline]
    #[must_use]
    pub const fn message(self, role: Role, number: u32, partner: u32, bytes: u64) -> Self {
        Self {
            role: role as u8,
            message: number,
            partner,
            bytes,
            ..self
        }
    }

    /// The same about a message that was begun before, by its number, on neither side of it: a wait
    /// of no length in which a message of `partner` begins to travel, or the rest of a send.
    #[inline]
    #[must_use]
    pub const fn begun_message(self, number: u32) -> Self {
        Self {
            message: number,
            ..self
        }
    }

    /// The same with a size in bytes.
    #[inline]
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// The same with a process on the other side, or the root of a collective.
    #[inline]
    #[must_use]
    pub const fn partner(self, pid: u32) -> Self {
        Self {
            partner: pid,
            ..self
        }
    }

    /// The same in another state, from its end on until `end_s`, without cause, tag or
    /// communicator.
    #[inline]
    #[must_use]
    pub const fn then(self, state: State, end_s: f64) -> Self {
        Self {
            state,
            start_s: self.end_s,
            end_s,
            link: NO_LINK,
            ..self
        }
    }

    /// The same, a wait that was ended by what another unit did then.
    #[inline]
    #[must_use]
    pub const fn cause(self, unit: UnitId) -> Self {
        Self {
            link: (unit.pid as u64) << 32 | unit.tid as u64,
            ..self
        }
    }

    /// The same, busy with a message of that tag.
    #[inline]
    #[must_use]
    pub const fn tag(self, tag: i64) -> Self {
        Self {
            link: tag.cast_unsigned(),
            ..self
        }
    }

    /// The same of a collective in the communicator whose first process is `pid`.
    #[inline]
    #[must_use]
    pub const fn comm(self, pid: u32) -> Self {
        Self {
            link: pid as u64,
            ..self
        }
    }

    /// The unit.
    #[inline]
    pub const fn unit(&self) -> UnitId {
        UnitId {
            pid: self.pid,
            tid: self.tid,
        }
    }

    /// The element by its index in the model; none outside of elements.
    #[inline]
    pub fn element_index(&self) -> Option<u32> {
        some(self.element)
    }

    /// When the execution of the element began whose last record this is.
    #[inline]
    pub fn began_s(&self) -> Option<f64> {
        (!self.began_s.is_nan()).then_some(self.began_s)
    }

    /// On which side of a message it is, if it is about one.
    #[inline]
    pub fn role(&self) -> Option<Role> {
        Role::ALL.get(usize::from(self.role)).copied()
    }

    /// The process on the other side of the message, or the root of the collective.
    #[inline]
    pub fn partner_pid(&self) -> Option<u32> {
        some(self.partner)
    }

    /// The size of the message or the collective, in bytes.
    #[inline]
    pub fn size_bytes(&self) -> Option<u64> {
        (self.bytes != NONE_BYTES).then_some(self.bytes)
    }

    /// The number of the message among those that its sender has sent, modulo 2^32.
    #[inline]
    pub fn message_number(&self) -> Option<u32> {
        let has = self.role().is_some() || self.message != NONE;
        has.then_some(self.message)
    }

    /// What names the message that was begun before, if it is about one: see
    /// [`Self::begun_message`].
    #[inline]
    pub fn begun(&self) -> Option<(u32, u32)> {
        if self.role().is_some() {
            return None;
        }
        let number = self.message_number()?;
        match self.state {
            State::Wait => Some((self.partner_pid()?, number)),
            State::Send => Some((self.pid, number)),
            State::Compute
            | State::Receive
            | State::Collective
            | State::Synchronize
            | State::Hold
            | State::Content => None,
        }
    }

    /// What names the message in the whole trace: the process that sends it, and the number among
    /// those that it has sent.
    #[inline]
    pub fn sender(&self) -> Option<(u32, u32)> {
        match self.role()? {
            Role::Send => Some((self.pid, self.message)),
            Role::Receive => Some((self.partner, self.message)),
        }
    }

    /// The unit that ended a wait by what it did at `end_s`; none when a message or time did.
    #[inline]
    pub fn cause_unit(&self) -> Option<UnitId> {
        let (tid, pid) = halves(self.linked(Link::Cause)?);
        Some(UnitId { pid, tid })
    }

    /// The tag of the message that the unit is busy with, but for those of collectives.
    #[inline]
    pub fn message_tag(&self) -> Option<i64> {
        Some(self.linked(Link::Tag)?.cast_signed())
    }

    /// The first process of the collective's communicator, which names it at an element; none
    /// where all processes take part.
    #[inline]
    pub fn comm_pid(&self) -> Option<u32> {
        let (pid, _) = halves(self.linked(Link::Comm)?);
        Some(pid)
    }

    #[inline]
    fn linked(&self, what: Link) -> Option<u64> {
        let has = self.link != NO_LINK && Link::of(self.state, self.role) == what;
        has.then_some(self.link)
    }

    /// How long it is, in simulated seconds.
    #[inline]
    pub fn seconds(&self) -> f64 {
        self.end_s - self.start_s
    }
}

/// Its bytes, for files that only this crate reads.
impl Record {
    pub(crate) const BYTES: usize = 64;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let kinds = u64::from(self.role) << 8 | self.state as u64;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let words = [
            pair(self.pid, self.tid),
            pair(self.element, self.partner),
            self.link,
            u64::from(self.message) << 32 | kinds,
            self.bytes,
            self.start_s.to_bits(),
            self.end_s.to_bits(),
            self.began_s.to_bits(),
        ];
        let mut bytes = [0; Self::BYTES];
        for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// None if they are not those of a record.
    pub(crate) fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let mut words = [0; 8];
        for (word, from) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(from.try_into().ok()?);
        }
        let (kinds, message) = halves(words[3]);
        let [state, role, ..] = kinds.to_le_bytes();
        let ((pid, tid), (element, partner)) = (halves(words[0]), halves(words[1]));
        Some(Self {
            pid,
            tid,
            element,
            state: *State::ALL.get(usize::from(state))?,
            role,
            start_s: f64::from_bits(words[5]),
            end_s: f64::from_bits(words[6]),
            began_s: f64::from_bits(words[7]),
            partner,
            message,
            bytes: words[4],
            link: words[2],
        })
    }
}

/// Times are the same when their bits are.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        let times = |record: &Self| {
            let began_s = record.began_s().map(f64::to_bits);
            (record.start_s.to_bits(), record.end_s.to_bits(), began_s)
        };
        let rest = |record: &Self| {
            let message = (record.message_number(), record.role(), record.bytes);
            let place = (record.unit(), record.element, record.state, record.partner);
            let link = (record.cause_unit(), record.message_tag(), record.comm_pid());
            (place, message, link)
        };
        times(self) == times(other) && rest(self) == rest(other)
    }
}

/// The lower and the upper half of a number.
#[expect(clippy::cast_possible_truncation, reason = "each is a half")]
#[inline]
const fn halves(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

fn some(number: u32) -> Option<u32> {
    (number != NONE).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_one_cache_line() {
        assert_eq!(size_of::<Record>(), 64);
    }

    #[test]
    fn names_are_at_their_numbers() {
        for (number, state) in State::ALL.into_iter().enumerate() {
            assert_eq!(state as usize, number);
        }
        for (number, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, number);
        }
    }
}
