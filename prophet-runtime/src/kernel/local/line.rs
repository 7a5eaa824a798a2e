//! Stores the state of each rank in a cache line. A second line is for messages that arrive early.

use std::cell::Cell;

use prophet_machine::network::NicClocks;
use prophet_sim::kernel::UNITS_MAX;

use crate::messages::letter::{Context, Envelope, Letter, Mode};

/// The bits of a message's source, below the flags.
const SOURCE: u32 = UNITS_MAX - 1;
/// Flag: there is a message in this position of the line.
const FULL: u32 = UNITS_MAX;
const COLLECTIVE: u32 = UNITS_MAX << 1;
/// Flag: the message's sender set its price.
const PRICED: u32 = UNITS_MAX << 2;
/// Flag: the message, like its sender, is waiting for its receive.
const RENDEZVOUS: u32 = UNITS_MAX << 3;

/// The source of a message, and whether the message belongs to a collective. Never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sender(u32);

impl Sender {
    #[inline]
    pub(crate) fn of(envelope: &Envelope) -> Self {
        let context = match envelope.context {
            Context::Program => 0,
            Context::Collective => COLLECTIVE,
        };
        Self(FULL | context | envelope.source)
    }

    #[inline]
    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

/// A message in a line, without its sender.
#[derive(Debug, Clone, Copy, Default)]
struct Content {
    time_s: f64,
    tag: i64,
    bytes: u64,
}

#[inline]
fn sender_bits(letter: &Letter) -> u32 {
    let mode = match letter.mode {
        // In the local engine, messages don't share links.
        Mode::Eager | Mode::Flowing => 0,
        Mode::Priced => PRICED,
        Mode::Rendezvous => RENDEZVOUS,
    };
    Sender::of(&letter.envelope).0 | mode
}

fn mode(sender: u32) -> Mode {
    if sender & PRICED != 0 {
        Mode::Priced
    } else if sender & RENDEZVOUS != 0 {
        Mode::Rendezvous
    } else {
        Mode::Eager
    }
}

#[inline]
fn content(letter: &Letter) -> Content {
    Content {
        time_s: letter.time_s,
        tag: letter.envelope.tag,
        bytes: letter.bytes,
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub(crate) bytes: u64,
    /// The time, as in [`Letter`].
    pub(crate) time_s: f64,
    pub(crate) flags: u32,
    /// The number, as in [`Letter`]. For a message in a line, its position there.
    pub(crate) number: u32,
}

impl Found {
    pub(crate) fn of(letter: &Letter) -> Self {
        Self {
            bytes: letter.bytes,
            time_s: letter.time_s,
            flags: sender_bits(letter) & (PRICED | RENDEZVOUS),
            number: letter.number,
        }
    }

    #[inline]
    pub(crate) fn is_priced(self) -> bool {
        self.flags & PRICED != 0
    }

    /// Returns `true` if the message and its sender are waiting for the receive.
    #[inline]
    pub(crate) fn waits(self) -> bool {
        self.flags & RENDEZVOUS != 0
    }
}

/// A rank's clocks, the first messages that are waiting for it, and what it is waiting for.
///
/// Usually there is at most one message, and the first cache line is enough. (In recursive doubling
/// over very many ranks, 50% of the messages arrive when the line is empty, and 92% when it
/// contains at most two.)
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Line {
    /// The rank's own clock, in simulated seconds.
    pub(crate) now_s: Cell<f64>,
    pub(crate) nic: Cell<NicClocks>,
    /// The [`Sender`] whose message the rank is waiting for, or 0 if it isn't waiting for any.
    wanted: Cell<u32>,
    /// Number of messages in the line.
    held: Cell<u16>,
    /// Number of steps since the rank's clock last advanced.
    pub(crate) steps: Cell<u16>,
    /// Number of waiting messages that didn't fit in the line, and the flag [`POSTED`]. These
    /// messages are newer than those in the line. As long as there are any, new messages join them.
    more: Cell<u32>,
    /// The [`Sender`] of the first message, and its flags.
    first: Cell<u32>,
    first_content: Cell<Content>,
    /// The [`Sender`] of each other message, and its flags.
    others: [Cell<u32>; HELD_MAX - 1],
    other_contents: [Cell<Content>; HELD_MAX - 1],
    /// The rank that this rank will send to when it continues, or any rank if unknown. Only a hint.
    pub(crate) next_dest: Cell<u32>,
}

/// Maximum number of messages in a line. [`Line::find`] and [`Line::remove`] name each position.
pub(crate) const HELD_MAX: usize = 3;
/// Flag: the rank has posted receives that are waiting for their messages, apart from what the rank
/// itself is waiting for.
const POSTED: u32 = 1 << 31;

impl Line {
    #[inline]
    pub(crate) fn now_s(&self) -> f64 {
        self.now_s.get()
    }

    /// Empties the line of a rank that has ended, so that another rank can use it.
    pub(crate) fn clear(&self) {
        self.now_s.take();
        self.nic.take();
        self.want_nothing();
        self.held.take();
        self.steps.take();
        self.more.take();
    }

    /// Stores a message if the line has room, no older message is waiting elsewhere, and no posted
    /// receive could take it.
    #[inline]
    pub(crate) fn put(&self, letter: &Letter) -> bool {
        self.more.get() == 0 && self.put_in_line(letter)
    }

    /// Like [`Self::put`], for a message that no posted receive takes.
    pub(crate) fn put_behind(&self, letter: &Letter) -> bool {
        self.more() == 0 && self.put_in_line(letter)
    }

    #[inline]
    fn put_in_line(&self, letter: &Letter) -> bool {
        let has_room = self.held() < HELD_MAX;
        if has_room {
            self.put_last(sender_bits(letter), content(letter));
        }
        has_room
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn put_last(&self, bits: u32, content: Content) {
        let (sender, slot) = self.slot(self.held());
        sender.set(bits);
        slot.set(content);
        self.held.set(self.held.get() + 1);
    }

    /// Returns `true` if [`Self::put`] would store a message.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        self.more.get() == 0 && self.held() < HELD_MAX
    }

    /// Like [`Self::put`], for an eager message that is known to fit. Returns `true` if the rank
    /// was waiting for its source.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn put_plain(&self, envelope: &Envelope, bytes: u64, time_s: f64) -> bool {
        let tag = envelope.tag;
        self.put_last(Sender::of(envelope).0, Content { time_s, tag, bytes });
        self.satisfy(envelope)
    }

    #[inline]
    pub(crate) fn held(&self) -> usize {
        usize::from(self.held.get())
    }

    /// Returns the number of messages that are waiting elsewhere.
    #[inline]
    pub(crate) fn more(&self) -> u32 {
        self.more.get() & !POSTED
    }

    /// Records that one more message is waiting elsewhere. Returns how many are.
    pub(crate) fn add_more(&self) -> u32 {
        self.more.set(self.more.get() + 1);
        self.more()
    }

    /// Records that a message is no longer waiting elsewhere.
    pub(crate) fn take_more(&self) {
        self.more.set(self.more.get() - 1);
    }

    /// Returns `true` if the rank has posted receives that are waiting for their messages.
    #[inline]
    pub(crate) fn has_posted(&self) -> bool {
        self.more.get() & POSTED != 0
    }

    pub(crate) fn set_posted(&self, posted: bool) {
        let flag = if posted { POSTED } else { 0 };
        self.more.set(self.more() | flag);
    }

    /// Takes the oldest message with this envelope.
    #[inline]
    pub(crate) fn take(&self, envelope: &Envelope) -> Option<Found> {
        let place = self.find(envelope)?;
        let found = self.look(place);
        self.remove(place);
        Some(found)
    }

    /// Returns the position of the oldest message with this envelope.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn find(&self, envelope: &Envelope) -> Option<usize> {
        let held = self.held();
        let has = |place| held > place && self.has(place, envelope);
        // Written without a loop, so that the compiler knows each position.
        if has(0) {
            Some(0)
        } else if has(1) {
            Some(1)
        } else {
            has(2).then_some(2)
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn look(&self, place: usize) -> Found {
        let (sender, content) = self.slot(place);
        let content = content.get();
        Found {
            bytes: content.bytes,
            time_s: content.time_s,
            flags: sender.get() & (PRICED | RENDEZVOUS),
            number: u32::try_from(place).unwrap_or(0),
        }
    }

    /// Removes the message at a position. Later messages move up.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn remove(&self, place: usize) {
        let held = self.held();
        if held > place + 1 {
            if place == 0 {
                self.first.set(self.others[0].get());
                self.first_content.set(self.other_contents[0].get());
            }
            if held > 2 {
                self.others[0].set(self.others[1].get());
                self.other_contents[0].set(self.other_contents[1].get());
            }
        }
        self.held.set(self.held.get() - 1);
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn has(&self, place: usize, envelope: &Envelope) -> bool {
        let (sender, content) = self.slot(place);
        let sender = sender.get() & !(PRICED | RENDEZVOUS);
        sender == Sender::of(envelope).0 && content.get().tag == envelope.tag
    }

    /// Returns the messages in the line, oldest first, without their numbers.
    pub(super) fn letters(&self) -> impl Iterator<Item = Letter> {
        (0..self.held()).map(|place| {
            let (sender, content) = self.slot(place);
            let (sender, content) = (sender.get(), content.get());
            Letter {
                envelope: Envelope {
                    source: sender & SOURCE,
                    context: if sender & COLLECTIVE == 0 {
                        Context::Program
                    } else {
                        Context::Collective
                    },
                    tag: content.tag,
                },
                bytes: content.bytes,
                time_s: content.time_s,
                envelope_s: content.time_s,
                mode: mode(sender),
                number: 0,
            }
        })
    }

    /// Shifts the times of the messages in the line. `by_s` returns by how much, given the sender.
    pub(super) fn shift_letters(&self, by_s: impl Fn(u32) -> f64) {
        for place in 0..self.held() {
            let (sender, cell) = self.slot(place);
            let content = cell.get();
            let time_s = content.time_s + by_s(sender.get() & SOURCE);
            cell.set(Content { time_s, ..content });
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn slot(&self, place: usize) -> (&Cell<u32>, &Cell<Content>) {
        match place {
            0 => (&self.first, &self.first_content),
            1 => (&self.others[0], &self.other_contents[0]),
            _ => (&self.others[1], &self.other_contents[1]),
        }
    }

    /// Makes the rank wait for a message with this source and context. The tag doesn't matter.
    #[inline]
    pub(crate) fn want(&self, envelope: &Envelope) {
        self.wanted.set(Sender::of(envelope).0);
    }

    /// Ends the rank's wait if it is for a message like `envelope`. Returns `true` if it was.
    #[inline]
    pub(crate) fn satisfy(&self, envelope: &Envelope) -> bool {
        let wanted = self.wanted.get() == Sender::of(envelope).0;
        if wanted {
            self.wanted.set(0);
        }
        wanted
    }

    pub(crate) fn want_nothing(&self) {
        self.wanted.set(0);
    }
}

const _: () = assert!(SOURCE & (FULL | COLLECTIVE | PRICED | RENDEZVOUS) == 0 && RENDEZVOUS > 0);

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(source: u32, context: Context, tag: i64, priced: bool) -> Letter {
        Letter {
            envelope: Envelope {
                source,
                context,
                tag,
            },
            bytes: 7,
            time_s: 2.5,
            envelope_s: 2.5,
            mode: if priced { Mode::Priced } else { Mode::Eager },
            number: 0,
        }
    }

    #[test]
    fn the_usual_case_is_one_cache_line() {
        assert_eq!((size_of::<Line>(), align_of::<Line>()), (128, 64));
        assert_eq!(std::mem::offset_of!(Line, others), 64);
    }

    #[test]
    fn a_message_comes_out_as_it_went_in() {
        let line = Line::default();
        for context in [Context::Program, Context::Collective] {
            for (source, tag, priced) in [(0, 0, true), (UNITS_MAX - 1, i64::MIN, false)] {
                let letter = letter(source, context, tag, priced);
                for _ in 0..HELD_MAX {
                    assert!(line.put(&letter));
                }
                assert!(!line.put(&letter), "it is full");
                for _ in 0..HELD_MAX {
                    assert_eq!(line.take(&letter.envelope), Some(Found::of(&letter)));
                }
                assert_eq!(line.take(&letter.envelope), None);
            }
        }
    }

    #[test]
    fn messages_keep_their_order() {
        let line = Line::default();
        let envelope = |source| letter(source, Context::Program, 0, false).envelope;
        for (source, bytes) in [(1, 0), (2, 1), (1, 2)] {
            let letter = Letter {
                bytes,
                ..letter(source, Context::Program, 0, false)
            };
            assert!(line.put(&letter));
        }
        let take = |source| line.take(&envelope(source)).map(|letter| letter.bytes);
        assert_eq!(
            [take(2), take(1), take(1), take(1)],
            [Some(1), Some(0), Some(2), None]
        );
    }

    #[test]
    fn only_its_envelope_takes_a_message() {
        let line = Line::default();
        assert!(line.put(&letter(5, Context::Program, 1, true)));
        for (source, context, tag) in [
            (4, Context::Program, 1),
            (5, Context::Collective, 1),
            (5, Context::Program, 2),
        ] {
            assert_eq!(
                line.take(&Envelope {
                    source,
                    context,
                    tag
                }),
                None
            );
        }
    }
}
