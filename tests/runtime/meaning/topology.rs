//! Tests memory domains, caches, and how units are bound to the CPUs that share them.

use prophet_runtime::{
    ActionPlus, Configuration, Engine, Machine, Outcome, Parallel, ProcessCtx, Simulation, System,
    Threads, Value,
};

use crate::meaning::{MODEL, ends};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const TEAM: Parallel = Parallel::new(1, "Team", 2);

/// The bandwidths of a CPU and of a domain, in bytes per second, and how many bytes a unit moves.
const CORE: f64 = 12e9;
const DOMAIN: f64 = 30e9;
const BYTES: u32 = 600_000_000;

/// Two sockets with two memory domains each, and four CPUs per domain.
fn machine(more: &str) -> Machine {
    let text = format!(
        "name = \"m\"\nsource = \"a test\"\nnodes = 1\ncpus-per-node = 16\nsockets = 2\n{more}"
    );
    Machine::parse(&text, "m.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A node whose sockets are memory domains.
const SOCKETS: &str = "memory-bandwidth = \"30GB/s\"\ncore-bandwidth = \"12GB/s\"\n";

/// Runs a process with `threads` threads. Each of them moves the bytes.
fn team(machine: &Machine, threads: u32) -> f64 {
    let mut system = System::on(machine.clone(), 1, 16, 1, threads);
    system.seed = 7;
    let run = Simulation::new(&MODEL, system).run(async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            WORK.execute(ctx, 0.0).moving(i64::from(BYTES)).await
        })
        .await
    });
    run.expect("it ends").predicted_time_s
}

/// Runs ranks that move the bytes, in a working set if there is one.
fn ranks(machine: &Machine, ranks: u32, working_set: Option<i64>, engine: Engine) -> Outcome {
    let mut system = System::on(machine.clone(), 1, 16, ranks, 1);
    system.parameters = vec![Value::Int(working_set.unwrap_or(-1))];
    let simulation = Simulation::new(&MODEL, system).with_engine(engine);
    let run = simulation.run(async |ctx| {
        let moving = WORK.execute(ctx, 0.0).moving(i64::from(BYTES));
        match i64::from(ctx.int_parameter(0)) {
            -1 => moving.await,
            bytes => moving.within(bytes).await,
        }
    });
    run.expect("it ends")
}

fn is_near(found: f64, expected: f64, what: &str) {
    assert!(
        (found / expected - 1.0).abs() < 1e-9,
        "{what}: {found} for {expected}"
    );
}

/// Returns how long it takes each of `units` units in a domain to move the bytes, by the roofline
/// model.
fn roofline(units: u32) -> f64 {
    f64::from(BYTES) / CORE.min(DOMAIN / f64::from(units))
}

#[test]
fn threads_on_two_sockets_are_as_by_hand() {
    for threads in 1..=16_u32 {
        // `compact` fills the first socket with 8 CPUs. `spread` puts half of the threads on each
        // socket.
        for (bind, fullest) in [("compact", threads.min(8)), ("spread", threads.div_ceil(2))] {
            let machine = machine(&format!("{SOCKETS}bind = \"{bind}\"\n"));
            let what = format!("{bind} {threads}");
            is_near(team(&machine, threads), roofline(fullest), &what);
            let outcome = ranks(&machine, threads, None, Engine::Event);
            is_near(outcome.predicted_time_s, roofline(fullest), &what);
        }
    }
}

#[test]
fn ranks_go_around_the_domains_or_to_the_cpus_of_a_list() {
    for count in 1..=16_u32 {
        let machine = machine(&format!("{SOCKETS}numa-domains = 4\nbind = \"domain\"\n"));
        let outcome = ranks(&machine, count, None, Engine::Event);
        is_near(
            outcome.predicted_time_s,
            roofline(count.div_ceil(4)),
            "domain",
        );
    }
    // Three threads on the first socket, and one on the second.
    let machine = machine(&format!("{SOCKETS}bind = \"0-2,8\"\n"));
    let found = ends(&ranks(&machine, 4, None, Engine::Event));
    let [three, one] = [roofline(3), roofline(1)];
    for (found, expected) in found.into_iter().zip([three, three, three, one]) {
        is_near(found, expected, "list");
    }
}

#[test]
fn a_part_of_a_node_keeps_its_domains() {
    // Two of 16 CPUs. Neighbors are in the same domain, and distant CPUs aren't.
    for (bind, units) in [("compact", 2), ("spread", 1)] {
        let machine = machine(&format!(
            "memory-bandwidth = \"12GB/s\"\nbind = \"{bind}\"\n"
        ));
        let system = System::on(machine, 1, 2, 2, 1);
        let run = Simulation::new(&MODEL, system)
            .run(async |ctx| WORK.execute(ctx, 0.0).moving(i64::from(BYTES)).await);
        let expected = f64::from(BYTES * units) / 12e9;
        is_near(run.expect("it ends").predicted_time_s, expected, bind);
    }
}

#[test]
fn units_queue_for_a_memory_by_mean_value_analysis() {
    // If one CPU takes 1 s, and s of it for memory, two take 2 / (1 + s^2) together.
    for s in [0.1, 0.5, 0.9_f64] {
        let both = 2.0 / (1.0 + s * s) * 12e9;
        let text = format!(
            "name = \"m\"\nsource = \"a test\"\ncpus-per-node = 2\nsaturation = \"queueing\"\n\
             core-bandwidth = \"12GB/s\"\nmemory-bandwidth = \"{both:e}\"\n"
        );
        let machine = Machine::parse(&text, "m.toml").expect("a machine");
        let system = System::on(machine, 1, 2, 2, 1);
        // The second process starts when the first one has moved half of its bytes.
        let run = Simulation::new(&MODEL, system).run(async |ctx| {
            let late_s = if i64::from(ctx.pid()) == 0 {
                0.0
            } else {
                0.025
            };
            ctx.hold(late_s).await?;
            WORK.execute(ctx, 0.0).moving(i64::from(BYTES)).await
        });
        let slowly_s = 0.025 * (1.0 + s * s);
        let expected = [0.025 + slowly_s, 0.05 + slowly_s];
        let found = ends(&run.expect("it ends"));
        for (found, expected) in found.into_iter().zip(expected) {
            is_near(found, expected, "queueing");
        }
    }
}

