//! Checks invariants of schedules, and bounds on makespans, for random small workflows.

use prophet_workflow::schedulers::{NAMES, by_name};
use prophet_workflow::{
    Draft, Group, HostId, HostLink, Job, JobRun, Policy, Queue, QueueWait, SharedStorage, Task,
    TaskCost, TaskId, Workflow, WorkflowMachine, WorkflowPrediction, simulate,
};

/// Largest difference between sums that are computed in different orders.
const SAME_S: f64 = 1e-9;

/// Knuth's linear congruential generator, of which the high bits are used.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(limit)).expect("it is below")
    }

    pub(crate) fn seconds(&mut self) -> f64 {
        f64::from(self.below(20)) / 4.0
    }
}

/// Returns a workflow with files between its tasks. Each task needs up to `cores` cores.
pub(crate) fn workflow(random: &mut Random, tasks: u32, cores: u32) -> Workflow {
    let mut draft = Draft::new("random");
    let mut ids: Vec<TaskId> = Vec::new();
    let given = draft.input("given", u64::from(random.below(5)));
    for number in 0..tasks {
        let mut task = Task::new(TaskCost::Seconds(random.seconds()));
        task.cores = 1 + random.below(cores);
        task.memory_bytes = u64::from(random.below(3));
        if cores > 1 && random.below(4) == 0 {
            task.release_s = random.seconds();
            task.requested_s = Some(random.seconds());
        }
        let id = draft.task(&number.to_string(), task);
        if random.below(4) == 0 {
            draft.reads(id, given);
        }
        for &parent in &ids {
            match random.below(6) {
                0 => draft.waits(id, parent),
                1 => {
                    let name = format!("{}-{number}", parent.0);
                    let file = draft.file(&name, u64::from(random.below(9)));
                    draft.writes(parent, file);
                    draft.reads(id, file);
                }
                _ => (),
            }
        }
        ids.push(id);
    }
    draft.finish().expect("it is right")
}

/// Returns a machine with different hosts at two sites. It may have storage and networks.
pub(crate) fn machine(random: &mut Random) -> WorkflowMachine {
    let mut groups = vec![
        Group::new("a", 2, 2),
        Group::new("b", 1, 3),
        Group::new("c", 2, 1),
    ];
    groups[1].speed = 2.0;
    groups[1].site = 1;
    groups[2].memory_bytes = 4;
    let storage = SharedStorage {
        read_bytes_per_s: 4.0,
        write_bytes_per_s: 3.0,
    };
    let with = |random: &mut Random| random.below(2) == 0;
    groups[0].disk = with(random).then_some(storage);
    let mut machine = WorkflowMachine::new(groups).expect("it is right");
    machine.shared[0] = with(random).then_some(storage);
    machine.shared[1] = with(random).then_some(storage);
    let link = |is_shared| HostLink {
        is_shared,
        ..link(5.0, 0.25)
    };
    machine.within = with(random).then_some(link(with(random)));
    machine.between = with(random).then_some(link(with(random)));
    if with(random) {
        let site = random.below(2) as usize;
        machine.queues[site] = Queue {
            submit_delay_s: 0.5,
            cycle_s: 2.0,
            ..Queue::default()
        };
    }
    if with(random) {
        others(random, &mut machine);
    }
    machine
}

/// Adds random waits, and other users' jobs at both sites.
fn others(random: &mut Random, machine: &mut WorkflowMachine) {
    machine.seed = u64::from(random.below(100));
    for site in 0..machine.sites() {
        let cores = u32::try_from(machine.site_cores(site)).expect("there are few");
        let queue = &mut machine.queues[site];
        if random.below(2) == 0 {
            queue.wait = QueueWait::Exponential { mean_s: 2.0 };
        }
        if random.below(2) == 0 {
            queue.policy = Policy::Easy;
        }
        let job = |random: &mut Random| {
            let run_s = 0.25 + random.seconds();
            Job {
                submit_s: random.seconds() * 2.0 - 3.0,
                cores: 1 + random.below(cores),
                run_s,
                requested_s: run_s * f64::from(random.below(3) + 1),
            }
        };
        let mut jobs: Vec<Job> = (0..random.below(9)).map(|_| job(random)).collect();
        jobs.sort_by(|left, right| left.submit_s.total_cmp(&right.submit_s));
        queue.jobs = jobs.into();
    }
}

pub(crate) fn link(bytes_per_s: f64, latency_s: f64) -> HostLink {
    HostLink {
        bytes_per_s,
        latency_s,
        is_shared: false,
    }
}

pub(crate) fn predict(
    workflow: &Workflow,
    machine: &WorkflowMachine,
    name: &str,
) -> WorkflowPrediction {
    let mut scheduler = by_name(name).expect("there is one");
    simulate(workflow, machine, &mut *scheduler).unwrap_or_else(|it| panic!("{name}: {it}"))
}

