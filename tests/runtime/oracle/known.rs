//! Tests answers that were computed by hand. Both the simulator and the runtime must give them.

use prophet_runtime::Engine;

use super::machine::{Discipline, Formula, Machine, Network, Nic};
use super::program::{Loop, Mode, Op, Phase, Program, Receive, Schedule, Send};
use super::{Answer, measure, predict};

fn loggp([l_s, o_s, g_s, gap_per_byte_s]: [f64; 4]) -> Network {
    Network {
        formula: Formula::LogGp {
            l_s,
            o_s,
            g_s,
            gap_per_byte_s,
        },
        eager_bytes: None,
    }
}

const HOCKNEY: Network = Network {
    formula: Formula::Hockney {
        latency_s: 1.0,
        bytes_per_s: 1000.0,
    },
    eager_bytes: Some(1000),
};

fn node(processes: usize, cpus_per_node: usize, discipline: Discipline) -> Machine {
    Machine {
        nodes: 1,
        cpus_per_node,
        mapping: vec![0; processes],
        discipline,
        holds: false,
        network: HOCKNEY,
        intranode: HOCKNEY,
        nic: Nic::Rank,
    }
}

/// Nodes with 8 CPUs and a process each.
fn apart(processes: usize, network: Network) -> Machine {
    Machine {
        nodes: processes,
        mapping: (0..processes).collect(),
        network,
        intranode: network,
        ..node(processes, 8, Discipline::Fcfs)
    }
}

fn send(dest: usize, tag: usize, bytes: u32) -> Op {
    Op::Send(Send {
        dest,
        tag,
        bytes,
        cost_s: None,
        mode: Mode::Blocking,
    })
}

fn receive(source: impl Into<Option<usize>>, tag: usize) -> Op {
    Op::Receive(Receive {
        source: source.into(),
        tag,
        cost_s: None,
        bytes_max: None,
        mode: Mode::Blocking,
    })
}

fn close(found: &[f64], expected_s: &[f64]) -> bool {
    let pairs = || found.iter().zip(expected_s);
    found.len() == expected_s.len()
        && pairs().all(|(one, other)| (one - other).abs() <= 1e-9 * other.abs())
}

/// Returns the answers of the simulator, and of the runtime in each engine that can run the
/// program.
fn answers(machine: &Machine, program: &Program) -> impl Iterator<Item = Answer> {
    let engines = [Engine::Event, Engine::Local].into_iter();
    let found = engines.filter_map(|engine| measure(machine, program, engine));
    [predict(machine, program)].into_iter().chain(found)
}

/// Checks when a unit of a program ends each of its operations.
fn assert_unit(machine: &Machine, program: &[Vec<Op>], unit: &[usize], expected_s: &[f64]) {
    let program = Program(program.to_vec());
    for answer in answers(machine, &program) {
        let times = answer.expect("the program ends");
        let found = &times.units[unit];
        assert!(close(found, expected_s), "{found:?}, not {expected_s:?}");
    }
}

fn assert_ends(machine: &Machine, program: &[Vec<Op>], expected_s: &[f64]) {
    let program = Program(program.to_vec());
    for answer in answers(machine, &program) {
        let found = answer.expect("the program ends").ends_s;
        assert!(close(&found, expected_s), "{found:?}, not {expected_s:?}");
    }
}

fn jobs(costs_s: &[f64]) -> Vec<Vec<Op>> {
    let job = |cost_s: &f64| vec![Op::Compute(*cost_s)];
    costs_s.iter().map(job).collect()
}

#[test]
fn jobs_share_cpus_or_take_turns() {
    let shared = node(3, 2, Discipline::Sharing);
    assert_ends(&shared, &jobs(&[1.0, 1.0, 1.0]), &[1.5, 1.5, 1.5]);
    assert_ends(&shared, &jobs(&[1.0, 2.0, 3.0]), &[1.5, 2.5, 3.5]);
    let turns = node(3, 2, Discipline::RoundRobin(1.0));
    assert_ends(&turns, &jobs(&[10.0; 3]), &[14.0, 15.0, 15.0]);
    let queue = node(3, 2, Discipline::Fcfs);
    assert_ends(&queue, &jobs(&[1.0, 2.0, 3.0]), &[1.0, 2.0, 4.0]);
}

