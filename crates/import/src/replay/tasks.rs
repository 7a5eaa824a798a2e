//! Runs overlapping tasks as threads of a process. A unit has one thread for each task that it can
//! run at the same time; a free thread takes the first task that is ready.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use prophet_runtime::{Condition, Delay, Fork, ProcessCtx, Stopped};

use super::{
    COMPUTE, CPU_SPEED, GPU_SPEED, NETWORK_SPEED, SEND, Speeds, communicate, gather, relative, sent,
};
use crate::RankEvent;
use crate::graph::Moment;
use crate::tasks::{Task, TaskAction, TaskCall, Tasks, Unit};

const KERNEL: Delay = Delay::new(17, "kernel", 18);
const COPY: Delay = Delay::new(18, "copy", 19);
const TIMED: Delay = Delay::new(19, "communication", 20);
const UNITS: Fork = Fork::new(20, "units", 21);

struct TaskReplay<'t> {
    tasks: &'t Tasks,
    rank: u32,
    speeds: &'t Speeds,
    path: &'t Path,
    /// Number of tasks that each task still waits for.
    needs: Vec<Cell<u32>>,
    /// When the last task that each task waits for ended.
    ready_s: Vec<Cell<f64>>,
    units: Vec<Queue>,
}

struct Queue {
    ready: RefCell<BinaryHeap<Reverse<u32>>>,
    /// Number of tasks that haven't started yet.
    left: Cell<u32>,
    changed: Condition,
}

pub(super) async fn run(
    ctx: &ProcessCtx<'_>,
    (rank, tasks): (u32, &Tasks),
    path: &Path,
    speeds: &Speeds,
) -> Result<(), Stopped> {
    let replay = TaskReplay::new((rank, tasks), path, speeds);
    for number in 0..tasks.graph.len() {
        if tasks.graph.needs[number as usize] == 0 {
            replay.offer(ctx, number);
        }
    }
    let units = (0..).zip(&tasks.units);
    let places = units.flat_map(|(unit, it)| (0..it.places).map(move |_| unit));
    let places: Vec<u32> = places.collect();
    let count = u32::try_from(places.len()).unwrap_or(u32::MAX);
    if count == 0 {
        return Ok(());
    }
    let work = async |ctx: &ProcessCtx<'_>, place: u32| {
        replay.work(ctx, place, places[place as usize]).await
    };
    UNITS.execute(ctx, count, work).await
}

impl Queue {
    fn new(unit: &Unit) -> Self {
        Self {
            ready: RefCell::default(),
            left: Cell::new(0),
            changed: Condition::new(unit.name.clone()),
        }
    }

    /// Returns `true` if there is a task to run, or if nothing is left to do.
    fn goes_on(&self) -> bool {
        self.left.get() == 0 || !self.ready.borrow().is_empty()
    }

    fn take(&self, ctx: &ProcessCtx<'_>) -> Option<u32> {
        let Reverse(task) = self.ready.borrow_mut().pop()?;
        self.left.set(self.left.get() - 1);
        if self.left.get() == 0 {
            self.tell(ctx);
        }
        Some(task)
    }

    fn tell(&self, ctx: &ProcessCtx<'_>) {
        if self.changed.queue_len() > 0 {
            self.changed.signal(ctx);
        }
    }
}

