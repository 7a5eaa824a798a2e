//! Examines the start of a file, so that its format can be recognized.

use std::borrow::Cow;

use super::{FileKind, WORKFLOW_PLAN};

#[derive(Debug)]
pub(super) struct Head<'a> {
    /// File extension, in lower case.
    pub(super) ending: String,
    /// Text at the start of the file, without leading bytes that aren't text.
    pub(super) text: Cow<'a, str>,
    bytes: &'a [u8],
    /// Top-level keys if the file is a JSON object.
    keys: Vec<String>,
}

const KEYS_MAX: usize = 256;

/// Returns `true` for text in UTF-16 that isn't XML, which only XML can declare.
pub(super) fn is_utf16_text(head: &Head<'_>) -> bool {
    let is_xml = head.starts(b"\xff\xfe<\0") || head.starts(b"\xfe\xff\0<");
    !is_xml && (head.starts(b"\xff\xfe") || head.starts(b"\xfe\xff"))
}

impl<'a> Head<'a> {
    pub(super) fn new(name: &str, bytes: &'a [u8]) -> Self {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let ending = match name.rsplit_once('.') {
            Some((_, ending)) => ending,
            None if name == "Snakefile" => name,
            None => "",
        };
        let text = String::from_utf8_lossy(bytes);
        let start = text.len()
            - text
                .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n'])
                .len();
        let text = match text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[start..]),
            Cow::Owned(text) => Cow::Owned(text[start..].to_owned()),
        };
        let keys = if text.starts_with('{') {
            top_keys(&text)
        } else {
            Vec::new()
        };
        Self {
            ending: ending.to_ascii_lowercase(),
            text,
            bytes,
            keys,
        }
    }

    pub(super) fn starts(&self, bytes: &[u8]) -> bool {
        self.bytes.starts_with(bytes)
    }

    fn has(&self, mark: &str) -> bool {
        self.text.contains(mark)
    }

    fn has_any(&self, marks: &[&str]) -> bool {
        marks.iter().any(|mark| self.has(mark))
    }

    fn first_line(&self) -> &str {
        first_line(&self.text).unwrap_or_default()
    }

    /// Returns the first line of a trace that isn't a comment.
    fn first_event(&self) -> &str {
        let is_comment = |it: &&str| ["#", "//", "/*"].iter().any(|mark| it.starts_with(mark));
        let mut lines = self.text.lines().map(str::trim);
        lines
            .find(|it| !it.is_empty() && !is_comment(it))
            .unwrap_or_default()
    }

    fn root(&self) -> Option<&str> {
        let mut text = &*self.text;
        loop {
            let rest = text.trim_start().strip_prefix('<')?;
            if !rest.starts_with(['!', '?']) {
                let is_end = |it: char| !it.is_ascii_alphanumeric() && !"_:.-".contains(it);
                return rest.split(is_end).next();
            }
            let end = if rest.starts_with("!--") { "-->" } else { ">" };
            text = &rest[rest.find(end)? + end.len()..];
        }
    }

    fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }

    /// Returns `true` if the file is a JSON object with all of these top-level keys.
    fn has_keys(&self, keys: &[&str]) -> bool {
        { keys.iter() }.all(|key| self.keys.iter().any(|it| it == key))
    }

    /// Returns `true` if the file is TOML with all of these keys before its first table.
    fn has_entries(&self, keys: &[&str]) -> bool {
        let lines = self
            .text
            .lines()
            .take_while(|it| !it.trim_start().starts_with('['));
        let entries = lines.filter_map(|it| it.split_once('='));
        let entries: Vec<&str> = entries
            .map(|it| it.0.trim().trim_matches(['"', '\'']))
            .collect();
        keys.iter().all(|it| entries.contains(it))
    }
}