/// Lets time pass without a CPU.
fn pause(cost_s: f64) -> Op {
    Op::Send(Send {
        dest: 0,
        tag: 0,
        bytes: 1,
        cost_s: Some(cost_s),
        mode: Mode::Blocking,
    })
}

#[test]
fn who_asks_when_a_quantum_ends_is_given_a_cpu_first() {
    // Process 2 arrives when the first quantum of process 0 ends, and process 1 when the next one
    // ends. It doesn't matter whether another unit was waiting before.
    let late = vec![pause(2.0), Op::Compute(1.0)];
    let turns = node(3, 2, Discipline::RoundRobin(1.0));
    for other in [pause(1.0), Op::Compute(1.0)] {
        let program = [
            vec![Op::Compute(3.0)],
            late.clone(),
            vec![other, Op::Compute(2.0)],
        ];
        assert_ends(&turns, &program, &[4.0, 3.0, 3.0]);
    }
    let waits = vec![Op::Compute(0.5), pause(1.5), Op::Compute(1.0)];
    let other = vec![Op::Compute(0.5), Op::Compute(2.0)];
    let program = [vec![Op::Compute(3.0)], waits, other];
    assert_ends(&turns, &program, &[4.0, 3.0, 3.0]);
}

#[test]
fn who_asks_anew_at_an_instant_queues_with_those_that_ask_at_it() {
    let twice = || vec![Op::Compute(0.0), Op::Compute(1.0)];
    let once = || vec![Op::Compute(1.0)];
    for discipline in [Discipline::Fcfs, Discipline::RoundRobin(1.0)] {
        let machine = node(3, 1, discipline);
        assert_ends(&machine, &[twice(), once(), once()], &[1.0, 2.0, 3.0]);
    }
    // It comes before a unit whose quantum ends at the same time.
    let late = vec![pause(1.0), Op::Compute(0.0), Op::Compute(1.0)];
    let turns = node(2, 1, Discipline::RoundRobin(1.0));
    assert_ends(&turns, &[late, vec![Op::Compute(2.0)]], &[2.0, 3.0]);
}

#[test]
fn who_holds_a_cpu_for_good_lets_others_start_at_its_end() {
    let mut machine = node(3, 2, Discipline::Fcfs);
    machine.holds = true;
    assert_ends(&machine, &jobs(&[1.0, 2.0, 3.0]), &[1.0, 2.0, 4.0]);
    let wait = vec![receive(2, 0)];
    let program = Program(vec![wait.clone(), wait, vec![send(0, 0, 8), send(1, 0, 8)]]);
    for answer in answers(&machine, &program) {
        assert_eq!(answer, Err(super::Stop::Deadlock));
    }
}

