//! Parses the lines of `liballprof` traces, which `LogGOPSim`'s `schedgen` reads too:
//! `FUNCTION:START:ARGUMENTS:END`, with times in microseconds. A data type is written as
//! `HANDLE,SIZE,EXTENT`, a communicator as `HANDLE,RANK,SIZE`, and an array of counts as an address
//! and a list.

use prophet_text::Problem;

use super::rank::CallState;
use super::record::{CallArgument, CommunicatorRanks, MpiCall, fixed};
use crate::lines::Lines;

/// Names of each function's arguments; `-` for an argument that isn't needed.
const ARGUMENTS: [(&str, &str); 43] = [
    ("Send", "- count datatype dest tag comm"),
    ("Bsend", "- count datatype dest tag comm"),
    ("Ssend", "- count datatype dest tag comm"),
    ("Rsend", "- count datatype dest tag comm"),
    ("Recv", "- count datatype source tag comm -"),
    ("Isend", "- count datatype dest tag comm request"),
    ("Ibsend", "- count datatype dest tag comm request"),
    ("Issend", "- count datatype dest tag comm request"),
    ("Irsend", "- count datatype dest tag comm request"),
    ("Irecv", "- count datatype source tag comm request"),
    ("Send_init", "- count datatype dest tag comm request"),
    ("Bsend_init", "- count datatype dest tag comm request"),
    ("Ssend_init", "- count datatype dest tag comm request"),
    ("Rsend_init", "- count datatype dest tag comm request"),
    ("Recv_init", "- count datatype source tag comm request"),
    ("Start", "request"),
    ("Startall", "count requests"),
    ("Request_free", "request"),
    ("Wait", "request -"),
    ("Waitall", "count requests -"),
    ("Waitany", "count requests - -"),
    ("Waitsome", "count requests - - -"),
    (
        "Sendrecv",
        "- sendcount sendtype dest sendtag - recvcount recvtype source recvtag comm -",
    ),
    (
        "Sendrecv_replace",
        "- count datatype dest sendtag source recvtag comm -",
    ),
    ("Barrier", "comm"),
    ("Bcast", "- count datatype root comm"),
    ("Reduce", "- - count datatype - root comm"),
    ("Allreduce", "- - count datatype - comm"),
    ("Scan", "- - count datatype - comm"),
    ("Exscan", "- - count datatype - comm"),
    (
        "Gather",
        "- sendcount sendtype - recvcount recvtype root comm",
    ),
    (
        "Scatter",
        "- sendcount sendtype - recvcount recvtype root comm",
    ),
    (
        "Allgather",
        "- sendcount sendtype - recvcount recvtype comm",
    ),
    ("Alltoall", "- sendcount sendtype - recvcount recvtype comm"),
    (
        "Gatherv",
        "- sendcount sendtype - - recvcounts - - recvtype root comm",
    ),
    (
        "Scatterv",
        "- - sendcounts - - sendtype - recvcount recvtype root comm",
    ),
    (
        "Allgatherv",
        "- sendcount sendtype - - recvcounts - - recvtype comm",
    ),
    (
        "Alltoallv",
        "- - sendcounts - - sendtype - - recvcounts - - recvtype comm",
    ),
    ("Reduce_scatter", "- - - recvcounts datatype - comm"),
    ("Reduce_scatter_block", "- - recvcount datatype - comm"),
    ("Init", "- -"),
    ("Init_thread", "- - - -"),
    ("Finalize", ""),
];

/// Upper bytes of `MPICH`'s communicator handles.
const MPICH: [i64; 2] = [0x44, 0x84];

/// Reads the next call of a rank. Returns `false` at the end.
pub(super) fn next(
    lines: &mut Lines,
    rank: &CallState,
    record: &mut MpiCall,
) -> Result<bool, Problem> {
    while lines.advance()? {
        let text = lines.text().trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        return match read(text, rank, record) {
            Ok(()) => Ok(true),
            Err(why) => Err(lines.problem(why)),
        };
    }
    Ok(false)
}

fn read(text: &str, rank: &CallState, record: &mut MpiCall) -> Result<(), String> {
    let mut fields = text.split(':').map(str::trim);
    let first = fields.next().unwrap_or_default();
    let Some(function) = first.strip_prefix("MPI_") else {
        return Err(format!(
            "the line starts with `{first}`, which is not an MPI call"
        ));
    };
    let mut fields: Vec<&str> = fields.collect();
    let (Some(end), true) = (fields.pop(), !fields.is_empty()) else {
        return Err(format!("the line of `MPI_{function}` is cut off"));
    };
    function.clone_into(&mut record.function);
    // The tracer itself synchronizes clocks before the last call.
    let is_last = function == "Finalize";
    record.start_ns = time(fields[0], function)?.filter(|_| !is_last);
    record.end_ns = time(end, function)?;
    record.arguments.clear();
    let names = ARGUMENTS.iter().find(|it| it.0 == function);
    let Some((_, names)) = names else {
        return Ok(());
    };
    let values = &fields[1..];
    let expected = names.split_ascii_whitespace().count();
    if values.len() != expected {
        let given = values.len();
        return Err(format!(
            "`MPI_{function}` needs {expected} arguments, found {given}"
        ));
    }
    for (name, text) in names.split_ascii_whitespace().zip(values) {
        if name != "-" {
            let value = value(name, text, rank);
            let value = value
                .ok_or_else(|| format!("the `{name}` of `MPI_{function}` is invalid: `{text}`"))?;
            record.arguments.push((name, value));
        }
    }
    translate(record);
    Ok(())
}

/// Parses a time in microseconds; `None` if the tracer couldn't measure it.
fn time(text: &str, function: &str) -> Result<Option<u64>, String> {
    if text == "-" {
        return Ok(None);
    }
    let time = fixed(text, 3).map(Some);
    time.ok_or_else(|| format!("`MPI_{function}` has the time `{text}`, which is not a number"))
}

fn value(name: &str, text: &str, rank: &CallState) -> Option<CallArgument> {
    let mut numbers = text.split(',').map(|it| it.trim().parse::<i64>().ok());
    match name {
        "datatype" | "sendtype" | "recvtype" => {
            let handle = numbers.next()??;
            let bytes = match numbers.next() {
                Some(size) => Some(u64::try_from(size?).ok()?),
                None => None,
            };
            Some(CallArgument::Type { handle, bytes })
        }
        "comm" => {
            let (handle, own, size) = (numbers.next()??, numbers.next()??, numbers.next()??);
            let members = match size {
                size if size == i64::from(rank.ranks()) && own == i64::from(rank.number()) => {
                    CommunicatorRanks::All
                }
                1 => CommunicatorRanks::Own,
                _ => CommunicatorRanks::Some,
            };
            Some(CallArgument::Communicator { handle, members })
        }
        "sendcounts" | "recvcounts" => Some(CallArgument::List(numbers.collect::<Option<_>>()?)),
        _ => text.parse().ok().map(CallArgument::Number),
    }
}

/// Swaps `MPICH`'s sources -1 and -2, so that -1 means any source.
fn translate(record: &mut MpiCall) {
    let is_mpich = match record.value("comm") {
        Some(CallArgument::Communicator { handle, .. }) => MPICH.contains(&(handle >> 24)),
        _ => false,
    };
    let source = record.arguments.iter_mut().find(|it| it.0 == "source");
    if let Some((_, CallArgument::Number(number))) = source.filter(|_| is_mpich)
        && *number < 0
    {
        *number = -3 - *number;
    }
}
