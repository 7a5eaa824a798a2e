//! Reads the events of a file that have a duration.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use prophet_text::Problem;
use serde_json::{Map, Value};

use crate::json;

const EVENTS_MAX: usize = 1 << 26;
const THREADS_MAX: usize = 1 << 12;
/// Largest time in microseconds. With this limit, sums don't overflow.
const MICROS_MAX: f64 = 4e15;

pub(super) type Ns = i64;

#[derive(Debug, Default)]
pub(super) struct Profile {
    pub(super) rank: Option<u32>,
    pub(super) groups: BTreeMap<String, Vec<u32>>,
    pub(super) spans: Vec<Span>,
    /// Kernels, copies and other work on streams.
    pub(super) works: Vec<StreamWork>,
    /// Waits for streams, by the correlation of the waiting call.
    pub(super) waits: BTreeMap<u64, Waited>,
    pub(super) threads: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: Ns,
    pub(super) end: Ns,
    pub(super) thread: usize,
    pub(super) kind: SpanKind,
    /// Number that a call shares with what it launches.
    pub(super) correlation: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SpanKind {
    Operation,
    /// A call that waits for all work, for a stream, or for an event.
    Synchronize {
        of_all: bool,
    },
    /// A copy, which may block the thread until it ends.
    Copy,
    /// A call that makes a stream wait for an event.
    StreamWait,
    /// A call that records an event in a stream.
    Record,
    Call,
}

/// A device and one of its streams.
pub(super) type Stream = (u64, u64);

#[derive(Debug)]
pub(super) struct StreamWork {
    pub(super) start: Ns,
    pub(super) end: Ns,
    pub(super) stream: Stream,
    pub(super) correlation: u64,
    pub(super) what: StreamWorkKind,
}

#[derive(Debug)]
pub(super) enum StreamWorkKind {
    Kernel,
    Copy,
    /// An NCCL kernel, with the data of its trace event.
    Comm(Box<Map<String, Value>>),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Waited {
    /// The waiting stream, or the stream that the call waits for.
    pub(super) stream: u64,
    /// The stream to wait for, and the call that recorded the event in it.
    pub(super) event: Option<(u64, u64)>,
}

impl Profile {
    pub(super) fn read(path: &Path, text: &str) -> Result<Self, Problem> {
        let mut profile = Self::default();
        let mut threads = BTreeMap::new();
        let mut wrong = None;
        let top = Top(&mut |key: &str, value: Value| {
            if key == "distributedInfo" {
                profile.describe(&value);
            } else if wrong.is_none() {
                wrong = profile.add(&value, &mut threads).err();
            }
        });
        let mut reader = serde_json::Deserializer::from_str(text);
        let read = serde::de::DeserializeSeed::deserialize(top, &mut reader);
        read.and_then(|()| reader.end())
            .map_err(|it| json::problem(path, &it))?;
        if let Some(why) = wrong {
            return Err(Problem::of(path, why));
        }
        if profile.spans.is_empty() && profile.works.is_empty() {
            let why = "the trace does not contain an operation, call or kernel that takes time";
            return Err(Problem::of(path, why));
        }
        profile.threads = threads.len();
        profile
            .spans
            .sort_by_key(|it| (it.start, it.thread, -it.end));
        profile.works.sort_by_key(|it| (it.start, it.stream));
        Ok(profile)
    }

    fn describe(&mut self, info: &Value) {
        let rank = info.get("rank").and_then(json::whole);
        self.rank = rank.and_then(|it| u32::try_from(it).ok());
        let groups = info.get("pg_config").and_then(Value::as_array);
        for group in groups.into_iter().flatten() {
            let name = group.get("pg_name").and_then(Value::as_str);
            let ranks = group.get("ranks").and_then(json::ranks);
            if let (Some(name), Some(ranks)) = (name, ranks) {
                self.groups.insert(name.to_owned(), ranks);
            }
        }
    }

