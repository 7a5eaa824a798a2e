//! Tests loops against a simple simulation of who runs which iteration, and when.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

use prophet_runtime::{ActionPlus, Int, Parallel, ParallelDo, Schedule, Threads};
use proptest::prelude::*;

use crate::threads::{quarters, run};

const LOOP: ParallelDo = ParallelDo::new(0, "Loop", 1);
const TEAM: Parallel = Parallel::new(1, "Team", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);

/// An iteration: its number, the thread that ran it, and when it started.
type Begun = (usize, usize, f64);

/// What a thread does, and the iterations that it still has.
#[derive(Clone)]
enum Doing {
    /// The thread wants to start the first of these, or wants more.
    Wants(VecDeque<usize>),
    /// The thread has been waiting for a CPU since this time.
    Queues(f64, VecDeque<usize>),
    /// The thread computes until this time.
    Computes(f64, VecDeque<usize>),
    Done,
}

/// Returns the chunks of static loops, as the iterations of each thread.
fn settled(count: usize, threads: usize, chunk: Option<usize>) -> Vec<VecDeque<usize>> {
    let mut parts = vec![VecDeque::new(); threads];
    if let Some(chunk) = chunk {
        (0..count).for_each(|i| parts[i / chunk % threads].push_back(i));
        return parts;
    }
    let mut next = 0;
    for (tid, part) in parts.iter_mut().enumerate() {
        let length = count / threads + usize::from(tid < count % threads);
        part.extend(next..next + length);
        next += length;
    }
    parts
}

fn chunk_of(schedule: Schedule) -> Option<usize> {
    let (Schedule::Static(chunk) | Schedule::Dynamic(chunk) | Schedule::Guided(chunk)) = schedule;
    chunk.map(|Int(chunk)| usize::try_from(chunk).expect("positive"))
}

/// Returns the iterations that the next free thread gets.
fn next_chunk(schedule: Schedule, taken: usize, count: usize, threads: usize) -> Range<usize> {
    let least = chunk_of(schedule).unwrap_or(1);
    let length = match schedule {
        Schedule::Guided(_) => (count - taken).div_ceil(threads).max(least),
        _ => least,
    };
    taken..(taken + length).min(count)
}

/// A straightforward simulation, event by event. Returns the iterations by number, and when the
/// loop ends. If each thread has a CPU, iterations can take no time.
struct Reference<'a> {
    costs: &'a [f64],
    schedule: Schedule,
    doing: Vec<Doing>,
    taken: usize,
    free_cpus: usize,
    now_s: f64,
    begun: Vec<Begun>,
}

fn reference(costs: &[f64], threads: usize, cpus: usize, schedule: Schedule) -> (Vec<Begun>, f64) {
    let is_static = matches!(schedule, Schedule::Static(_));
    let parts = if is_static {
        settled(costs.len(), threads, chunk_of(schedule))
    } else {
        vec![VecDeque::new(); threads]
    };
    let mut reference = Reference {
        costs,
        schedule,
        doing: parts.into_iter().map(Doing::Wants).collect(),
        taken: if is_static { costs.len() } else { 0 },
        free_cpus: cpus,
        now_s: 0.0,
        begun: Vec::new(),
    };
    loop {
        reference.ask();
        reference.dispatch();
        if !reference.advance() {
            reference.begun.sort_by_key(|(i, _, _)| *i);
            return (reference.begun, reference.now_s);
        }
    }
}

impl Reference<'_> {
    /// Makes all threads that have an iteration request a CPU. The others take iterations.
    fn ask(&mut self) {
        loop {
            for tid in 0..self.doing.len() {
                self.ask_for(tid);
            }
            let threads = self.doing.len();
            let wants = |doing: &&mut Doing| matches!(doing, Doing::Wants(_));
            let mut wanting = self.doing.iter_mut().filter(wants).peekable();
            if wanting.peek().is_none() {
                return;
            }
            for thread in wanting {
                let chunk = next_chunk(self.schedule, self.taken, self.costs.len(), threads);
                self.taken = chunk.end;
                *thread = if chunk.is_empty() {
                    Doing::Done
                } else {
                    Doing::Wants(chunk.collect())
                };
            }
        }
    }

    fn ask_for(&mut self, tid: usize) {
        let Doing::Wants(own) = &mut self.doing[tid] else {
            return;
        };
        while let Some(i) = own.front().copied() {
            if self.costs[i] > 0.0 {
                self.doing[tid] = Doing::Queues(self.now_s, std::mem::take(own));
                return;
            }
            self.begun.push((i, tid, self.now_s));
            own.pop_front();
        }
    }

    /// Assigns CPUs to the threads that have waited longest and, among these, to the lowest.
    fn dispatch(&mut self) {
        while self.free_cpus > 0 {
            let since = |(tid, doing): (usize, &Doing)| match doing {
                Doing::Queues(since_s, _) => Some((*since_s, tid)),
                _ => None,
            };
            let waiting = self.doing.iter().enumerate().filter_map(since);
            let Some((_, tid)) = waiting.min_by(|a, b| a.partial_cmp(b).expect("times")) else {
                return;
            };
            let Doing::Queues(_, own) = &mut self.doing[tid] else {
                return;
            };
            let i = own.pop_front().expect("it has one");
            self.begun.push((i, tid, self.now_s));
            self.free_cpus -= 1;
            self.doing[tid] = Doing::Computes(self.now_s + self.costs[i], std::mem::take(own));
        }
    }

    /// Advances to when the next iteration ends. Returns `false` if there is none.
    fn advance(&mut self) -> bool {
        let ends = self.doing.iter().filter_map(|thread| match thread {
            Doing::Computes(end_s, _) => Some(*end_s),
            _ => None,
        });
        let Some(next_s) = ends.reduce(f64::min) else {
            return false;
        };
        self.now_s = next_s;
        for thread in &mut self.doing {
            if let Doing::Computes(end_s, own) = thread
                && *end_s == next_s
            {
                *thread = Doing::Wants(std::mem::take(own));
                self.free_cpus += 1;
            }
        }
        true
    }
}

