//! The output of `dumpi2ascii`: a line when a call begins, a line for each argument, and a line
//! when it returns, with times in seconds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

use super::rank::CallState;
use super::record::{CallArgument, CommunicatorRanks, MpiCall, fixed};
use crate::lines::Lines;

/// Maximum number of data types or communicators of a rank.
const HANDLES_MAX: usize = 1 << 16;
/// Bytes that are read at a time to find the sizes of types.
const BUFFER: usize = 1 << 16;

/// Arguments that are needed.
const NAMES: [&str; 32] = [
    "count",
    "datatype",
    "dest",
    "source",
    "tag",
    "comm",
    "request",
    "requests",
    "index",
    "indices",
    "outcount",
    "flag",
    "sendcount",
    "sendtype",
    "sendtag",
    "recvcount",
    "recvtype",
    "recvtag",
    "root",
    "sendcounts",
    "recvcounts",
    "oldcomm",
    "newcomm",
    "size",
    "rank",
    "dims",
    "oldtype",
    "newtype",
    "blocklength",
    "lengths",
    "blocklengths",
    "subsizes",
];

/// Sizes of the data types that MPI has, by their names.
const TYPES: [(&str, u64); 27] = [
    ("MPI_DATATYPE_NULL", 0),
    ("MPI_CHAR", 1),
    ("MPI_SIGNED_CHAR", 1),
    ("MPI_UNSIGNED_CHAR", 1),
    ("MPI_BYTE", 1),
    ("MPI_WCHAR", 4),
    ("MPI_SHORT", 2),
    ("MPI_UNSIGNED_SHORT", 2),
    ("MPI_INT", 4),
    ("MPI_UNSIGNED", 4),
    ("MPI_LONG", 8),
    ("MPI_UNSIGNED_LONG", 8),
    ("MPI_FLOAT", 4),
    ("MPI_DOUBLE", 8),
    ("MPI_LONG_DOUBLE", 16),
    ("MPI_LONG_LONG_INT", 8),
    ("MPI_UNSIGNED_LONG_LONG", 8),
    ("MPI_LONG_LONG", 8),
    ("MPI_PACKED", 1),
    ("MPI_LB", 0),
    ("MPI_UB", 0),
    ("MPI_FLOAT_INT", 8),
    ("MPI_DOUBLE_INT", 12),
    ("MPI_LONG_INT", 12),
    ("MPI_SHORT_INT", 6),
    ("MPI_2INT", 8),
    ("MPI_LONG_DOUBLE_INT", 20),
];

/// Reader of a rank's file.
#[derive(Debug)]
pub(super) struct DumpiReader {
    lines: Lines,
    path: PathBuf,
    /// Sizes of data types of the program.
    types: BTreeMap<i64, u64>,
    /// True if `types` has the sizes at the end of the file.
    has_sizes: bool,
    /// Communicators of the program.
    communicators: BTreeMap<i64, CommunicatorRanks>,
}

impl DumpiReader {
    pub(super) fn new(lines: Lines, path: &Path) -> Self {
        Self {
            lines,
            path: path.to_owned(),
            types: BTreeMap::new(),
            has_sizes: false,
            communicators: BTreeMap::new(),
        }
    }

    /// A problem of the call that was read last.
    pub(super) fn problem(&self, why: impl Into<String>) -> Problem {
        self.lines.problem(why)
    }

    /// Reads the next call; false at the end.
    pub(super) fn next(&mut self, rank: &CallState, record: &mut MpiCall) -> Result<bool, Problem> {
        loop {
            if !self.lines.advance()? {
                return Ok(false);
            }
            if let Some((function, time)) = edge(self.lines.text(), "entering") {
                function.clone_into(&mut record.function);
                record.start_ns = Some(time.map_err(|why| self.lines.problem(why))?);
                break;
            }
        }
        record.arguments.clear();
        loop {
            if !self.lines.advance()? {
                let why = format!(
                    "`MPI_{}` never returns: the trace is cut off",
                    record.function
                );
                return Err(self.problem(why));
            }
            let text = self.lines.text();
            if let Some((function, time)) = edge(text, "returning") {
                if function != record.function {
                    let called = &record.function;
                    let why = format!("`MPI_{function}` returns, and `MPI_{called}` was called");
                    return Err(self.problem(why));
                }
                record.end_ns = Some(time.map_err(|why| self.lines.problem(why))?);
                break;
            }
            if edge(text, "entering").is_some() {
                let why = format!("a call begins before `MPI_{}` returns", record.function);
                return Err(self.problem(why));
            }
            let argument = self.argument();
            record
                .arguments
                .extend(argument.map_err(|why| self.problem(why))?);
        }
        self.note(rank, record).map_err(|why| self.problem(why))?;
        Ok(true)
    }

