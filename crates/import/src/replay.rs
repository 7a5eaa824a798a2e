//! Replays a trace as a program of the runtime, in which each rank reads its events while it runs.
//!
//! | module | is |
//! |---|---|
//! | `tasks` | overlapping tasks, as threads of a process |
//! | `untaken` | messages that no rank receives |

mod tasks;
mod untaken;

use std::ffi::OsString;
use std::path::Path;

use prophet_runtime::{
    ANY, ActionPlus, AllGather, AllReduce, AllToAll, BRecv, BSend, Barrier, Broadcast, ByMachine,
    Gather, Int, Message, Model, NBRecv, NBSend, Parameter, ProcessCtx, Reduce, ReduceScatter,
    Scan, Scatter, SendRecv, Stopped, Value, Wait,
};
use prophet_text::Problem;

use crate::event::{self, Blocks, Collective, Group, Kind, Work};
use crate::requests::EXCHANGED;
use crate::{ImportedTrace, RankEvent};
use untaken::{Messages, Untaken};

const COMPUTE: ActionPlus = ActionPlus::new(0, "compute", 1);
const SEND: BSend = BSend::new(1, "send", 2);
const RECEIVE: BRecv = BRecv::new(2, "receive", 3);
const BEGIN_SEND: NBSend = NBSend::new(3, "begin send", 4);
const BEGIN_RECEIVE: NBRecv = NBRecv::new(4, "begin receive", 5);
const WAIT: Wait = Wait::new(5, "wait", 6);
const EXCHANGE: SendRecv = SendRecv::new(6, "exchange", 7);
const BARRIER: Barrier = Barrier::new(7, "barrier", 8);
const BROADCAST: Broadcast = Broadcast::new(8, "broadcast", 9);
const REDUCE: Reduce = Reduce::new(9, "reduce", 10);
const GATHER: Gather = Gather::new(10, "gather", 11);
const SCATTER: Scatter = Scatter::new(11, "scatter", 12);
const ALL_REDUCE: AllReduce = AllReduce::new(12, "allreduce", 13);
const ALL_GATHER: AllGather = AllGather::new(13, "allgather", 14);
const ALL_TO_ALL: AllToAll = AllToAll::new(14, "alltoall", 15);
const REDUCE_SCATTER: ReduceScatter = ReduceScatter::new(15, "reducescatter", 16);
const SCAN: Scan = Scan::new(16, "scan", 17);
/// A collective that takes as long as it did in the trace.
const GATHERED: AllReduce = AllReduce::new(21, "collective", 22);
const ELEMENTS: u32 = 22;
/// Number of kinds of collectives, including one that takes as long as it did in the trace. Each
/// group of ranks has an element for each kind.
const KINDS: u32 = 11;

/// The speed of a CPU (0 means the speed of the machine's hosts), and relative speeds for tasks. If
/// the relative network speed is 0, the machine's network determines the time of communication.
const SPEEDS: [Parameter; 4] = [
    Parameter::new("FLOPS_PER_S", Value::Real(0.0)),
    Parameter::new("CPU_SPEED", Value::Real(1.0)),
    Parameter::new("GPU_SPEED", Value::Real(1.0)),
    Parameter::new("NETWORK_SPEED", Value::Real(0.0)),
];
const CPU_SPEED: usize = 1;
const GPU_SPEED: usize = 2;
const NETWORK_SPEED: usize = 3;
/// Flag that selects `SimGrid`'s algorithms for the collectives of a `SimGrid` trace.
const RULE: [&str; 2] = ["--collective", "rule=simgrid"];
/// Tag for the messages of collectives with different block sizes. No trace uses this tag.
const BLOCK_TAG: i64 = 1 << 40;

/// What determines how long a rank computes.
#[derive(Debug)]
struct Speeds {
    /// Each node's operations per second, if the machine specifies them.
    nodes: Vec<f64>,
}

