//! Energies that are known.

use prophet_runtime::{
    Accelerator, ByMachine, CpuDiscipline, DeviceLink, Kernel, Message, Threads,
};

use super::*;

/// Energy of a run of one node for some seconds, whose parts are known.
#[track_caller]
fn assert_parts(outcome: &Outcome, end_s: f64, idle_j: f64, cpus_j: f64) {
    let energy = energy(outcome);
    assert_near(outcome.predicted_time_s, end_s, 1e-12);
    assert_near(energy.idle_j, idle_j, 1e-12);
    assert_near(energy.cpus_j, cpus_j, 1e-12);
    assert_near(energy.total_j, idle_j + cpus_j, 1e-12);
    assert_near(energy.mean_power_w, energy.total_j / end_s, 1e-12);
}

/// Both engines, of processes that work for 1, 2, … seconds on a node each has a CPU of.
#[test]
fn cpus_take_power_while_they_work() {
    for (processes, cpus_j) in [
        (1, 20.0),
        (2, 20.0 * 2.0 + 20.0),
        (4, 20.0 * 4.0 + 20.0 * 6.0),
    ] {
        let system = System::on(machine(STEP), 1, 4, processes, 1);
        let outcome = crate::engines::run_both(&MODEL, &system, &async |ctx: &ProcessCtx<'_>| {
            WORK.execute(
                ctx,
                f64::from(1 + i32::try_from(i64::from(ctx.pid())).expect("small")),
            )
            .await
        });
        let end_s = f64::from(processes);
        // One CPU: 120 W. Each more: 20 W.
        assert_parts(&outcome, end_s, 100.0 * end_s, cpus_j);
        let elements = &energy(&outcome).elements;
        let worked_s = end_s * (end_s + 1.0) / 2.0;
        assert_near(elements[0].cpus_j, 20.0 * worked_s, 1e-12);
    }
}

/// The law is linear without the power of one CPU, and machines keep all of their CPUs.
#[test]
fn one_power_at_work_is_shared_evenly() {
    let lines = "nodes = 4\ncpus-per-node = 8\n[power]\nidle = \"100W\"\nall-cpus = \"180W\"\n";
    for cpus in [1, 2, 8] {
        let system = System::on(machine(lines), 1, cpus, 1, 1);
        let outcome = run(system, async |ctx| WORK.execute(ctx, 3.0).await);
        assert_parts(&outcome, 3.0, 300.0, 30.0);
    }
}

/// A node that waits at a barrier is idle; a group of nodes has its own power.
#[test]
fn nodes_that_wait_are_idle() {
    let lines = format!("{STEP}[[node]]\ncount = 1\n[[node]]\ncount = 3\nidle = \"50W\"\n");
    let system = System::on(machine(&lines), 2, 4, 8, 1);
    let outcome = crate::engines::run_both(&MODEL, &system, &async |ctx: &ProcessCtx<'_>| {
        if i64::from(ctx.nid()) == 0 {
            WORK.execute(ctx, 2.0).await?;
        }
        MEET.execute(ctx, 0.0).await?;
        WORK.execute(ctx, 0.5).await
    });
    // All CPUs of node 0 work: 180 W; of node 1 for 0.5 s: 180 W after 50 W.
    let energy = energy(&outcome);
    assert_near(
        energy.total_j,
        180.0 * 2.5 + 50.0 * 2.0 + 180.0 * 0.5,
        1e-12,
    );
    assert_near(energy.idle_j, 150.0 * 2.5, 1e-12);
}

/// More units than CPUs: all CPUs work until the end, whatever the discipline is.
#[test]
fn a_full_node_takes_its_full_power() {
    for discipline in [
        CpuDiscipline::Fcfs,
        CpuDiscipline::ProcessorSharing,
        CpuDiscipline::RoundRobin { quantum_s: 0.25 },
    ] {
        let mut system = System::on(machine(STEP), 1, 4, 8, 1);
        system.discipline = discipline;
        let outcome = run(system, async |ctx| WORK.execute(ctx, 1.0).await);
        assert_parts(&outcome, 2.0, 200.0, 160.0);
    }
    let mut system = System::on(machine(STEP), 1, 4, 6, 1);
    system.discipline = CpuDiscipline::ProcessorSharing;
    let outcome = run(system, async |ctx| WORK.execute(ctx, 1.0).await);
    assert_parts(&outcome, 1.5, 150.0, 120.0);
}

