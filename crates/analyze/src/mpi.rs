//! What the calls of MPI mean: where their arguments are.

use crate::program::Expr;

/// A collective's stereotype, and the places of its count, datatype, root and communicator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collective {
    pub(crate) stereotype: &'static str,
    pub(crate) count: Option<usize>,
    pub(crate) datatype: usize,
    pub(crate) root: Option<usize>,
    pub(crate) comm: usize,
    /// Whether blocks have different counts, which are a list.
    pub(crate) is_uneven: bool,
}

/// The calls of a message: its stereotype, and the place of its first argument after the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// Whether it sends, and whether it waits.
    Message {
        sends: bool,
        waits: bool,
    },
    /// A message that is started later.
    Lasting {
        sends: bool,
    },
    Start,
    StartAll,
    Exchange,
    Replace,
    Probe,
    Wait,
    WaitAll,
    WaitAny,
    WaitSome,
    /// An exchange with all neighbors in a grid.
    Neighbors,
    Collective,
}

pub(crate) fn call(name: &str) -> Option<Call> {
    Some(match name.strip_prefix("MPI_")? {
        "Send" | "Ssend" | "Rsend" | "Bsend" => Call::Message {
            sends: true,
            waits: true,
        },
        "Isend" | "Issend" | "Irsend" | "Ibsend" => Call::Message {
            sends: true,
            waits: false,
        },
        "Recv" => Call::Message {
            sends: false,
            waits: true,
        },
        "Irecv" => Call::Message {
            sends: false,
            waits: false,
        },
        "Send_init" | "Ssend_init" | "Rsend_init" | "Bsend_init" => Call::Lasting { sends: true },
        "Recv_init" => Call::Lasting { sends: false },
        "Start" => Call::Start,
        "Startall" => Call::StartAll,
        "Sendrecv" => Call::Exchange,
        "Sendrecv_replace" => Call::Replace,
        "Probe" => Call::Probe,
        "Wait" | "Test" => Call::Wait,
        "Waitall" | "Testall" => Call::WaitAll,
        "Waitany" => Call::WaitAny,
        "Waitsome" => Call::WaitSome,
        "Neighbor_alltoall" | "Ineighbor_alltoall" => Call::Neighbors,
        _ => return collective(name).map(|_| Call::Collective),
    })
}

/// Calls without which messages can't be understood: what they do is left open.
pub(crate) fn is_unknown(name: &str) -> bool {
    let known = [
        "Init",
        "Init_thread",
        "Finalize",
        "Comm_rank",
        "Comm_size",
        "Comm_split",
        "Comm_dup",
        "Comm_free",
        "Dims_create",
        "Cart_create",
        "Cart_shift",
        "Cart_coords",
        "Cart_rank",
        "Get_count",
        "Request_free",
        "Wtime",
        "Wtick",
        "Abort",
        "Pcontrol",
        "Get_processor_name",
        "Initialized",
        "Finalized",
        "Query_thread",
        "Type_free",
        "Op_create",
        "Op_free",
        "Comm_set_errhandler",
        "Error_string",
        "Iprobe",
        "Get_address",
        "Buffer_attach",
        "Buffer_detach",
        "Get_version",
        "Get_library_version",
        "Info_create",
        "Info_free",
    ];
    let plain = name.strip_prefix("MPI_");
    plain.is_some_and(|it| !known.contains(&it) && call(name).is_none())
}

pub(crate) fn collective(name: &str) -> Option<Collective> {
    let plain = name.strip_prefix("MPI_")?;
    let row = |plain: &str| {
        Some(match plain {
            "Barrier" => ("barrier", None, 0, None, 0),
            "Bcast" => ("broadcast", Some(1), 2, Some(3), 4),
            "Reduce" => ("reduce", Some(2), 3, Some(5), 6),
            "Allreduce" => ("allreduce", Some(2), 3, None, 5),
            "Scan" | "Exscan" => ("scan", Some(2), 3, None, 5),
            "Gather" => ("gather", Some(1), 2, Some(6), 7),
            "Scatter" => ("scatter", Some(4), 5, Some(6), 7),
            "Allgather" => ("allgather", Some(4), 5, None, 6),
            "Alltoall" => ("alltoall", Some(4), 5, None, 6),
            "Reduce_scatter_block" => ("reducescatter", Some(2), 3, None, 5),
            "Gatherv" => ("gather", Some(1), 2, Some(7), 8),
            "Scatterv" => ("scatter", Some(5), 6, Some(7), 8),
            "Allgatherv" => ("allgather", Some(1), 2, None, 7),
            "Alltoallv" => ("alltoall", None, 3, None, 8),
            "Reduce_scatter" => ("reducescatter", None, 3, None, 5),
            _ => return None,
        })
    };
    let blocking = || {
        let mut letters = plain.strip_prefix('I')?.chars();
        let first = letters.next()?.to_ascii_uppercase();
        Some(format!("{first}{}", letters.as_str()))
    };
    let found = row(plain).or_else(|| row(&blocking()?))?;
    let (stereotype, count, datatype, root, comm) = found;
    let is_uneven = plain.ends_with('v') || plain.to_ascii_lowercase().ends_with("reduce_scatter");
    Some(Collective {
        stereotype,
        count,
        datatype,
        root,
        comm,
        is_uneven,
    })
}

/// Returns the size of a predefined datatype of Open MPI or MPICH in bytes.
pub(crate) fn size(datatype: &Expr) -> Option<i64> {
    let name = match datatype {
        Expr::Address(of) => match &**of {
            Expr::Named(name) => name.strip_prefix("ompi_mpi_")?,
            _ => return None,
        },
        // MPICH writes the size into the number of a datatype.
        Expr::Int(handle) if handle >> 24 == 0x4c => return Some((handle >> 8) & 0xff),
        _ => return None,
    };
    Some(match name {
        "char" | "signed_char" | "unsigned_char" | "byte" | "packed" | "int8_t" | "uint8_t"
        | "c_bool" => 1,
        "short" | "unsigned_short" | "int16_t" | "uint16_t" => 2,
        "int" | "unsigned" | "float" | "int32_t" | "uint32_t" | "integer" | "real" => 4,
        "long" | "unsigned_long" | "double" | "long_long_int" | "unsigned_long_long"
        | "int64_t" | "uint64_t" | "2int" | "aint" | "offset" | "count" | "float_int"
        | "c_float_complex" => 8,
        "double_int" | "long_double" | "c_double_complex" => 16,
        _ => return None,
    })
}

/// A communicator that MPI has from the start.
pub(crate) fn is_world(comm: &Expr) -> bool {
    match comm {
        Expr::Address(of) => matches!(&**of, Expr::Named(it) if it == "ompi_mpi_comm_world"),
        Expr::Int(handle) => *handle == 0x4400_0000,
        _ => false,
    }
}