/// Replays a trace with the flags of generated programs, and returns the exit code.
pub(crate) fn replay(
    trace: &ImportedTrace,
    path: &Path,
    flags: &[OsString],
) -> Result<u8, Problem> {
    let speeds = Speeds {
        nodes: speeds(flags)?,
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let name: &str = name.into_owned().leak();
    // Each group has its own collective elements, because an element splits the ranks only once.
    let groups = trace.groups().saturating_mul(KINDS);
    let parameters = &SPEEDS[..if trace.tasks().is_some() { 4 } else { 1 }];
    let model = Model::new(name, parameters, ELEMENTS.saturating_add(groups));
    let untaken = Untaken::default();
    let program = async |ctx: &ProcessCtx<'_>| run(ctx, trace, path, (&speeds, &untaken)).await;
    // Later flags override this one.
    let rule: &[&str] = if trace.is_of_simgrid() { &RULE } else { &[] };
    let arguments = std::iter::once(name.into()).chain(rule.iter().map(Into::into));
    let places = trace.tasks().map(crate::tasks::TaskTrace::places);
    let arguments = arguments.chain(with_layout(flags, trace.ranks(), places));
    let code = prophet_runtime::main_interpreted(&model, program, arguments, || ());
    if code == 0 {
        untaken.tell(path, trace.ranks());
    }
    Ok(code)
}

fn value<'f>(flags: &'f [OsString], name: &str) -> Option<&'f str> {
    let mut words = flags.iter().filter_map(|it| it.to_str());
    while let Some(word) = words.next() {
        match word.strip_prefix(name) {
            Some("") => return words.next(),
            Some(rest) if rest.starts_with('=') => return rest.get(1..),
            _ => {}
        }
    }
    None
}

/// Adds flags that put each rank of the trace on its own node, unless `flags` says otherwise. For
/// traces of tasks, a node has as many CPUs as its rank has places.
fn with_layout(flags: &[OsString], ranks: u32, places: Option<u32>) -> Vec<OsString> {
    let nodes = value(flags, "--nodes").and_then(|it| it.parse::<u32>().ok());
    let mut flags = flags.to_vec();
    let has = |name| value(&flags, name).is_some();
    let is_placed = has("--nodes") || has("--machine") || has("--cpus-per-node");
    let is_counted = has("--processes");
    let has_cpus = has("--machine") || has("--cpus-per-node");
    if let Some(places) = places.filter(|_| !has_cpus) {
        let on_node = ranks.div_ceil(nodes.unwrap_or(ranks).max(1));
        let cpus = places.saturating_mul(on_node).max(1);
        flags.extend(["--cpus-per-node".into(), cpus.to_string().into()]);
    }
    if !is_placed {
        flags.extend(["--nodes".into(), ranks.to_string().into()]);
    }
    if !is_counted {
        flags.extend(["--processes".into(), ranks.to_string().into()]);
    }
    flags
}

/// Returns the speeds of the hosts if the machine is a platform file.
fn speeds(flags: &[OsString]) -> Result<Vec<f64>, Problem> {
    let is_platform = |name: &&str| Path::new(name).extension().is_some_and(|it| it == "xml");
    let Some(file) = value(flags, "--machine").filter(is_platform) else {
        return Ok(Vec::new());
    };
    let read = prophet_platform::Read::file(Path::new(file))?;
    let hosts = read.platform.hosts().iter();
    Ok(hosts.map(|host| host.speed).collect())
}

async fn run(
    ctx: &ProcessCtx<'_>,
    trace: &ImportedTrace,
    path: &Path,
    (speeds, untaken): (&Speeds, &Untaken),
) -> Result<(), Stopped> {
    let ranks = trace.ranks();
    if ctx.num_processes().0 != i64::from(ranks) {
        let why = format!("the trace has {ranks} ranks; run it with `--processes {ranks}`");
        return Err(Problem::of(path, why).into());
    }
    let rank = u32::try_from(ctx.pid().0).unwrap_or(u32::MAX);
    if let Some(all) = trace.tasks() {
        let tasks = &all.ranks[rank as usize];
        return tasks::run(ctx, (rank, tasks), path, speeds).await;
    }
    let mut events = trace.events(rank)?;
    let mut messages = Messages::default();
    while let Some(event) = events.next_event()? {
        messages.count(&event);
        match event {
            RankEvent::Compute(work) if work == Work::default() => {}
            RankEvent::Compute(work) => {
                let cost_s = speeds.cost_s(ctx, path, work)?;
                COMPUTE.execute(ctx, cost_s).await?;
            }
            event => communicate(ctx, rank, &event, 0).await?,
        }
    }
    untaken.add(rank, messages);
    Ok(())
}

