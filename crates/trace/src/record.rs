//! Defines records, the rows of a trace.

/// What a unit does during a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum UnitState {
    Compute,
    /// Busy sending a message.
    Send,
    /// Busy receiving a message.
    Receive,
    /// Waiting for a message, a CPU, or other processes.
    Wait,
    /// Busy with a collective.
    Collective,
    /// Waiting for other threads of its process: at a barrier, for a lock, or at the end of a
    /// region.
    Synchronize,
    /// Letting time pass without using a CPU or waiting for anything.
    Hold,
    /// A whole execution of an element that contains others, such as an `activity+` or a region of
    /// threads. Its record overlaps the records of its content. A unit's other records don't
    /// overlap.
    Content,
}

impl UnitState {
    /// All states. A state's index is its number in files.
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

    /// Returns the name in files.
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

/// Which side of a message a record describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// The unit sends the message to `partner`.
    Send,
    /// The unit receives the message from `partner`, or waits for it.
    Receive,
}

impl Role {
    /// Both roles. A role's index is its number in files.
    pub const ALL: [Self; 2] = [Self::Send, Self::Receive];

    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
        }
    }
}

/// Identifies a unit: a thread of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitId {
    pub pid: u32,
    /// See [`Record::tid`].
    pub tid: u32,
}

/// Element index of a record outside elements.
pub(crate) const NO_ELEMENT: u32 = u32::MAX;

/// Bits of [`Record::has`]: one for each value that a record may lack.
pub(crate) mod has {
    pub(crate) const BEGAN: u8 = 1;
    pub(crate) const PARTNER: u8 = 1 << 1;
    pub(crate) const BYTES: u8 = 1 << 2;
    pub(crate) const MESSAGE: u8 = 1 << 3;
    pub(crate) const ROLE: u8 = 1 << 4;
    pub(crate) const LINK: u8 = 1 << 5;
}

/// Which further information a record has. Its state and role allow at most one kind, which keeps
/// records small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// The unit that ended a wait.
    Cause,
    /// The tag of a message, for work on a message.
    Tag,
    /// The operations used, for computing. The collective's communicator, for other work and for
    /// whole executions.
    Comm,
}

impl Link {
    /// Returns which information a record with this state and these bits of [`Record::has`] has.
    #[inline]
    pub(crate) const fn of(state: UnitState, has: u8) -> Self {
        match state {
            UnitState::Wait | UnitState::Synchronize => Self::Cause,
            UnitState::Compute
            | UnitState::Send
            | UnitState::Receive
            | UnitState::Collective
            | UnitState::Hold
            | UnitState::Content => {
                if has & has::ROLE == 0 {
                    Self::Comm
                } else {
                    Self::Tag
                }
            }
        }
    }
}

/// A row of a trace: a unit was in one state from `start_s` to `end_s`.
///
/// ```
/// use prophet_trace::{Record, Role, UnitState};
///
/// // Process 3 waits until 1.5 s for message 7 of process 2, which has 8 bytes.
/// let wait = Record::new(3, 0, UnitState::Wait, 1.0, 1.5).element(4);
/// let wait = wait.message(Role::Receive, 7, 2, 8);
/// assert_eq!(wait.partner_pid(), Some(2));
/// assert_eq!(wait.sender(), Some((2, 7)));
/// assert_eq!(wait.began_s(), None);
/// ```
#[derive(Debug, Clone, Copy)]
#[repr(align(64))] // A record fits in one cache line.
pub struct Record {
    pub pid: u32,
    /// Number of the thread within its process. The initial thread is 0. Every other thread gets
    /// the lowest number that is free when it starts.
    pub tid: u32,
    pub(crate) element: u32,
    pub state: UnitState,
    pub(crate) role: Role,
    /// A bit for each optional value. If it isn't set, the value has no meaning.
    pub(crate) has: u8,
    /// In simulated seconds.
    pub start_s: f64,
    /// In simulated seconds.
    pub end_s: f64,
    /// Start of the execution that ends with this record.
    pub(crate) began_s: f64,
    pub(crate) partner: u32,
    pub(crate) message: u32,
    pub(crate) bytes: u64,
    pub(crate) link: u64,
}

impl Record {
    /// Times are in simulated seconds.
    #[inline]
    pub const fn new(pid: u32, tid: u32, state: UnitState, start_s: f64, end_s: f64) -> Self {
        Self {
            pid,
            tid,
            element: NO_ELEMENT,
            state,
            role: Role::Send,
            has: 0,
            start_s,
            end_s,
            began_s: 0.0,
            partner: 0,
            message: 0,
            bytes: 0,
            link: 0,
        }
    }

