//! Tests traces of random programs.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, BSend, Broadcast, ByMachine, CpuDiscipline, Engine, Message,
    Model, Nic, ProcessCtx, Simulation, System, Trace,
};
use prophet_trace::Record;
use proptest::prelude::*;

use crate::engines::random::{Op, observe_traced, op, run_traced, system, waiting};
use crate::traced::{self, check};

/// Checks that both engines write the same file, and that it is correct.
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

fn difference<T: PartialEq + Clone>(one: &[T], other: &[T]) -> (usize, Option<T>, Option<T>) {
    let place = one.iter().zip(other).position(|(one, other)| one != other);
    let place = place.unwrap_or(one.len().min(other.len()));
    (place, one.get(place).cloned(), other.get(place).cloned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(48)))]

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

/// Generates systems that only the event engine supports, because processes share CPUs and network
/// interfaces.
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
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(48)))]

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

#[test]
fn rows_have_the_tags_of_messages_and_all_of_a_collective() {
    const SEND: BSend = BSend::new(0, "Send", 1);
    const RECV: BRecv = BRecv::new(1, "Recv", 2);
    const BCAST: Broadcast = Broadcast::new(2, "Bcast", 3);
    const SUM: AllReduce = AllReduce::new(3, "Sum", 4);
    let model = Model::new("Tags", &[], 4);
    let system = System::new(4, 1, 4, 1);
    for engine in [Engine::Event, Engine::Local] {
        let (outcome, traced) = traced::run(&model, engine, &system, async |ctx| {
            let message = Message::bytes(8).tag(-7);
            match ctx.pid().0 {
                0 => SEND.execute(ctx, 1, message, ByMachine).await?,
                1 => RECV.execute(ctx, 0, message, ByMachine).await?,
                _ => {}
            }
            // Among even and among odd processes. The second process of each group is the root.
            let bcast = BCAST.execute(ctx, 1, 64, ByMachine);
            bcast.comm(|ctx| ctx.pid() % 2).await?;
            SUM.execute(ctx, 16, 0.5).await
        });
        check(&traced, &outcome.unwrap());
        let records = traced.records.iter();
        let tags: Vec<_> = { records.clone() }
            .filter_map(|record| Some((record.element_index()?, record.message_tag()?)))
            .collect();
        assert_eq!(tags, [(0, -7), (1, -7)]);
        let mut calls: Vec<_> = records
            .filter(|record| record.began_s().is_some() && record.element_index() > Some(1))
            .map(|record| {
                let call = (record.partner_pid(), record.size_bytes(), record.comm_pid());
                (record.element_index(), record.pid, call)
            })
            .collect();
        calls.sort_unstable();
        let bcast = |pid, root, first| (Some(2), pid, (Some(root), Some(64), Some(first)));
        let sum = |pid| (Some(3), pid, (None, Some(16), None));
        let expected = [
            bcast(0, 2, 0),
            bcast(1, 3, 1),
            bcast(2, 2, 0),
            bcast(3, 3, 1),
        ];
        assert_eq!(calls[..4], expected);
        assert_eq!(calls[4..], [sum(0), sum(1), sum(2), sum(3)]);
    }
}

#[test]
fn a_trace_ends_where_it_is_full_with_what_has_begun_by_then() {
    const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
    const MODEL: Model = Model::new("Full", &[], 1);
    let mut trace = Trace::scratch(std::env::temp_dir().join("full")).at_most(6000);
    let simulation = Simulation::new(&MODEL, System::new(2, 1, 2, 1));
    let program = async |ctx: &ProcessCtx<'_>| {
        // When the second process has filled the trace, the first still has a lot of work.
        let seconds = if ctx.pid() == 0 { 15_000.0 } else { 1.0 };
        for number in 0..10_000 {
            ctx.mark(number);
            WORK.execute(ctx, seconds).await?;
        }
        Ok(())
    };
    simulation.run_traced(program, &mut trace).unwrap();
    let left_out = trace.left_out().unwrap();
    assert!(left_out.from_s > 1000.0 && left_out.from_s < 10_000.0);
    let mut reader = trace.read().unwrap();
    assert_eq!(reader.rows() + left_out.records, 40_000);
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    while reader.next_batch(&mut batch).unwrap() {
        all.append(&mut batch);
    }
    let of = |pid| all.iter().filter(move |it: &&Record| it.pid == pid);
    assert!(all.iter().all(|it| it.start_s <= left_out.from_s));
    // Its work is recorded until it ends, which is after the mark.
    let first: Vec<_> = of(0).map(|it| (it.size_bytes(), it.end_s)).collect();
    assert_eq!(first, [(Some(0), 0.0), (None, 15_000.0)]);
    let marks: Vec<u64> = of(1).filter_map(Record::size_bytes).collect();
    assert!(marks.iter().copied().eq(0..marks.len() as u64));
    let ends = of(1).map(|it| it.end_s);
    assert!(ends.is_sorted());
}