    fn add(&mut self, event: &Value, threads: &mut Threads) -> Result<(), String> {
        let word = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        if word("ph") != "X" {
            return Ok(());
        }
        let none = Map::new();
        let arguments = event
            .get("args")
            .and_then(Value::as_object)
            .unwrap_or(&none);
        let argument = |name: &str| arguments.get(name).and_then(json::whole);
        let correlation = argument("correlation");
        let name = word("name");
        match word("cat") {
            "cpu_op" | "Operator" => self.span(event, threads, SpanKind::Operation, None),
            "cuda_runtime" | "cuda_driver" | "Runtime" => {
                self.span(event, threads, SpanKind::of(name), correlation)
            }
            "cuda_sync" => {
                let on = argument("wait_on_stream");
                let by = argument("wait_on_cuda_event_record_corr_id");
                if let (Some(correlation), Some(stream)) = (correlation, argument("stream")) {
                    let event = on.zip(by);
                    self.waits.insert(correlation, Waited { stream, event });
                }
                Ok(())
            }
            "kernel" | "Kernel" if is_of_nccl(name) => {
                let mut all = arguments.clone();
                all.insert("name".to_owned(), name.into());
                self.work(event, StreamWorkKind::Comm(Box::new(all)))
            }
            "kernel" | "Kernel" => self.work(event, StreamWorkKind::Kernel),
            "gpu_memcpy" | "Memcpy" | "gpu_memset" | "Memset" => {
                self.work(event, StreamWorkKind::Copy)
            }
            _ => Ok(()),
        }
    }

    fn span(
        &mut self,
        event: &Value,
        threads: &mut Threads,
        kind: SpanKind,
        correlation: Option<u64>,
    ) -> Result<(), String> {
        let (start, end) = times(event)?;
        let key = ["pid", "tid"].map(|it| event.get(it).map(Value::to_string).unwrap_or_default());
        let next = threads.len();
        let thread = *threads.entry(key).or_insert(next);
        if threads.len() > THREADS_MAX {
            return Err(format!("it has more than {THREADS_MAX} threads"));
        }
        if self.spans.len() >= EVENTS_MAX {
            return Err(format!("it has more than {EVENTS_MAX} events"));
        }
        self.spans.push(Span {
            start,
            end,
            thread,
            kind,
            correlation: correlation.unwrap_or(0),
        });
        Ok(())
    }

    fn work(&mut self, event: &Value, what: StreamWorkKind) -> Result<(), String> {
        let (start, end) = times(event)?;
        let arguments = event.get("args");
        let of = |name: &str| arguments.and_then(|it| it.get(name)).and_then(json::whole);
        if self.works.len() >= EVENTS_MAX {
            return Err(format!("it has more than {EVENTS_MAX} kernels"));
        }
        self.works.push(StreamWork {
            start,
            end,
            stream: (of("device").unwrap_or(0), of("stream").unwrap_or(0)),
            correlation: of("correlation").unwrap_or(0),
            what,
        });
        Ok(())
    }
}

type Threads = BTreeMap<[String; 2], usize>;

impl SpanKind {
    fn of(name: &str) -> Self {
        if name.contains("Synchronize") {
            let of_all = ["Device", "Ctx", "Context"]
                .iter()
                .any(|it| name.contains(it));
            return Self::Synchronize { of_all };
        }
        if name.contains("StreamWaitEvent") {
            return Self::StreamWait;
        }
        if name.contains("EventRecord") {
            return Self::Record;
        }
        if name.contains("Memcpy") {
            return Self::Copy;
        }
        Self::Call
    }
}

fn is_of_nccl(name: &str) -> bool {
    let is = |word: &str| {
        name.get(..word.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    is("nccl") || is("rccl")
}

fn times(event: &Value) -> Result<(Ns, Ns), String> {
    let of = |name: &str| {
        let value = event.get(name).map_or(Some(0.0), json::number);
        value.filter(|it| *it <= MICROS_MAX)
    };
    let name = || {
        event
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    let start = of("ts").filter(|it| *it >= 0.0 && event.get("ts").is_some());
    let start = start.ok_or_else(|| format!("the event `{}` needs a time `ts`", name()))?;
    let time = of("dur").filter(|it| *it >= 0.0);
    let time = time.ok_or_else(|| format!("the event `{}` has no valid `dur`", name()))?;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let ns = |micros: f64| micros.trunc() as Ns * 1000 + (micros.fract() * 1e3).round() as Ns;
    Ok((ns(start), ns(start) + ns(time)))
}

/// Visits the top-level values that matter: the events, and the description of ranks.
struct Top<'t>(&'t mut dyn FnMut(&str, Value));

struct EventList<'t>(&'t mut dyn FnMut(&str, Value));

impl<'de> serde::de::DeserializeSeed<'de> for Top<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> serde::de::Visitor<'de> for Top<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a trace of events")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        EventList(self.0).visit_seq(list)
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match &*key {
                "traceEvents" => map.next_value_seed(EventList(self.0))?,
                "distributedInfo" => self.0(&key, map.next_value()?),
                _ => {
                    map.next_value::<serde::de::IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> serde::de::DeserializeSeed<'de> for EventList<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de> serde::de::Visitor<'de> for EventList<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events")
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(event) = list.next_element()? {
            self.0("", event);
        }
        Ok(())
    }
}
