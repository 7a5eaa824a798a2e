//! Traces of random programs.

use prophet_runtime::{CpuDiscipline, Engine, Nic, System};
use proptest::prelude::*;

use crate::random::{Op, observe_traced, op, run_traced, system, waiting};
use crate::traced::check;

/// Both engines write the same file, in which all is as it has to be.
fn agree(system: &System, ops: &[Op]) {
    let (event, one) = observe_traced(Engine::Event, system, ops);
    let (local, other) = observe_traced(Engine::Local, system, ops);
    assert!(
        one.bytes == other.bytes,
        "{:#?}",
        difference(&one.records, &other.records)
    );
    assert_eq!(
        event.predicted_time_s.to_bits(),
        local.predicted_time_s.to_bits()
    );
    check(&one, &event);
}

/// The first records that differ.
fn difference<T: PartialEq + Clone>(one: &[T], other: &[T]) -> (usize, Option<T>, Option<T>) {
    let place = one.iter().zip(other).position(|(one, other)| one != other);
    let place = place.unwrap_or(one.len().min(other.len()));
    (place, one.get(place).cloned(), other.get(place).cloned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn engines_write_the_same_trace(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
        holds in any::<bool>(),
    ) {
        let keep = |op: &Op| holds || !matches!(op, Op::Hold { .. });
        let ops: Vec<Op> = ops.into_iter().filter(keep).collect();
        agree(&system, &ops);
    }

    #[test]
    fn engines_write_the_same_trace_when_sends_wait_for_their_receives(
        system in system(),
        ops in prop::collection::vec(op(), 0..300),
        eager_bytes in prop_oneof![Just(0_u32), 0..20_000_u32],
    ) {
        let keep = |op: &Op| !matches!(op, Op::Hold { .. });
        let ops: Vec<Op> = ops.into_iter().filter(keep).collect();
        let (system, ops) = waiting(system, ops, eager_bytes);
        agree(&system, &ops);
    }
}

/// What only the event engine can do: CPUs and network interfaces that processes share.
fn crowded() -> impl Strategy<Value = System> {
    let disciplines = prop_oneof![
        Just(CpuDiscipline::Fcfs),
        Just(CpuDiscipline::RoundRobin { quantum_s: 0.1 }),
        Just(CpuDiscipline::ProcessorSharing),
    ];
    (system(), 1..=4_u32, disciplines, any::<bool>()).prop_map(
        |(mut system, nodes, discipline, shared)| {
            system.nodes = nodes.min(system.processes);
            system.mapping = { 0..system.processes }
                .map(|pid| pid % system.nodes)
                .collect();
            system.cpus_per_node = 1;
            system.discipline = discipline;
            if shared {
                system.protocol.nic = Nic::Node;
            }
            system
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn processes_that_share_cpus_and_interfaces_leave_whole_traces(
        system in crowded(),
        ops in prop::collection::vec(op(), 0..300),
        eager_bytes in prop_oneof![Just(u32::MAX), 0..20_000_u32],
    ) {
        let keep = |op: &Op| !matches!(op, Op::Hold { .. });
        let ops: Vec<Op> = ops.into_iter().filter(keep).collect();
        let (system, ops) = match eager_bytes {
            u32::MAX => (system, ops),
            bytes => waiting(system, ops, bytes),
        };
        if let (Ok(outcome), traced) = run_traced(Engine::Event, &system, &ops) {
            check(&traced, &outcome);
        }
    }
}
