//! Interprets the actions of time-independent traces and their arguments.

use std::collections::VecDeque;
use std::str::SplitAsciiWhitespace;

use super::Actions;
use crate::event::{Blocks, Collective, Kind, Message, RankEvent, Work};

/// Sizes of data types in bytes, by their numbers in traces.
const TYPES: [u64; 55] = [
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8, 8,
    16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 32, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32,
];

/// Largest size or count. The sum of a million such sizes doesn't overflow.
const SIZE_MAX: f64 = 1e12;

/// Actions that are often written, for suggestions.
const ACTIONS: [&str; 14] = [
    "allreduce",
    "alltoall",
    "barrier",
    "bcast",
    "compute",
    "finalize",
    "gather",
    "init",
    "irecv",
    "isend",
    "recv",
    "reduce",
    "send",
    "wait",
];

struct Words<'w> {
    action: &'w str,
    arguments: Vec<&'w str>,
    element_bytes: u64,
}

impl Words<'_> {
    /// Parses a number, which may be negative.
    fn real(&self, place: usize) -> Result<f64, String> {
        let (action, number) = (self.action, place + 1);
        let Some(word) = self.arguments.get(place) else {
            let example = match action {
                "compute" => ", the number of operations, such as `0 compute 1e6`",
                "send" | "isend" | "recv" | "irecv" => {
                    ": the partner, the tag and the size, such as `0 send 1 0 1000`"
                }
                _ => "",
            };
            return Err(format!("`{action}` needs argument {number}{example}"));
        };
        let value = word.parse().ok().filter(|it: &f64| it.is_finite());
        value.ok_or_else(|| {
            format!("argument {number} of `{action}` is `{word}`, which is not a number")
        })
    }

    fn amount(&self, place: usize) -> Result<f64, String> {
        let value = self.real(place)?;
        if value < 0.0 {
            let (action, number) = (self.action, place + 1);
            return Err(format!(
                "argument {number} of `{action}` is {value}, which is less than 0"
            ));
        }
        Ok(value)
    }

    fn count(&self, place: usize) -> Result<u64, String> {
        let value = self.amount(place)?;
        if value > SIZE_MAX {
            let (action, number) = (self.action, place + 1);
            return Err(format!(
                "argument {number} of `{action}` is {value}, which is too large for a size"
            ));
        }
        Ok(whole(value))
    }

    /// Parses a number of elements, and returns their size in bytes. The data type is the argument
    /// at `type_place`.
    fn bytes(&self, place: usize, type_place: usize) -> Result<u64, String> {
        Ok(self.count(place)? * self.type_bytes(type_place)?)
    }

    fn type_bytes(&self, place: usize) -> Result<u64, String> {
        let Some(word) = self.arguments.get(place) else {
            return Ok(self.element_bytes);
        };
        let number = word.parse().ok();
        let size = number.and_then(|number: usize| TYPES.get(number));
        size.copied()
            .ok_or_else(|| format!("`{}`: unknown data type `{word}`", self.action))
    }

    /// Parses an integer. If it is negative, the property stays open.
    fn number(&self, place: usize) -> Result<i64, String> {
        let value = self.real(place)?;
        let word = self.arguments[place];
        word.parse().map_err(|_| {
            format!(
                "argument {} of `{}` is {value}, which is not a whole number",
                place + 1,
                self.action
            )
        })
    }

    /// Parses a list of counts that starts at `place`, and returns the sizes in bytes.
    fn list(&self, place: usize, count: usize, type_bytes: u64) -> Result<Vec<u64>, String> {
        (place..place + count)
            .map(|place| Ok(self.count(place)? * type_bytes))
            .collect()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it has been checked"
)]
fn whole(value: f64) -> u64 {
    value as u64
}

/// Partner of a message that no process receives (`MPI_UNDEFINED` in `SMPI`).
const NO_RANK: i64 = -333;

