//! Turns the nodes of a rank into tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::node::{ChakraNode, Comm, Type};
use crate::event::{Collective, Group, Kind, Message, RankEvent, SIZE_MAX, Work};
use crate::graph::{Graph, Moment};
use crate::tasks::{Groups, TASKS_MAX, Task, TaskAction, TaskCall, Tasks};

const CPU: u32 = 0;
const GPU: u32 = 1;
const NETWORK: u32 = 2;
const RECEIVES: u32 = 3;
/// Maximum number of receives that wait at the same time, on one rank and on all ranks together.
const WAITING_MAX: u32 = 1 << 16;
const WAITING_OF_RANK: u32 = 1 << 10;
const MICRO_S: f64 = 1e-6;

#[derive(Debug)]
pub(super) struct ChakraRank<'m> {
    pub(super) number: u32,
    pub(super) ranks: u32,
    /// Group members by group name.
    pub(super) members: &'m BTreeMap<String, Vec<u32>>,
}

impl ChakraRank<'_> {
    /// Returns the nodes as tasks, sorted by their numbers.
    pub(super) fn tasks(
        &self,
        mut nodes: Vec<ChakraNode>,
        groups: &mut Groups,
    ) -> Result<Tasks, String> {
        nodes.sort_by_key(|it| it.id);
        if nodes.len() > TASKS_MAX {
            return Err(format!("there are more than {TASKS_MAX} nodes"));
        }
        if let Some(pair) = nodes.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(format!("duplicate node {}", pair[0].id));
        }
        let mut tasks = Tasks::default();
        let receives = nodes.iter().filter(|it| it.kind == Type::Receive).count();
        let waiting = (WAITING_MAX / self.ranks.max(1)).clamp(16, WAITING_OF_RANK);
        let waiting = u32::try_from(receives).unwrap_or(u32::MAX).min(waiting);
        for (name, places) in [
            ("CPU", 1),
            ("GPU", 1),
            ("network", 1),
            ("receives", waiting),
        ] {
            tasks.unit(name, places);
        }
        for node in &nodes {
            let told = |why: String| format!("node {}: {why}", node.id);
            let (unit, doing) = self.unit_and_action(node, groups).map_err(told)?;
            tasks.graph.add(Task {
                doing,
                unit,
                delay_s: 0.0,
                name: node.id,
            });
        }
        connect(&mut tasks.graph, &nodes, true)?;
        if tasks.graph.order().len() < nodes.len() {
            // Converters turn all other dependencies into data dependencies, but keep callers, some
            // of which wait for the nodes that they call.
            connect(&mut tasks.graph, &nodes, false)?;
        }
        tasks.finish()?;
        Ok(tasks)
    }

    fn unit_and_action(
        &self,
        node: &ChakraNode,
        groups: &mut Groups,
    ) -> Result<(u32, TaskAction), String> {
        let measured = (node.micros > 0.0).then_some(node.micros * MICRO_S);
        let work = match measured {
            Some(seconds) => Work::seconds(seconds),
            None => Work::flops(node.operations),
        };
        let timed = |event| {
            let seconds = measured;
            TaskAction::Call(Box::new(TaskCall { event, seconds }))
        };
        Ok(match node.kind {
            Type::Invalid | Type::Metadata => (CPU, TaskAction::Nothing),
            // The part of a library call that runs on the host.
            _ if node.is_cpu => (CPU, TaskAction::Compute(work)),
            Type::Compute => (GPU, TaskAction::Kernel(work)),
            Type::Load | Type::Store if measured.is_none() && node.tensor > 0 => {
                let bytes = node.tensor;
                return Err(format!(
                    "it moves {bytes} bytes of memory but has no duration"
                ));
            }
            Type::Load | Type::Store => (NETWORK, TaskAction::Copy(work.seconds)),
            // Converted PyTorch traces can lack the partner, or the kind of collective.
            Type::Collective if node.comm.kind.is_none() && measured.is_some() => {
                (NETWORK, timed(None))
            }
            Type::Collective => (NETWORK, timed(self.collective(&node.comm, groups)?)),
            Type::Send if node.comm.target.is_none() && measured.is_some() => {
                (NETWORK, timed(None))
            }
            Type::Receive if node.comm.source.is_none() && measured.is_some() => {
                (RECEIVES, timed(None))
            }
            Type::Send => {
                let to = self.message(&node.comm, node.comm.target, "comm_dst")?;
                (NETWORK, timed(Some(RankEvent::Send(to))))
            }
            Type::Receive => {
                let from = self.message(&node.comm, node.comm.source, "comm_src")?;
                (RECEIVES, timed(Some(RankEvent::Receive(from))))
            }
        })
    }

    fn message(&self, comm: &Comm, peer: Option<u64>, name: &str) -> Result<Message, String> {
        let peer = peer.ok_or_else(|| format!("it needs `{name}`"))?;
        let known = u32::try_from(peer).ok().filter(|it| *it < self.ranks);
        let Some(known) = known else {
            return Err(format!(
                "unknown rank {peer}: the trace has {} ranks",
                self.ranks
            ));
        };
        Ok(Message {
            peer: Some(known),
            tag: Some(i64::try_from(comm.tag).unwrap_or(i64::MAX)),
            bytes: Some(size(comm)?),
        })
    }

    /// Returns a node's collective; `None` if this rank is the group's only member.
    fn collective(&self, comm: &Comm, groups: &mut Groups) -> Result<Option<RankEvent>, String> {
        let kind = match comm.kind {
            Some(0) => Kind::AllReduce,
            Some(1) => Kind::Reduce,
            Some(2) => Kind::AllGather,
            Some(3) => Kind::Gather,
            Some(4) => Kind::Scatter,
            Some(5) => Kind::Broadcast,
            Some(6) => Kind::AllToAll,
            Some(7 | 8) => Kind::ReduceScatter,
            Some(9) => Kind::Barrier,
            Some(other) => return Err(format!("unknown collective {other}")),
            None => return Err("it needs `comm_type`".to_owned()),
        };
        if comm.has_dimensions {
            return Err(
                "`involved_dim` omits dimensions of the network; list the ranks as a group with \
                        `pg_name` and `comm_group.json`"
                    .to_owned(),
            );
        }
        let group = self.group(&comm.group, groups)?;
        let count = group
            .as_ref()
            .map_or(self.ranks as usize, |it| it.members.len());
        if count < 2 {
            return Ok(None);
        }
        let mut bytes = if kind == Kind::Barrier {
            0
        } else {
            size(comm)?
        };
        if kind == Kind::AllToAll {
            bytes /= count as u64;
        }
        let root = comm
            .source
            .and_then(|it| u32::try_from(it).ok())
            .unwrap_or(0);
        let place = |it: &Arc<Group>| it.members.iter().position(|it| *it == root);
        let place = group.as_ref().map_or(Some(root as usize), place);
        let place = place.and_then(|it| u32::try_from(it).ok());
        let root = place.filter(|it| (*it as usize) < count).unwrap_or(0);
        let collective = Collective::even(kind, root, bytes).of(root, group);
        Ok(Some(RankEvent::Collective(collective)))
    }

    /// Returns the group with this name; `None` for all ranks.
    fn group(&self, name: &str, groups: &mut Groups) -> Result<Option<Arc<Group>>, String> {
        let Some(members) = self.members.get(name) else {
            // As in ASTRA-sim, the default group contains all ranks.
            return match name {
                "" | "0" => Ok(None),
                _ => Err(format!(
                    "unknown group `{name}`: list its ranks in `comm_group.json` next to the \
                     trace, such as {{\"{name}\": [0, 1]}}"
                )),
            };
        };
        if members.is_empty() {
            return Ok(None);
        }
        if !members.contains(&self.number) {
            let rank = self.number;
            return Err(format!("rank {rank} is not in its group `{name}`"));
        }
        if let Some(rank) = members.iter().find(|it| **it >= self.ranks) {
            let ranks = self.ranks;
            return Err(format!(
                "its group contains rank {rank}, but the trace has {ranks} ranks"
            ));
        }
        Ok(groups.of(members.clone(), self.ranks))
    }
}

/// Makes nodes wait for their dependencies. `nodes` must be sorted by number.
fn connect(graph: &mut Graph<Task>, nodes: &[ChakraNode], has_callers: bool) -> Result<(), String> {
    graph.disconnect();
    let place = |id: &u64| nodes.binary_search_by_key(id, |it| it.id).ok();
    for (number, node) in (0..).zip(nodes) {
        if let Some(id) = node.after.iter().find(|it| place(it).is_none()) {
            let node = node.id;
            return Err(format!("node {node} waits for node {id}, which is missing"));
        }
        let callers = node.callers.iter().filter(|_| has_callers);
        for earlier in node.after.iter().chain(callers).filter_map(place) {
            let earlier = u32::try_from(earlier).unwrap_or(u32::MAX);
            graph.require(number, Moment::End, earlier);
        }
    }
    graph.finish();
    Ok(())
}

fn size(comm: &Comm) -> Result<u64, String> {
    let bytes = comm.bytes.ok_or("it needs `comm_size`")?;
    if bytes > SIZE_MAX {
        return Err(format!(
            "its size of {bytes} bytes is above the maximum of {SIZE_MAX}"
        ));
    }
    Ok(bytes)
}