/// Each thread has a CPU of its own.
#[test]
fn threads_take_the_power_of_their_cpus() {
    let system = System::on(machine(STEP), 1, 4, 1, 3);
    let outcome = run(system, async |ctx| {
        WORK.execute(ctx, 1.0).await?;
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            WORK.execute(ctx, 2.0).await
        })
        .await
    });
    assert_parts(&outcome, 3.0, 300.0, 20.0 + 2.0 * 60.0);
}

/// Bytes take energy in memory and between nodes, wherever they are the limit.
#[test]
fn bytes_take_energy() {
    let lines = "memory = \"2uJ/B\"\nnetwork = \"3uJ/B\"\nnetwork-idle = \"5W\"\n";
    for limit in ["", "core-bandwidth = \"1GB/s\"\n"] {
        let system = System::on(machine(&format!("{limit}{STEP}{lines}")), 2, 2, 4, 1);
        let outcome = crate::engines::run_both(&MODEL, &system, &async |ctx: &ProcessCtx<'_>| {
            match i64::from(ctx.pid()) {
                0 => {
                    WORK.execute(ctx, 1.0).moving(1_000_000).await?;
                    // Within the node, and to the other one.
                    SEND.execute(ctx, 1, Message::bytes(1000), ByMachine)
                        .await?;
                    SEND.execute(ctx, 2, Message::bytes(1000), ByMachine).await
                }
                1 | 2 => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
                _ => Ok(()),
            }
        });
        let energy = energy(&outcome);
        assert_near(energy.memory_j, 2.0, 1e-9);
        let network_j = 3e-3 + 2.0 * 5.0 * outcome.predicted_time_s;
        assert_near(energy.network_j, network_j, 1e-9);
        let named: Vec<&str> = energy.elements.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(named, ["Work", "Send"]);
    }
}

/// Messages of collectives take energy as others do: here each of four ranks sends in two rounds.
#[test]
fn messages_of_collectives_take_energy() {
    let lines = format!("{STEP}network = \"3uJ/B\"\n");
    let system = System::on(machine(&lines), 4, 1, 4, 1);
    let outcome = crate::engines::run_both(&MODEL, &system, &async |ctx: &ProcessCtx<'_>| {
        SUM.execute(ctx, 8, ByMachine).await
    });
    let network_j = f64::from(4 * 2 * 8) * 3e-6;
    assert_near(energy(&outcome).network_j, network_j, 1e-9);
    assert_near(energy(&outcome).elements[0].network_j, network_j, 1e-9);
}

/// All accelerators of the nodes are idle but the one that has a kernel.
#[test]
fn accelerators_take_energy() {
    const KERNEL: Kernel = Kernel::new(5, "Kernel", 6);
    let link = DeviceLink {
        latency_s: 0.0,
        bandwidth: 1.0,
    };
    let mut system = System::on(machine(STEP), 2, 1, 2, 1);
    system.accelerators = [Accelerator {
        count: 2,
        idle_w: 50.0,
        busy_w: 300.0,
        ..Accelerator::new("gpu", 1.0, link)
    }]
    .into();
    let outcome = run(system, async |ctx| {
        if i64::from(ctx.pid()) == 0 {
            KERNEL.execute(ctx, ByMachine).bytes(2).await?;
        }
        WORK.execute(ctx, 4.0).await
    });
    assert_near(
        energy(&outcome).accelerators_j,
        4.0 * 50.0 * 4.0 + 250.0 * 2.0,
        1e-12,
    );
}

/// A machine without powers has no energy.
#[test]
fn no_power_is_no_energy() {
    let outcome = run(System::new(1, 1, 1, 1), async |ctx| {
        WORK.execute(ctx, 1.0).await
    });
    assert_eq!((outcome.energy, outcome.cost), (None, None));
}
