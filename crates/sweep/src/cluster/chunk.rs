//! Reads and writes the file of a chunk's rows.
//!
//! The first line names the plan and the chunk, and the last line is a digest of everything before
//! it, so that truncated or edited files are detected. Rows contain only results, because the plan
//! determines the values of the axes. Numbers keep all their digits, so that merged output is the
//! same to the last byte.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::evaluate::{METRICS, PointResults, hex};
use prophet_text::{Problem, plain::line, problem};
use sha2::{Digest, Sha256};

use super::plan::Planned;

/// First word of a chunk file. It includes the version of the format.
const FORMAT: &str = "prophet-sweep-chunk-1";
/// Maximum length of a line in bytes. Failure messages are much shorter.
const LINE_MAX: u64 = 1 << 20;

pub(super) type Outcome = Result<PointResults, String>;

#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk<'p> {
    planned: &'p Planned<'p>,
    number: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChunkState {
    Missing,
    Whole,
    Wrong(String),
}

pub(super) fn folder(plan: &Path) -> PathBuf {
    let mut name = plan.file_name().unwrap_or_default().to_owned();
    name.push(".chunks");
    plan.with_file_name(name)
}

pub(super) fn all<'p>(planned: &'p Planned<'p>) -> impl Iterator<Item = Chunk<'p>> {
    (1..=planned.plan.chunks).map(|number| Chunk { planned, number })
}

impl<'p> Chunk<'p> {
    pub(super) fn new(planned: &'p Planned<'p>, number: u32) -> Result<Self, Problem> {
        let chunks = planned.plan.chunks;
        if (1..=chunks).contains(&number) {
            return Ok(Self { planned, number });
        }
        Err(problem!(
            "unknown chunk {number}: the plan has chunks 1 to {chunks}"
        ))
    }

    pub(super) const fn number(self) -> u32 {
        self.number
    }

    pub(super) fn path(self) -> PathBuf {
        folder(&self.planned.path).join(format!("{:06}.rows", self.number))
    }

    fn head(self) -> String {
        let (digest, chunks) = (&self.planned.digest, self.planned.plan.chunks);
        format!("{FORMAT} {digest} chunk {} of {chunks}", self.number)
    }

    pub(super) fn range(self) -> Range<u64> {
        self.planned.plan.range(self.number)
    }

    pub(super) fn write<W: Write>(self, out: W) -> io::Result<ChunkWriter<W>> {
        let mut writer = ChunkWriter {
            out,
            hash: Sha256::new(),
        };
        writer.write_line(&self.head())?;
        Ok(writer)
    }

    /// Reads the chunk's file, and checks that it is complete and belongs to this plan.
    pub(super) fn state(self) -> ChunkState {
        match self.read(|_, _| Ok(())) {
            Ok(()) => ChunkState::Whole,
            Err(Unread::Missing) => ChunkState::Missing,
            Err(Unread::Wrong(why)) => {
                let path = self.path();
                ChunkState::Wrong(format!("{} {why}", line(&path.display().to_string())))
            }
        }
    }

    /// Passes the chunk's rows with their indices to `take`. Damage at the end of the file is found
    /// only after the rows before it were passed.
    pub(super) fn read(
        self,
        mut take: impl FnMut(u64, Outcome) -> Result<(), Problem>,
    ) -> Result<(), Unread> {
        let file = match File::open(self.path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unread::Missing),
            file => file.map_err(|error| unreadable(&error))?,
        };
        let mut lines = DigestedLines {
            from: BufReader::new(file),
            hash: Sha256::new(),
        };
        self.check_head(&lines.next()?)?;
        for index in self.range() {
            let text = lines.next()?;
            let outcome =
                parse(&text).ok_or_else(|| Unread::Wrong("has been edited".to_owned()))?;
            take(index, outcome).map_err(|why| Unread::Wrong(why.into()))?;
        }
        let digest = hex(&lines.hash.clone().finalize());
        if lines.next()? != format!("end {digest}") {
            return Err(Unread::Wrong("has been edited".to_owned()));
        }
        Ok(())
    }

    fn check_head(self, head: &str) -> Result<(), Unread> {
        let expected = self.head();
        if head == expected {
            return Ok(());
        }
        let words: Vec<&str> = head.split(' ').collect();
        let why = match words[..] {
            [FORMAT, digest, ..] if digest != self.planned.digest => {
                "belongs to another plan".to_owned()
            }
            [FORMAT, _, "chunk", number, ..] => format!("is chunk {}", line(number)),
            _ => "is not a chunk of a sweep, or belongs to another version".to_owned(),
        };
        Err(Unread::Wrong(why))
    }
}

