//! Tests how units share the CPUs of a node: in turns, simultaneously, or by keeping them.
#![expect(
    clippy::float_cmp,
    reason = "costs are dyadic, so that times are exact sums"
)]

use std::collections::VecDeque;

use prophet_runtime::{ActionPlus, CpuDiscipline, Outcome, Simulation, System, WaitPolicy};
use prophet_testing::assert_says;
use proptest::prelude::*;

use crate::meaning::{MODEL, ends, run_on};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);

const TURNS: CpuDiscipline = CpuDiscipline::RoundRobin { quantum_s: 1.0 };

fn node(cpus: u32, processes: u32, discipline: CpuDiscipline) -> System {
    let mut system = System::new(1, cpus, processes, 1);
    system.discipline = discipline;
    system
}

fn pause_and_work(system: System, rounds: &[Vec<(f64, f64)>]) -> Outcome {
    run_on(system, async |ctx| {
        let pid = usize::try_from(ctx.pid().0).expect("small");
        for (pause_s, cost_s) in &rounds[pid] {
            if *pause_s > 0.0 {
                ctx.hold(*pause_s).await?;
            }
            WORK.execute(ctx, *cost_s).await?;
        }
        Ok(())
    })
}

fn ends_of(cpus: u32, discipline: CpuDiscipline, rounds: &[Vec<(f64, f64)>]) -> Vec<f64> {
    let processes = u32::try_from(rounds.len()).expect("few");
    ends(&pause_and_work(node(cpus, processes, discipline), rounds))
}

#[test]
fn turns_are_the_same_at_every_scale() {
    for (cpus, processes) in [(1, 3), (2, 3), (2, 5), (3, 7), (4, 9)] {
        // Processes with higher numbers have longer first parts and shorter second parts.
        let at_scale = |scale: f64| {
            let turns = CpuDiscipline::RoundRobin { quantum_s: scale };
            let rounds: Vec<_> = (0..processes)
                .map(|pid| {
                    let pid = f64::from(pid);
                    let parts = [pid + 1.0, 17.0 - pid, (pid + 1.0) * 0.3];
                    parts.map(|quanta| (0.0, quanta * scale)).to_vec()
                })
                .collect();
            ends_of(cpus, turns, &rounds)
        };
        let whole = at_scale(1.0);
        for scale in [0.1, 0.01, 1e-3, 0.7, 1.0 / 3.0] {
            for (scaled_s, whole_s) in at_scale(scale).iter().zip(&whole) {
                let error = (scaled_s / (whole_s * scale) - 1.0).abs();
                assert!(
                    error < 1e-12,
                    "{cpus} {processes} {scale}: {scaled_s} {whole_s}"
                );
            }
        }
    }
}

#[test]
fn without_contention_every_discipline_ends_in_one_addition() {
    let (start_s, cost_s) = (0.1, 0.7);
    for discipline in [CpuDiscipline::Fcfs, TURNS, CpuDiscipline::ProcessorSharing] {
        let rounds = [vec![(start_s, cost_s)], vec![(0.3, 1e-3)]];
        assert_eq!(
            ends_of(2, discipline, &rounds)[0],
            start_s + cost_s,
            "{discipline}"
        );
    }
}