impl<'t> TaskReplay<'t> {
    fn new((rank, tasks): (u32, &'t Tasks), path: &'t Path, speeds: &'t Speeds) -> Self {
        let units: Vec<Queue> = tasks.units.iter().map(Queue::new).collect();
        for task in tasks.graph.operations.iter().filter(|it| !it.is_moment()) {
            let left = &units[task.unit as usize].left;
            left.set(left.get() + 1);
        }
        Self {
            tasks,
            rank,
            speeds,
            path,
            needs: tasks.graph.needs.iter().copied().map(Cell::new).collect(),
            ready_s: tasks.graph.needs.iter().map(|_| Cell::new(0.0)).collect(),
            units,
        }
    }

    /// Runs tasks of a unit, as the thread of one of its places.
    async fn work(&self, ctx: &ProcessCtx<'_>, place: u32, unit: u32) -> Result<(), Stopped> {
        let queue = &self.units[unit as usize];
        loop {
            if let Some(number) = queue.take(ctx) {
                let task = self.tasks.task(number);
                let begin_s = self.ready_s[number as usize].get() + task.delay_s;
                if begin_s > ctx.now_s() {
                    ctx.hold(begin_s - ctx.now_s()).await?;
                }
                self.run(ctx, place, task).await?;
                self.release(ctx, number);
            } else if queue.left.get() == 0 {
                return Ok(());
            } else {
                queue.changed.until(ctx, || queue.goes_on()).await?;
            }
        }
    }

    /// Releases the tasks that waited only for this one.
    fn release(&self, ctx: &ProcessCtx<'_>, number: u32) {
        let mut over = vec![number];
        while let Some(number) = over.pop() {
            for later in self.tasks.graph.waiting_for(number, Moment::End) {
                let needs = &self.needs[later as usize];
                needs.set(needs.get() - 1);
                if needs.get() == 0 && !self.offer_task(ctx, later) {
                    over.push(later);
                }
            }
        }
    }

    /// Offers a task that no longer waits for anything. If it is a moment, releases the tasks that
    /// wait for it instead.
    fn offer(&self, ctx: &ProcessCtx<'_>, number: u32) {
        if !self.offer_task(ctx, number) {
            self.release(ctx, number);
        }
    }

    /// Offers a task. Returns `false` if it is a moment, which is already over.
    fn offer_task(&self, ctx: &ProcessCtx<'_>, number: u32) -> bool {
        let task = self.tasks.task(number);
        if task.is_moment() {
            return false;
        }
        self.ready_s[number as usize].set(ctx.now_s());
        let queue = &self.units[task.unit as usize];
        queue.ready.borrow_mut().push(Reverse(number));
        queue.tell(ctx);
        true
    }

    async fn run(&self, ctx: &ProcessCtx<'_>, place: u32, task: &Task) -> Result<(), Stopped> {
        match &task.doing {
            TaskAction::Nothing => Ok(()),
            TaskAction::Compute(work) => {
                let cost_s = self.speeds.cost_s(ctx, self.path, *work)?;
                let speed = relative(ctx, self.path, CPU_SPEED)?;
                COMPUTE.execute(ctx, cost_s / speed).await
            }
            TaskAction::Kernel(work) => {
                let cost_s = self.speeds.cost_s(ctx, self.path, *work)?;
                let speed = relative(ctx, self.path, GPU_SPEED)?;
                KERNEL.execute(ctx, cost_s / speed).await
            }
            TaskAction::Copy(seconds) => COPY.execute(ctx, *seconds).await,
            TaskAction::Call(call) => self.call(ctx, place, call).await,
        }
    }

    /// Makes a call. It takes as long as it did in the trace if only its time is known, or if the
    /// user set a network speed.
    async fn call(&self, ctx: &ProcessCtx<'_>, place: u32, call: &TaskCall) -> Result<(), Stopped> {
        let speed = ctx.real_parameter(NETWORK_SPEED);
        let is_timed = speed > 0.0;
        let seconds = call
            .seconds
            .map(|it| if is_timed { it / speed } else { it });
        match (&call.event, seconds) {
            (None, seconds) => TIMED.execute(ctx, seconds.unwrap_or(0.0)).await,
            (Some(RankEvent::Collective(it)), Some(seconds)) if is_timed => {
                gather(ctx, it, seconds).await
            }
            (Some(RankEvent::Send(it)), Some(seconds)) if is_timed => {
                let (peer, message) = sent(*it);
                SEND.execute(ctx, peer, message, seconds).await
            }
            (Some(event), _) => communicate(ctx, self.rank, event, place).await,
        }
    }
}