#[derive(Debug)]
pub(super) enum Unread {
    Missing,
    Wrong(String),
}

fn unreadable(error: &io::Error) -> Unread {
    Unread::Wrong(format!("cannot be read: {error}"))
}

/// The lines of a file, and the digest of all lines read so far.
struct DigestedLines<R> {
    from: R,
    hash: Sha256,
}

impl<R: BufRead> DigestedLines<R> {
    fn next(&mut self) -> Result<String, Unread> {
        let mut text = String::new();
        let mut from = (&mut self.from).take(LINE_MAX);
        from.read_line(&mut text)
            .map_err(|error| unreadable(&error))?;
        if !text.ends_with('\n') {
            return Err(Unread::Wrong("ends too early".to_owned()));
        }
        self.hash.update(text.as_bytes());
        text.pop();
        Ok(text)
    }
}

#[derive(Debug)]
pub(super) struct ChunkWriter<W> {
    out: W,
    hash: Sha256,
}

impl<W: Write> ChunkWriter<W> {
    fn write_line(&mut self, text: &str) -> io::Result<()> {
        for part in [text, "\n"] {
            self.hash.update(part.as_bytes());
            self.out.write_all(part.as_bytes())?;
        }
        Ok(())
    }

    pub(super) fn write_row(&mut self, outcome: &Outcome) -> io::Result<()> {
        self.write_line(&text(outcome))
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        let digest = hex(&self.hash.clone().finalize());
        self.write_line(&format!("end {digest}"))?;
        self.out.flush()
    }
}

/// Formats a point's results as a line. Messages don't contain line breaks, because rows are plain
/// text.
fn text(outcome: &Outcome) -> String {
    match outcome {
        Err(message) => format!("failed {message}"),
        Ok(found) => {
            let mut text = format!("found {} {:?}", found.seeds, found.half_width_s);
            for metric in found.metrics {
                // Writing to a string can't fail.
                let _ = write!(text, " {metric:?}");
            }
            text
        }
    }
}

fn parse(text: &str) -> Option<Outcome> {
    if let Some(message) = text.strip_prefix("failed ") {
        return Some(Err(message.to_owned()));
    }
    let mut words = text.strip_prefix("found ")?.split(' ');
    let seeds = words.next()?.parse().ok()?;
    let mut number = || words.next()?.parse::<f64>().ok();
    let half_width_s = number()?;
    let mut metrics = [0.0; METRICS.len()];
    for metric in &mut metrics {
        *metric = number()?;
    }
    words.next().is_none().then_some(Ok(PointResults {
        metrics,
        half_width_s,
        seeds,
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_keep_every_bit(
            bits in proptest::array::uniform16(any::<u64>()),
            seeds in 1..99_u64,
        ) {
            let found = PointResults {
                metrics: bits.map(f64::from_bits),
                half_width_s: f64::from_bits(bits[0] ^ bits[1]),
                seeds,
            };
            let read = parse(&text(&Ok(found))).unwrap().unwrap();
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            prop_assert!(same(read.half_width_s, found.half_width_s));
            for (a, b) in read.metrics.iter().zip(found.metrics) {
                prop_assert!(same(*a, b), "{} {}", a, b);
            }
            prop_assert_eq!(read.seeds, seeds);
        }

        #[test]
        fn no_text_panics(text in ".{0,80}") {
            let _ = parse(&text);
        }
    }
}