#[test]
fn times_of_a_process_add_up() {
    let rounds = [
        vec![(0.0, 1.0), (0.5, 2.0)],
        vec![(0.25, 3.0)],
        vec![(0.0, 1.5)],
    ];
    for discipline in [CpuDiscipline::Fcfs, TURNS, CpuDiscipline::ProcessorSharing] {
        let outcome = pause_and_work(node(1, 3, discipline), &rounds);
        for (process, rounds) in outcome.processes.iter().zip(&rounds) {
            let pauses: f64 = rounds.iter().map(|(pause_s, _)| pause_s).sum();
            let compute: f64 = rounds.iter().map(|(_, cost_s)| cost_s).sum();
            assert_eq!(process.compute_s, compute);
            let sum = pauses + compute + process.wait_s;
            assert!(
                (sum - process.end_s).abs() < 1e-12,
                "{discipline}: {process:?}"
            );
        }
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |quantum_s| {
        let mut system = node(1, 2, CpuDiscipline::RoundRobin { quantum_s });
        system.wait_policy = WaitPolicy::Hold;
        let run = Simulation::new(&MODEL, system).run(async |_| Ok(()));
        run.expect_err("no such machine").to_string()
    };
    let text = "the wait policy hold is not supported with the discipline round-robin yet";
    assert!(refused(1.0).contains(text), "{}", refused(1.0));
    assert_says(refused(0.0), &["expected a quantum above 0, found 0 s"]);
    assert!(refused(f64::NAN).contains("expected a quantum above 0, found NaN s"));
}

/// A process that computes in [`by_turns`].
struct Turn {
    pid: usize,
    left_s: f64,
    since_s: f64,
}

/// Simulates turns of `quantum_s` in the simplest way. Returns when each process ends.
fn by_turns(cpus: usize, quantum_s: f64, rounds: &[Vec<(f64, f64)>]) -> Vec<f64> {
    let mut round = vec![0; rounds.len()];
    let mut ends = vec![0.0; rounds.len()];
    let mut pausing: Vec<(f64, usize)> = (0..rounds.len())
        .map(|pid| (rounds[pid][0].0, pid))
        .collect();
    let mut queue: VecDeque<(usize, f64)> = VecDeque::new();
    let mut running: Vec<Turn> = Vec::new();
    let mut now_s = 0.0_f64;
    loop {
        let of_turn = |turn: &Turn| now_s + turn.left_s.min(turn.since_s + quantum_s - now_s);
        let next_s = pausing
            .iter()
            .map(|pause| pause.0)
            .chain(running.iter().map(of_turn));
        let next_s = next_s.fold(f64::INFINITY, f64::min);
        if next_s.is_infinite() {
            return ends;
        }
        for turn in &mut running {
            turn.left_s -= next_s - now_s;
        }
        now_s = next_s;
        running.retain(|turn| {
            let over = turn.left_s <= 0.0;
            if over {
                ends[turn.pid] = now_s;
                round[turn.pid] += 1;
                if let Some((pause_s, _)) = rounds[turn.pid].get(round[turn.pid]) {
                    pausing.push((now_s + pause_s, turn.pid));
                }
            }
            !over
        });
        pausing.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        while pausing.first().is_some_and(|pause| pause.0 <= now_s) {
            let (_, pid) = pausing.remove(0);
            queue.push_back((pid, rounds[pid][round[pid]].1));
        }
        // Units whose turns end queue in the order in which they got their CPUs.
        running.retain(|turn| {
            let over = now_s - turn.since_s >= quantum_s;
            if over {
                queue.push_back((turn.pid, turn.left_s));
            }
            !over
        });
        while running.len() < cpus
            && let Some((pid, left_s)) = queue.pop_front()
        {
            running.push(Turn {
                pid,
                left_s,
                since_s: now_s,
            });
        }
    }
}

/// Simulates shared CPUs in the simplest way.
fn all_at_once(cpus: u32, rounds: &[Vec<(f64, f64)>]) -> Vec<f64> {
    // For each process: the round, the work left in it, and whether the process is computing.
    let mut state: Vec<(usize, f64, bool)> = rounds
        .iter()
        .map(|rounds| (0, rounds[0].0, false))
        .collect();
    let mut ends = vec![0.0; rounds.len()];
    let mut now_s = 0.0;
    while (0..rounds.len()).any(|pid| state[pid].0 < rounds[pid].len()) {
        let there = |pid: &usize| state[*pid].0 < rounds[*pid].len();
        let pids: Vec<usize> = (0..rounds.len()).filter(there).collect();
        let working = pids.iter().filter(|pid| state[**pid].2).count();
        let working = u32::try_from(working.max(1)).expect("few");
        let rate = (f64::from(cpus) / f64::from(working)).min(1.0);
        let speed = |works: bool| if works { rate } else { 1.0 };
        let step = |pid: &usize| state[*pid].1 / speed(state[*pid].2);
        let step_s = pids.iter().map(step).fold(f64::INFINITY, f64::min);
        now_s += step_s;
        for pid in pids {
            let (round, left_s, works) = state[pid];
            let left_s = left_s - step_s * speed(works);
            state[pid] = if left_s > 1e-12 {
                (round, left_s, works)
            } else if works {
                ends[pid] = now_s;
                (
                    round + 1,
                    rounds[pid].get(round + 1).map_or(0.0, |round| round.0),
                    false,
                )
            } else {
                (round, rounds[pid][round].1, true)
            };
        }
    }
    ends
}

fn eighths(range: std::ops::Range<u32>) -> impl Strategy<Value = f64> {
    range.prop_map(|eighths| f64::from(eighths) / 8.0)
}

fn programs() -> impl Strategy<Value = Vec<Vec<(f64, f64)>>> {
    let round = (eighths(0..9), eighths(1..33));
    prop::collection::vec(prop::collection::vec(round, 1..5), 1..7)
}

proptest! {
    #[test]
    fn random_programs_take_turns_as_the_plain_simulation(
        rounds in programs(), cpus in 1..4_u32, eighths in 0..5,
    ) {
        // Costs are then exact multiples of the quantum, because the runtime takes decimals at face
        // value.
        let quantum_s = f64::from(1 << eighths) / 8.0;
        let processes = u32::try_from(rounds.len()).expect("few");
        let turns = CpuDiscipline::RoundRobin { quantum_s };
        let expected = by_turns(cpus as usize, quantum_s, &rounds);
        prop_assert_eq!(ends(&pause_and_work(node(cpus, processes, turns), &rounds)), expected);
        let fcfs = node(cpus, processes, CpuDiscipline::Fcfs);
        let expected = by_turns(cpus as usize, f64::INFINITY, &rounds);
        prop_assert_eq!(ends(&pause_and_work(fcfs, &rounds)), expected);
    }

    #[test]
    fn random_programs_share_as_the_plain_simulation(rounds in programs(), cpus in 1..4_u32) {
        let processes = u32::try_from(rounds.len()).expect("few");
        let shared = node(cpus, processes, CpuDiscipline::ProcessorSharing);
        let found = ends(&pause_and_work(shared, &rounds));
        for (found, expected) in found.iter().zip(all_at_once(cpus, &rounds)) {
            prop_assert!((found - expected).abs() < 1e-9, "{} instead of {}", found, expected);
        }
    }
}