/// Sends, receives, waits, or takes part in a collective. A process can do this in several places
/// at the same time.
async fn communicate(
    ctx: &ProcessCtx<'_>,
    rank: u32,
    event: &RankEvent,
    place: u32,
) -> Result<(), Stopped> {
    match event {
        RankEvent::Compute(_) => Ok(()),
        RankEvent::Send(message) => {
            let (peer, message) = sent(*message);
            SEND.execute(ctx, peer, message, ByMachine).await
        }
        RankEvent::Receive(message) => {
            let (peer, message) = received(*message);
            RECEIVE.execute(ctx, peer, message, ByMachine).await
        }
        RankEvent::BeginSend(message, request) => {
            let (peer, message) = sent(*message);
            let send = BEGIN_SEND.request(*request, "request");
            send.execute(ctx, peer, message, ByMachine).await
        }
        RankEvent::BeginReceive(message, request) => {
            let (peer, message) = received(*message);
            let receive = BEGIN_RECEIVE.request(*request, "request");
            receive.execute(ctx, peer, message, ByMachine).await
        }
        RankEvent::Wait(request) => WAIT.request(*request, "request").execute(ctx).await,
        RankEvent::WaitAll => WAIT.execute(ctx).await,
        RankEvent::Exchange { to, from } => exchange(ctx, *to, *from).await,
        RankEvent::Collective(collective) => {
            if let Some(blocks) = &collective.blocks {
                exchange_blocks(ctx, rank, blocks, place).await
            } else {
                run_collective(ctx, collective).await
            }
        }
    }
}

impl Speeds {
    fn cost_s(&self, ctx: &ProcessCtx<'_>, path: &Path, work: Work) -> Result<f64, Problem> {
        if work.flops == 0.0 {
            return Ok(work.seconds);
        }
        let mut speed = ctx.real_parameter(0);
        if speed == 0.0 {
            let node = usize::try_from(ctx.nid().0).unwrap_or(usize::MAX);
            speed = self.nodes.get(node).copied().unwrap_or(0.0);
        }
        if speed <= 0.0 {
            let why = "the trace counts operations; set the speed of a CPU, for example with \
                       `--flops-per-s 1e9`, or choose a machine that declares speeds";
            return Err(Problem::of(path, why));
        }
        Ok(work.seconds + work.flops / speed)
    }
}

fn relative(ctx: &ProcessCtx<'_>, path: &Path, parameter: usize) -> Result<f64, Problem> {
    let speed = ctx.real_parameter(parameter);
    if speed > 0.0 {
        return Ok(speed);
    }
    let name = SPEEDS[parameter].name;
    let why = format!("`{name}` is {speed}; expected a number above 0");
    Err(Problem::of(path, why))
}

/// Returns the receiver, and the message with its size and tag.
fn sent(message: event::Message) -> (i64, Message) {
    let bytes = message.bytes.unwrap_or(0);
    let tag = message.tag.unwrap_or(0);
    let sized = Message::bytes(i64::try_from(bytes).unwrap_or(i64::MAX));
    (message.peer.map_or(-1, i64::from), sized.tag(tag))
}

/// Returns the sender, and the message with its size and tag, if known.
fn received(message: event::Message) -> (i64, Message) {
    let sized = match message.bytes {
        Some(bytes) => Message::bytes(i64::try_from(bytes).unwrap_or(i64::MAX)),
        None => Message::any_size(),
    };
    let tag = message.tag.unwrap_or(ANY.0);
    (message.peer.map_or(ANY.0, i64::from), sized.tag(tag))
}

async fn exchange(
    ctx: &ProcessCtx<'_>,
    to: event::Message,
    from: event::Message,
) -> Result<(), Stopped> {
    if to.bytes == from.bytes && to.tag == from.tag {
        let (dest, message) = sent(to);
        let (source, _) = received(from);
        return EXCHANGE
            .execute(ctx, dest, source, message, ByMachine)
            .await;
    }
    let (source, message) = received(from);
    let [first, second] = EXCHANGED;
    let receive = BEGIN_RECEIVE.request(first, "receive");
    receive.execute(ctx, source, message, ByMachine).await?;
    let (dest, message) = sent(to);
    let send = BEGIN_SEND.request(second, "send");
    send.execute(ctx, dest, message, ByMachine).await?;
    WAIT.request(first, "receive").execute(ctx).await?;
    WAIT.request(second, "send").execute(ctx).await
}