    /// The argument of the current line, if it is needed.
    fn argument(&mut self) -> Result<Option<(&'static str, CallArgument)>, String> {
        let text = self.lines.text().trim_end();
        let Some((left, right)) = text.split_once('=') else {
            return Ok(None);
        };
        let (kind, name) = left.rsplit_once(' ').unwrap_or(("", left));
        let name = name.split('[').next().unwrap_or(name);
        let Some(name) = NAMES.iter().find(|it| **it == name) else {
            return Ok(None);
        };
        let (number, label) = right.split_once(" (").unwrap_or((right, ""));
        let wrong = || format!("the `{name}` is wrong: `{right}`");
        let value = if number == "<IGNORED>" {
            return Ok(None);
        } else if let Some(list) = number.strip_prefix('[') {
            let list = list.strip_suffix(']').ok_or_else(wrong)?;
            let numbers = list.split(',').map(str::trim).filter(|it| !it.is_empty());
            let numbers: Result<Vec<i64>, _> = numbers.map(str::parse).collect();
            CallArgument::List(numbers.map_err(|_| wrong())?)
        } else {
            let number = number.parse().map_err(|_| wrong())?;
            let label = label.trim_end_matches(')');
            match kind {
                "MPI_Datatype" => {
                    let known = TYPES.iter().find(|it| it.0 == label).map(|it| it.1);
                    let bytes = known.or_else(|| self.types.get(&number).copied());
                    let handle = number;
                    CallArgument::Type { handle, bytes }
                }
                "MPI_Comm" => {
                    let members = self.members(number, label);
                    let handle = number;
                    CallArgument::Communicator { handle, members }
                }
                _ => CallArgument::Number(number),
            }
        };
        Ok(Some((name, value)))
    }

    fn members(&self, handle: i64, label: &str) -> CommunicatorRanks {
        match label {
            "MPI_COMM_WORLD" => CommunicatorRanks::All,
            "MPI_COMM_SELF" => CommunicatorRanks::Own,
            _ => self
                .communicators
                .get(&handle)
                .cloned()
                .unwrap_or(CommunicatorRanks::Some),
        }
    }

    /// Notes the data types and communicators of a call.
    fn note(&mut self, rank: &CallState, record: &mut MpiCall) -> Result<(), String> {
        let handle = |name| match record.value(name) {
            Some(CallArgument::Type { handle, .. } | CallArgument::Communicator { handle, .. }) => {
                Some(*handle)
            }
            _ => None,
        };
        if let Some(new) = handle("newcomm") {
            let members = match (record.function.as_str(), record.value("oldcomm")) {
                ("Comm_dup", Some(CallArgument::Communicator { members, .. })) => members.clone(),
                ("Cart_create", _) if product(record, "dims") == Some(i64::from(rank.ranks())) => {
                    CommunicatorRanks::All
                }
                _ => CommunicatorRanks::Some,
            };
            self.communicators.insert(new, members);
        }
        if let (Some(handle), "Comm_size") = (handle("comm"), record.function.as_str()) {
            let size = record.number("size")?;
            let known = self
                .communicators
                .entry(handle)
                .or_insert(CommunicatorRanks::Some);
            if *known == CommunicatorRanks::Some {
                *known = match size {
                    1 => CommunicatorRanks::Own,
                    size if size == i64::from(rank.ranks()) => CommunicatorRanks::All,
                    _ => CommunicatorRanks::Some,
                };
            }
        }
        if let (Some(handle), "Comm_rank") = (handle("comm"), record.function.as_str()) {
            let known = self.communicators.get_mut(&handle);
            if let Some(known) = known.filter(|it| **it == CommunicatorRanks::All)
                && record.number("rank")? != i64::from(rank.number())
            {
                *known = CommunicatorRanks::Some;
            }
        }
        if let (Some(handle), "Type_size") = (handle("datatype"), record.function.as_str()) {
            let size = u64::try_from(record.number("size")?).unwrap_or(0);
            self.types.insert(handle, size);
        }
        if let Some(new) = handle("newtype") {
            match derived_type_bytes(record) {
                Some(bytes) => self.types.insert(new, bytes),
                None => self.types.remove(&new),
            };
        }
        if self.types.len().max(self.communicators.len()) > HANDLES_MAX {
            return Err(format!(
                "there are more than {HANDLES_MAX} types or communicators"
            ));
        }
        self.size(record)
    }