fn ours(
    costs: &[f64],
    threads: u32,
    cpus: u32,
    schedule: Schedule,
    orphaned: bool,
) -> (Vec<Begun>, f64) {
    let begun = RefCell::new(Vec::new());
    let outcome = run(threads, cpus, async |ctx| {
        let body = async |ctx: &prophet_runtime::ProcessCtx<'_>| {
            LOOP.execute(
                ctx,
                Threads::Default,
                count(costs),
                schedule,
                async |ctx, i| {
                    let number = usize::try_from(i.0).expect("small");
                    let cost_s = costs[number];
                    WORK.execute(ctx, cost_s).await?;
                    // Only when it ends is it known when it got the CPU.
                    let start_s = ctx.now_s() - cost_s;
                    let tid = usize::try_from(ctx.tid().0).expect("small");
                    begun.borrow_mut().push((number, tid, start_s));
                    Ok(())
                },
            )
            .await
        };
        if orphaned {
            TEAM.execute(ctx, Threads::Default, body).await
        } else {
            body(ctx).await
        }
    });
    let outcome = outcome.expect("the loop ends");
    let mean_s = costs.iter().sum::<f64>() / f64::from(threads);
    assert!((outcome.processes[0].compute_s - mean_s).abs() < 1e-12);
    let mut begun = begun.into_inner();
    begun.sort_by_key(|(i, _, _)| *i);
    (begun, outcome.predicted_time_s)
}

fn count(costs: &[f64]) -> i64 {
    i64::try_from(costs.len()).expect("few")
}

fn schedules() -> impl Strategy<Value = Schedule> {
    let chunk = prop_oneof![Just(None), (1_i64..6).prop_map(|chunk| Some(Int(chunk)))];
    (0..3, chunk).prop_map(|(kind, chunk)| match kind {
        0 => Schedule::Static(chunk),
        1 => Schedule::Dynamic(chunk),
        _ => Schedule::Guided(chunk),
    })
}

proptest! {
    #[test]
    fn every_iteration_runs_where_and_when_the_reference_says(
        costs in prop::collection::vec(1_u8..6, 0..40),
        threads in 1_u32..9,
        cpus in 1_u32..9,
        schedule in schedules(),
        orphaned: bool,
    ) {
        let costs: Vec<f64> = costs.into_iter().map(quarters).collect();
        let expected = reference(&costs, threads as usize, cpus as usize, schedule);
        prop_assert_eq!(ours(&costs, threads, cpus, schedule, orphaned), expected);
    }

    /// Iterations can take no time. Each thread has a CPU, because such iterations then don't
    /// change who gets one.
    #[test]
    fn iterations_may_be_free(
        costs in prop::collection::vec(0_u8..3, 0..40),
        threads in 1_u32..9,
        schedule in schedules(),
    ) {
        let costs: Vec<f64> = costs.into_iter().map(quarters).collect();
        let expected = reference(&costs, threads as usize, threads as usize, schedule);
        prop_assert_eq!(ours(&costs, threads, threads, schedule, false), expected);
    }
}

#[test]
fn dynamic_is_better_than_static_where_iterations_differ() {
    let costs: Vec<f64> = (0..16_u8).map(|i| if i < 4 { 4.0 } else { 1.0 }).collect();
    let time_s = |schedule| ours(&costs, 4, 4, schedule, false).1;
    assert_eq!(time_s(Schedule::Static(None)), 16.0);
    assert_eq!(time_s(Schedule::Dynamic(None)), 7.0);
    assert_eq!(time_s(Schedule::Static(Some(Int(1)))), 7.0);
}