#[test]
fn messages_hop_from_rank_to_rank() {
    let network = loggp([2e-6, 1e-6, 0.0, 1e-9]);
    let rounds = 0..50;
    let ping: Vec<Op> = rounds
        .clone()
        .flat_map(|_| [send(1, 0, 8), receive(1, 0)])
        .collect();
    let pong: Vec<Op> = rounds
        .flat_map(|_| [receive(0, 0), send(0, 0, 8)])
        .collect();
    let end_s = 400.7e-6;
    assert_ends(
        &apart(2, network),
        &[ping, pong],
        &[end_s, end_s - 3.007e-6],
    );

    // A binomial broadcast to 8 processes, largest subtree first.
    let tree = |pid: usize| {
        let own = if pid == 0 {
            8
        } else {
            1 << pid.trailing_zeros()
        };
        let from = (pid > 0).then(|| receive(pid - own, 0));
        let to = [4, 2, 1].into_iter().filter(move |step| *step < own);
        from.into_iter()
            .chain(to.map(move |step| send(pid + step, 0, 8)))
            .collect()
    };
    let program: Vec<Vec<Op>> = (0..8).map(tree).collect();
    let program = Program(program);
    for answer in answers(&apart(8, network), &program) {
        let ends_s = answer.expect("the program ends").ends_s;
        let last_s = ends_s.into_iter().fold(0.0, f64::max);
        assert!(close(&[last_s], &[12.021e-6]), "{last_s}");
    }

    // A ring: 2 (P - 1) hops of M/P.
    let ring = |pid: usize| -> Vec<Op> {
        let hop = [send((pid + 1) % 8, 0, 1000), receive((pid + 7) % 8, 0)];
        (0..14).flat_map(|_| hop.clone()).collect()
    };
    let program: Vec<Vec<Op>> = (0..8).map(ring).collect();
    for (parameters, end_s) in [
        ([2e-6, 1e-6, 0.0, 1e-9], 69.986e-6),
        ([2.5e-6, 1.5e-6, 0.0, 6e-9], 160.916e-6),
    ] {
        assert_ends(&apart(8, loggp(parameters)), &program, &[end_s; 8]);
    }
}

#[test]
fn threads_share_loops_and_locks() {
    let machine = node(1, 4, Discipline::Fcfs);
    for (schedule, chunk, end_s) in [
        (Schedule::Static, None, 5.8),
        (Schedule::Static, Some(1), 4.0),
        (Schedule::Dynamic, Some(1), 4.0),
        (Schedule::Guided, Some(1), 3.9),
    ] {
        let iteration = |number: u32| vec![Op::Compute(0.1 * f64::from(number + 1))];
        let shared = Loop {
            schedule,
            chunk,
            iterations: (0..16).map(iteration).collect(),
        };
        assert_ends(&machine, &[vec![Op::Loop(4, shared)]], &[end_s]);
    }
    let thread = || vec![Op::Compute(1.0), Op::Critical(0, vec![Op::Compute(0.5)])];
    let phases = vec![Phase::Each((0..4).map(|_| thread()).collect())];
    assert_ends(&machine, &[vec![Op::Team(4, phases)]], &[3.0]);
}

#[test]
fn a_lock_that_is_had_for_no_time_is_not_taken_out_of_turn() {
    let enter = |cost_s: f64| Op::Critical(0, vec![Op::Compute(cost_s)]);
    let phase = |threads: [Vec<Op>; 3]| vec![Op::Team(3, vec![Phase::Each(threads.to_vec())])];
    let machine = node(1, 1, Discipline::Sharing);
    // Thread 0 returns at 1 s, after the other threads, which have been waiting since 0 s.
    let program = [phase([
        vec![enter(1.0), enter(1.0)],
        vec![enter(0.0)],
        vec![enter(0.0)],
    ])];
    assert_unit(&machine, &program, &[0, 2], &[1.0, 1.0]);
    // It returns at the same time as thread 1 arrives, and has the lower number.
    let program = [phase([
        vec![enter(0.0), enter(1.0)],
        vec![enter(1.0)],
        Vec::new(),
    ])];
    assert_unit(&machine, &program, &[0, 1], &[2.0, 2.0]);
}

/// Two computations, and a team of two threads, of which the second one computes longer.
fn nested(first_s: f64, second_s: f64) -> Vec<Op> {
    let inner = vec![vec![Op::Compute(1.0)], vec![Op::Compute(2.0)]];
    vec![
        Op::Compute(first_s),
        Op::Compute(second_s),
        Op::Team(2, vec![Phase::Each(inner)]),
    ]
}

#[test]
fn regions_may_have_more_threads_than_there_are_cpus() {
    // The three threads with number 0 have the CPUs until 4 s, and the others until 6 s.
    let threads = vec![nested(2.0, 1.0), nested(1.0, 2.0), nested(1.0, 2.0)];
    let program = [vec![Op::Team(3, vec![Phase::Each(threads)])]];
    assert_ends(&node(1, 3, Discipline::Fcfs), &program, &[6.0]);
    // Process 1 reaches 3 s first. Its second thread gets a CPU at 4 s.
    let program = [nested(2.0, 1.0), nested(1.0, 2.0)];
    assert_ends(&node(2, 3, Discipline::Fcfs), &program, &[5.0, 6.0]);
}