    /// Fills in sizes of types that only the end of the file gives.
    fn size(&mut self, record: &mut MpiCall) -> Result<(), String> {
        for (_, value) in &mut record.arguments {
            if let CallArgument::Type { handle, bytes } = value
                && bytes.is_none()
            {
                if !self.has_sizes {
                    self.has_sizes = true;
                    let sizes = sizes(&self.path).map_err(|it| it.to_string())?;
                    self.types.extend(sizes);
                }
                *bytes = self.types.get(handle).copied();
            }
        }
        Ok(())
    }
}

/// The function and time of a line with which a call begins or ends.
fn edge<'t>(text: &'t str, kind: &str) -> Option<(&'t str, Result<u64, String>)> {
    let rest = text.strip_prefix("MPI_")?;
    let (function, rest) = rest.split_once(' ')?;
    let rest = rest.strip_prefix(kind)?.strip_prefix(" at walltime ")?;
    let mut words = rest.split_ascii_whitespace();
    let word = words.next().unwrap_or_default().trim_end_matches(',');
    let is_first = rest.trim_end().ends_with(" in thread 0.");
    let time = match fixed(word, 9) {
        Some(_) if !is_first => Err("calls of several threads can't be read yet".to_owned()),
        Some(time) => Ok(time),
        None => Err(format!("the walltime is `{word}`, which is no number")),
    };
    Some((function, time))
}

/// The product of a list.
fn product(record: &MpiCall, name: &str) -> Option<i64> {
    match record.value(name)? {
        CallArgument::List(numbers) => numbers
            .iter()
            .try_fold(1_i64, |product, it| product.checked_mul(*it)),
        _ => None,
    }
}

/// The size of a type that a call makes of one other type.
fn derived_type_bytes(record: &MpiCall) -> Option<u64> {
    let old = match record.value("oldtype")? {
        CallArgument::Type { bytes, .. } => (*bytes)?,
        _ => return None,
    };
    let count = record.given("count");
    let sum = |name| match record.value(name) {
        Some(CallArgument::List(numbers)) => numbers
            .iter()
            .try_fold(0_i64, |sum, it| sum.checked_add(*it)),
        _ => None,
    };
    let elements = match record.function.as_str() {
        "Type_dup" | "Type_create_resized" => 1,
        "Type_contiguous" => count?,
        "Type_vector" | "Type_hvector" | "Type_create_hvector" | "Type_create_indexed_block" => {
            count?.checked_mul(record.given("blocklength")?)?
        }
        "Type_indexed" | "Type_hindexed" => sum("lengths")?,
        "Type_create_hindexed" => sum("blocklengths")?,
        "Type_create_subarray" => product(record, "subsizes")?,
        _ => return None,
    };
    u64::try_from(elements).ok()?.checked_mul(old)
}

/// The sizes of types at the end of a file, which `dumpi2ascii -X` writes.
fn sizes(path: &Path) -> Result<BTreeMap<i64, u64>, Problem> {
    let mut sizes = BTreeMap::new();
    let mut lines = Lines::all(path, BUFFER);
    while sizes.len() < HANDLES_MAX && lines.advance()? {
        let Some(rest) = lines.text().strip_prefix("Datatype ") else {
            continue;
        };
        let handle = rest.split_ascii_whitespace().next();
        let size = rest.rsplit_once(" has size ").map(|it| it.1.trim());
        if let (Some(handle), Some(size)) = (handle, size)
            && let (Ok(handle), Ok(size)) = (handle.parse(), size.parse())
        {
            sizes.insert(handle, size);
        }
    }
    Ok(sizes)
}