    /// Sets the element, by its index in the model.
    #[inline]
    #[must_use]
    pub const fn element(self, index: u32) -> Self {
        Self {
            element: index,
            ..self
        }
    }

    /// Marks the record as the last of an execution that began at `began_s`, in simulated seconds.
    #[inline]
    #[must_use]
    pub const fn began(self, began_s: f64) -> Self {
        Self {
            began_s,
            has: self.has | has::BEGAN,
            ..self
        }
    }

    /// Sets the message: the side that this record describes, the message's number among its
    /// sender's messages, the process on the other side, and the size in bytes.
    #[inline]
    #[must_use]
    pub const fn message(self, role: Role, number: u32, partner: u32, bytes: u64) -> Self {
        Self {
            role,
            message: number,
            partner,
            bytes,
            has: self.has | has::ROLE | has::MESSAGE | has::PARTNER | has::BYTES,
            ..self
        }
    }

    /// Sets the number of a message that was begun earlier, but no side. Use this for the rest of a
    /// send, or for an empty wait at the time when a message from the partner starts to travel.
    #[inline]
    #[must_use]
    pub const fn begun_message(self, number: u32) -> Self {
        Self {
            message: number,
            has: self.has | has::MESSAGE,
            ..self
        }
    }

    #[inline]
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self {
            bytes,
            has: self.has | has::BYTES,
            ..self
        }
    }

    /// Sets the process on the other side, or the root of a collective.
    #[inline]
    #[must_use]
    pub const fn partner(self, pid: u32) -> Self {
        Self {
            partner: pid,
            has: self.has | has::PARTNER,
            ..self
        }
    }

    /// Creates the unit's next record. It is in another state, starts at this record's end, ends at
    /// `end_s`, and has no cause, tag or communicator.
    #[inline]
    #[must_use]
    pub const fn then(self, state: UnitState, end_s: f64) -> Self {
        Self {
            state,
            start_s: self.end_s,
            end_s,
            has: self.has & !has::LINK,
            ..self
        }
    }

    /// Sets the unit whose action ended the wait.
    #[inline]
    #[must_use]
    pub const fn cause(self, unit: UnitId) -> Self {
        Self {
            link: (unit.pid as u64) << 32 | unit.tid as u64,
            has: self.has | has::LINK,
            ..self
        }
    }

    /// Sets the tag of the message that the unit is sending, receiving or waiting for.
    #[inline]
    #[must_use]
    pub const fn tag(self, tag: i64) -> Self {
        Self {
            link: tag.cast_unsigned(),
            has: self.has | has::LINK,
            ..self
        }
    }

    /// Sets the communicator of a collective, which its first process identifies.
    #[inline]
    #[must_use]
    pub const fn comm(self, pid: u32) -> Self {
        Self {
            link: pid as u64,
            has: self.has | has::LINK,
            ..self
        }
    }

    /// Sets the operations that the unit uses while computing, by their number in
    /// [`Results::operations`].
    ///
    /// [`Results::operations`]: crate::Results::operations
    #[inline]
    #[must_use]
    pub const fn operations(self, number: u32) -> Self {
        self.comm(number)
    }

    #[inline]
    pub const fn unit(&self) -> UnitId {
        UnitId {
            pid: self.pid,
            tid: self.tid,
        }
    }

    /// Returns the element's index in the model; `None` outside elements.
    #[inline]
    pub fn element_index(&self) -> Option<u32> {
        (self.element != NO_ELEMENT).then_some(self.element)
    }

    /// Returns the start of the execution that ends with this record, in simulated seconds; `None`
    /// if the record isn't the last of an execution.
    #[inline]
    pub fn began_s(&self) -> Option<f64> {
        self.has(has::BEGAN).then_some(self.began_s)
    }

    /// Returns the side of the message that the record describes; `None` if it describes no side.
    #[inline]
    pub fn role(&self) -> Option<Role> {
        self.has(has::ROLE).then_some(self.role)
    }

    /// Returns the process on the other side of the message, or the root of the collective; `None`
    /// if there is neither.
    #[inline]
    pub fn partner_pid(&self) -> Option<u32> {
        self.has(has::PARTNER).then_some(self.partner)
    }

    /// Returns the size of the message or the collective, in bytes; `None` if there is neither.
    #[inline]
    pub fn size_bytes(&self) -> Option<u64> {
        self.has(has::BYTES).then_some(self.bytes)
    }

    /// Returns the message's number among its sender's messages, modulo 2^32; `None` without a
    /// message.
    #[inline]
    pub fn message_number(&self) -> Option<u32> {
        self.has(has::MESSAGE).then_some(self.message)
    }

    /// Returns what identifies a message that was begun earlier; `None` if the record doesn't
    /// describe one. See [`Self::begun_message`].
    #[inline]
    pub fn begun(&self) -> Option<(u32, u32)> {
        if self.role().is_some() {
            return None;
        }
        let number = self.message_number()?;
        match self.state {
            UnitState::Wait => Some((self.partner_pid()?, number)),
            UnitState::Send => Some((self.pid, number)),
            UnitState::Compute
            | UnitState::Receive
            | UnitState::Collective
            | UnitState::Synchronize
            | UnitState::Hold
            | UnitState::Content => None,
        }
    }

    /// Returns what identifies the message in the whole trace: the process that sent it, and its
    /// number among that process's messages.
    #[inline]
    pub fn sender(&self) -> Option<(u32, u32)> {
        match self.role()? {
            Role::Send => Some((self.pid, self.message)),
            Role::Receive => Some((self.partner, self.message)),
        }
    }

    /// Returns the unit whose action at `end_s` ended a wait; `None` if a message or time ended it.
    #[inline]
    pub fn cause_unit(&self) -> Option<UnitId> {
        let (tid, pid) = halves(self.link_of_kind(Link::Cause)?);
        Some(UnitId { pid, tid })
    }

    /// Returns the tag of the message that the unit is sending, receiving or waiting for; `None` in
    /// collectives and without a message.
    #[inline]
    pub fn message_tag(&self) -> Option<i64> {
        Some(self.link_of_kind(Link::Tag)?.cast_signed())
    }

    /// Returns the first process of a collective's communicator, which tells apart the
    /// communicators at the same element; `None` if all processes take part.
    #[inline]
    pub fn comm_pid(&self) -> Option<u32> {
        let (pid, _) = halves(self.link_of_kind(Link::Comm)?);
        (self.state != UnitState::Compute).then_some(pid)
    }

    /// Returns the number in [`Results::operations`] of the operations that the unit uses while
    /// computing.
    ///
    /// [`Results::operations`]: crate::Results::operations
    #[inline]
    pub fn operations_number(&self) -> Option<u32> {
        let (number, _) = halves(self.link_of_kind(Link::Comm)?);
        (self.state == UnitState::Compute).then_some(number)
    }

    #[inline]
    const fn has(&self, bit: u8) -> bool {
        self.has & bit != 0
    }

    #[inline]
    fn link_of_kind(&self, what: Link) -> Option<u64> {
        let has = self.has(has::LINK) && Link::of(self.state, self.has) == what;
        has.then_some(self.link)
    }

    /// In simulated seconds.
    #[inline]
    pub fn seconds(&self) -> f64 {
        self.end_s - self.start_s
    }
}

