//! Reads the collectives and messages that NCCL kernels perform, as `PyTorch` 2.2 and later
//! describe them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::event::{Blocks, Collective, Kind, Message, RankEvent, SIZE_MAX};
use crate::json;
use crate::tasks::Groups;

/// Parts of collectives' names, longer ones first.
const NAMES: [(&str, Kind); 10] = [
    ("allreduce", Kind::AllReduce),
    ("allgather", Kind::AllGather),
    ("reducescatter", Kind::ReduceScatter),
    ("alltoall", Kind::AllToAll),
    ("broadcast", Kind::Broadcast),
    ("barrier", Kind::Barrier),
    ("gather", Kind::Gather),
    ("scatter", Kind::Scatter),
    ("reduce", Kind::Reduce),
    ("scan", Kind::Scan),
];

/// The job's ranks that have a file, in order. They are the ranks of the trace.
#[derive(Debug)]
pub(super) struct World(Vec<u32>);

impl World {
    pub(super) fn new(ranks: Vec<u32>) -> Self {
        Self(ranks)
    }

    fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Converts a rank of the job to a rank of the trace.
    fn place(&self, rank: u32) -> Option<u32> {
        let place = self.0.binary_search(&rank).ok()?;
        u32::try_from(place).ok()
    }
}

/// Returns a kernel's call and the name of its process group; `None` if the event has no size, or
/// if any of its ranks has no file. `named` contains the members of process groups.
pub(super) fn event(
    kernel: &Map<String, Value>,
    named: &BTreeMap<String, Vec<u32>>,
    world: &World,
    groups: &mut Groups,
) -> Option<RankEvent> {
    let word = |name: &str| kernel.get(name).and_then(Value::as_str);
    let name = word("Collective name")?.to_lowercase().replace('_', "");
    let group = word("Process Group Name").unwrap_or_default();
    let bytes = |name: &str| {
        let elements = kernel.get(name).and_then(json::whole)?;
        let bytes = elements.checked_mul(bytes_of(word("dtype")?)?)?;
        Some(bytes).filter(|it| *it <= SIZE_MAX)
    };
    let message = |peer: &str, bytes: Option<u64>| {
        let peer = kernel.get(peer).and_then(json::whole)?;
        let peer = world.place(u32::try_from(peer).ok()?)?;
        // Messages of different groups don't match.
        let tag = named.keys().position(|it| it == group);
        Some(Message {
            peer: Some(peer),
            tag: Some(tag.and_then(|it| i64::try_from(it).ok()).unwrap_or(0)),
            bytes: Some(bytes?),
        })
    };
    match &*name {
        "send" => return message("Dst Rank", bytes("In msg nelems")).map(RankEvent::Send),
        "recv" => return message("Src Rank", bytes("Out msg nelems")).map(RankEvent::Receive),
        _ => {}
    }
    let kind = NAMES.iter().find(|(it, _)| name.contains(it))?.1;
    let members = members(kernel, named, group)?;
    let members: Option<Vec<u32>> = members.into_iter().map(|it| world.place(it)).collect();
    let members = members.filter(|it| it.len() > 1)?;
    let size = bytes("In msg nelems")?;
    let count = members.len() as u64;
    let mut collective = match kind {
        Kind::Barrier => Collective::even(kind, 0, 0),
        Kind::AllToAll => Collective::even(kind, 0, size / count),
        _ => Collective::even(kind, 0, size),
    };
    if kind == Kind::AllToAll {
        let sent = parts(kernel, "In split size", size, &members, world);
        let received = bytes("Out msg nelems");
        let received = received.and_then(|it| parts(kernel, "Out split size", it, &members, world));
        if let (Some(sent), Some(received)) = (sent, received) {
            collective.blocks = Some(Box::new(Blocks { sent, received }));
        }
    }
    let group = groups.of(members, world.count());
    Some(RankEvent::Collective(collective.of(0, group)))
}

/// Returns how many bytes each rank of the trace sends or receives if the sizes in a call differ.
fn parts(
    kernel: &Map<String, Value>,
    name: &str,
    bytes: u64,
    members: &[u32],
    world: &World,
) -> Option<Vec<u64>> {
    let rows = kernel.get(name).and_then(json::ranks)?;
    let sum: u64 = rows.iter().map(|it| u64::from(*it)).sum();
    if rows.len() != members.len() || sum == 0 {
        return None;
    }
    let mut all = vec![0; world.0.len()];
    for (member, rows) in members.iter().zip(rows) {
        let part = u128::from(bytes) * u128::from(rows) / u128::from(sum);
        all[*member as usize] = u64::try_from(part).unwrap_or(SIZE_MAX);
    }
    Some(all)
}

/// Returns the ranks of the job in a kernel's group. The event itself truncates long lists.
fn members(
    kernel: &Map<String, Value>,
    named: &BTreeMap<String, Vec<u32>>,
    group: &str,
) -> Option<Vec<u32>> {
    let listed = kernel.get("Process Group Ranks").and_then(json::ranks);
    let listed = listed.or_else(|| named.get(group).cloned());
    if listed.is_some() {
        return listed.filter(|it| !it.is_empty());
    }
    let whole = |name: &str| {
        let number = kernel.get(name).and_then(json::whole)?;
        u32::try_from(number).ok()
    };
    let first = whole("Global rank start")?;
    let (stride, count) = (whole("Global rank stride")?, whole("Group size")?);
    if stride == 0 || count > 1 << 20 {
        return None;
    }
    (0..count)
        .map(|it| first.checked_add(it.checked_mul(stride)?))
        .collect()
}

fn bytes_of(name: &str) -> Option<u64> {
    Some(match name {
        "Float" | "Int" | "UInt32" => 4,
        "Half" | "BFloat16" | "Short" | "UInt16" => 2,
        "Double" | "Long" | "UInt64" | "ComplexFloat" => 8,
        "Byte" | "Char" | "Bool" => 1,
        "ComplexDouble" => 16,
        _ if name.starts_with("Float8") => 1,
        _ => return None,
    })
}