/// Returns the top-level keys of a JSON object. The text can be cut off.
fn top_keys(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut depth = 0;
    let mut start = None;
    let mut is_escaped = false;
    for (at, letter) in text.bytes().enumerate() {
        match (start, letter) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), b'\\') => is_escaped = true,
            (Some(from), b'"') => {
                let is_key = || text[at + 1..].trim_start().starts_with(':');
                if depth == 1 && is_key() {
                    keys.push(text[from..at].to_owned());
                }
                start = None;
                if keys.len() >= KEYS_MAX {
                    break;
                }
            }
            (None, b'"') => start = Some(at + 1),
            (None, b'{' | b'[') => depth += 1,
            (None, b'}' | b']') => depth -= 1,
            (Some(_) | None, _) => {}
        }
    }
    keys
}

/// Splits a row of a table at tabs or, if it contains no tabs, at commas.
pub fn cells(line: &str) -> Vec<&str> {
    let by = if line.contains('\t') { '\t' } else { ',' };
    line.trim_end_matches('\r')
        .split(by)
        .map(|it| it.trim().trim_matches('"'))
        .collect()
}

/// Returns the first line that isn't a comment.
pub fn first_line(text: &str) -> Option<&str> {
    let is_content = |it: &&str| !it.trim().is_empty() && !it.starts_with('#');
    text.lines().find(is_content)
}

/// What the root elements or first lines of models contain. Models can have any file name.
const OF_MODELS: [&str; 4] = ["<uml:", "<UML:", "<XMI", "prophet/model/"];

/// Top-level JSON keys that occur together only in files of one kind.
const KEYS: [(FileKind, &[&str]); 5] = [
    (FileKind::Statistics, &["total_runtime"]),
    (FileKind::OutputRecord, &["starttime", "rule"]),
    (FileKind::Schedule, &["scheduler", "hosts"]),
    (FileKind::Outcome, &["predicted_time_s"]),
    (FileKind::WfFormat, &["workflow"]),
];

/// Returns `true` if the content shows that a file is of this kind.
pub(super) fn is(kind: FileKind, head: &Head<'_>) -> bool {
    let has_columns = |names: &[&str]| {
        let columns = cells(head.first_line());
        names.iter().all(|it| columns.contains(it))
    };
    let root = || head.root().unwrap_or_default();
    match kind {
        FileKind::Model => is_model(head),
        FileKind::Rules => matches!(root(), "mcl" | "vocabulary"),
        FileKind::Dax => root() == "adag",
        FileKind::Mermaid => head.has("flowchart ") && is_mermaid(head, root()),
        FileKind::Platform => root() == "platform",
        FileKind::Machine => {
            let is_toml = matches!(&*head.ending, "toml" | "");
            root() == "system" || is_toml && head.has_entries(&["name", "source"])
        }
        FileKind::Plan => head.has_entries(&["model"]) && head.ending == "toml",
        FileKind::WorkflowPlan => head.is_object() && head.has(WORKFLOW_PLAN),
        FileKind::Cwl => {
            let keys = ["cwlVersion", "$graph"];
            keys.iter().any(|it| head.has_keys(&[it])) || has_key(head, &keys)
        }
        FileKind::Pegasus => has_key(head, &["pegasus", "x-pegasus", "jobDependencies"]),
        FileKind::Kineto => is_kineto(head),
        FileKind::Chakra => head.is_object() && head.has_any(&OF_CHAKRA),
        FileKind::Statistics
        | FileKind::OutputRecord
        | FileKind::Schedule
        | FileKind::Outcome
        | FileKind::WfFormat => { KEYS.iter() }.any(|it| it.0 == kind && head.has_keys(it.1)),
        FileKind::NextflowTrace => {
            let columns = cells(head.first_line());
            let has = |names: &[&str]| names.iter().any(|it| columns.contains(it));
            let marks = ["realtime", "duration", "complete", "status", "hash"];
            columns.len() > 2 && has(&["name", "process"]) && has(&marks)
        }
        FileKind::Benchmark => has_columns(&["h:m:s", "s"]),
        FileKind::TaskTimes => has_columns(&["task", "seconds"]),
        FileKind::Dot => {
            let is_end = |it: char| !it.is_ascii_alphanumeric();
            let word = head.first_line().split(is_end).next();
            matches!(word, Some("digraph" | "strict"))
        }
        FileKind::Recorded => head.starts(b"ARROW1"),
        FileKind::Goal => head.first_event().starts_with("num_ranks"),
        FileKind::TimeIndependent => is_action(head.first_event()),
        FileKind::Liballprof => {
            let line = head.first_event();
            line.starts_with("MPI_") && line.contains(':')
        }
        FileKind::Measurements => is_measured(head),
        FileKind::Json | FileKind::Otf2 | FileKind::Foreign | FileKind::Empty => false,
    }
}

