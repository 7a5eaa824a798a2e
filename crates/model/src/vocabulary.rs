//! Lists the tags and the runtime type of each stereotype.
//!
//! Add new stereotypes here first: the generator reads tags according to this table, and handlers
//! look up the names of types in it. Users declare custom stereotypes in files
//! (`docs/vocabulary.md`).

mod kind;
mod own;
mod tag;
mod users;

pub use kind::StereotypeKind;
pub use own::{OWN_MAX, OwnStereotype};
pub use tag::{Pricing, Required, Tag, ValueType};
pub use users::{OwnCrate, Vocabulary};

/// What the vocabulary says about a stereotype.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    pub stereotype: StereotypeKind,
    /// Name of the stereotype's type in the runtime.
    pub runtime_type: &'static str,
    /// What determines the element's cost.
    pub pricing: Pricing,
    /// Tags of this stereotype only, in the order of the runtime's arguments.
    pub tags: &'static [Tag],
}

const fn tag(name: &'static str, required: Required) -> Tag {
    Tag {
        name,
        ty: ValueType::Int,
        required,
    }
}

const fn real(name: &'static str) -> Tag {
    Tag {
        name,
        ty: ValueType::Real,
        required: Required::Never,
    }
}

const KERNEL: &[Tag] = &[
    tag("stream", Required::Never),
    tag("device", Required::Never),
    real("fp64"),
    real("fp32"),
    real("fp16"),
    real("int8"),
    tag("bytes", Required::Never),
    real("share"),
    tag("memory", Required::Never),
];

const TASK: &[Tag] = &[
    tag("cores", Required::Never),
    tag("memory", Required::Never),
    tag("processes", Required::Never),
    real("failure_probability"),
    tag("retries", Required::Never),
];

/// Looks up `stereotype`; `None` if it isn't supported yet.
pub fn word(stereotype: StereotypeKind) -> Option<Word> {
    use StereotypeKind as S;
    const DEST: Tag = tag("dest", Required::Always);
    const SOURCE: Tag = tag("source", Required::Always);
    const SIZE: Tag = tag("size", Required::Unpriced);
    const LIMIT: Tag = tag("size", Required::Never);
    const TAG: Tag = tag("tag", Required::Never);
    const VALUE: Tag = Tag {
        name: "value",
        ty: ValueType::Number,
        required: Required::Never,
    };
    const THREADS: Tag = tag("threads", Required::Never);
    let (runtime_type, pricing, tags): (_, _, &[Tag]) = match stereotype {
        S::ActionPlus => {
            const BYTES: Tag = tag("bytes", Required::With("working_set"));
            const WORKING_SET: Tag = tag("working_set", Required::Never);
            ("ActionPlus", Pricing::Required, &[BYTES, WORKING_SET])
        }
        S::ActivityPlus => ("ActivityPlus", Pricing::Content, &[]),
        S::LoopPlus => {
            const ITERATIONS: Tag = tag("iterations", Required::Always);
            ("LoopPlus", Pricing::Content, &[ITERATIONS])
        }
        S::BSend => ("BSend", Pricing::Machine, &[DEST, SIZE, TAG, VALUE]),
        S::NbSend => ("NBSend", Pricing::Machine, &[DEST, SIZE, TAG, VALUE]),
        S::BRecv => ("BRecv", Pricing::Machine, &[SOURCE, LIMIT, TAG]),
        S::NbRecv => ("NBRecv", Pricing::Machine, &[SOURCE, LIMIT, TAG]),
        S::SendRecv => {
            const TAGS: &[Tag] = &[DEST, SOURCE, SIZE, TAG, VALUE];
            ("SendRecv", Pricing::Machine, TAGS)
        }
        S::Wait => ("Wait", Pricing::Content, &[]),
        S::Parallel => ("Parallel", Pricing::Content, &[THREADS]),
        S::ParallelDo => {
            const ITERATIONS: Tag = tag("iterations", Required::Always);
            const CHUNK: Tag = tag("chunk", Required::Never);
            const TAGS: &[Tag] = &[THREADS, ITERATIONS, CHUNK];
            ("ParallelDo", Pricing::Content, TAGS)
        }
        S::ParallelSections => ("ParallelSections", Pricing::Content, &[THREADS]),
        S::Critical => ("Critical", Pricing::Optional, &[]),
        S::Single => ("Single", Pricing::Optional, &[]),
        S::Master => ("Master", Pricing::Optional, &[]),
        S::Atomic => ("Atomic", Pricing::Optional, &[]),
        S::OmpBarrier => ("OmpBarrier", Pricing::Optional, &[]),
        S::Delay => ("Delay", Pricing::Required, &[]),
        S::SendSignal => ("SendSignal", Pricing::Content, &[]),
        S::AcceptSignal => ("AcceptSignal", Pricing::Content, &[]),
        S::Kernel | S::Copy | S::Event | S::Synchronize => return Some(offload(stereotype)),
        S::Task => ("ActionPlus", Pricing::Required, TASK),
        // Neither is executed: tasks refer to files, and the diagram contains the tasks.
        S::File | S::Workflow => ("Node", Pricing::Content, &[]),
        S::Own(own) => (own.runtime_type, own.pricing, own.tags),
        _ => return collective(stereotype),
    };
    Some(Word {
        stereotype,
        runtime_type,
        pricing,
        tags,
    })
}