/// Starts all sends and receives of a collective's blocks, then waits for them.
async fn exchange_blocks(
    ctx: &ProcessCtx<'_>,
    rank: u32,
    blocks: &Blocks,
    place: u32,
) -> Result<(), Stopped> {
    let of = |sizes: &[u64]| -> Vec<(i64, i64)> {
        let sizes = (0..).zip(sizes);
        let others = sizes.filter(|(peer, bytes)| *peer != i64::from(rank) && **bytes > 0);
        others
            .map(|(peer, bytes)| (peer, i64::try_from(*bytes).unwrap_or(i64::MAX)))
            .collect()
    };
    let (received, sent) = (of(&blocks.received), of(&blocks.sent));
    // Blocks can be exchanged in several places at the same time.
    let request = EXCHANGED[0] - 4 * place;
    for (peer, bytes) in &received {
        let message = Message::bytes(*bytes).tag(BLOCK_TAG);
        let receive = BEGIN_RECEIVE.request(request, "blocks");
        receive.execute(ctx, *peer, message, ByMachine).await?;
    }
    for (peer, bytes) in &sent {
        let message = Message::bytes(*bytes).tag(BLOCK_TAG);
        let send = BEGIN_SEND.request(request, "blocks");
        send.execute(ctx, *peer, message, ByMachine).await?;
    }
    if received.is_empty() && sent.is_empty() {
        return Ok(());
    }
    WAIT.request(request, "blocks").execute(ctx).await
}

async fn run_collective(ctx: &ProcessCtx<'_>, collective: &Collective) -> Result<(), Stopped> {
    let bytes = i64::try_from(collective.bytes).unwrap_or(i64::MAX);
    let root = i64::from(collective.root);
    let free = ByMachine;
    if let Some(group) = &collective.group {
        return run_in_group(ctx, collective, group).await;
    }
    match collective.kind {
        Kind::Barrier => BARRIER.execute(ctx, free).await,
        Kind::Broadcast => BROADCAST.execute(ctx, root, bytes, free).await,
        Kind::Reduce => REDUCE.execute(ctx, root, bytes, free).await,
        Kind::Gather => GATHER.execute(ctx, root, bytes, free).await,
        Kind::Scatter => SCATTER.execute(ctx, root, bytes, free).await,
        Kind::AllReduce => ALL_REDUCE.execute(ctx, bytes, free).await,
        Kind::AllGather => ALL_GATHER.execute(ctx, bytes, free).await,
        Kind::AllToAll => ALL_TO_ALL.execute(ctx, bytes, free).await,
        Kind::ReduceScatter => REDUCE_SCATTER.execute(ctx, bytes, free).await,
        Kind::Scan => SCAN.execute(ctx, bytes, free).await,
    }
}

async fn gather(
    ctx: &ProcessCtx<'_>,
    collective: &Collective,
    seconds: f64,
) -> Result<(), Stopped> {
    let Some(group) = &collective.group else {
        return GATHERED.execute(ctx, 0, seconds).await;
    };
    let index = first_of(group) + KINDS - 1;
    let element = AllReduce::new(index, "collective", i64::from(index) + 1);
    let color = |it: &ProcessCtx<'_>| color(group, it);
    element.execute(ctx, 0, seconds).comm(color).await
}

fn first_of(group: &Group) -> u32 {
    ELEMENTS + KINDS * group.number
}

/// Returns a value that distinguishes a group's processes from all others.
fn color(group: &Group, ctx: &ProcessCtx<'_>) -> Int {
    let is_member = |it: &u32| i64::from(*it) == ctx.pid().0;
    Int(i64::from(group.members.iter().any(is_member)))
}

/// Runs a group's collective with its own element, because an element splits the ranks only once.
async fn run_in_group(
    ctx: &ProcessCtx<'_>,
    collective: &Collective,
    group: &Group,
) -> Result<(), Stopped> {
    let bytes = i64::try_from(collective.bytes).unwrap_or(i64::MAX);
    let root = i64::from(collective.root);
    let color = |it: &ProcessCtx<'_>| color(group, it);
    let first = first_of(group);
    macro_rules! run {
        ($place:literal, $kind:ident $(, $value:expr)*) => {{
            let index = first + $place;
            let element = $kind::new(index, collective.kind.name(), i64::from(index) + 1);
            element.execute(ctx $(, $value)*, ByMachine).comm(color).await
        }};
    }
    match collective.kind {
        Kind::Barrier => run!(0, Barrier),
        Kind::Broadcast => run!(1, Broadcast, root, bytes),
        Kind::Reduce => run!(2, Reduce, root, bytes),
        Kind::Gather => run!(3, Gather, root, bytes),
        Kind::Scatter => run!(4, Scatter, root, bytes),
        Kind::AllReduce => run!(5, AllReduce, bytes),
        Kind::AllGather => run!(6, AllGather, bytes),
        Kind::AllToAll => run!(7, AllToAll, bytes),
        Kind::ReduceScatter => run!(8, ReduceScatter, bytes),
        Kind::Scan => run!(9, Scan, bytes),
    }
}