/// Words in Chakra graphs in JSON.
const OF_CHAKRA: [&str; 5] = [
    "\"workload_graph\"",
    "\"NodeType\"",
    "_NODE\"",
    "Deps\"",
    "_deps\"",
];

/// Returns `true` if the file contains MPI calls in the format of `dumpi2ascii`.
pub(super) fn is_dumpi(head: &Head<'_>) -> bool {
    let line = head.first_event();
    let is_call = line.starts_with("MPI_") && line.contains(" entering at walltime ");
    line.starts_with("version=") || is_call
}

/// Returns `true` if a line is an action of a rank, such as `0 init`.
fn is_action(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let [rank, action] = [(); 2].map(|()| words.next().unwrap_or_default());
    let is_rank = !rank.is_empty() && rank.bytes().all(|it| it.is_ascii_digit());
    is_rank && action.starts_with(|it: char| it.is_ascii_alphabetic())
}

fn is_model(head: &Head<'_>) -> bool {
    let is_text = |it: &str| it.starts_with("@startuml") || it.starts_with("@startactivity");
    head.has_any(&OF_MODELS)
        || !head.text.starts_with('<') && head.text.lines().any(|it| is_text(it.trim()))
}

fn is_mermaid(head: &Head<'_>, root: &str) -> bool {
    let is_page = |it: &str| it.eq_ignore_ascii_case("<!doctype");
    head.first_line().starts_with("flowchart")
        || head.text.get(..9).is_some_and(is_page)
        || root == "html"
}

/// Returns `true` if the file is YAML with one of these top-level keys.
fn has_key(head: &Head<'_>, keys: &[&str]) -> bool {
    let key = |line: &str| Some(line.split_once(':')?.0.trim_matches(['"', '\'']).to_owned());
    !head.text.starts_with(['<', '{', '[']) && { head.text.lines() }
        .filter_map(key)
        .any(|it| keys.contains(&&*it))
}

/// Returns `true` for Kineto profiles: objects with certain keys, or lists of events.
fn is_kineto(head: &Head<'_>) -> bool {
    let keys = [
        "\"traceEvents\"",
        "\"deviceProperties\"",
        "\"distributedInfo\"",
    ];
    match head.text.as_bytes().first() {
        Some(b'[') => head.has("\"ph\""),
        Some(b'{') if head.has_any(&keys) => true,
        // Its events may start later in the file. In WfFormat, the version is a string.
        Some(b'{') => head.has("\"schemaVersion\": 1") || head.has("\"schemaVersion\":1"),
        _ => false,
    }
}

/// Returns `true` for measurements in the formats that `fit` reads.
fn is_measured(head: &Head<'_>) -> bool {
    head.has_keys(&["benchmarks"])
        || head.has_keys(&["results"]) && head.has("\"command\"")
        || head.has_keys(&["jobs"]) && head.has("\"job_id\"")
        || head.has_keys(&["params"])
        || is_log_of_jobs(head)
        || head.starts(b"__rec=")
        || head.first_line().starts_with("PARAMETER ")
}

/// Returns `true` for the output of `sacct`, reports of `/usr/bin/time -v`, and logs of `ReFrame`.
fn is_log_of_jobs(head: &Head<'_>) -> bool {
    let line = head.first_line();
    let is_end = |it: char| it == '|' || it.is_whitespace();
    let has = |name: &str| line.split(is_end).any(|it| it == name);
    let is_sacct = has("JobID") || has("JobIDRaw");
    let is_log = line.contains('|') && has("result") && has("job_completion_time");
    is_sacct || is_log || head.has("Command being timed: \"")
}
