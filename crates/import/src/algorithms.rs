//! Algorithms of collectives that `SimGrid` takes for a trace where nothing else is said: those of
//! its default selector, and for an alltoall the choice of its Open MPI selector. Ours are those of
//! MPICH, so that times may differ by half.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::event::{Collective, Kind};

/// Collectives of a replay, with their largest size in bytes.
#[derive(Debug, Default)]
pub(crate) struct Used(RefCell<BTreeMap<Kind, u64>>);

impl Used {
    /// Notes a collective.
    pub(crate) fn add(&self, collective: &Collective) {
        let mut used = self.0.borrow_mut();
        let most = used.entry(collective.kind).or_default();
        *most = (*most).max(collective.bytes);
    }

    /// The flags that choose the algorithms of `SimGrid` for that many ranks; empty without
    /// collectives.
    pub(crate) fn flags(&self, ranks: u32) -> String {
        let used = self.0.borrow();
        let flags = used.iter().filter_map(|(kind, bytes)| {
            let algorithm = simgrid(*kind, *bytes, ranks)?;
            Some(format!("--collective {}={algorithm}", kind.name()))
        });
        flags.collect::<Vec<_>>().join(" ")
    }
}

/// The algorithm of ours that is nearest to that of `SimGrid` 4
/// (`src/smpi/colls/smpi_default_selector.cpp`).
fn simgrid(kind: Kind, bytes: u64, ranks: u32) -> Option<&'static str> {
    match kind {
        Kind::Broadcast => Some("binomial"),
        Kind::Barrier
        | Kind::Reduce
        | Kind::Gather
        | Kind::Scatter
        | Kind::AllReduce
        | Kind::AllGather => Some("linear"),
        Kind::AllToAll => Some(all_to_all(bytes, ranks)),
        // There each sends to all behind it, or reduces and scatters, which no algorithm of ours
        // does.
        Kind::ReduceScatter | Kind::Scan => None,
    }
}

/// `alltoall__ompi` in `src/smpi/colls/smpi_openmpi_selector.cpp`, as far as the algorithms differ
/// in their messages.
fn all_to_all(bytes: u64, ranks: u32) -> &'static str {
    const KIB: u64 = 1024;
    let bruck = match ranks {
        16..32 => 4..512,
        32..64 | 1024..2048 | 512..1024 => 0..512,
        64..512 | 2048..4096 => 0..KIB,
        _ => 0..0,
    };
    let pairwise = match ranks {
        3..8 => 512 * KIB..KIB * KIB,
        64..256 | 512..1024 => 256 * KIB..u64::MAX,
        256..512 => 32 * KIB..u64::MAX,
        _ => 0..0,
    };
    if bruck.contains(&bytes) {
        "bruck"
    } else if pairwise.contains(&bytes) {
        "pairwise"
    } else {
        "linear"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alltoall_has_the_algorithm_of_its_size() {
        for (bytes, ranks, algorithm) in [
            (100, 8, "linear"),
            (600 << 10, 7, "pairwise"),
            (3, 16, "linear"),
            (100, 16, "bruck"),
            (600, 64, "bruck"),
            (300 << 10, 64, "pairwise"),
            (40 << 10, 300, "pairwise"),
        ] {
            assert_eq!(all_to_all(bytes, ranks), algorithm, "{bytes} {ranks}");
        }
    }
}
