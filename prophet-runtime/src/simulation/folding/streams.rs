//! Stores streams: the messages from one rank to another, in order. Equal streams have the same
//! number.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::messages::letter::{Context, Envelope, Letter, Mode};

/// A message that has been sent. The stream determines its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sent {
    /// When the message arrives, as the bits of an `f64`.
    time: u64,
    tag: i64,
    bytes: u64,
    priced: bool,
}

impl Sent {
    pub(super) fn of(letter: &Letter) -> Self {
        Self {
            time: letter.time_s.to_bits(),
            tag: letter.envelope.tag,
            bytes: letter.bytes,
            priced: letter.mode == Mode::Priced,
        }
    }

    pub(super) fn letter(&self, source: u32, context: Context) -> Letter {
        let time_s = f64::from_bits(self.time);
        Letter {
            envelope: Envelope {
                source,
                context,
                tag: self.tag,
            },
            bytes: self.bytes,
            time_s,
            envelope_s: time_s,
            mode: if self.priced {
                Mode::Priced
            } else {
                Mode::Eager
            },
            number: 0,
        }
    }
}

/// Maximum number of messages in all streams, which take 1 GiB of memory.
const MESSAGES_MAX: usize = 1 << 25;

/// Streams by number. Stream 0 contains no messages.
#[derive(Debug)]
pub(super) struct Streams {
    all: Vec<Rc<[Sent]>>,
    numbers: BTreeMap<Rc<[Sent]>, u32>,
    messages: usize,
}

impl Streams {
    pub(super) fn new() -> Self {
        let none: Rc<[Sent]> = Rc::default();
        Self {
            numbers: BTreeMap::from([(Rc::clone(&none), 0)]),
            all: vec![none],
            messages: 0,
        }
    }

    pub(super) fn get(&self, number: u32) -> &[Sent] {
        &self.all[number as usize]
    }

    /// Returns the number of a stream, or `None` if there are too many messages.
    pub(super) fn number(&mut self, stream: &[Sent]) -> Option<u32> {
        if let Some(number) = self.numbers.get(stream) {
            return Some(*number);
        }
        self.messages += stream.len();
        if self.messages > MESSAGES_MAX {
            return None;
        }
        let number = u32::try_from(self.all.len()).ok()?;
        let stream: Rc<[Sent]> = stream.into();
        self.numbers.insert(Rc::clone(&stream), number);
        self.all.push(stream);
        Some(number)
    }
}