/// Converts records to and from bytes, for files that only this crate reads.
impl Record {
    pub(crate) const BYTES: usize = 64;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let kinds = u64::from(self.has) << 16 | (self.role as u64) << 8 | self.state as u64;
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

    /// Decodes a record; `None` if the bytes are invalid.
    pub(crate) fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let mut words = [0; 8];
        for (word, from) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(from.try_into().ok()?);
        }
        let (kinds, message) = halves(words[3]);
        let [state, role, has, _] = kinds.to_le_bytes();
        let ((pid, tid), (element, partner)) = (halves(words[0]), halves(words[1]));
        Some(Self {
            pid,
            tid,
            element,
            state: *UnitState::ALL.get(usize::from(state))?,
            role: *Role::ALL.get(usize::from(role))?,
            has,
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

/// Compares times by their bits.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        let times = |record: &Self| {
            let began_s = record.began_s().map(f64::to_bits);
            (record.start_s.to_bits(), record.end_s.to_bits(), began_s)
        };
        let rest = |record: &Self| {
            let message = (record.message_number(), record.role(), record.size_bytes());
            let partner = record.partner_pid();
            let place = (record.unit(), record.element, record.state, partner);
            let link = (record.cause_unit(), record.message_tag(), record.comm_pid());
            (place, message, link, record.operations_number())
        };
        times(self) == times(other) && rest(self) == rest(other)
    }
}

/// Splits a number into its lower and its upper half.
#[expect(clippy::cast_possible_truncation, reason = "each is a half")]
#[inline]
const fn halves(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
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
        for (number, state) in UnitState::ALL.into_iter().enumerate() {
            assert_eq!(state as usize, number);
        }
        for (number, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, number);
        }
    }
}