impl Actions {
    pub(super) fn read(
        &mut self,
        mut words: SplitAsciiWhitespace<'_>,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        let Some(action) = words.next() else {
            return Err("the line has no action".to_owned());
        };
        if self.is_over {
            return Err("there is an action after `finalize`".to_owned());
        }
        let action = action.to_ascii_lowercase();
        let words = Words {
            action: &action,
            arguments: words.collect(),
            element_bytes: self.element_bytes,
        };
        match action.as_str() {
            "init" => self.element_bytes = if words.arguments.is_empty() { 1 } else { 8 },
            "finalize" => self.is_over = true,
            // These take no time, or their time depends on the actions around them.
            "comm_size" | "comm_split" | "comm_dup" | "location" | "test" | "iprobe" => {}
            "compute" => events.push_back(RankEvent::Compute(Work::flops(words.amount(0)?))),
            "sleep" => events.push_back(RankEvent::Compute(Work::seconds(words.amount(0)?))),
            "send" | "isend" | "recv" | "irecv" | "wait" | "waitall" | "sendrecv" => {
                events.push_back(match self.message(&words)? {
                    Some(event) => event,
                    None => return Ok(()),
                });
            }
            _ => {
                let (collective, flops) = self.collective(&words)?;
                events.push_back(RankEvent::Collective(collective));
                if flops > 0.0 {
                    events.push_back(RankEvent::Compute(Work::flops(flops)));
                }
            }
        }
        Ok(())
    }

    /// Returns an action that involves two ranks; `None` if it does nothing.
    fn message(&mut self, words: &Words<'_>) -> Result<Option<RankEvent>, String> {
        let me = i64::from(self.rank);
        Ok(Some(match words.action {
            "waitall" => {
                if !self.requests.end_all() {
                    return Ok(None);
                }
                RankEvent::WaitAll
            }
            "wait" => {
                let key = (words.number(0)?, words.number(1)?, words.number(2)?);
                if key.0 == NO_RANK || key.1 == NO_RANK {
                    return Ok(None);
                }
                let Some(request) = self.requests.end(&key) else {
                    let (from, to, tag) = key;
                    return Err(format!(
                        "`wait` expects a message from {from} to {to} with tag {tag}, but no \
                         action has started it"
                    ));
                };
                RankEvent::Wait(request)
            }
            "sendrecv" => RankEvent::Exchange {
                to: self.end_of(words.number(1)?, 0, Some(words.bytes(0, 4)?))?,
                from: self.end_of(words.number(3)?, 0, Some(words.bytes(2, 5)?))?,
            },
            action => {
                let (peer, tag) = (words.number(0)?, words.number(1)?);
                if peer == NO_RANK {
                    return Ok(None);
                }
                let bytes = match action {
                    "recv" | "irecv" if words.real(2)? < 0.0 => None,
                    _ => Some(words.bytes(2, 3)?),
                };
                let message = self.end_of(peer, tag, bytes)?;
                match action {
                    "send" | "isend" if message.peer.is_none() || message.tag.is_none() => {
                        return Err(format!("`{action}` needs a receiver and a tag"));
                    }
                    "send" => RankEvent::Send(message),
                    "recv" => RankEvent::Receive(message),
                    "isend" => RankEvent::BeginSend(message, self.requests.begin((me, peer, tag))),
                    _ => RankEvent::BeginReceive(message, self.requests.begin((peer, me, tag))),
                }
            }
        }))
    }

    /// Returns a message to or from this partner. A negative number leaves a property open.
    fn end_of(&self, peer: i64, tag: i64, bytes: Option<u64>) -> Result<Message, String> {
        let ranks = self.ranks;
        if peer >= i64::from(ranks) {
            return Err(format!("unknown rank {peer}: the trace has {ranks} ranks"));
        }
        Ok(Message {
            peer: u32::try_from(peer).ok(),
            tag: (tag >= 0).then_some(tag),
            bytes,
        })
    }

    fn root(&self, words: &Words<'_>, place: usize) -> Result<u32, String> {
        if place >= words.arguments.len() {
            return Ok(0);
        }
        let root = words.number(place)?;
        let rank = u32::try_from(root).ok().filter(|it| *it < self.ranks);
        rank.ok_or_else(|| format!("unknown rank {root}: the trace has {} ranks", self.ranks))
    }

    /// Returns a collective, and the number of operations after it.
    fn collective(&self, words: &Words<'_>) -> Result<(Collective, f64), String> {
        let even = |kind, root, bytes| Collective::even(kind, root, bytes);
        Ok(match words.action {
            "barrier" => (even(Kind::Barrier, 0, 0), 0.0),
            "bcast" => {
                let root = self.root(words, 1)?;
                (even(Kind::Broadcast, root, words.bytes(0, 2)?), 0.0)
            }
            "reduce" => {
                let root = self.root(words, 2)?;
                let bytes = words.bytes(0, 3)?;
                (even(Kind::Reduce, root, bytes), words.amount(1)?)
            }
            "allreduce" | "scan" | "exscan" => {
                let kind = match words.action {
                    "allreduce" => Kind::AllReduce,
                    _ => Kind::Scan,
                };
                (even(kind, 0, words.bytes(0, 2)?), words.amount(1)?)
            }
            "alltoall" => (even(Kind::AllToAll, 0, words.bytes(0, 2)?), 0.0),
            "allgather" => (even(Kind::AllGather, 0, words.bytes(0, 2)?), 0.0),
            "gather" => {
                let root = self.root(words, 2)?;
                (even(Kind::Gather, root, words.bytes(0, 3)?), 0.0)
            }
            "scatter" => {
                let root = self.root(words, 2)?;
                (even(Kind::Scatter, root, words.bytes(1, 4)?), 0.0)
            }
            "reducescatter" => self.reduce_scatter(words)?,
            "alltoallv" | "allgatherv" | "gatherv" | "scatterv" => (self.uneven(words)?, 0.0),
            action => {
                let near = prophet_text::did_you_mean(action, ACTIONS);
                return Err(format!("unknown action `{action}`{near}"));
            }
        })
    }

    fn reduce_scatter(&self, words: &Words<'_>) -> Result<(Collective, f64), String> {
        let ranks = self.ranks as usize;
        let counts = words.list(0, ranks, words.type_bytes(ranks + 1)?)?;
        let sum = counts.iter().sum();
        let flops = words.amount(ranks)?;
        Ok((Collective::even(Kind::ReduceScatter, 0, sum), flops))
    }

    fn uneven(&self, words: &Words<'_>) -> Result<Collective, String> {
        let ranks = self.ranks as usize;
        let (kind, root, blocks) = match words.action {
            "alltoallv" => {
                let sent = words.list(1, ranks, words.type_bytes(2 * ranks + 2)?)?;
                let received = words.list(ranks + 2, ranks, words.type_bytes(2 * ranks + 3)?)?;
                (Kind::AllToAll, 0, Blocks { sent, received })
            }
            "allgatherv" => {
                // Displacements can follow the counts, with or without a data type before them.
                let given = words.arguments.len();
                let (sent_type, received_type) = if given > 2 * ranks + 1 || given <= ranks + 3 {
                    (words.type_bytes(ranks + 1)?, words.type_bytes(ranks + 2)?)
                } else {
                    (words.element_bytes, words.element_bytes)
                };
                let sent = vec![words.count(0)? * sent_type; ranks];
                let received = words.list(1, ranks, received_type)?;
                (Kind::AllGather, 0, Blocks { sent, received })
            }
            "gatherv" => {
                let root = self.root(words, ranks + 1)?;
                let mut blocks = Blocks {
                    sent: vec![0; root as usize + 1],
                    received: Vec::new(),
                };
                blocks.sent[root as usize] = words.bytes(0, ranks + 2)?;
                if root == self.rank {
                    blocks.received = words.list(1, ranks, words.type_bytes(ranks + 3)?)?;
                }
                (Kind::Gather, root, blocks)
            }
            _ => {
                let root = self.root(words, ranks + 1)?;
                let mut blocks = Blocks {
                    sent: Vec::new(),
                    received: vec![0; root as usize + 1],
                };
                blocks.received[root as usize] = words.bytes(ranks, ranks + 3)?;
                if root == self.rank {
                    blocks.sent = words.list(0, ranks, words.type_bytes(ranks + 2)?)?;
                }
                (Kind::Scatter, root, blocks)
            }
        };
        Ok(Collective::uneven(kind, root, self.rank, blocks))
    }
}
