//! The rows of a trace, as the analysis reads them.

use std::convert::Infallible;

/// What a unit was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It held a CPU.
    Compute,
    /// It was busy with a message that it sent.
    Send,
    /// It was busy with a message that it received.
    Receive,
    /// It waited: for a CPU, a message, other processes.
    Wait,
    /// It was busy with a collective.
    Collective,
    /// It waited for the other threads of its process.
    Synchronise,
}

/// What another unit did that ended a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cause {
    /// The other unit.
    pub uid: u32,
    /// When it did that, in simulated seconds; what is left to the row's end is transfer.
    pub time_s: f64,
}

/// One state of one unit; all times are simulated seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// The unit, unique to its process and thread.
    pub uid: u32,
    /// Its process.
    pub pid: u32,
    /// Its thread in the process.
    pub tid: u32,
    /// The element that it was at, by index.
    pub element: u32,
    /// What it was doing there.
    pub state: State,
    /// Since when.
    pub start_s: f64,
    /// Until when.
    pub end_s: f64,
    /// The other process of a message, or the root of a collective.
    pub partner: Option<u32>,
    /// The size of the message.
    pub bytes: Option<u64>,
    /// The message, the same in the rows of both of its ends.
    pub message: Option<u64>,
    /// What ended the row, where that was another unit.
    pub cause: Option<Cause>,
}

impl Record {
    /// Unit 0 waiting for no time at all: what tests and examples begin with.
    pub const NOTHING: Self = Self {
        uid: 0,
        pid: 0,
        tid: 0,
        element: 0,
        state: State::Wait,
        start_s: 0.0,
        end_s: 0.0,
        partner: None,
        bytes: None,
        message: None,
        cause: None,
    };

    /// How long it lasted, in seconds.
    pub fn seconds(&self) -> f64 {
        self.end_s - self.start_s
    }
}

/// Rows in the order of (end, uid), in batches that are read one at a time.
pub trait Rows {
    /// Why a batch cannot be read.
    type Error;

    /// How many batches there are.
    fn batches(&self) -> usize;

    /// Reads one of them.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    fn batch(&mut self, number: usize) -> Result<Vec<Record>, Self::Error>;
}

/// Rows in memory: one batch.
impl Rows for &[Record] {
    type Error = Infallible;

    fn batches(&self) -> usize {
        1
    }

    fn batch(&mut self, _: usize) -> Result<Vec<Record>, Infallible> {
        Ok(self.to_vec())
    }
}