fn offload(stereotype: StereotypeKind) -> Word {
    use StereotypeKind as S;
    const STREAM: Tag = tag("stream", Required::Never);
    const DEVICE: Tag = tag("device", Required::Never);
    let (runtime_type, pricing, tags): (_, _, &[Tag]) = match stereotype {
        S::Kernel => ("Kernel", Pricing::Machine, KERNEL),
        S::Copy => {
            const BYTES: Tag = tag("bytes", Required::Unpriced);
            const PEER: Tag = tag("peer", Required::Never);
            (
                "CopyMemory",
                Pricing::Machine,
                &[BYTES, STREAM, DEVICE, PEER],
            )
        }
        S::Event => {
            const EVENT: Tag = tag("event", Required::Always);
            ("RecordEvent", Pricing::Content, &[EVENT, STREAM, DEVICE])
        }
        _ => {
            const EVENT: Tag = tag("event", Required::Never);
            ("Synchronize", Pricing::Content, &[EVENT, STREAM, DEVICE])
        }
    };
    Word {
        stereotype,
        runtime_type,
        pricing,
        tags,
    }
}

fn collective(stereotype: StereotypeKind) -> Option<Word> {
    use StereotypeKind as S;
    const SIZE: Tag = tag("size", Required::Unpriced);
    const COMM: Tag = tag("comm", Required::Never);
    const ROOTED: &[Tag] = &[tag("root", Required::Never), SIZE, COMM];
    const UNROOTED: &[Tag] = &[SIZE, COMM];
    let (runtime_type, tags) = match stereotype {
        S::Broadcast => ("Broadcast", ROOTED),
        S::Reduce => ("Reduce", ROOTED),
        S::Gather => ("Gather", ROOTED),
        S::Scatter => ("Scatter", ROOTED),
        S::AllReduce => ("AllReduce", UNROOTED),
        S::AllGather => ("AllGather", UNROOTED),
        S::AllToAll => ("AllToAll", UNROOTED),
        S::ReduceScatter => ("ReduceScatter", UNROOTED),
        S::Scan => ("Scan", UNROOTED),
        // A barrier has no size, because its messages are empty.
        S::Barrier => ("Barrier", &[COMM][..]),
        _ => return None,
    };
    Some(Word {
        stereotype,
        runtime_type,
        pricing: Pricing::Machine,
        tags,
    })
}

/// Returns the stereotype that a user most likely meant; `None` if none of the `known` is similar.
pub fn similar_stereotype<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let plain = lower.trim_start_matches("mpi_");
    let meant = match plain {
        "bcast" => "broadcast",
        "isend" => "nbsend",
        "irecv" => "nbrecv",
        "send" => "bsend",
        "recv" => "brecv",
        "memcpy" => "copy",
        _ => return prophet_text::similar(plain, known),
    };
    Some(meant.to_owned())
}

/// Iterates over all tags that the profile gives `stereotype`, even unsupported ones.
pub fn tags(stereotype: StereotypeKind) -> impl Iterator<Item = &'static str> + Clone {
    let of_profile = profile_tags(stereotype).iter().copied();
    let of_user = match stereotype {
        StereotypeKind::Own(own) => own.tags,
        _ => &[],
    };
    let of_user = of_user.iter().map(|tag| tag.name);
    COMMON_TAGS.iter().copied().chain(of_profile).chain(of_user)
}

const COMMON_TAGS: &[&str] = &["id", "type", "time", "cost", "code"];

/// Tags of the profile whose value is the name of a variable to assign to.
pub const TARGET_TAGS: [&str; 5] = [
    "into",
    "status_source",
    "status_tag",
    "status_size",
    "index",
];

fn profile_tags(kind: StereotypeKind) -> &'static [&'static str] {
    use StereotypeKind as Kind;
    match kind {
        Kind::ActionPlus => &["rud", "model", "bytes", "working_set"],
        Kind::LoopPlus => &["iterations", "variable", "repetition"],
        Kind::BSend | Kind::NbSend => &["rud", "dest", "size", "tag", "value", "request"],
        Kind::BRecv | Kind::NbRecv => &[
            "rud",
            "source",
            "size",
            "tag",
            "into",
            "status_source",
            "status_tag",
            "status_size",
            "request",
        ],
        Kind::SendRecv => &[
            "dest",
            "source",
            "size",
            "tag",
            "value",
            "into",
            "status_source",
            "status_tag",
            "status_size",
        ],
        Kind::Wait => &["request", "mode", "index"],
        Kind::Broadcast | Kind::Reduce | Kind::Gather | Kind::Scatter => &["root", "size", "comm"],
        Kind::AllReduce
        | Kind::AllGather
        | Kind::AllToAll
        | Kind::ReduceScatter
        | Kind::Scan
        | Kind::Barrier => &["size", "comm"],
        Kind::Parallel | Kind::ParallelSections => &["threads"],
        Kind::ParallelDo => &["threads", "iterations", "variable", "schedule", "chunk"],
        Kind::Critical => &["name"],
        Kind::SendSignal | Kind::AcceptSignal => &["signal"],
        Kind::Kernel => &[
            "stream", "device", "fp64", "fp32", "fp16", "int8", "bytes", "share", "memory",
        ],
        Kind::Copy => &["bytes", "direction", "stream", "device", "peer"],
        Kind::Event | Kind::Synchronize => &["event", "stream", "device"],
        Kind::Task => &[
            "cores",
            "memory",
            "inputs",
            "outputs",
            "model",
            "processes",
            "failure_probability",
            "retries",
            "program",
        ],
        Kind::File => &["size"],
        Kind::ActivityPlus
        | Kind::Single
        | Kind::Master
        | Kind::OmpBarrier
        | Kind::Atomic
        | Kind::Delay
        | Kind::Workflow
        | Kind::Own(_) => &[],
    }
}