#[test]
fn threads_receive_what_has_arrived() {
    let threads = vec![vec![receive(0, 0)], vec![Op::Compute(0.0), receive(2, 1)]];
    let program = [
        vec![send(1, 0, 100_001)],
        vec![Op::Team(2, vec![Phase::Each(threads)])],
        vec![Op::Compute(0.5), send(1, 1, 8)],
    ];
    for nic in [Nic::Rank, Nic::Node] {
        let mut machine = apart(3, loggp([1.0, 1.0, 0.0, 1e-3]));
        machine.nic = nic;
        assert_unit(&machine, &program, &[1, 0], &[103.0]);
        assert_unit(&machine, &program, &[1, 1], &[0.0, 3.507]);
    }
}

#[test]
fn a_message_that_waited_is_not_overtaken() {
    let program = [
        vec![Op::Compute(1.0), receive(None, 0), receive(None, 0)],
        vec![Op::Compute(0.0), send(0, 0, 5000)],
        vec![Op::Compute(3.0), send(0, 0, 8)],
    ];
    let machine = apart(3, HOCKNEY);
    assert_ends(&machine, &program, &[7.0, 7.0, 3.0]);
    assert_unit(&machine, &program, &[0], &[1.0, 7.0, 7.0]);
}

#[test]
fn sends_of_a_node_that_begin_together_take_turns_by_pid() {
    let mut machine = apart(4, loggp([1.0, 0.5, 0.0, 1e-3]));
    machine.network.eager_bytes = Some(1000);
    (machine.nodes, machine.mapping) = (2, vec![0, 0, 1, 1]);
    machine.nic = Nic::Node;
    let program = [
        vec![receive(3, 0)],
        vec![receive(2, 0)],
        vec![send(1, 0, 8)],
        vec![send(0, 0, 5000)],
    ];
    // The large message starts at 7 ms.
    assert_ends(&machine, &program, &[7.006, 2.007, 0.5, 6.506]);
}

#[test]
fn a_send_that_does_not_block_waits_for_its_receive() {
    let mut machine = apart(2, loggp([1.0, 0.5, 0.0, 1e-6]));
    machine.network.eager_bytes = Some(1000);
    let later = Op::Send(Send {
        dest: 1,
        tag: 0,
        bytes: 1_000_000,
        cost_s: None,
        mode: Mode::Begun(None),
    });
    let program = [
        vec![later, Op::Wait(None)],
        vec![Op::Compute(10.0), receive(0, 0)],
    ];
    assert_ends(&machine, &program, &[12.499_999, 12.999_999]);
}

/// Each process computes twice, with the same total. Turns are a tenth of `unit_s`.
fn two_each(unit_s: f64) -> (Machine, Program) {
    let process = |pid: u32| {
        let costs = [f64::from(pid + 1), f64::from(7 - pid)];
        costs.map(|cost| Op::Compute(unit_s * cost)).to_vec()
    };
    let discipline = Discipline::RoundRobin(unit_s / 8.0);
    (
        node(3, 2, discipline),
        Program((0..3).map(process).collect()),
    )
}

#[test]
fn turns_do_not_depend_on_the_unit_of_time() {
    let (machine, program) = two_each(8.0);
    let expected = predict(&machine, &program).expect("it ends").ends_s;
    for unit_s in [8.0, 1.0, 0.1, 1.0 / 3.0, 1e-5] {
        let (machine, program) = two_each(unit_s);
        let found = measure(&machine, &program, Engine::Event).expect("it runs all");
        let found = found.expect("it ends");
        let scaled: Vec<f64> = expected.iter().map(|end_s| end_s * unit_s / 8.0).collect();
        assert!(close(&found.ends_s, &scaled), "{found:?}, not {scaled:?}");
    }
}
