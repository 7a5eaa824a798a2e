//! Parses the lines in the block of a rank.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use prophet_text::Problem;

use super::graph::{GoalGraph, Operation, OperationKind, Partner};
use crate::event::SIZE_MAX;
use crate::graph::Moment;
use crate::lines::Lines;

const OPERATIONS_MAX: u32 = u32::MAX / 2;

/// Removes comments, which can span several lines.
#[derive(Debug, Default)]
pub(super) struct Cleaner {
    is_within: bool,
}

impl Cleaner {
    pub(super) fn clean<'l>(&mut self, line: &'l str) -> Cow<'l, str> {
        if !self.is_within && !line.contains('/') {
            return Cow::Borrowed(line);
        }
        let (mut clean, mut rest) = (String::new(), line);
        loop {
            if self.is_within {
                let Some(end) = rest.find("*/") else { break };
                (self.is_within, rest) = (false, &rest[end + 2..]);
            }
            let begin = rest.find("/*");
            let line_comment = rest.find("//");
            match (begin, line_comment) {
                (Some(begin), other) if other.is_none_or(|other| begin < other) => {
                    clean.push_str(&rest[..begin]);
                    clean.push(' ');
                    (self.is_within, rest) = (true, &rest[begin + 2..]);
                }
                (_, Some(end)) => {
                    clean.push_str(&rest[..end]);
                    break;
                }
                _ => {
                    clean.push_str(rest);
                    break;
                }
            }
        }
        Cow::Owned(clean)
    }
}

pub(super) fn number(word: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let value = word.parse().ok();
    value.filter(|it| range.contains(it)).ok_or_else(|| {
        format!(
            "expected a whole number from {} to {}, found `{word}`",
            range.start(),
            range.end()
        )
    })
}

pub(super) fn graph(lines: &mut Lines, ranks: u32) -> Result<GoalGraph, Problem> {
    let mut graph = GoalGraph::default();
    let mut labels: BTreeMap<String, u32> = BTreeMap::new();
    let mut cleaner = Cleaner::default();
    while lines.advance()? {
        let clean = cleaner.clean(lines.text());
        let read = statement(&clean, ranks, &mut graph, &mut labels);
        read.map_err(|why| lines.problem(why))?;
    }
    graph.finish();
    Ok(graph)
}

fn statement(
    line: &str,
    ranks: u32,
    graph: &mut GoalGraph,
    labels: &mut BTreeMap<String, u32>,
) -> Result<(), String> {
    let (label, rest) = match line.split_once(':') {
        Some((label, rest)) => (Some(label.trim()), rest),
        None => (None, line),
    };
    let words: Vec<&str> = rest.split_ascii_whitespace().collect();
    match words.as_slice() {
        [] if label.is_none() => Ok(()),
        [later, word @ ("requires" | "irequires"), earlier] if label.is_none() => {
            let find = |label: &str| {
                let found = labels.get(label).copied();
                found.ok_or_else(|| format!("no earlier operation has the label `{label}`"))
            };
            let moment = match *word {
                "requires" => Moment::End,
                _ => Moment::Start,
            };
            graph.require(find(later)?, moment, find(earlier)?);
            Ok(())
        }
        words => {
            if graph.len() >= OPERATIONS_MAX {
                return Err("the rank has too many operations".to_owned());
            }
            let number = graph.add(operation(words, ranks)?);
            if let Some(label) = label
                && labels.insert(label.to_owned(), number).is_some()
            {
                return Err(format!("duplicate label `{label}`"));
            }
            Ok(())
        }
    }
}

fn operation(words: &[&str], ranks: u32) -> Result<Operation, String> {
    let (what, size, rest) = match words {
        ["calc", time, rest @ ..] => (OperationKind::Calculate, number(time, 0..=SIZE_MAX)?, rest),
        ["send", size, "to", rank, rest @ ..] => {
            let (partner, rest) = partner(rank, rest, ranks)?;
            if partner.rank.is_none() {
                return Err("a send needs a receiver".to_owned());
            }
            (OperationKind::Send(partner), bytes(size)?, rest)
        }
        ["recv", size, "from", rank, rest @ ..] => {
            let (partner, rest) = partner(rank, rest, ranks)?;
            (OperationKind::Receive(partner), bytes(size)?, rest)
        }
        _ => {
            let expected = "`calc`, `send … to …`, `recv … from …`, `requires` nor `irequires`";
            return Err(format!("`{}` is neither {expected}", words.join(" ")));
        }
    };
    // A rank does one thing at a time, on any CPU.
    for pair in rest.chunks(2) {
        let ["cpu" | "nic", word] = *pair else {
            let pair = pair.join(" ");
            return Err(format!("`{pair}` is neither `cpu N` nor `nic N`"));
        };
        number(word, 0..=255)?;
    }
    Ok(Operation { what, size })
}

/// Parses a message's partner, and returns it with the remaining words.
fn partner<'w, 'l>(
    rank: &str,
    rest: &'w [&'l str],
    ranks: u32,
) -> Result<(Partner, &'w [&'l str]), String> {
    let open = |word: &str, most: u64| match word {
        "-1" => Ok(None),
        word => number(word, 0..=most).map(|it| u32::try_from(it).ok()),
    };
    let last = ranks - 1;
    let rank = open(rank, last.into())
        .map_err(|_| format!("unknown rank `{rank}`: the trace has ranks 0 to {last}"))?;
    Ok(match rest {
        ["tag", tag, rest @ ..] => {
            let tag = open(tag, u64::from(u32::MAX - 1))?;
            (Partner { rank, tag }, rest)
        }
        rest => (Partner { rank, tag: Some(0) }, rest),
    })
}

/// Parses a number of bytes, such as `8b`.
fn bytes(word: &str) -> Result<u64, String> {
    let digits = word.strip_suffix('b');
    let digits = digits.ok_or_else(|| format!("expected a size such as `8b`, found `{word}`"))?;
    number(digits, 0..=SIZE_MAX)
}