/// Checks that no core and no byte of memory is used twice at the same time, and that no task
/// starts before its parents have ended.
fn check(workflow: &Workflow, machine: &WorkflowMachine, prediction: &WorkflowPrediction) {
    for id in workflow.ids() {
        let (run, task) = (prediction.run(id), workflow.task(id));
        let seconds = machine.seconds(workflow, task, run.host);
        assert!(run.end_s >= run.start_s + seconds - SAME_S);
        assert!(run.start_s >= run.ready_s && run.ready_s >= task.release_s);
        for parent in workflow.parents(id) {
            assert!(run.start_s >= prediction.run(parent).end_s);
        }
        // Tasks that take no time follow each other at the same time.
        if run.end_s == run.start_s {
            continue;
        }
        // Usage is highest when a task starts.
        let runs = |it: &TaskId| {
            let other = prediction.run(*it);
            other.host == run.host && (other.start_s..other.end_s).contains(&run.start_s)
        };
        let running = || workflow.ids().filter(runs).map(|it| workflow.task(it));
        let others = others_cores(prediction, run.host, run.start_s);
        let cores: u32 = running().map(|it| it.cores).sum::<u32>() + others;
        let memory_bytes: u64 = running().map(|it| it.memory_bytes).sum();
        assert!(cores <= machine.group(run.host).cores);
        assert!(memory_bytes <= machine.group(run.host).memory_bytes);
    }
    for job in prediction.jobs() {
        let others = &machine.queues[job.site].jobs[job.job];
        assert!(job.start_s >= others.submit_s && job.end_s == job.start_s + others.run_s);
        assert_eq!(job.places.iter().map(|it| it.1).sum::<u32>(), others.cores);
        for &(host, _) in &job.places {
            assert_eq!(machine.site(host), job.site);
            let runs = |it: &TaskId| {
                let run = prediction.run(*it);
                run.host == host && (run.start_s..run.end_s).contains(&job.start_s)
            };
            let tasks = workflow.ids().filter(runs);
            let cores: u32 = tasks.map(|it| workflow.task(it).cores).sum();
            let others = others_cores(prediction, host, job.start_s);
            assert!(cores + others <= machine.group(host).cores);
        }
    }
}

/// Returns how many cores of a host other users' jobs occupy at a given time.
fn others_cores(prediction: &WorkflowPrediction, host: HostId, at_s: f64) -> u32 {
    let runs = |it: &&JobRun| (it.start_s..it.end_s).contains(&at_s);
    let places = prediction.jobs().iter().filter(runs);
    let here = places.flat_map(|it| &it.places).filter(|it| it.0 == host);
    here.map(|it| it.1).sum()
}

#[test]
fn no_core_is_used_twice_and_no_task_is_before_its_files() {
    let mut random = Random(2005);
    for _ in 0..10_000 {
        let tasks = 1 + random.below(9);
        let workflow = workflow(&mut random, tasks, 3);
        let machine = machine(&mut random);
        let name = NAMES[random.below(9) as usize].0;
        let prediction = predict(&workflow, &machine, name);
        check(&workflow, &machine, &prediction);
        assert_eq!(prediction, predict(&workflow, &machine, name), "{name}");
    }
}

/// Finds the shortest makespan of one-core tasks on equal cores by trying all orders.
fn optimum_s(workflow: &Workflow, free_s: &mut [f64], ends_s: &mut [f64], best_s: &mut f64) {
    let now_s = ends_s
        .iter()
        .copied()
        .filter(|it| it.is_finite())
        .fold(0.0, f64::max);
    if now_s >= *best_s {
        return;
    }
    if ends_s.iter().all(|it| it.is_finite()) {
        *best_s = now_s;
        return;
    }
    for id in workflow
        .ids()
        .filter(|it| ends_s[it.index()].is_infinite())
        .collect::<Vec<_>>()
    {
        let ready_s = workflow
            .parents(id)
            .map(|it| ends_s[it.index()])
            .fold(0.0, f64::max);
        if ready_s.is_infinite() {
            continue;
        }
        let TaskCost::Seconds(seconds) = workflow.task(id).cost else {
            unreachable!("costs are seconds")
        };
        for core in 0..free_s.len() {
            let before_s = free_s[core];
            if free_s[..core].contains(&before_s) {
                continue;
            }
            let end_s = ready_s.max(before_s) + seconds;
            (free_s[core], ends_s[id.index()]) = (end_s, end_s);
            optimum_s(workflow, free_s, ends_s, best_s);
            (free_s[core], ends_s[id.index()]) = (before_s, f64::INFINITY);
        }
    }
}

#[test]
fn list_schedules_are_within_grahams_bound_of_the_optimum() {
    let mut random = Random(1966);
    let mut optimal = 0;
    for _ in 0..10_000 {
        let tasks = 1 + random.below(6);
        let workflow = workflow(&mut random, tasks, 1);
        let cores = 1 + random.below(3);
        let machine =
            WorkflowMachine::new(vec![Group::new("host", 1, cores)]).expect("it is right");
        let mut best_s = f64::INFINITY;
        let mut free_s = vec![0.0; cores as usize];
        let mut ends_s = vec![f64::INFINITY; workflow.len()];
        optimum_s(&workflow, &mut free_s, &mut ends_s, &mut best_s);
        let bound_s = best_s * (2.0 - 1.0 / f64::from(cores));
        for (name, _) in NAMES {
            let makespan_s = predict(&workflow, &machine, name).makespan_s();
            assert!(
                makespan_s >= best_s - SAME_S,
                "{name}: {makespan_s} < {best_s}"
            );
            // Graham, Bounds on Multiprocessing Timing Anomalies (1969). The bound holds for
            // schedules that leave no core idle while a task is ready.
            if ["fcfs", "easy", "data-aware"].contains(name) {
                assert!(
                    makespan_s <= bound_s + SAME_S,
                    "{name}: {makespan_s} > {bound_s}"
                );
            }
            optimal += u32::from(makespan_s <= best_s + SAME_S);
        }
    }
    // Heuristics that are never optimal would pass otherwise.
    assert!(optimal > 80_000, "{optimal}");
}