#[test]
fn a_measured_curve_is_followed_to_its_end() {
    let curve = [12e9, 20e9, 24e9, 24e9];
    let text = "memory-bandwidth = [\"12GB/s\", \"20GB/s\", \"24GB/s\", \"24GB/s\"]\n\
                bind = \"compact\"\nnuma-domains = 4\n";
    let machine = machine(text);
    for (units, all) in (1..).zip(curve) {
        let found = ranks(&machine, units, None, Engine::Event).predicted_time_s;
        is_near(found, f64::from(BYTES * units) / all, "curve");
    }
}

/// The caches and memory of a node.
const CACHES: &str = "memory-bandwidth = \"30GB/s\"\ncore-bandwidth = \"12GB/s\"\n\
                      [[cache]]\nlevel = 1\nsize = \"32KiB\"\ncpus = 1\n\
                      core-bandwidth = \"100GB/s\"\n\
                      [[cache]]\nlevel = 3\nsize = \"8MiB\"\ncpus = 8\n\
                      core-bandwidth = \"24GB/s\"\nbandwidth = \"60GB/s\"\n";

#[test]
fn bytes_are_moved_in_the_nearest_cache_that_holds_the_working_sets() {
    let machine = machine(CACHES);
    let (kib, mib) = (1 << 10, 1 << 20);
    for (count, working_set, rate) in [
        (1, Some(32 * kib), 100e9),
        (1, Some(32 * kib + 1), 24e9),
        (1, Some(8 * mib), 24e9),
        (1, Some(8 * mib + 1), 12e9),
        (1, None, 12e9),
        // Spread over two L3 caches.
        (2, Some(8 * mib), 24e9),
        (4, Some(4 * mib), 24e9),
        (4, Some(4 * mib + 1), 12e9),
        (16, Some(mib), 60e9 / 8.0),
        (16, Some(32 * kib), 100e9),
        (16, Some(mib + 1), 30e9 / 8.0),
    ] {
        let what = format!("{count} {working_set:?}");
        let outcome = ranks(&machine, count, working_set, Engine::Event);
        is_near(outcome.predicted_time_s, f64::from(BYTES) / rate, &what);
        let auto = ranks(&machine, count, working_set, Engine::Auto);
        assert_eq!(ends(&auto), ends(&outcome), "{what}");
        let shares = rate < 12e9;
        assert_eq!(
            auto.evaluation.engine,
            ["local", "event"][usize::from(shares)],
            "{what}"
        );
    }
}

/// Three processes in a domain compute for 1 s and move their bytes at 10 GB/s each.
#[test]
fn moving_overlaps_with_computing_or_adds_to_it() {
    for (overlap, expected) in [("full", 1.0), ("none", 1.06)] {
        let more = format!("overlap = \"{overlap}\"\nbind = \"compact\"\n{SOCKETS}");
        let program =
            async |ctx: &ProcessCtx<'_>| WORK.execute(ctx, 1.0).moving(i64::from(BYTES)).await;
        let system = |ranks| System::on(machine(&more), 1, 16, ranks, 1);
        let run = Simulation::new(&MODEL, system(3))
            .run(program)
            .expect("it ends");
        is_near(run.predicted_time_s, expected, overlap);
        is_near(run.elements[0].total_s, 3.0 * expected, overlap);
        // A single process gets 12 GB/s, and the local engine agrees.
        let alone = crate::engines::run_both(&MODEL, &system(1), &program);
        let expected = if overlap == "full" { 1.0 } else { 1.05 };
        is_near(alone.predicted_time_s, expected, overlap);
    }
}

#[test]
fn a_machine_with_all_parts_of_a_node_is_the_same_in_xml() {
    let all = format!(
        "numa-domains = 4\nmemory = \"64GB\"\nbind = \"close:ll_caches\"\n\
         saturation = \"queueing\"\noverlap = \"none\"\n{CACHES}"
    );
    let curve = "memory-bandwidth = [\"12GB/s\", \"20GB/s\"]\n".to_owned();
    let one = "memory-bandwidth = [\"12GB/s\"]\n".to_owned();
    for text in [all, curve, one] {
        let machine = machine(&text);
        let xml = machine.to_xml().expect("it has one");
        let again = Machine::parse_xml(&xml, "m.xml").expect(&xml);
        assert_eq!(again.memory, machine.memory);
        assert_eq!(again.entries(), machine.entries());
    }
}

#[test]
fn a_binding_is_a_flag_and_varies_in_sweeps() {
    let mut flags = Configuration::read(&MODEL, &["--bind", "close:sockets"]).expect("flags");
    let told = |flags: &Configuration| flags.system().expect("a system").machine();
    assert_eq!(told(&flags), "--bind compact:sockets");
    let assignment = prophet_runtime::Assignment::read(&MODEL, "bind", "domain");
    flags.assign(&assignment.expect("a binding"));
    assert_eq!(told(&flags), "--bind domain");
    let flags = ["--processes", "3", "--cpus-per-node", "4", "--bind", "0,1"];
    let error = Configuration::read(&MODEL, &flags).expect("flags").system();
    let few = "CPUs are listed for 2 units, but 3 units run on a node: list one CPU per unit";
    assert_eq!(error, Err(few.into()));
}
